"""Lines that are answered together: decided one after the other in memory, then committed, then told.

Nothing of it leaves before the commit. If that fails, or a line meets something that cannot be decided so,
everything is as it was before, and the lines are answered one by one.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chatbot.ledger.books.unit import UnitOfWork
    from chatbot.tables.table import Table

log = structlog.get_logger(__name__)


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
