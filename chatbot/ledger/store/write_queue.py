"""Queues writes: everything requested while a transaction is running goes into the next one together.

A durable commit costs the same for one posting as for hundreds. So there is one writer, each of whose
transactions takes all waiting items; every caller gets its own answer once the transaction is committed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy.ext.asyncio import AsyncEngine

T = TypeVar("T")
I = TypeVar("I")  # noqa: E741  (an item)
A = TypeVar("A")

WriteWork: TypeAlias = Callable[[AsyncConnection], Awaitable[T | Exception]]
"""A write that needs a transaction of its own; an exception rolls it back, unless it is returned.

One that is returned is raised where the write was asked for, after the commit."""

Many: TypeAlias = Callable[[AsyncConnection, Sequence[I]], Awaitable[Sequence[A | Exception]]]
"""Writes many items at once and returns an answer for each; an exception among them is that of one item."""

# Classes of SQLSTATE: lost connection, read only, out of resources, shutting down, system error.
_UNAVAILABLE = {"08", "25", "53", "57", "58"}

MOST_TOGETHER = 1000  # items in one transaction: others, and the answers to these, wait until all are written
MOST_WAITING = 5000  # queued writes, so that a raid fits; further callers wait outside, which bounds memory


@dataclass(eq=False, slots=True)
class Companion:
    """A write that goes into the first transaction that is requested in its context.

    It is `written` once that is committed, and `doubtful` from just before the commit: if the answer to the
    commit is lost, it may be written all the same.
    """

    work: WriteWork[None]
    written: bool = False
    doubtful: bool = False
    awaited: bool = True  # whether the transaction into which it goes may still be requested


_companion: ContextVar[Companion | None] = ContextVar("companion", default=None)


@contextmanager
def accompanied(work: WriteWork[None]) -> Iterator[Companion]:
    """Write something in one transaction with the first write that is requested within the context.

    An exception of `work` rolls back that write too, and is raised to its caller.
    """
    companion = Companion(work)
    token = _companion.set(companion)
    try:
        yield companion
    finally:
        companion.awaited = False
        _companion.reset(token)


@contextmanager
def unaccompanied() -> Iterator[None]:
    """Write what is requested within the context without the companion of an outer context."""
    token = _companion.set(None)
    try:
        yield
    finally:
        _companion.reset(token)


def _waiting_companion() -> Companion | None:
    companion = _companion.get()
    return companion if companion is not None and companion.awaited and not companion.written else None


# The queue holds items and answers of different types, which only `write` and `join` relate.
_Kind: TypeAlias = Many[Any, Any]


@dataclass(eq=False, slots=True)
class _Job:
    many: _Kind | None  # None: the item is a `Work`, with a transaction of its own
    item: Any
    answer: asyncio.Future[Any]
    companion: Companion | None = field(default_factory=_waiting_companion)


class WriteQueue:
    """Runs the writes of one engine in order, by a task that exists while writes are queued."""

    def __init__(self, engine: AsyncEngine, guard: Callable[[AsyncConnection], Awaitable[None]]) -> None:
        """Create an idle queue; `guard` is called first in each transaction, and raises to refuse it."""
        self._engine, self._guard = engine, guard
        self._waiting: deque[_Job] = deque()
        self._places = asyncio.Semaphore(MOST_WAITING)
        self._task: asyncio.Task[None] | None = None
        self.well = True  # whether the database took the last transaction
        self.written = 0  # transactions so far

    async def write(self, work: WriteWork[T]) -> T:
        """Run `work` in a transaction of its own, after all earlier requests; raises what it raises."""
        answer: T = await self._ask(None, work)
        return answer

    async def join(self, many: Many[I, A], item: I) -> A:
        """Write an item in one transaction with other waiting items, and return its answer.

        A caller that is cancelled while it waits does not stop the write, because a commit cannot be undone:
        the item is then written or refused as a whole.
        """
        answer: A = await self._ask(many, item)
        return answer

    async def settle(self) -> None:
        """Wait until the queue is empty."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def _ask(self, many: _Kind | None, item: object) -> Any:
        async with self._places:
            job = _Job(many, item, asyncio.get_running_loop().create_future())
            self._waiting.append(job)
            if self._task is None:
                self._task = asyncio.create_task(self._drain())
            return await job.answer

    async def _drain(self) -> None:
        try:
            while self._waiting:
                await self._run(self._next_jobs())
        finally:
            self._task = None
            while self._waiting:  # the loop itself is ending
                self._waiting.popleft().answer.cancel()

    def _next_jobs(self) -> list[_Job]:
        """Take one `Work`, or up to `MOST_TOGETHER` items that precede the next one."""
        taken = [self._waiting.popleft()]
        while taken[0].many and self._waiting and self._waiting[0].many and len(taken) < MOST_TOGETHER:
            taken.append(self._waiting.popleft())
        return taken

    async def _run(self, jobs: list[_Job]) -> None:
        try:
            answers = await self._transact(jobs)
            self.well, self.written = True, self.written + 1
        except Exception as error:  # noqa: BLE001  (passed to the callers)
            self.well = not is_unavailable(error)
            if len(jobs) > 1 and not is_unavailable(error):
                # Not where the database itself fails: then each of a thousand would fail too, after a timeout
                # of its own.
                for job in jobs:  # one of them failed; the others are written separately
                    await self._run([job])
                return
            answers = [error] * len(jobs)
        except BaseException:
            for job in jobs:
                job.answer.cancel()
            raise
        for job, answer in zip(jobs, answers, strict=True):
            _resolve(job.answer, answer)

    async def _transact(self, jobs: list[_Job]) -> list[object]:
        companions = _unwritten(jobs)
        async with self._engine.begin() as connection:
            # First, since on PostgreSQL it takes the lock under which another process can not take over our
            # rooms.
            await self._guard(connection)
            for companion in companions:
                await companion.work(connection)
            answers = await _answers(connection, jobs)
            for companion in companions:
                companion.doubtful = True
        for companion in companions:
            companion.written = True
        return answers


def _unwritten(jobs: Sequence[_Job]) -> list[Companion]:
    """List the companions of jobs that no earlier transaction has written, each once."""
    companions = dict.fromkeys(job.companion for job in jobs if job.companion is not None)
    return [each for each in companions if not each.written]


async def _answers(connection: AsyncConnection, jobs: Sequence[_Job]) -> list[object]:
    """Run one `Work`, or write all items, those of the same kind at once."""
    if jobs[0].many is None:
        return [await jobs[0].item(connection)]
    answers: dict[_Job, object] = {}
    for many in sorted({job.many for job in jobs}, key=_name):
        group = [job for job in jobs if job.many == many]
        items = [job.item for job in group]
        answers.update(zip(group, await _written(connection, many, items), strict=True))
    return [answers[job] for job in jobs]


def is_unavailable(error: Exception) -> bool:
    """Return whether the database itself failed, so that an immediate retry would fail too."""
    if isinstance(error, DBAPIError):
        state = str(getattr(error.orig, "sqlstate", None) or "")  # of PostgreSQL; SQLite has none
        if error.connection_invalidated or state[:2] in _UNAVAILABLE:
            return True
    return isinstance(error, OperationalError | InterfaceError | OSError)


def _name(many: _Kind | None) -> str:
    """Return the sort key of a kind of items: processes that use different orders could deadlock."""
    return f"{many.__module__}.{many.__qualname__}" if isinstance(many, FunctionType) else ""


async def _written(connection: AsyncConnection, many: _Kind | None, items: list[object]) -> Iterable[object]:
    assert many is not None  # a work is never among items  # noqa: S101
    return await many(connection, items)


def _resolve(future: asyncio.Future[Any], answer: object) -> None:
    if future.done():  # the caller was cancelled
        return
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)
