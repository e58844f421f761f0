"""The page as it really runs: a server on a free port of this machine, a real database, a running clock."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.kernel.fair import Rng
from chatbot.ledger.audit.checks import breaches
from chatbot.runtime.clock import LoopWatch
from chatbot.speech.words import Words
from chatbot.tables.fairness import Sources
from chatbot.web.crowd import Crowd
from chatbot.web.server import Server
from cogs.local.adapter import LocalChat
from tests.ledger.samples import readable
from tests.template import store_at
from tests.web.chromium import running

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from pathlib import Path

PATIENCE = 10.0  # seconds that a test waits for what must come


@dataclass
class Site:
    """A running page."""

    address: str
    chat: LocalChat
    crowd: Crowd
    server: Server

    @property
    def host(self) -> str:
        return self.address.removeprefix("http://")


@pytest.fixture(scope="session")
def chromium() -> Iterator[str]:
    """One browser for all tests of a worker: starting it takes longer than what most of them do."""
    with running() as address:
        yield address


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    async with opened(tmp_path) as found:
        yield found


@asynccontextmanager
async def opened(folder: Path, language: str = "en", ladder: Path | None = None) -> AsyncIterator[Site]:
    """Run a page in a language, on a database in a folder, whose books must add up at the end.

    `ladder` is the folder of the ladder that it shows.
    """
    store = await store_at(folder / "rabble.db")
    watch = LoopWatch()
    bot = Bot(kits(), store, Words(language), watch, Sources(seat=readable))
    chat = LocalChat(bot, "run")
    await bot.open(chat.room)
    crowd = Crowd(chat, Rng.of("crowd"))
    server = Server(chat, crowd, "127.0.0.1", 0, ladder=ladder)
    address = await server.start()
    try:
        yield Site(address, chat, crowd, server)
        await server.stop()
        await crowd.resize(0)
        await watch.settle()
        assert await breaches(store) == []
    finally:
        await server.stop()
        await store.close()


@dataclass
class Page:
    """One socket, as the page of a browser holds it."""

    socket: aiohttp.ClientWebSocketResponse
    tables: dict[str, Any] | None = None  # as they were shown last

    async def tell(self, **message: Any) -> None:
        await self.socket.send_str(json.dumps(message))

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Read on until a message is what is wanted."""
        while True:
            message: dict[str, Any] = await self.socket.receive_json(timeout=PATIENCE)
            if message["type"] == "tables":
                self.tables = message
            if wanted(message):
                return message

    async def enter(self, name: str, role: str = "viewer") -> str:
        await self.tell(type="enter", name=name, role=role)
        return str((await self.until(lambda m: m["type"] == "entered"))["seat"])

    async def say(self, seat: str, text: str, *, whisper: bool = False) -> None:
        await self.tell(type="say", seat=seat, text=text, whisper=whisper)

    async def hear(self, text: str) -> dict[str, Any]:
        return await self.until(lambda m: m["type"] == "line" and m["kind"] == "bot" and text in m["text"])


@pytest.fixture
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


@pytest.fixture
async def page(site: Site, client: aiohttp.ClientSession) -> AsyncIterator[Page]:
    async with client.ws_connect(f"{site.address}/socket", headers={"Origin": site.address}) as socket:
        yield Page(socket)
