"""What a table would still pay, where there is nothing more that anybody can do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.amounts import MOST
from chatbot.kernel.game import Seat, Timeout
from chatbot.ledger.books import purses
from chatbot.tables.draft import Cause, Draft

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chatbot.tables.table import Table

STRANGER = Seat("nobody:")
STEPS = 100  # of the clock

log = structlog.get_logger(__name__)


async def due(table: Table, players: Iterable[Seat]) -> dict[Seat, int]:
    """Tell what each of these players would get until the end, less what they would still pay.

    Nothing is told where somebody may still act, for then it is not decided, nor where the rules fail.
    Everything counts that would come to a wallet: from the pot, the house, the mint or another player.
    """
    try:
        return await _due(table, [*players])
    except (SQLAlchemyError, OSError):
        raise
    except Exception:
        log.exception("what a table would pay cannot be told", table=table.id, game=table.kit.name)
        return {}


async def _due(table: Table, seats: Sequence[Seat]) -> dict[Seat, int]:
    ahead = Draft(table, Cause(), table.ledger)
    for _ in range(STEPS):
        clock = table.game.clock(ahead.state)
        if clock is None:
            return {seat: ahead.gained(purses.wallet(table.room.community, seat)) for seat in seats}
        if any(table.game.menu(ahead.state, each, MOST) for each in (*table.seated, *seats, STRANGER)):
            return {}
        await ahead.decide(Timeout(clock), table.lines)
    return {}
