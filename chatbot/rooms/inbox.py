"""The queue of a room, whose items are handled in order, and batches of lines with a common commit."""

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

# `Any`: a queue holds items of several types; `Inbox.together` ties each item to its handler.
Serve: TypeAlias = Callable[[Sequence[Any]], Awaitable[None]]
"""Handles several items; an exception is raised to the caller of each."""

MOST_TOGETHER = 250  # items that are handled at once: the first of them waits for the last
GATHERING = 0.1  # seconds after a crowd was handled in which the next one gathers

log = structlog.get_logger(__name__)


@dataclass(eq=False, slots=True)
class _Job:
    serve: Serve
    item: object
    done: asyncio.Future[None]


class Inbox:
    """A queue with one worker task, which runs while something waits.

    Cancelling a caller does not cancel its item.
    """

    def __init__(self) -> None:
        self._waiting: deque[_Job] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._gathers = False

    async def together(self, serve: Callable[[Sequence[T]], Awaitable[None]], item: T) -> None:
        """Handle an item, in one call with its neighbours in the queue that have the same handler."""
        await self._put(serve, item)

    async def alone(self, work: Callable[[], Awaitable[None]]) -> None:
        """Run work after everything that is in the queue already."""
        await self._put(lambda _: work(), None)  # a new function equals no other, so it is never merged

    def gather(self) -> None:
        """Wait for `GATHERING` seconds before the next items are handled, so that more of them share a call.

        PostgreSQL delays commits for the same reason (`commit_delay`).
        """
        self._gathers = True

    async def _put(self, serve: Serve, item: object) -> None:
        job = _Job(serve, item, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        if self._worker is None:
            self._worker = asyncio.create_task(self._work())
        await job.done

    async def _work(self) -> None:
        try:
            while self._waiting:
                await _serve(self._take())
                if self._gathers:
                    self._gathers = False
                    await asyncio.sleep(GATHERING)
        finally:
            self._worker = None
            while self._waiting:  # the event loop is closing
                self._waiting.popleft().done.cancel()

    def _take(self) -> list[_Job]:
        taken = [self._waiting.popleft()]
        while self._waiting and len(taken) < MOST_TOGETHER:
            if self._waiting[0].serve != taken[0].serve:
                break
            taken.append(self._waiting.popleft())
        return taken


async def _serve(jobs: Sequence[_Job]) -> None:
    try:
        await jobs[0].serve([job.item for job in jobs])
    except Exception as error:  # noqa: BLE001  (it is raised to the callers)
        for job in jobs:
            if not job.done.cancelled():
                job.done.set_exception(error)
    except BaseException:
        for job in jobs:
            job.done.cancel()
        raise
    else:
        for job in jobs:
            if not job.done.cancelled():  # its caller does not wait any more
                job.done.set_result(None)


class NotBatchable(Exception):  # noqa: N818  (a condition, not an error)
    """A line cannot be answered in a batch, only with a commit of its own."""


class Batch:
    """Lines that are decided in memory and written in one transaction.

    Nothing is said before the commit. If that fails, or a line cannot be decided so, everything in memory is
    as it was before, and each line is answered with a commit of its own.

    `full` says that the next line depends on what follows the commit, such as the id of a new table.
    """

    def __init__(self, unit: UnitOfWork) -> None:
        self.unit, self.full = unit, False
        self._then: list[Callable[[], Awaitable[None]]] = []
        self._undo: list[Callable[[], object]] = []
        self._tables: dict[str, Table] = {}
        self._held = AsyncExitStack()

    def then(self, work: Callable[[], Awaitable[None]]) -> None:
        """Register work to do after the commit, in the order of registration."""
        self._then.append(work)

    def undo(self, work: Callable[[], object]) -> None:
        """Register work that reverts a change in memory if the batch is not committed."""
        self._undo.append(work)

    async def hold(self, table: Table) -> None:
        """Lock a table until the batch is reported or reverted, and register how to restore its state."""
        if table.id not in self._tables:
            self._tables[table.id] = table
            await self._held.enter_async_context(table.lock)
            self._undo.append(table.snapshot())

    async def commit(self) -> None:
        """Write everything in one transaction.

        Raises:
            LostAnswer: it is not known whether the transaction was committed.
        """
        await self.unit.commit()
        self._undo.clear()

    async def take_back(self) -> None:
        """Restore everything in memory to the state before the first line, and unlock the tables."""
        for work in reversed(self._undo):
            work()
        self._undo.clear()
        self._then.clear()
        await self._held.aclose()

    async def doubt(self) -> None:
        """Restore the state as `take_back` does, but have the tables read their journals before they go on.

        For a commit of which it is not known whether it succeeded.
        """
        tables = [*self._tables.values()]
        await self.take_back()
        for table in tables:
            table.doubt()

    async def tell(self) -> None:
        """Do the work that waited for the commit; a failure is logged and does not stop the rest."""
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
