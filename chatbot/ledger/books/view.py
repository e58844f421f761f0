"""What a step is decided from: the ledger, or the ledger as it will be after a unit of work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection

    from chatbot.kernel.game import Seat
    from chatbot.ledger.books.posting import Posting
    from chatbot.ledger.books.purses import Purse


class LedgerView(Protocol):
    """The data that a step is decided from: the ledger, or the ledger as it will be after a unit of work."""

    async def balances(self, names: Collection[Purse]) -> dict[Purse, int]:
        """Return the credits in each purse."""

    async def records(self, room: str, game: str, seats: Collection[Seat]) -> dict[Seat, str]:
        """Return what a game has stored about members, encoded by its codec."""

    async def post(self, posting: Posting) -> bool:
        """Write a posting and return True; False: its id was written before."""
