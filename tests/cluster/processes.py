"""Several processes of a cluster in one test, each with a bot, a store and a carrier of its own."""

from __future__ import annotations

import asyncio
import socket
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count, islice
from math import inf
from typing import TYPE_CHECKING

import pytest

from chatbot.bot.bot import Bot
from chatbot.cluster.carrier import Carrier
from chatbot.cluster.cluster import Cluster, identity
from chatbot.cluster.partitions import HOMES
from chatbot.games import kits
from chatbot.kernel.game import Role
from chatbot.ledger.people import Account
from chatbot.ledger.store.store import Store
from chatbot.rooms.channel import Channel, Delivery, Manner
from chatbot.rooms.line import Line
from chatbot.rooms.room import Room
from chatbot.runtime.clock import LoopWatch
from chatbot.tables.fairness import Sources
from tests.bot.stage import english

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from chatbot.cluster.services import Service
    from chatbot.rooms.exchange import Replies

NATS = "nats://127.0.0.1:4222"
PLATFORM = "chat"
MANNER = Manner()
KEY = bytes(range(32))  # which seals the secrets of tables, and is the same in all processes
_ids = count(1)


def require_nats(url: str = NATS) -> None:
    """Skip the test where no NATS server answers, or the client is not installed."""
    pytest.importorskip("nats")
    host, _, port = url.removeprefix("nats://").partition(":")
    try:
        socket.create_connection((host, int(port)), 0.5).close()
    except OSError:
        pytest.skip(f"no NATS server answers at {url}")


async def forget_stream(url: str, nats: str = NATS) -> None:
    """Remove the stream of a database that is about to go: a server reserves storage for each that it has."""
    await remove_stream(await stream_of(url), nats)


async def stream_of(url: str) -> str:
    """Return the name of the stream of a database."""
    store = await Store.look(url)
    name = f"RABBLE-{await identity(store)}"
    await store.close()
    return name


async def remove_stream(name: str, nats: str = NATS) -> None:
    """Remove a stream, if there is one of that name."""
    from nats.aio.client import Client  # noqa: PLC0415  (an extra)
    from nats.js.errors import NotFoundError  # noqa: PLC0415

    client = Client()
    await client.connect(nats)
    with suppress(NotFoundError):
        await client.jetstream().delete_stream(name)
    await client.close()


@dataclass
class Notebook:
    """An adapter that writes down what it is to say."""

    deliveries: list[Delivery] = field(default_factory=list)

    async def send(self, delivery: Delivery) -> None:
        self.deliveries.append(delivery)

    @property
    def texts(self) -> list[str]:
        return [each.text for each in self.deliveries]


class Process:
    """One process; it hears the channels that it `opens`."""

    def __init__(self, store: Store, carrier: Carrier, services: Mapping[str, Service]) -> None:
        self.store, self.watch, self.notebook = store, LoopWatch(), Notebook()
        self.bot = Bot(kits(), store, english(), self.watch, Sources(KEY))
        self.ended = False
        self.cluster = Cluster(
            store=store, bot=self.bot, carrier=carrier, watch=self.watch, services=services
        )

    @classmethod
    async def start(
        cls, url: str, nats: str = NATS, services: Mapping[str, Service] | None = None
    ) -> Process:
        store = await Store.open(url)
        carrier = Carrier(nats, await identity(store), store.leases.process)
        process = cls(store, carrier, services or {})
        try:
            await process.cluster.join()
        except BaseException:
            await process.end()
            raise
        return process

    async def open(self, name: str, platform: str = PLATFORM, manner: Manner = MANNER) -> Room:
        """Hear a channel, whoever runs its room."""
        channel = Channel(name, platform, self.notebook, manner)
        return await self.bot.open(Room(name, name, (channel,)))

    def line(
        self,
        room: str,
        who: str,
        text: str,
        line: str = "",
        *,
        platform: str = PLATFORM,
        role: Role = Role.VIEWER,
    ) -> Line:
        account = Account(platform, who)
        return Line(line or f"line-{next(_ids)}", room, account, who, role, text)

    async def say(self, room: str, who: str, text: str) -> list[str]:
        """Hear a line, and return the texts of the answers to it."""
        return [each.text for each in (await self.hear(room, who, text)).deliveries]

    async def hear(self, room: str, who: str, text: str) -> Replies:
        return await self.bot.hear(self.line(room, who, text))

    def runs(self, room: str) -> bool:
        return not self.bot.rooms[room].elsewhere

    async def leave(self) -> None:
        """End in order, as after SIGTERM."""
        await self.cluster.leave()
        await self.end()

    async def end(self) -> None:
        """End without a word to the others but for what closing the store gives back."""
        if not self.ended:
            self.ended = True
            await self.cluster.close()
            await self.watch.stop(0.5)
            await self.bot.close()
            await self.store.close()

    async def die(self) -> None:
        """End as by `kill -9`, as far as others can tell: nothing is given back, or said."""
        self.store.leases._ends = -inf
        await self.end()


@asynccontextmanager
async def processes(url: str, number: int, nats: str = NATS) -> AsyncIterator[list[Process]]:
    """Lend some processes on one database, to which everything is dealt; in the end they end in order."""
    started = [await Process.start(url, nats=nats) for _ in range(number)]
    try:
        await eventually(
            lambda: all(len(each.cluster.duties.held) >= len(HOMES) // number for each in started)
        )
        yield started
    finally:
        for each in started:
            if not each.ended:
                await each.leave()


def home_of(process: Process, skip: int = 0) -> str:
    """Return the name of a room that is dealt to a process; `skip` so many of them."""
    names = (name for number in count() if process.cluster.is_here(name := f"room-{number}"))
    return next(islice(names, skip, None))


async def eventually(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110  (what is waited for has no event)
            await asyncio.sleep(0.01)
