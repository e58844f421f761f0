"""Which rooms are open, by their channels, and where somebody belongs who speaks to the bot alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from chatbot.kernel.game import Seat
    from chatbot.live.room import Channel, Room


class Rooms(dict[str, "Room"]):
    """The open rooms by their ids."""

    def __init__(self) -> None:
        super().__init__()
        self._channels: dict[str, Room] = {}
        self.opening: list[Callable[[Room], None]] = []  # called when channels lead to a room from now on

    def open(self, room: Room) -> None:
        self[room.id] = room
        self._channels.update({channel.id: room for channel in room.channels})
        for listener in self.opening:
            listener(room)

    def join(self, room: Room, channels: Iterable[Channel]) -> None:
        """Add channels to an open room; its own comes first."""
        all_of = {each.id: each for each in (*room.channels, *channels)}
        room.channels = tuple(sorted(all_of.values(), key=lambda each: each.id != room.id))
        self.open(room)

    def close(self, room: Room) -> None:
        """Forget a room, whose channels join another."""
        del self[room.id]
        for channel in room.channels:
            del self._channels[channel.id]

    def part(self, room: Room, channel: str) -> None:
        """Take a channel from a room; it still leads there until one of its own is open."""
        room.channels = tuple(each for each in room.channels if each.id != channel)

    def has(self, channel: str) -> bool:
        return channel in self._channels

    def at(self, channel: str) -> Room:
        """Give the room that a channel belongs to.

        Raises:
            KeyError: it is not open.
        """
        return self._channels[channel]

    def whereabouts(self, seats: Collection[Seat], platform: str) -> Channel | None:
        """Find the channel of a platform in which somebody sits or is asked to, or else spoke last."""
        own = [(_active(room, seats), channel) for room, channel in self._of(platform)]
        here = [(active, channel) for active, channel in own if active is not None]
        return max(here, key=lambda each: each[0])[1] if here else None

    def _of(self, platform: str) -> Iterator[tuple[Room, Channel]]:
        for room in self.values():
            for channel in room.channels:
                if channel.platform == platform:
                    yield room, channel


def _active(room: Room, seats: Collection[Seat]) -> tuple[bool, float] | None:
    """Say whether one of somebody's seats plays in a room, and when it spoke last; None: neither."""
    plays, spoke = any(_plays(room, each) for each in seats), [room.spoke.get(each) for each in seats]
    known = [each for each in spoke if each is not None]
    return (plays, max(known, default=0.0)) if plays or known else None


def _plays(room: Room, seat: Seat) -> bool:
    standing = [table for table in room.tables.values() if not table.over]
    return any(seat in table.seated or seat in table.kit.invited(table.state) for table in standing)
