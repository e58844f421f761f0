"""The timer of a table, which ends its phases and tries again what could not be written.

The end of a phase comes through the inbox of the room, after all lines that arrived before it.

A phase in which people act ends before its time where nothing is to be waited for: `GRACE` seconds after the
last of them has acted, after the patience of the room where all who have not were silent in their last turn,
and at once where all of these have left. A phase on whose outcome viewers can bet lasts until they cannot.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Clock, Refusal, Timeout
from chatbot.kernel.house_seats import of_house
from chatbot.ledger.books.posting import Entry
from chatbot.rooms.batch import carry_out
from chatbot.rooms.table_protocol import BrokenGame, Cause

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from contextlib import AbstractAsyncContextManager

    from chatbot.kernel.game import Seat
    from chatbot.ledger.books.unit import UnitOfWork
    from chatbot.rooms.batch import Batch
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import Alarm

RETRY_DELAY = 5.0  # seconds until a step of the clock that could not be written is tried again
MOST_RETRIES = 60  # of a step of the clock, five minutes, after which the stakes are returned instead
# Seconds after which every player of the house has acted that will: nobody is kept waiting for them.
LONGEST_THOUGHT = 8.0
GRACE = 2.0  # seconds after the last action, in which whoever has acted can change their mind
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
    the end. `keeps_open(table)` is awaited when a phase runs out, or could end before its time: it goes on
    for a while where it says so.
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
        # On the watch: when the present phase began, when it ends at the latest, when somebody acted last.
        self._began, self._latest, self._acted = 0.0, 0.0, 0.0
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
            await self.pace()

    async def pace(self, *, acted: bool = False) -> bool:
        """Let the phase end sooner or later, by who has still to act; return whether its deadline has moved.

        `acted`: somebody has just acted, and may want to change their mind.
        """
        clock, watch, old_deadline = self.clock, self._table.watch, self.deadline
        if clock is None or old_deadline is None or self._table.frozen:
            return False
        if acted:
            self._acted = watch.now()
        end = self._end_time()
        if self._prolonged or self._failures or (end is None and old_deadline == self._latest):
            return False
        is_held = end is not None and end < self._latest and await self._is_held()
        if clock is not self.clock or self._table.frozen:
            return False  # it has ended while that was asked
        end = self._end_time()  # once more: somebody may have acted meanwhile, or come back
        self.deadline = self._latest if is_held or end is None else end
        left = max(self.deadline - watch.now(), 0.0)
        if is_held:  # it may be let go before its time
            self._set(min(left, KEPT_OPEN), partial(self._look_again, clock))
        else:
            self._set(left, partial(self._expire, clock, self.deadline))
        return self.deadline != old_deadline

    def _end_time(self) -> float | None:
        """Return when the phase should end, on the watch; None: by its clock alone."""
        table = self._table
        awaited_seats = table.kit.seating.awaited(table.state)
        if awaited_seats is None:
            return None
        present = self._present(awaited_seats)
        if not present:
            end = max(self._acted + GRACE, table.watch.now())
            if any(map(of_house, awaited_seats)):
                end = max(end, self._began + LONGEST_THOUGHT)
        elif all(seat in table.room.silent for seat in present):
            end = self._began + table.room.patience
        else:
            end = self._latest
        return min(end, self._latest)

    def _present(self, awaited_seats: Iterable[Seat]) -> list[Seat]:
        """List the people among those who have still to act who have not left."""
        return [seat for seat in awaited_seats if not of_house(seat) and seat not in self._table.room.away]

    async def _is_held(self) -> bool:
        """Whether the phase may not end before its time."""
        return self._keeps_open is not None and await self._keeps_open(self._table)

    async def _look_again(self, clock: Clock) -> None:
        if clock is not self.clock:
            return
        if self._table.watch.now() >= self._latest:
            await self.time_out(clock)
        else:
            await self.pace()

    def succeeded(self) -> None:
        """Note that a step was possible."""
        self._failures = 0

    def ring(self, clock: Clock, seconds: float) -> None:
        """End a phase in so many seconds."""
        if self._table.frozen:
            return
        now = self._table.watch.now()
        self._began, self._acted = now, now - GRACE  # nobody has acted who could change their mind
        self._latest = self.deadline = now + seconds
        self._set(seconds, partial(self._expire, clock, self.deadline))

    def _set(self, seconds: float, callback: Callable[[], Awaitable[None]]) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._table.watch.ring(seconds, callback)

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
        await self._expire(clock, None)

    async def _expire(self, clock: Clock, deadline: float | None) -> None:
        """End a phase at its deadline, unless one of the lines before has moved that; None: in any case."""
        # The inbox first, then the lock, as for lines: the other way round a line that waits for the lock
        # would hold the inbox that this one waits for.
        await self._table.room.inbox.alone(partial(self._run_out, clock, deadline))

    async def _run_out(self, clock: Clock, deadline: float | None) -> None:
        try:
            if clock != self.clock or self._table.frozen:
                return  # another step has ended the phase
            if deadline is not None and deadline != self.deadline:
                return  # it has been moved, and another alarm is set
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
        if self.deadline is not None and table.watch.now() >= self.deadline:  # and was not hurried
            # Before the next phase begins, whose time depends on it.
            silent = self._present(table.kit.seating.awaited(table.state) or ())
            batch.then(partial(table.room.note_silent, silent))
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
