"""Keeps every platform's door open: one that fails is opened again later, and never stops the others."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog

from chatbot.kernel.failure import Failure
from chatbot.keys.asking import Unreachable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chatbot.rooms.clock import Watch
    from cogs.platform import Platform

SHORTEST, LONGEST = 5.0, 300.0  # seconds until a door that failed is tried again; twice as long each time
STEADY = 600.0  # seconds that a door must have held for its next failure to count as a first one
LEAVING = 2.5  # seconds that a platform has to say goodbye
ENDING = 0.5  # seconds more until what it was doing is given up

log = structlog.get_logger(__name__)


class Supervisor:
    """`tell` speaks to the operator."""

    def __init__(self, platforms: Sequence[Platform], watch: Watch, tell: Callable[[str], None]) -> None:
        self._platforms, self._watch, self._tell = platforms, watch, tell
        self._tasks: list[asyncio.Task[None]] = []

    def open(self) -> None:
        self._tasks = [asyncio.ensure_future(self._keep(each)) for each in self._platforms]

    async def close(self) -> None:
        """Leave every platform, each within `LEAVING` seconds, whatever happens."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*(self._leave(each) for each in self._platforms))
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=ENDING)

    async def _keep(self, platform: Platform) -> None:
        wait = SHORTEST
        while True:
            began = self._watch.now()
            try:
                await platform.run()
            except Failure as failure:
                self._tell(f"{platform.name}: {failure}")
                await self._leave(platform)
                return
            except (Unreachable, ConnectionError, TimeoutError) as trouble:
                reason = f" ({trouble})" if str(trouble) else ""
            except Exception:
                log.exception("a platform was lost", platform=platform.name)
                reason = ", for a reason that is in the log"
            else:
                reason = ""
            await self._leave(platform)
            wait = SHORTEST if self._watch.now() - began >= STEADY else wait
            self._tell(f"{platform.name} is not connected{reason}; trying again in {wait:.0f} s.")
            await self._pause(wait)
            wait = min(2 * wait, LONGEST)

    async def _pause(self, seconds: float) -> None:
        over = asyncio.Event()

        async def ring() -> None:
            over.set()

        alarm = self._watch.ring(seconds, ring)
        try:
            await over.wait()
        finally:
            alarm.cancel()

    async def _leave(self, platform: Platform) -> None:
        try:
            await asyncio.wait_for(platform.stop(), LEAVING)
        except TimeoutError:
            log.warning("a platform was left without a goodbye", platform=platform.name)
        except Exception:
            log.exception("a platform could not be left in order", platform=platform.name)
