"""Who lives in a simulated evening, and where: two rooms of one community, one of another."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chatbot.delivery.outbox import ChannelSelector
from chatbot.kernel.game import Role, Seat
from chatbot.ledger.people import Account, People
from chatbot.rooms.channel import Channel, Delivery, Manner, Privacy
from chatbot.rooms.room import Room

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from chatbot.kernel.say import Say
    from chatbot.rooms.exchange import Exchange

COMMUNITIES = {"den": "town", "attic": "town", "cellar": "port"}
CHANNELS = {"den": ("den:chat", "den:stream"), "attic": ("attic:chat",), "cellar": ("cellar:chat",)}
STREAM = Manner(  # as Twitch has it
    private=Privacy.NONE, length=480, gap=1.0, longest_gap=2.0, merged=480, budget=20
)
STREAMED = "den:stream"
ROOM_OF = {channel: room for room, channels in CHANNELS.items() for channel in channels}
NAMES = ("ann", "bob", "cat", "dan", "eve", "fay", "Sam", "sam", "gus", "hal")
OTHERS = ("zed", "zoe")  # whose seats are of another platform, so that they can be linked


OTHER = "other"


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    account: Account
    role: Role

    def sits_as(self, seat: Seat) -> bool:
        """Whether a seat is theirs, the first that they had or one after a link was taken back."""
        return seat.partition("~")[0] == str(self.account)


@dataclass(eq=False)
class Pipe:
    """An adapter; `broken` is how many lines more it refuses to carry."""

    broken: int = 0
    sent: list[Delivery] = field(default_factory=list)

    async def send(self, delivery: Delivery) -> None:
        if self.broken:
            self.broken -= 1
            raise ConnectionResetError("on purpose")
        self.sent.append(delivery)


class Overheard(ChannelSelector):
    """Hears what is put on its way to the stream alone: that adapter merges, waits, drops and fails."""

    def __init__(self, people: People, says: list[tuple[str, Say]]) -> None:
        super().__init__(_Everywhere(people))
        self._says = says

    def select(
        self, room: Room, say: Say, exchange: Exchange | None = None
    ) -> Iterator[tuple[Channel, Account | None, Say]]:
        selected = list(super().select(room, say, exchange))
        if [channel.id for channel, *_ in selected] == [STREAMED]:
            self._says.append((room.id, say))
        yield from selected


@dataclass(frozen=True, slots=True)
class _Everywhere:
    """Knows everybody in every chat."""

    people: People

    def known_as(self, seat: Seat, _: str) -> Account | None:
        return next(iter(self.people.accounts(seat)), None)

    def met(self, account: Account) -> bool:
        return self.people.met(account)

    def home(self, account: Account) -> Seat:
        return self.people.home(account)


class Town:
    """The adapters outlive the houses that speak through them."""

    def __init__(self, rng: Random, *, linking: bool = False) -> None:
        names = rng.sample(NAMES, rng.randint(5, 9))
        self.people = [Person(name, account_of(name), Role.VIEWER) for name in names]
        self.people.append(Person("mo", account_of("mo"), Role.MODERATOR))
        if rng.random() < 0.5:
            self.people.append(Person("boss", account_of("boss"), Role.BROADCASTER))
        if linking:
            self.people += [Person(name, account_of(name), Role.VIEWER) for name in OTHERS]
        self.pipes = {channel: Pipe() for channel in ROOM_OF}
        self.overheard: list[tuple[str, Say]] = []

    def rooms(self) -> list[Room]:
        """Make the rooms, as a start of the program does."""
        return [Room(room, COMMUNITIES[room], self._channels(room)) for room in CHANNELS]

    def said(self) -> list[tuple[str, Delivery]]:
        """Take what came out of the adapters since the last look."""
        said = [(channel, each) for channel, pipe in self.pipes.items() for each in pipe.sent]
        for pipe in self.pipes.values():
            pipe.sent.clear()
        return said

    def heard(self) -> list[tuple[str, Say]]:
        """Take what was meant for the stream alone since the last look."""
        heard = list(self.overheard)
        self.overheard.clear()
        return heard

    def _channels(self, room: str) -> tuple[Channel, ...]:
        return tuple(
            Channel(name, "test", self.pipes[name], STREAM if name == STREAMED else Manner(fine=True))
            for name in CHANNELS[room]
        )


def witnessed(said: list[tuple[str, Delivery]]) -> list[tuple[str, Say]]:
    """Give what each room was told by those of its adapters that never fail and can whisper."""
    return [(ROOM_OF[channel], say) for channel, each in said if channel != STREAMED for say in each.says]


def account_of(name: str) -> Account:
    """Make the account of a name; those of Sam and sam differ in more than their case."""
    if name in OTHERS:
        return Account(OTHER, name)
    return Account("test", str(NAMES.index(name) if name in NAMES else name))
