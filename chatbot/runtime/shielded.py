"""Tasks that callers cannot cancel.

A page that closes cancels what it waits for. A step that is written to the database but not applied in
memory would leave a table behind its own journal, so steps and lines run in tasks of their own.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable

T = TypeVar("T")


class ShieldedWork:
    """Runs tasks that go on when their caller is cancelled, and holds a reference to each until it ends."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[object]] = set()

    async def finish(self, work: Awaitable[T]) -> T:
        """Run work in a task and return its result; cancelling this call does not cancel the work."""
        return await asyncio.shield(self.start(work))

    def start(self, work: Awaitable[T]) -> asyncio.Task[T]:
        """Start work in a task, whether or not anybody awaits it."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        return task

    async def settle(self) -> None:
        """Wait until no task is running."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _forget(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # mark it as retrieved: a waiter has received it, or it was logged at its origin
