"""Time, as the live part sees it: one clock that runs by itself, and one that is turned by hand."""

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
    """A callback that waits for its time."""

    def cancel(self) -> None: ...


class Watch(Protocol):
    """`now` is in seconds and never jumps; `date` is what a calendar shows, and may."""

    def now(self) -> float: ...

    def date(self) -> datetime: ...

    def ring(self, seconds: float, callback: Callback) -> Alarm:
        """Call back after so many seconds."""


class LoopWatch:
    """Runs with the event loop. Every task that it starts is kept until it ends, and its error logged."""

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
        """Wait for the callbacks that are under way."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def stop(self, patience: float | None = None) -> None:
        """Ring no more, and wait for what is under way, so many seconds at most."""
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
class _HandAlarm:
    at: float
    order: int  # alarms of one instant ring in the order in which they were set
    callback: Callback = field(compare=False)
    cancelled: bool = field(default=False, compare=False)

    def cancel(self) -> None:
        self.cancelled = True


class HandWatch:
    """Stands still until `turn`; each alarm is awaited to its end at exactly its time."""

    def __init__(self, start: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self._start = start
        self._now = 0.0
        self._order = count()
        self._alarms: list[_HandAlarm] = []

    def now(self) -> float:
        return self._now

    def date(self) -> datetime:
        return self._start + timedelta(seconds=self._now)

    def ring(self, seconds: float, callback: Callback) -> Alarm:
        alarm = _HandAlarm(self._now + seconds, next(self._order), callback)
        heapq.heappush(self._alarms, alarm)
        return alarm

    async def turn(self, seconds: float = 0) -> None:
        """Let time pass, ringing what is due, in order; 0 rings what is due now."""
        until = self._now + seconds
        while self._alarms and self._alarms[0].at <= until:
            alarm = heapq.heappop(self._alarms)
            if not alarm.cancelled:
                self._now = max(self._now, alarm.at)
                await alarm.callback()
        self._now = max(self._now, until)
