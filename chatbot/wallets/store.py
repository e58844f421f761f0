"""The edge to the database: opened once, one write at a time in the order of asking, reads beside it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from chatbot.wallets import migrations
from chatbot.wallets.engines import StoreError, address, engines, shown
from chatbot.wallets.owner import Owner

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from sqlalchemy import URL
    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

__all__ = ["Store", "StoreError"]

T = TypeVar("T")


class Store:
    """An open database. Close it, or the driver's threads keep the process from ending."""

    def __init__(self, writer: AsyncEngine, reader: AsyncEngine) -> None:
        self._owner = Owner(writer.url)
        self._writer = writer
        self._reader = reader
        self._queue = asyncio.Lock()  # which is fair; SQLite's own waiting is not
        self._writes: set[asyncio.Task[Any]] = set()

    @classmethod
    async def open(cls, url: str) -> Store:
        """Connect, and bring an older database up to date.

        Raises:
            StoreError: it cannot be opened, or was written by a newer version of the program.
        """
        where = address(url)
        store = cls(*_connectable(where))
        try:
            await store.write(migrations.upgrade)
        except BaseException as error:
            await store.close()
            if isinstance(error, SQLAlchemyError | OSError | migrations.UnknownRevision):
                raise _unusable(where, error) from error
            raise
        return store

    async def own(self) -> None:
        """Make sure that no other process works on the same file, until `close`.

        Raises:
            StoreError: one does.
        """
        self._owner.claim()

    async def close(self) -> None:
        """Finish what is being written, then disconnect."""
        await asyncio.gather(*self._writes, return_exceptions=True)
        await self._reader.dispose()
        await self._writer.dispose()
        self._owner.release()

    async def write(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Do the work in one transaction, after those that asked before.

        Whoever is cancelled while waiting here does not stop it, for a commit cannot be taken
        back: what was asked is then written, or refused, but never left half-way or in doubt.
        """
        task = asyncio.create_task(self._write(work))
        self._writes.add(task)
        task.add_done_callback(self._writes.discard)
        return await asyncio.shield(task)

    def reading(self) -> AsyncConnection:
        """Lend a connection that cannot write, by `async with`; all it reads is of one moment."""
        return self._reader.connect()

    async def _write(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        async with self._queue, self._writer.begin() as connection:
            return await work(connection)


def _connectable(where: URL) -> tuple[AsyncEngine, AsyncEngine]:
    try:
        return engines(where)
    except (ModuleNotFoundError, OSError) as error:
        raise _unusable(where, error) from error


def _unusable(where: URL, error: BaseException) -> StoreError:
    name = shown(where)
    if isinstance(error, ModuleNotFoundError):
        return StoreError(f"The database {name} needs the package {error.name}; install rabble[postgres].")
    reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
    return StoreError(f"The database {name} cannot be opened ({reason}); {_remedy(where, error)}.")


def _remedy(where: URL, error: BaseException) -> str:
    if isinstance(error, migrations.UnknownRevision):
        return "update the program, or name another database"
    if where.drivername.startswith("sqlite"):
        return "the file must be writable and free, its folder exist, and no other program have made it"
    return "the server must run, and have the user and a database that no other program uses"
