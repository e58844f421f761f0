"""Two people at a duel of Six Card Poker, and what tests look at there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chatbot.tables.table import GameTable
from tests.bot.stage import Stage, account, seat

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.line import Line

START = 240  # credits of a newcomer
ACCEPTANCE, ARRANGEMENT, LINGER = 60, 60, 60
VOID = "Six Card Poker of ann, bob was called off by mo; every stake has been returned."


def game(stage: Stage, who: str) -> GameTable:
    table = stage.room.tables[f"sixcardpoker {seat(who)}"]
    assert isinstance(table, GameTable)
    return table


def own(stage: Stage, challenger: str, who: str) -> str:
    """Give how somebody has set their cards in the duel that `challenger` has opened."""
    return str(game(stage, challenger).view(seat(who)).own)


def last_setting(stage: Stage, challenger: str, who: str) -> str:
    """Write a setting of somebody's cards: the lowest go High."""
    held = game(stage, challenger).view(seat(who)).held[seat(who)]
    digits = "".join(map(str, held))
    return f"{digits[:3]} {digits[3:5]} {digits[5]}"


def at_new_one(stage: Stage) -> Line:
    """Let ann challenge somebody whom the platform knows, and who has never spoken."""
    return replace(stage.line("ann", f"!sixcard @{seat('new')} 50"), named={account("new"): "New One"})


async def challenged(store: Store, stake: int = 50) -> Stage:
    """Let ann challenge bob; kim is there too."""
    stage = await Stage(store).open()
    for who in ("ann", "bob", "kim"):
        await stage.say(who, "hello")
    told = await stage.say("ann", f"!sixcard @bob {stake}")
    assert told[0].startswith("ann challenges bob to a duel at Six Card Poker")
    return stage


async def dealt(store: Store, stake: int = 50) -> Stage:
    stage = await challenged(store, stake)
    told = await stage.say("bob", "!sixcard accept")
    assert [each.split(":")[0] for each in told[1:]] == ["> ann", "> bob"]
    return stage
