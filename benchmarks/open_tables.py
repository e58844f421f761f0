"""Leave a folder as a bot leaves it that is killed while games are played: 100 open tables in 20 rooms.

Run as a program, `open_tables.py FOLDER`, it plays and kills itself, so that nothing is closed in order. It
uses the program that is imported, so that another commit leaves a folder of its own.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.kernel.game import Role
from chatbot.keys import sealing_key
from chatbot.keys.discretion import Discretion
from chatbot.ledger.people import Account
from chatbot.ledger.store.store import Store
from chatbot.rooms.channel import Channel, Delivery
from chatbot.rooms.line import Line
from chatbot.rooms.room import Room
from chatbot.runtime.clock import HandWatch
from chatbot.speech.words import Words
from chatbot.tables.fairness import Sources
from chatbot.upkeep import Backups, Upkeep

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOMS = 20
LOCAL = "local"  # the room of the page, the only one that opens without a token
PEOPLE = tuple(f"ann{number}" for number in range(12))  # of each room
LINES = (
    *((who, f"!heist {20 + number}") for number, who in enumerate(PEOPLE)),
    ("ann0", "!chicken 3 5"),
    *((who, "!chicken") for who in PEOPLE[1:8]),
    ("ann1", "!market 5"),
    *((who, "!market") for who in PEOPLE[2:6]),
    ("ann2", "!highshow 10"),
    ("ann3", "!sixcard @ann4 10"),
    ("ann4", "!sixcard accept"),
)
"""Who says what in each room: they open a table of each of the five games."""


class Silence:
    """A platform that discards all messages."""

    async def send(self, delivery: Delivery) -> None:
        """Discard a message."""


def rooms(number: int) -> Iterator[Room]:
    """Yield the rooms: that of the page, and then rooms of Discord and Twitch in turns."""
    yield Room(LOCAL, LOCAL, (Channel(f"{LOCAL}:page", LOCAL, Silence()),))
    for each in range(1, number):
        platform = ("discord", "twitch")[each % 2]
        name = f"{platform}-{each}"
        yield Room(name, name, (Channel(f"{platform}:{each}", platform, Silence()),))


async def play(store: Store, sources: Sources, number: int = ROOMS) -> int:
    """Open all rooms and say all lines; return how many tables are open then."""
    watch, ids = HandWatch(datetime.now(UTC)), count()  # by which no phase ends meanwhile
    bot = Bot(kits(), store, Words("en"), watch, sources)
    # An audit before, as each start makes one: it leaves the checkpoint on which the next one is based.
    await Upkeep(store, bot, watch, Backups(None), print).start()
    open_rooms = [await bot.open(each) for each in rooms(number)]
    for room in open_rooms:
        channel = room.channels[0]
        for who, text in LINES:
            account = Account(channel.platform, f"{room.id}-{who}")
            await bot.hear(Line(f"line:{next(ids)}", channel.id, account, who, Role.MODERATOR, text))
    await bot.close()
    return sum(not table.over for room in open_rooms for table in room.tables.values())


async def leave(folder: Path) -> None:
    """Play in a folder, where a start finds the database and the key, and end as by a power cut."""
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    key = sealing_key.provide(None, data / "fairness.key", Discretion())
    store = await Store.open(f"sqlite:///{(data / 'rabble.db').as_posix()}", alone=True)
    print(await play(store, Sources(key)), flush=True)
    os.kill(os.getpid(), signal.SIGTERM if os.name == "nt" else signal.SIGKILL)  # which ends it as hard there


if __name__ == "__main__":
    asyncio.run(leave(Path(sys.argv[1])))
