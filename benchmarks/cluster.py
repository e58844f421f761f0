"""Measure several processes on one PostgreSQL database with NATS: under load, and while they are killed.

A fake platform with four shards brings lines to whoever hears them. First the same load is brought to the
program as it is without a cluster, then to 1, 2 and more processes. Everything runs on this machine: the
processes, the database, NATS, and the platform itself, which share its processors. With `--kill` processes,
NATS and connections of the database are ended, stopped or slowed meanwhile, one after the other, as the seed
says (`benchmarks.cluster_faults`). With `--restarts` all processes are restarted one after the other, as for
a new version, so many times. With `--minutes` the load is an even one, and it is shown what processes hold.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import signal
import socket
import sys
import tempfile
import time
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from statistics import median
from typing import TYPE_CHECKING

from sqlalchemy import text

from benchmarks.cluster_faults import Relay, Trouble
from benchmarks.cluster_platform import Platform, Tally
from benchmarks.ledger import postgresql as create_database
from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.store.store import Store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

SPEAKERS = 64  # lines that wait for an answer at a time
KILL_SPEAKERS, KILL_GAP = 12, 0.4  # while processes are killed, and the seconds between two lines of each
PROBES = 24  # rooms that must answer again after each kill
LONGEST_DEAF = 10.0  # seconds within which they must
GAP = 0.1  # seconds between two lines, for what is held in the end
PARTS = 12  # times that it is looked at
MOST_GROWTH = 1.05  # of memory from a quarter of the time to its end
STARTING = 120.0  # seconds in which all rooms must be open
CORES, CHANNELS = 16, 20_000  # of the projection


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Server:
    """An own NATS server, which can be killed, and started again at its address."""

    folder: str
    port: int = field(default_factory=_free_port)
    process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    async def start(self) -> None:
        command = ("nats-server", "-a", "127.0.0.1", "-p", str(self.port), "-js", "-sd", self.folder)
        null = asyncio.subprocess.DEVNULL
        self.process = await asyncio.create_subprocess_exec(*command, stdout=null, stderr=null)
        async with asyncio.timeout(10):
            while True:
                with suppress(OSError):
                    _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                    writer.close()
                    return
                await asyncio.sleep(0.05)

    async def kill(self) -> None:
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()


@dataclass
class Cluster:
    """The processes of a run."""

    url: str
    nats: Server | None
    platform: Platform
    relay: Relay | None = None  # by which processes reach the database, if it may be slow
    processes: list[asyncio.subprocess.Process] = field(default_factory=list)

    async def start(self) -> asyncio.subprocess.Process:
        nats = "" if self.nats is None else self.nats.url
        url = self.url if self.relay is None else self.relay.own_url
        arguments = (url, nats, str(self.platform.port), str(self.platform.rooms))
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "benchmarks.cluster_worker", *arguments
        )
        self.processes.append(process)
        return process

    async def end(self, process: asyncio.subprocess.Process, number: int) -> None:
        """End a process by a signal; another one is started soon."""
        with suppress(ProcessLookupError):
            process.send_signal(number)
        await process.wait()

    async def restart_each(self) -> list[float]:
        """Restart one after the other, each when the one before takes part; return how long each took."""
        times = list[float]()
        for process in list(self.processes):
            began = time.perf_counter()
            number = len(await self.platform.stats())
            await self.end(process, signal.SIGTERM)
            times.append(time.perf_counter() - began)
            async with asyncio.timeout(STARTING):
                while True:
                    shares = await self.platform.stats()
                    if len(shares) >= number and all(each["duties"] for each in shares):
                        break
                    await asyncio.sleep(0.2)
        return times

    async def keep_alive(self) -> None:
        """Start a process for each that has ended, as a service manager does."""
        while True:
            for each in [each for each in self.processes if each.returncode is not None]:
                self.processes.remove(each)
                await self.start()
            await asyncio.sleep(0.5)

    async def stop(self) -> None:
        for each in self.processes:
            with suppress(ProcessLookupError):
                each.terminate()
        for each in self.processes:
            try:
                await asyncio.wait_for(each.wait(), 15)
            except TimeoutError:
                each.kill()
                await each.wait()
        self.processes.clear()


@asynccontextmanager
async def running(
    processes: int, rooms: int, seed: str, *, alone: bool = False, relayed: bool = False
) -> AsyncIterator[Cluster]:
    """Run processes on a database of their own, until all rooms are open; audit it in the end.

    If they are `relayed`, they reach the database by a relay that can be slow.
    """
    with tempfile.TemporaryDirectory() as folder:
        async with create_database() as url:
            await (await Store.open(url)).close()
            server = None if alone else Server(folder)
            platform = Platform(rooms, Random(seed))
            await platform.open()
            relay = Relay(url) if relayed else None
            if relay is not None:
                await relay.open()
            cluster = Cluster(url, server, platform, relay)
            reviving = asyncio.create_task(cluster.keep_alive())
            try:
                if server is not None:
                    await server.start()
                for _ in range(processes):
                    await cluster.start()
                async with asyncio.timeout(STARTING):
                    await platform.all_heard()
                await asyncio.sleep(3.0)  # until duties are dealt evenly
                yield cluster
            finally:
                reviving.cancel()
                await cluster.stop()
                await platform.close()
                if relay is not None:
                    await relay.close()
                if server is not None:
                    await server.kill()
            faults = await audit(url)
            for each in faults:
                print(f"  breach: {each}")
            if faults:
                raise SystemExit(1)


async def audit(url: str) -> list[str]:
    """Return what is wrong with the books, and who was given the welcome twice."""
    store = await Store.look(url)
    try:
        faults = list(await breaches(store))
        query = text(
            "SELECT transfer.community, target, why, count(*) FROM transfer JOIN purse ON purse.id = source "
            "WHERE kind = 'mint' AND why = 'welcome' GROUP BY 1, 2, 3 HAVING count(*) > 1"
        )
        async with store.reading() as connection:
            rows = (await connection.execute(query)).all()
        return [*faults, *(f"{each} was given twice" for each in rows)]
    finally:
        await store.close()


async def load(cluster: Cluster, seconds: float, speakers: int) -> tuple[Tally, float, float]:
    """Return what became of the lines of some seconds, their processor time, and how many hopped."""
    before = await cluster.platform.stats()
    tally, until = Tally(), time.perf_counter() + seconds
    await asyncio.gather(*(cluster.platform.talk(until, tally) for _ in range(speakers)))
    after = await cluster.platform.stats()
    used = sum(each["cpu"] for each in after) - sum(each["cpu"] for each in before)
    hops = sum(each["hops"] for each in after) - sum(each["hops"] for each in before)
    return tally, used, hops


async def measure(processes: int, rooms: int, seconds: float, seed: str, *, alone: bool = False) -> None:
    """Print what a number of processes does."""
    name = "one process, no NATS" if alone else f"{processes} of a cluster"
    async with running(processes, rooms, seed, alone=alone) as cluster:
        await load(cluster, min(seconds / 4, 10.0), SPEAKERS)  # newcomers are greeted, what is read is known
        tally, used, hops = await load(cluster, seconds, SPEAKERS)
    lines = len(tally.times)
    cost = used / max(lines, 1)
    print(
        f"{name:22} {lines / seconds:8,.0f} lines/s   p50 {tally.quantile(0.5) * 1000:6.1f} ms   "
        f"p99 {tally.quantile(0.99) * 1000:7.1f} ms   hop {hops / max(lines, 1):4.0%}   "
        f"{cost * 1000:5.2f} ms of processor a line   unanswered {len(tally.unanswered)}",
        flush=True,
    )
    for each in tally.unanswered[:20]:
        print(f"  unanswered: {each}")
    if not alone:
        print(
            f"{'':22} projected to {CORES} cores, a process on each, the database elsewhere: "
            f"{CORES / cost:,.0f} lines/s, {CORES / cost / CHANNELS * 60:,.1f} a minute in each of "
            f"{CHANNELS:,} channels",
            flush=True,
        )


async def kill(processes: int, rooms: int, times: int, seed: str) -> tuple[list[str], float]:
    """Make trouble many times under load; return the lines without an answer, and the longest silence."""
    random, tally, deaf = Random(f"{seed} kills"), Tally(), dict[str, list[float]]()
    async with running(processes, rooms, seed, relayed=True) as cluster:
        trouble, until = Trouble(cluster, random, tally), time.perf_counter() + 86_400.0
        talking = [
            asyncio.create_task(cluster.platform.talk(until, tally, KILL_GAP)) for _ in range(KILL_SPEAKERS)
        ]
        for number in range(times):
            kind = trouble.draw()
            silence = await _follow(trouble, kind, number, tally)
            deaf.setdefault(kind, []).append(silence)
            print(f"{number + 1:4} {kind:12} answers again after {silence:5.2f} s", flush=True)
            await asyncio.sleep(random.uniform(0.2, 1.5))
        for task in talking:
            task.cancel()
        await asyncio.gather(*talking, return_exceptions=True)
    for kind, times_of in sorted(deaf.items()):
        late = sum(each > LONGEST_DEAF for each in times_of)
        most = f"at most {max(times_of):5.2f} s, {late} above {LONGEST_DEAF:.0f}"
        print(f"{kind:12} {len(times_of):4} times, median {median(times_of):5.2f} s, {most}")
    print(
        f"{len(tally.times):,} lines answered, {tally.again:,} brought again as their hearer had ended, "
        f"{tally.known:,} of these had been acted on, {len(tally.errors)} failed with the database, "
        f"{len(cluster.platform.twice)} had two answers, {len(tally.unanswered)} unanswered; "
        f"the books are sound"
    )
    for each in tally.unanswered[:20]:
        print(f"  unanswered: {each}")
    return tally.unanswered, max(map(max, deaf.values()), default=0.0)


async def _follow(trouble: Trouble, kind: str, number: int, tally: Tally) -> float:
    """Make some trouble; return how long rooms that the seed draws were silent because of it.

    While a process is paused, and the database slow, rooms are to answer. While NATS is away those are that
    are heard where they run; in the others it is told once that it takes a moment, and they answer when NATS
    is back, from when it is counted.
    """
    platform = trouble.cluster.platform
    began = time.perf_counter()
    ending = await trouble.make(kind)
    if kind not in {"pause", "slow"}:
        began = time.perf_counter()
    probed = trouble.random.sample(range(platform.rooms), min(PROBES, platform.rooms))
    platform.waits.clear()
    said = [
        asyncio.ensure_future(platform.say(each, f"prober{number}", "!credits", tally)) for each in probed
    ]
    if kind == "away" and ending is not None:
        await ending
        answered = [room for room, each in zip(probed, said, strict=True) if each.done()]
        waited = [f"room-{room}" for room in probed if room not in answered]
        untold = sum(platform.waits.get(each) != 1 for each in waited)
        print(f"     {len(answered)} of {len(probed)} rooms answered without NATS, of the others {untold} "
              f"were not told once that it takes a moment")  # fmt: skip
        began = time.perf_counter()
    await asyncio.gather(*said)
    silence = time.perf_counter() - began
    if ending is not None:
        await ending
    return silence


async def restart(processes: int, rooms: int, times: int, seed: str) -> list[str]:
    """Restart all processes several times under load; return the lines without an answer."""
    tally, took = Tally(), list[float]()
    async with running(processes, rooms, seed) as cluster:
        until = time.perf_counter() + 86_400.0
        talking = [
            asyncio.create_task(cluster.platform.talk(until, tally, KILL_GAP)) for _ in range(KILL_SPEAKERS)
        ]
        for number in range(times):
            took += await cluster.restart_each()
            print(f"{number + 1:4} all restarted, the slowest ended in {max(took):5.2f} s", flush=True)
        for task in talking:
            task.cancel()
        await asyncio.gather(*talking, return_exceptions=True)
    print(
        f"{len(took)} restarts, {len(tally.times):,} lines answered, the slowest after "
        f"{max(tally.times):5.2f} s, p99 {tally.quantile(0.99):5.2f} s, "
        f"{tally.again:,} brought again as their hearer had ended, "
        f"{tally.known:,} of these had been acted on, {len(tally.errors)} failed with the database, "
        f"{len(tally.unanswered)} unanswered; the books are sound"
    )
    for each in tally.unanswered[:20]:
        print(f"  unanswered: {each}")
    return tally.unanswered


async def stay(processes: int, rooms: int, minutes: float, seed: str) -> float:
    """Bring lines for a time, evenly; print what the processes hold, and return by how much it grows.

    That is the memory of all processes at the end, divided by that after a quarter of the time.
    """
    tally, memory = Tally(), list[float]()
    async with running(processes, rooms, seed) as cluster:
        until = time.perf_counter() + minutes * 60
        people = [
            asyncio.create_task(cluster.platform.talk(until, tally, GAP * SPEAKERS)) for _ in range(SPEAKERS)
        ]
        for number in range(PARTS + 1):
            if number:
                await asyncio.sleep(minutes * 60 / PARTS)
            held = await cluster.platform.stats()
            memory.append(sum(each["memory"] for each in held))
            connections = await _connections(cluster.url)
            parts = (
                "  ".join(f"{each['memory']:6.1f}" for each in held),
                " ".join(f"{each['files']:3.0f}" for each in held),
                " ".join(f"{each['tasks']:3.0f}" for each in held),
            )
            print(
                f"{number * minutes / PARTS:5.1f} min   memory, MB {parts[0]}   files {parts[1]}   "
                f"tasks {parts[2]}   connections to the database {connections}   "
                f"{len(tally.times):,} lines",
                flush=True,
            )
        await asyncio.gather(*people)
    growth = memory[-1] / memory[PARTS // 4]
    print(
        f"{len(tally.times):,} lines, p50 {tally.quantile(0.5) * 1000:.1f} ms, "
        f"p99 {tally.quantile(0.99) * 1000:.1f} ms, {len(tally.unanswered)} unanswered; the memory at the "
        f"end is {growth:.3f} times that after a quarter of the time"
    )
    return growth


async def _connections(url: str) -> int:
    """Return how many connections a database has but the one that asks."""
    store = await Store.look(url)
    try:
        query = text("SELECT count(*) - 1 FROM pg_stat_activity WHERE datname = current_database()")
        async with store.reading() as connection:
            return int((await connection.execute(query)).scalar_one())
    finally:
        await store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=4, help="the most processes of the cluster")
    parser.add_argument("--rooms", type=int, default=2000, help="rooms, each of a community of its own")
    parser.add_argument("--seconds", type=float, default=120.0, help="seconds of load for each")
    parser.add_argument("--seed", default="1", help="determines who says what, and what is ended")
    parser.add_argument(
        "--minutes", type=float, default=0.0, help="run so long instead, and print what is held"
    )
    parser.add_argument("--kill", type=int, default=0, metavar="N", help="make trouble N times instead")
    parser.add_argument(
        "--restarts",
        type=int,
        default=0,
        metavar="N",
        help="restart all of them, one by one, N times instead",
    )
    arguments = parser.parse_args()
    if shutil.which("nats-server") is None:
        parser.error("there is no nats-server")
    if arguments.kill:
        run = kill(arguments.processes, arguments.rooms, arguments.kill, arguments.seed)
        unanswered, longest = asyncio.run(run)
        sys.exit(bool(unanswered) or longest > LONGEST_DEAF)
    if arguments.restarts:
        run_restarts = restart(arguments.processes, arguments.rooms, arguments.restarts, arguments.seed)
        sys.exit(bool(asyncio.run(run_restarts)))
    if arguments.minutes:
        growth = asyncio.run(stay(arguments.processes, arguments.rooms, arguments.minutes, arguments.seed))
        sys.exit(growth > MOST_GROWTH)
    asyncio.run(measure(1, arguments.rooms, arguments.seconds, arguments.seed, alone=True))
    for processes in (each for each in (1, 2, 4, 8, 16) if each <= arguments.processes):
        asyncio.run(measure(processes, arguments.rooms, arguments.seconds, arguments.seed))


if __name__ == "__main__":
    main()
