"""What came from one chat and waits for the bot, in order and bounded.

A line that waits takes a kilobyte here. In the library of its platform, with the message, its author and the
tasks that wait for its answer, it takes more than ten: 15,000 lines of a flood once were 230 MB. So the
adapters take out of a message what is needed, put that here and let the message go; the bot is given
`TOGETHER` of them at a time. A full lane gives up talk before commands: talk needs no answer.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Generic, TypeVar

import structlog

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.rooms.clock import Watch

LONGEST = 5000  # what waits of one chat; a raid of so many fits, though nobody of it is answered meanwhile
TOGETHER = 500  # lines of a chat that the bot has at once, to commit them together
REPORTED = 60.0  # seconds in which it is told at most once that a lane is full

log = structlog.get_logger(__name__)

T = TypeVar("T")


class Lane(Generic[T]):
    """The queue of one chat; `is_talk` says of an entry that it needs no answer."""

    def __init__(self, channel: str, is_talk: Callable[[T], bool], longest: int = LONGEST) -> None:
        self.channel, self.waiting = channel, deque[T]()
        self.dropped = 0  # since that was reported last
        self._is_talk, self._longest = is_talk, longest
        self._talk = 0  # how much of what waits is talk
        self._reported: float | None = None
        self._filled = asyncio.Event()

    def put(self, entry: T) -> None:
        """Add to the end; a full lane gives up its oldest talk, or else what comes now."""
        self.waiting.append(entry)
        self._talk += self._is_talk(entry)
        if len(self.waiting) > self._longest:
            self._drop()
        self._filled.set()

    async def take(self) -> T:
        """Wait for the oldest that waits, and take it."""
        while not self.waiting:
            self._filled.clear()
            await self._filled.wait()
        entry = self.waiting.popleft()
        self._talk -= self._is_talk(entry)
        return entry

    def clear(self) -> list[T]:
        """Give up all that waits, and return it."""
        given_up = [*self.waiting]
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

    def _drop(self) -> None:
        """Drop one, without a search where there is nothing to find: this is where a flood arrives."""
        self.dropped += 1
        at = -1
        if self._talk > self._is_talk(self.waiting[-1]):
            at = next(at for at, each in enumerate(self.waiting) if self._is_talk(each))
        self._talk -= self._is_talk(self.waiting[at])
        del self.waiting[at]
