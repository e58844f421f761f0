"""Count what lines cost, and print it as JSON; `road.py` runs this file in a process of its own.

The working tree whose program is counted comes first in `sys.path`, so that another commit is counted by the
same rules. The script therefore uses only what is stable: the bot, Room, Line, Store and the fake Discord.

A call is one of a function, method or lambda of the program's own folders, in any thread. The resumption of a
coroutine does not count, and neither does a comprehension, which has no frame in newer versions of Python. A
line is counted from its arrival at the bot, or at the platform adapter, to the last of its answers. What
the program does afterwards is not counted, except for transactions. Members have written something before.
"""

from __future__ import annotations

import argparse
import asyncio
import dis
import importlib
import inspect
import json
import logging
import sys
import threading
from collections import Counter
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType
from typing import TYPE_CHECKING, Any, Self

import discord
import structlog
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

import chatbot
from chatbot.games import kits
from chatbot.kernel.game import Role, Seat
from tests.fakes.discord_server import API, TOKEN, DiscordServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from types import FrameType

    from chatbot.bot.bot import Bot
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.channel import Channel, Delivery
    from chatbot.rooms.line import Line
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import HandWatch, LoopWatch
    from chatbot.speech.words import Words
    from cogs.discord.adapter import MANNER, DiscordAdapter
    from tests.fakes.discord_world import Interaction


def imported(*names: str) -> Any:  # `Any`: what another commit has is not known here
    """Import what has the first of several dotted names: the present one, then those of older commits.

    Raises:
        ImportError: this commit has nothing by any of these names.
    """
    for name in names:
        module, _, attribute = name.rpartition(".")
        try:
            return getattr(importlib.import_module(module), attribute)
        except (ModuleNotFoundError, AttributeError):
            continue
    raise ImportError(f"nothing is called {' or '.join(names)} here")


if not TYPE_CHECKING:
    Bot = imported("chatbot.bot.bot.Bot", "chatbot.bot.house.House", "chatbot.live.house.House")
    Store = imported("chatbot.ledger.store.store.Store", "chatbot.wallets.store.Store")
    HandWatch = imported(
        "chatbot.runtime.clock.HandWatch", "chatbot.rooms.clock.HandWatch", "chatbot.live.watch.HandWatch"
    )
    LoopWatch = imported(
        "chatbot.runtime.clock.LoopWatch", "chatbot.rooms.clock.LoopWatch", "chatbot.live.watch.LoopWatch"
    )
    Channel = imported(
        "chatbot.rooms.channel.Channel", "chatbot.rooms.room.Channel", "chatbot.live.room.Channel"
    )
    Delivery = imported(
        "chatbot.rooms.channel.Delivery", "chatbot.rooms.room.Delivery", "chatbot.live.room.Delivery"
    )
    Line = imported("chatbot.rooms.line.Line", "chatbot.rooms.room.Line", "chatbot.live.room.Line")
    Room = imported("chatbot.rooms.room.Room", "chatbot.live.room.Room")
    Words = imported("chatbot.speech.words.Words", "chatbot.live.wording.words.Words")
    MANNER = imported("cogs.discord.adapter.MANNER", "cogs.discord.door.MANNER", "cogs.discord_door.MANNER")
    DiscordAdapter = imported(
        "cogs.discord.adapter.DiscordAdapter",
        "cogs.discord.door.DiscordDoor",
        "cogs.discord_door.DiscordDoor",
    )

TREE = Path(chatbot.__file__).parents[1]
OWN_FOLDERS = tuple(str(TREE / folder) for folder in ("chatbot", "cogs"))
ALL_ENDED = 7200.0  # seconds after which every table and every cooldown has ended
MODERATOR = "mo"
PAUSE = 10.0  # seconds between two lines of a member
CONNECT_TIMEOUT = 30.0  # seconds
SETTLE_TIME = 0.3  # seconds after an answer on Discord in which everything that belongs to it is written
_SUSPENDABLE = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_COMPREHENSIONS = {"<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>"}
LOOP = "event loop"
"""What calls a function that no other function of the program calls."""
_ANYWHERE = -1  # the start of a function that cannot be suspended, where every call event is a call


@dataclass(slots=True)
class Tally:
    """The calls since the profiler began to count."""

    calls: int = 0
    functions: set[CodeType] = field(default_factory=set)
    crossings: Counter[tuple[str, str]] = field(default_factory=Counter)  # calls from one package to another

    @property
    def figures(self) -> dict[str, int]:
        files = {each.co_filename for each in self.functions}
        return {"calls": self.calls, "functions": len(self.functions), "files": len(files)}


class Profiler:
    """Counts calls of the functions in some folders, between `begin` and `end`.

    With `crossings` it also counts by which package each package is called, which takes longer.
    """

    def __init__(self, own: tuple[str, ...], *, crossings: bool = False) -> None:
        self._own, self._crossings = own, crossings
        self._tally: Tally | None = None
        self._starts: dict[CodeType, int | None] = {}  # offset of a function's start; None: not counted

    @contextmanager
    def listening(self) -> Iterator[Self]:
        """Profile this thread, and all that are started, while the context is entered."""
        threading.setprofile(self._profile)
        sys.setprofile(self._profile)
        try:
            yield self
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    def begin(self) -> Tally:
        self._tally = Tally()
        return self._tally

    def end(self) -> None:
        self._tally = None

    def _profile(self, frame: FrameType, event: str, _: object) -> None:
        tally = self._tally
        if tally is None or event != "call":
            return
        code = frame.f_code
        if code not in self._starts:
            self._starts[code] = self._start(code)
        start = self._starts[code]
        if start is not None and start in {_ANYWHERE, frame.f_lasti}:
            tally.calls += 1
            tally.functions.add(code)
            if self._crossings:
                tally.crossings[self._caller(frame), package(code)] += 1

    def _caller(self, frame: FrameType) -> str:
        """Return the package of the nearest function of the program that called this one."""
        back = frame.f_back
        while back is not None and not back.f_code.co_filename.startswith(self._own):
            back = back.f_back
        return LOOP if back is None else package(back.f_code)

    def _start(self, code: CodeType) -> int | None:
        """Find the offset at which a function begins, which distinguishes a call from a resumption."""
        if not code.co_filename.startswith(self._own) or code.co_name in _COMPREHENSIONS:
            return None
        if not code.co_flags & _SUSPENDABLE:
            return _ANYWHERE
        return next(each.offset for each in dis.get_instructions(code) if each.opname == "RESUME")


def package(code: CodeType) -> str:
    """Return the package that a function of the program is in, such as `ledger` or `cogs`."""
    top, *others = Path(code.co_filename).relative_to(TREE).with_suffix("").parts
    return others[0] if top == "chatbot" else top


class Counts:
    """The figures of each kind of line, one for each time that it was sent."""

    def __init__(self, profiler: Profiler, store: Store) -> None:
        self._profiler, self._store = profiler, store
        self._found: dict[str, list[dict[str, int]]] = {}
        self.crossings: dict[str, Counter[tuple[str, str]]] = {}  # of the last time

    @asynccontextmanager
    async def of(self, what: str) -> AsyncIterator[Callable[[], None]]:
        """Count a line until the last call of the function that the context provides, one for each answer."""
        before, tally = self._store.written, self._profiler.begin()
        until: dict[str, int] = {}

        def answered() -> None:
            until.update(tally.figures)
            self.crossings[what] = tally.crossings.copy()

        try:
            yield answered
        finally:
            self._profiler.end()
        assert until, f"{what} got no answer"
        self._found.setdefault(what, []).append({**until, "writes": self._store.written - before})

    def least(self) -> dict[str, dict[str, int]]:
        """Return the least of each figure, without the first time, when caches were empty.

        What else runs in the loop on a busy machine, such as a timer, is counted, and only ever adds.
        """
        return {
            what: {name: min(each[name] for each in times[1:]) for name in times[0]}
            for what, times in self._found.items()
        }


class RoomProbe:
    """Sends lines of members to a room, with a fake clock; it is also the platform of the room."""

    def __init__(self, counts: Counts, store: Store) -> None:
        self._counts, self._ids, self._watch = counts, count(1), HandWatch()
        self._bot = Bot(kits(), store, Words("en"), self._watch)
        # Channels of older commits have no platform, so the type of `Channel` is only known at run time.
        of_platform: Any = ("road",) if "platform" in Channel.__annotations__ else ()
        channel: Any = Channel
        self._room = Room("road", "road", (channel("road", *of_platform, self),))
        self._heard: list[Delivery] = []
        self._out: Callable[[], None] = _nothing

    async def send(self, delivery: Delivery) -> None:
        self._heard.append(delivery)
        self._out()

    async def measure(self, times: int) -> None:
        """Count each kind of line so many times."""
        await self._bot.open(self._room)
        await self._watch.turn()
        for time in range(times):
            await self._count("!heist 69, a newcomer opens", f"new{time}", "!heist 69")
            await self._count("!heist 69, a newcomer joins", f"late{time}", "!heist 69")
            await self._part()
            await self._meet(ann := f"ann{time}", ben := f"ben{time}", "cat", "dan", MODERATOR)
            await self._count("!heist 69, a member opens", ann, "!heist 69")
            await self._count("!heist 69, a member joins", ben, "!heist 69")
            await self._part()
            await self._meet("cat")
            await self._count("!highshow", "cat", "!highshow")
            await self._part()
            await self._meet("dan", MODERATOR)
            await self._count("!credits", "dan", "!credits")
            await self._count("!set heist lobby 90", MODERATOR, "!set heist lobby 90")
            await self._say(MODERATOR, "!set heist lobby default")
            await self._part()

    async def _meet(self, *names: str) -> None:
        """Send a line and a command of each member, so that they are known and counted as active."""
        for name in names:
            await self._say(name, "hello")
            await self._say(name, "!credits")
        await self._watch.turn(PAUSE)

    async def _part(self) -> None:
        """Let all tables end, and send a command, because the first in an hour also does cleanup work."""
        await self._watch.turn(ALL_ENDED)
        await self._say(MODERATOR, "!talk normal")

    async def _count(self, what: str, name: str, text: str) -> None:
        await self._bot.settle()  # that somebody was seen again is written later
        async with self._counts.of(what) as self._out:
            await self._say(name, text)
        self._out = _nothing

    async def _say(self, name: str, text: str) -> None:
        self._heard.clear()
        role = Role.MODERATOR if name == MODERATOR else Role.VIEWER
        line = Line(f"road:{next(self._ids)}", "road", _speaker(name), name, role, text)
        replies: Any = await self._bot.hear(line)
        deliveries = [*getattr(replies, "deliveries", ())]
        if deliveries:
            self._out()  # `hear` has returned the answers
        await self._watch.turn()
        refusals = [
            each.text
            for each in (*deliveries, *self._heard)
            if any(say.event == "Refusal" for say in each.says)
        ]
        assert not refusals, f"{text}: {refusals}"


def _speaker(key: str) -> Any:  # the type of `Line.account`, which differs between commits
    """Return what identifies the sender of a line: an account, or a seat in older commits."""
    try:
        return importlib.import_module("chatbot.ledger.people").Account("road", key)
    except ModuleNotFoundError:
        return Seat(f"road:{key}")


def _nothing() -> None:
    """Ignore an answer that is not counted."""


async def by_room(counts: Counts, store: Store, times: int) -> None:
    """Count lines that are passed to the house directly."""
    await RoomProbe(counts, store).measure(times)


@asynccontextmanager
async def at_discord(store: Store) -> AsyncIterator[tuple[DiscordServer, Bot]]:
    """Connect the platform adapter to a fake Discord on loopback, by the real client library."""
    # On loopback an answer may arrive before the heartbeat thread has noted the time, which looks like a lag.
    logging.getLogger("discord.gateway").setLevel(logging.ERROR)
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    server, watch = DiscordServer(), LoopWatch()
    address = await server.start()
    Route.BASE = address + API
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{address.replace('http', 'ws', 1)}/gateway")
    bot = Bot(kits(), store, Words("en"), watch)
    manner = replace(MANNER, budget=None, merged=0)
    door = DiscordAdapter(bot, TOKEN, manner, ready_after=0.05, **_endpoints(address))
    task = asyncio.create_task(door.run())
    try:
        async with asyncio.timeout(CONNECT_TIMEOUT):
            while not door.connected:  # noqa: ASYNC110  (there is no event for it)
                await asyncio.sleep(0.01)
        yield server, bot
    finally:
        task.cancel()
        await door.stop()
        with suppress(asyncio.CancelledError, ConnectionError):
            await task
        await watch.stop(1.0)
        await bot.settle()
        await server.stop()


def _endpoints(address: str) -> dict[str, Any]:  # keyword arguments, of which older commits have none
    """Return the addresses for the adapter; in older commits it uses those of the library, set above."""
    try:
        kind = importlib.import_module("cogs.discord.endpoints").DiscordEndpoints
    except ModuleNotFoundError:
        return {}
    return {"endpoints": kind(address + API, f"{address.replace('http', 'ws', 1)}/gateway")}


async def by_discord(counts: Counts, store: Store, times: int) -> None:
    """Count a slash command from its interaction to the answer."""
    async with at_discord(store) as (server, bot):
        for time in range(times):
            member = server.world.join(f"member{time}")
            await _answer(server, await server.people.slash(member, server.world.town, "credits"))
            await _settle(bot)
            async with counts.of("/highshow, on Discord") as out:
                await _answer(server, await server.people.slash(member, server.world.town, "highshow"))
                out()
                await _settle(bot)


async def _answer(server: DiscordServer, interaction: Interaction) -> None:
    """Wait until the answer to an interaction has a text."""
    messages = server.world.messages

    def answered() -> bool:
        # `original` is only set once the interaction has been answered.
        return interaction.original in messages and bool(messages[interaction.original]["content"])

    await server.world.until(answered)


async def _settle(bot: Bot) -> None:
    await bot.settle()
    await asyncio.sleep(SETTLE_TIME)


async def counted(times: int) -> dict[str, dict[str, int]]:
    """Return the counts by line and by quantity."""
    return {what: figures for counts in await _count(times) for what, figures in counts.least().items()}


async def crossed(times: int) -> dict[str, list[tuple[str, str, int]]]:
    """Return how often each package called each other one for each line, as caller, callee and calls."""
    return {
        what: [(caller, callee, calls) for (caller, callee), calls in crossings.items() if caller != callee]
        for counts in await _count(times, crossings=True)
        for what, crossings in counts.crossings.items()
    }


async def _count(times: int, *, crossings: bool = False) -> list[Counts]:
    """Send each line some times, to a room and on Discord."""
    by_way = list[Counts]()
    with (
        Profiler(OWN_FOLDERS, crossings=crossings).listening() as profiler,
        TemporaryDirectory(ignore_cleanup_errors=True) as folder,
    ):
        for count_lines in (by_room, by_discord):
            store = await Store.open(f"sqlite:///{Path(folder, f'{len(by_way)}.db').as_posix()}", alone=True)
            counts = Counts(profiler, store)
            try:
                await count_lines(counts, store, times)
            finally:
                await store.close()
            by_way.append(counts)
    return by_way


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path, help="working tree of the program that is counted")
    parser.add_argument("times", type=int, help="times that each line is sent")
    parser.add_argument("--crossings", action="store_true", help="count calls from package to package")
    given = parser.parse_args()
    assert TREE.resolve() == given.tree.resolve(), f"the program of {TREE} was imported"
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    print(json.dumps(asyncio.run((crossed if given.crossings else counted)(given.times))))
