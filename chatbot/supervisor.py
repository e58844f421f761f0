"""Keeps every platform connected: one that fails is reconnected later, and never stops the others."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog

from chatbot.kernel.game import Failure
from chatbot.keys.asking import Declined, Unreachable
from chatbot.runtime.limits import PROBE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chatbot.runtime.clock import Watch
    from cogs.platform import Platform

SHORTEST, LONGEST = 5.0, 300.0  # seconds before a platform is reconnected that refuses; doubled each time
STABLE = 600.0  # seconds of connection after which the next failure counts as the first
STOP_TIMEOUT = 2.5  # seconds in which a platform may disconnect
RETOLD = 60.0  # seconds of a run after which it is told again that a platform cannot be reached
CANCEL_TIMEOUT = 0.5  # seconds in which its cancelled task may then end

log = structlog.get_logger(__name__)


class Supervisor:
    """Runs each platform in a task of its own; `tell` shows a sentence to the operator."""

    def __init__(self, platforms: Sequence[Platform], watch: Watch, tell: Callable[[str], None]) -> None:
        self._watch, self._tell = watch, tell
        self._platforms = {each.name: each for each in platforms}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._closing = False
        self._putting = asyncio.Lock()  # else two would replace the same one, and one of them be nobody's
        self._troubles: dict[str, str] = {}

    def trouble(self, name: str) -> str:
        """Return what the operator was told last of a platform that is not connected; empty: nothing."""
        platform = self._platforms.get(name)
        return "" if platform is None or platform.connected else self._troubles.get(name, "")

    def open(self) -> None:
        """Start to connect all platforms."""
        self._closing = False
        for each in self._platforms.values():
            self._start(each)

    async def put(self, platform: Platform) -> None:
        """Keep a platform connected from now on, in the place of one of the same name, which is left."""
        async with self._putting:
            previous = self._platforms.get(platform.name)
            if previous is not None:
                task = self._tasks.pop(platform.name, None)
                if task is not None:
                    task.cancel()
                await self._disconnect(previous)
                if task is not None:
                    await asyncio.wait({task}, timeout=CANCEL_TIMEOUT)
            self._platforms[platform.name] = platform
            self._troubles.pop(platform.name, None)
            if not self._closing:
                self._start(platform)

    async def drop(self, name: str) -> None:
        """Leave a platform, which is not kept connected any more."""
        async with self._putting:
            platform, task = self._platforms.pop(name, None), self._tasks.pop(name, None)
            if task is not None:
                task.cancel()
            if platform is not None:
                await self._disconnect(platform)
            if task is not None:
                await asyncio.wait({task}, timeout=CANCEL_TIMEOUT)

    async def close(self) -> None:
        """Disconnect every platform, each within `STOP_TIMEOUT` seconds, whatever fails."""
        self._closing = True
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*(self._disconnect(each) for each in self._platforms.values()))
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=CANCEL_TIMEOUT)

    def _start(self, platform: Platform) -> None:
        self._tasks[platform.name] = asyncio.ensure_future(self._keep_connected(platform))

    async def _keep_connected(self, platform: Platform) -> None:
        """Run a platform until it raises a `Failure`, which only the operator can correct.

        What merely cannot be reached is tried every `PROBE` seconds, and told of once. What refuses, or fails
        for an unknown reason, is tried ever more rarely, for it may count how often it is asked.
        """
        wait, last_news = SHORTEST, ""
        while True:
            began, probes = self._watch.now(), False
            try:
                await platform.run()
            except Failure as failure:
                self._troubles[platform.name] = str(failure)
                self._tell(f"{platform.name}: {failure}")
                await self._disconnect(platform)
                return
            except (Unreachable, ConnectionError, TimeoutError) as error:
                reason = f" ({error})" if str(error) else ""
                probes = not isinstance(error, Declined)
            except Exception:
                log.exception("a platform was lost", platform=platform.name)
                reason = ", for a reason that is in the log"
            else:
                reason = ""
            if self._closing:  # a platform that is told to leave may end before its task is cancelled
                return
            await self._disconnect(platform)
            lasted = self._watch.now() - began
            wait = SHORTEST if lasted >= STABLE else wait
            again = f"every {PROBE:.0f} s" if probes else f"in {wait:.0f} s"
            news = f"{platform.name} is not connected{reason}; trying again {again}."
            self._troubles[platform.name] = news
            if news != last_news or lasted >= RETOLD:
                self._tell(news)
            last_news = news
            await self._pause(PROBE if probes else wait)
            wait = wait if probes else min(2 * wait, LONGEST)

    async def _pause(self, seconds: float) -> None:
        over = asyncio.Event()

        async def ring() -> None:
            over.set()

        alarm = self._watch.ring(seconds, ring)
        try:
            await over.wait()
        finally:
            alarm.cancel()

    async def _disconnect(self, platform: Platform) -> None:
        try:
            await asyncio.wait_for(platform.stop(), STOP_TIMEOUT)
        except TimeoutError:
            log.warning("a platform was left without a goodbye", platform=platform.name)
        except Exception:
            log.exception("a platform could not be left in order", platform=platform.name)
