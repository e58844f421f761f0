"""The one who writes: what is asked for while a write is under way goes into the next transaction together.

A durable commit costs the same for one posting as for hundreds. So there is one writer, and each of its
transactions takes all that waits; who asked gets an answer of their own once it is on the disk.
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

Work: TypeAlias = Callable[[AsyncConnection], Awaitable[T]]
"""What needs a transaction of its own: whatever it raises undoes it."""

Many: TypeAlias = Callable[[AsyncConnection, Sequence[I]], Awaitable[Sequence[A | Exception]]]
"""Writes many items in one go and answers each; an exception among the answers is that item's alone."""

# Classes of SQLSTATE: lost connection, read only, out of resources, shutting down, system error.
_TROUBLE = {"08", "25", "53", "57", "58"}

MOST_TOGETHER = 1000  # items in one transaction: what a disk and a chat can both wait for
MOST_WAITING = 5000  # who asks beyond that waits to be heard, so that memory has an end


@dataclass(eq=False, slots=True)
class Companion:
    """What goes into the first transaction that somebody asks for; `written` once that is committed.

    It is `doubtful` from when that is to be committed: if the answer is lost, it may be written all the same.
    """

    work: Work[None]
    written: bool = False
    doubtful: bool = False
    awaited: bool = True  # whether somebody may still ask for the transaction into which it goes


_companion: ContextVar[Companion | None] = ContextVar("companion", default=None)


@contextmanager
def accompanied(work: Work[None]) -> Iterator[Companion]:
    """Have something written in one transaction with the first thing that is asked for here meanwhile.

    What it raises undoes that too, and is raised to whoever asked for that.
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
    """Let what is asked for here be written without what goes with the first thing that matters."""
    token = _companion.set(None)
    try:
        yield
    finally:
        _companion.reset(token)


def _waiting_companion() -> Companion | None:
    companion = _companion.get()
    return companion if companion is not None and companion.awaited and not companion.written else None


@dataclass(eq=False, slots=True)
class _Job:
    many: Many[Any, Any] | None  # None: the item is work that is done alone
    item: Any
    answer: asyncio.Future[Any]
    companion: Companion | None = field(default_factory=_waiting_companion)


class WriteQueue:
    """Works while there is something to write, and rests otherwise."""

    def __init__(self, engine: AsyncEngine, guard: Callable[[AsyncConnection], Awaitable[None]]) -> None:
        """`guard` lets a transaction write, or raises."""
        self._engine, self._guard = engine, guard
        self._waiting: deque[_Job] = deque()
        self._room = asyncio.Semaphore(MOST_WAITING)
        self._writing: asyncio.Task[None] | None = None
        self.well = True  # whether the database took the last transaction
        self.written = 0  # transactions so far

    async def write(self, work: Work[T]) -> T:
        """Do the work in a transaction of its own, after what was asked for before."""
        answer: T = await self._ask(None, work)
        return answer

    async def join(self, many: Many[I, A], item: I) -> A:
        """Write the item in one transaction with others that wait.

        Whoever is cancelled while waiting here does not stop what is in the queue, for a commit
        cannot be taken back: it is then written, or refused, but never left half-way.
        """
        answer: A = await self._ask(many, item)
        return answer

    async def settle(self) -> None:
        """Wait until nothing is left to write."""
        while self._writing is not None:
            await asyncio.wait([self._writing])

    async def _ask(self, many: Many[Any, Any] | None, item: object) -> Any:
        async with self._room:
            job = _Job(many, item, asyncio.get_running_loop().create_future())
            self._waiting.append(job)
            if self._writing is None:
                self._writing = asyncio.create_task(self._work())
            return await job.answer

    async def _work(self) -> None:
        try:
            while self._waiting:
                await self._serve(self._take())
        finally:
            self._writing = None
            while self._waiting:  # the loop itself is ending
                self._waiting.popleft().answer.cancel()

    def _take(self) -> list[_Job]:
        """Take one work, or as many items as stand before the next work."""
        taken = [self._waiting.popleft()]
        while taken[0].many and self._waiting and self._waiting[0].many and len(taken) < MOST_TOGETHER:
            taken.append(self._waiting.popleft())
        return taken

    async def _serve(self, jobs: list[_Job]) -> None:
        try:
            answers = await self._transact(jobs)
            self.well, self.written = True, self.written + 1
        except Exception as error:  # noqa: BLE001  (who asked shall have it)
            self.well = not hopeless(error)
            if len(jobs) > 1 and not hopeless(error):
                for job in jobs:  # one of them is at fault: the others must not suffer
                    await self._serve([job])
                return
            answers = [error] * len(jobs)
        except BaseException:
            for job in jobs:
                job.answer.cancel()
            raise
        for job, answer in zip(jobs, answers, strict=True):
            _give(job.answer, answer)

    async def _transact(self, jobs: list[_Job]) -> list[Any]:
        companions = _unwritten(jobs)
        async with self._engine.begin() as connection:
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
    """List the companions of some jobs, each once, that no transaction before has taken along."""
    companions = dict.fromkeys(job.companion for job in jobs if job.companion is not None)
    return [each for each in companions if not each.written]


async def _answers(connection: AsyncConnection, jobs: Sequence[_Job]) -> list[Any]:
    """Do one work, or write many items, each kind of them in one go."""
    if jobs[0].many is None:
        return [await jobs[0].item(connection)]
    answers: dict[_Job, Any] = {}
    for many in sorted({job.many for job in jobs}, key=_name):
        group = [job for job in jobs if job.many == many]
        items = [job.item for job in group]
        answers.update(zip(group, await _written(connection, many, items), strict=True))
    return [answers[job] for job in jobs]


def hopeless(error: Exception) -> bool:
    """Whether the database itself is in trouble, so that trying again at once would be no better."""
    if isinstance(error, DBAPIError):
        state = str(getattr(error.orig, "sqlstate", None) or "")  # a server's; SQLite has none
        if error.connection_invalidated or state[:2] in _TROUBLE:
            return True
    return isinstance(error, OperationalError | InterfaceError | OSError)


def _name(many: Many[Any, Any] | None) -> str:
    """Order the kinds of items: two processes that took them in two orders would wait in a circle."""
    return f"{many.__module__}.{many.__qualname__}" if isinstance(many, FunctionType) else ""


async def _written(
    connection: AsyncConnection, many: Many[Any, Any] | None, items: list[Any]
) -> Iterable[Any]:
    assert many is not None  # a work is never among items  # noqa: S101
    return await many(connection, items)


def _give(future: asyncio.Future[Any], answer: object) -> None:
    if future.done():  # whoever asked has been cancelled
        return
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)
