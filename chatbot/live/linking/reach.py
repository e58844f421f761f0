"""Where a line goes in a room of several chats: an answer to where it was asked, a table's news to all."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from chatbot.live.newest import remember

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Say
    from chatbot.ledger.people import Account
    from chatbot.live.room import Channel, Line, Room

REMEMBERED = 10_000  # lines, and members with where they spoke last


class Known(Protocol):
    """Whoever knows people's accounts."""

    def known_as(self, seat: Seat, platform: str) -> Account | None: ...

    def home(self, account: Account) -> Seat: ...


class Reach:
    def __init__(self, people: Known) -> None:
        self._people = people
        self._came: OrderedDict[str, str] = OrderedDict()  # channels by lines
        self._last: OrderedDict[tuple[str, Seat], str] = OrderedDict()  # by room and member

    def note(self, room: Room, line: Line) -> None:
        """Remember from where a line came."""
        remember(self._came, line.id, line.channel, REMEMBERED)
        for seat in {line.seat, line.home}:
            remember(self._last, (room.id, seat), line.channel, REMEMBERED)

    def ways(self, room: Room, say: Say) -> Iterator[tuple[Channel, Account | None, Say]]:
        """Give the channels that a line is for, each with the account that it is for, and by what name."""
        for channel in room.channels if len(room.channels) == 1 else self._meant(room, say):
            account = None if say.to is None else self._people.known_as(say.to, channel.platform)
            yield channel, account, say if account is None else replace(say, to=self._people.home(account))

    def _meant(self, room: Room, say: Say) -> Sequence[Channel]:
        if say.to is not None:
            return self._own(room, say.to)
        came = self._came.get(say.answers) if say.game is None else None
        return [each for each in room.channels if each.id == came] or room.channels

    def _own(self, room: Room, seat: Seat) -> Sequence[Channel]:
        """Find the channel in which somebody spoke last, or one in which they could."""
        last = self._last.get((room.id, seat))
        there = [each for each in room.channels if each.id == last]
        return there or [each for each in room.channels if self._people.known_as(seat, each.platform)][:1]
