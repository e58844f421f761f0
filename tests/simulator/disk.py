"""A database that does what a seed says: it works in the one thread there is, fails, loses answers, dies.

It stands in for aiosqlite below SQLAlchemy, so that all above it is the program's own, and so that what runs
before what is decided by the seed and not by threads.
"""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, TypeVar

from sqlalchemy import Engine, event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from random import Random

T = TypeVar("T")

Kind: TypeAlias = Literal["fail", "odd", "vanish", "uncommitted", "lost", "kill", "kill after"]
"""`fail` and `odd` raise before a statement; `vanish` drops its connection; `uncommitted` raises at COMMIT
before it happens and `lost` after it has; a `kill` ends everything before a statement or after it."""

Role: TypeAlias = Literal["writer", "reader", "either"]

_PAUSES = (0, 0, 0, 1, 1, 2, 5)  # turns of the loop that others get before a statement runs


class Trouble(Exception):  # noqa: N818  (what it is)
    """Marks an error that was made on purpose."""


class _Failing(Trouble, sqlite3.OperationalError):
    pass


class _Odd(Trouble, sqlite3.IntegrityError):
    pass


@dataclass(slots=True)
class Fault:
    """What is to go wrong: after so many calls that it could have hit, and then so many times."""

    kind: Kind
    role: Role = "either"
    after: int = 0
    times: int = 1

    def __str__(self) -> str:
        return f"{self.kind} ({self.role}, after {self.after}, {self.times}x)"

    def due(self, role: Role, what: str) -> bool:
        """Count a call that it could hit; tell whether it does."""
        if self.role not in {role, "either"} or not self.times:
            return False
        if self.kind in {"uncommitted", "lost"} and what != "COMMIT":
            return False
        if self.after:
            self.after -= 1
            return False
        self.times -= 1
        return True


class Disk:
    """One incarnation: what is opened on it is gone when it dies, and only the file is left."""

    def __init__(self, path: str, rng: Random) -> None:
        self.path = path
        self.faults: list[Fault] = []
        self.outage = False  # whether everything fails until further notice
        self.hit: list[str] = []  # what went wrong since this was last emptied
        self.died: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.calls = 0
        self._buried = False
        self._rng = rng
        self._links: list[_Link] = []

    def connect(self, *args: Any, **options: Any) -> Any:
        """Connect as `aiosqlite.connect` does."""
        options.pop("async_creator_fn", None)
        return self._connect(*args, **options)

    async def run(self, link: _Link, what: str, work: Callable[[], T]) -> T:
        """Let others run for a while, and then do the work, or fail at it."""
        for _ in range(self._rng.choice(_PAUSES)):
            await asyncio.sleep(0)
        await self._rest_in_peace()
        self.calls += 1
        fault = next((each for each in self.faults if each.due(link.role, what)), None)
        if fault is not None:
            self.hit.append(f"{fault.kind} at {link.role}: {what}")
            return await self._go_wrong(fault, link, work)
        if self.outage:
            raise _Failing("disk I/O error")
        return work()

    def die(self) -> None:
        """Leave the file as a kill would: what is not committed is gone."""
        if not self.died.done():
            self.died.set_result(None)
            for link in self._links:
                link.drop()

    def bury(self) -> None:
        """Let those who still wait for an answer have an error, so that they can be cleared away."""
        self.die()
        self._buried = True

    async def _connect(self, *args: Any, **options: Any) -> _Link:
        await self._rest_in_peace()
        link = _Link(self, sqlite3.connect(*args, **options))
        self._links.append(link)
        return link

    async def _go_wrong(self, fault: Fault, link: _Link, work: Callable[[], T]) -> T:
        match fault.kind:
            case "fail" | "uncommitted":
                raise _Failing("database is locked")
            case "odd":
                raise _Odd("UNIQUE constraint failed: nobody.knows")
            case "vanish":
                link.drop()
                raise _Failing("no active connection")
            case "lost":
                work()
                raise _Failing("disk I/O error")
            case "kill":
                self.die()
            case "kill after":
                work()
                self.die()
        await self._rest_in_peace()
        raise AssertionError("the dead do not answer")

    async def _rest_in_peace(self) -> None:
        if self._buried:
            raise _Failing("the process is gone")
        if self.died.done():
            await asyncio.get_running_loop().create_future()


class _Link:
    """A connection, with as much of aiosqlite's interface as SQLAlchemy and we use."""

    def __init__(self, disk: Disk, raw: sqlite3.Connection) -> None:
        self.disk, self._dropped = disk, False
        self.role: Role = "writer"
        self._conn = self._connection = raw
        self._tx = self

    @property
    def isolation_level(self) -> str | None:
        return self._conn.isolation_level

    @property
    def in_transaction(self) -> bool:
        return not self._dropped and self._conn.in_transaction

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do what the program has the thread of the connection do: a whole transaction, or a part of one."""
        what = "writes" if self.in_transaction else "COMMIT"
        return await self.disk.run(self, what, lambda: work(self._conn))

    def put_nowait(self, job: tuple[asyncio.Future[Any], Callable[[], Any]]) -> None:
        future, work = job
        future.set_result(work())

    def cursor(self) -> _Cursor:
        return _Cursor(self, self._conn.cursor())

    async def create_function(self, *args: Any, **options: Any) -> None:
        self._conn.create_function(*args, **options)

    async def commit(self) -> None:
        await self.disk.run(self, "COMMIT", self._conn.commit)

    async def rollback(self) -> None:
        if not self._dropped:
            self._conn.rollback()

    async def close(self) -> None:
        self.drop()

    def stop(self) -> None:
        self.drop()

    def drop(self) -> None:
        """Close it; a transaction that is under way is rolled back."""
        if not self._dropped:
            self._conn.rollback()  # closing alone would keep its locks as long as a cursor is alive
        self._dropped = True
        self._conn.close()


class _Cursor:
    arraysize = 1

    def __init__(self, link: _Link, raw: sqlite3.Cursor) -> None:
        self._link, self._raw = link, raw

    @property
    def description(self) -> Any:
        return self._raw.description

    @property
    def rowcount(self) -> int:
        return self._raw.rowcount

    @property
    def lastrowid(self) -> int | None:
        return self._raw.lastrowid

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, text: str, values: Sequence[Any] = ()) -> None:
        if "query_only" in text:
            self._link.role = "reader"
        if text.startswith("PRAGMA"):
            self._raw.execute(text)
            return
        await self._link.disk.run(self._link, _verb(text), lambda: self._raw.execute(text, values))

    async def executemany(self, text: str, rows: Sequence[Sequence[Any]]) -> None:
        await self._link.disk.run(self._link, _verb(text), lambda: self._raw.executemany(text, rows))

    async def fetchall(self) -> list[Any]:
        return self._raw.fetchall()

    async def close(self) -> None:
        self._raw.close()


def _verb(text: str) -> str:
    words = text.split(maxsplit=3)
    return " ".join(words[:3] if words[0] == "INSERT" else words[:1])


@contextmanager
def inserted() -> Iterator[dict[str, Disk]]:
    """Let engines of these paths connect to these disks; give the dictionary to put them into."""
    disks: dict[str, Disk] = {}

    def connecting(dialect: Any, record: Any, args: list[Any], options: dict[str, Any]) -> None:
        if args and args[0] in disks:
            options["async_creator_fn"] = disks[args[0]].connect

    event.listen(Engine, "do_connect", connecting)
    try:
        yield disks
    finally:
        event.remove(Engine, "do_connect", connecting)
