"""A game without a contest of its own is played at tables, each deal by everybody in every seat."""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from arena.engine.tables import Rounds, TableContest
from arena.programs.protocols import ProgramView, wire_format
from chatbot.games import kits
from chatbot.games.heist.rules.moves import Act, Answer, Join
from chatbot.kernel.codec import plain
from chatbot.kernel.contest import Entrant
from chatbot.kernel.game import Failure, Seat
from tests.arena.commands import ROOT, Shell

if TYPE_CHECKING:
    from collections.abc import Sequence

HEIST = kits()["heist"]
ANN = Seat("contestant:0")


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """Copy the program, and drop the coin in: a game that knows nothing of the arena."""
    root = tmp_path_factory.mktemp("clone")
    for name in ("arena", "chatbot", "cogs", "data"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__", "*.db*"))
    shutil.copytree(ROOT / "tests/fakes/coinflip", root / "chatbot/games/coinflip")
    return Shell(tmp_path_factory.mktemp("folder"), root)


CALLER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        fits = ["SIDE" in json.dumps(each) for each in asked["view"]["menu"]]
        answer = fits.index(True) if True in fits else 0
        print(json.dumps({"id": asked["id"], "answer": answer}), flush=True)
"""


def write(folder: Path, side: str) -> str:
    (folder / f"{side}.py").write_text(CALLER.replace("SIDE", side), encoding="utf-8")
    return f"'{Path(sys.executable).as_posix()}' {side}.py"


@pytest.mark.slow
def test_a_coin_is_flipped_by_strategies_and_programs(clone: Shell) -> None:
    """Everybody stakes 10 and calls: heads and tails win each other's losses, game by game."""
    players = [f"ann={write(clone.folder, 'heads')}", f"bob={write(clone.folder, 'tails')}", "guesser"]
    done = clone.arena("coinflip", *players, "--games", "60", "--seed", "1", "--json", "--log", "log.txt")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert (told["game"], told["unit"], told["games"]) == ("coinflip", "credits a game", 60)
    means = {each["name"]: each["mean"] for each in told["players"]}
    assert means["ann"] == pytest.approx(-means["bob"])
    assert all(not each["failures"] for each in told["players"])
    log = (clone.folder / "log.txt").read_text(encoding="utf-8")
    calls = Counter(line for line in log.splitlines() if line.startswith(("ann: !", "bob: !")))
    assert calls == {"ann: !flip 10": 60, "ann: !heads": 60, "bob: !flip 10": 60, "bob: !tails": 60}
    assert log.count("#####GAME") == 60


@pytest.mark.slow
def test_the_coin_has_options_and_help_without_another_line_of_code(clone: Shell) -> None:
    assert "coinflip" in clone.arena("--help").out
    shown = clone.arena("coinflip", "--help").out
    for option in ("--games", "--credits", "--seats", "--rules"):
        assert option in shown
    done = clone.arena("coinflip", "guesser", "guesser", "--credits", "5", "--json", "--seed", "1")
    assert [each["total"] for each in json.loads(done.out)["players"]] == [0, 0]  # a stake is 10
    wrong = clone.arena("coinflip", "guesser", "--rules", "stake=0")
    assert (wrong.code, wrong.out) == (2, "")
    assert "stake takes a whole number from 1 to 1000, not '0'" in wrong.err


# Rounds and rotations


def test_everybody_plays_as_often_as_was_asked() -> None:
    matches = list(Rounds(entrants=4, seats=6, games=1000, seed="s").matches)
    assert len(matches) == 32
    assert {each.seats for each in matches} == {(0, 1, 2, 3)}
    assert sum(each.games for each in matches) == 1000
    assert all(each.games % 4 == 0 for each in matches)
    assert len({each.seed for each in matches}) == 32


def test_more_than_fit_at_a_table_are_drawn_afresh_each_round() -> None:
    matches = list(Rounds(entrants=7, seats=3, games=300, seed="s").matches)
    assert len(matches) == 32 * 3
    rounds = [[matches[at].seats for at in range(start, start + 3)] for start in range(0, 96, 3)]
    assert all(sorted(seat for seats in tables for seat in seats) == list(range(7)) for tables in rounds)
    assert {tuple(len(seats) for seats in tables) for tables in rounds} == {(2, 2, 3)}
    assert len({tuple(tables) for tables in map(tuple, rounds)}) > 20


def test_matches_are_made_when_they_are_asked_for() -> None:
    matches = Rounds(entrants=2, seats=2, games=10**9, seed="s").matches
    assert len(matches) == 5 * 10**6  # 100 deals each, every one twice
    assert [each.number for each in islice(matches, 2, 5)] == [2, 3, 4]


@dataclass
class Seen:
    """Plays the least stake, and keeps what it was shown."""

    told: list[ProgramView]

    def __call__(self, told: ProgramView, menu: Sequence[Any], rng: object) -> Any:
        self.told.append(told)
        return menu[0] if isinstance(menu[0], Join) else None


def test_each_deal_meets_everybody_in_every_seat() -> None:
    contest = TableContest("heist")
    one, two = Seen([]), Seen([])
    (match,) = contest.matches(2, 2, "s")
    log: list[str] = []
    standings = list(contest.play(match, [Entrant("one", one), Entrant("two", two)], log.append))
    assert [each.games for each in standings] == [1, 2]
    seats = [[(each.game, each.seat) for each in player.told[::2]] for player in (one, two)]
    assert seats[0] == [(0, "contestant:0"), (1, "contestant:1")]
    assert seats[1] == [(0, "contestant:1"), (1, "contestant:0")]
    # The same deal: whoever sits in a place has the same luck there, so both have the same score.
    assert standings[-1].scores[0] == standings[-1].scores[1]


def test_scores_are_averages_of_what_purses_gained() -> None:
    contest = TableContest("heist", credits=500)
    (match,) = contest.matches(1, 1, "s")

    def idle(told: ProgramView, menu: Sequence[Any], rng: object) -> None:
        assert told.credits == 500

    (standing,) = contest.play(match, [Entrant("idle", idle)], None)
    assert standing.scores == [0.0]  # nobody opened a heist, so there is no payday


def test_nobody_stakes_more_than_they_have() -> None:
    """The rules leave this to the wallets of a chat, and a table of the arena has none."""
    permitted: list[bool] = []

    def rich(told: ProgramView, menu: Sequence[Any], rng: object) -> Any:
        if not isinstance(menu[0], Join):
            return None
        permitted.extend(told.permits(Join(told.seat, stake)) for stake in (500, 501))
        return Join(told.seat, 501)

    contest = TableContest("heist", credits=500)
    (match,) = contest.matches(1, 1, "s")
    log: list[str] = []
    (standing,) = contest.play(match, [Entrant("rich", rich)], log.append)
    assert permitted == [True, False]
    assert log == ["#####GAME 0: rich######\n", "rich: +0\n"]
    assert standing.scores == [0.0]


def test_house_strategies_are_shown_the_view_and_nothing_else() -> None:
    contest = TableContest("heist")
    entrants = [Entrant(name, strategy) for name, strategy in contest.strategies.items()]
    for match in contest.matches(len(entrants), 5, "s"):
        for _ in contest.play(match, entrants, None):
            pass


def test_a_preset_that_does_not_exist_is_refused() -> None:
    with pytest.raises(Failure, match="heist has no preset 'x'; there are: stream, contest, "):
        TableContest("heist", rules="preset=x").matches(1, 1, "s")
    TableContest("heist", rules="preset=small, rabble=3").matches(1, 1, "s")


# What programs are told, and what they answer

MENU = [Answer(ANN, Act.GUNCHECK), Answer(ANN, Act.ALL_IN)]
TOLD = ProgramView(
    3, ANN, 240, {"bank": Act.GUNCHECK, "seats": frozenset({"b", "a"}), "pair": (1, None)}, lambda _: True
)
TALK = wire_format(HEIST)


def test_everything_that_is_told_is_plain_json() -> None:
    asked = TALK.ask(TOLD, MENU)
    assert json.loads(json.dumps(asked)) == asked
    assert asked["table"] == {"bank": Act.GUNCHECK.value, "seats": ["a", "b"], "pair": [1, None]}
    assert asked["game"] == 3


def test_a_view_of_every_game_is_plain_json() -> None:
    for kit in kits().values():
        game: Any = kit.rules.game()
        shown = plain(game.view(game.start(), ANN, 240))
        assert json.loads(json.dumps(shown)) == shown


def test_an_action_is_chosen_by_its_place_or_said_outright() -> None:
    dumped = TALK.ask(TOLD, MENU)["menu"]
    assert isinstance(dumped, list)
    for said in (1, "1", " 1\n", dumped[1], json.dumps(dumped[1])):
        assert TALK.read(TOLD, MENU, said) == MENU[1]
    without = {
        name: {key: each for key, each in given.items() if key != "seat"} for name, given in dumped[1].items()
    }
    assert TALK.read(TOLD, MENU, without) == MENU[1]


def test_an_action_that_is_not_on_the_menu_is_for_the_rules_to_judge() -> None:
    said = {"Join": {"credits": 37}}
    assert TALK.read(TOLD, MENU, said) == Join(ANN, 37)
    forbidding = ProgramView(3, ANN, 240, None, lambda _: False)
    with pytest.raises(ValueError, match="the rules do not permit"):
        TALK.read(forbidding, MENU, said)


def test_null_passes() -> None:
    assert TALK.read(TOLD, MENU, None) is None
    assert TALK.read(TOLD, MENU, "null") is None


@pytest.mark.parametrize(
    "answer",
    [
        2, -1, "7", True, 0.5, "", "sausage", "[", [], {}, {"Join": 3}, {"Nothing": {}}, {"Join": {}},
        {"Sit": {"seat": ANN}}, {"Timeout": {"phase": "lobby", "seconds": 1}}, {"Join": {"credits": "x"}},
        {"Join": {"seat": "contestant:1", "credits": 3}}, {"Join": {"credits": 3}, "Answer": {}},
        {"Join": {"credits": [[]]}}, {"Join": {"credits": None}}, {3: 4},
        "9" * 9000, "[" * 9000, "x" * 20_000,
    ],
)  # fmt: skip
def test_an_answer_that_is_none_says_why(answer: object) -> None:
    with pytest.raises(ValueError) as wrong:  # noqa: PT011  (each says something else)
        TALK.read(TOLD, MENU, answer)
    assert str(wrong.value)
