"""What waits to be done in a room: one after the other, in the order in which it came.

Items of one kind that stand next to each other are taken together, so that their commits are one.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")

Serve: TypeAlias = Callable[[Sequence[Any]], Awaitable[None]]
"""Does what all these items ask for; whatever it raises is raised to each who waits."""

MOST_TOGETHER = 250  # items that are taken at once: the first of them waits for the last


@dataclass(eq=False, slots=True)
class _Job:
    serve: Serve | None  # None: the item is work that is done alone
    item: Any
    done: asyncio.Future[None]


class Inbox:
    """Works while something waits. Whoever is cancelled while waiting does not stop what is in it."""

    def __init__(self) -> None:
        self._waiting: deque[_Job] = deque()
        self._worker: asyncio.Task[None] | None = None

    async def together(self, serve: Serve, item: Any) -> None:
        """Let an item be served, with those of the same kind that came just before and after it."""
        await self._ask(serve, item)

    async def alone(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do some work behind all that came before."""
        await self._ask(None, work)

    async def _ask(self, serve: Serve | None, item: Any) -> None:
        job = _Job(serve, item, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        if self._worker is None:
            self._worker = asyncio.create_task(self._work())
        await asyncio.shield(job.done)

    async def _work(self) -> None:
        try:
            while self._waiting:
                await _serve(self._take())
        finally:
            self._worker = None
            while self._waiting:  # the loop itself is ending
                self._waiting.popleft().done.cancel()

    def _take(self) -> list[_Job]:
        taken = [self._waiting.popleft()]
        while taken[0].serve and self._waiting and len(taken) < MOST_TOGETHER:
            if self._waiting[0].serve != taken[0].serve:
                break
            taken.append(self._waiting.popleft())
        return taken


async def _serve(jobs: Sequence[_Job]) -> None:
    serve = jobs[0].serve
    try:
        await (jobs[0].item() if serve is None else serve([job.item for job in jobs]))
    except Exception as error:  # noqa: BLE001  (who asked shall have it)
        for job in jobs:
            job.done.set_exception(error)
    except BaseException:
        for job in jobs:
            job.done.cancel()
        raise
    else:
        for job in jobs:
            job.done.set_result(None)
