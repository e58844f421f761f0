"""One ordered queue per room: a slow room holds up no other, and a flood costs talk before commands."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import structlog

from chatbot.live.house import PREFIX
from chatbot.live.room import Line, Occasion

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from chatbot.live.house import House
    from chatbot.live.watch import Watch

LONGEST = 20_000  # lines and occasions that wait: a raid is no flood
TOGETHER = 500  # lines that the house has at once, to commit them together
REPORTED = 60.0  # seconds in which a full queue is told at most once

Heard: TypeAlias = "Line | Occasion"

log = structlog.get_logger(__name__)


@dataclass(eq=False)
class Lane:
    """What came from one channel and waits for the house."""

    channel: str
    longest: int = LONGEST
    waiting: deque[Heard] = field(default_factory=deque)
    dropped: int = 0
    talk: int = 0  # how much of what waits is talk
    _filled: asyncio.Event = field(default_factory=asyncio.Event)

    def put(self, heard: Heard) -> None:
        """Add to the end; a full lane gives up its oldest talk, or else what comes now."""
        self.waiting.append(heard)
        self.talk += _is_talk(heard)
        if len(self.waiting) > self.longest:
            self._drop()
        self._filled.set()

    async def take(self) -> Heard:
        while not self.waiting:
            self._filled.clear()
            await self._filled.wait()
        heard = self.waiting.popleft()
        self.talk -= _is_talk(heard)
        return heard

    def _drop(self) -> None:
        """Drop one, without a search where there is nothing to find: this is where a flood arrives."""
        self.dropped += 1
        at = -1
        if self.talk > _is_talk(self.waiting[-1]):
            at = next(at for at, each in enumerate(self.waiting) if _is_talk(each))
        self.talk -= _is_talk(self.waiting[at])
        del self.waiting[at]


async def drive(lane: Lane, house: House) -> None:
    """Bring what waits to the house, in order, until cancelled; no line waits for the one before it."""
    said: float | None = None
    free, under_way = asyncio.Semaphore(TOGETHER), set[asyncio.Task[None]]()
    while True:
        heard = await lane.take()
        if isinstance(heard, Line):
            await free.acquire()
            task = asyncio.create_task(_bring(lane, heard, house.converse(heard)))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
            task.add_done_callback(lambda _: free.release())
        else:
            await _bring(lane, heard, house.notice(heard))
        said = _report(lane, house.watch, said)


async def _bring(lane: Lane, heard: Heard, hearing: Awaitable[object]) -> None:
    try:
        await hearing
    except Exception:
        log.exception("what came from Twitch could not be heard", channel=lane.channel, id=heard.id)


def _report(lane: Lane, watch: Watch, said: float | None) -> float | None:
    if not lane.dropped or (said is not None and watch.now() < said + REPORTED):
        return said
    log.warning(
        "a chat is faster than its room: lines were dropped", channel=lane.channel, lines=lane.dropped
    )
    lane.dropped = 0
    return watch.now()


def _is_talk(heard: Heard) -> bool:
    return isinstance(heard, Line) and not heard.text.startswith(PREFIX)
