"""Records which messages of platforms were accepted, so that one delivered again is not handled again."""

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


class AlreadyAccepted(Exception):  # noqa: N818  (an answer, not a fault)
    """Another process has accepted the message meanwhile. Nothing was written."""


class HeardLines:
    """The accepted messages, by the ids of their platforms."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def first(self, line: str, at: datetime) -> bool:
        """Record that a message is accepted; return False if it was before, by any process."""
        return await self._store.join(write, (line, at))

    async def known(self, line: str) -> bool:
        """Return whether a message was accepted before, by any process."""
        async with self._store.reading() as connection:
            return bool(await taken(connection, [line]))

    @contextmanager
    def noting(self, line: str, at: datetime) -> Iterator[Companion]:
        """Record that a message is accepted, together with the first write within the context.

        That write raises AlreadyAccepted if the message was accepted before, unless it may have been by an
        earlier attempt of the same write whose answer was lost.
        """

        async def note(connection: AsyncConnection) -> None:
            if not all(await write(connection, [(line, at)])) and not companion.doubtful:
                raise AlreadyAccepted(line)

        with accompanied(note) as companion:
            yield companion

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


async def write(connection: AsyncConnection, lines: Sequence[tuple[str, datetime]]) -> list[bool]:
    """Record accepted messages, and return for each whether it is new."""
    at = dict(reversed(lines))  # of several copies, the time of the first
    rows = [{"id": line, "at": at[line]} for line in sorted(at)]
    new = await add(connection, schema.heard, rows)
    return [_taken(new, line) for line, _ in lines]


def _taken(new: set[str], line: str) -> bool:
    """Return whether a line is new, which only the first of several copies in one transaction is."""
    if line in new:
        new.remove(line)
        return True
    return False
