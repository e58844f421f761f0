"""From a database's URL to two engines: one that writes, one that only reads.

On SQLite a reader that took part in the writer's locks would hold up every stake, and a
transaction that reads before it writes fails at once under load unless it begins as a writer.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from chatbot.kernel.failure import Failure
from chatbot.ledger.store import file_modes

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from sqlalchemy.pool import ConnectionPoolEntry

_RIGHT = "right would be sqlite:///data/rabble.db or postgresql://user@host/name"
_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}

_WRITER = (
    "PRAGMA busy_timeout = 5000",  # first: the next ones may have to wait for another process
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # a stake that was answered survives a power cut
    "PRAGMA foreign_keys = ON",
    "PRAGMA recursive_triggers = ON",  # else INSERT OR REPLACE deletes past the triggers
)
_READER = ("PRAGMA busy_timeout = 5000", "PRAGMA query_only = ON")


class StoreError(Failure):
    """The database cannot be used: one sentence for the operator."""


def address(url: str) -> URL:
    """Read a database's URL; the driver is ours to choose.

    Raises:
        StoreError: it is none, or of a database that is not supported, or of no file.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        # The text is not shown: what cannot be read cannot be cleared of its password either.
        raise StoreError(f"The database's URL cannot be read; {_RIGHT}.") from None
    kind = parsed.drivername.partition("+")[0]
    if kind not in _DRIVERS:
        raise StoreError(f"The database {shown(parsed)} is of an unknown kind; {_RIGHT}.")
    if kind == "sqlite" and parsed.database in {None, "", ":memory:"}:
        raise StoreError(f"The database {shown(parsed)} names no file; {_RIGHT}.")
    return parsed.set(drivername=_DRIVERS[kind])


def shown(url: URL) -> str:
    """Write a URL without its password, which may also hide in the query."""
    return url.set(drivername=url.drivername.partition("+")[0], query={}).render_as_string(hide_password=True)


def engines(url: URL) -> tuple[AsyncEngine, AsyncEngine]:
    """Make the engine that writes and the one that reads; nothing is connected yet."""
    return _sqlite(url) if url.drivername.startswith("sqlite") else _postgresql(url)


def probe(url: URL, *, write: bool) -> None:
    """Meet a file that cannot be opened before the driver does, for that leaves a thread behind.

    The thread answers a loop that may have ended by then (aiosqlite 0.22 does not wait for it). To `write`,
    the file is made where there is none, and something is written and taken back: a transaction alone
    begins on a file that cannot be written, too.

    Raises:
        OSError: it cannot be opened, or written.
    """
    if not url.drivername.startswith("sqlite"):
        return
    file = Path(str(url.database))
    if write:
        file_modes.create(file)
    try:
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            if write:
                connection.execute("BEGIN IMMEDIATE")
                (version,) = connection.execute("PRAGMA user_version").fetchone()
                connection.execute(f"PRAGMA user_version = {version}")
                connection.execute("ROLLBACK")
    except sqlite3.Error as error:
        raise OSError(str(error)) from None


def obstacle(file: Path) -> str | None:
    """Tell why no database can be kept in a file, and what to do; None: nothing is in the way."""
    folder = next(each for each in file.absolute().parents if each.exists())
    if file.is_dir():
        return f"{file} is a folder: name a file in it"
    if not folder.is_dir():
        return f"{folder} is a file, and no folder: name another database"
    if file.is_absolute() and not file.parent.exists():
        return f"its folder {file.parent} is not there: make it, or name another database"
    if not os.access(folder, os.W_OK | os.X_OK):
        return _closed(folder)
    if file.exists() and not os.access(file, os.R_OK | os.W_OK):
        return f"the file {file} cannot be read and written: allow it, or name another database"
    return None


def _closed(folder: Path) -> str:
    """Tell why nothing can be written in a folder, as far as the system knows: Windows does not."""
    if hasattr(os, "statvfs") and os.statvfs(folder).f_flag & os.ST_RDONLY:
        return f"the disk of {folder} is read-only: mount it for writing, or name a database on another one"
    return f"nothing can be written in the folder {folder}: allow it, or name a database elsewhere"


def _sqlite(url: URL) -> tuple[AsyncEngine, AsyncEngine]:
    path = Path(str(url.database))
    if not path.is_absolute():  # an absolute one may be on a disk that is not there today
        path.parent.mkdir(parents=True, exist_ok=True)
    writer = create_async_engine(url, pool_size=1, max_overflow=0, hide_parameters=True)
    # What SQLAlchemy has begun it ends itself; a rollback besides would be one more wait for the thread.
    reader = create_async_engine(url, hide_parameters=True, pool_reset_on_return=None)
    _prepare(writer, _WRITER, "BEGIN IMMEDIATE")
    _prepare(reader, _READER, "BEGIN")
    return writer, reader


def _prepare(engine: AsyncEngine, pragmas: tuple[str, ...], begin: str) -> None:
    """Take the transactions from the driver, which would begin them too late."""

    def connected(connection: Any, _: ConnectionPoolEntry) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        try:
            for pragma in pragmas:
                cursor.execute(pragma)
        except BaseException:  # the pool forgets it, and its thread would outlive the loop
            connection.close()
            raise
        cursor.close()

    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine.sync_engine, "connect", connected)
    event.listen(engine.sync_engine, "begin", begun)


def _postgresql(url: URL) -> tuple[AsyncEngine, AsyncEngine]:
    """Let both share one pool.

    A writer must see what it waited for (READ COMMITTED); a reader one moment only, or an audit
    under load would find breaches that are none.
    """
    writer = create_async_engine(
        url, isolation_level="READ COMMITTED", pool_pre_ping=True, hide_parameters=True
    )
    return writer, writer.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
