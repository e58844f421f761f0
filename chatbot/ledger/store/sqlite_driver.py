"""Connections of aiosqlite whose statements wait once for their thread, and not four times.

For SQLAlchemy a query is a cursor that is made, a statement, its rows and the end of the cursor. aiosqlite
passes each of these to the thread of the connection and back, which takes longer than a small query itself.
Here the thread does them together, after the BEGIN if it is the first statement of a transaction.
"""

from __future__ import annotations

import sqlite3
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar

import aiosqlite

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

    Parameters: TypeAlias = Sequence[Any] | Mapping[str, Any]  # `Any`: what a column holds

T = TypeVar("T")

FIRST_ROWS = 1000  # that come with a statement: nearly every answer is whole, and none fills the memory
STATEMENTS = 24
"""Statements that a connection keeps compiled. Python's default is 128: then most of them are lookups that
differ only in how many ids they ask for, with room for each, and they take 12 MB."""
CHUNK = 64  # rows that aiosqlite fetches at once for its own cursors, which nobody uses here


def connect(database: str, **options: Any) -> Connection:
    """Connect as `aiosqlite.connect` does; `options` are those of `sqlite3.connect`."""
    options.setdefault("cached_statements", STATEMENTS)
    connection = Connection(partial(sqlite3.connect, database, **options), CHUNK)
    connection._thread.daemon = True  # noqa: SLF001  (as SQLAlchemy does with connections of its own)
    return connection


class Connection(aiosqlite.Connection):
    """A connection for SQLAlchemy. A transaction begins in the database with its first statement."""

    def __init__(self, connector: Callable[[], sqlite3.Connection], iter_chunk_size: int) -> None:
        super().__init__(connector, iter_chunk_size)
        self._beginning: str | None = None  # the BEGIN that precedes the next statement
        self._settled = True  # whether the thread has done all it was given, so that its state is known

    def cursor(self) -> Cursor:  # type: ignore[override]  # aiosqlite's must be awaited, SQLAlchemy's not
        """Return a cursor."""
        return Cursor(self)

    def begin(self, statement: str) -> None:
        """Have a BEGIN executed just before the next statement."""
        self._beginning = statement

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do work in the thread of the connection.

        Raises:
            sqlite3.Error: the transaction cannot begin, or the work fails.
            ValueError: the connection is closed.
        """
        # Unsettled until the answer is there: who is cancelled meanwhile does not know whether a transaction
        # has begun, and must have it rolled back.
        beginning, self._beginning, self._settled = self._beginning, None, False
        if beginning is not None:
            work = partial(_begun, beginning, work)
        answer: Awaitable[T] = self._execute(work, self._conn)  # type: ignore[no-untyped-call]
        result = await answer
        self._settled = True
        return result

    async def commit(self) -> None:
        """Commit; without a statement there is nothing to do."""
        self._beginning = None
        if self._is_open():
            await super().commit()

    async def rollback(self) -> None:
        """Roll back; without a statement there is nothing to do."""
        self._beginning = None
        if self._is_open():
            await super().rollback()
            self._settled = True

    @property
    def is_lost(self) -> bool:
        """Whether it takes no more work."""
        return self._connection is None

    def _is_open(self) -> bool:
        """Whether a transaction is open, or may be."""
        return not self._settled or self.in_transaction


class Cursor:
    """A cursor whose first rows come with its statement; with as much of the interface as SQLAlchemy uses."""

    def __init__(self, connection: Connection) -> None:
        self.description: Any = None
        self.rowcount, self.arraysize = -1, 1
        self.lastrowid: int | None = None
        self._connection = connection
        self._rows: Sequence[Any] = ()
        self._rest: sqlite3.Cursor | None = None  # where there are more rows

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, statement: str, parameters: Parameters = ()) -> None:
        """Execute a statement; a BEGIN waits for the next one."""
        if statement.startswith("BEGIN"):
            self._connection.begin(statement)
            return
        self._take(await self._connection.run(partial(_execute, statement, parameters)))

    async def executemany(self, statement: str, rows: Iterable[Parameters]) -> None:
        """Execute a statement with each row of parameters."""
        self._take(await self._connection.run(partial(_execute_many, statement, rows)))

    async def fetchmany(self, size: int | None = None) -> Sequence[Any]:
        """Return the next rows, at most `size` of them."""
        most = self.arraysize if size is None else size
        if not self._rows and self._rest is not None:
            self._rows = await self._fetch(partial(self._rest.fetchmany, max(most, FIRST_ROWS)))
        rows, self._rows = self._rows[:most], self._rows[most:]
        return rows

    async def fetchone(self) -> Any:
        """Return the next row; None after the last one."""
        rows = await self.fetchmany(1)
        return rows[0] if rows else None

    async def fetchall(self) -> Sequence[Any]:
        """Return all remaining rows."""
        rows, self._rows = self._rows, ()
        return rows if self._rest is None else [*rows, *await self._fetch(self._rest.fetchall)]

    async def close(self) -> None:
        """Discard the remaining rows."""
        self._rows = ()
        if self._rest is not None:
            rest, self._rest = self._rest, None
            await self._connection.run(lambda _: rest.close())

    async def _fetch(self, fetch: Callable[[], list[Any]]) -> list[Any]:
        return await self._connection.run(lambda _: fetch())

    def _take(self, executed: tuple[sqlite3.Cursor, Sequence[Any]]) -> None:
        cursor, self._rows = executed
        self.description, self.rowcount, self.lastrowid = (
            cursor.description,
            cursor.rowcount,
            cursor.lastrowid,
        )
        self._rest = cursor if len(self._rows) == FIRST_ROWS else None


def _begun(beginning: str, work: Callable[[sqlite3.Connection], T], connection: sqlite3.Connection) -> T:
    connection.execute(beginning)
    return work(connection)


def _execute(
    statement: str, parameters: Parameters, connection: sqlite3.Connection
) -> tuple[sqlite3.Cursor, Sequence[Any]]:
    cursor = connection.execute(statement, parameters)
    rows = cursor.fetchmany(FIRST_ROWS)
    if len(rows) < FIRST_ROWS:
        cursor.close()  # whose locks would last as long as it does
    return cursor, rows


def _execute_many(
    statement: str, rows: Iterable[Parameters], connection: sqlite3.Connection
) -> tuple[sqlite3.Cursor, Sequence[Any]]:
    cursor = connection.executemany(statement, rows)
    cursor.close()
    return cursor, ()
