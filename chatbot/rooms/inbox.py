"""The queue of a room, whose items are handled in order, several of a kind at once."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")

# `Any`: a queue holds items of several types; `Inbox.together` ties each item to its handler.
Serve: TypeAlias = Callable[[Sequence[Any]], Awaitable[None]]
"""Handles several items; an exception is raised to the caller of each."""

MOST_TOGETHER = 250  # items that are handled at once: the first of them waits for the last
GATHERING = 0.1  # seconds after a crowd was handled in which the next one gathers


@dataclass(eq=False, slots=True)
class _Job:
    serve: Serve
    item: object
    done: asyncio.Future[None]


class Inbox:
    """A queue with one worker task, which runs while something waits.

    Cancelling a caller does not cancel its item.
    """

    def __init__(self) -> None:
        self._waiting: deque[_Job] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._gathers = False

    async def together(self, serve: Callable[[Sequence[T]], Awaitable[None]], item: T) -> None:
        """Handle an item, in one call with its neighbours in the queue that have the same handler."""
        await self._put(serve, item)

    async def alone(self, work: Callable[[], Awaitable[None]]) -> None:
        """Run work after everything that is in the queue already."""
        await self._put(lambda _: work(), None)  # a new function equals no other, so it is never merged

    def gather(self) -> None:
        """Wait for `GATHERING` seconds before the next items are handled, so that more of them share a call.

        PostgreSQL delays commits for the same reason (`commit_delay`).
        """
        self._gathers = True

    async def _put(self, serve: Serve, item: object) -> None:
        job = _Job(serve, item, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        if self._worker is None:
            self._worker = asyncio.create_task(self._work())
        await job.done

    async def _work(self) -> None:
        try:
            while self._waiting:
                await _serve(self._take())
                if self._gathers:
                    self._gathers = False
                    await asyncio.sleep(GATHERING)
        finally:
            self._worker = None
            while self._waiting:  # the event loop is closing
                self._waiting.popleft().done.cancel()

    def _take(self) -> list[_Job]:
        taken = [self._waiting.popleft()]
        while self._waiting and len(taken) < MOST_TOGETHER:
            if self._waiting[0].serve != taken[0].serve:
                break
            taken.append(self._waiting.popleft())
        return taken


async def _serve(jobs: Sequence[_Job]) -> None:
    try:
        await jobs[0].serve([job.item for job in jobs])
    except Exception as error:  # noqa: BLE001  (it is raised to the callers)
        for job in jobs:
            if not job.done.cancelled():
                job.done.set_exception(error)
    except BaseException:
        for job in jobs:
            job.done.cancel()
        raise
    else:
        for job in jobs:
            if not job.done.cancelled():  # its caller does not wait any more
                job.done.set_result(None)
