"""SQLite files as files: one copied while it is in use, looked through, and parted from its log.

A database in use is never opened as a plain file: closing that would let go of every lock that this
process has on it (https://sqlite.org/howtocorrupt.html, 2.2). Nor is one opened by a URI, in which
some letters of a path would mean something else.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from chatbot.wallets import privacy
from chatbot.wallets.engines import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LOGS = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database, and plays into the file that it finds there."""

_OURS = ("purse", "alembic_version")
_UNREADABLE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}
_INSTRUCTIONS = 100_000  # of SQLite's machine, between two looks whether somebody wants to leave
_PATIENCE_SECONDS = 30.0  # for a writer that holds up readers, or another backup in the same folder


class Left(Exception):  # noqa: N818  (what happened, not what it is)
    """A copy was given up, for somebody would have waited for it too long. There is none."""


def never() -> bool:
    """Want to leave at no time."""
    return False


def copy(source: Path, target: Path, leave: Callable[[], bool] = never) -> None:
    """Copy one moment of a database into one plain file, and make sure that it is sound and on the disk.

    A file that is not there yet becomes one that only its owner can read.

    Raises:
        Left: it was not complete when it was time to `leave`, which is asked again and again.
        sqlite3.Error, OSError: that cannot be.
    """
    privacy.create(target)
    with closing(connected(source)) as old, _interrupted(old, leave):
        old.execute("SELECT count(*) FROM sqlite_master").fetchone()  # a file that is none says so
        old.execute("VACUUM INTO ?", [str(target)])  # one moment, and nothing of what has been removed
    with closing(connected(target)) as new:
        new.execute("PRAGMA journal_mode = DELETE")  # that of the source came along with its content
    examine(target, leave)
    if leave():
        raise Left
    settle(target)


def spend_chains(database: Path) -> None:
    """Let no link of its chains be dealt any more: since the copy was made, some may have been told.

    So tables that stand in it cannot go on either; the next start calls them off and begins new chains.

    Raises:
        sqlite3.Error, OSError: that cannot be.
    """
    with closing(connected(database)) as connection:
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'chain'").fetchone() is not None:
            connection.execute("UPDATE chain SET sealed = x'' WHERE sealed IS NOT NULL")
    settle(database)


def examine(database: Path, leave: Callable[[], bool] = never) -> None:
    """Make sure that the database is whole, and ours.

    Raises:
        Left: it was time to leave.
        sqlite3.Error: it is not.
    """
    with closing(_reading(database)) as connection, _interrupted(connection, leave):
        (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(f"it is damaged: {' '.join(verdict.split())}")
        tables = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN (?, ?)"
        if connection.execute(tables, _OURS).fetchone() != (len(_OURS),):
            raise sqlite3.DatabaseError("it is no database of this program")


@contextmanager
def _interrupted(connection: sqlite3.Connection, leave: Callable[[], bool]) -> Iterator[None]:
    """Interrupt what is done with a connection when it is time to leave."""
    connection.set_progress_handler(leave, _INSTRUCTIONS)
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            raise Left from None
        raise


def close_log(database: Path) -> None:
    """Have SQLite write the log into the database and do away with it: it does so only for who is alone.

    A database that cannot be read keeps what it has.

    Raises:
        StoreError: somebody else has it open.
        sqlite3.Error: the disk is in the way.
    """
    try:
        with closing(connected(database, patience=0)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            sentence = f"The database {database} is in use by another process; stop that one."
            raise StoreError(sentence) from None
        if error.sqlite_errorcode not in _UNREADABLE:
            raise


def connected(file: Path, patience: float = _PATIENCE_SECONDS) -> sqlite3.Connection:
    return sqlite3.connect(file, timeout=patience, isolation_level=None)


@contextmanager
def partial(path: Path) -> Iterator[Path]:
    """Lend a place that is empty now, whatever a crash left there, and will be in the end."""
    unlink(path)
    try:
        yield path
    finally:
        unlink(path)


def unlink(database: Path) -> None:
    """Remove a database, and its logs before it: they never lie beside another one."""
    unlink_logs(database)
    database.unlink(missing_ok=True)


def unlink_logs(database: Path) -> None:
    for each in LOGS:
        Path(f"{database}{each}").unlink(missing_ok=True)


def settle(file: Path) -> None:
    """Wait until the file is on the disk."""
    with file.open("rb+") as opened:
        os.fsync(opened.fileno())


def settle_folder(folder: Path) -> None:
    """Have the names on the disk too, where a folder can be opened: not on Windows."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _reading(database: Path) -> sqlite3.Connection:
    connection = connected(database)
    connection.execute("PRAGMA query_only = ON")
    return connection
