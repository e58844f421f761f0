"""Deliver what is said in a room: select its channels and recipients, and format the text."""

from __future__ import annotations

import copy
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import structlog

from chatbot.delivery.sender import Sender, is_longer
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.say import Message, Name, shortened
from chatbot.rooms.channel import Delivery, Privacy
from chatbot.rooms.languages import Languages
from chatbot.runtime.limits import remember
from chatbot.speech.safe import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Say
    from chatbot.ledger.people import Account
    from chatbot.rooms.channel import Channel
    from chatbot.rooms.exchange import Exchange
    from chatbot.rooms.line import Line
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch
    from chatbot.speech.safe import Dress
    from chatbot.speech.words import Words

# Members whose last channel is remembered: one of whom it is forgotten is found by account.
REMEMBERED = 10_000
# Characters of one line that is joined of several: longer ones are hard to read in a chat.
LONGEST_JOINED = 300

log = structlog.get_logger(__name__)


class AccountDirectory(Protocol):
    """The accounts of members, as far as they are loaded."""

    def met(self, account: Account) -> bool:
        """Whether an account is known."""

    def known_as(self, seat: Seat, platform: str) -> Account | None:
        """Find the account of a seat on a platform."""

    def home(self, account: Account) -> Seat:
        """Return the seat of the person that an account belongs to."""


class ChannelSelector:
    """Selects the channels and the accounts that a line is delivered to."""

    def __init__(self, people: AccountDirectory) -> None:
        self._people = people
        self._last: OrderedDict[tuple[str, Seat], str] = OrderedDict()  # by room id and seat

    def note(self, room: Room, line: Line) -> None:
        """Remember the channel in which a member last wrote."""
        for seat in {line.seat, line.home}:
            remember(self._last, (room.id, seat), line.channel, REMEMBERED)

    def select(
        self, room: Room, say: Say, exchange: Exchange | None = None
    ) -> Iterator[tuple[Channel, Account | None, Say]]:
        """Yield each channel of a line, with the account there and the seat that it is addressed to."""
        for channel in room.channels if len(room.channels) == 1 else self._channels(room, say, exchange):
            account = None if say.to is None else self._account(say.to, channel, exchange)
            home = self._people.home(account) if account is not None and self._people.met(account) else say.to
            yield channel, account, say if home == say.to else replace(say, to=home)

    def _channels(self, room: Room, say: Say, exchange: Exchange | None) -> Sequence[Channel]:
        answered = exchange is not None and exchange.answered(say)
        origins = [each for each in room.channels if exchange is not None and exchange.came_from(each)]
        if answered and origins:
            return origins
        return room.channels if say.to is None else self._last_channel(room, say.to)

    def _account(self, to: Seat, channel: Channel, exchange: Exchange | None) -> Account | None:
        line = exchange.line if exchange is not None else None
        if line is not None and line.channel == channel.id and line.seat == to:
            return line.account  # a person may have several on one platform: answer the one that asked
        return self._people.known_as(to, channel.platform)

    def _last_channel(self, room: Room, seat: Seat) -> Sequence[Channel]:
        """Find the channel in which a member wrote last, or else one where they have an account."""
        last = self._last.get((room.id, seat))
        there = [each for each in room.channels if each.id == last]
        return there or [each for each in room.channels if self._people.known_as(seat, each.platform)][:1]


class Outbox:
    """Formats what is said in the language of its room, and passes it to an `Exchange` or to the `Sender`.

    `words` are those of the program, and `name` returns the display name of a seat.
    """

    def __init__(
        self, words: Words, watch: Watch, name: Callable[[Seat], str], selector: ChannelSelector
    ) -> None:
        self.words, self.languages = words, Languages(words)
        self.selector = selector
        self.sender = Sender(watch, self.text, words.ids.__contains__)
        self._name = name
        self.listeners: list[Callable[[Room, Say], None]] = []  # called for each line, public and private

    def say(
        self, room: Room, says: Iterable[Say], exchange: Exchange | None = None, *, chosen: bool = False
    ) -> None:
        """Deliver lines of a room; `exchange` is that of the line that they answer, if they answer one.

        Of several texts of a message one is chosen here, unless that is `chosen` already.

        Answers go to the exchange, all others into the queues of the sender. Lines that are addressed to a
        house player are dropped, and a line that follows another is joined to that one.
        """
        lines: list[tuple[Channel, bool, Delivery]] = []  # each with whether the exchange gets it
        for say in (each for each in says if each.to is None or not of_house(each.to)):
            varied = say if chosen else self._varied(room, say)
            for listener in self.listeners:
                listener(room, varied)
            if exchange is not None and exchange.gathers and exchange.gather(varied):
                continue
            for channel, account, addressed in self.selector.select(room, varied, exchange):
                answers = exchange is not None and exchange.covers(channel, say)
                if answers and exchange is not None and not exchange.shows(say):
                    continue  # in a crowd, its words would be made for nobody
                delivery = self._delivery(channel, room, addressed, account)
                if delivery is not None:
                    _append(lines, channel, delivery, answers=answers)
        # Only now, since a later line of the same call may have been joined to an earlier one.
        for channel, answers, delivery in lines:
            if answers and exchange is not None:
                exchange.say(delivery)
            else:
                answer = exchange is not None and exchange.came_from(channel)
                self.sender.put(room, channel, delivery, answer=answer)

    def text(self, message: Message, dress: Dress = plain, room: Room | None = None) -> str:
        """Format a message in the words of a room, or of the program; `dress` escapes what users wrote."""
        words = self.words if room is None else self.languages.of(room)
        return words.text(message, self._name, dress)

    def _fitted(self, channel: Channel, message: Message, room: Room) -> str:
        """Format a message for a channel, with as much of its list as one message there has room for."""
        length, dress = channel.manner.length, channel.manner.dress
        text = self.text(message, dress, room)
        while is_longer(text, length) and (shorter := shortened(message)) is not None:
            message = shorter
            text = self.text(message, dress, room)
        return text

    def name(self, seat: Seat, room: Room | None = None) -> str:
        """Return the display name of a seat in the words of a room, or of the program."""
        words = self.words if room is None else self.languages.of(room)
        return words.name(seat, self._name)

    def with_names(self, name: Callable[[Seat], str]) -> Outbox:
        """Return one that formats texts alike, but with other names, as where not all may be named."""
        other = copy.copy(self)
        vars(other)["_name"] = name
        return other

    def _varied(self, room: Room, say: Say) -> Say:
        """Choose one of the texts for a message: those that a room hears are told in turns."""
        count = self.languages.of(room).texts(say.message.id)
        if count == 1 or not _is_heard(room, say):
            return say
        last = room.tellings.get(say.message.id)
        text = room.tellings[say.message.id] = 0 if last is None else (last + 1) % count
        return replace(say, message=replace(say.message, variant=text))

    def _delivery(self, channel: Channel, room: Room, say: Say, account: Account | None) -> Delivery | None:
        """Format a line for a channel, or for one account in private; None where it is not to be shown."""
        dress = channel.manner.dress
        if _is_private(channel, say):
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
        bare = self._fitted(channel, say.message, room)
        if say.to is None:
            return Delivery(channel.id, bare, None, (say,))
        text = self.text(Message("addressed", {"who": Name(say.to), "text": say.message}), dress, room)
        return Delivery(channel.id, text, None, (say,), bare)


def _is_heard(room: Room, say: Say) -> bool:
    """Whether a line is told: lines for everybody are, as far as the room wants them."""
    return say.to is not None or room.habits.talk.includes(say.talk)


def _append(
    lines: list[tuple[Channel, bool, Delivery]], channel: Channel, delivery: Delivery, *, answers: bool
) -> None:
    """Add a line, or join it to the last public one of its channel, if it follows that and both are short."""
    (say,) = delivery.says
    places = [place for place, (other, _, line) in enumerate(lines) if other is channel and _is_told(line)]
    if say.follows and places:
        _, answered, before = lines[places[-1]]
        text = f"{before.text} {delivery.text}"
        if len(text) <= LONGEST_JOINED:
            combined = replace(before, text=text, says=(*before.says, say))
            lines[places[-1]] = channel, answered, combined
            return
    lines.append((channel, answers, delivery))


def _is_told(line: Delivery) -> bool:
    """Whether a line is for everybody, and not fine print, so that others can be joined to it."""
    return line.says[0].to is None and not line.says[0].fine


def _is_private(channel: Channel, say: Say) -> bool:
    """Whether a line is sent in private, as far as the platform of the channel supports it."""
    match channel.manner.private:
        case Privacy.NONE:
            return False
        case Privacy.SECRETS:
            return say.to is not None and say.secret
        case Privacy.ALL:
            return say.to is not None
