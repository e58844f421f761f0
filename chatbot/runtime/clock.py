"""Clocks and timers: one that runs with the event loop, and one that only tests and simulations advance."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Protocol, TypeAlias

import structlog

Callback: TypeAlias = Callable[[], Awaitable[None]]

log = structlog.get_logger(__name__)


class Alarm(Protocol):
    """A scheduled callback."""

    def cancel(self) -> None:
        """Do not call back, unless the callback has started already."""


class Watch(Protocol):
    """A clock that schedules callbacks."""

    def now(self) -> float:
        """Return the monotonic time in seconds; only differences have a meaning."""

    def date(self) -> datetime:
        """Return the date and time in UTC, which may jump when the system clock is set."""

    def ring(self, seconds: float, callback: Callback) -> Alarm:
        """Schedule a callback after this many seconds."""


class LoopWatch:
    """The clock of the running event loop.

    It holds a reference to each task that it starts until that ends, and logs the task's exception.
    """

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = False

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def date(self) -> datetime:
        return datetime.now(UTC)

    def ring(self, seconds: float, callback: Callback) -> Alarm:
        return asyncio.get_running_loop().call_later(seconds, self._start, callback)

    async def settle(self) -> None:
        """Wait until no callback is running."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def stop(self, patience: float | None = None) -> None:
        """Start no more callbacks, and wait for those that are running.

        After `patience` seconds they are cancelled; None waits without a limit.
        """
        self._stopped = True
        if patience is None:
            await self.settle()
        elif self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=patience)
            if late:
                log.warning("what was under way is given up", alarms=len(late))
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def _start(self, callback: Callback) -> None:
        if self._stopped:
            return
        task = asyncio.ensure_future(_reported(callback))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _reported(callback: Callback) -> None:
    try:
        await callback()
    except Exception:
        log.exception("an alarm failed")


@dataclass(order=True, slots=True)
class _ManualAlarm:
    at: float
    order: int  # alarms that are due at the same time ring in the order in which they were set
    callback: Callback = field(compare=False)
    cancelled: bool = field(default=False, compare=False)

    def cancel(self) -> None:
        self.cancelled = True


class HandWatch:
    """A clock that stands still until `turn`, for tests; each callback is awaited at exactly its time."""

    def __init__(self, start: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self._start = start
        self._now = 0.0
        self._order = count()
        self._alarms: list[_ManualAlarm] = []

    def now(self) -> float:
        return self._now

    def date(self) -> datetime:
        return self._start + timedelta(seconds=self._now)

    def ring(self, seconds: float, callback: Callback) -> Alarm:
        alarm = _ManualAlarm(self._now + seconds, next(self._order), callback)
        heapq.heappush(self._alarms, alarm)
        return alarm

    async def turn(self, seconds: float = 0) -> None:
        """Advance the clock by this many seconds and await the callbacks that are due, in order.

        0 awaits those that are due now.
        """
        until = self._now + seconds
        while self._alarms and self._alarms[0].at <= until:
            alarm = heapq.heappop(self._alarms)
            if not alarm.cancelled:
                self._now = max(self._now, alarm.at)
                await alarm.callback()
        self._now = max(self._now, until)
