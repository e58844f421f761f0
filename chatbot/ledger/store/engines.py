"""Creates two engines from the URL of a database: one that writes, and one that only reads.

On SQLite, readers that shared the transactions of the writer would delay every stake, and a transaction that
reads before it writes fails at once under load unless it begins as a writer.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, event, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from chatbot.kernel.game import Failure
from chatbot.ledger.store import file_modes, schema

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from sqlalchemy.engine import Dialect
    from sqlalchemy.pool import ConnectionPoolEntry

_EXAMPLES = "right would be sqlite:///data/rabble.db or postgresql://user@host/name"
_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}

_WRITER = (
    # Milliseconds: a backup or a command of the operator locks the file for less, and after more a player is
    # better told to try again. First, because the next ones may have to wait.
    "PRAGMA busy_timeout = 5000",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # an acknowledged stake survives a power cut
    "PRAGMA foreign_keys = ON",
    "PRAGMA recursive_triggers = ON",  # else INSERT OR REPLACE deletes past the triggers
)
# KiB of the file that each of up to 15 reading connections keeps: with SQLite's default of 2,000 these were
# 30 MB, and the system caches the file as well.
READER_CACHE = 512
_READER = (
    "PRAGMA busy_timeout = 5000",
    "PRAGMA query_only = ON",
    f"PRAGMA cache_size = -{READER_CACHE}",
)

_SERVER_TROUBLE = ("08", "53", "55", "57", "58")
"""Classes of SQLSTATE: connection, resources, not in a state for it, intervention of an operator, system."""


class StoreError(Failure):
    """The database cannot be used; the message is one sentence for the operator."""


def address(url: str) -> URL:
    """Parse the URL of a database, and set the driver.

    Raises:
        StoreError: it is no URL, of an unsupported database, of SQLite without a file, or ambiguous.
    """
    try:
        where = make_url(url)
    except (ArgumentError, ValueError):
        # The text is not shown: the password cannot be removed from what cannot be parsed.
        raise StoreError(f"The database's URL cannot be read; {_EXAMPLES}.") from None
    kind = where.drivername.partition("+")[0]
    if kind != "sqlite" and url.count("@") > 1:  # what follows the first one would be shown as a host
        raise StoreError("In the database's URL an @ of a password is written as %40, and a % as %25.")
    if kind not in _DRIVERS:
        raise StoreError(f"The database {shown(where)} is of an unknown kind; {_EXAMPLES}.")
    if kind == "sqlite" and where.database in {None, "", ":memory:"}:
        raise StoreError(f"The database {shown(where)} names no file; {_EXAMPLES}.")
    return where.set(drivername=_DRIVERS[kind])


def file_of(url: str) -> Path | None:
    """Return the file of the database of a URL; None for PostgreSQL.

    Raises:
        StoreError: it is no URL, or of a database that is not supported.
    """
    where = address(url)
    return Path(str(where.database)) if where.drivername.startswith("sqlite") else None


def shown(url: URL) -> str:
    """Return a URL without its query and its password, which may be in either place."""
    return url.set(drivername=url.drivername.partition("+")[0], query={}).render_as_string(hide_password=True)


def engines(url: URL) -> tuple[AsyncEngine, AsyncEngine]:
    """Create the engine that writes and the one that reads, without connecting."""
    return _sqlite(url) if url.drivername.startswith("sqlite") else _postgresql(url)


def probe(url: URL, *, write: bool) -> None:
    """Open the file of an SQLite database before the driver does, which leaves a thread behind if it fails.

    The thread answers a loop that may have ended by then (aiosqlite 0.22 does not wait for it). With `write`,
    a missing file is created, and a write is rolled back: a transaction alone can begin on a read-only file.

    Raises:
        OSError: the file cannot be opened, or written.
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


def obstacle(file: Path, *, makes_folder: bool = False) -> str | None:
    """Return why a file cannot be used for a database, and what to do; None if it can.

    `makes_folder`: its folder is made if it is not there, as that of a relative path always is.
    """
    folder = next(each for each in file.absolute().parents if each.exists())
    if file.is_dir():
        return f"{file} is a folder: name a file in it"
    if not folder.is_dir():
        return f"{folder} is a file, and no folder: name another database"
    if file.is_absolute() and not file.parent.exists() and not makes_folder:
        return f"its folder {file.parent} is not there: make it, or name another database"
    if not os.access(folder, os.W_OK | os.X_OK):
        return _write_obstacle(folder)
    if file.exists() and not os.access(file, os.R_OK | os.W_OK):
        return f"the file {file} cannot be read and written: allow it, or name another database"
    return None


def trouble(error: BaseException) -> str | None:
    """Return why the database could not do something, as on a full disk; None if the error is another.

    SQLite has no class of its own for a damaged file.
    """
    if isinstance(error, PoolTimeout):
        return "it has not answered for too long"
    if not isinstance(error, DBAPIError):
        return None
    state = getattr(error.orig, "sqlstate", None) or ""
    outside = isinstance(error, OperationalError | InterfaceError) or type(error) is DatabaseError
    if outside or error.connection_invalidated or state.startswith(_SERVER_TROUBLE):
        return str(error.orig).strip().splitlines()[0]
    return None


def reason(error: BaseException) -> str:
    """Return why a read or a write failed, in one line for the log."""
    text = trouble(error) or str(error).strip() or type(error).__name__
    return text.splitlines()[0]


def _write_obstacle(folder: Path) -> str:
    """Return why a folder cannot be written; only POSIX systems report a read-only disk."""
    if hasattr(os, "statvfs") and os.statvfs(folder).f_flag & os.ST_RDONLY:
        return f"the disk of {folder} is read-only: mount it for writing, or name a database on another one"
    return f"nothing can be written in the folder {folder}: allow it, or name a database elsewhere"


def _sqlite(url: URL) -> tuple[AsyncEngine, AsyncEngine]:
    from chatbot.ledger.store import sqlite_driver  # noqa: PLC0415  (which needs the driver of SQLite)

    path = Path(str(url.database))
    if not path.is_absolute():  # an absolute one may be on a disk that is not mounted
        path.parent.mkdir(parents=True, exist_ok=True)
    ways: dict[str, Any] = {
        "hide_parameters": True,
        "connect_args": {"async_creator_fn": sqlite_driver.connect},
    }
    # SQLite has one writer at a time, so that a second connection could only wait for the lock of the first.
    writer = create_async_engine(url, pool_size=1, max_overflow=0, **ways)
    # SQLAlchemy ends its transactions itself; a rollback on return would be one more call of the driver.
    reader = create_async_engine(url, pool_reset_on_return=None, **ways)
    _prepare(writer, _WRITER, "BEGIN IMMEDIATE")
    _prepare(reader, _READER, "BEGIN")
    return writer, reader


def _prepare(engine: AsyncEngine, pragmas: tuple[str, ...], begin: str) -> None:
    """Begin transactions here and not in the driver, which would begin them too late."""

    def prepare_connection(connection: Any, _: ConnectionPoolEntry) -> None:  # untyped in SQLAlchemy
        connection.isolation_level = None
        cursor = connection.cursor()
        try:
            for pragma in pragmas:
                cursor.execute(pragma)
        except BaseException:  # the pool drops it, and its thread would outlive the loop
            connection.close()
            raise
        cursor.close()

    def begin_transaction(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine.sync_engine, "connect", prepare_connection)
    event.listen(engine.sync_engine, "begin", begin_transaction)


def _postgresql(url: URL) -> tuple[AsyncEngine, AsyncEngine]:
    """Create engines that share one pool.

    A writer must see the rows it waited for (READ COMMITTED). A reader must see one snapshot (REPEATABLE
    READ): otherwise an audit under load would report false breaches.
    """
    schema.complete_for_postgresql()
    writer = create_async_engine(
        url, isolation_level="READ COMMITTED", pool_pre_ping=True, hide_parameters=True
    )
    event.listen(writer.sync_engine, "do_connect", _connect)
    return writer, writer.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def _connect(dialect: Dialect, _: object, cargs: tuple[Any, ...], cparams: dict[str, Any]) -> Any:
    """Connect to a server; one that cannot be reached is an error of the database, as one that refuses is."""
    try:
        return dialect.connect(*cargs, **cparams)
    except OSError as error:
        reason = error.strerror or str(error) or "it does not answer"
        raise dialect.loaded_dbapi.OperationalError(reason, error) from error
