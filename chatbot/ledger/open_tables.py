"""What the books know of open tables: since when they are open, and what calling them off would return."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.ledger.books import refunds
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import batches

if TYPE_CHECKING:
    from collections.abc import Collection

    from chatbot.ledger.books.posting import Entry
    from chatbot.ledger.store.store import Store


class OpenTables:
    """The tables of a database that are open."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def since(self, tables: Collection[str]) -> dict[str, datetime]:
        """Return when these tables were opened, as far as they are open."""
        row, opened = schema.game_table.c, dict[str, datetime]()
        async with self._store.reading() as connection:
            for some in batches(tables):
                query = select(row.id, row.opened_at).where(row.id.in_(some), row.state == "open")
                opened |= {each.id: each.opened_at for each in await connection.execute(query)}
        return opened

    async def refund(self, table: str) -> tuple[Entry, ...]:
        """Return the entries that would return all stakes of a table now; empty: it is not open."""
        async with self._store.reading() as connection:
            return await refunds.planned(connection, table)
