"""Queues writes: everything requested while a transaction is running goes into the next one together.

A durable commit costs the same for one unit as for hundreds. So there is one writer, each of whose
transactions takes all waiting units; every caller gets its own answer once the transaction is committed.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from chatbot.ledger.store.leases import NotOwner
from chatbot.ledger.store.writes import (
    Contradiction,
    Unit,
    as_contradiction,
    as_sqlalchemy,
    driver_of,
    execute,
    merge,
    transact_on,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy.ext.asyncio import AsyncEngine

    from chatbot.ledger.store.leases import Leases


T = TypeVar("T")

WriteWork: TypeAlias = Callable[[AsyncConnection], Awaitable[T]]
"""A write that needs a transaction of its own; an exception rolls it back."""

OnDone: TypeAlias = Callable[[Exception | None], object]
"""Called once with the error of a write, or None, as soon as its transaction has ended."""


class Writer(Protocol):
    """Runs works in a transaction each: the store, or a batch that has more to write with the first."""

    async def write(self, work: WriteWork[T], *, homes: Collection[str] | None = None) -> T:
        """Run a work in a transaction that is refused unless this process owns these communities.

        None: all that it says to own. Raises what the work raises.
        """


# Classes of SQLSTATE: lost connection, read only, out of resources, shutting down, system error.
_UNAVAILABLE = {"08", "25", "53", "57", "58"}

MOST_TOGETHER = 1000  # units in one transaction: others, and the answers to these, wait until all are written
MOST_WAITING = 5000  # queued writes, so that a raid fits; further callers wait outside, which bounds memory


@dataclass(eq=False, slots=True)
class _Job:
    work: WriteWork[Any] | None  # with a transaction of its own; None: it is a unit
    guard: Unit
    unit: Unit
    on_done: OnDone
    answer: asyncio.Future[Any]


class WriteQueue:
    """Runs the writes of one engine in order, by a task that exists while writes are queued."""

    def __init__(self, engine: AsyncEngine, leases: Leases) -> None:
        """Create an idle queue; each of its transactions begins with the guard of the leases."""
        self._engine, self._leases = engine, leases
        self._connection: AsyncConnection | None = None  # that is kept, on SQLite
        self._waiting: deque[_Job] = deque()
        self._running: list[_Job] = []  # in the present transaction
        self._places = asyncio.Semaphore(MOST_WAITING)
        self._task: asyncio.Task[None] | None = None
        self.well = True  # whether the database took the last transaction
        self.written = 0  # transactions so far

    async def write(
        self, work: WriteWork[T], homes: Collection[str] | None, decide: Callable[[], Unit], on_done: OnDone
    ) -> T:
        """Run `work` in a transaction of its own, after all earlier requests; raises what it raises.

        The transaction begins with a unit, as in `commit`; with the communities `homes` it is as there, too.

        A caller that is cancelled while it waits does not stop the write, because a commit cannot be undone:
        it is then written or refused as a whole.
        """
        async with self._places:
            answer: T = await self._enqueue(work, homes, decide, on_done)
            return answer

    async def commit(
        self, homes: Collection[str] | None, decide: Callable[[], Unit], on_done: OnDone
    ) -> None:
        """Write a unit in one transaction with others that wait; otherwise as `write`.

        It is refused unless this process owns the communities `homes`; None: all that it says to own; an
        empty collection: it needs none. `decide` returns its writes once there is a place; units are written
        in the order of these calls.

        Raises:
            NotOwner: it does not own them; if that is known before, neither `decide` nor `on_done` is called.
            Contradiction: the database is not as it was when the unit was decided.
        """
        async with self._places:  # which does not wait while there are places
            await self._enqueue(None, homes, decide, on_done)

    async def reach(self) -> None:
        """Wait until what is queued now is written, or refused; not for what comes meanwhile."""
        jobs = [*self._running, *self._waiting]
        if jobs:
            await asyncio.wait([jobs[-1].answer])

    async def settle(self) -> None:
        """Wait until the queue is empty."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def close(self) -> None:
        """Wait until the queue is empty, and close the connection that is kept."""
        await self.settle()
        if self._connection is not None:
            connection, self._connection = self._connection, None
            with suppress(SQLAlchemyError, ValueError):  # it is closed
                await connection.close()

    def _enqueue(
        self,
        work: WriteWork[Any] | None,
        homes: Collection[str] | None,
        decide: Callable[[], Unit],
        on_done: OnDone,
    ) -> asyncio.Future[Any]:
        guard = self._leases.guard(homes) if homes is None or homes else ()
        job = _Job(work, guard, decide(), on_done, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        if self._task is None:
            self._task = asyncio.create_task(self._drain())
        return job.answer

    async def _drain(self) -> None:
        try:
            while self._waiting:
                self._running = self._next_jobs()
                await self._run(self._running)
                self._running = []
        finally:
            self._task, self._running = None, []
            while self._waiting:  # the loop itself is ending
                self._waiting.popleft().answer.cancel()

    def _next_jobs(self) -> list[_Job]:
        """Take one work, or up to `MOST_TOGETHER` units that precede the next one."""
        jobs = [self._waiting.popleft()]
        while not jobs[0].work and self._waiting and not self._waiting[0].work and len(jobs) < MOST_TOGETHER:
            jobs.append(self._waiting.popleft())
        return jobs

    async def _run(self, jobs: list[_Job]) -> None:
        try:
            answers = await self._transact(jobs)
            self.well, self.written = True, self.written + 1
        except NotOwner as error:
            if len(jobs) > 1:  # of one home, but the others may be ours
                for job in jobs:
                    await self._run([job])
                return
            self._leases.refused(jobs[0].guard)
            answers = [error]
        except Exception as error:  # noqa: BLE001  (passed to the callers)
            self.well = not is_unavailable(error)
            if _collides(error) and jobs[0].work is None:
                error = as_contradiction(error)
            answers = [error] * len(jobs)
        except BaseException:
            for job in jobs:
                job.answer.cancel()
            raise
        for job, answer in zip(jobs, answers, strict=True):
            job.on_done(answer if isinstance(answer, Exception) else None)
            _resolve(job.answer, answer)

    async def _transact(self, jobs: Sequence[_Job]) -> Sequence[object]:
        work, units = jobs[0].work, [job.unit for job in jobs]
        guard = jobs[0].guard if len(jobs) == 1 else merge([job.guard for job in jobs])
        if self._engine.dialect.name != "sqlite":
            async with self._engine.begin() as connection:
                return await _in(connection, guard, work, units)
        connection = await self._kept()
        try:
            if work is None:
                return await _in_one_call(connection, guard, units)
            async with connection.begin():
                return await _in(connection, guard, work, units)
        except BaseException as error:
            if await _is_unusable(connection, error):
                await self._drop()
            raise

    async def _kept(self) -> AsyncConnection:
        if self._connection is None:
            self._connection = await self._engine.connect()
        return self._connection

    async def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(SQLAlchemyError, ValueError):  # it is closed
                await connection.invalidate()
                await connection.close()


async def _in(
    connection: AsyncConnection, guard: Unit, work: WriteWork[Any] | None, units: Sequence[Unit]
) -> Sequence[object]:
    """Write units, or one and then a work, in the transaction of the caller, which begins with a guard."""
    if guard:
        try:
            await execute(connection, guard)
        except Contradiction as error:
            raise NotOwner from error
    if work is not None:
        try:
            await execute(connection, units[0])
        except IntegrityError as error:
            raise as_contradiction(error) from error
        return [await work(connection)]
    if len(units) > 1 and await _savepoint(connection, merge(units)) is None:
        return [None] * len(units)
    # One of them contradicts the database, or builds on another one.
    return [await _savepoint(connection, each) for each in units]


async def _in_one_call(connection: AsyncConnection, guard: Unit, units: Sequence[Unit]) -> Sequence[object]:
    """Do the same with units on SQLite, by one call in the thread of the connection."""
    driver = await driver_of(connection)
    try:
        answers: Sequence[object] = await driver.run(partial(transact_on, guard=guard, units=units))
    except Contradiction as error:
        raise NotOwner from error
    except sqlite3.Error as error:
        raise as_sqlalchemy(error) from error
    return answers


async def _is_unusable(connection: AsyncConnection, error: BaseException) -> bool:
    """Whether a connection to SQLite is lost, or left in a transaction whose very end has failed."""
    if isinstance(error, ValueError) or (isinstance(error, DBAPIError) and error.connection_invalidated):
        return True
    try:
        return bool((await driver_of(connection)).in_transaction)
    except (SQLAlchemyError, ValueError):
        return True


async def _savepoint(connection: AsyncConnection, unit: Unit) -> Contradiction | None:
    """Write a unit, or nothing of it, in the transaction of the caller."""
    try:
        async with connection.begin_nested():
            await execute(connection, unit)
    except (Contradiction, IntegrityError) as error:
        return as_contradiction(error)
    return None


def _collides(error: Exception) -> bool:
    """Whether the database has undone a transaction because of another one."""
    state = str(getattr(getattr(error, "orig", None), "sqlstate", None) or "")
    return state[:2] == "40"


def is_unavailable(error: Exception) -> bool:
    """Return whether the database itself failed, so that an immediate retry would fail too."""
    if isinstance(error, DBAPIError):
        state = str(getattr(error.orig, "sqlstate", None) or "")  # of PostgreSQL; SQLite has none
        if error.connection_invalidated or state[:2] in _UNAVAILABLE:
            return True
    return isinstance(error, OperationalError | InterfaceError | OSError)


def _resolve(future: asyncio.Future[Any], answer: object) -> None:
    if future.done():  # the caller was cancelled
        return
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)
