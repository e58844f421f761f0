"""The program itself, several times on one database, with a Discord and a Twitch on loopback to hear."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from chatbot.cli.status import read_status
from chatbot.keys.discretion import Discretion
from chatbot.keys.ring import Key, KeyRing
from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.store.store import Store
from cogs.twitch.authority import BOT_SCOPES, BROADCASTER_SCOPES
from tests.cluster.processes import NATS, forget_stream, require_nats
from tests.fakes.discord_server import TOKEN, DiscordServer
from tests.fakes.twitch_authority import CLIENT_ID, CLIENT_SECRET
from tests.fakes.twitch_server import Twitch
from tests.ledger.conftest import postgresql

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from tests.fakes.discord_world import User

ROOT = Path(__file__).parent.parent.parent
ENOUGH = 60.0  # seconds for anything of processes that start on a busy machine
SHARDS = 4


class Program:
    """One process of the program."""

    def __init__(self, name: str, process: asyncio.subprocess.Process) -> None:
        self.name, self.process, self.said = name, process, ""
        self._reading = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            self.said += line.decode()

    async def end(self, number: int = signal.SIGTERM) -> float:
        """End it by a signal, and return the seconds that it took."""
        began = time.monotonic()
        if self.process.returncode is None:
            self.process.send_signal(number)
        await asyncio.wait_for(self.process.wait(), ENOUGH)
        await self._reading
        return time.monotonic() - began


class Cluster:
    """Programs that share a database, and the platforms that they hear."""

    def __init__(self, folder: Path, url: str, *platforms: str) -> None:
        self._folder, self.url, self._platforms = folder, url, platforms
        self.discord, self.twitch = DiscordServer(), Twitch()
        self.programs: list[Program] = []
        self.guilds: list[int] = []  # one of each shard
        self.towns: list[int] = []  # a channel in each of these

    async def open(self, shards: int = SHARDS) -> None:
        self.discord.gateway.shards = shards
        self.discord.gateway.paced, self.discord.gateway.concurrency = True, 16
        world = self.discord.world
        first = 1_100_000_000_000_000_000 >> 22
        for number in range(shards):
            guild = world.add_guild(f"guild {number}", (first - first % shards + number) << 22)
            self.guilds.append(guild)
            self.towns.append(world.add_channel(f"town-{number}", guild))
        await self.discord.start()
        await self.twitch.start()

    async def close(self) -> None:
        await asyncio.gather(*(each.end() for each in self.programs))
        await self.discord.stop()
        await self.twitch.stop()

    def connect_twitch(self, channels: Sequence[str]) -> None:
        """Connect the bot's account, and those of broadcasters."""
        ring = KeyRing(self._folder / "keys.json", Discretion())
        accounts: list[tuple[str, tuple[str, ...], str]] = [("rabblebot", BOT_SCOPES, "bot")]
        accounts += [(each, BROADCASTER_SCOPES, "broadcaster") for each in channels]
        for login, scopes, purpose in accounts:
            user = self.twitch.world.user(login)
            token = self.twitch.authority.issue(user.id, scopes)
            purposes = frozenset({purpose})
            ring.put(
                Key(user.id, login, token.access, token.refresh, token.scopes, token.ends, purposes)  # type: ignore[arg-type]
            )

    async def start(self, **settings: str) -> Program:
        """Start another process."""
        common = {
            "CHATBOT_DATABASE": self.url,
            "CHATBOT_NATS_URL": NATS,
            "CHATBOT_HOME": str(self._folder),
            "CHATBOT_PAGE": "no",
            "CHATBOT_LOG_LEVEL": "info",
            "CHATBOT_FAIRNESS_KEY": "0f" * 32,
        }
        if "discord" in self._platforms:
            common |= {
                "CHATBOT_DISCORD_TOKEN": TOKEN,
                "CHATBOT_DISCORD_API_URL": self.discord.endpoints.api,
                "CHATBOT_DISCORD_GATEWAY_URL": self.discord.endpoints.gateway,
            }
        if "twitch" in self._platforms:
            common |= {
                "CHATBOT_TWITCH_CLIENT_ID": CLIENT_ID,
                "CHATBOT_TWITCH_CLIENT_SECRET": CLIENT_SECRET,
                "CHATBOT_TWITCH_CONDUIT": "yes",
                "CHATBOT_TWITCH_API_URL": self.twitch.endpoints.api,
                "CHATBOT_TWITCH_ID_URL": self.twitch.endpoints.id,
                "CHATBOT_TWITCH_EVENTSUB_URL": self.twitch.endpoints.eventsub,
                "CHATBOT_TWITCH_TOKENS": str(self._folder / "keys.json"),
            }
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "chatbot", cwd=self._folder,
            env={**os.environ, **common, **settings, "PYTHONPATH": str(ROOT)},
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        program = Program(f"process {len(self.programs)}", process)
        self.programs.append(program)
        return program

    async def until(self, holds: Callable[[], object], seconds: float = ENOUGH) -> float:
        """Wait until something holds, and return the seconds that it took."""
        began = time.monotonic()
        while not holds():
            said = "\n".join(f"{each.name}:\n{each.said}" for each in self.programs)
            assert time.monotonic() < began + seconds, f"it never came; they said\n{said}"
            await asyncio.sleep(0.02)
        return time.monotonic() - began

    async def shares(self, platform: str) -> dict[str, list[str]]:
        """Return which shards of a platform each process that is alive has, by the names of processes."""
        duties = {
            each.label: [name for name in each.duties if name.startswith(f"hear-{platform}-")]
            for each in (await read_status(self.url)).processes
            if each.is_alive
        }
        return {
            each.name: next(
                (some for label, some in duties.items() if label.startswith(f"process {each.process.pid} ")),
                [],
            )
            for each in self.programs
            if each.process.returncode is None
        }

    async def until_even(self, platform: str, shards: int) -> None:
        """Wait until all shards are dealt, evenly, and stay so."""
        async with asyncio.timeout(ENOUGH):
            while True:
                counts = [len(each) for each in (await self.shares(platform)).values()]
                if sum(counts) == shards and max(counts) - min(counts) <= 1:
                    return
                await asyncio.sleep(0.3)

    # Discord

    def heard(self) -> bool:
        """Whether each shard of Discord is heard by exactly one connection."""
        return all(
            sum(each.open for each in self.discord.gateway.hearing(guild)) == 1 for guild in self.guilds
        )

    async def ask_everywhere(self, user: User) -> None:
        """Ask for credits in a server of each shard, and wait for one answer in each."""
        before = [self.discord.world.texts(each).count("240 credits") for each in self.towns]
        for each in self.towns:
            await self.discord.people.say(user, each, "!credits")
        await self.until(
            lambda: all(
                self.discord.world.texts(each).count("240 credits") > count
                for each, count in zip(self.towns, before, strict=True)
            )
        )
        await asyncio.sleep(0.3)  # another answer would come now
        for each, count in zip(self.towns, before, strict=True):
            assert self.discord.world.texts(each).count("240 credits") == count + 1


@asynccontextmanager
async def cluster(folder: Path, *platforms: str) -> AsyncIterator[Cluster]:
    """Lend a cluster without a process, and check the books when all have ended."""
    require_nats()
    async with postgresql() as url:
        await (await Store.open(url)).close()
        made = Cluster(folder, url, *platforms)
        await made.open()
        try:
            yield made
        finally:
            await made.close()
        store = await Store.look(url)
        assert await breaches(store) == []
        await store.close()
        await forget_stream(url)
