"""Records which messages of platforms were accepted, so that one delivered again is not handled again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete

from chatbot.ledger.store import schema
from chatbot.ledger.store.reads import FixedQuery, Reads
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
        return bool(await self._store.fetch(accepted_lines([line])))

    async def forget(self, before: datetime) -> int:
        """Delete the records of before a time, and return their number."""

        async def work(connection: AsyncConnection) -> int:
            deletion = delete(schema.heard).where(schema.heard.c.at < before)
            return (await connection.execute(deletion)).rowcount

        return await self._store.write(work, homes=())


def accepted_lines(lines: Collection[str]) -> Reads[set[str]]:
    """Read which of these messages were accepted before."""
    ids: set[str] = set()
    for some in batches(lines):
        ids.update(line for (line,) in (yield _KNOWN, {"ids": some}))
    return ids


_KNOWN = FixedQuery("SELECT id FROM heard WHERE id {ids}", {"ids": "text"})
