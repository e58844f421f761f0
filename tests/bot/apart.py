"""Houses in which people play High Show, each at a table of their own, and what tests look at there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.tables.table import GameTable
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

MO = "mo(moderator)"
START = 240  # credits of a newcomer
DECISION, ESTIMATES, LINGER = 60, 45, 60
VOID = "High Show was called off; every stake has been returned."
VOID_BY_MO = "High Show of {} was called off by mo; every stake has been returned."
TERMS = "5 2 linear=1"  # of a game that is quickly solved, and so takes stakes


def game(stage: Stage, who: str) -> GameTable:
    table = stage.room.tables[f"highshow {seat(who)}"]
    assert isinstance(table, GameTable)
    return table


def rejected(stage: Stage, who: str) -> int:
    return len(game(stage, who).view(None).progress.rejected)


def kept(stage: Stage, who: str) -> int:
    return len(game(stage, who).view(None).progress.kept)


async def opened(store: Store, *people: str, stake: int = 0, run: str = "a") -> Stage:
    """Open a house in which these people play."""
    stage = await Stage(store, run=run).open()
    for who in people:
        assert "plays High Show" in (await stage.say(who, f"!highshow {TERMS} {stake}"))[0]
    return stage
