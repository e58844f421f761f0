"""What the bots under measurement have in common: the process that each runs in, and the house of ours.

A process connects to the platform at ADDRESS and says that it is ready to whoever listens at PORT of this
machine. It obeys one word a line until that connection ends, and ends with it.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import pstats
import sys
import time
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from chatbot import log
from chatbot.bot.access import OFF
from chatbot.bot.house import House
from chatbot.games import kits
from chatbot.ledger.store.store import Store
from chatbot.rooms.clock import LoopWatch
from chatbot.settings.changes import OPERATOR, Actor
from chatbot.speech.words import Words

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from contextlib import AbstractAsyncContextManager

    from chatbot.rooms.room import Manner

    # A bot is connected while it is entered. A bare one has no house.
    Entered: TypeAlias = AbstractAsyncContextManager[House | None]
    Bot: TypeAlias = Callable[[str, Path], Entered]

KEYS = "keys.json"
STARTING = 30.0  # seconds


def run(bots: Mapping[str, Bot]) -> None:
    """Be the process of one of these bots."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bot", choices=bots)
    parser.add_argument("address")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--profile", action="store_true")
    asked = parser.parse_args()
    log.configure("warning")
    profile = cProfile.Profile() if asked.profile else None
    asyncio.run(_serve(bots[asked.bot](asked.address, asked.folder), asked.port, profile))
    if profile is not None:
        _show(profile)


@asynccontextmanager
async def open_house(folder: Path) -> AsyncIterator[House]:
    """Run a house on a file, by the clock of the loop, as the program does."""
    watch = LoopWatch()
    store = await Store.open(f"sqlite:///{(folder / 'rabble.db').as_posix()}", alone=True)
    try:
        house = House(kits(), store, Words("en"), watch)
        yield house
        await watch.stop(1.0)
        await house.settle()
    finally:
        await store.close()


async def ready(running: asyncio.Task[None], connected: Callable[[], bool]) -> None:
    """Wait until a bot is connected."""
    async with asyncio.timeout(STARTING):
        while not connected():
            if running.done():
                running.result()
            await asyncio.sleep(0.01)


async def free(house: House, *words: str) -> None:
    """Let everybody use these commands as often as they like: how often they may is not what is measured."""
    for room in house.rooms.values():
        hand = Actor(f"free:{room.id}", room, OPERATOR, OPERATOR)
        await house.services.settings_changes.change(
            hand, {house.services.access.cooldowns.name: dict.fromkeys(words, OFF)}
        )


async def ended(running: asyncio.Task[None]) -> None:
    running.cancel()
    with suppress(asyncio.CancelledError, ConnectionError):
        await running


def speak(house: House, word: str, shipped: Mapping[str, Manner]) -> None:
    """Let answers for the same channel go out `alone` or `merged`, as many as there are, or as `shipped`."""
    # Where so short a window counts, what goes out uses up nothing of the budget that counts afterwards.
    loose: dict[str, Any] = {"budget": None, "window": 0.01, "gap": 0.0, "longest_gap": 0.0}
    for room in house.rooms.values():
        for channel in room.channels:
            most = channel.manner.length if word == "merged" else 0
            manner = replace(channel.manner, **loose, merged=most)
            channel.manner = shipped[channel.id] if word == "shipped" else manner


async def _serve(bot: Entered, port: int, profile: cProfile.Profile | None) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    async with bot as house:
        rooms = house.rooms.values() if house is not None else ()
        shipped = {channel.id: channel.manner for room in rooms for channel in room.channels}
        writer.write(b"ready\n")
        while word := (await reader.readline()).decode().strip():
            if word == "profile" and profile is not None:
                profile.enable()
            elif house is not None and word in {"merged", "alone", "shipped"}:
                speak(house, word, shipped)
            writer.write(f"{time.process_time()}\n".encode())
    writer.close()


def _show(profile: cProfile.Profile) -> None:
    """Print where the thread of the loop was busy."""
    profile.disable()
    stats = pstats.Stats(profile, stream=sys.stderr)
    stats.sort_stats("tottime").print_stats(45)
    stats.sort_stats("cumulative").print_stats(r"/(chatbot|cogs)/", 70)
