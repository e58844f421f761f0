"""Which of the platforms' messages have been taken in: one that is delivered again is not acted on again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete

from chatbot.wallets import schema
from chatbot.wallets.statements import add

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.wallets.store import Store


class Heard:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def first(self, line: str, at: datetime) -> bool:
        """Write down that a message is taken in; False: it was before, here or by another process."""
        return await self._store.join(write, (line, at))

    async def forget(self, before: datetime) -> int:
        """Forget what was heard before then; tell how many."""

        async def work(connection: AsyncConnection) -> int:
            old = delete(schema.heard).where(schema.heard.c.at < before)
            return (await connection.execute(old)).rowcount

        return await self._store.write(work)


async def write(connection: AsyncConnection, lines: Sequence[tuple[str, datetime]]) -> list[bool]:
    """Write down which messages are taken in; False: it was before."""
    at = dict(reversed(lines))
    rows = [{"id": line, "at": at[line]} for line in sorted(at)]
    new = await add(connection, schema.heard, rows)
    return [_taken(new, line) for line, _ in lines]


def _taken(new: set[str], line: str) -> bool:
    """Let the first of several copies in one transaction be the first."""
    if line in new:
        new.remove(line)
        return True
    return False
