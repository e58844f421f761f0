"""Lines that are decided together: a unit of work, and what follows from it in memory and for people."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, TypeVar

import structlog

from chatbot.ledger.books.posting import LostAnswer
from chatbot.ledger.store.writes import Contradiction

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection
    from contextlib import AbstractAsyncContextManager

    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.books.unit import UnitOfWork
    from chatbot.ledger.store.write_queue import WriteWork
    from chatbot.rooms.table_protocol import Table

T = TypeVar("T")

MOST_ATTEMPTS = 5  # to decide something again that the database has contradicted: so many are no accident

log = structlog.get_logger(__name__)


class Batch:
    """One or more lines, or a step of the clock, that are decided in memory and written in one transaction.

    Nothing is said before the commit. If that fails, or something cannot be decided, everything in memory is
    as it was before.

    `full` says that the next line depends on what follows the commit, such as the id of a new table.
    """

    def __init__(self, unit: UnitOfWork) -> None:
        self.unit, self.full = unit, False
        self.wrote = False  # whether a part of it is written already
        self._then: list[Callable[[], Awaitable[object] | None]] = []
        self._undo: list[Callable[[], object]] = []
        self._tables: dict[str, Table] = {}
        self._contexts = AsyncExitStack()

    def then(self, work: Callable[[], Awaitable[object] | None]) -> None:
        """Register work to do after the commit, in the order of registration; what it returns is awaited."""
        self._then.append(work)

    def undo(self, work: Callable[[], object]) -> None:
        """Register work that reverts a change in memory if the batch is not committed."""
        self._undo.append(work)

    async def enter(self, context: AbstractAsyncContextManager[T]) -> T:
        """Enter a context, which is left when the batch is reported or reverted."""
        return await self._contexts.enter_async_context(context)

    async def hold(self, table: Table) -> None:
        """Lock a table until the batch is reported or reverted, and register how to restore its state.

        Raises:
            Closed, BrokenGame: its journal had to be read, and says that it is over, or cannot be played.
        """
        if table.id not in self._tables:
            await self.enter(table.lock)
            self._tables[table.id] = table
            await table.catch_up()
            self._undo.append(table.snapshot())

    async def write(self, work: WriteWork[T], *, homes: Collection[str] | None = None) -> T:
        """Run a work in one transaction with everything that is decided, which cannot be reverted any more.

        It is refused unless this process owns the communities `homes`; None: all that it says to own.

        Raises:
            Contradiction: the database is not as it was when this was decided.
            Exception: what the work raises; nothing is written, and what is decided remains to be.
        """
        result = await self.unit.write(work, homes=homes)
        self._undo.clear()
        self.wrote = True
        return result

    async def commit(self) -> None:
        """Write everything that is decided in one transaction, which cannot be reverted any more.

        Raises:
            Contradiction: the database is not as it was when this was decided.
            LostAnswer: it is not known whether the transaction was committed.
        """
        await self.unit.commit()
        self._undo.clear()
        self.wrote = True

    async def take_back(self, error: BaseException) -> None:
        """Restore everything in memory to the state before the first line, and unlock the tables.

        If the error says that memory was wrong, or that the transaction may have been committed, as that of
        who is cancelled does, the tables read their journals before they go on.
        """
        for work in reversed(self._undo):
            work()
        self._undo.clear()
        self._then.clear()
        if isinstance(error, Contradiction | LostAnswer) or not isinstance(error, Exception):
            for table in self._tables.values():
                table.doubt()
        await self._contexts.aclose()

    async def tell(self) -> None:
        """Do the work that waited for the commit; a failure is logged and does not stop the rest."""
        try:
            for work in self._then:
                try:
                    if (rest := work()) is not None:
                        await rest
                except Exception:
                    log.exception("what is committed could not be followed up")
        finally:
            await self._contexts.aclose()


async def carry_out(ledger: Ledger, decide: Callable[[Batch], Awaitable[object]]) -> None:
    """Decide something by itself, write it and report it; what the database contradicts is decided again.

    Raises:
        LostAnswer: it is not known whether the transaction was committed.
        Exception: what `decide` raises; nothing is written.
    """
    for attempt in range(1, MOST_ATTEMPTS + 1):
        batch = Batch(ledger.unit(wary=attempt > 1))
        try:
            await decide(batch)
            await batch.commit()
        except Contradiction as error:
            await batch.take_back(error)
            if attempt == MOST_ATTEMPTS:
                raise
        except BaseException as error:
            await batch.take_back(error)
            raise
        else:
            await batch.tell()
            return
