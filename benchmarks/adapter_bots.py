"""Run a bot that is measured in a process of its own, as the benchmark of platforms does.

The process connects the bot to the platform at ADDRESS and then reports to PORT of this machine that it is
ready. It reads one command a line from that connection, and ends when the connection is closed.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import os
import pstats
import sys
import time
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from uuid import uuid4

from benchmarks.startup import resident
from chatbot import collector, log
from chatbot.bot.bot import Bot
from chatbot.bot.cooldowns import OFF
from chatbot.games import kits
from chatbot.ledger.changes import OPERATOR
from chatbot.ledger.store.store import Store
from chatbot.rooms.channel import Manner
from chatbot.rooms.settings.changes import Actor
from chatbot.runtime.clock import LoopWatch
from chatbot.speech.words import Words

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from contextlib import AbstractAsyncContextManager

    # A bot is connected while its context is entered. A bare one is no `Bot`.
    RunningBot: TypeAlias = AbstractAsyncContextManager[Bot | None]
    StartBot: TypeAlias = Callable[[str, Path, int], RunningBot]

KEYS = "keys.json"
ASKED = "credits", "help"  # the commands whose cooldown is not what is measured without limits
CONNECT_TIMEOUT = 240.0  # seconds


def run(bots: Mapping[str, StartBot]) -> None:
    """Run the bot that the command line names; the entry point of its process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bot", choices=bots)
    parser.add_argument("address")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--channels", type=int, default=0, help="of Twitch: chat0 and so on")
    parser.add_argument("--profile", action="store_true")
    arguments = parser.parse_args()
    log.configure("warning")
    profile = cProfile.Profile() if arguments.profile else None
    asyncio.run(
        _serve(
            bots[arguments.bot](arguments.address, arguments.folder, arguments.channels),
            arguments.port,
            profile,
        )
    )
    if profile is not None:
        _show(profile)


@asynccontextmanager
async def open_bot(folder: Path) -> AsyncIterator[Bot]:
    """Run a house on a database file, with the clock of the event loop, as the program does."""
    watch = LoopWatch()
    store = await Store.open(f"sqlite:///{(folder / 'rabble.db').as_posix()}", alone=True)
    try:
        bot = Bot(kits(), store, Words("en"), watch)
        with collector.sparing():
            yield bot
        await watch.stop(1.0)
        await bot.settle()
    finally:
        await store.close()


async def ready(task: asyncio.Task[None], connected: Callable[[], bool]) -> None:
    """Wait until a bot is connected, for at most `CONNECT_TIMEOUT`; `task` runs it."""
    async with asyncio.timeout(CONNECT_TIMEOUT):
        while not connected():
            if task.done():
                task.result()
            await asyncio.sleep(0.01)


async def set_cooldowns(bot: Bot, *, shipped: bool) -> None:
    """Set the cooldowns of what is asked for as they are `shipped`, or remove them."""
    cooldowns = bot.parts.access.cooldowns
    for room in bot.rooms.values():
        actor = Actor(f"cooldowns:{room.id}:{uuid4()}", room, OPERATOR, OPERATOR)
        if bool(cooldowns.of(room)) is shipped:
            changes = dict.fromkeys(ASKED, None if shipped else OFF)
            await bot.parts.settings_changes.change(actor, {cooldowns.name: changes})


async def stop_task(task: asyncio.Task[None]) -> None:
    """Cancel the task of a bot and wait for its end."""
    task.cancel()
    with suppress(asyncio.CancelledError, ConnectionError):
        await task


def set_manner(bot: Bot, mode: str, shipped: dict[str, Manner]) -> None:
    """Send answers in messages of their own (`alone`), merged without limits (`merged`), or as `shipped`.

    `shipped` keeps the manners of the channels as the program ships them, by channel id.
    """
    for room in bot.rooms.values():
        for channel in room.channels:
            usual = shipped.setdefault(channel.id, channel.manner)
            # With so short a window, these messages use up nothing of a budget that applies later.
            manner = replace(
                channel.manner,
                budget=None,
                window=0.01,
                gap=0.0,
                longest_gap=0.0,
                merged=channel.manner.length if mode == "merged" else 0,
            )
            channel.manner = usual if mode == "shipped" else manner


async def _serve(running: RunningBot, port: int, profile: cProfile.Profile | None) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    async with running as bot:
        shipped = dict[str, Manner]()
        writer.write(b"ready\n")
        while word := (await reader.readline()).decode().strip():
            if word == "profile" and profile is not None:
                profile.enable()
            elif bot is not None and word in {"merged", "alone", "shipped"}:
                set_manner(bot, word, shipped)
                await set_cooldowns(bot, shipped=word == "shipped")
            writer.write(f"{_figure(word, bot)}\n".encode())
    writer.close()


def _figure(word: str, bot: Bot | None) -> float:
    """Answer a command: by MB of memory, by the number of people in heists, or else by seconds of CPU."""
    if word == "memory":
        return resident(os.getpid())
    if word == "inside" and bot is not None:
        tables = [table for room in bot.rooms.values() for table in room.playing("heist")]
        # A view would be made of a thousand at each question, and its cost count as the bot's.
        return float(sum(len(table.state.company.crew) for table in tables))
    return time.process_time()


def _show(profile: cProfile.Profile) -> None:
    """Print where the thread of the event loop spent its time."""
    profile.disable()
    stats = pstats.Stats(profile, stream=sys.stderr)
    stats.sort_stats("tottime").print_stats(45)
    stats.sort_stats("cumulative").print_stats(r"/(chatbot|cogs)/", 70)
