"""The set of open rooms, found by their ids and by their channels, and what waits for others to be opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chatbot.rooms.inbox import Inbox, Load

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from chatbot.kernel.game import Seat
    from chatbot.rooms.channel import Channel
    from chatbot.rooms.inbox import QueuedLine
    from chatbot.rooms.room import Room


class Whereabouts(NamedTuple):
    """Where a member is: whether they play there, and when they spoke there, by the watch of the bot."""

    plays: bool
    spoke: float
    room: Room
    channel: Channel


class Rooms(dict[str, "Room"]):
    """The open rooms by their ids, and by their channels."""

    def __init__(self) -> None:
        super().__init__()
        self.load = Load()  # of all queues
        self._channels: dict[str, Room] = {}
        self._early: dict[str, Inbox] = {}  # what came for channels whose rooms are not open yet
        self.opening: list[Callable[[Room], None]] = []  # called when a room is opened, or gets channels
        self.leaving: list[Callable[[Room], object]] = []  # called when a room is left to another process

    def leave(self, room: Room) -> None:
        """Note that another process is to run a room from now on, and notify the listeners."""
        room.elsewhere = True
        for listener in self.leaving:
            listener(room)

    def open(self, room: Room) -> None:
        """Add a room, or the new channels of an open one, and notify the listeners."""
        self[room.id] = room
        room.inbox.share(self.load)
        self._channels.update({channel.id: room for channel in room.channels})
        for channel in room.channels:
            if channel.id in self._early:
                self._early.pop(channel.id).move(room.inbox)
        for listener in self.opening:
            listener(room)

    def join(self, room: Room, channels: Iterable[Channel]) -> None:
        """Add channels to an open room; the channel that has the room's id stays the first.

        One that is heard here stays so: that another process hears it was told before, and came late.
        """
        heard = {each.id for each in room.channels if each.heard}
        added = [each for each in channels if each.heard or each.id not in heard]
        by_id = {each.id: each for each in (*room.channels, *added)}
        room.channels = tuple(sorted(by_id.values(), key=lambda each: each.id != room.id))
        self.open(room)

    def close(self, room: Room) -> None:
        """Remove a room, whose channels then join another, or have done so."""
        if self.get(room.id) is room:
            del self[room.id]
        room.rested.clear()  # so that the end of no cooldown is announced
        for channel in room.channels:
            if self._channels.get(channel.id) is room:
                del self._channels[channel.id]

    def part(self, room: Room, channel: str) -> None:
        """Remove a channel from a room; `at` returns that room until another is open for the channel."""
        room.channels = tuple(each for each in room.channels if each.id != channel)

    def has(self, channel: str) -> bool:
        """Whether a channel belongs to an open room."""
        return channel in self._channels

    def hears(self, channel: str) -> bool:
        """Whether this process hears a channel of an open room."""
        for each in self._channels[channel].channels:  # on the road of each line
            if each.id == channel:
                return each.heard
        return True

    def at(self, channel: str) -> Room:
        """Return the room that a channel belongs to.

        Raises:
            KeyError: there is no such open room.
        """
        return self._channels[channel]

    def inbox(self, channel: str) -> Inbox:
        """Return the queue of a channel's room; before that is open, one whose lines it takes over."""
        if channel in self._channels:
            return self._channels[channel].inbox
        return self._early.setdefault(channel, Inbox(self.load, held=True))

    def inboxes(self) -> Iterator[tuple[Room | None, Inbox]]:
        """Yield all queues with their rooms; None: its room is not open."""
        yield from ((room, room.inbox) for room in self.values())
        yield from ((None, inbox) for inbox in self._early.values())

    def abandon(self, channel: str) -> list[QueuedLine]:
        """Give up what waits for a room that cannot be opened, and return the lines of it."""
        early = self._early.pop(channel, None)
        return [] if early is None else early.clear()

    def whereabouts(self, seats: Collection[Seat], platform: str) -> Whereabouts | None:
        """Return the channel of a platform in which a member plays or is invited, or else spoke last."""
        activities = [(_active(room, seats), room, channel) for room, channel in self._of(platform)]
        active = [
            (*activity, room, channel) for activity, room, channel in activities if activity is not None
        ]
        return Whereabouts(*max(active, key=lambda each: each[:2])) if active else None

    def _of(self, platform: str) -> Iterator[tuple[Room, Channel]]:
        for room in self.values():
            for channel in room.channels:
                if channel.platform == platform:
                    yield room, channel


def _active(room: Room, seats: Collection[Seat]) -> tuple[bool, float] | None:
    """Return whether one of a member's seats plays in a room, and when it last spoke; None: neither."""
    plays, spoke = any(_plays(room, each) for each in seats), [room.spoke.get(each) for each in seats]
    times = [each for each in spoke if each is not None]
    return (plays, max(times, default=0.0)) if plays or times else None


def _plays(room: Room, seat: Seat) -> bool:
    tables = [table for table in room.tables.values() if not table.over]
    return any(seat in table.seated or seat in table.kit.seating.invited(table.state) for table in tables)
