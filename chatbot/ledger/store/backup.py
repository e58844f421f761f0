"""Makes, rotates and restores backups of an SQLite database, also while it is in use.

A database in use is never opened as a plain file, because closing that would release every lock of this
process on it (https://sqlite.org/howtocorrupt.html, 2.2). Nor is one opened by a URI, in which some
characters of a path have another meaning.

PostgreSQL has tools of its own for backups. All functions block on the disk: an event loop must call them in
a thread. Times are timezone-aware; in file names they are UTC.
"""

from __future__ import annotations

import mmap
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
from chatbot.ledger.store.engines import StoreError
from chatbot.ledger.store.file_lock import FileLock
from chatbot.ledger.store.migrations import UnknownRevision

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

LOGS = ("-wal", "-shm", "-journal")
"""The suffixes of the log files of a database, which SQLite applies to the file that it finds there."""

_OUR_TABLES = ("purse", "alembic_version")
_UNREADABLE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}
_INSTRUCTIONS_PER_CHECK = 100_000  # of SQLite between two checks for cancellation: some milliseconds
_LOCK_TIMEOUT_SECONDS = 30.0  # for a writer that blocks readers, or another backup in the same folder
_INTERVAL = timedelta(days=1)  # so that a lost disk costs a day at most
_MAX_AGE = timedelta(days=5)  # so that a mistake of a Friday evening can still be undone on Wednesday
_MAX_COUNT = 25  # including the newest of each of the five days
_MIN_COUNT = 5  # kept whatever their age, such as by a bot that was stopped for a month
_OTHER_SUFFIXES = ("-owner", "-owner-journal", ".partial")
_TIME_FORMAT = "%Y%m%d-%H%M%S"


class BackupCancelled(Exception):  # noqa: N818  (what happened, not what it is)
    """A copy was cancelled before it was complete, and does not exist."""


def never_cancelled() -> bool:
    """Return False: the default of `is_cancelled`, which never cancels."""
    return False


def copy_database(source: Path, target: Path, is_cancelled: Callable[[], bool] = never_cancelled) -> None:
    """Copy a snapshot of a database into one file without logs, verify it, and sync it to the disk.

    A new file can be read by its owner only. `is_cancelled` is called repeatedly, and cancels the copy if it
    returns True.

    Raises:
        BackupCancelled: the copy was cancelled.
        sqlite3.Error, OSError: the database cannot be copied, or the copy is damaged.
    """
    file_modes.create(target)
    with closing(connected(source)) as old, _interrupted(old, is_cancelled):
        old.execute("SELECT count(*) FROM sqlite_master").fetchone()  # fails if the file is no database
        old.execute("VACUUM INTO ?", [str(target)])  # a snapshot, without remains of deleted rows
    with closing(connected(target)) as new:
        new.execute("PRAGMA journal_mode = DELETE")  # the mode of the source was copied too
    examine(target, is_cancelled)
    if is_cancelled():
        raise BackupCancelled
    sync_file(target)


def invalidate_chains(database: Path) -> None:
    """Invalidate all hash chains, because links may have been published since the copy was made.

    Tables that are open in the copy cannot be continued either; the next start voids them and makes new
    chains.

    Raises:
        sqlite3.Error, OSError: the database cannot be written.
    """
    with closing(connected(database)) as connection:
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'chain'").fetchone() is not None:
            connection.execute("UPDATE chain SET sealed = x'' WHERE sealed IS NOT NULL")
    sync_file(database)


def examine(database: Path, is_cancelled: Callable[[], bool] = never_cancelled) -> None:
    """Verify that a file is an undamaged database of this program.

    Raises:
        BackupCancelled: `is_cancelled` has cancelled it.
        sqlite3.Error: it is damaged, or of another program.
    """
    with closing(_reading(database)) as connection, _interrupted(connection, is_cancelled):
        (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(f"it is damaged: {' '.join(verdict.split())}")
        tables = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN (?, ?)"
        if connection.execute(tables, _OUR_TABLES).fetchone() != (len(_OUR_TABLES),):
            raise sqlite3.DatabaseError("it is no database of this program")


@contextmanager
def _interrupted(connection: sqlite3.Connection, is_cancelled: Callable[[], bool]) -> Iterator[None]:
    """Interrupt the queries of a connection when `is_cancelled` returns True."""
    connection.set_progress_handler(is_cancelled, _INSTRUCTIONS_PER_CHECK)
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            raise BackupCancelled from None
        raise


def close_log(database: Path) -> None:
    """Write the log into the database and delete it, which needs exclusive access.

    A database that cannot be read is left unchanged.

    Raises:
        StoreError: another connection has it open.
        sqlite3.Error: the disk cannot be written.
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


def overwrite_deleted(database: Path) -> None:
    """Write a database anew, without the remains of deleted rows, and empty its log.

    Raises:
        sqlite3.Error: another connection is using it, or the disk is full.
    """
    with closing(connected(database)) as connection:
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("VACUUM")
        (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise sqlite3.OperationalError("its log is in use and was not emptied")


def holding(database: Path, accounts: Iterable[tuple[str, str]], names: Iterable[str]) -> list[Path]:
    """List the backups of a database in its default folder that know an account or hold a name."""
    folder, pairs = beside(database), [*accounts]
    texts = [each.encode() for name in names for each in {name, name.casefold(), name.lower()}]
    files = [each.path for each in _backups(folder, database.stem)] if folder.is_dir() else []
    old_files = sorted(folder.glob(f"{database.stem}*.former*")) if folder.is_dir() else []
    return [each for each in dict.fromkeys([*sorted(files), *old_files]) if _holds(each, pairs, texts)]


def _holds(copy: Path, accounts: Iterable[tuple[str, str]], texts: Iterable[bytes]) -> bool:
    try:
        with closing(_reading(copy)) as connection:
            query = "SELECT 1 FROM platform_account WHERE platform = ? AND key = ?"
            if any(connection.execute(query, each).fetchone() for each in accounts):
                return True
    except sqlite3.Error:
        return True  # nobody knows what is in it
    with copy.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return any(content.find(each) >= 0 for each in texts)


def connected(file: Path, patience: float = _LOCK_TIMEOUT_SECONDS) -> sqlite3.Connection:
    """Open a database in autocommit mode; `patience` is the timeout for its locks, in seconds."""
    return sqlite3.connect(file, timeout=patience, isolation_level=None)


@contextmanager
def temporary(path: Path) -> Iterator[Path]:
    """Remove a temporary database before and after its use, with what a crash has left there."""
    unlink(path)
    try:
        yield path
    finally:
        unlink(path)


def unlink(database: Path) -> None:
    """Remove a database after its logs, which must never be beside another database."""
    unlink_logs(database)
    database.unlink(missing_ok=True)


def unlink_logs(database: Path) -> None:
    """Remove the logs of a database."""
    for each in LOGS:
        Path(f"{database}{each}").unlink(missing_ok=True)


def sync_file(file: Path) -> None:
    """Wait until the content of a file is on the disk."""
    with file.open("rb+") as stream:
        os.fsync(stream.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the entries of a folder are on the disk, where it can be opened: not on Windows."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _reading(database: Path) -> sqlite3.Connection:
    connection = connected(database)
    connection.execute("PRAGMA query_only = ON")
    return connection


@dataclass(frozen=True, slots=True, order=True)
class _Backup:
    made_at: datetime
    number: int
    """Counts the backups of one second, from 1."""
    path: Path


def beside(database: Path) -> Path:
    """Return the default folder of the backups of a database."""
    return database.parent / "backups"


def files_of(database: Path) -> list[Path]:
    """List the existing files of a database, its logs and locks, and those in its default backup folder."""
    real = database.resolve() if database.is_symlink() else database  # SQLite keeps the logs there
    own = [Path(f"{real}{each}") for each in ("", *LOGS, *_OTHER_SUFFIXES)]
    folder = beside(database)
    paths = folder.iterdir() if folder.is_dir() else ()
    copies = (each for each in paths if each.name.startswith((f"{database.stem}-", f"{database.stem}.")))
    return [each for each in (*own, *sorted(copies)) if each.is_file()]


def due(database: Path, folder: Path, at: datetime) -> bool:
    """Return whether the newest backup is at least a day old, or there is none.

    Backups from the future are ignored, because they were made while the clock was wrong.
    """
    times = [each.made_at for each in _backups(folder, database.stem) if each.made_at <= at]
    return not times or at - max(times) >= _INTERVAL


def back_up(
    database: Path,
    folder: Path,
    at: datetime,
    is_cancelled: Callable[[], bool] = never_cancelled,
    *,
    rotates: bool = True,
) -> Path:
    """Back up a snapshot of a database, which may be in use, and return the new file.

    The folder is made if needed, but not its parent. `rotates` removes old and surplus backups afterwards.

    Raises:
        BackupCancelled: `is_cancelled` has cancelled it; there is no new backup.
        StoreError: the database is missing, damaged or of another program, or the folder cannot be written;
            there is no new backup.
    """
    place = _add_backup(database, folder, at, is_cancelled)
    if rotates:
        rotate(folder, database.stem, at)
    return place


def rotate(folder: Path, stem: str, at: datetime) -> None:
    """Keep at most 25 backups of a database, of at most 5 days, but the newest 5 in any case.

    The newest of each day takes precedence over all others: a series of restarts must not displace it.
    """
    _keep_only(_selection(_newest_first(folder, stem, at), at), folder, stem, at)


def fit(folder: Path, stem: str, at: datetime, most: int) -> list[Path]:
    """Remove backups of a database until they take at most `most` bytes together; return those removed.

    The newest is kept whatever its size. Here too, the newest of each day takes precedence over all others.
    """
    backups = _newest_first(folder, stem, at)
    young = {each.made_at.date(): each for each in reversed(backups) if each.made_at <= at}
    order = dict.fromkeys([*backups[:1], *sorted(young.values(), reverse=True), *backups])
    return _keep_only(list(_fitting(order, most)), folder, stem, at)


def removed(backup: Path) -> str:
    """Return the message to the operator about a backup that `fit` has removed."""
    return f"The backup {backup} was removed: all together would take more than CHATBOT_BACKUP_MB."


def _selection(backups: Sequence[_Backup], at: datetime) -> list[_Backup]:
    young = [each for each in backups if each.made_at >= at - _MAX_AGE]
    daily = {each.made_at.date(): each for each in reversed(young) if each.made_at <= at}.values()
    return list(dict.fromkeys([*backups[:_MIN_COUNT], *daily, *young]))[:_MAX_COUNT]


def _fitting(order: Iterable[_Backup], most: int) -> Iterator[_Backup]:
    """Yield the first, and of the others, in order, those that fit into the rest of `most` bytes."""
    total = 0
    for number, each in enumerate(order):
        with suppress(OSError):  # it is gone
            size = each.path.stat().st_size
            if number == 0 or total + size <= most:
                total += size
                yield each


def _keep_only(backups: Sequence[_Backup], folder: Path, stem: str, at: datetime) -> list[Path]:
    deleted_paths = list[Path]()
    for each in _newest_first(folder, stem, at):
        if each not in backups:
            with suppress(OSError):  # it may be open; the next rotation tries again
                each.path.unlink()
                deleted_paths.append(each.path)
    return deleted_paths


def restore(copy: Path, database: Path, at: datetime) -> Path | None:
    """Replace a database by a copy, and return the file to which the former one was saved, if there was one.

    The replacement is atomic: after a crash, either the former or the restored database is there. No backup
    is removed, because the copy may be the oldest.

    Raises:
        StoreError: the copy is missing, damaged, of another program or of a newer version of this one, the
            database is in use, or the disk cannot be written; the database is unchanged.
    """
    with _as_store_error(f"The file {copy} cannot be restored", "name a whole backup of this program"):
        _require_file(copy)
        examine(copy)
        _require_not_newer(copy)
    with _as_store_error(
        f"The database {database} cannot be replaced", "its folder must be writable and not full"
    ):
        if not database.is_absolute():  # as `engines` does
            database.parent.mkdir(parents=True, exist_ok=True)
        if database.exists() and database.samefile(copy):
            raise StoreError(f"The file {copy} is the database itself; name one of its backups.")
        with _locked(database):
            return _replace(database.resolve(), copy, beside(database), at)


def _add_backup(
    database: Path, folder: Path, at: datetime, is_cancelled: Callable[[], bool] = never_cancelled
) -> Path:
    problem = f"The database {database} cannot be backed up in {folder}"
    with _as_store_error(problem, "the one must be whole, the other writable and not full"):
        _require_file(database)
        with _new(folder, database.stem, at, ".db") as (partial, place):
            copy_database(database, partial, is_cancelled)
            partial.replace(place)
        return place


@contextmanager
def _new(folder: Path, stem: str, at: datetime, ending: str) -> Iterator[tuple[Path, Path]]:
    """Yield a temporary path and an unused final one, with a lock on the backups of this database."""
    folder.mkdir(exist_ok=True)
    lock_file = folder / f"{stem}-owner"
    file_modes.create(lock_file)
    with closing(connected(lock_file)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        with temporary(folder / f"{stem}.partial") as partial:
            yield partial, _new_name(folder, stem, at, ending)
        sync_folder(folder)


def _new_name(folder: Path, stem: str, at: datetime, ending: str) -> Path:
    """Return an unused name; those of one second are numbered after the last, as rotation removes older."""
    second = at.astimezone(UTC).replace(microsecond=0)
    last = max((each.number for each in _backups(folder, stem) if each.made_at == second), default=0)
    name = f"{stem}-{second.strftime(_TIME_FORMAT)}"
    numbered = (folder / f"{name}{f'-{number}' if number > 1 else ''}{ending}" for number in count(last + 1))
    return next(path for path in numbered if not path.exists())


def _newest_first(folder: Path, stem: str, at: datetime) -> list[_Backup]:
    """Sort backups; those from the future come last, because they were made while the clock was wrong."""
    return sorted(_backups(folder, stem), key=lambda each: (each.made_at <= at, each), reverse=True)


def _backups(folder: Path, stem: str) -> Iterator[_Backup]:
    ours = re.compile(re.escape(stem) + r"-([0-9]{8}-[0-9]{6})(?:-([1-9][0-9]*))?\.db")
    for path in folder.iterdir() if folder.is_dir() else ():
        match = ours.fullmatch(path.name)
        with suppress(ValueError):  # digits that are no date
            if match and path.is_file():
                made_at = datetime.strptime(match[1], _TIME_FORMAT).replace(tzinfo=UTC)
                yield _Backup(made_at, int(match[2] or 1), path)


def _replace(database: Path, copy: Path, folder: Path, at: datetime) -> Path | None:
    """Replace the file after the logs were removed, because SQLite would apply them to the new one."""
    with temporary(Path(f"{database}.partial")) as partial:
        copy_database(copy, partial)
        invalidate_chains(partial)
        saved_file = _save_former(database, folder, at) if database.exists() else None
        unlink_logs(database)
        sync_folder(database.parent)
        partial.replace(database)
        sync_folder(database.parent)
    return saved_file


def _save_former(database: Path, folder: Path, at: datetime) -> Path:
    """Back up the former database; if it is damaged, copy its files as they are."""
    close_log(database)
    try:
        return _add_backup(database, folder, at)
    except StoreError:
        return _set_aside(database, folder, at)


def _set_aside(database: Path, folder: Path, at: datetime) -> Path:
    """Copy the plain files, the database last: if its copy exists, those of its logs do too."""
    with _new(folder, database.stem, at, ".former") as (partial, place):
        for each in (*LOGS, ""):
            if (file := Path(f"{database}{each}")).exists():
                file_modes.create(partial)
                shutil.copyfile(file, partial)
                sync_file(partial)
                partial.replace(f"{place}{each}")
    return place


@contextmanager
def _locked(database: Path) -> Iterator[None]:
    owner = FileLock(URL.create("sqlite", database=str(database)))
    owner.claim()
    try:
        yield
    finally:
        owner.release()


@contextmanager
def _as_store_error(problem: str, remedy: str) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise StoreError(f"{problem} ({reason}); {remedy}.") from error


def _require_file(file: Path) -> None:
    """Require that a file exists, because SQLite would create it."""
    if not file.is_file():
        raise StoreError(f"There is no file {file}; name one that exists.")


def _require_not_newer(copy: Path) -> None:
    """Require that this program could start on a copy: on one of a newer version it cannot."""
    with closing(_reading(copy)) as connection:
        (revision,) = connection.execute("SELECT max(version_num) FROM alembic_version").fetchone()
    unknown = UnknownRevision(revision)
    if unknown.is_newer:
        raise StoreError(f"The file {copy} cannot be restored ({unknown}); update the program first.")
