"""Chicken Poker in the arena: same bytes whoever plays, ratings, programs of others, what its page says."""

from __future__ import annotations

import json
import re
import shlex
import sys
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from arena.engine.competition import Order, RunOutcome
from arena.engine.players import Competitor
from arena.programs.program import Limits, Program, command
from chatbot.games.chickenpoker.contest.contest import ChickenContest, Format
from chatbot.games.chickenpoker.contest.contestants import NAMES, WIRE_FORMAT, Contestants, Situation
from chatbot.kernel.contest import Entrant, Learner, Match
from tests.arena.commands import ROOT, Here, here
from tests.arena.contests import carried_out, named, program, told
from tests.arena.programs.stage import HASTY, PATIENT
from tests.documentation import page

if TYPE_CHECKING:
    from pathlib import Path

    from arena.engine.tally import PlayerPlacing

__all__ = ["here"]  # a fixture

EXAMPLE = ROOT / "data" / "examples" / "observer.py"
PAGE = page("program/chickenpoker")
ENDLESS = "\nwhile q := asked(): "
LOWEST = ENDLESS + "answer(q, q['view']['hands'][q['view']['own'] - 1][0])"
HOSTILE = {
    "silent": ("late", ENDLESS + "pass"),
    "gone": ("ended", "asked(); sys.exit(3)"),
    "babbling": ("unreadable", ENDLESS + "say('card 1')"),
    "cheating": ("illegal", ENDLESS + "answer(q, 99)"),
    "flooding": ("ended", "asked()\nwhile True: sys.stdout.write('1' * 65536)"),
}
SHOWN = Situation(
    5, 3, 6, 2, (1, 0), ((1, 3, 4, 5), (2, 3, 4, 6)), ((2, 5), (6, 1)), (7, 7)
)  # what its page prints


def order(contest: ChickenContest, games: int, *players: Competitor, limits: Limits = PATIENT) -> Order:
    return Order("chickenpoker", contest, players, games, "seed", limits=limits)


def by_name(outcome: RunOutcome) -> dict[str, PlayerPlacing]:
    return {each.name: each for each in outcome.tally.places()}


@pytest.mark.slow
@pytest.mark.parametrize("form", Format)
def test_one_process_and_two_write_the_same_bytes(form: Format, tmp_path: Path) -> None:
    contest = ChickenContest(7, form, sessions=3)
    alone = order(contest, 12, *named(*NAMES, "linear 3 5"))
    both = replace(alone, jobs=2, log=tmp_path / "two.txt")
    alone = replace(alone, log=tmp_path / "one.txt")
    assert told(carried_out(alone)) == told(carried_out(both))
    assert (tmp_path / "one.txt").read_bytes() == (tmp_path / "two.txt").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("form", Format)
def test_the_order_in_which_players_are_listed_changes_no_digit(form: Format) -> None:
    contest = ChickenContest(6, form, sessions=3)
    usual, turned = (
        carried_out(order(contest, 20, *named(*listed))) for listed in (NAMES, tuple(reversed(NAMES)))
    )
    assert by_name(usual) == by_name(turned)


@pytest.mark.slow
def test_whoever_learns_is_rated_above_whoever_can_be_learnt_and_beyond_doubt() -> None:
    names = ("adaptive", "random", "linear", "linear 1 1")
    for form in Format:
        found = by_name(carried_out(order(ChickenContest(8, form, sessions=5), 40, *named(*names))))
        (best, _), *others = [
            (each.rating.points - 2 * each.rating.error, each.rating.points + 2 * each.rating.error)
            for each in (found[name] for name in ("adaptive", "linear", "linear-1-1"))
            if each.rating is not None
        ]
        assert len(others) == 2
        assert best > max(high for _, high in others)
        assert found["adaptive"].rank == 1


def test_nobody_is_rated_above_whoever_draws_evenly_for_it_without_doubt() -> None:
    """Cards drawn evenly score half of what there is on average, whatever the other plays."""
    contest = ChickenContest(6, sessions=20)
    found = by_name(carried_out(order(contest, 20, *named("random", "nash"))))
    for place in found.values():
        assert place.standard_error is not None
        assert place.mean == pytest.approx(42 / 2, abs=4 * place.standard_error)


@pytest.mark.slow
def test_a_program_that_plays_as_a_strategy_does_scores_as_it_does(tmp_path: Path) -> None:
    contest = ChickenContest(5, sessions=2)
    lowest = program(tmp_path, "ann", LOWEST)
    asked = carried_out(order(contest, 6, lowest, *named("random")))
    played = carried_out(order(contest, 6, Competitor("ann", "linear 1 1"), *named("random")))
    assert not by_name(asked)["ann"].failures
    assert by_name(asked)["random"] == by_name(played)["random"]


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_program_is_counted_forfeits_its_games_and_stops_nothing(name: str, tmp_path: Path) -> None:
    kind, script = HOSTILE[name]
    limits = HASTY if kind == "late" else PATIENT
    contest = ChickenContest(4, sessions=1)
    players = (program(tmp_path, name, script), *named("random", "linear"))
    mixed = by_name(carried_out(order(contest, 2, *players, limits=limits)))
    clean = by_name(carried_out(order(contest, 2, *named("random", "linear"))))
    assert sum(mixed[name].failures.values()) == 4  # once a game, of which it is asked no more: two a match
    assert set(mixed[name].failures) <= {kind, "unreadable"}
    assert mixed[name].mean == 0
    for each in ("random", "linear"):  # who keeps 1 + 2 + 3 + 4 against it, and else plays as ever
        assert mixed[each].mean == ((clean[each].mean or 0) + 10) / 2


def test_a_failure_costs_a_third_player_nothing_but_the_company(tmp_path: Path) -> None:
    contest = ChickenContest(5, Format.TOGETHER, sessions=1)
    players = (program(tmp_path, "gone", HOSTILE["gone"][1]), *named("random", "linear"))
    found = by_name(carried_out(order(contest, 3, *players)))
    assert found["gone"].failures == {"ended": 3}
    # 15 and 15 points are shown in each game; what the program showed before it failed, nobody knows.
    assert (found["random"].mean or 0) + (found["linear"].mean or 0) == 30


# What is typed


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("random",), "Chicken Poker takes two players or more, not 1."),
        (("--cards", "0"), "--cards takes a whole number from 1 to 100, not '0'."),
        (("--cards", "101"), "--cards takes a whole number from 1 to 100, not '101'."),
        (("--format", "knockout"), "--format takes one of round-robin, together, not 'knockout'."),
        (("--sessions", "0"), "--sessions takes a whole number from 1 to 1000000, not '0'."),
        (
            ("random", "linear 5 5"),
            "linear takes a START from 1 to 10 and a STEP that has no divisor in common",
        ),
        (("random", "x=linear 11 1"), "linear takes a START from 1 to 10 and a STEP that has no divisor in"),
        (
            ("random", "nobody"),
            "'nobody' is no strategy of chickenpoker (random, linear, nash, adaptive, champion)",
        ),
    ],
)
def test_wrong_words_are_answered_with_a_sentence(words: tuple[str, ...], sentence: str, here: Here) -> None:
    done = here.arena("chicken", *words, "--json")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(sentence)


@pytest.mark.slow
def test_a_game_is_also_called_by_the_word_that_people_type(here: Here) -> None:
    words = (
        "random",
        "up=linear 1 1",
        "builtin:linear 2 3",
        "--games",
        "3",
        "--sessions",
        "2",
        "--seed",
        "1",
        "--json",
    )
    short, full = (json.loads(here.arena(word, *words).out) for word in ("chicken", "chickenpoker"))
    assert {**short, "seconds": 0} == {**full, "seconds": 0}
    assert short["options"] == {"games": 3, "cards": 10, "format": "round-robin", "sessions": 2}
    assert {(each["name"], each["plays"]) for each in short["players"]} == {
        ("random", "random"), ("up", "linear 1 1"), ("linear-2-3", "linear 2 3"),
    }  # fmt: skip
    assert (short["games"], short["matches"]) == (24, 6)  # 4 games, twice for each two of three


@pytest.mark.slow
def test_a_run_is_told_in_a_table(here: Here) -> None:
    table = here.arena("chicken", "random", "nash", "--games", "4", "--format", "together", "--seed", "1")
    assert "chickenpoker: 40 games in 10 matches, " in table.out
    for heading in ("points a game, mean", "rating", "won/drawn/lost"):
        assert heading in table.out


# What the documentation says


def test_the_view_that_the_page_prints_is_what_a_program_is_told() -> None:
    (printed,) = re.findall(r"^```json\n(.*?)\n```", PAGE, re.MULTILINE | re.DOTALL)
    assert json.dumps(WIRE_FORMAT.ask(SHOWN, ())) == printed


def test_the_view_that_the_page_prints_comes_about() -> None:
    heard: list[Situation] = []

    def ann(view: Situation, hand: object, rng: object) -> int:
        heard.append(view)
        return (5, 1, 2, 3, 4, 6)[view.round - 1]

    def bob(view: Situation, hand: object, rng: object) -> int:
        return (2, 6, 1, 3, 4, 5)[view.round - 1]

    entrants = [Entrant("ann", ann), Entrant("bob", bob)]
    for _ in ChickenContest(6).play(Match(0, (0, 1), 6, "x"), entrants, None):
        pass
    assert SHOWN in heard


def test_every_name_of_the_view_is_explained() -> None:
    explained = re.findall(r"^\| (`[^|]*) \|", PAGE, re.MULTILINE)
    names = [name for each in explained for name in re.findall(r"`(\w+)`", each)]
    assert names == list(WIRE_FORMAT.ask(SHOWN, ()))


@pytest.mark.slow
def test_the_example_of_the_page_plays_without_a_failure_and_sees_through_whoever_repeats_itself() -> None:
    assert EXAMPLE.read_text(encoding="utf-8") in PAGE
    heard: list[object] = []
    words = command(f"{shlex.quote(sys.executable)} {EXAMPLE.name}", EXAMPLE.parent, per_call=False)
    linear = Contestants(10)["linear"]
    assert not isinstance(linear, Learner)
    with closing(Program("ann", words, WIRE_FORMAT, "chickenpoker", PATIENT, heard.append)) as observer:
        entrants = [Entrant("ann", observer), Entrant("linear", linear)]
        *_, last = ChickenContest(10).play(Match(0, (0, 1), 40, "x"), entrants, None)
    assert heard == []
    assert not observer.failures
    assert last.scores[0] > 0.7 * 110
