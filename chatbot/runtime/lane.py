"""What came from one chat and waits for the bot, in order and bounded.

A line that waits takes a kilobyte here. In the library of its platform, with the message, its author and the
tasks that wait for its answer, it takes more than ten: 15,000 lines of a flood once were 230 MB. So the
adapters take out of a message what is needed, put that here and let the message go; the bot is given
`TOGETHER` of them at a time. A full lane gives up talk before commands: talk needs no answer.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

import structlog

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from chatbot.runtime.clock import Watch

LONGEST = 5000  # what waits of one chat; a raid of so many fits, though nobody of it is answered meanwhile
MOST_IN_ALL = 6000  # what waits in all lanes of a platform, beside the `SHARE` of each
SHARE = 100  # what may wait in a lane however much waits in the others: no flood elsewhere costs a quiet chat
TOGETHER = 500  # lines of a chat that the bot has at once, to commit them together
MOST_TOGETHER = 500  # lines of all chats that it has at once, beside the `FEW` of each
FEW = 25  # that the bot has of a chat however many it has of the others: a slow room holds up no other
REPORTED = 60.0  # seconds in which it is told at most once that a lane is full

log = structlog.get_logger(__name__)

T = TypeVar("T")


@dataclass(eq=False, slots=True)
class Load:
    """How much waits in all lanes of a platform, and how much of them the bot has."""

    waiting: int = 0
    under_way: int = 0


class Lane(Generic[T]):
    """The queue of one chat; `is_talk` says of an entry that it needs no answer."""

    def __init__(
        self, channel: str, is_talk: Callable[[T], bool], load: Load | None = None, longest: int = LONGEST
    ) -> None:
        self.channel, self.waiting = channel, deque[T]()
        self.dropped = 0  # since that was reported last
        self._is_talk, self._load, self._longest = is_talk, load or Load(), longest
        self._talk = 0  # how much of what waits is talk
        self._reported: float | None = None
        self._changed = asyncio.Event()  # something has come, or the bot is done with something
        self._under_way = 0  # entries that the bot has
        self._tasks = set[asyncio.Task[None]]()

    @property
    def free(self) -> bool:
        """Whether the bot can have one more now."""
        return self._under_way < (TOGETHER if self._load.under_way < MOST_TOGETHER else FEW)

    @contextmanager
    def passing(self) -> Iterator[None]:
        """Let the bot have an entry while the context is open."""
        self._begin()
        try:
            yield
        finally:
            self._end()

    async def hand_over(self, work: Coroutine[object, None, None]) -> None:
        """Start the work for an entry, as soon as the bot can have one more."""
        while not self.free:
            await self._change()
        self._begin()
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget)

    def put(self, entry: T) -> None:
        """Add to the end; a full lane gives up its oldest talk, or else what comes now."""
        self.waiting.append(entry)
        self._load.waiting += 1
        self._talk += self._is_talk(entry)
        if self._is_full():
            self._drop()
        self._changed.set()

    async def take(self) -> T:
        """Wait for the oldest that waits, and take it."""
        while not self.waiting:
            await self._change()
        entry = self.waiting.popleft()
        self._load.waiting -= 1
        self._talk -= self._is_talk(entry)
        return entry

    def clear(self) -> list[T]:
        """Give up all that waits, and return it."""
        given_up = [*self.waiting]
        self._load.waiting -= len(given_up)
        self.waiting.clear()
        self._talk = 0
        return given_up

    def report(self, watch: Watch) -> None:
        """Tell the operator how much was dropped, now and then."""
        now = watch.now()
        if not self.dropped or (self._reported is not None and now < self._reported + REPORTED):
            return
        log.warning(
            "a chat is faster than its room: lines were dropped", channel=self.channel, lines=self.dropped
        )
        self.dropped, self._reported = 0, now

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    def _begin(self) -> None:
        self._under_way += 1
        self._load.under_way += 1

    def _end(self) -> None:
        self._under_way -= 1
        self._load.under_way -= 1
        self._changed.set()

    def _forget(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._end()

    def _is_full(self) -> bool:
        crowded = self._load.waiting > MOST_IN_ALL and len(self.waiting) > SHARE
        return crowded or len(self.waiting) > self._longest

    def _drop(self) -> None:
        """Drop one, without a search where there is nothing to find: this is where a flood arrives."""
        self.dropped += 1
        self._load.waiting -= 1
        at = -1
        if self._talk > self._is_talk(self.waiting[-1]):
            at = next(at for at, each in enumerate(self.waiting) if self._is_talk(each))
        self._talk -= self._is_talk(self.waiting[at])
        del self.waiting[at]
