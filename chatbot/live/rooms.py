"""Which rooms are open, by their channels, and where somebody belongs who speaks to the bot alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.kernel.game import Seat
    from chatbot.live.room import Channel, Room


class Rooms(dict[str, "Room"]):
    """The open rooms by their ids."""

    def __init__(self) -> None:
        super().__init__()
        self._channels: dict[str, Room] = {}

    def open(self, room: Room) -> None:
        self[room.id] = room
        self._channels.update({channel.id: room for channel in room.channels})

    def has(self, channel: str) -> bool:
        return channel in self._channels

    def at(self, channel: str) -> Room:
        """Give the room that a channel belongs to.

        Raises:
            KeyError: it is not open.
        """
        return self._channels[channel]

    def whereabouts(self, seat: Seat, platform: str) -> Channel | None:
        """Find the channel of a platform in which somebody sits or is asked to, or else spoke last."""
        own = [each for each in self._of(platform) if _plays(each[0], seat) or seat in each[0].spoke]
        if not own:
            return None
        _, channel = max(own, key=lambda each: (_plays(each[0], seat), each[0].spoke.get(seat, 0.0)))
        return channel

    def _of(self, platform: str) -> Iterator[tuple[Room, Channel]]:
        for room in self.values():
            for channel in room.channels:
                if channel.id.startswith(f"{platform}:"):
                    yield room, channel


def _plays(room: Room, seat: Seat) -> bool:
    standing = [table for table in room.tables.values() if not table.over]
    return any(seat in table.seated or seat in table.kit.invited(table.state) for table in standing)
