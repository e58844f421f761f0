"""The lock of an SQLite file, which is the lease of all that is in it: see `leases`.

It is a lock of SQLite itself, on an empty database beside the file: it works wherever SQLite does, and the
system releases it when the process ends, however it ends.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from chatbot.ledger.store import file_modes
from chatbot.ledger.store.engines import StoreError, shown

if TYPE_CHECKING:
    from sqlalchemy import URL


class DatabaseInUse(StoreError):  # noqa: N818  (what it is)
    """Another process holds the lock of the database."""


class FileLock:
    """The lock of an SQLite file, held from `claim` to `release`."""

    def __init__(self, url: URL) -> None:
        self._url = url
        self._lock: sqlite3.Connection | None = None

    def claim(self) -> None:
        """Take the lock; does nothing for PostgreSQL.

        Raises:
            DatabaseInUse: another process holds it.
            StoreError: its file is none that can be locked.
            OSError: its folder is missing or cannot be written.
        """
        if not self._url.drivername.startswith("sqlite"):
            return
        lock_file = Path(f"{Path(str(self._url.database)).resolve()}-owner")  # a link leads to the same file
        file_modes.create(lock_file)
        try:
            # Without a timeout: whoever holds it holds it for as long as it runs.
            self._lock = sqlite3.connect(lock_file, timeout=0, isolation_level=None)
            self._lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            self.release()
            name = shown(self._url)
            if error.sqlite_errorcode == sqlite3.SQLITE_FULL:
                raise StoreError(
                    f"The database {name} cannot be opened (its disk is full); free some space, "
                    "or name a database on another disk."
                ) from None
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise StoreError(
                    f"The file {lock_file}, which locks the database {name}, cannot be used ({error}); "
                    "move it away, or allow this account to write it: it holds nothing."
                ) from None
            raise DatabaseInUse(
                f"The database {name} is in use by another process; stop that one, or name another database."
            ) from None

    def release(self) -> None:
        """Release the lock if it is held."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None
