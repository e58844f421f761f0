"""Reads what somebody has staked from seats that were opened by a code, which may stake little or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from chatbot.ledger.books import holdings
from chatbot.ledger.store import schema

if TYPE_CHECKING:
    from datetime import datetime

    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.store.store import Store

BY_CODE = "seat-code:"
"""What the ids of lines begin with that are said from such a seat."""

_POSTINGS = f"line:{BY_CODE}"
_transfer = schema.transfer.c


class SeatStakes:
    """The stakes in a database; they are known by the ids of the postings that took them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def since(self, wallet: Purse, start: datetime) -> int:
        """Return the credits that such seats have taken out of a wallet since a time, returned or not."""
        async with self._store.reading() as connection:
            row = (await holdings.find(connection, [wallet])).get(wallet)
            if row is None:
                return 0
            query = select(func.coalesce(func.sum(_transfer.credits), 0)).where(
                _transfer.source == row.id,
                _transfer.created_at >= start,
                func.substr(_transfer.posting, 1, len(_POSTINGS)) == _POSTINGS,
            )
            return int((await connection.execute(query)).scalar_one())
