"""Says what is meant for a room: to whom it goes there, in which chat, and in which words."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import structlog

from chatbot.kernel.kit import of_house
from chatbot.kernel.say import Message, Name
from chatbot.rooms.limits import remember
from chatbot.rooms.room import Delivery, Privacy
from chatbot.speech.languages import Languages
from chatbot.speech.safe import plain
from chatbot.speech.sender import Sender

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Say
    from chatbot.ledger.people import Account
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.replies import Exchange
    from chatbot.rooms.room import Channel, Line, Room
    from chatbot.speech.safe import Dress
    from chatbot.speech.words import Words

REMEMBERED = 10_000  # members with where they spoke last

log = structlog.get_logger(__name__)


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


class Outbox:
    """Words what is said in the room's own language, and gives it to the exchange that it belongs to."""

    def __init__(self, words: Words, watch: Watch, name: Callable[[Seat], str], reach: Reach) -> None:
        self.words, self.languages = words, Languages(words)
        self.reach = reach
        self.sender = Sender(watch, self.text, words.ids.__contains__)
        self._name = name
        self.listeners: list[Callable[[Room, Say], None]] = []  # called for whatever is said, to whomever

    def say(self, room: Room, says: Iterable[Say], exchange: Exchange | None = None) -> None:
        """Say something in a room; `exchange` is with the line that it is said to, if it is to one.

        There it is answered where the line came from; all else is on its way to the doors when this returns.
        What is for a player of the house alone is for nobody.
        """
        for say in (each for each in says if each.to is None or not of_house(each.to)):
            for listener in self.listeners:
                listener(room, say)
            for channel, account, addressed in self.reach.ways(room, say, exchange):
                delivery = self._worded(channel, room, addressed, account)
                if delivery is None:
                    continue
                if exchange is not None and exchange.covers(channel, say):
                    exchange.say(delivery)
                else:
                    self.sender.put(room, channel, delivery)

    def text(self, message: Message, dress: Dress = plain, room: Room | None = None) -> str:
        """Word a message as it is said in a room; in the program's words where it is said in none."""
        words = self.words if room is None else self.languages.of(room)
        return words.text(message, self._name, dress)

    def _worded(self, channel: Channel, room: Room, say: Say, account: Account | None) -> Delivery | None:
        """Word a line for a channel, or for one account alone; None where it is not wanted there."""
        dress = channel.manner.dress
        if _alone(channel, say):
            if account is None:
                log.debug(
                    "a line is for nobody who has an account there", channel=channel.id, about=say.event
                )
                return None
            return Delivery(channel.id, self.text(say.message, dress, room), account, (say,))
        if say.secret or not room.habits.talk.includes(say.talk):
            return None
        if say.fine and not (channel.manner.fine or room.habits.proofs):
            return None
        bare = self.text(say.message, dress, room)
        if say.to is None:
            return Delivery(channel.id, bare, None, (say,))
        text = self.text(Message("addressed", {"who": Name(say.to), "text": say.message}), dress, room)
        return Delivery(channel.id, text, None, (say,), bare)


def _alone(channel: Channel, say: Say) -> bool:
    """Whether a line goes to one person alone."""
    match channel.manner.private:
        case Privacy.NONE:
            return False
        case Privacy.SECRETS:
            return say.to is not None and say.secret
        case Privacy.ALL:
            return say.to is not None
