"""Balances of members."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.ledger.books import purses

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.rooms.room import Room


class Balances:
    """Reads the balances of wallets."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def purse(self, room: Room, seat: Seat) -> int:
        """Return the balance of a member's wallet."""
        return await self._ledger.balance(purses.wallet(room.community, seat))
