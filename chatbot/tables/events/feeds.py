"""Feeds of the events of rooms: what is published, and who is subscribed to it.

A feed begins with a picture of its room. One that falls behind loses what waits, and goes on with another
picture, so that publishing waits for no subscriber.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Self, TypeAlias

import structlog

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.rooms.registry import Rooms
    from chatbot.rooms.room import Room
    from chatbot.tables.events.models import RoomEvent


BACKLOG = 256  # events that wait for one subscriber; more of them would be larger than the picture of a room

EventKind: TypeAlias = Literal[
    "picture",
    "opened",
    "changed",
    "told",
    "settled",
    "voided",
    "cleared",
    "rested",
    "halted",
    "resumed",
]
"""The kinds of `chatbot.tables.events.models.RoomEvent`, known without making these models."""

WriteNow: TypeAlias = "Callable[[], RoomEvent]"
"""Makes the model of an event."""

RECORDED = 256
"""Events of a room that can be asked for again, where somebody has asked lately."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, eq=False)
class News:
    """An event whose model is made when it is first read, from the data of when it happened."""

    room: str
    number: int
    kind: EventKind
    at: datetime
    write: WriteNow
    wording: int = 0
    """Counts how often the texts of the room have become others."""

    @cached_property
    def event(self) -> RoomEvent:
        """The model of the event."""
        return self.write()

    @cached_property
    def json(self) -> str:
        """The event as JSON, which is written once for all subscribers."""
        return self.event.model_dump_json()

    @property
    def is_written(self) -> bool:
        """Whether `json` was read already, so that it costs nothing to read it again."""
        return "json" in vars(self)


class Feed:
    """An asynchronous iterator over the events of the room that a channel is in, which ends by `close`.

    The first event is a picture. `picture` makes one, or returns None while the channel is in no open room.
    """

    def __init__(self, channel: str, picture: Callable[[str], News | None], backlog: int = BACKLOG) -> None:
        self.channel, self.room = channel, ""
        self.overflowed = False  # whether events were lost because too many waited
        self._picture, self._backlog = picture, backlog
        self._queue: deque[News] = deque()
        self._behind, self._closed = True, False
        self._ready = asyncio.Event()

    def put(self, news: News) -> None:
        """Add an event; if too many wait, or the room is another than before, a picture replaces them."""
        if news.room != self.room:
            self.lose()
        elif len(self._queue) >= self._backlog:
            self.overflowed = True
            self.lose()
        elif not self._behind:
            self._queue.append(news)
        self._ready.set()

    def lose(self) -> None:
        """Drop the waiting events, and continue with a picture."""
        self._queue.clear()
        self._behind = True
        self._ready.set()

    def go_on(self, room: str) -> None:
        """Continue with the next event of a room, without a picture."""
        self._behind, self.room = False, room

    def close(self) -> None:
        """End the iteration."""
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
            return self._queue.popleft() if self._queue else None
        picture = self._picture(self.channel)
        if picture is not None:
            self._behind, self.room = False, picture.room
        return picture


class Feeds:
    """The subscriptions to the rooms that channels are in; `picture` makes what each begins with."""

    def __init__(self, rooms: Rooms, picture: Callable[[str], News | None]) -> None:
        self._rooms, self._picture = rooms, picture
        self._feeds: defaultdict[str, set[Feed]] = defaultdict(set)  # by the id of a channel or a room
        self._tasks: set[asyncio.Task[None]] = set()
        self._recorded: dict[str, deque[News]] = {}  # by room, of those that somebody follows who may resume

    def follow(self, channel: str, backlog: int | None = None) -> Feed:
        """Subscribe to the room that a channel is in, now and whenever it moves to another room.

        The id of a room stands for a channel of that room that is not connected.
        A picture replaces the events of who is `backlog` events behind; None: as many as usual. A
        subscription must be ended by `leave`.
        """
        feed = Feed(channel, self._picture, BACKLOG if backlog is None else backlog)
        self._feeds[channel].add(feed)
        return feed

    def record(self, room: str) -> None:
        """Keep the events of a room from now on, so that who was cut off can resume, until `erase`."""
        self._recorded.setdefault(room, deque(maxlen=RECORDED))

    def erase(self, room: str) -> None:
        """Keep the events of a room no longer."""
        self._recorded.pop(room, None)

    def resume(self, feed: Feed, number: int, at: datetime) -> list[News] | None:
        """Return the events after the one of a number and a time, with which a feed then continues.

        None: it is not known which came after it, so that the feed begins with a picture. Numbers begin
        again with each start of the program, so the number alone does not say which event it was.
        """
        room = self._rooms.at(feed.channel).id if self._rooms.has(feed.channel) else feed.channel
        recorded = [*self._recorded.get(room, ())]
        for place, news in enumerate(recorded):
            if (news.number, news.at) == (number, at):
                feed.go_on(room)
                return recorded[place + 1 :]
        return None

    def publish(self, room: Room, news: News) -> None:
        """Give an event to all that follow a room."""
        if room.id in self._recorded:
            self._recorded[room.id].append(news)
        for feed in self.to(room):
            feed.put(news)

    def leave(self, feed: Feed) -> None:
        """End a subscription."""
        feed.close()
        self._feeds[feed.channel].discard(feed)

    def attend(self, channel: str, handler: Callable[[News], object]) -> None:
        """Call a handler with each event of a channel's room, in a separate task, until `close`."""
        task = asyncio.ensure_future(_attend(self.follow(channel), handler))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """End all subscriptions."""
        for feeds in self._feeds.values():
            for feed in feeds:
                feed.close()

    def to(self, room: Room) -> list[Feed]:
        """List the subscriptions to the channels of a room, and to its id while that is no channel."""
        names = {channel.id for channel in room.channels}
        if not self._rooms.has(room.id):
            names.add(room.id)
        return [feed for name in names for feed in self._feeds.get(name, ())]


async def _attend(feed: Feed, handler: Callable[[News], object]) -> None:
    async for news in feed:
        try:
            handler(news)
        except Exception:
            log.exception("an event was not heeded", room=news.room, kind=news.kind)
