"""Work that is finished once it is begun, whoever has stopped waiting for it.

A page that closes cancels what it waits for. A step that is written but not kept would leave a table
behind its own journal, so steps and lines run in tasks of their own.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

T = TypeVar("T")


class Kept:
    """Keeps tasks until they end."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Do the work; cancelling this call does not cancel it."""
        return await asyncio.shield(self.start(work))

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin the work, whoever waits for it."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        return task

    async def settle(self) -> None:
        """Wait for all that is under way."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waited has it; if nobody did, it was logged where it happened
