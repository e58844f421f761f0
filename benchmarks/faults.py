"""Break each door in every way in which its platform does, and measure how long it takes to answer again.

The platforms are the fakes on this machine; the client libraries and all else are real. What somebody types
is repeated every 50 ms from the fault on, and the time is that until the first answer. Silence is shortened:
the fakes of Twitch promise a keepalive every second instead of every ten, and a gateway of Discord is left
after three seconds instead of thirty.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sqlite3
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, cast

import structlog
from rich.console import Console
from rich.table import Table

from chatbot.ledger.store.store import Store
from chatbot.ownership import Ownership
from chatbot.rooms.clock import HandWatch, LoopWatch
from cogs.discord import heartbeat
from cogs.discord.bot import BETWEEN_SESSIONS
from cogs.twitch.bot import ConduitBot, WebsocketBot
from cogs.twitch.eventsub import MARGIN
from tests.doors.discord.stage import Stage as DiscordStage
from tests.doors.twitch.stage import BOT
from tests.doors.twitch.stage import Stage as TwitchStage
from tests.fakes.discord_server import DiscordServer
from tests.fakes.discord_world import SEND
from tests.fakes.twitch_server import Twitch
from tests.ledger.conftest import administrate, postgresql
from tests.template import store_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from tests.fakes.twitch_eventsub import Session

BOUND = 5.0  # seconds within which what the platform tells of is over
DEADLINE = 60.0  # seconds after which a fault is not over
KEEPALIVE = 1.0  # seconds of silence that the fakes promise not to exceed
SILENCE = 3.0  # seconds without a word of Discord's gateway, in place of thirty
BEAT_SHIPPED, SILENCE_SHIPPED = heartbeat.BEAT, heartbeat.SILENCE
LOCKED = 2.0  # seconds for which another program holds the database
STEP = 0.05  # seconds between two lines


@dataclass(frozen=True, slots=True)
class Fault:
    """`told` says whether the platform tells of it; what it does not tell of is bound by silence."""

    name: str
    strike: Callable[[TwitchStage], Awaitable[None]]
    told: bool = True


@dataclass(frozen=True, slots=True)
class Row:
    """What a fault on a door took, in seconds; None is that it was not over in time."""

    door: str
    fault: str
    seconds: float | None
    bound: float

    @property
    def kept(self) -> bool:
        """Whether the door answered again in time."""
        return self.seconds is not None and self.seconds <= self.bound


def _session(stage: TwitchStage) -> Session:
    """Give the connection by which the chat comes."""
    eventsub = stage.fake.eventsub
    [chat] = eventsub.of("channel.chat.message")
    name = chat.transport.get("session_id") or next(iter(eventsub.conduits.values())).shards["0"]
    return eventsub.sessions[name]


def close(code: int) -> Fault:
    """Close the connection by a code of EventSub."""

    async def strike(stage: TwitchStage) -> None:
        for session in list(stage.fake.eventsub.sessions.values()):
            await session.socket.close(code=code)

    return Fault(f"all sockets closed by {code}", strike)


async def _tear(stage: TwitchStage) -> None:
    for session in list(stage.fake.eventsub.sessions.values()):
        request = session.socket._req  # noqa: SLF001  (there is no other way to tear it)
        assert request is not None
        assert request.transport is not None
        request.transport.abort()


async def _silence(stage: TwitchStage) -> None:
    stage.fake.eventsub.keepalive = 3600.0
    for each in stage.fake.eventsub.subscriptions.values():
        if each.transport["method"] == "websocket":
            each.transport = {**each.transport, "session_id": "silent"}
    for conduit in stage.fake.eventsub.conduits.values():
        conduit.shards = dict.fromkeys(conduit.shards, "silent")
    await asyncio.sleep(0)


async def _move(stage: TwitchStage) -> None:
    await stage.fake.eventsub.ask_to_move(_session(stage))


async def _move_in_vain(stage: TwitchStage) -> None:
    address = stage.fake.eventsub.address
    stage.fake.eventsub.address = "ws://127.0.0.1:9/"
    await stage.fake.eventsub.ask_to_move(_session(stage))
    stage.fake.eventsub.address = address


async def _revoke(stage: TwitchStage) -> None:
    [chat] = stage.fake.eventsub.of("channel.chat.message")
    session = _session(stage)
    chat.transport = {**chat.transport, "session_id": session.id}  # whom a conduit tells of it
    await stage.fake.eventsub.revoke(chat, "version_removed")


async def _expire(stage: TwitchStage) -> None:
    stage.fake.authority.expire()
    await asyncio.sleep(0)


async def _refuse(stage: TwitchStage) -> None:
    """Let the bot's keys die, and connect the account again."""
    bot, door, client = stage.fake.world.users[BOT].id, stage.door, stage.client
    stage.fake.authority.disconnect(bot)
    assert door is not None
    assert isinstance(client, WebsocketBot | ConduitBot)
    await client.api.validate(bot)  # as it does every hour
    await stage.until(lambda: not door.ready)
    stage.connect_bot()


async def _ban(stage: TwitchStage) -> None:
    """Ban the bot until it knows, and let it in again."""
    world = stage.fake.world
    world.banned.add((world.users["ada"].id, world.users[BOT].id))
    await stage.speak("ada", "nobody reads this")
    assert stage.chat("ada").muted
    world.banned.clear()


async def _forbid(stage: TwitchStage) -> None:
    """Refuse what the bot says, by either key, until it knows."""
    stage.fake.world.disturb("chat/messages", 403, times=2)
    await stage.speak("ada", "nobody reads this")
    assert stage.chat("ada").muted


def answers(status: int, message: str = "", times: int = 2) -> Fault:
    """Let Helix answer what is said by errors, a few times."""

    async def strike(stage: TwitchStage) -> None:
        stage.fake.world.disturb("chat/messages", status, message=message, times=times, reset=1.0)
        await asyncio.sleep(0)

    return Fault(f"{times} answers of {status} to what the bot says", strike)


TWITCH: Sequence[Fault] = (
    *(close(code) for code in (4000, 4001, 4002, 4003, 4004, 4005, 4006, 4007)),
    Fault("all sockets torn", _tear),
    Fault("silence", _silence, told=False),
    Fault("told to move", _move),
    Fault("told to move, and the new address is dead", _move_in_vain),
    Fault("the subscription to the chat revoked", _revoke),
    Fault("all access tokens run out", _expire),
    Fault("the bot's refresh token died, and it is connected again", _refuse),
    Fault("the bot banned, and let in again", _ban),
    *(answers(status) for status in (429, 500, 503)),
    answers(401, "Invalid OAuth token"),
    Fault("the right to speak taken for a moment", _forbid),
)


async def measured(
    said: Callable[[], int], say: Callable[[], Awaitable[object]], bound: float
) -> float | None:
    """Repeat a line until it is answered, and give the seconds; None after `DEADLINE`."""
    began, before = time.perf_counter(), said()
    while time.perf_counter() - began < max(DEADLINE, bound):
        await say()
        await asyncio.sleep(STEP)
        if said() > before:
            return time.perf_counter() - began
    return None


@asynccontextmanager
async def twitch(*, conduit: bool) -> AsyncIterator[TwitchStage]:
    """Run the door to Twitch, with a clock that runs by itself."""
    with TemporaryDirectory() as folder:
        fake = Twitch()
        fake.world.pace = 0.0
        fake.eventsub.keepalive, fake.eventsub.timeout = KEEPALIVE / 2, KEEPALIVE
        await fake.start()
        store = await store_at(Path(folder) / "rabble.db")
        stage = TwitchStage(fake, store, Path(folder), cast("HandWatch", LoopWatch()))
        stage._pause = asyncio.sleep  # type: ignore[method-assign,assignment]  # noqa: SLF001  (tests do not wait)
        stage.connect_bot()
        stage.connect_streamer()
        try:
            await stage.open(conduit=conduit)
            yield stage
        finally:
            await stage.close()
            await store.close()
            await fake.stop()


async def on_twitch(fault: Fault, *, conduit: bool) -> Row:
    """Strike once, and wait for an answer in the chat."""
    bound = BOUND if fault.told else BOUND + KEEPALIVE + MARGIN
    async with twitch(conduit=conduit) as stage:
        number = 0

        async def say() -> None:
            nonlocal number
            number += 1
            await stage.fake.chat(f"viewer{number}", "ada", "!credits")

        await fault.strike(stage)
        seconds = await measured(lambda: len(stage.fake.sent("ada")), say, bound)
    return Row("Twitch, conduit" if conduit else "Twitch, sockets", fault.name, seconds, bound)


@dataclass(frozen=True, slots=True)
class DiscordFault:
    """`strike` is given the URL of the database; `told` says whether Discord tells of it."""

    name: str
    strike: Callable[[DiscordStage, str], Awaitable[object]]
    told: bool = True
    server: bool = False  # whether the database is on a server, PostgreSQL


async def on_discord(fault: DiscordFault) -> Row:
    """Strike once, and wait for an answer in the channel."""
    bound = BOUND if fault.told else BOUND + SILENCE
    async with _database(server=fault.server) as (store, url):
        server = DiscordServer()
        await server.start()
        heartbeat.BEAT, heartbeat.SILENCE = SILENCE / 2.5, SILENCE  # as 12 is to 30
        try:
            async with DiscordStage(server, store, watch=LoopWatch()) as stage:
                Ownership(store.claims, stage.house, stage.house.watch, lambda _: None).start()
                await stage.people.say(stage.world.join("ann"), stage.town, "!credits")
                await stage.shown("ann has 240 credits")
                await fault.strike(stage, url)
                seconds = await measured(lambda: _answers(stage), lambda: _newcomer(stage), bound)
        finally:
            heartbeat.BEAT, heartbeat.SILENCE = BEAT_SHIPPED, SILENCE_SHIPPED
            await server.stop()
    return Row("Discord", fault.name, seconds, bound)


@asynccontextmanager
async def _database(*, server: bool) -> AsyncIterator[tuple[Store, str]]:
    """Open a database that nobody has used, with its URL: a file, or one on the server of this machine."""
    async with AsyncExitStack() as stack:
        if server:
            url = await stack.enter_async_context(postgresql())
            store = await Store.open(url)
        else:
            path = Path(stack.enter_context(TemporaryDirectory())) / "rabble.db"
            url, store = f"sqlite:///{path.as_posix()}", await store_at(path)
        stack.push_async_callback(store.close)
        yield store, url


def _answers(stage: DiscordStage) -> int:
    return stage.world.texts(stage.town).count("240")


async def _newcomer(stage: DiscordStage) -> None:
    """Let somebody whom nobody has seen ask: each is written to the database."""
    fan = stage.world.join(f"fan{len(stage.world.users)}")
    await stage.people.say(fan, stage.town, "!credits")


async def _forget(stage: DiscordStage, _: str) -> None:
    await asyncio.sleep(BETWEEN_SESSIONS)  # the session that is forgotten is no new one
    stage.server.gateway.forgets_sessions = True
    await stage.server.gateway.drop()


async def _silence_gateway(stage: DiscordStage, _: str) -> None:
    """Tell the connection nothing any more, but leave it open."""
    stage.server.gateway.acknowledges = False
    for session in stage.server.gateway.sessions.values():
        session.socket = None
    await asyncio.sleep(0)


async def _say_no_hello(stage: DiscordStage, _: str) -> None:
    """Close the connection, and take the next one without a word."""
    stage.server.gateway.speechless = 1
    await stage.server.gateway.drop()


async def _forbid_in_mid_game(stage: DiscordStage, _: str) -> None:
    """Refuse a message of a game before Discord tells of the permission that was taken, and give it back."""
    await stage.people.say(stage.world.join("bob"), stage.town, "!heist 69")
    await stage.shown("planning a bank heist")
    taken = stage.world.forbid(stage.town, SEND)
    refused = len(stage.server.asked(f"POST /channels/{stage.town}/messages"))
    await stage.people.say(stage.world.join("cat"), stage.town, "!credits")
    await stage.world.until(
        lambda: len(stage.server.asked(f"POST /channels/{stage.town}/messages")) > refused
    )
    await stage.server.gateway.dispatch("CHANNEL_UPDATE", taken)
    await asyncio.sleep(STEP)
    await stage.server.gateway.dispatch("CHANNEL_UPDATE", stage.world.forbid(stage.town, 0))


def refusals(kind: str, what: str, times: int = 2) -> DiscordFault:
    """Let Discord answer messages by errors, a few times."""

    async def strike(stage: DiscordStage, _: str) -> None:
        stage.server.fail(rf"POST /channels/{stage.town}/messages", kind, times=times, seconds=1.0)
        await asyncio.sleep(0)

    return DiscordFault(f"{times} answers of {what} to what the bot says", strike)


async def _lock_file(stage: DiscordStage, url: str) -> None:
    """Let another program write to the database for a while, and somebody play meanwhile."""
    file = url.removeprefix("sqlite:///")
    other = sqlite3.connect(file, isolation_level=None)
    with closing(other):
        other.execute("BEGIN IMMEDIATE")
        await _newcomer(stage)
        await asyncio.sleep(LOCKED)


async def _end_sessions(_: DiscordStage, url: str) -> None:
    """End all connections to the database on the server."""
    name = url.rpartition("/")[2]
    sessions = f"FROM pg_stat_activity WHERE datname = '{name}'"
    await administrate(f"SELECT pg_terminate_backend(pid) {sessions}")


DISCORD: Sequence[DiscordFault] = (
    DiscordFault("the gateway closed by 4000", lambda stage, _: stage.server.gateway.drop()),
    DiscordFault("the gateway closed by 1001", lambda stage, _: stage.server.gateway.drop(1001)),
    DiscordFault("the gateway closed, and the session forgotten", _forget),
    DiscordFault("silence of the gateway", _silence_gateway, told=False),
    DiscordFault("the gateway closed, and the next one silent", _say_no_hello, told=False),
    DiscordFault("the right to write taken in mid game, and given back", _forbid_in_mid_game),
    refusals("limited", "429"),
    refusals("500", "500"),
    refusals("503", "503"),
    DiscordFault("the database locked by another program for 2 s (SQLite)", _lock_file),
    DiscordFault("all connections to the database ended (PostgreSQL)", _end_sessions, server=True),
)


async def matrix(only: str = "") -> list[Row]:
    """Strike every fault whose name or door has `only` in it."""
    doors = {"sockets": False, "conduit": True}
    rows = [
        await on_twitch(fault, conduit=conduit)
        for door, conduit in doors.items()
        for fault in TWITCH
        if only in f"{fault.name} {door}"
    ]
    discord = [await on_discord(each) for each in DISCORD if only in f"{each.name} Discord"]
    return [*rows, *discord]


def markdown(rows: Sequence[Row]) -> str:
    """Give the table of the documentation."""
    lines = ["| fault | door | seconds until it answers | at most |", "| --- | --- | --: | --: |"]
    lines += [f"| {each.fault} | {each.door} | {_shown(each)} | {each.bound:.1f} |" for each in rows]
    return "\n".join(lines) + "\n"


def _shown(row: Row) -> str:
    return "never" if row.seconds is None else f"{row.seconds:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("--only", default="", help="a part of the name of a fault or of its door")
    parser.add_argument("--markdown", action="store_true", help="print the table of the documentation")
    arguments = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    rows = asyncio.run(matrix(arguments.only))
    if arguments.markdown:
        print(markdown(rows), end="")
    else:
        table = Table("fault", "door", "seconds", "at most")
        for each in rows:
            table.add_row(each.fault, each.door, _shown(each), f"{each.bound:.1f}")
        Console().print(table)
    sys.exit(not all(each.kept for each in rows))


if __name__ == "__main__":
    main()
