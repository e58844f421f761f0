"""Says what is meant for a room: to whom it goes there, in which chat, and in which words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from chatbot.kernel.kit import of_house
from chatbot.kernel.say import Message, Name
from chatbot.rooms.room import Delivery, Privacy
from chatbot.speech.languages import Languages
from chatbot.speech.safe import plain
from chatbot.speech.sender import Sender

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Say
    from chatbot.ledger.people import Account
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.replies import Exchange
    from chatbot.rooms.room import Channel, Room
    from chatbot.speech.reach import Reach
    from chatbot.speech.safe import Dress
    from chatbot.speech.words import Words

log = structlog.get_logger(__name__)


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
