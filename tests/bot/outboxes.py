"""An outbox with one channel, and what tests say into it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chatbot.delivery.outbox import ChannelSelector, Outbox
from chatbot.kernel.game import Seat
from chatbot.kernel.say import Message, Say, Talk
from chatbot.ledger.people import Account
from chatbot.rooms.channel import Channel, Delivery, Manner, Privacy
from chatbot.rooms.room import Room
from chatbot.runtime.clock import HandWatch
from chatbot.settings.fields import Selection
from chatbot.settings.room import RoomSettings
from chatbot.speech.words import Words
from tests.bot.stage import Notebook

if TYPE_CHECKING:
    from collections.abc import Sequence

ANN, BEN = Seat("test:ann"), Seat("test:ben")
STREAM = Manner(
    private=Privacy.NONE, length=500, merged=480, budget=20, window=30.0, gap=1.0, longest_gap=2.0
)
DISCORD = Manner(private=Privacy.NONE, length=2000, merged=1800, budget=5, window=5.0)
AT_ONCE = replace(STREAM, gap=0.0, longest_gap=0.0, merged=0)


class Everybody:
    """Knows everybody on every platform, by the account that their seat is called after."""

    def known_as(self, seat: Seat, platform: str) -> Account | None:
        return Account.read(seat)

    def met(self, account: Account) -> bool:
        return True

    def home(self, account: Account) -> Seat:
        return Seat(str(account))


class Timed(Notebook):
    """Writes down when it was given what, too."""

    def __init__(self, watch: HandWatch) -> None:
        super().__init__()
        self._watch = watch
        self.times: list[float] = []

    async def send(self, delivery: Delivery) -> None:
        await super().send(delivery)
        self.times.append(self._watch.now())


class Chat:
    """An outbox, one channel, and a clock."""

    def __init__(self, manner: Manner, talk: Talk = Talk.NORMAL) -> None:
        self.watch = HandWatch()
        self.adapter = Timed(self.watch)
        self.room = Room("room", "town", (Channel("chat", "test", self.adapter, manner),))
        self.room.chosen["room"] = Selection({"talk": talk.value}, RoomSettings(talk=talk))
        self.outbox = Outbox(
            Words("en"), self.watch, lambda seat: seat.partition(":")[2], ChannelSelector(Everybody())
        )

    def say(
        self,
        text: str = "x",
        *,
        talk: Talk = Talk.QUIET,
        to: Seat | None = None,
        secret: bool = False,
        game: str | None = "heist",
    ) -> None:
        message = Message("word", {"word": text})
        self.outbox.say(self.room, [Say(message, to, talk, secret, game, event="Told")])

    def refuse(self, kind: str = "give-yourself") -> None:
        self.outbox.say(self.room, [Say(Message(kind), to=ANN, event="Refusal")])

    @property
    def times(self) -> Sequence[float]:
        """Give when each message went out."""
        return self.adapter.times

    async def sent(self, seconds: float = 0) -> Sequence[str]:
        before = len(self.adapter.deliveries)
        await self.watch.turn(seconds)
        return [each.text for each in self.adapter.deliveries[before:]]


async def chatter(chat: Chat, every: float, seconds: float, game: str | None = None) -> list[float]:
    """Say a short line, its number, every so many seconds, and give when each was said."""
    began, said = chat.watch.now(), []
    for number in range(round(seconds / every)):
        await chat.watch.turn(began + number * every - chat.watch.now())
        said.append(chat.watch.now())
        chat.say(f"<{number}>", game=game)
    return said


async def steadily(chat: Chat, every: float, seconds: float, game: str | None = None) -> list[float]:
    """Say short lines as steadily, and give how long each of them waited."""
    said = await chatter(chat, every, seconds, game)
    await chat.watch.turn(60)
    arrived = {}
    for delivery, at in zip(chat.adapter.deliveries, chat.times, strict=True):
        arrived.update(dict.fromkeys(delivery.text.split(), at))
    return [arrived[f"<{number}>"] - at for number, at in enumerate(said)]
