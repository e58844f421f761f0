"""The interface to the database: writes run one at a time in the order of requests, reads concurrently."""

from __future__ import annotations

import asyncio
import errno
import sqlite3
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakSet

from sqlalchemy import event, text
from sqlalchemy.exc import SQLAlchemyError

from chatbot.invocation import with_extra
from chatbot.ledger.books.memory import Memory, Touched
from chatbot.ledger.store import backup, file_modes, migrations, people_version, schema
from chatbot.ledger.store.engines import StoreError, address, engines, obstacle, probe, shown
from chatbot.ledger.store.file_lock import FileLock
from chatbot.ledger.store.leases import Leases
from chatbot.ledger.store.reads import fetched_apart
from chatbot.ledger.store.write_queue import WriteQueue
from chatbot.runtime.clock import LoopWatch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection

    from sqlalchemy import URL
    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

    from chatbot.ledger.store.people_version import PeopleCopy
    from chatbot.ledger.store.reads import Reads
    from chatbot.ledger.store.write_queue import OnDone, WriteWork
    from chatbot.ledger.store.writes import Unit
    from chatbot.runtime.clock import Watch

__all__ = ["Store", "StoreError"]

READ_ONLY = "the server takes no writes"

T = TypeVar("T")


class Store:
    """An open database. It must be closed, because the threads of the driver keep the process running."""

    def __init__(self, writer: AsyncEngine, reader: AsyncEngine, watch: Watch | None = None) -> None:
        self._owner = FileLock(writer.url)
        self._writer = writer
        self._reader = reader
        # A watch of its own, for the leases are renewed until the store is closed, after all else has ended.
        self.leases = Leases(writer, partial(self.write, homes=()), watch or LoopWatch())
        self.memory = Memory()
        self.people: PeopleCopy | None = None  # what the process knows of who is who, if it does
        self._write_queue = WriteQueue(writer, self.leases)
        self._reading = _ReadingConnections(reader)

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        alone: bool = False,
        create: bool = True,
        before_upgrade: Callable[[], object] | None = None,
        watch: Watch | None = None,
    ) -> Store:
        """Connect to a database, upgrading it if needed, and creating its file unless `create` is false.

        With `alone`, no other process may open the same file so until `close`; without it, none may have done
        so if it must be upgraded. `before_upgrade` is called in a thread before an older database is
        upgraded; the default makes a backup of a file. Leases are renewed by `watch`, by default that of the
        event loop.

        Raises:
            StoreError: it cannot be opened, is in use, or was written by a newer version of the program.
        """
        where = address(url)
        if not create:
            await _require_file(where)
        store = cls(*_connectable(where), watch)
        async with store._closed_on_error(where):
            # Before the file is touched: a second bot must not create, probe or upgrade what another one is
            # using.
            if alone:
                store._owner.claim()
            probe(where, write=True)
            async with store.reading() as connection:  # the writer would change the mode of the file
                await migrations.require_known(connection)
            await store.write(_require_writable)
            if where.drivername.startswith("sqlite"):
                with suppress(OSError):  # the folder of the backups may not be ours
                    file_modes.tighten(backup.files_of(Path(str(where.database))))
            if await store.write(migrations.is_older):
                if not alone:
                    store._owner.claim()
                await asyncio.to_thread(before_upgrade or partial(_back_up, where))
            store.memory.note_people(await store.write(_upgrade))
            if not alone:
                store._owner.release()
        return store

    @classmethod
    async def look(cls, url: str) -> Store:
        """Connect to a database without changing it, to read only; another process may be using it.

        Raises:
            StoreError: it does not exist, or is not of this version of the program.
        """
        where = address(url)
        await _require_file(where)
        store = cls(*_connectable(where))
        async with store._closed_on_error(where):
            probe(where, write=False)
            async with store.reading() as connection:
                if not await migrations.is_present(connection):
                    await migrations.require_known(connection)
                    raise StoreError(
                        f"The database {shown(where)} is of an older version of the program, or empty; "
                        "start this one on it once, or use the one that wrote it."
                    )
        return store

    @asynccontextmanager
    async def _closed_on_error(self, where: URL) -> AsyncIterator[None]:
        try:
            yield
        except BaseException as error:
            await self.close()
            if isinstance(error, SQLAlchemyError | OSError | migrations.UnknownRevision):
                raise unusable(where, error) from error
            raise

    async def close(self) -> None:
        """Finish queued writes, then disconnect; a connection in use is closed once it is free."""
        # The homes are given back after the last write, and the file after the last connection: the next
        # process may begin at that moment.
        await self.leases.close()
        await self._write_queue.close()
        for engine in (self._reader, self._writer):
            event.listen(engine.sync_engine, "checkin", _close_returned)
            await engine.dispose()
        self._owner.release()

    def interrupt(self) -> None:
        """Make running queries on SQLite fail at once; on PostgreSQL this does nothing."""
        self._reading.interrupt()

    async def write(
        self,
        work: WriteWork[T],
        decide: Callable[[], Unit] = tuple,
        on_done: OnDone = lambda _: None,
        homes: Collection[str] | None = None,
    ) -> T:
        """Run `work` in a transaction of its own, after all earlier requests, and after a unit in it.

        It is refused unless this process owns the communities `homes`; None: all that it says to own; an
        empty collection: the work needs none.

        A caller that is cancelled while it waits does not stop it, because a commit cannot be undone: the
        work is then written or refused as a whole. Memory forgets what it has changed; see `touched_in`.
        """
        touched = Touched()

        async def noting(connection: AsyncConnection) -> T:
            connection.info[Touched] = touched
            return await work(connection)

        def ended(error: Exception | None) -> None:
            touched.forget(self.memory)
            on_done(error)

        return await self._write_queue.write(noting, homes, decide, ended)

    async def commit(
        self,
        decide: Callable[[], Unit],
        on_done: OnDone = lambda _: None,
        homes: Collection[str] | None = None,
    ) -> None:
        """Write a unit in one transaction with others that wait; otherwise as `write`.

        `decide` returns its writes once there is room in the queue, which is written in the order of these
        calls; `on_done` is called with the error, if any, once the transaction has ended, before this
        returns.

        Raises:
            NotOwner: this process does not own `homes`; if that is known before, neither of both is called.
            Contradiction: the database is not as it was when the unit was decided; nothing is written.
        """
        await self._write_queue.commit(homes, decide, on_done)

    async def look_at_people(self) -> None:
        """After a unit was contradicted: if it was changed who is who, forget what is known, and read it."""
        if self.people is not None:
            await self.people.load()
            return
        async with self.reading() as connection:
            self.memory.note_people(await people_version.current(connection))

    async def settled(self) -> None:
        """Wait until everything that is requested now is written, or refused."""
        await self._write_queue.reach()

    @property
    def written(self) -> int:
        """The number of transactions that were committed since the database was opened."""
        return self._write_queue.written

    @property
    def well(self) -> bool:
        """Whether the database accepted the last write; while it does not, postpone what can wait."""
        return self._write_queue.well

    async def overwrite_deleted(self) -> None:
        """Have the database overwrite what was deleted or replaced, which stays in its file otherwise.

        It takes the time, and the space on the disk, of a second copy, and nothing else may use the database
        meanwhile. The log of SQLite is emptied; that of a server, and its copies, are beyond our reach.

        Raises:
            SQLAlchemyError, OSError, sqlite3.Error: it could not be done.
        """
        await self._write_queue.settle()
        if self._writer.dialect.name == "sqlite":
            await asyncio.to_thread(backup.overwrite_deleted, Path(str(self._writer.url.database)))
            return
        await self.write(_write_anew)

    def reading(self) -> AsyncConnection:
        """Return a read-only connection for `async with`; all its queries see one snapshot."""
        return self._reader.connect()

    async def fetch(self, reads: Reads[T]) -> T:
        """Return the result of reads, all as of one moment."""
        async with self.reading() as connection:
            return await fetched_apart(connection, reads)


async def _upgrade(connection: AsyncConnection) -> int:
    """Bring the database to the present schema, and return the version of who is who."""
    await migrations.upgrade(connection)
    return await people_version.prepare(connection)


async def _write_anew(connection: AsyncConnection) -> None:
    """Move the rows of tables into new files. VACUUM would copy deleted rows that a snapshot still sees."""
    for table in schema.ERASED:
        name = table.name
        for statement in (
            f"CREATE TEMPORARY TABLE moved ON COMMIT DROP AS TABLE {name}",
            f"TRUNCATE {name}",
            f"INSERT INTO {name} TABLE moved",
            "DROP TABLE moved",
        ):
            await connection.execute(text(statement))
    # Rows of another table refer to it, so that it cannot be emptied: computing a column anew moves it, too.
    anew = "ALTER TABLE balance_import ALTER COLUMN file TYPE TEXT USING file || ''"
    await connection.execute(text(anew))


def _close_returned(connection: Any, _: object) -> None:
    """Close a connection that was in use when its engine was disposed of: the old pool would keep it open."""
    if connection is not None:  # it may have been lost meanwhile
        connection.close()


class _ReadingConnections:
    """The open reading connections to SQLite, which can be interrupted."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._connections: WeakSet[Any] = WeakSet()  # SQLAlchemy types the driver's connections as `Any`
        if engine.dialect.name == "sqlite":
            event.listen(engine.sync_engine, "connect", self._note)

    def _note(self, connection: Any, _: object) -> None:
        self._connections.add(connection.driver_connection)

    def interrupt(self) -> None:
        for each in list(self._connections):
            with suppress(ValueError, sqlite3.Error):  # it is closed
                each._conn.interrupt()  # noqa: SLF001  (aiosqlite's own would have to be awaited)


def _connectable(where: URL) -> tuple[AsyncEngine, AsyncEngine]:
    try:
        return engines(where)
    except (ModuleNotFoundError, OSError) as error:
        raise unusable(where, error) from error


def unusable(where: URL, error: BaseException) -> StoreError:
    """Return an error that says why a database cannot be opened, and what to do."""
    name = shown(where)
    if isinstance(error, ModuleNotFoundError):
        return StoreError(
            f"The database {name} needs the package {error.name}, which is missing; {_missing(error)}."
        )
    detail = getattr(error, "strerror", None) or getattr(error, "orig", None) or error
    reason = str(detail).strip().splitlines()[0]
    return StoreError(f"The database {name} cannot be opened ({reason}); {_remedy(where, error, reason)}.")


def _back_up(where: URL) -> None:
    """Make a backup of the file of an SQLite database."""
    if where.drivername.startswith("sqlite"):
        file = Path(str(where.database))
        backup.back_up(file, backup.beside(file), datetime.now(UTC))


async def _require_file(where: URL) -> None:
    """Require that the file of an SQLite database exists.

    Raises:
        StoreError: it does not.
    """
    file = Path(str(where.database))
    if where.drivername.startswith("sqlite") and not await asyncio.to_thread(file.is_file):
        raise StoreError(f"The database {shown(where)} is not there.")


async def _require_writable(connection: AsyncConnection) -> None:
    """Require that a server accepts writes; `probe` has tried it for a file.

    Raises:
        OSError: it is read-only.
    """
    if connection.dialect.name == "postgresql":
        setting = await connection.execute(text("SELECT current_setting('transaction_read_only')"))
        if setting.scalar_one() == "on":
            raise OSError(errno.EROFS, READ_ONLY)


def _remedy(where: URL, error: BaseException, reason: str) -> str:
    if isinstance(error, migrations.UnknownRevision):
        return "update the program, or name another database" if error.is_newer else "name another database"
    if where.drivername.startswith("sqlite"):
        if "disk is full" in reason or getattr(error, "errno", None) == errno.ENOSPC:
            return "make room on its disk, or name a database on another one"
        if "not a database" in reason or "malformed" in reason:
            return "put a backup in its place with `chatbot restore FILE`, or name another database"
        problem = obstacle(Path(str(where.database)))
        return problem or "its folder must be writable, its disk not full, and no other program be using it"
    if reason == READ_ONLY:
        return "it is a standby, or set to read only: name the one that takes them"
    return "the server must run, and have the user and a database that no other program uses"


def _missing(error: ModuleNotFoundError) -> str:
    """Return how to install a package: the driver of PostgreSQL is an extra, others are dependencies."""
    if error.name == "asyncpg":
        return f"it comes with the extra `postgres`: {with_extra('postgres')}"
    return f"it comes with the program: run `uv sync`, or `pip install {error.name}`"
