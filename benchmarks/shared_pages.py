"""Measure what it takes that another process runs the room of a seat: a move, and a raid that all seats show.

Two processes share a database on PostgreSQL and NATS. One runs the room; seats are open at its own pages,
and then as many at those of the other one, which carries all that they show and say. The seats are WebSockets
of a third process, and everything is on this machine. A move changes what somebody stakes in a heist that
people join, and is timed from when its seat sends it to when that is answered. The raid is timed as in
`benchmarks.seats`: from when a join was answered to when a seat was sent a table with as many players.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import aiohttp
from rich.console import Console
from rich.table import Table

from benchmarks.desk import quantile
from benchmarks.ledger import postgresql as create_database
from benchmarks.seats import PACE, PATIENCE, URL, reached
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Role
from chatbot.ledger.people import Account
from chatbot.ledger.store.store import Store
from chatbot.ledger.web_sessions import SEAT, Login
from chatbot.web.carrying.cluster_pages import ClusterPages
from chatbot.web.crowd import Crowd
from chatbot.web.listener import PageListener
from chatbot.web.login import SEAT_COOKIE
from chatbot.web.server import Server
from cogs.local.adapter import LocalChat
from tests.cluster.processes import PLATFORM, Process, eventually, forget_stream, home_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

SEATS, RAID, MOVES = 100, 200, 200


@dataclass
class Figures:
    """Milliseconds of moves, and of each join at each seat."""

    moves: list[float] = field(default_factory=list)
    joins: list[float] = field(default_factory=list)


@asynccontextmanager
async def process_with_pages(url: str) -> AsyncIterator[tuple[Process, Server, int]]:
    """Start a process of the cluster with public pages, and lend the port of these."""
    process = await Process.start(url)
    chat = LocalChat(process.bot, f"run-{process.store.leases.process}")
    names = "CHATBOT_PUBLIC_PORT", "CHATBOT_PUBLIC_HOST"
    public = PageListener("127.0.0.1", 0, names, public=True, url=URL)
    crowd = Crowd(chat, Rng.of("crowd"))
    server = Server(chat, crowd, "127.0.0.1", 0, public=public, shared=ClusterPages(process.cluster))
    await server.start()
    try:
        yield process, server, public.port
    finally:
        await server.stop()
        await process.leave()


async def serve(url: str) -> None:
    """Be the other process, until the input ends."""
    async with process_with_pages(url) as (_, _, port):
        print(port, flush=True)
        await asyncio.to_thread(sys.stdin.read)


async def hold() -> None:
    """Hold the seats of the cookies that are given: one of them moves, and then all follow a raid."""
    given = json.loads(await asyncio.to_thread(sys.stdin.readline))
    port, counts = given["port"], [list[tuple[int, float]]() for _ in given["cookies"]]
    ready, done = [[asyncio.Event() for _ in given["cookies"]] for _ in range(2)]
    answers, wires = asyncio.Queue[float](), dict[int, aiohttp.ClientWebSocketResponse]()

    async def follow(number: int, session: aiohttp.ClientSession, cookie: str) -> None:
        headers = {"Cookie": f"{SEAT_COOKIE}-{port}={cookie}; {SEAT_COOKIE}={cookie}", "Origin": URL}
        address = f"{URL}:{port}/seat/socket?room={given['room']}"  # as a page does that connects again
        async with session.ws_connect(address, headers=headers) as wire:
            wires[number] = wire
            async for frame in wire:
                at, message = time.time(), json.loads(frame.data)
                if message["type"] == "own":
                    ready[number].set()
                elif message["type"] == "answer" and number == 0:
                    answers.put_nowait(at)
                elif message["type"] == "table":
                    counts[number].append((message["table"]["count"], at))
                    if message["table"]["count"] >= given["last"]:
                        done[number].set()

    moves = []
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        following = [
            asyncio.create_task(follow(number, session, each)) for number, each in enumerate(given["cookies"])
        ]
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(each.wait() for each in ready))
        for number in range(given["moves"]):
            began = time.time()
            await wires[0].send_json({"type": "say", "text": f"!heist {50 + number % 2}"})
            moves.append(1000 * (await asyncio.wait_for(answers.get(), PATIENCE) - began))
            await asyncio.sleep(0.5)  # more than two commands a second are not heard for long
        print("open", flush=True)
        await asyncio.wait([asyncio.create_task(each.wait()) for each in done], timeout=PATIENCE)
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)
    print(json.dumps({"moves": moves, "counts": counts}), flush=True)


async def child(*arguments: str) -> asyncio.subprocess.Process:
    """Start this module as another process."""
    command = [sys.executable, "-m", "benchmarks.shared_pages", *arguments]
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, limit=2**28)


async def line_of(process: asyncio.subprocess.Process) -> Any:
    assert process.stdout is not None
    return json.loads(await process.stdout.readline() or "null")


async def at_pages(
    process: Process, server: Server, room: str, port: int, numbers: tuple[int, int, int]
) -> Figures:
    """Measure seats that are open at the pages of a port."""
    seats, raid, moves = numbers
    members = [f"{room}-member{number}" for number in range(seats)]
    await process.open(room)
    await process.bot.hear(process.line(room, "boss", "!set heist lobby 600", role=Role.BROADCASTER))
    for who in members:
        await process.hear(room, who, "!heist 50")
    cookies = [
        (
            await server.sessions.stored.open(
                Login(SEAT, Account(PLATFORM, who), who), process.bot.watch.date()
            )
        )[0]
        for who in members
    ]
    clients = await child("--hold")
    assert clients.stdin is not None
    assert clients.stdout is not None
    given = {"port": port, "room": room, "cookies": cookies, "last": seats + raid, "moves": moves}
    clients.stdin.write(json.dumps(given).encode() + b"\n")
    await clients.stdin.drain()
    assert await clients.stdout.readline() == b"open\n"
    published: dict[int, float] = {}
    for number in range(raid):
        await process.hear(room, f"{room}-raider{number}", "!heist 50")
        published[seats + number + 1] = time.time()
        await asyncio.sleep(PACE)
    told = await line_of(clients)
    await clients.wait()
    joins = [
        1000 * max(at - published[count], 0.0)
        for seat in told["counts"]
        for count, at in reached(seat, seats, raid)
    ]
    return Figures(told["moves"], joins)


async def measure(numbers: tuple[int, int, int]) -> Sequence[Figures]:
    """Measure both."""
    async with create_database() as url:
        await (await Store.open(url)).close()
        try:
            async with process_with_pages(url) as (process, server, port):
                other = await child("--serve", url)
                other_port = await line_of(other)
                await eventually(lambda: len(process.cluster.duties.members) > 1)
                await asyncio.sleep(3.0)  # until everything is dealt
                figures = [
                    await at_pages(process, server, home_of(process, skip), each, numbers)
                    for skip, each in enumerate((port, other_port))
                ]
                assert other.stdin is not None
                other.stdin.close()
                await other.wait()
        finally:
            await forget_stream(url)
    return figures


def as_table(figures: Sequence[Figures], numbers: tuple[int, int, int]) -> Table:
    """Lay the figures out."""
    seats, raid, moves = numbers
    title = f"{seats} seats, {moves} moves, a raid of {raid}"
    table = Table("what", "at its process", "at another one", title=title)
    for name, values in (
        ("move to answer", [each.moves for each in figures]),
        ("join to frame", [each.joins for each in figures]),
    ):
        for share, word in ((0.5, "p50"), (0.99, "p99")):
            table.add_row(f"{name}, {word}, ms", *(f"{quantile(each, share):.1f}" for each in values))
    return table


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, default=SEATS)
    parser.add_argument("--raid", type=int, default=RAID)
    parser.add_argument("--moves", type=int, default=MOVES)
    parser.add_argument("--serve", metavar="URL", help=argparse.SUPPRESS)
    parser.add_argument("--hold", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        asyncio.run(serve(arguments.serve))
    elif arguments.hold:
        asyncio.run(hold())
    else:
        numbers = arguments.seats, arguments.raid, arguments.moves
        if min(numbers) < 1:
            parser.error("--seats, --raid and --moves: at least one")
        Console(width=100).print(as_table(asyncio.run(measure(numbers)), numbers))


if __name__ == "__main__":
    main()
