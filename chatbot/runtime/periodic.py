"""Work that is done again and again, such as the renewal of a lease or a poll of a platform.

The pause between two runs begins when the first of them has ended, so that work that takes longer than its
period never runs twice at once, and a platform or a database that is slow is asked more rarely.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chatbot.runtime.clock import Alarm, Watch

PeriodicWork: TypeAlias = "Callable[[], Awaitable[float | None]]"
"""It may return the seconds until its next run; None: the period."""


class Periodic:
    """Runs `work` every `period` seconds of a watch between `start` and `stop`.

    A failure is left to the watch, which logs it (one that is turned by hand raises it in the test that turns
    it), and the work is done again after a period.
    """

    def __init__(self, watch: Watch, period: float, work: PeriodicWork) -> None:
        self.period = period
        self._watch, self._work = watch, work
        self._started = self._working = False
        self._alarm: Alarm | None = None
        self._rings = 0

    @property
    def started(self) -> bool:
        """Whether the work will be done again."""
        return self._started

    def start(self, delay: float | None = None) -> None:
        """Do the work first in `delay` seconds (None: in a period), unless this was started already.

        If it is called while the work is being done, the next run begins a period after that one has ended.
        """
        if not self._started:
            self._started = True
            if not self._working:
                self._ring(delay)

    def stop(self) -> None:
        """Do not do the work again; a run that has begun goes on to its end."""
        self._started = False
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = None

    def _ring(self, delay: float | None) -> None:
        self._rings += 1
        seconds = self.period if delay is None else delay
        self._alarm = self._watch.ring(seconds, partial(self._run, self._rings))

    async def _run(self, ring: int) -> None:
        # The task of an alarm may exist already when the alarm is cancelled: it must not run then, nor beside
        # the alarm of a new start.
        if not self._started or ring != self._rings:
            return
        self._alarm, self._working = None, True
        delay = None
        try:
            delay = await self._work()
        finally:
            self._working = False
            if self._started:
                self._ring(delay)
