"""Which of the platforms' messages have been taken in: one that is delivered again is not acted on again."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import add, batches
from chatbot.ledger.store.write_queue import accompanied

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.store import Store
    from chatbot.ledger.store.write_queue import Companion


class Again(Exception):  # noqa: N818  (an answer, not a fault)
    """Another process has taken a message in meanwhile. Nothing has happened."""


class HeardLines:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def first(self, line: str, at: datetime) -> bool:
        """Write down that a message is taken in; False: it was before, here or by another process."""
        return await self._store.join(write, (line, at))

    async def known(self, line: str) -> bool:
        """Whether a message was taken in before, here or by another process."""
        async with self._store.reading() as connection:
            return bool(await taken(connection, [line]))

    @contextmanager
    def noting(self, line: str, at: datetime) -> Iterator[Companion]:
        """Write down that a message is taken in together with the first thing that is written meanwhile.

        Whatever asks for that write has Again raised to it where the message was taken in before, unless
        that may have been a write for it whose answer was lost.
        """

        async def note(connection: AsyncConnection) -> None:
            if not all(await write(connection, [(line, at)])) and not companion.doubtful:
                raise Again(line)

        with accompanied(note) as companion:
            yield companion

    async def forget(self, before: datetime) -> int:
        """Forget what was heard before then; tell how many."""

        async def work(connection: AsyncConnection) -> int:
            old = delete(schema.heard).where(schema.heard.c.at < before)
            return (await connection.execute(old)).rowcount

        return await self._store.write(work)


async def taken(connection: AsyncConnection, lines: Collection[str]) -> set[str]:
    """Tell which messages are taken in."""
    found: set[str] = set()
    for some in batches(lines):
        rows = await connection.execute(select(schema.heard.c.id).where(schema.heard.c.id.in_(some)))
        found |= set(rows.scalars())
    return found


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
