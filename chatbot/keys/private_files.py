"""Writes files that only their owner may read, atomically and by one writer at a time.

A writer holds a lock file beside the file (a lock of SQLite, which ends with the process, however that ends),
so neither threads nor processes overwrite each other's changes. A crash leaves either the former or the new
content.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from chatbot.ledger.store import file_modes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# For the lock of another writer, who holds it for milliseconds on a disk that is well.
_LOCK_TIMEOUT_SECONDS = 10.0


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file, waiting for up to 10 seconds; its folder is made if needed.

    Raises:
        OSError, sqlite3.Error: it cannot be taken.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock_file = path.with_name(f"{path.name}-lock")
    file_modes.create(lock_file)
    lock = sqlite3.connect(lock_file, timeout=_LOCK_TIMEOUT_SECONDS, isolation_level=None)
    with closing(lock):
        lock.execute("BEGIN EXCLUSIVE")
        yield


def replace(path: Path, content: bytes) -> None:
    """Replace the content of a file atomically, and wait until it is on the disk.

    Raises:
        OSError: it cannot be written; the file keeps its content.
    """
    new_file = path.with_name(f"{path.name}.new")
    new_file.unlink(missing_ok=True)  # what a crash left there, as the caller holds the lock
    _create(new_file, content)
    _rename(new_file, path)
    _sync_folder(path.parent)


def reason(error: Exception) -> str:
    """Return the text of an error of the system or of SQLite."""
    return getattr(error, "strerror", None) or str(error)


def _create(path: Path, content: bytes) -> None:
    """Write a new file that is private from the start, and wait until it is on the disk."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _rename(new: Path, old: Path) -> None:
    """Rename a file over another one; Windows refuses while that one is read, so it is tried four times."""
    for pause in (0.01, 0.1, 1.0):  # seconds
        try:
            new.replace(old)
        except PermissionError:
            time.sleep(pause)
        else:
            return
    new.replace(old)


def _sync_folder(folder: Path) -> None:
    """Sync the entry of the folder too, where a folder can be opened: not on Windows."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
