"""Backups of an SQLite database: made while it is in use, kept for some days, and put back.

A database in use is never opened as a plain file: closing that would let go of every lock that this
process has on it (https://sqlite.org/howtocorrupt.html, 2.2). Nor is one opened by a URI, in which
some letters of a path would mean something else.

A server has tools of its own for that. All of this waits for the disk: an event loop asks a thread.
Times are aware of their zone; in names they are UTC.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import URL

from chatbot.ledger.store import file_modes
from chatbot.ledger.store.engines import StoreError, address
from chatbot.ledger.store.locks import FileLock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

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


def copy_database(source: Path, target: Path, leave: Callable[[], bool] = never) -> None:
    """Copy one moment of a database into one plain file, and make sure that it is sound and on the disk.

    A file that is not there yet becomes one that only its owner can read.

    Raises:
        Left: it was not complete when it was time to `leave`, which is asked again and again.
        sqlite3.Error, OSError: that cannot be.
    """
    file_modes.create(target)
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
def unfinished(path: Path) -> Iterator[Path]:
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


_EVERY = timedelta(days=1)  # a lost disk costs a day at most
_OLDEST = timedelta(days=5)  # what went wrong on a Friday evening is still there on Wednesday
_MOST = 25  # the daily ones of those five days among them
_FEWEST = 5  # a bot that stood still for a month keeps these whatever their age
_BESIDE = ("-owner", "-owner-journal", ".partial")
_STAMP = "%Y%m%d-%H%M%S"


@dataclass(frozen=True, slots=True, order=True)
class _Backup:
    made: datetime
    number: int
    """From 1, among those of one second."""
    path: Path


def file_of(url: str) -> Path | None:
    """Find the file of a database's URL; one on a server has none.

    Raises:
        StoreError: the URL is none, or of a database that is not supported.
    """
    where = address(url)
    return Path(str(where.database)) if where.drivername.startswith("sqlite") else None


def beside(database: Path) -> Path:
    """Name the folder of its backups, unless another one is asked for."""
    return database.parent / "backups"


def kept(database: Path) -> list[Path]:
    """List the files in which a database is, or was: its own, and those in the folder of its backups."""
    real = database.resolve() if database.is_symlink() else database  # where SQLite keeps what belongs to it
    own = [Path(f"{real}{each}") for each in ("", *LOGS, *_BESIDE)]
    folder = beside(database)
    saved = folder.iterdir() if folder.is_dir() else ()
    copied = (each for each in saved if each.name.startswith((f"{database.stem}-", f"{database.stem}.")))
    return [each for each in (*own, *sorted(copied)) if each.is_file()]


def due(database: Path, folder: Path, at: datetime) -> bool:
    """Whether the newest backup is a day old, or there is none.

    One from the future was made by a clock that was wrong, and says nothing about today.
    """
    made = [each.made for each in _backups(folder, database.stem) if each.made <= at]
    return not made or at - max(made) >= _EVERY


def back_up(
    database: Path,
    folder: Path,
    at: datetime,
    leave: Callable[[], bool] = never,
    *,
    rotates: bool = True,
) -> Path:
    """Copy the database as it is at one moment; `rotates` does away with those too many or too old then.

    It may be in use meanwhile. The folder is made, but not the one that it is in.

    Raises:
        copies.Left: it was time to `leave`; there is no new backup.
        StoreError: it is missing, damaged or none of ours, or the folder takes no file; then it gets none.
    """
    place = _add(database, folder, at, leave)
    if rotates:
        rotate(folder, database.stem, at)
    return place


def rotate(folder: Path, stem: str, at: datetime) -> None:
    """Keep 25 of a database's backups and none of more than 5 days, but 5 in any case.

    The newest of each day goes before all others: starts and exits in a row must not push it out.
    """
    _keep_only(_wanted(_newest_first(folder, stem, at), at), folder, stem, at)


def fit(folder: Path, stem: str, at: datetime, most: int) -> list[Path]:
    """Let a database's backups take at most so many bytes together; give what was removed for that.

    The newest is kept however large it is. The newest of each day goes before all others here too.
    """
    found = _newest_first(folder, stem, at)
    young = {each.made.date(): each for each in reversed(found) if each.made <= at}
    order = dict.fromkeys([*found[:1], *sorted(young.values(), reverse=True), *found])
    return _keep_only(list(_fitting(order, most)), folder, stem, at)


def removed(backup: Path) -> str:
    """Tell the operator of a backup for which there was no room."""
    return f"The backup {backup} was removed: all together would take more than CHATBOT_BACKUP_MB."


def _wanted(found: Sequence[_Backup], at: datetime) -> list[_Backup]:
    young = [each for each in found if each.made >= at - _OLDEST]
    daily = {each.made.date(): each for each in reversed(young) if each.made <= at}.values()
    return list(dict.fromkeys([*found[:_FEWEST], *daily, *young]))[:_MOST]


def _fitting(order: Iterable[_Backup], most: int) -> Iterator[_Backup]:
    """Take the first, and of the others in this order what has room besides."""
    used = 0
    for number, each in enumerate(order):
        with suppress(OSError):  # it is gone
            size = each.path.stat().st_size
            if number == 0 or used + size <= most:
                used += size
                yield each


def _keep_only(kept: Sequence[_Backup], folder: Path, stem: str, at: datetime) -> list[Path]:
    gone = list[Path]()
    for each in _newest_first(folder, stem, at):
        if each not in kept:
            with suppress(OSError):  # somebody may be reading it; there will be another rotation
                each.path.unlink()
                gone.append(each.path)
    return gone


def restore(copy: Path, database: Path, at: datetime) -> Path | None:
    """Put a copy in the place of the database, and say where the former one was put, if there was one.

    Whatever interrupts it, what lies there is either the former or the restored one, whole. No
    backup is done away with: the copy may be the oldest.

    Raises:
        StoreError: the copy is missing, damaged or none of ours, the database is in use, or the
            disk takes no file; the database holds what it held.
    """
    with _explained(f"The file {copy} cannot be restored", "name a whole backup of this program"):
        _look_for(copy)
        examine(copy)
    with _explained(
        f"The database {database} cannot be replaced", "its folder must be writable and not full"
    ):
        if not database.is_absolute():  # as when it is opened
            database.parent.mkdir(parents=True, exist_ok=True)
        if database.exists() and database.samefile(copy):
            raise StoreError(f"The file {copy} is the database itself; name one of its backups.")
        with _owned(database):
            return _replace(database.resolve(), copy, beside(database), at)


def _add(database: Path, folder: Path, at: datetime, leave: Callable[[], bool] = never) -> Path:
    said = f"The database {database} cannot be backed up in {folder}"
    with _explained(said, "the one must be whole, the other writable and not full"):
        _look_for(database)
        with _new(folder, database.stem, at, ".db") as (partial, place):
            copy_database(database, partial, leave)
            partial.replace(place)
        return place


@contextmanager
def _new(folder: Path, stem: str, at: datetime, ending: str) -> Iterator[tuple[Path, Path]]:
    """Lend a place for what is not complete, and a new name for when it is; one process at a time."""
    folder.mkdir(exist_ok=True)
    held = folder / f"{stem}-owner"
    file_modes.create(held)
    with closing(connected(held)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        with unfinished(folder / f"{stem}.partial") as partial:
            yield partial, _new_name(folder, stem, at, ending)
        settle_folder(folder)


def _new_name(folder: Path, stem: str, at: datetime, ending: str) -> Path:
    """Number those of one second on, for what was rotated away was older."""
    second = at.astimezone(UTC).replace(microsecond=0)
    last = max((each.number for each in _backups(folder, stem) if each.made == second), default=0)
    name = f"{stem}-{second.strftime(_STAMP)}"
    numbered = (folder / f"{name}{f'-{number}' if number > 1 else ''}{ending}" for number in count(last + 1))
    return next(path for path in numbered if not path.exists())


def _newest_first(folder: Path, stem: str, at: datetime) -> list[_Backup]:
    """Sort backups; those from the future come last, for they were made before the clock was set right."""
    return sorted(_backups(folder, stem), key=lambda each: (each.made <= at, each), reverse=True)


def _backups(folder: Path, stem: str) -> Iterator[_Backup]:
    ours = re.compile(re.escape(stem) + r"-([0-9]{8}-[0-9]{6})(?:-([1-9][0-9]*))?\.db")
    for path in folder.iterdir() if folder.is_dir() else ():
        found = ours.fullmatch(path.name)
        with suppress(ValueError):  # there is no 31st of February
            if found and path.is_file():
                made = datetime.strptime(found[1], _STAMP).replace(tzinfo=UTC)
                yield _Backup(made, int(found[2] or 1), path)


def _replace(database: Path, copy: Path, folder: Path, at: datetime) -> Path | None:
    """Let the restored file appear only when no log is there that SQLite would play into it."""
    with unfinished(Path(f"{database}.partial")) as fresh:
        copy_database(copy, fresh)
        spend_chains(fresh)
        kept = _keep(database, folder, at) if database.exists() else None
        unlink_logs(database)
        settle_folder(database.parent)
        fresh.replace(database)
        settle_folder(database.parent)
    return kept


def _keep(database: Path, folder: Path, at: datetime) -> Path:
    """Back the former database up; one that is damaged, which is why it is replaced, as it lies there."""
    close_log(database)
    try:
        return _add(database, folder, at)
    except StoreError:
        return _set_aside(database, folder, at)


def _set_aside(database: Path, folder: Path, at: datetime) -> Path:
    """Copy the bare files; the database is the last of them, so where it is, the others are too."""
    with _new(folder, database.stem, at, ".former") as (partial, place):
        for each in (*LOGS, ""):
            if (file := Path(f"{database}{each}")).exists():
                file_modes.create(partial)
                shutil.copyfile(file, partial)
                settle(partial)
                partial.replace(f"{place}{each}")
    return place


@contextmanager
def _owned(database: Path) -> Iterator[None]:
    owner = FileLock(URL.create("sqlite", database=str(database)))
    owner.claim()
    try:
        yield
    finally:
        owner.release()


@contextmanager
def _explained(said: str, remedy: str) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise StoreError(f"{said} ({reason}); {remedy}.") from error


def _look_for(file: Path) -> None:
    """SQLite would make the file that it does not find."""
    if not file.is_file():
        raise StoreError(f"There is no file {file}; name one that exists.")
