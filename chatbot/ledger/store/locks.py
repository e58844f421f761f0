"""Locks that assign databases and rooms to processes.

On SQLite the lock is one of SQLite itself, on an empty database beside the file: it works wherever SQLite
does, and the system releases it when the process ends, however it ends.

On PostgreSQL, one session of a process holds an advisory lock for each of its rooms, and one on a random key,
the mark. All are released with the session, so every transaction that writes checks first whether the mark
is still held. It does so under a shared lock, the fence, which it keeps until it ends; a process that has
taken a room waits for the exclusive fence. So a write is either committed before another process runs the
room, or refused.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from chatbot.ledger.store import file_modes
from chatbot.ledger.store.engines import StoreError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from sqlalchemy import URL
    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine


class FileLock:
    """The lock of an SQLite file, held from `claim` to `release`."""

    def __init__(self, url: URL) -> None:
        self._url = url
        self._lock: sqlite3.Connection | None = None

    def claim(self) -> None:
        """Take the lock; does nothing for PostgreSQL.

        Raises:
            StoreError: another process holds it, or its file is none that can be locked.
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
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise StoreError(
                    f"The file {lock_file}, which locks the database {name}, cannot be used ({error}); "
                    "move it away, or allow this account to write it: it holds nothing."
                ) from None
            raise StoreError(
                f"The database {name} is in use by another process; stop that one, or name another database."
            ) from None

    def release(self) -> None:
        """Release the lock if it is held."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None


# Seconds without an answer of the server after which the session counts as lost: no less, so that a busy
# server does not stop every game; no more, since another process may run our rooms by then.
ANSWER_TIMEOUT = 5.0
_FENCE_WAIT = "10s"  # for transactions of other processes to end, far longer than one takes

_LOCK = text("SELECT pg_try_advisory_lock(:key)")
_UNLOCK = text("SELECT pg_advisory_unlock(:key)")
_FENCE = text("SELECT pg_advisory_lock(:key)")
_SET_LOCK_TIMEOUT = text("SELECT set_config('lock_timeout', :wait, false)")
# CASE is evaluated in order, so the fence is taken first. If the mark can be locked in shared mode, the
# session does not hold it any more.
_MARK_IS_FREE = text(
    "SELECT CASE WHEN pg_advisory_xact_lock_shared(:fence) IS NULL THEN true "
    "ELSE pg_try_advisory_xact_lock_shared(:mark) END"
)


class LocksLost(ConnectionError):  # noqa: N818  (what happened, not what it is)
    """The locks of the rooms of this process are lost; writes are refused until they are taken again."""

    def __init__(self) -> None:
        super().__init__("the session that holds the locks of our rooms is lost")


class RoomLocks:
    """The locks of rooms of this process, held from `take` to `close`.

    `when_lost` is called as soon as they are known to be lost. On SQLite, which one process uses alone,
    there are no locks of rooms, and nothing is done.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._shared = engine.dialect.name == "postgresql"
        self._session: AsyncConnection | None = None
        self._mark = 0
        self._session_lock = asyncio.Lock()  # a session runs one query at a time
        self.wanted: dict[str, None] = {}  # rooms, in the order in which they were taken first
        self.held: set[str] = set()
        self.lost = False
        self.when_lost: Callable[[], object] = lambda: None

    async def take(self, room: str) -> None:
        """Lock a room for this process until `close`.

        Raises:
            StoreError: another process on the same server runs it.
            LocksLost: the locks are lost at present.
        """
        if not self._shared:
            return
        async with self._session_lock:
            if self.lost:
                raise LocksLost
            if not self.held:
                await self._ensure_session()
            if room not in self.held and not await self._try_lock([room]):
                raise StoreError(
                    f"The room {room} is run by another process on the same database; stop that one."
                )
            self.wanted[room] = None

    async def guard(self, connection: AsyncConnection) -> None:
        """Ensure that the locks are held until a transaction ends.

        Raises:
            LocksLost: they are lost.
        """
        if self.lost or (self.wanted and not self.held):
            raise LocksLost
        if self._session is None:
            return
        keys = {"fence": _key("fence"), "mark": self._mark}
        if (await connection.execute(_MARK_IS_FREE, keys)).scalar():
            self._lose()
            raise LocksLost

    async def alive(self) -> bool:
        """Return whether the locks are held, by a query; without an answer in 5 seconds they are lost."""
        if self._session is None or self.lost:
            return not self.lost
        async with self._session_lock:
            try:
                async with asyncio.timeout(ANSWER_TIMEOUT):
                    await self._session.execute(text("SELECT 1"))
            except (SQLAlchemyError, OSError, TimeoutError):
                self._lose()
        return not self.lost

    async def regain(self) -> None:
        """Take the locks again that are wanted and that no other process has taken.

        The caller must have dropped everything that was decided before the loss.

        Raises:
            SQLAlchemyError, OSError, TimeoutError: the server does not answer.
        """
        async with self._session_lock:
            if self.lost:
                await self._end_session()
                async with asyncio.timeout(ANSWER_TIMEOUT):
                    await self._connect()
            await self._try_lock([room for room in self.wanted if room not in self.held])
            self.lost = False

    async def close(self) -> None:
        """Release all locks and end the session."""
        async with self._session_lock:
            await self._end_session()

    def _lose(self) -> None:
        if not self.lost:
            self.lost = True
            self.held.clear()
            self.when_lost()

    async def _ensure_session(self) -> None:
        """Ensure that there is a working session: one without locks may have ended unnoticed."""
        if self._session is not None:
            try:
                await self._session.execute(text("SELECT 1"))
            except (SQLAlchemyError, OSError):
                await self._end_session()
        if self._session is None:
            await self._connect()

    async def _connect(self) -> None:
        session = await self._engine.connect()
        try:
            # In no transaction: a server may end one that idles, and the locks with it.
            await session.execution_options(isolation_level="AUTOCOMMIT")
            await session.execute(_SET_LOCK_TIMEOUT, {"wait": _FENCE_WAIT})
            # Drawn anew for each session: the server may not have ended the former one yet, whose mark must
            # not pass for ours.
            self._mark = secrets.randbits(63)
            await session.execute(_LOCK, {"key": self._mark})
        except BaseException:
            await session.invalidate()
            await session.close()
            raise
        self._session = session

    async def _try_lock(self, rooms: Collection[str]) -> set[str]:
        """Take the locks that are free, then wait for running transactions of other processes."""
        assert self._session is not None  # noqa: S101  (for mypy)
        taken = set()
        assert self._session_lock.locked(), "expected the lock of the session to be held"  # noqa: S101
        for room in rooms:
            if (await self._session.execute(_LOCK, {"key": _key(f"room {room}")})).scalar():
                taken.add(room)
        if taken:
            try:
                await self._session.execute(_FENCE, {"key": _key("fence")})
            except SQLAlchemyError:
                for room in taken:
                    await self._session.execute(_UNLOCK, {"key": _key(f"room {room}")})
                raise
            await self._session.execute(_UNLOCK, {"key": _key("fence")})
        self.held |= taken
        return taken

    async def _end_session(self) -> None:
        session, self._session = self._session, None
        self.held.clear()
        if session is not None:
            with suppress(SQLAlchemyError, OSError):
                await session.invalidate()  # the server releases the locks with the connection
            with suppress(SQLAlchemyError, OSError):
                await session.close()


def _key(name: str) -> int:
    """Return the signed 64-bit key of an advisory lock of this program."""
    return int.from_bytes(hashlib.sha256(f"rabble {name}".encode()).digest()[:8], "big", signed=True)
