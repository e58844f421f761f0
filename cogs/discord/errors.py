"""What Discord refuses, told to the operator once and without a secret."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING

import aiohttp
import discord
import structlog

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator

    from cogs.platform import Reported

# Seconds in which one kind of trouble of one channel is told once, else each line of a crowd tells it.
QUIET = 60.0
REMEMBERED = 1000  # kinds of trouble, and channels

PASSING = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError, RuntimeError)
"""What a request may raise: the library's own, the network's, and that its session was just closed."""

log = structlog.get_logger(__name__)


def worded(error: BaseException) -> str:
    """Name an error by its kind and number alone: the text of some holds addresses with tokens."""
    if isinstance(error, discord.HTTPException):
        return f"{type(error).__name__} {error.status} ({error.code})"
    if isinstance(error, discord.ConnectionClosed):
        return f"{type(error).__name__} {error.code}"
    return type(error).__name__


def patience(error: BaseException) -> float | None:
    """Say after how many seconds to try again, at least; None: trying again would not help."""
    if isinstance(error, discord.RateLimited):
        return error.retry_after
    if isinstance(error, discord.HTTPException) and error.status < 500 and error.status != 429:
        return None
    return 0.0


def is_unreachable(error: BaseException) -> bool:
    """Whether Discord merely does not answer, or fails: else it refuses, or has closed a session.

    It lets 1,000 sessions be begun a day (https://discord.com/developers/docs/events/gateway#identifying),
    and bans addresses that repeat what it refuses.
    """
    if isinstance(error, discord.HTTPException):
        return error.status >= 500
    return isinstance(error, aiohttp.ClientError | OSError | TimeoutError | discord.GatewayNotFound)


class Complaints:
    """Counts nothing and forgets soon: a broken channel must not fill the log."""

    def __init__(self, reported: Reported = lambda *_: None) -> None:
        """`reported` is to be told what becomes of each message, lost or not."""
        self.reported = reported
        self._report_times: dict[tuple[str, str], float] = {}

    def tell(self, channel: str, what: str, error: BaseException) -> None:
        """Tell the operator of trouble in a channel, if the same was not told there for `QUIET` seconds."""
        trouble, now = worded(error), asyncio.get_running_loop().time()
        if now < self._report_times.get((channel, trouble), -QUIET) + QUIET:
            return
        if len(self._report_times) >= REMEMBERED:
            self._report_times.clear()
        self._report_times[channel, trouble] = now
        log.warning(what, channel=channel, trouble=trouble, exc_info=_place(error))


class Requests:
    """Work for Discord that is under way; whoever waits for it stops waiting when the adapter leaves."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[object]] = set()

    def start(self, work: Coroutine[object, None, object]) -> asyncio.Task[object]:
        """Begin work, which goes on though nobody waits for it; what it raises is logged."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        # Kept, because asyncio itself holds tasks only weakly.
        task.add_done_callback(self._finish)
        return task

    async def run(self, work: Coroutine[object, None, object]) -> None:
        """Do the work to its end, or until the adapter leaves."""
        await asyncio.wait([self.start(work)])

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """Let what the present task does in this context be such work: it ends when the adapter leaves."""
        task = asyncio.current_task()
        assert task is not None  # noqa: S101  (for mypy: only tasks answer)
        self._tasks.add(task)
        try:
            yield
        finally:
            self._tasks.discard(task)

    async def stop(self, seconds: float) -> None:
        """Let what is under way finish for so long, and end the rest."""
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=seconds)
        for task in list(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=0.5)

    def _finish(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("something for Discord was not finished", trouble=worded(error), exc_info=_place(error))


def _place(error: BaseException) -> BaseException | None:
    """Show where an error of ours happened; one of the library's may hold a token."""
    return None if isinstance(error, PASSING) else error
