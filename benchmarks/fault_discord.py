"""Break the adapter to Discord in every way in which its platform does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.fault_rows import (
    BOUND,
    ENDED_NAME,
    LOCKED_NAME,
    STEP,
    Row,
    Step,
    database,
    end_sessions,
    lock,
    measured,
)
from chatbot.ownership import Ownership
from chatbot.runtime.clock import LoopWatch
from chatbot.runtime.session_budget import GAP
from cogs.discord import heartbeat
from tests.adapters.discord.stage import Stage
from tests.fakes.discord_faults import GlobalLimit
from tests.fakes.discord_server import DiscordServer
from tests.fakes.discord_world import GUILD, SEND

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

DISCORD = "Discord"
REFUSED = 20.0  # seconds for which Discord refuses connections
SILENCE = 3.0  # seconds without a word of Discord's gateway, in place of thirty
BEAT_SHIPPED, SILENCE_SHIPPED = heartbeat.BEAT, heartbeat.SILENCE


@dataclass(frozen=True, slots=True)
class Fault:
    """`strike` is given the URL of the database; `told` says whether Discord tells of it."""

    name: str
    strike: Callable[[Stage, str], Awaitable[object]]
    told: bool = True
    server: bool = False  # whether the database is on a server, PostgreSQL

    @property
    def bound(self) -> float:
        """The seconds within which the adapter must answer again."""
        return BOUND if self.told else BOUND + SILENCE


@asynccontextmanager
async def running(*, server: bool = False) -> AsyncIterator[tuple[Stage, str]]:
    """Run the adapter to Discord, with a clock that runs by itself, and give the URL of its database."""
    async with database(server=server) as (store, url):
        discord = DiscordServer()
        await discord.start()
        heartbeat.BEAT, heartbeat.SILENCE = SILENCE / 2.5, SILENCE  # as 12 is to 30
        try:
            async with Stage(discord, store, watch=LoopWatch()) as stage:
                Ownership(store.leases, stage.bot, stage.bot.watch, lambda _: None).start()
                await stage.people.say(stage.world.join("ann"), stage.town, "!credits")
                await stage.shown("ann has 240 credits")
                yield stage, url
        finally:
            heartbeat.BEAT, heartbeat.SILENCE = BEAT_SHIPPED, SILENCE_SHIPPED
            await discord.stop()


async def on_discord(fault: Fault) -> Row:
    """Strike once, and wait for an answer in the channel."""
    async with running(server=fault.server) as (stage, url):
        seconds = await _struck(stage, url, fault)
    return Row(DISCORD, fault.name, seconds, fault.bound)


async def in_a_row(faults: Sequence[tuple[Fault, float]]) -> list[Step]:
    """Strike one fault after the other, each so many seconds after the answer that ended the last one."""
    steps = list[Step]()
    async with running() as (stage, url):
        for fault, pause in faults:
            await asyncio.sleep(pause)
            seconds = await _struck(stage, url, fault)
            steps.append(Step(fault.name, pause, seconds, 0.0 if fault.told else SILENCE))
    return steps


async def _struck(stage: Stage, url: str, fault: Fault) -> float | None:
    """Strike, and return the seconds until somebody is answered."""
    await fault.strike(stage, url)
    return await measured(lambda: _answers(stage), lambda: _newcomer(stage), fault.bound)


def _answers(stage: Stage) -> int:
    return stage.world.texts(stage.town).count("240")


async def _newcomer(stage: Stage) -> None:
    """Let somebody whom nobody has seen ask: each is written to the database."""
    fan = stage.world.join(f"fan{len(stage.world.users)}")
    await stage.people.say(fan, stage.town, "!credits")


async def _forget(stage: Stage, _: str) -> None:
    await asyncio.sleep(GAP)  # the session that is forgotten is no new one
    stage.server.gateway.forgets_sessions = True
    await stage.server.gateway.drop()


async def _refuse_connections(stage: Stage, _: str) -> None:
    """Close the connection, and refuse every other one for a while."""
    stage.server.gateway.refuses = True
    await stage.server.gateway.drop()
    await asyncio.sleep(REFUSED)
    stage.server.gateway.refuses = False


async def _silence_gateway(stage: Stage, _: str) -> None:
    """Tell the connection nothing any more, but leave it open."""
    stage.server.gateway.acknowledges = False
    for session in stage.server.gateway.sessions.values():
        session.socket = None
    await asyncio.sleep(0)


async def _say_no_hello(stage: Stage, _: str) -> None:
    """Close the connection, and take the next one without a word."""
    stage.server.gateway.speechless = 1
    await stage.server.gateway.drop()


async def _forbid_in_mid_game(stage: Stage, _: str) -> None:
    """Refuse a message of a game before Discord tells of the permission that was taken, and give it back."""
    await stage.people.say(stage.world.join("bob"), stage.town, "!heist 69")
    await stage.shown("planning a bank heist")
    update = stage.world.forbid(stage.town, SEND)
    requests = len(stage.server.asked(f"POST /channels/{stage.town}/messages"))
    await stage.people.say(stage.world.join("cat"), stage.town, "!credits")
    await stage.world.until(
        lambda: len(stage.server.asked(f"POST /channels/{stage.town}/messages")) > requests
    )
    await stage.server.gateway.dispatch("CHANNEL_UPDATE", update)
    await asyncio.sleep(STEP)
    await stage.server.gateway.dispatch("CHANNEL_UPDATE", stage.world.forbid(stage.town, 0))


async def _limit_all(stage: Stage, _: str) -> None:
    """Refuse all requests for a second, as if the bot had made too many."""
    limit = stage.server.limit = GlobalLimit()
    while limit.spend() is None:
        pass
    await asyncio.sleep(0)


async def _lose_guild(stage: Stage, _: str) -> None:
    """Tell that the server cannot be reached, and a second later that it can again."""
    await stage.server.gateway.cut_off()
    await asyncio.sleep(1.0)
    await stage.server.gateway.invite(GUILD)


def refusals(kind: str, what: str, times: int = 2) -> Fault:
    """Let Discord answer messages by errors, a few times."""

    async def strike(stage: Stage, _: str) -> None:
        stage.server.fail(rf"POST /channels/{stage.town}/messages", kind, times=times, seconds=1.0)
        await asyncio.sleep(0)

    return Fault(f"{what} to what the bot says", strike)


REPEATED: Sequence[Fault] = (
    Fault("the gateway closed by 4000", lambda stage, _: stage.server.gateway.drop()),
    Fault("the gateway closed by 1001", lambda stage, _: stage.server.gateway.drop(1001)),
    Fault("the gateway asks to connect anew", lambda stage, _: stage.server.gateway.ask_to_reconnect()),
    Fault("the gateway closed, and the next one silent", _say_no_hello, told=False),
)
"""Faults that may follow each other in any order."""

FAULTS: Sequence[Fault] = (
    *REPEATED[:3],
    Fault("the gateway closed, and the session forgotten", _forget),
    Fault(f"the gateway closed, and others refused for {REFUSED:g} s", _refuse_connections),
    Fault("silence of the gateway", _silence_gateway, told=False),
    Fault("the gateway closed, and the next one silent", _say_no_hello, told=False),
    Fault("the server not there for a second", _lose_guild),
    Fault("the right to write taken in mid game, and given back", _forbid_in_mid_game),
    refusals("limited", "2 answers of 429"),
    refusals("banned", "2 answers of 429 that are not Discord's own (Cloudflare)"),
    Fault("all requests limited for a second", _limit_all),
    refusals("500", "2 answers of 500"),
    refusals("502", "2 answers of 502"),
    refusals("503", "2 answers of 503"),
    refusals("cut", "no answer 2 times"),
    Fault(LOCKED_NAME, lambda stage, url: lock(url, lambda: _newcomer(stage))),
    Fault(ENDED_NAME, lambda _, url: end_sessions(url), server=True),
)
