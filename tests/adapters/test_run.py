"""One program, every platform at once: one may fail, and all are left in time and in order."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import time
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp
import pytest

from chatbot.keys.discretion import Discretion
from chatbot.keys.ring import Key, KeyRing
from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.books.journal import Journal
from chatbot.ledger.store.store import Store
from cogs.twitch.authority import BOT_SCOPES, BROADCASTER_SCOPES
from tests.fakes.discord_server import TOKEN, DiscordServer
from tests.fakes.twitch_authority import CLIENT_ID, CLIENT_SECRET
from tests.fakes.twitch_server import Twitch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

pytestmark = pytest.mark.slow  # each starts the program, most of them twice

ROOT = Path(__file__).parent.parent.parent
ENOUGH = 60.0  # seconds for anything of a process that starts on a busy machine
LEAVING = 5.0  # seconds in which it must be gone when it was asked to
PROGRAM = [sys.executable, "-m", "chatbot"]


class World:
    """Both platforms, a folder, and the program as it runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.discord, self.twitch = DiscordServer(), Twitch()
        self.said = ""
        self._begins = 0  # where in it this start begins
        self.process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None

    @property
    def news(self) -> str:
        """What the program has said since its last start."""
        return self.said[self._begins :]

    @property
    def database(self) -> str:
        return f"sqlite:///{self.folder / 'rabble.db'}"

    def connect_twitch(self) -> None:
        ring = KeyRing(self.folder / "keys.json", Discretion())
        for login, scopes, purpose in (
            ("rabblebot", BOT_SCOPES, "bot"),
            ("ada", BROADCASTER_SCOPES, "broadcaster"),
        ):
            user = self.twitch.world.user(login)
            token = self.twitch.authority.issue(user.id, scopes)
            purposes = frozenset({purpose})
            ring.put(
                Key(user.id, login, token.access, token.refresh, token.scopes, token.ends, purposes)  # type: ignore[arg-type]
            )

    async def start(self, token: str = TOKEN) -> None:
        """Start the program, and wait until its page is open."""
        settings = {
            "CHATBOT_DATABASE": self.database,
            "CHATBOT_PORT": "0",
            "CHATBOT_DISCORD_TOKEN": token,
            "CHATBOT_TWITCH_CLIENT_ID": CLIENT_ID,
            "CHATBOT_TWITCH_CLIENT_SECRET": CLIENT_SECRET,
            "CHATBOT_DISCORD_API_URL": self.discord.endpoints.api,
            "CHATBOT_DISCORD_GATEWAY_URL": self.discord.endpoints.gateway,
            "CHATBOT_TWITCH_API_URL": self.twitch.endpoints.api,
            "CHATBOT_TWITCH_ID_URL": self.twitch.endpoints.id,
            "CHATBOT_TWITCH_EVENTSUB_URL": self.twitch.endpoints.eventsub,
            "CHATBOT_TWITCH_TOKENS": str(self.folder / "keys.json"),
            "CHATBOT_FAIRNESS_KEY_FILE": str(self.folder / "fairness.key"),
            "CHATBOT_LOG_LEVEL": "debug",
        }
        self._begins = len(self.said)
        self.process = await asyncio.create_subprocess_exec(
            *PROGRAM, cwd=self.folder, env={**os.environ, **settings, "PYTHONPATH": str(ROOT)},
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        self._reading = asyncio.ensure_future(self._read(self.process))
        await self.until(lambda: "listening" in self.news)

    async def until(self, holds: Callable[[], object]) -> None:
        deadline = time.monotonic() + ENOUGH
        while not holds():
            assert time.monotonic() < deadline, f"it never came; the program said:\n{self.said}"
            await asyncio.sleep(0.02)

    async def stop(self, number: int = signal.SIGTERM) -> float:
        """Ask the program to stop; give the seconds that it took."""
        assert self.process is not None
        began = time.monotonic()
        self.process.send_signal(number)
        await asyncio.wait_for(self.process.wait(), ENOUGH)
        assert self._reading is not None
        await self._reading
        return time.monotonic() - began

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            self.said += line.decode()


@asynccontextmanager
async def both(folder: Path) -> AsyncIterator[World]:
    world = World(folder)
    await world.discord.start()
    await world.twitch.start()
    world.connect_twitch()
    try:
        yield world
    finally:
        if world.process is not None and world.process.returncode is None:
            world.process.kill()
            await world.process.wait()
        await world.discord.stop()
        await world.twitch.stop()


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with both(tmp_path) as world:
        yield world


async def connected(world: World) -> None:
    """Wait for both platforms; the fakes may still know the sessions of the start before."""
    for platform in ("Discord", "Twitch"):
        await world.until(partial(_told_of, world, f"{platform} is connected"))
    await world.until(lambda: listens(world))


def _told_of(world: World, sentence: str) -> bool:
    return sentence in world.news


async def shown(world: World) -> str:
    """Give all that the local page gets when it is opened."""
    address = re.findall(r"http://\S+", world.said)[0].rstrip("/")
    async with aiohttp.ClientSession() as session, session.get(address) as page:
        async with session.ws_connect(f"{address}/socket", origin=address) as socket:
            told = [await socket.receive_str(timeout=ENOUGH) for _ in range(2)]
        return await page.text() + "".join(told)


def listens(world: World) -> bool:
    """Whether Twitch has been asked for what is said in a chat."""
    return any(each.type == "channel.chat.message" for each in world.twitch.eventsub.subscriptions.values())


@pytest.mark.sampled(1)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
async def test_tables_on_both_platforms_are_left_in_time_and_go_on_at_the_next_start(
    world: World, number: int
) -> None:
    ann = world.discord.world.join("Ann")
    town = world.discord.world.town
    await world.start()
    await connected(world)
    await world.discord.people.say(ann, town, "!heist 69")
    await world.twitch.chat("bob", "ada", "!heist 42")
    await world.until(lambda: "stakes 69 credits" in world.discord.world.texts(town))
    await world.until(lambda: any("stakes 42 credits" in each for each in world.twitch.sent("ada")))
    assert await world.stop(number) < LEAVING
    assert world.process is not None
    assert world.process.returncode == 0
    store = await Store.look(world.database)
    rooms = await Journal(store).standing()
    await store.close()
    assert sorted(each.partition(":")[0] for each in rooms) == ["discord", "twitch"]
    before = len(world.twitch.sent("ada"))
    await world.start()
    await connected(world)
    await world.until(lambda: "goes on" in world.discord.world.texts(town))
    await world.until(lambda: any("goes on" in each for each in world.twitch.sent("ada")[before:]))
    assert await world.stop(number) < LEAVING
    store = await Store.look(world.database)
    assert await breaches(store) == []
    await store.close()


async def test_one_platform_that_cannot_be_entered_does_not_keep_the_others_out(world: World) -> None:
    await world.start(token="refused-canary")  # noqa: S106
    await world.until(lambda: "CHATBOT_DISCORD_TOKEN is refused" in world.said)
    await world.until(lambda: listens(world))
    await world.twitch.chat("bob", "ada", "!credits")
    await world.until(lambda: any("240 credits" in each for each in world.twitch.sent("ada")))
    assert await world.stop() < LEAVING
    assert "refused-canary" not in world.said


async def test_nothing_that_is_written_holds_a_secret(world: World) -> None:
    await world.start()
    await connected(world)
    await world.twitch.chat("bob", "ada", "!heist 42")
    await world.until(lambda: any("stakes 42 credits" in each for each in world.twitch.sent("ada")))
    page = await shown(world)
    await world.stop()
    written = {
        each: each.read_bytes()
        for each in world.folder.rglob("*")
        if each.name != "keys.json" and each.is_file()
    }
    secrets = [TOKEN, CLIENT_SECRET, *world.twitch.authority.tokens]
    assert len(secrets) > 3
    for secret in secrets:
        assert secret not in world.said
        assert secret not in page
        assert not [each for each, content in written.items() if secret.encode() in content]
