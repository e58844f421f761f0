"""Poker Market in the arena: same bytes whoever plays, and programs of others."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chatbot.arena.orders import Order, Outcome, carry_out
from chatbot.arena.players import Player
from chatbot.arena.program_command import command
from chatbot.arena.report import as_json
from chatbot.games.pokermarket.contest import MarketContest
from tests.arena.commands import ROOT
from tests.arena.contests import Screen
from tests.arena.programs.stage import PATIENT, SPEAKS, python

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLE = ROOT / "data" / "examples" / "market.py"
NAMES = ("passive", "random", "greedy", "search", "broker")


def carried_out(contest: MarketContest, *players: Player, games: int = 1, jobs: int = 1) -> Outcome:
    order = Order("pokermarket", contest, players, games, "seed", limits=PATIENT, jobs=jobs)
    return carry_out(order, Screen().begin)


@pytest.mark.slow
def test_one_process_and_two_write_the_same_bytes() -> None:
    contest = MarketContest(rounds=1, deals=3, table=4)
    players = [Player(name, name) for name in NAMES]
    alone, together = (carried_out(contest, *players, games=2, jobs=jobs) for jobs in (1, 2))
    one, two = (as_json(replace(each, seconds=0.0)) for each in (alone, together))
    assert one == two
    assert all(each.rating is not None for each in alone.tally.places())


@pytest.mark.slow
def test_the_example_plays_without_a_failure_and_beats_passive() -> None:
    example = Player("example", "market.py", command(f"{sys.executable} {EXAMPLE}", ROOT, per_call=False))
    others = (Player(name, name) for name in ("passive", "greedy"))
    outcome = carried_out(MarketContest(rounds=2, deals=2), example, *others)
    placed = {each.name: each for each in outcome.tally.places()}
    assert not placed["example"].failures
    assert (placed["example"].mean or 0) > (placed["passive"].mean or 0)


def test_a_program_that_says_nonsense_passes_and_declines(tmp_path: Path) -> None:
    path = tmp_path / "nonsense.py"
    path.write_text(SPEAKS + "\nwhile q := asked(): answer(q, 'swap XX YY')", encoding="utf-8")
    nonsense = Player("nonsense", str(path), command(python(path), tmp_path, per_call=False))
    outcome = carried_out(MarketContest(rounds=1, deals=1), nonsense, Player("passive", "passive"))
    placed = {each.name: each for each in outcome.tally.places()}
    assert placed["nonsense"].failures == {"illegal": 2}  # once a game
    assert placed["nonsense"].mean == 1.5
