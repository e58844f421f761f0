"""Where a line goes in a room of several chats: an answer to where it was asked, a table's news to all."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from chatbot.rooms.lru import remember

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Say
    from chatbot.ledger.people import Account
    from chatbot.rooms.replies import Exchange
    from chatbot.rooms.room import Channel, Line, Room

REMEMBERED = 10_000  # members with where they spoke last


class Known(Protocol):
    """Whoever knows people's accounts."""

    def met(self, account: Account) -> bool: ...

    def known_as(self, seat: Seat, platform: str) -> Account | None: ...

    def home(self, account: Account) -> Seat: ...


class Reach:
    def __init__(self, people: Known) -> None:
        self._people = people
        self._last: OrderedDict[tuple[str, Seat], str] = OrderedDict()  # by room and member

    def note(self, room: Room, line: Line) -> None:
        """Remember where somebody speaks."""
        for seat in {line.seat, line.home}:
            remember(self._last, (room.id, seat), line.channel, REMEMBERED)

    def ways(
        self, room: Room, say: Say, exchange: Exchange | None = None
    ) -> Iterator[tuple[Channel, Account | None, Say]]:
        """Give the channels that a line is for, each with the account that it is for, and by what name."""
        for channel in room.channels if len(room.channels) == 1 else self._meant(room, say, exchange):
            account = None if say.to is None else self._account(say.to, channel, exchange)
            if account is not None and self._people.met(account):
                yield channel, account, replace(say, to=self._people.home(account))
            else:
                yield channel, account, say

    def _meant(self, room: Room, say: Say, exchange: Exchange | None) -> Sequence[Channel]:
        answered = exchange is not None and exchange.answered(say)
        asked = [each for each in room.channels if exchange is not None and exchange.came_from(each)]
        if answered and asked:
            return asked
        return room.channels if say.to is None else self._own(room, say.to)

    def _account(self, to: Seat, channel: Channel, exchange: Exchange | None) -> Account | None:
        line = exchange.line if exchange is not None else None
        if line is not None and line.channel == channel.id and line.seat == to:
            return line.account  # of several that somebody may have there it is the one that spoke
        return self._people.known_as(to, channel.platform)

    def _own(self, room: Room, seat: Seat) -> Sequence[Channel]:
        """Find the channel in which somebody spoke last, or one in which they could."""
        last = self._last.get((room.id, seat))
        there = [each for each in room.channels if each.id == last]
        return there or [each for each in room.channels if self._people.known_as(seat, each.platform)][:1]
