"""The version of who is who: of the persons, accounts, links and unions, which belong to no home.

Triggers of the database raise it with every change of them but a newcomer, whoever makes it. A unit of work
names the version as of which it was decided, and is refused if there is another one. Whoever changes it
in a transaction of their own locks it first, so that one waits for the other.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from sqlalchemy import bindparam, select

from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import ensure
from chatbot.ledger.store.writes import RowWrite, Statement

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.write_queue import WriteWork

T = TypeVar("T")

_NUMBER = schema.people_version.c.number
_FIND_SAME = Statement(
    select(_NUMBER).where(bindparam("people") == _NUMBER).with_for_update(read=True),
    ("people",),
    once=("people",),
)


class PeopleCopy(Protocol):
    """What a process knows of who is who."""

    async def load(self) -> None:
        """Read it again, if there is another version, and tell memory which."""


class PeopleChange(NamedTuple):
    """The versions before and after a transaction."""

    before: int
    after: int


def unchanged(version: int) -> RowWrite:
    """Return what requires that this is the version, until the transaction ends."""
    return RowWrite(_FIND_SAME, ({"people": version},), 1)


async def prepare(connection: AsyncConnection) -> int:
    """Return the version; a new database, in which nobody is linked, has 0."""
    if (await connection.execute(select(_NUMBER))).first() is None:
        await ensure(connection, schema.people_version, [{"id": 1, "number": 0}])
    return await current(connection)


async def current(connection: AsyncConnection) -> int:
    """Return the version."""
    return int((await connection.execute(select(_NUMBER))).scalar_one())


async def hold(connection: AsyncConnection) -> None:
    """Have nobody else change it until the transaction ends."""
    await connection.execute(select(_NUMBER).with_for_update(read=True))


async def lock(connection: AsyncConnection) -> int:
    """Return the version, which nobody else changes, or decides by, until the transaction ends."""
    return int((await connection.execute(select(_NUMBER).with_for_update())).scalar_one())


def changing(work: WriteWork[T]) -> WriteWork[tuple[T, PeopleChange]]:
    """Return a work that does this one, and also returns the versions before and after it."""
    return partial(_change, work=work)


async def _change(connection: AsyncConnection, work: WriteWork[T]) -> tuple[T, PeopleChange]:
    before = await lock(connection)
    result = await work(connection)
    return result, PeopleChange(before, await current(connection))
