"""What waits to be done in a room, one after the other as it came, and lines that are answered together."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import structlog

if TYPE_CHECKING:
    from chatbot.ledger.books.unit import UnitOfWork
    from chatbot.tables.table import Table

T = TypeVar("T")

Serve: TypeAlias = Callable[[Sequence[Any]], Awaitable[None]]
"""Does what all these items ask for; whatever it raises is raised to each who waits."""

MOST_TOGETHER = 250  # items that are taken at once: the first of them waits for the last

log = structlog.get_logger(__name__)


@dataclass(eq=False, slots=True)
class _Job:
    serve: Serve | None  # None: the item is work that is done alone
    item: Any
    done: asyncio.Future[None]


class Inbox:
    """Works while something waits. Whoever is cancelled while waiting does not stop what is in it."""

    def __init__(self) -> None:
        self._waiting: deque[_Job] = deque()
        self._worker: asyncio.Task[None] | None = None

    async def together(self, serve: Serve, item: Any) -> None:
        """Let an item be served, with those of the same kind that came just before and after it."""
        await self._ask(serve, item)

    async def alone(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do some work behind all that came before."""
        await self._ask(None, work)

    async def _ask(self, serve: Serve | None, item: Any) -> None:
        job = _Job(serve, item, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        if self._worker is None:
            self._worker = asyncio.create_task(self._work())
        await asyncio.shield(job.done)

    async def _work(self) -> None:
        try:
            while self._waiting:
                await _serve(self._take())
        finally:
            self._worker = None
            while self._waiting:  # the loop itself is ending
                self._waiting.popleft().done.cancel()

    def _take(self) -> list[_Job]:
        taken = [self._waiting.popleft()]
        while taken[0].serve and self._waiting and len(taken) < MOST_TOGETHER:
            if self._waiting[0].serve != taken[0].serve:
                break
            taken.append(self._waiting.popleft())
        return taken


async def _serve(jobs: Sequence[_Job]) -> None:
    serve = jobs[0].serve
    try:
        await (jobs[0].item() if serve is None else serve([job.item for job in jobs]))
    except Exception as error:  # noqa: BLE001  (who asked shall have it)
        for job in jobs:
            job.done.set_exception(error)
    except BaseException:
        for job in jobs:
            job.done.cancel()
        raise
    else:
        for job in jobs:
            job.done.set_result(None)


class Alone(Exception):  # noqa: N818  (what is to be done)
    """A line has to be answered by itself, and not in a batch."""


class Batch:
    """`full` says that the next line needs what comes after the commit, such as the number of a new table."""

    def __init__(self, unit: UnitOfWork) -> None:
        self.unit, self.full = unit, False
        self._then: list[Callable[[], Awaitable[None]]] = []
        self._undo: list[Callable[[], object]] = []
        self._tables: dict[str, Table] = {}
        self._held = AsyncExitStack()

    def then(self, work: Callable[[], Awaitable[None]]) -> None:
        """Have something done when all is committed, in the order of asking."""
        self._then.append(work)

    def undo(self, work: Callable[[], object]) -> None:
        """Have a change in memory taken back if nothing is committed."""
        self._undo.append(work)

    async def hold(self, table: Table) -> None:
        """Let nobody else play at a table until all is told or taken back."""
        if table.id not in self._tables:
            self._tables[table.id] = table
            await self._held.enter_async_context(table.alone)
            self._undo.append(table.remembered())

    async def commit(self) -> None:
        await self.unit.commit()
        self._undo.clear()

    async def take_back(self) -> None:
        """Be as before the first line."""
        for work in reversed(self._undo):
            work()
        self._undo.clear()
        self._then.clear()
        await self._held.aclose()

    async def doubt(self) -> None:
        """Be as before, but know that all of it may have been written: the journals of the tables tell."""
        tables = [*self._tables.values()]
        await self.take_back()
        for table in tables:
            table.doubt()

    async def tell(self) -> None:
        """Do what waited for the commit; what fails of it keeps nothing else from being done."""
        try:
            for work in self._then:
                await _done(work)
        finally:
            await self._held.aclose()


async def _done(work: Callable[[], Awaitable[None]]) -> None:
    try:
        await work()
    except Exception:
        log.exception("what is committed could not be followed up")
