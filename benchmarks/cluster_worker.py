"""A process of the cluster that `benchmarks.cluster` measures: the bot itself, with a fake platform to hear.

The platform is a server of the parent on loopback. It has shards, as the gateway of Discord and conduits of
Twitch have, which are dealt to processes by the cluster. Each message is a line of JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog

from benchmarks.startup import open_files, resident
from chatbot import collector
from chatbot.bot.bot import Bot
from chatbot.cluster.carrier import Carrier
from chatbot.cluster.cluster import Cluster, identity
from chatbot.cluster.partitions import hearing
from chatbot.cluster.services import Service
from chatbot.games import kits
from chatbot.kernel.game import Role
from chatbot.ledger.people import Account
from chatbot.ledger.store.store import Store
from chatbot.ownership import Ownership
from chatbot.rooms.channel import Channel, Manner
from chatbot.rooms.line import Line
from chatbot.rooms.room import Room
from chatbot.runtime.clock import LoopWatch
from chatbot.speech.words import Words
from chatbot.tables.fairness import Sources
from cogs.twitch.channels import OPENED_TOGETHER

if TYPE_CHECKING:
    from chatbot.rooms.channel import Delivery

SHARDS = 4
RECONNECT = 0.2  # seconds until a shard that was disconnected is connected again
FINISHING = 1.0  # seconds in which what was heard is still answered, after a shard was given up
KEY = bytes(range(32))


def shard_name(shard: int) -> str:
    """Return the name of the platform that a shard is for the cluster."""
    return f"shard{shard}"


def rooms_of(shard: int, number: int) -> list[str]:
    """Return the rooms of a shard, of so many in all."""
    return [f"room-{each}" for each in range(shard, number, SHARDS)]


class Shard:
    """A connection to the platform, by which the lines of some rooms come and texts go."""

    def __init__(self, bot: Bot, port: int, shard: int, rooms: int) -> None:
        self._bot, self._port, self.shard, self._rooms = bot, port, shard, rooms
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None
        self._answers: set[asyncio.Task[None]] = set()
        self.is_ready = False

    async def begin(self) -> None:
        """Connect, and open the rooms."""

        async def open_room(name: str) -> None:
            channel = Channel(name, shard_name(self.shard), self, Manner())
            if not self._bot.has(name):
                await self._bot.open(Room(name, name, (channel,)))

        names = rooms_of(self.shard, self._rooms)
        for first in range(0, len(names), OPENED_TOGETHER):
            await asyncio.gather(*map(open_room, names[first : first + OPENED_TOGETHER]))
        self._reading = asyncio.create_task(self._read(await self._connect()))

    async def end(self) -> None:
        """Answer what was heard, and disconnect."""
        self.is_ready = False
        if self._reading is not None:
            self._reading.cancel()
        if self._answers:
            await asyncio.wait(self._answers, timeout=FINISHING)
        if self._writer is not None:
            self._writer.close()
        self._writer = self._reading = None

    async def send(self, delivery: Delivery) -> None:
        """Say something in a chat."""
        self.tell({"said": delivery.channel, "text": delivery.text})

    def tell(self, message: dict[str, Any]) -> None:
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(json.dumps(message).encode() + b"\n")

    async def _connect(self) -> asyncio.StreamReader:
        while True:
            with suppress(OSError):
                reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
                self.tell({"ready": self.shard})
                self.is_ready = True
                return reader
            await asyncio.sleep(RECONNECT)

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while True:
            with suppress(OSError):
                while data := await reader.readline():
                    task = asyncio.create_task(self._answer(*json.loads(data)))
                    self._answers.add(task)
                    task.add_done_callback(self._answers.discard)
            self.is_ready = False
            await asyncio.sleep(RECONNECT)
            reader = await self._connect()

    async def _answer(self, line: str, room: str, who: str, text: str) -> None:
        account = Account("chat", who)
        try:
            replies = await self._bot.hear(Line(line, room, account, who, Role.VIEWER, text))
        except Exception as error:  # noqa: BLE001  (as an adapter, which logs it)
            self.tell({"answer": line, "texts": [], "taken": True, "error": repr(error)})
            return
        texts = [each.text for each in replies.deliveries]
        self.tell({"answer": line, "texts": texts, "taken": replies.taken})


async def main(url: str, nats: str, port: int, rooms: int) -> None:
    """Run until SIGTERM; without the address of NATS as the one process of a database."""
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(50),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    collector.use_one_heap()
    loop, stopping = asyncio.get_running_loop(), asyncio.Event()
    signal.signal(signal.SIGTERM, lambda *_: loop.call_soon_threadsafe(stopping.set))
    watch, store = LoopWatch(), await Store.open(url)
    bot = Bot(kits(), store, Words("en"), watch, Sources(KEY))
    shards = [Shard(bot, port, each, rooms) for each in range(SHARDS)]
    cluster: Cluster | None = None
    if nats:
        services = {
            hearing(shard_name(each.shard)): Service(each.begin, each.end, partial(getattr, each, "is_ready"))
            for each in shards
        }
        carrier = Carrier(nats, await identity(store), store.leases.process)
        cluster = Cluster(store=store, bot=bot, carrier=carrier, watch=watch, services=services)
        await cluster.join()
    else:
        Ownership(store.leases, bot, watch, print).start()
        for each in shards:
            await each.begin()
    control = asyncio.create_task(_report(port, cluster))
    await stopping.wait()
    if cluster is not None:
        await cluster.leave()
        await cluster.close()
    for each in shards:
        await each.end()
    control.cancel()
    await watch.stop(0.5)
    await bot.close()
    await store.close()


def held() -> dict[str, float]:
    """Return what this process holds: megabytes, files, tasks."""
    return {
        "memory": resident(os.getpid()),
        "files": open_files(),
        "tasks": len(asyncio.all_tasks()),
    }


async def _report(port: int, cluster: Cluster | None) -> None:
    """Tell the parent, whenever it asks, what this process has done."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b'{"control": true}\n')
    with suppress(ConnectionError):
        while await reader.readline():
            values = {"cpu": time.process_time(), "hops": 0, "duties": 0, **held()}
            if cluster is not None:
                values["hops"] = cluster.forwarding.carried
                values["duties"] = len(cluster.duties.held)
            writer.write(json.dumps({"stats": values}).encode() + b"\n")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
