"""Poker Market in the arena: same bytes whoever plays, and programs of others."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from arena.engine.competition import Order, RunOutcome
from arena.engine.players import Competitor
from arena.programs.program import command
from chatbot.games.pokermarket.contest.contest import MarketContest
from tests.arena.commands import ROOT
from tests.arena.contests import carried_out, named, program, told
from tests.arena.programs.stage import PATIENT

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLE = ROOT / "data" / "examples" / "market.py"
NAMES = ("passive", "random", "greedy", "search", "broker", "champion")


def competed(contest: MarketContest, *players: Competitor, games: int = 1, jobs: int = 1) -> RunOutcome:
    return carried_out(Order("pokermarket", contest, players, games, "seed", limits=PATIENT, jobs=jobs))


@pytest.mark.slow
def test_one_process_and_two_write_the_same_bytes() -> None:
    contest = MarketContest(rounds=1, deals=3, table=4)
    alone, together = (competed(contest, *named(*NAMES), games=2, jobs=jobs) for jobs in (1, 2))
    assert told(alone) == told(together)
    assert all(each.rating is not None for each in alone.tally.places())


@pytest.mark.slow
def test_the_example_plays_without_a_failure_and_beats_passive() -> None:
    example = Competitor("example", "market.py", command(f"{sys.executable} {EXAMPLE}", ROOT, per_call=False))
    outcome = competed(MarketContest(rounds=2, deals=2), example, *named("passive", "greedy"))
    placed = {each.name: each for each in outcome.tally.places()}
    assert not placed["example"].failures
    assert (placed["example"].mean or 0) > (placed["passive"].mean or 0)


def test_a_program_that_says_nonsense_passes_and_declines(tmp_path: Path) -> None:
    nonsense = program(tmp_path, "nonsense", "\nwhile q := asked(): answer(q, 'swap XX YY')")
    outcome = competed(MarketContest(rounds=1, deals=1), nonsense, *named("passive"))
    placed = {each.name: each for each in outcome.tally.places()}
    assert placed["nonsense"].failures == {"illegal": 2}  # once a game
    assert placed["nonsense"].mean == 1.5
