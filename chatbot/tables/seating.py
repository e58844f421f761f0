"""Who plays at a table, and whether it has secrets, as hints and seats of browsers need to know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.rooms.room import hides

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat
    from chatbot.rooms.table_protocol import Table


def plays_at(table: Table, seat: Seat) -> bool:
    """Whether somebody has joined a table; who is only invited has not."""
    return seat in table.players() and seat not in table.kit.seating.invited(table.state)


def has_secrets(table: Table) -> bool:
    """Whether moves at a table are secret, or will be once those who are invited to it have accepted."""
    kit = table.kit
    asks = kit.seating.ever_private and bool(kit.seating.invited(table.state))
    return hides(table) or asks or any(each.secret for each in kit.chat.commands)
