"""The timer of a table, which ends its phases and tries again what could not be written.

The end of a phase comes through the inbox of the room, after all lines that arrived before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Clock, Refusal, Timeout
from chatbot.ledger.books.posting import Entry
from chatbot.rooms.batch import carry_out
from chatbot.rooms.table import BrokenGame, Cause

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from contextlib import AbstractAsyncContextManager

    from chatbot.ledger.books.unit import UnitOfWork
    from chatbot.rooms.batch import Batch
    from chatbot.rooms.table import Table
    from chatbot.runtime.clock import Alarm

RETRY_DELAY = 5.0  # seconds until a step of the clock that could not be written is tried again
MOST_RETRIES = 60  # of a step of the clock, five minutes, after which the stakes are returned instead
KEPT_OPEN = 1.0  # seconds until it is asked again whether a phase may end that is kept open
# Seconds of them at most. Bets are on for at most 30 s where a phase is short, and a platform ends them by
# itself then: whether it says so or cannot be reached, nobody can bet any more when this has passed.
MOST_KEPT_OPEN = 30.0

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Fill:
    """What players of the house do at the end of a phase, and what the house lends them for it."""

    actions: tuple[object, ...] = ()
    lent: tuple[Entry, ...] = ()


class PhaseTimer:
    """The timer of the present phase of a table.

    `fill(table, unit)` is entered while a phase is ended: what it returns happens in the same step, before
    the end. `keeps_open(table)` is awaited when a phase runs out, which goes on for a while where it says so.
    `clock` is None when the table is over, or its timer was stopped; `deadline` is on the watch of the table.
    """

    def __init__(
        self,
        table: Table,
        fill: Callable[[Table, UnitOfWork], AbstractAsyncContextManager[Fill]] | None,
        keeps_open: Callable[[Table], Awaitable[bool]] | None,
    ) -> None:
        self._table, self._fill, self._keeps_open = table, fill, keeps_open
        self.clock: Clock | None = None
        self.deadline: float | None = None
        self._failures = 0  # of the present step of the clock
        self._prolonged = 0.0  # seconds by which the present phase was kept open
        self._alarm: Alarm | None = None

    def enter(self, clock: Clock | None) -> None:
        """Enter a phase, whose time begins with `start`."""
        self.stop()
        self.clock, self._prolonged = clock, 0.0

    async def start(self, clock: Clock | None) -> None:
        """Begin the time of a phase, unless another one was entered meanwhile."""
        if clock is not None and clock is self.clock:
            self.ring(clock, clock.seconds)

    def succeeded(self) -> None:
        """Note that a step was possible."""
        self._failures = 0

    def ring(self, clock: Clock, seconds: float) -> None:
        """End a phase in so many seconds."""
        if self._table.frozen:
            return
        if self._alarm is not None:
            self._alarm.cancel()
        watch = self._table.watch
        self.deadline = watch.now() + seconds
        self._alarm = watch.ring(seconds, partial(self.time_out, clock))

    def stop(self) -> None:
        """Stop the timer: no phase ends by it any more."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm, self.clock, self.deadline = None, None, None

    def snapshot(self) -> Callable[[], None]:
        """Return a function that restores the present state."""
        clock, deadline, failures = self.clock, self.deadline, self._failures

        def restore() -> None:
            self._failures = failures
            if clock != self.clock:
                self.stop()
                self.clock = clock
                if clock is not None and deadline is not None:
                    self.ring(clock, max(deadline - self._table.watch.now(), 0.0))

        return restore

    async def time_out(self, clock: Clock) -> None:
        """End a phase after all lines that arrived before its end."""
        # The inbox first, then the lock, as for lines: the other way round a line that waits for the lock
        # would hold the inbox that this one waits for.
        await self._table.room.inbox.alone(partial(self._run_out, clock))

    async def _run_out(self, clock: Clock) -> None:
        try:
            if clock != self.clock or self._table.frozen:
                return  # another step has ended the phase
            if await self._goes_on():
                self.ring(clock, KEPT_OPEN)
                return
            await carry_out(self._table.ledger, partial(self._end_phase, clock=clock))
        except Refusal:
            return  # somebody else has ended it
        except BrokenGame:
            await self._void_broken(clock)
        except Exception:
            if self._table.over:  # somebody else has ended it: there is nothing left to play
                return
            log.exception("the clock could not play", table=self._table.id, phase=clock.phase)
            await self._retry_later(clock)

    async def _end_phase(self, batch: Batch, clock: Clock) -> None:
        table = self._table
        await batch.hold(table)
        if clock != self.clock or table.frozen:
            return  # another step has ended the phase, also according to the journal
        fill = Fill() if self._fill is None else await batch.enter(self._fill(table, batch.unit))
        await table.play(batch, [*fill.actions, Timeout(clock)], Cause(lent=fill.lent))

    async def _void_broken(self, clock: Clock) -> None:
        """Void the table, or try to end the phase again later."""
        try:
            await self._table.void()
        except (SQLAlchemyError, OSError):
            log.exception("a broken table could not be voided", table=self._table.id, phase=clock.phase)
            await self._retry_later(clock)

    async def _goes_on(self) -> bool:
        """Whether the phase goes on although it has run out."""
        if self._keeps_open is None or self._prolonged >= MOST_KEPT_OPEN:
            return False
        if not await self._keeps_open(self._table):
            return False
        self._prolonged += KEPT_OPEN
        return True

    async def _retry_later(self, clock: Clock) -> None:
        """Schedule a step again, as the database may be available then; void the table in the end."""
        self._failures += 1
        # Before it is voided, which may fail as well: then the alarm tries again.
        self.ring(clock, RETRY_DELAY)
        if self._failures >= MOST_RETRIES:
            await self._table.void()
