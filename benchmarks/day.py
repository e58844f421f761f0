"""Measure whether a day of many rooms leaves anything behind: memory, open files, tasks, and alarms.

The clock is turned by hand, so that a day takes minutes. In each hour every room has a heist, talk, questions
for credits, and one game more; most who speak are its regulars, and some are new. Each hour ends in silence,
when all tables are over, and then it is counted what the program holds. What grows from the sixth hour to the
last grows for ever.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from benchmarks.startup import open_files, resident
from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.kernel.game import Role
from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.people import Account
from chatbot.ledger.store.store import Store
from chatbot.rooms.channel import Channel, Manner
from chatbot.rooms.line import Line
from chatbot.rooms.room import Room
from chatbot.runtime.clock import HandWatch
from chatbot.speech.words import Words

if TYPE_CHECKING:
    from chatbot.rooms.channel import Delivery

ROOMS, HOURS, WARM = 200, 24, 6
REGULARS, NEW = 12, 1  # of a room; who comes anew to it in an hour
HOUR, STEP = 3600.0, 120.0  # seconds
GAMES = ("!chicken 3 5", "!market 1 5", "!highshow 6 2 linear=1 5", "!sixcard 5")
MOST_GROWTH = 1.05  # of memory from hour `WARM` to the last
PLATFORM = "chat"


@dataclass(frozen=True, slots=True)
class Held:
    """What a program holds at the end of an hour; `memory` is in MB."""

    hour: int
    memory: float
    files: int
    tasks: int
    alarms: int
    lines: int


class Silent:
    """The adapter of chats in which nobody reads."""

    async def send(self, delivery: Delivery) -> None:
        """Say nothing."""


@dataclass
class Day:
    """Rooms whose hours are lived one after the other."""

    bot: Bot
    watch: HandWatch
    random: Random
    rooms: list[str]
    numbers: count[int]
    lines: int = 0

    async def say(self, room: str, who: str, text: str) -> None:
        """Let somebody say a line."""
        self.lines += 1
        line = Line(f"line-{next(self.numbers)}", room, Account(PLATFORM, who), who, Role.VIEWER, text)
        await self.bot.hear(line)

    async def live(self, hour: int) -> Held:
        """Live one hour, and count what is held at its end."""
        for number, room in enumerate(self.rooms):
            people = [f"regular{each}of{number}" for each in self.random.sample(range(REGULARS), 5)]
            people += [f"guest{hour}x{each}of{number}" for each in range(NEW)]
            for who in people:
                await self.say(room, who, "good evening")
            await self.say(room, people[0], "!claim")
            for who in people:
                await self.say(room, who, f"!heist {self.random.randint(5, 30)}")
            await self.say(room, people[1], self.random.choice(GAMES))
            await self.say(room, people[2], "!credits")
            await self.say(room, people[3], "!top")
        for _ in range(int(HOUR / STEP)):
            await self.watch.turn(STEP)
        gc.collect()
        alarms = sum(not each.cancelled for each in self.watch._alarms)  # noqa: SLF001  (counted here alone)
        tasks = len(asyncio.all_tasks())
        return Held(hour, resident(os.getpid()), open_files(), tasks, alarms, self.lines)


async def measure(rooms: int, hours: int, seed: str, folder: Path) -> tuple[list[Held], list[str]]:
    """Live the hours; return what was held at the end of each, and what is wrong with the books then."""
    store = await Store.open(f"sqlite:///{(folder / 'rabble.db').as_posix()}", alone=True)
    watch = HandWatch()
    bot = Bot(kits(), store, Words("en"), watch)
    names = [f"room-{each}" for each in range(rooms)]
    for name in names:
        await bot.open(Room(name, name, (Channel(name, PLATFORM, Silent(), Manner()),)))
    day = Day(bot, watch, Random(seed), names, count(1))
    held = [await day.live(hour) for hour in range(1, hours + 1)]
    await bot.close()
    faults = list(await breaches(store))
    await store.close()
    return held, faults


def growth(held: list[Held]) -> float:
    """Return the memory at the end, divided by that at the end of hour `WARM`, or of the first."""
    return held[-1].memory / held[min(WARM, len(held)) - 1].memory


def as_table(held: list[Held], title: str) -> Table:
    """Lay out what was held."""
    table = Table("hour", "memory, MB", "open files", "tasks", "alarms", "lines so far", title=title)
    for each in held:
        row = each.hour, f"{each.memory:.1f}", each.files, each.tasks, each.alarms, f"{each.lines:,}"
        table.add_row(*map(str, row))
    return table


def main() -> None:
    """Live a day, print what is held, and exit with 1 if it grows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", type=int, default=ROOMS)
    parser.add_argument("--hours", type=int, default=HOURS)
    parser.add_argument("--seed", default="1", help="determines who says what")
    arguments = parser.parse_args()
    if min(arguments.rooms, arguments.hours) < 1:
        parser.error("--rooms and --hours: at least one")
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        measured = measure(arguments.rooms, arguments.hours, arguments.seed, Path(name))
        held, faults = asyncio.run(measured)
    title = f"{arguments.hours} hours of {arguments.rooms} rooms in {time.monotonic() - began:.0f} s"
    Console(width=100).print(as_table(held, title))
    for each in faults:
        print(f"breach: {each}")
    print(f"memory at the end is {growth(held):.2f} times that of hour {min(WARM, len(held))}")
    sys.exit(bool(faults) or growth(held) > MOST_GROWTH)


if __name__ == "__main__":
    main()
