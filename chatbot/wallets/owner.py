"""One process at a time works on an SQLite file: it holds a lock beside the file.

The lock is SQLite's own, on an empty database of its own: it works wherever SQLite does, and the
system lets go of it when the process ends, however it ends.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from chatbot.wallets import privacy
from chatbot.wallets.engines import StoreError, shown

if TYPE_CHECKING:
    from sqlalchemy import URL


class Owner:
    """Holds the lock from `claim` to `release`."""

    def __init__(self, where: URL) -> None:
        self._where = where
        self._lock: sqlite3.Connection | None = None

    def claim(self) -> None:
        """Take the lock; on a server there is none to take.

        Raises:
            StoreError: another process has it.
            OSError: there is no folder for it, or none that can be written.
        """
        if not self._where.drivername.startswith("sqlite"):
            return
        beside = Path(f"{Path(str(self._where.database)).resolve()}-owner")  # a link leads to the same file
        privacy.create(beside)
        try:
            self._lock = sqlite3.connect(beside, timeout=0, isolation_level=None)
            self._lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            self.release()
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise OSError(str(error)) from None
            name = shown(self._where)
            raise StoreError(
                f"The database {name} is in use by another process; stop that one, or name another database."
            ) from None

    def release(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None
