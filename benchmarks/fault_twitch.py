"""Break the adapter to Twitch in every way in which its platform does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, cast

from benchmarks.fault_rows import (
    BOUND,
    ENDED_NAME,
    LOCKED_NAME,
    Row,
    Step,
    database,
    end_sessions,
    lock,
    measured,
)
from chatbot.ownership import Ownership
from chatbot.runtime.clock import HandWatch, LoopWatch
from cogs.twitch.bot import WebsocketBot
from cogs.twitch.conduit import ConduitBot
from cogs.twitch.subscriptions import watchdog
from tests.adapters.twitch.stage import BOT, Stage
from tests.fakes.twitch_authority import Trouble
from tests.fakes.twitch_server import Twitch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from tests.fakes.twitch_eventsub import Session

KEEPALIVE = 1.0  # seconds of silence that the fakes promise not to exceed
LATE = 2.0  # seconds after that in which silence must be noticed
LOOK = 3.0  # seconds between two looks at what Twitch lists, in place of sixty
LOOK_SHIPPED = watchdog.EVERY
REFUSED = 20.0  # seconds for which Twitch refuses connections
SOCKETS, CONDUIT = "Twitch, sockets", "Twitch, conduit"


@dataclass(frozen=True, slots=True)
class Fault:
    """`strike` is given the URL of the database.

    `unknown` are the seconds in which nobody can know of it. Only the next look at what Twitch lists can find
    what is `unlisted`. A fault of `only` one adapter is not tried on the other; by `server` the database is
    PostgreSQL.
    """

    name: str
    strike: Callable[[Stage, str], Awaitable[None]]
    unknown: float = 0.0
    unlisted: bool = False
    only: str = ""
    server: bool = False

    @property
    def bound(self) -> float:
        """The seconds within which the adapter must answer again."""
        return BOUND + self.unknown + (LOOK if self.unlisted else 0.0)


def _session(stage: Stage) -> Session:
    """Give the connection by which the chat comes."""
    eventsub = stage.fake.eventsub
    [chat] = eventsub.of("channel.chat.message")
    name = chat.transport.get("session_id") or next(iter(eventsub.conduits.values())).shards["0"]
    return eventsub.sessions[name]


async def _newcomer(stage: Stage) -> None:
    """Let somebody whom nobody has seen ask: each is written to the database."""
    await stage.fake.chat(f"viewer{len(stage.fake.world.users)}", "ada", "!credits")


def close(code: int) -> Fault:
    """Close the connection by a code of EventSub."""

    async def strike(stage: Stage, _: str) -> None:
        for session in list(stage.fake.eventsub.sessions.values()):
            await session.socket.close(code=code)

    return Fault(f"all sockets closed by {code}", strike)


async def _tear(stage: Stage, _: str) -> None:
    for session in list(stage.fake.eventsub.sessions.values()):
        request = session.socket._req  # noqa: SLF001  (there is no other way to tear it)
        assert request is not None
        assert request.transport is not None
        request.transport.abort()


async def _refuse_connections(stage: Stage, url: str) -> None:
    """Tear the connection, and refuse every other one for a while."""
    stage.fake.eventsub.refuses = True
    await _tear(stage, url)
    await asyncio.sleep(REFUSED)
    stage.fake.eventsub.refuses = False


def hold(status: int) -> Fault:
    """Tear the connection, and let Twitch hold its subscriptions as if it were still there."""

    async def strike(stage: Stage, url: str) -> None:
        for each in stage.fake.eventsub.subscriptions.values():
            stage.fake.eventsub.hold(each, status)
        await _tear(stage, url)

    return Fault(f"all sockets torn, and {status} to who subscribes anew", strike, only=SOCKETS)


async def _silence(stage: Stage, _: str) -> None:
    """Tell the connections nothing any more, but leave them open."""
    stage.fake.eventsub.silent |= stage.fake.eventsub.sessions.keys()
    await asyncio.sleep(0)


async def _move(stage: Stage, _: str) -> None:
    await stage.fake.eventsub.ask_to_move(_session(stage))


async def _move_in_vain(stage: Stage, _: str) -> None:
    address = stage.fake.eventsub.address
    stage.fake.eventsub.address = "ws://127.0.0.1:9/"
    await stage.fake.eventsub.ask_to_move(_session(stage))
    stage.fake.eventsub.address = address


async def _revoke(stage: Stage, _: str) -> None:
    [chat] = stage.fake.eventsub.of("channel.chat.message")
    session = _session(stage)
    chat.transport = {**chat.transport, "session_id": session.id}  # whom a conduit tells of it
    await stage.fake.eventsub.revoke(chat, "version_removed")


async def _lose(stage: Stage, _: str) -> None:
    """Forget what the bot has subscribed to, without a word."""
    stage.fake.eventsub.subscriptions.clear()
    await asyncio.sleep(0)


async def _disable(stage: Stage, _: str) -> None:
    """Give the shards to connections that are no more, without a word to those that are."""
    for conduit in stage.fake.eventsub.conduits.values():
        conduit.shards = dict.fromkeys(conduit.shards, "elsewhere")
    await asyncio.sleep(0)


async def _delete_conduit(stage: Stage, url: str) -> None:
    stage.fake.eventsub.conduits.clear()
    await _lose(stage, url)


async def _expire(stage: Stage, _: str) -> None:
    stage.fake.authority.expire()
    await asyncio.sleep(0)


async def _expire_in_trouble(stage: Stage, url: str) -> None:
    """Let all tokens run out while the id server is away for two requests."""
    stage.fake.authority.disturb(Trouble.UNAVAILABLE, times=2)
    await _expire(stage, url)


async def _refuse(stage: Stage, _: str) -> None:
    """Let the bot's keys die, and connect the account again."""
    bot, adapter, client = stage.fake.world.users[BOT].id, stage.adapter, stage.client
    stage.fake.authority.disconnect(bot)
    assert adapter is not None
    assert isinstance(client, WebsocketBot | ConduitBot)
    await client.api.validate(bot)  # as it does every hour
    await stage.until(lambda: not adapter.connected)
    stage.connect_bot()


async def _ban(stage: Stage, _: str) -> None:
    """Ban the bot until it knows, and let it in again."""
    world = stage.fake.world
    world.banned.add((world.users["ada"].id, world.users[BOT].id))
    await stage.speak("ada", "nobody reads this")
    assert stage.chat("ada").muted
    world.banned.clear()


async def _forbid(stage: Stage, _: str) -> None:
    """Refuse what the bot says, by either key, until it knows."""
    stage.fake.world.disturb("chat/messages", 403, times=2)
    await stage.speak("ada", "nobody reads this")
    assert stage.chat("ada").muted


async def _spend(stage: Stage, _: str) -> None:
    """Use up the points of the program, which come back within a minute."""
    stage.fake.world.budget("").left = 0
    await asyncio.sleep(0)


def answers(status: int, message: str = "", times: int = 2) -> Fault:
    """Let Helix answer what is said by errors, a few times; by 0 it closes the connection instead."""

    async def strike(stage: Stage, _: str) -> None:
        stage.fake.world.disturb("chat/messages", status, message=message, times=times, reset=1.0)
        await asyncio.sleep(0)

    what = f"{times} answers of {status}" if status else f"no answer {times} times"
    return Fault(f"{what} to what the bot says", strike)


def drops(code: str, times: int = 2) -> Fault:
    """Let Twitch drop what is said by a code, a few times."""

    async def strike(stage: Stage, _: str) -> None:
        stage.fake.world.drops["ada"].extend([code] * times)
        await asyncio.sleep(0)

    return Fault(f"{times} messages dropped by {code}", strike)


REPEATED: Sequence[Fault] = (
    *(close(code) for code in (4000, 4001, 4002, 4003, 4004, 4005, 4006, 4007)),
    Fault("all sockets torn", _tear),
    Fault("silence", _silence, unknown=KEEPALIVE + LATE),
    Fault("told to move", _move),
    Fault("the subscription to the chat revoked", _revoke),
    Fault("all access tokens run out", _expire),
)
"""Faults that may follow each other in any order."""

FAULTS: Sequence[Fault] = (
    *REPEATED[:9],
    hold(409),
    hold(429),
    Fault(f"all sockets torn, and others refused for {REFUSED:g} s", _refuse_connections),
    Fault("silence", _silence, unknown=KEEPALIVE + LATE),
    Fault("told to move", _move),
    Fault("told to move, and the new address is dead", _move_in_vain),
    Fault("the subscription to the chat revoked", _revoke),
    Fault("all subscriptions gone without a word", _lose, unlisted=True),
    Fault("all shards disabled without a word", _disable, unlisted=True, only=CONDUIT),
    Fault("the conduit deleted without a word", _delete_conduit, unlisted=True, only=CONDUIT),
    Fault("all access tokens run out", _expire),
    Fault("all access tokens run out, and 2 answers of 503 to who renews them", _expire_in_trouble),
    Fault("the bot's refresh token died, and it is connected again", _refuse),
    Fault("the bot banned, and let in again", _ban),
    *(answers(status) for status in (429, 500, 503, 0)),
    answers(401, "Invalid OAuth token"),
    drops("msg_duplicate"),
    drops("msg_ratelimit"),
    drops("msg_slowmode"),
    Fault("the right to speak taken for a moment", _forbid),
    Fault("the points of the program used up", _spend),
    Fault(LOCKED_NAME, lambda stage, url: lock(url, lambda: _newcomer(stage))),
    Fault(ENDED_NAME, lambda _, url: end_sessions(url), server=True),
)


@asynccontextmanager
async def running(*, conduit: bool, server: bool = False) -> AsyncIterator[tuple[Stage, str]]:
    """Run the adapter to Twitch, with a clock that runs by itself, and give the URL of its database."""
    async with database(server=server) as (store, url):
        fake = Twitch()
        fake.world.pace = 0.0
        fake.eventsub.keepalive, fake.eventsub.timeout = KEEPALIVE / 2, KEEPALIVE
        await fake.start()
        with TemporaryDirectory() as folder:
            stage = Stage(fake, store, Path(folder), cast("HandWatch", LoopWatch()))
            stage._pause = asyncio.sleep  # type: ignore[method-assign,assignment]  # noqa: SLF001  (tests do not wait)
            fake.world.whispers_are_paced = True
            stage.connect_bot()
            stage.connect_streamer()
            try:
                await stage.open(conduit=conduit)
                Ownership(store.leases, stage.bot, stage.bot.watch, lambda _: None).start()
                yield stage, url
            finally:
                await stage.close()
                await fake.stop()


async def on_twitch(fault: Fault, *, conduit: bool) -> Row:
    """Strike once, and wait for an answer in the chat."""
    watchdog.EVERY = LOOK if fault.unlisted else LOOK_SHIPPED
    try:
        async with running(conduit=conduit, server=fault.server) as (stage, url):
            seconds = await _struck(stage, url, fault)
    finally:
        watchdog.EVERY = LOOK_SHIPPED
    return Row(CONDUIT if conduit else SOCKETS, fault.name, seconds, fault.bound)


async def in_a_row(faults: Sequence[tuple[Fault, float]], *, conduit: bool) -> list[Step]:
    """Strike one fault after the other, each so many seconds after the answer that ended the last one."""
    steps = list[Step]()
    async with running(conduit=conduit) as (stage, url):
        for fault, pause in faults:
            await asyncio.sleep(pause)
            seconds = await _struck(stage, url, fault)
            steps.append(Step(fault.name, pause, seconds, fault.unknown))
    return steps


async def _struck(stage: Stage, url: str, fault: Fault) -> float | None:
    """Strike, and return the seconds until somebody is answered."""
    await fault.strike(stage, url)
    return await measured(lambda: len(stage.fake.sent("ada")), lambda: _newcomer(stage), fault.bound)
