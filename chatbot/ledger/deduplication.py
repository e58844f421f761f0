"""Records which messages of platforms were accepted, so that one delivered again is not handled again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import batches

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.store import Store


class HeardLines:
    """The accepted messages, by the ids of their platforms."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def known(self, line: str) -> bool:
        """Return whether a message was accepted before, by any process."""
        async with self._store.reading() as connection:
            return bool(await taken(connection, [line]))

    async def forget(self, before: datetime) -> int:
        """Delete the records of before a time, and return their number."""

        async def work(connection: AsyncConnection) -> int:
            old = delete(schema.heard).where(schema.heard.c.at < before)
            return (await connection.execute(old)).rowcount

        return await self._store.write(work)


async def taken(connection: AsyncConnection, lines: Collection[str]) -> set[str]:
    """Return which of these messages were accepted before."""
    found: set[str] = set()
    for some in batches(lines):
        rows = await connection.execute(select(schema.heard.c.id).where(schema.heard.c.id.in_(some)))
        found |= set(rows.scalars())
    return found
