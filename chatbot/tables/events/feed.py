"""What one subscriber has still to read. Nobody waits for it: who falls behind begins anew with a picture."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from chatbot.tables.events.models import Event, Kind

BACKLOG = 256  # events that wait for one subscriber


@dataclass(frozen=True, eq=False)
class News:
    """An event that is written out when somebody first reads it, as of when it happened."""

    room: str
    number: int
    kind: Kind
    write: Callable[[], Event]

    @cached_property
    def event(self) -> Event:
        return self.write()


class Feed:
    """Gives the events of the room that a channel is in, a picture of it first; ends when it is closed.

    `picture` makes one, or None as long as the channel is in no room that is open.
    """

    def __init__(self, channel: str, picture: Callable[[str], News | None]) -> None:
        self.channel, self.room = channel, ""
        self._picture = picture
        self._waiting: deque[News] = deque()
        self._behind, self._closed = True, False
        self._ready = asyncio.Event()

    def put(self, news: News) -> None:
        """Take in what happened in the room; too much of it, or another room, asks for a picture."""
        if news.room != self.room or len(self._waiting) >= BACKLOG:
            self.lose()
        elif not self._behind:
            self._waiting.append(news)
        self._ready.set()

    def lose(self) -> None:
        """Begin anew with a picture."""
        self._waiting.clear()
        self._behind = True
        self._ready.set()

    def close(self) -> None:
        self._closed = True
        self._ready.set()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> News:
        while not self._closed:
            news = self._next()
            if news is not None:
                return news
            self._ready.clear()
            await self._ready.wait()
        raise StopAsyncIteration

    def _next(self) -> News | None:
        if not self._behind:
            return self._waiting.popleft() if self._waiting else None
        picture = self._picture(self.channel)
        if picture is not None:
            self._behind, self.room = False, picture.room
        return picture
