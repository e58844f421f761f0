"""What is ended, stopped, cut, and slowed while `benchmarks.cluster` brings lines, as a seed says.

The processes reach the database by a relay of their own, which can hold back what it passes on, so that the
database is slow for them, and for nobody else.
"""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.ledger import SERVER

if TYPE_CHECKING:
    from random import Random

    from benchmarks.cluster import Cluster
    from benchmarks.cluster_platform import Tally

PAUSE = 20.0  # seconds for which a process is stopped: much longer than its lease
NOTICED = 5.5  # seconds of these until others are to have its rooms
AWAY = 30.0  # seconds for which NATS does not come back
SLOW = 10.0  # seconds for which the database is slow
DELAY = 0.03  # seconds by which each of its answers comes later then
RAID = 150  # people who join one table at once
LARGEST_READ = 1 << 16  # bytes

KINDS = {
    "process": 6,  # killed
    "stop": 2,  # asked to end
    "nats": 3,  # killed, and back at once
    "connections": 3,  # to the database are ended
    "reconnect": 2,  # the platform closes the connections of all
    "raid": 1,
    "pause": 1,  # a process is stopped, and continued
    "slow": 1,  # the database is
    "away": 1,  # NATS is, for longer
}
"""What may happen, and how often beside the others."""


@dataclass
class Relay:
    """Passes on what goes to and comes from the database, later if it is to be slow."""

    url: str
    delay: float = 0.0  # seconds by which what the database says is passed on later
    port: int = 0
    _server: asyncio.Server | None = None
    _passing: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def own_url(self) -> str:
        """The address of the database by this relay."""
        changed = make_url(self.url).set(host="127.0.0.1", port=self.port)
        return changed.render_as_string(hide_password=False)

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        for each in self._passing:
            each.cancel()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = make_url(self.url)
        try:
            inner_reader, inner_writer = await asyncio.open_connection(address.host, address.port or 5432)
        except OSError:
            writer.close()
            return
        there = asyncio.create_task(self._pass(reader, inner_writer, is_answer=False))
        back = asyncio.create_task(self._pass(inner_reader, writer, is_answer=True))
        for each in (there, back):
            self._passing.add(each)
            each.add_done_callback(self._passing.discard)

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_answer: bool
    ) -> None:
        try:
            while data := await reader.read(LARGEST_READ):
                if is_answer and self.delay:
                    await asyncio.sleep(self.delay)
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()


class Trouble:
    """Makes trouble for a cluster under load; the lines of raids are counted in `tally`."""

    def __init__(self, cluster: Cluster, random: Random, tally: Tally) -> None:
        self.cluster, self.random, self.tally = cluster, random, tally

    def draw(self) -> str:
        """Return what happens next."""
        kinds = [each for each in KINDS if each != "pause" or hasattr(signal, "SIGSTOP")]
        return self.random.choices(kinds, [KINDS[each] for each in kinds])[0]

    async def make(self, kind: str) -> asyncio.Task[None] | None:
        """Begin something; return what ends it, while rooms are to answer again, or None if it is over."""
        process = self.random.choice(self.cluster.processes)
        match kind:
            case "process":
                await self.cluster.end(process, signal.SIGKILL)
            case "stop":
                await self.cluster.end(process, signal.SIGTERM)
            case "connections":
                await _cut(self.cluster.url)
            case "reconnect":
                self.cluster.platform.cut()
            case "nats":
                await self._lose_nats(self.random.uniform(0.0, 1.0))
            case "pause":
                return await self._pause(process)
            case "slow":
                return asyncio.create_task(self._slow())
            case "away":
                ending = asyncio.create_task(self._lose_nats(AWAY))
                await asyncio.sleep(1.0)
                return ending
            case "raid":
                room = self.random.randrange(self.cluster.platform.rooms)
                join = self.cluster.platform.join
                raid = [join(room, f"raider{each}of{room}", self.tally) for each in range(RAID)]
                await asyncio.gather(*raid)
        return None

    async def _lose_nats(self, seconds: float) -> None:
        assert self.cluster.nats is not None  # faults are made for a cluster
        await self.cluster.nats.kill()
        await asyncio.sleep(seconds)
        await self.cluster.nats.start()

    async def _slow(self) -> None:
        relay = self.cluster.relay
        assert relay is not None  # faults are made for processes that have one
        relay.delay = DELAY
        await asyncio.sleep(SLOW)
        relay.delay = 0.0

    async def _pause(self, process: asyncio.subprocess.Process) -> asyncio.Task[None] | None:
        try:
            os.kill(process.pid, signal.SIGSTOP)
        except ProcessLookupError:
            return None

        async def go_on() -> None:
            await asyncio.sleep(PAUSE - NOTICED)
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGCONT)

        await asyncio.sleep(NOTICED)
        return asyncio.create_task(go_on())


async def _cut(url: str) -> None:
    """End all connections to a database, as a server does that is started again."""
    name = url.rpartition("/")[2]
    server = create_async_engine(
        f"{SERVER.replace(':', '+asyncpg:', 1)}/postgres", isolation_level="AUTOCOMMIT"
    )
    async with server.connect() as connection:
        query = text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name")
        await connection.execute(query, {"name": name})
    await server.dispose()
