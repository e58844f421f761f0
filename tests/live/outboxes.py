"""An outbox with one channel, and what tests say into it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chatbot.kernel.game import Seat
from chatbot.kernel.say import Message, Say, Talk
from chatbot.live.habits import Habits
from chatbot.live.outbox import Outbox
from chatbot.live.room import Channel, Manner, Privacy, Room
from chatbot.live.watch import HandWatch
from chatbot.live.wording.words import Words
from tests.live.stage import Notebook

if TYPE_CHECKING:
    from collections.abc import Sequence

ANN, BEN = Seat("test:ann"), Seat("test:ben")
STREAM = Manner(private=Privacy.NONE, length=500, quiet=3.0, merged=480, budget=20, window=30.0)
AT_ONCE = replace(STREAM, quiet=0.0, merged=0)


class Chat:
    """An outbox, one channel, and a clock."""

    def __init__(self, manner: Manner, talk: Talk = Talk.NORMAL) -> None:
        self.watch, self.door = HandWatch(), Notebook()
        self.room = Room("room", "town", (Channel("chat", self.door, manner),))
        self.room.chosen["room"] = Habits(talk=talk)
        self.outbox = Outbox(Words("en"), self.watch, lambda seat: seat.partition(":")[2])

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

    async def sent(self, seconds: float = 0) -> Sequence[str]:
        before = len(self.door.deliveries)
        await self.watch.turn(seconds)
        return [each.text for each in self.door.deliveries[before:]]
