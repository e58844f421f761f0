"""Where a line goes in a room of several chats: an answer to where it was asked, a table's news to all."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

from chatbot.live.newest import remember

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Say
    from chatbot.live.room import Channel, Line, Room

REMEMBERED = 10_000  # lines, and members with where they spoke last


def nowhere(seat: Seat, platform: str) -> Seat | None:
    """Know nobody on another platform than their own."""
    return seat if seat.partition(":")[0] == platform else None


class Reach:
    """`known_as` gives the seat that somebody has on a platform, if they have one there."""

    def __init__(self, known_as: Callable[[Seat, str], Seat | None] = nowhere) -> None:
        self._known_as = known_as
        self._came: OrderedDict[str, str] = OrderedDict()  # channels by lines
        self._last: OrderedDict[tuple[str, Seat], str] = OrderedDict()  # by room and member

    def note(self, room: Room, line: Line) -> None:
        """Remember from where a line came."""
        remember(self._came, line.id, line.channel, REMEMBERED)
        for seat in {line.seat, line.speaker}:
            remember(self._last, (room.id, seat), line.channel, REMEMBERED)

    def ways(self, room: Room, say: Say) -> Iterator[tuple[Channel, Say]]:
        """Give the channels that a line is for, each with the line as it is addressed there."""
        for channel in room.channels if len(room.channels) == 1 else self._meant(room, say):
            known = None if say.to is None else self._known_as(say.to, _platform(channel))
            yield channel, say if known is None else replace(say, to=known)

    def _meant(self, room: Room, say: Say) -> Sequence[Channel]:
        if say.to is not None:
            return self._own(room, say.to)
        came = self._came.get(say.answers) if say.game is None else None
        return [each for each in room.channels if each.id == came] or room.channels

    def _own(self, room: Room, seat: Seat) -> Sequence[Channel]:
        """Find the channel in which somebody spoke last, or one in which they could."""
        last = self._last.get((room.id, seat))
        there = [each for each in room.channels if each.id == last]
        return there or [each for each in room.channels if self._known_as(seat, _platform(each))][:1]


def _platform(channel: Channel) -> str:
    return channel.id.partition(":")[0]
