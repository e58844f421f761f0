"""A channel of the program for the adversary: its chat in lines, its clock turned by hand.

All that is done here is said, as a line of chat; what is known is what the chat and the page show to whoever
asks. So the same adversary plays against any commit whose chat has these commands.
"""

from __future__ import annotations

import os
from collections import deque
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from chatbot.bot.bot import Bot
from chatbot.cli.rehearsal import sources_of
from chatbot.games import kits
from chatbot.kernel.game import Role
from chatbot.ledger.people import Account
from chatbot.ledger.store.store import Store
from chatbot.rooms.channel import Channel, Delivery
from chatbot.rooms.line import Line
from chatbot.rooms.room import Room
from chatbot.runtime.clock import HandWatch
from chatbot.speech.words import Words
from tests import inline_sqlite

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from chatbot.kernel.game import Seat
    from chatbot.rooms.table_protocol import Table

PLATFORM = "chat"
MEMORY = Path("/dev/shm")  # noqa: S108  (a disk that need not be waited for, where there is one)
REMEMBERED = 200  # messages
KEEPER = "keeper"


@dataclass(eq=False)
class Evening:
    """One channel, of a community of its own; names are those of its viewers."""

    bot: Bot
    watch: HandWatch
    channel: str
    heard: deque[Delivery] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    said: int = 0  # lines
    _numbers: count[int] = field(default_factory=count)

    async def send(self, delivery: Delivery) -> None:
        """Hear a message of the bot."""
        self.heard.append(delivery)

    async def say(
        self, name: str, text: str, role: Role = Role.VIEWER, *, private: bool = False
    ) -> list[Delivery]:
        """Say a line, and return what was said because of it."""
        self.heard.clear()
        self.said += 1
        account = Account(PLATFORM, f"{self.channel}-{name}")
        line_id = f"{self.channel}:{next(self._numbers)}"
        line = Line(line_id, self.channel, account, f"{self.channel}-{name}", role, text, private)
        await self.bot.converse(line)
        await self.watch.turn()
        return list(self.heard)

    async def keep(self, *lines: str, name: str = KEEPER) -> list[str]:
        """Say lines as the broadcaster, who confirms what must be confirmed; return all answers."""
        answers = []
        for each in lines:
            deliveries = await self.say(name, each, Role.BROADCASTER)
            if any("!confirm" in answer.text for answer in deliveries):
                await self.wait(CONFIRMING)
                deliveries += await self.say(name, "!confirm", Role.BROADCASTER)
            answers += [answer.text for answer in deliveries]
        return answers

    async def wait(self, seconds: float) -> None:
        await self.watch.turn(seconds)

    def at(self, name: str) -> str:
        """Write a name as others address it."""
        return f"@{self.channel}-{name}"

    async def seat(self, name: str) -> Seat:
        room = self.bot.rooms.at(self.channel)
        return await self.bot.seat(room, Account(PLATFORM, f"{self.channel}-{name}"))

    async def purse(self, name: str) -> int:
        room = self.bot.rooms.at(self.channel)
        return await self.bot.balances.purse(room, await self.seat(name))

    def tables(self, game: str) -> list[Table]:
        """List the tables of a game that stand, as the page shows them."""
        room = self.bot.rooms.at(self.channel)
        return [each for each in room.tables.values() if each.kit.name == game and not each.over]


CONFIRMING = 11.0  # seconds after which a broadcaster may confirm alone


@dataclass(eq=False)
class Town:
    """Channels that share a program and a clock."""

    bot: Bot
    watch: HandWatch
    evenings: dict[str, Evening] = field(default_factory=dict)

    async def evening(self, channel: str) -> Evening:
        """Return a channel, which is opened when it is first asked for."""
        if channel not in self.evenings:
            evening = Evening(self.bot, self.watch, channel)
            await self.bot.open(Room(channel, channel, (Channel(channel, PLATFORM, evening),)))
            await self.watch.turn()
            self.evenings[channel] = evening
        return self.evenings[channel]

    @property
    def said(self) -> int:
        """How many lines all have said."""
        return sum(each.said for each in self.evenings.values())


@asynccontextmanager
async def town(seed: str) -> AsyncIterator[Town]:
    """Start the program on a database that is gone afterwards; a seed tells the same story."""
    inline_sqlite.install()
    folder = MEMORY if os.access(MEMORY, os.W_OK) else None
    with TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as place:
        store = await Store.open(f"sqlite:///{Path(place, 'economy.db').as_posix()}", alone=True)
        try:
            watch = HandWatch()
            yield Town(Bot(kits(), store, Words("en"), watch, sources_of(seed, "economy")), watch)
        finally:
            await store.close()
