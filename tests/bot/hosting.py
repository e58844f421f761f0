"""Houses whose heists are joined by players of their own, and what tests look at there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chatbot.kernel.house_seats import of_house
from chatbot.ledger.books.journal import Journal
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat
    from chatbot.ledger.books.journal import TableRecord
    from chatbot.ledger.store.store import Store

MO = "mo(moderator)"
LOBBY, GETAWAY, SUSPENSE, COOLDOWN = 60, 30, 6, 300
WHOLE = LOBBY + GETAWAY + SUSPENSE


async def hosted(
    store: Store, count: int, strategies: str = "passive/snitch/guardsman", *more: str, **rest: Any
) -> Stage:
    """Open a house whose heists are joined by so many players of its own, without a rabble."""
    stage = await Stage(store, **rest).open()
    for setting in (f"house_players {count}", f"house_strategies {strategies}", "rabble 0", *more):
        await stage.say(MO, f"!set heist {setting}")
    return stage


async def restarted(before: Stage, run: str) -> Stage:
    """Leave a house as a crash would, and open another on the same database."""
    after = Stage(before.store, run=run)
    after.watch.set_calendar(before.watch.now())
    return await after.open()


def crew(stage: Stage) -> list[str]:
    """Name who plays, as every board shows it."""
    places = stage.table.kit.display.board(stage.table.view(None)).places
    return [stage.bot.outbox.name(each.seat, stage.room) for each in places]


def joined(stage: Stage) -> list[Seat]:
    return [each.seat for each in stage.table.view(None).crew if of_house(each.seat)]


async def purse(stage: Stage, who: Seat) -> int:
    return await stage.bot.balances.purse(stage.room, who)


async def told(store: Store, table: str = "a-table-1") -> TableRecord:
    story = await Journal(store).of(table)
    assert story is not None
    return story


async def actions(store: Store, table: str = "a-table-1") -> list[str]:
    """List the journal of a table, as it was written."""
    return [turn.action for step in (await told(store, table)).steps for turn in step.turns]
