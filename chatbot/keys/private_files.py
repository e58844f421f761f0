"""Writes files that only their owner may read: whole or not at all, and one writer at a time.

Whoever writes holds a lock beside the file (SQLite's own, which ends with the process, however that ends), so
neither two threads nor two processes lose each other's content. A crash leaves the former one or the new one.
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

_PATIENCE_SECONDS = 10.0  # for another one who writes


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Be the only one who writes a file; its folder is made if need be.

    Raises:
        OSError, sqlite3.Error: that cannot be.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    held = path.with_name(f"{path.name}-lock")
    file_modes.create(held)
    lock = sqlite3.connect(held, timeout=_PATIENCE_SECONDS, isolation_level=None)
    with closing(lock):
        lock.execute("BEGIN EXCLUSIVE")
        yield


def replace(path: Path, content: bytes) -> None:
    """Put new content in the place of a file's, and wait until it is on the disk."""
    beside = path.with_name(f"{path.name}.new")
    beside.unlink(missing_ok=True)  # what a crash left there
    _create(beside, content)
    _rename(beside, path)
    _settle_folder(path.parent)


def reason(error: Exception) -> str:
    """Say what is in the way."""
    return getattr(error, "strerror", None) or str(error)


def _create(path: Path, content: bytes) -> None:
    """Write a file that nobody else could ever read, and wait until it is on the disk."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _rename(new: Path, old: Path) -> None:
    """Put a file in another one's place; Windows refuses while somebody reads that, which is over at once."""
    for pause in (0.01, 0.1, 1.0):  # seconds
        try:
            new.replace(old)
        except PermissionError:
            time.sleep(pause)
        else:
            return
    new.replace(old)


def _settle_folder(folder: Path) -> None:
    """Have the name on the disk too, where a folder can be opened: not on Windows."""
    try:
        opened = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
