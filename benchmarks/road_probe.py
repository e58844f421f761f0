"""Counts what lines cost, in a process of its own, and prints it as JSON; `road.py` runs it.

It is run as a file, with the tree whose program it counts first on the path: so it counts an older commit by
the same rules. It therefore uses only what keeps its shape: House, Room, Line, Store and the fake Discord.

A call is one of a function, method or lambda of the program's own folders, in any thread; that a coroutine
goes on after a pause is none, and neither is a comprehension, which newer Pythons make no frame for. A line
is counted from where the house, or the door, gets it to the last of its words; what it makes the program do
afterwards is not, but for transactions, which all count. A member has said something just before.
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
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from statistics import median_low
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

    from chatbot.bot.house import House
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.clock import HandWatch, LoopWatch
    from chatbot.rooms.room import Channel, Delivery, Line, Room
    from chatbot.speech.words import Words
    from cogs.discord.door import MANNER, DiscordDoor
    from tests.fakes.discord_world import Interaction


def _at_home(now: str, formerly: str) -> Any:
    """Import a module of this state of the program, or the one that it was in an older state."""
    try:
        return importlib.import_module(now)
    except ModuleNotFoundError:
        return importlib.import_module(formerly)


if not TYPE_CHECKING:
    _module = _at_home("chatbot.bot.house", "chatbot.live.house")
    House = _module.House
    _module = _at_home("chatbot.ledger.store.store", "chatbot.wallets.store")
    Store = _module.Store
    _module = _at_home("chatbot.rooms.clock", "chatbot.live.watch")
    HandWatch = _module.HandWatch
    LoopWatch = _module.LoopWatch
    _module = _at_home("chatbot.rooms.room", "chatbot.live.room")
    Channel = _module.Channel
    Delivery = _module.Delivery
    Line = _module.Line
    Room = _module.Room
    _module = _at_home("chatbot.speech.words", "chatbot.live.wording.words")
    Words = _module.Words
    _module = _at_home("cogs.discord.door", "cogs.discord_door")
    MANNER = _module.MANNER
    DiscordDoor = _module.DiscordDoor

TREE = Path(chatbot.__file__).parents[1]
OWN = tuple(str(TREE / folder) for folder in ("chatbot", "cogs"))
LULL = 7200.0  # seconds in which every table ends, and every rest
KEEPER = "mo"
PAUSE = 10.0  # seconds between two lines of a member
STARTING = 30.0  # seconds in which the door must be connected
QUIET = 0.3  # seconds after an answer on Discord in which all is written that belongs to it
_PAUSING = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_COMPREHENSIONS = {"<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>"}
_ANYWHERE = -1  # where a function begins that never pauses


@dataclass(slots=True)
class Tally:
    calls: int = 0
    functions: set[CodeType] = field(default_factory=set)

    @property
    def figures(self) -> dict[str, int]:
        files = {each.co_filename for each in self.functions}
        return {"calls": self.calls, "functions": len(self.functions), "files": len(files)}


class Profiler:
    """Counts calls of the functions that these folders hold, between `begin` and `end`."""

    def __init__(self, own: tuple[str, ...]) -> None:
        self._own = own
        self._tally: Tally | None = None
        self._starts: dict[CodeType, int | None] = {}  # where a function begins; None: it does not count

    @contextmanager
    def listening(self) -> Iterator[Self]:
        """Listen to this thread and to all that begin meanwhile."""
        threading.setprofile(self._heard)
        sys.setprofile(self._heard)
        try:
            yield self
        finally:
            sys.setprofile(None)
            threading.setprofile(None)  # which stops it

    def begin(self) -> Tally:
        self._tally = Tally()
        return self._tally

    def end(self) -> None:
        self._tally = None

    def _heard(self, frame: FrameType, event: str, _: object) -> None:
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

    def _start(self, code: CodeType) -> int | None:
        """Find the offset at which a function begins, so that its going on can be told from that."""
        if not code.co_filename.startswith(self._own) or code.co_name in _COMPREHENSIONS:
            return None
        if not code.co_flags & _PAUSING:
            return _ANYWHERE
        return next(each.offset for each in dis.get_instructions(code) if each.opname == "RESUME")


class Counts:
    """What was counted of each kind of line, several times over."""

    def __init__(self, profiler: Profiler, store: Store) -> None:
        self._profiler, self._store = profiler, store
        self._found: dict[str, list[dict[str, int]]] = {}

    @asynccontextmanager
    async def of(self, what: str) -> AsyncIterator[Callable[[], None]]:
        """Count a line; what is given notes that words of it are out, and the last time counts."""
        written, tally = self._store.written, self._profiler.begin()
        until: dict[str, int] = {}
        try:
            yield lambda: until.update(tally.figures)
        finally:
            self._profiler.end()
        assert until, f"{what} got no answer"
        self._found.setdefault(what, []).append({**until, "writes": self._store.written - written})

    def middle(self) -> dict[str, dict[str, int]]:
        """Give the middle of each figure, but for the first time: nothing was warm yet."""
        return {
            what: {name: median_low(each[name] for each in times[1:]) for name in times[0]}
            for what, times in self._found.items()
        }


# In the house


class Street:
    """People who talk in one room, before a clock that is turned by hand. It is the room's door, too."""

    def __init__(self, counts: Counts, store: Store) -> None:
        self._counts, self._ids, self._watch = counts, count(1), HandWatch()
        self._house = House(kits(), store, Words("en"), self._watch)
        of_platform: Any = ("road",) if "platform" in Channel.__annotations__ else ()  # formerly not known
        made: Any = Channel
        self._room = Room("road", "road", (made("road", *of_platform, self),))
        self._heard: list[Delivery] = []
        self._out: Callable[[], None] = _nothing

    async def send(self, delivery: Delivery) -> None:
        self._heard.append(delivery)
        self._out()

    async def walk(self, times: int) -> None:
        await self._house.open(self._room)
        await self._watch.turn()
        for time in range(times):
            await self._count("!heist 69, a newcomer opens", f"new{time}", "!heist 69")
            await self._count("!heist 69, a newcomer joins", f"late{time}", "!heist 69")
            await self._part()
            await self._meet(ann := f"ann{time}", ben := f"ben{time}", "cat", "dan", KEEPER)
            await self._count("!heist 69, a member opens", ann, "!heist 69")
            await self._count("!heist 69, a member joins", ben, "!heist 69")
            await self._part()
            await self._meet("cat")
            await self._count("!highshow", "cat", "!highshow")
            await self._part()
            await self._meet("dan", KEEPER)
            await self._count("!credits", "dan", "!credits")
            await self._count("!set heist lobby 90", KEEPER, "!set heist lobby 90")
            await self._say(KEEPER, "!set heist lobby default")
            await self._part()

    async def _meet(self, *names: str) -> None:
        """Let people say something, and a command too, so that they are known and attended to."""
        for name in names:
            await self._say(name, "hello")
            await self._say(name, "!credits")
        await self._watch.turn(PAUSE)

    async def _part(self) -> None:
        """Let all tables end. The first command of an hour also sweeps up, so that nobody counts it."""
        await self._watch.turn(LULL)
        await self._say(KEEPER, "!talk normal")

    async def _count(self, what: str, name: str, text: str) -> None:
        async with self._counts.of(what) as self._out:
            await self._say(name, text)
        self._out = _nothing

    async def _say(self, name: str, text: str) -> None:
        self._heard.clear()
        role = Role.MODERATOR if name == KEEPER else Role.VIEWER
        line = Line(f"road:{next(self._ids)}", "road", _speaker(name), name, role, text)
        replies: Any = await self._house.hear(line)
        answered = [*getattr(replies, "deliveries", ())]
        if answered:
            self._out()  # who asked has them from the call
        await self._watch.turn()
        refused = [
            each.text
            for each in (*answered, *self._heard)
            if any(say.event == "Refusal" for say in each.says)
        ]
        assert not refused, f"{text}: {refused}"


def _speaker(key: str) -> Any:
    """Name somebody as this state of the program does: by an account, or formerly by a seat."""
    try:
        return importlib.import_module("chatbot.ledger.people").Account("road", key)
    except ModuleNotFoundError:
        return Seat(f"road:{key}")


def _nothing() -> None:
    """Take no note."""


async def in_the_house(counts: Counts, store: Store, times: int) -> None:
    await Street(counts, store).walk(times)


# Through the door to Discord


@asynccontextmanager
async def at_discord(store: Store) -> AsyncIterator[tuple[DiscordServer, House]]:
    """Let the door connect to a Discord on loopback by the real client library."""
    # Here a heartbeat may be answered before its thread has noted when it was sent, which looks like a lag.
    logging.getLogger("discord.gateway").setLevel(logging.ERROR)
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    server, watch = DiscordServer(), LoopWatch()
    address = await server.start()
    Route.BASE = address + API
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{address.replace('http', 'ws', 1)}/gateway")
    house = House(kits(), store, Words("en"), watch)
    manner = replace(MANNER, budget=None, merged=0)
    door = DiscordDoor(house, TOKEN, manner, ready_after=0.05, **_endpoints(address))
    running = asyncio.create_task(door.run())
    try:
        async with asyncio.timeout(STARTING):
            while not door.connected:  # noqa: ASYNC110  (the door tells nobody)
                await asyncio.sleep(0.01)
        yield server, house
    finally:
        running.cancel()
        await door.stop()
        with suppress(asyncio.CancelledError, ConnectionError):
            await running
        await watch.stop(1.0)
        await house.settle()
        await server.stop()


def _endpoints(address: str) -> dict[str, Any]:
    """Give the door the addresses; a door of an older state takes the library's, which are set above."""
    try:
        kind = importlib.import_module("cogs.discord.endpoints").DiscordEndpoints
    except ModuleNotFoundError:
        return {}
    return {"endpoints": kind(address + API, f"{address.replace('http', 'ws', 1)}/gateway")}


async def by_discord(counts: Counts, store: Store, times: int) -> None:
    async with at_discord(store) as (server, house):
        for time in range(times):
            member = server.world.join(f"member{time}")
            await _answer(server, await server.people.slash(member, server.world.town, "credits"))
            await _quiet(house)
            async with counts.of("/highshow, on Discord") as out:
                await _answer(server, await server.people.slash(member, server.world.town, "highshow"))
                out()
                await _quiet(house)


async def _answer(server: DiscordServer, asked: Interaction) -> None:
    """Wait until somebody can read the answer to what they did."""
    messages = server.world.messages
    await server.world.until(lambda: asked.original in messages and messages[asked.original]["content"])


async def _quiet(house: House) -> None:
    await house.settle()
    await asyncio.sleep(QUIET)


async def counted(times: int) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    with Profiler(OWN).listening() as profiler, TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for count_lines in (in_the_house, by_discord):
            store = await Store.open(f"sqlite:///{Path(folder, f'{len(found)}.db').as_posix()}", alone=True)
            counts = Counts(profiler, store)
            try:
                await count_lines(counts, store, times)
            finally:
                await store.close()
            found |= counts.middle()
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path, help="of the program that is counted")
    parser.add_argument("times", type=int, help="that each line is heard")
    given = parser.parse_args()
    assert TREE.resolve() == given.tree.resolve(), f"the program of {TREE} was imported"
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    print(json.dumps(asyncio.run(counted(given.times))))
