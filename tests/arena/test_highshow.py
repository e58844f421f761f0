"""High Show in the arena: the same bytes whoever plays, programs of others, and what its page says."""

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
from chatbot.games.highshow.contest.contest import HighShowContest, deck, play
from chatbot.games.highshow.contest.contestants import ANOTHER, CONTESTANTS, WIRE_FORMAT, Situation
from chatbot.games.highshow.rules.terms import Terms, read_penalty
from chatbot.kernel.fair import Rng
from tests.arena.commands import ROOT, Here, here
from tests.arena.contests import carried_out, named, program, told
from tests.arena.programs.stage import HASTY, PATIENT
from tests.documentation import page

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["here"]  # a fixture

EXAMPLE = ROOT / "data" / "examples" / "picky.py"
PAGE = page("program/highshow")
ENDLESS = "\nwhile q := asked(): "
HOSTILE = {
    "silent": ("late", ENDLESS + "pass"),
    "gone": ("ended", "asked(); sys.exit(3)"),
    "babbling": ("unreadable", ENDLESS + "say('keep')"),
    "undecided": ("illegal", ENDLESS + "answer(q, 'perhaps')"),
    "counting": ("illegal", ENDLESS + "answer(q, 1)"),
}


def order(contest: HighShowContest, games: int, *players: Competitor, limits: Limits = PATIENT) -> Order:
    return Order("highshow", contest, players, games, "seed", limits=limits)


@pytest.mark.slow
@pytest.mark.parametrize("cards", [9, 30], ids=["exact", "by approximation"])
def test_one_process_and_two_write_the_same_bytes(cards: int, tmp_path: Path) -> None:
    alone = order(HighShowContest(cards, 3, "turn"), 70, *named("best", "secretary", "threshold", "first"))
    both = replace(alone, jobs=2, log=tmp_path / "two.txt")
    alone = replace(alone, log=tmp_path / "one.txt")
    assert told(carried_out(alone)) == told(carried_out(both))
    assert (tmp_path / "one.txt").read_bytes() == (tmp_path / "two.txt").read_bytes()
    assert (tmp_path / "one.txt").read_text(encoding="utf-8").count("#####GAME") == 70


def test_equals_share_a_rank_and_the_best_need_not_be_entered() -> None:
    places = carried_out(
        order(HighShowContest(8, 2), 60, *named("first"), Competitor("one", "first"))
    ).tally.places()
    assert [each.rank for each in places] == [1, 1]
    assert places[0].measures["regret"].standard_error == places[1].measures["regret"].standard_error != 0


@pytest.mark.slow
def test_a_program_that_plays_as_a_strategy_does_scores_as_it_does(tmp_path: Path) -> None:
    script = ENDLESS + "answer(q, 'keep' if q['view']['game'] >= 0 else 'another')"
    places = carried_out(
        order(HighShowContest(8, 3, "value"), 6, program(tmp_path, "ann", script), *named("first"))
    ).tally.places()
    assert [(each.rank, each.failures.total()) for each in places] == [(1, 0), (1, 0)]
    assert places[0].mean == places[1].mean


@pytest.mark.slow
def test_a_program_rejects_until_the_cards_are_needed(tmp_path: Path) -> None:
    contest, script = HighShowContest(6, 2, "linear=7"), ENDLESS + "answer(q, 'another')"
    ordered = replace(order(contest, 5, program(tmp_path, "ann", script)), log=tmp_path / "log.txt")
    (place,) = carried_out(ordered).tally.places()
    assert not place.failures
    log = (tmp_path / "log.txt").read_text(encoding="utf-8")
    assert log.count("penalty 28,") == 5  # four rejections of 7
    for cards, kept in re.findall(r"K \d+, ([\d ]+)#+\nann: keeps ([\d ]+),", log):
        assert cards.split()[-2:] == kept.split()


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_program_is_counted_keeps_its_cards_and_stops_nothing(name: str, tmp_path: Path) -> None:
    kind, script = HOSTILE[name]
    limits = HASTY if kind == "late" else PATIENT
    contest = HighShowContest(8, 3, "turn")
    hostile = program(tmp_path, name, script)
    mixed = carried_out(order(contest, 3, hostile, *named("first", "best"), limits=limits))
    clean = carried_out(order(contest, 3, *named("first", "best")))
    found = {each.name: each for each in mixed.tally.places()}
    assert found[name].failures == {kind: 3}  # once a game, of which it is asked no more
    assert found[name].mean == found["first"].mean
    for each in clean.tally.places():
        assert (each.mean, each.measures["regret"].mean) == (
            found[each.name].mean,
            found[each.name].measures["regret"].mean,
        )


# What is typed


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--keep", "20"), "--keep takes fewer than the 20 cards of a deck, not 20."),
        (("--cards", "3"), "--keep takes fewer than the 3 cards of a deck, not 3."),
        (("--cards", "1"), "--cards takes a whole number from 2 to 1000, not '1'."),
        (("--cards", "1000000000"), "--cards takes a whole number from 2 to 1000, not '1000000000'."),
        (("--keep", "1000"), "--keep takes a whole number from 1 to 999, not '1000'."),
        (("--penalty", "linear=1/0"), "--penalty does not take 'linear=1/0'."),
        (("--penalty", "turn=-1"), "--penalty does not take 'turn=-1'."),
        (("nobody",), "'nobody' is no strategy of highshow (first, threshold, secretary, best, champion)"),
    ],
)
def test_wrong_words_are_answered_with_a_sentence(words: tuple[str, ...], sentence: str, here: Here) -> None:
    done = here.arena("highshow", *words, "--json")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(sentence)


def test_a_run_is_told_in_a_table_and_in_json(here: Here) -> None:
    words = (
        "highshow",
        "first",
        "best",
        "--cards",
        "7",
        "--keep",
        "2",
        "--penalty",
        "linear=0.50",
        "--games",
        "5",
    )
    table = here.arena(*words, "--seed", "1", "--jobs", "1")
    assert "highshow: 5 games in 5 matches, " in table.out
    assert "points a deck, mean" in table.out
    assert "regret" in table.out
    found = json.loads(here.arena(*words, "--seed", "1", "--jobs", "1", "--json").out)
    assert found["options"] == {"games": 5, "cards": 7, "keep": 2, "penalty": "linear=1/2"}
    assert found["players"][0]["measures"].keys() == {"regret"}


# What the documentation says


def test_the_view_that_the_page_prints_is_what_a_program_is_told() -> None:
    (printed,) = re.findall(r"^```json\n(.*?)\n```", PAGE, re.MULTILINE | re.DOTALL)
    asked = Situation(0, Terms(20, 3, read_penalty("linear")), (41,), (27, 30), 38)
    assert json.dumps(WIRE_FORMAT.ask(asked, ())) == printed


def test_every_name_of_the_view_is_explained() -> None:
    explained = re.findall(r"^\| (`[^|]*) \|", PAGE, re.MULTILINE)
    names = [name for each in explained for name in re.findall(r"`(\w+)`", each)]
    asked = Situation(0, Terms(2, 1, read_penalty("none")), (), (), 1)
    assert names == list(WIRE_FORMAT.ask(asked, ()))


@pytest.mark.slow
def test_the_example_of_the_page_plays_without_a_failure_and_better_than_whoever_keeps_the_first() -> None:
    assert EXAMPLE.read_text(encoding="utf-8") in PAGE
    heard: list[object] = []
    rng = Rng.of("example")
    words = command(f"{shlex.quote(sys.executable)} {EXAMPLE.name}", EXAMPLE.parent, per_call=False)
    with closing(Program("ann", words, WIRE_FORMAT, "highshow", PATIENT, heard.append)) as picky:
        for penalty in ("none", "linear"):
            terms = Terms(20, 3, read_penalty(penalty))
            decks = [deck(terms, rng) for _ in range(60)]
            own = sum(play(terms, each, picky, game, rng).profit for game, each in enumerate(decks))
            first = sum(play(terms, each, CONTESTANTS["first"], 0, rng).profit for each in decks)
            assert own > first
    assert heard == []
    assert not picky.failures


def test_a_program_is_never_told_what_it_has_not_seen(tmp_path: Path) -> None:
    """Two decks that begin alike are asked about alike, whatever K is."""
    terms = Terms(5, 2, read_penalty("turn"))
    asked: list[list[object]] = []
    for cards in ((13, 12, 11, 10, 9), (13, 12, 14, 16, 15)):
        questions: list[object] = []

        def hear(view: Situation, menu: object, rng: object, heard: list[object] = questions) -> str:
            heard.append(WIRE_FORMAT.ask(view, menu))
            return ANOTHER

        play(terms, cards, hear, 0, Rng.of("x"))
        asked.append(questions[:2])
    assert asked[0] == asked[1]
