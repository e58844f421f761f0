"""Six Card Poker in the arena: same bytes whoever plays, programs in both protocols, what its page says."""

from __future__ import annotations

import json
import re
import shlex
import sys
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from arena.engine.competition import Order
from arena.engine.players import Competitor
from arena.programs.program import Limits, Program, command
from chatbot.games.sixcardpoker.contest.contest import SixCardContest
from chatbot.games.sixcardpoker.contest.contestants import CONTESTANTS, WIRE_FORMAT, Situation, policy
from chatbot.games.sixcardpoker.rules.cards import types
from chatbot.games.sixcardpoker.solver.solver import score
from chatbot.kernel.contest import Entrant, Match
from tests.arena.commands import ROOT, Here, here
from tests.arena.contests import carried_out, named, told
from tests.arena.programs.stage import HASTY, PATIENT, SPEAKS, python
from tests.documentation import page

if TYPE_CHECKING:
    from pathlib import Path

    from arena.engine.tally import PlayerPlacing
    from chatbot.games.sixcardpoker.solver.policies import ArrangementPolicy

__all__ = ["here"]  # a fixture

EXAMPLE = ROOT / "data" / "examples" / "sixcard.py"
PAGE = page("program/sixcardpoker")
CONTEST = SixCardContest()
# Greedy: the best pair in the Middle, of the others the lowest Low.
GREEDY = """
def answer(cards):
    pair = max(card for card in cards if cards.count(card) > 1)
    place = cards.index(pair)
    low, *high = cards[:place] + cards[place + 2:]
    return [high, [pair, pair], [low]]
"""
IN_TEXT = f"""import sys
{GREEDY}
for line in sys.stdin:
    hands = answer([int(word) for word in line.split()])
    print(' | '.join(' '.join(map(str, hand)) for hand in hands), flush=True)
"""
IN_JSON = f"""{SPEAKS.replace("def answer", "def respond")}
{GREEDY}
while q := asked(): respond(q, answer(q['view']['cards']))
"""
HOSTILE = {
    "silent": ("late", "import time\ntime.sleep(600)"),
    "gone": ("ended", "input(); raise SystemExit(3)"),
    "flooding": ("unreadable", "while True: print('1' * 65536)"),
    "babbling": ("illegal", "while input(): print('pass', flush=True)"),
    "cheating": ("illegal", "while input(): print('4 4 4 | 4 3 | 3', flush=True)"),
}


def order(games: int, *players: Competitor, limits: Limits = PATIENT) -> Order:
    return Order("sixcardpoker", CONTEST, players, games, "seed", limits=limits)


def program(folder: Path, name: str, script: str, prefix: str = "") -> Competitor:
    path = folder / f"{name}.py"
    path.write_text(script, encoding="utf-8")
    return Competitor(name, str(path), command(prefix + python(path), folder, per_call=False, in_text=True))


def by_name(ordered: Order) -> dict[str, PlayerPlacing]:
    return {each.name: each for each in carried_out(ordered).tally.places()}


def figures(place: PlayerPlacing) -> list[tuple[float | None, float | None]]:
    return [
        (place.mean, place.standard_error),
        *((float(each.mean or 0), each.standard_error) for each in place.measures.values()),
    ]


@pytest.mark.slow
def test_one_process_and_two_write_the_same_bytes(tmp_path: Path) -> None:
    alone = replace(order(200, *named("random", "nash", "best-response:random")), log=tmp_path / "one.txt")
    both = replace(alone, jobs=2, log=tmp_path / "two.txt")
    assert told(carried_out(alone)) == told(carried_out(both))
    assert (tmp_path / "one.txt").read_bytes() == (tmp_path / "two.txt").read_bytes()


@pytest.mark.slow
def test_a_log_of_every_game_changes_no_byte_of_what_is_told(tmp_path: Path) -> None:
    quiet = order(202, *named("random", "nash", "best-response:random"))
    assert told(carried_out(quiet)) == told(carried_out(replace(quiet, log=tmp_path / "log.txt")))
    log = (tmp_path / "log.txt").read_text(encoding="utf-8")
    assert (log.count("#####GAME"), log.count("#####MATCH")) == (3 * 202, 6)


def test_the_order_in_which_players_are_listed_changes_no_digit() -> None:
    names = ("random", "greedy", "nash")
    usual, turned = by_name(order(100, *named(*names))), by_name(order(100, *named(*reversed(names))))
    assert {name: figures(place) for name, place in usual.items()} == {
        name: figures(place) for name, place in turned.items()
    }


@pytest.mark.slow
def test_everybody_meets_everybody_and_scores_what_the_solver_says() -> None:
    found = by_name(order(20_000, *named(*CONTESTANTS)))
    assert sum(each.mean or 0 for each in found.values()) == pytest.approx(50 * len(CONTESTANTS))
    for name, place in found.items():
        exact = [100 * score(policy(name), policy(other)) for other in CONTESTANTS if other != name]
        assert place.standard_error
        assert place.mean == pytest.approx(float(sum(exact) / len(exact)), abs=4 * place.standard_error)
        assert place.total == pytest.approx((place.mean or 0) * 5 * 20_000)


def test_equals_share_a_rank() -> None:
    places = by_name(order(10, *named("greedy"), Competitor("other", "greedy")))
    assert [(each.rank, each.mean, each.standard_error) for each in places.values()] == [(1, 50, 0)] * 2


@pytest.mark.parametrize(("prefix", "script"), [("", IN_TEXT), ("json:", IN_JSON)], ids=["text", "JSON"])
def test_a_program_that_plays_as_a_strategy_does_comes_to_the_same(
    prefix: str, script: str, tmp_path: Path
) -> None:
    player, match = program(tmp_path, "ann", script, prefix), Match(0, (0, 1), 60, "seed")
    assert player.command is not None
    with closing(Program("ann", player.command, WIRE_FORMAT, "sixcardpoker", PATIENT, print)) as ann:
        asked, played = (
            list(CONTEST.play(match, [Entrant("ann", each), Entrant("random", CONTESTANTS["random"])], None))
            for each in (ann, CONTESTANTS["greedy"])
        )
    assert not ann.failures
    assert asked[-1] == played[-1]


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_program_is_counted_plays_at_random_and_stops_nothing(name: str, tmp_path: Path) -> None:
    kind, script = HOSTILE[name]
    limits = HASTY if kind == "late" else PATIENT
    hostile = program(tmp_path, name, script)
    asked = by_name(order(2, hostile, *named("greedy"), limits=limits))
    played = by_name(order(2, Competitor(name, "random"), *named("greedy")))
    assert asked[name].failures == {kind: 2}  # once a game: it is started afresh for each
    assert {name: figures(place) for name, place in asked.items()} == {
        name: figures(place) for name, place in played.items()
    }


# What is typed


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("random",), "Six Card Poker takes two players or more, not 1."),
        (("random", "nobody"), "'nobody' is no strategy of sixcardpoker (random, greedy, nash, best-"),
        (("random", "best-response:x"), "'best-response:x' is no strategy of sixcardpoker (random, "),
        (
            ("random", "builtin:best-response:x"),
            "sixcardpoker has no strategy 'best-response:x'; there are r",
        ),
        (("random", "best-response:best-response:random"), "'best-response:best-response:random' is no stra"),
        (("--games", "0"), "--games takes a whole number from 1 to 1000000000, not '0'."),
    ],
)
def test_wrong_words_are_answered_with_a_sentence(words: tuple[str, ...], sentence: str, here: Here) -> None:
    done = here.arena("sixcard", *words, "--json")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(sentence)
    assert done.err.count("\n") == 1


def test_players_are_named_in_every_way_that_there_is(here: Here) -> None:
    words = ("best-response:random", "builtin:best-response:random", "me=best-response:greedy")
    (here.folder / "more.txt").write_text("file builtin:best-response:nash\n", encoding="utf-8")
    done = here.arena(
        "sixcardpoker", *words, "--competitors", "more.txt", "--games", "3", "--jobs", "1", "--json"
    )
    found = json.loads(done.out)
    assert {each["name"]: each["plays"] for each in found["players"]} == {
        "best-response:random": "best-response:random", "best-response:random-2": "best-response:random",
        "me": "best-response:greedy", "file": "best-response:nash",
    }  # fmt: skip
    assert found["games"] == 6 * 4  # three are rounded up for each two of four
    assert found["players"][0]["measures"].keys() == {"won", "drawn", "lost", "High", "Middle", "Low"}


def test_a_run_is_told_in_a_table(here: Here) -> None:
    done = here.arena("sixcard", "random", "nash", "--games", "50", "--seed", "1", "--jobs", "1")
    assert "sixcardpoker: 50 games, " in done.out
    for heading in ("percent, mean", "won/drawn/lost, % of rounds", "High/Middle/Low, points a round"):
        assert heading in done.out


@pytest.mark.slow
def test_a_program_has_the_time_of_the_rules_unless_somebody_says_otherwise(here: Here) -> None:
    (here.folder / "hello.py").write_text(
        "import json, sys\nsys.stderr.write(str(json.loads(input())['seconds']) + '\\n')\nsys.exit()\n",
        "utf-8",
    )
    words = ("sixcard", f"json:{python(here.folder / 'hello.py')}", "random", "--games", "1", "--jobs", "1")
    for more, seconds in (((), "3.0"), (("--deadline", "7"), "7.0")):
        here.arena(*words, *more, "--errors", "errors.txt")
        assert f"standard error: {seconds}\n" in (here.folder / "errors.txt").read_text(encoding="utf-8")


def test_help_names_the_players_and_says_how_games_are_rounded(here: Here) -> None:
    help_told = " ".join(re.sub(r"[│╭╮╰╯─]", " ", here.arena("sixcard", "--help").out).split())
    assert "odd numbers of games are rounded up." in help_told
    assert "Strategies: random, greedy, nash, best-response:random, " in help_told
    assert "Without --deadline a program has 3 s for a decision." in help_told


# What the documentation says


def test_the_view_that_the_page_prints_is_what_a_program_is_told() -> None:
    (printed,) = re.findall(r"^```json\n(.*?)\n```", PAGE, re.MULTILINE | re.DOTALL)
    assert json.dumps(WIRE_FORMAT.ask(Situation(0, (1, 1, 2, 3, 4, 4)), ())) == printed


def test_every_answer_that_the_page_shows_is_read_as_the_same_hands() -> None:
    answers = re.findall(r"`([1-4][1-4 |]+[|\s][1-4 |]+)`", PAGE)
    shown = [each for each in answers if each != "1 1 2 3 4 4"]
    assert len(shown) >= 2
    situation = Situation(0, (1, 1, 2, 3, 4, 4))
    assert len({WIRE_FORMAT.read(situation, (), each) for each in shown}) == 1


def test_the_example_plays_every_hand_and_comes_close_to_best_play() -> None:
    assert EXAMPLE.read_text(encoding="utf-8") in PAGE
    heard: list[object] = []
    words = command(f"{shlex.quote(sys.executable)} {EXAMPLE.name}", EXAMPLE.parent, False, in_text=True)
    with closing(Program("ann", words, WIRE_FORMAT, "sixcardpoker", PATIENT, heard.append)) as example:
        plays: ArrangementPolicy = {
            held: {example(Situation(game, held), ()): 1} for game, held in enumerate(types())
        }
    assert heard == []
    assert score(plays, policy("nash")) > 0.48
    assert score(plays, policy("greedy")) > 0.6
