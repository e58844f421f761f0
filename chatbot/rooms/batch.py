"""Batches of lines that are decided in memory and written with one commit."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chatbot.ledger.books.unit import UnitOfWork
    from chatbot.rooms.table import Table

log = structlog.get_logger(__name__)


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
