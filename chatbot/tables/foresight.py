"""The payments that a table would still make, if no decision of a player can change them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.amounts import MOST
from chatbot.kernel.game import Seat, Timeout
from chatbot.ledger.books import purses
from chatbot.rooms.table_protocol import Cause
from chatbot.tables.draft import Draft

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chatbot.rooms.table_protocol import Table

NEW_PLAYER = Seat("nobody:")  # a seat that is at no table, to see whether somebody could still join
MOST_STEPS = 100  # of the clock: rules that never end must not keep a moderator from calling the table off

log = structlog.get_logger(__name__)


async def amounts_due(table: Table, players: Iterable[Seat]) -> dict[Seat, int]:
    """Return what each of these players would receive until the end, less what they would still pay.

    The result is empty if somebody can still act, because it is not decided then, or if the rules fail.
    All payments to a wallet count: from the pot, the house, the mint or another player.
    """
    try:
        return await _amounts_due(table, [*players])
    except (SQLAlchemyError, OSError):  # whoever asks says that the database does not answer
        raise
    except Exception:
        log.exception("what a table would pay cannot be told", table=table.id, game=table.kit.name)
        return {}


async def _amounts_due(table: Table, seats: Sequence[Seat]) -> dict[Seat, int]:
    ahead = Draft(table, Cause(), table.ledger.unit())
    for _ in range(MOST_STEPS):
        clock = table.game.clock(ahead.state)
        if clock is None:
            return {seat: ahead.gained(purses.wallet(table.room.community, seat)) for seat in seats}
        if any(table.game.menu(ahead.state, each, MOST) for each in (*table.seated, *seats, NEW_PLAYER)):
            return {}
        await ahead.decide(Timeout(clock), table.lines)
    return {}
