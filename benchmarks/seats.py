"""Measure how soon 300 open seats of one room show what happens there, while a raid joins a heist.

The seats are WebSockets of another process, at the public pages of a bot with SQLite; each is that of a
member who plays at the table. The raid are further people, who join line by line. A join is timed from when
the bot has answered it to when a seat was sent a table with as many players. One more seat is a page in
Chromium, as large as a phone's: there the time ends with the frame in which as many players are painted.

The memory of a seat is by how much the process of the bot grows from no seat to all, and `page` are the bytes
of the seat's page before its fonts, as a browser that takes gzip gets them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sys
import tempfile
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiohttp
from playwright.async_api import async_playwright
from rich.console import Console
from rich.table import Table

from benchmarks.desk import quantile
from benchmarks.startup import resident
from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Role
from chatbot.ledger.people import Account
from chatbot.ledger.store.store import Store
from chatbot.ledger.web_sessions import SEAT, Login
from chatbot.rooms.line import Line
from chatbot.runtime.clock import LoopWatch
from chatbot.speech.words import Words
from chatbot.web.crowd import Crowd
from chatbot.web.listener import PageListener
from chatbot.web.login import SEAT_COOKIE
from chatbot.web.server import Server
from cogs.local.adapter import CHANNEL, LocalChat
from tests.web.chromium import CHROMIUM, running

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Page

SEATS, RAID = 300, 500
PACE = 0.02  # seconds between two lines of the raid
AIM, PAGE_AIM = 300.0, 60.0  # milliseconds from a join to its picture, 99 times of 100; kB of the page
PATIENCE = 60.0  # seconds until all is received
URL = "http://127.0.0.1"
_PAINTS = """() => {
  window.painted = [];
  const crew = document.querySelector(".crew h4 b");
  const seen = new MutationObserver(() => {
    const count = Number(crew.textContent);
    requestAnimationFrame(() => {
      const frame = new MessageChannel();  // what it is sent arrives after the frame has been drawn
      frame.port1.onmessage = () => window.painted.push([count, performance.timeOrigin + performance.now()]);
      frame.port2.postMessage(null);
    });
  });
  seen.observe(crew, { childList: true, characterData: true, subtree: true });
}"""


@dataclass
class Figures:
    """What was measured: milliseconds of each join at each seat, and sizes."""

    latencies: list[float] = field(default_factory=list)
    paints: list[float] = field(default_factory=list)  # at the page in a browser; empty: there is none
    frames: int = 0
    sent: int = 0  # bytes to one seat
    memory: float = 0.0  # kB of one seat
    page: float = 0.0  # kB


@asynccontextmanager
async def started(folder: Path) -> AsyncIterator[tuple[Bot, Server, PageListener]]:
    """Start a bot with public pages."""
    store = await Store.open(f"sqlite:///{(folder / 'rabble.db').as_posix()}", alone=True)
    bot = Bot(kits(), store, Words("en"), LoopWatch())
    chat = LocalChat(bot, "run")
    await bot.open(chat.room)
    settings = "CHATBOT_PUBLIC_PORT", "CHATBOT_PUBLIC_HOST"
    public = PageListener("127.0.0.1", 0, settings, public=True, url=URL)
    server = Server(chat, Crowd(chat, Rng.of("crowd")), "127.0.0.1", 0, public=public)
    await server.start()
    try:
        yield bot, server, public
    finally:
        await server.stop()
        await bot.close()
        await store.close()


async def hear(bot: Bot, who: str, text: str, number: int) -> None:
    """Let somebody say something."""
    account = Account("local", who)
    await bot.converse(Line(f"bench:{who}:{number}", CHANNEL, account, who, Role.MODERATOR, text))


async def measure(seats: int, raid: int, folder: Path) -> Figures:
    """Measure all of it."""
    figures = Figures()
    async with started(folder) as (bot, server, public):
        members = [f"member{number}" for number in range(seats)]
        await hear(bot, "boss", "!set heist lobby 600", 0)
        for who in members:
            await hear(bot, who, "hello", 0)
        for who in members:
            await hear(bot, who, "!heist 50", 1)
        cookies = [
            (await server.sessions.stored.open(Login(SEAT, Account("local", who), who), bot.watch.date()))[0]
            for who in members
        ]
        figures.page = await page_weight(public.port)
        before = resident(os.getpid())
        command = [sys.executable, "-m", "benchmarks.seats", "--clients", str(public.port)]
        clients = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=2**28
        )
        assert clients.stdin is not None
        assert clients.stdout is not None
        clients.stdin.write(json.dumps({"cookies": cookies, "last": seats + raid}).encode() + b"\n")
        await clients.stdin.drain()
        assert await clients.stdout.readline() == b"open\n"
        figures.memory = 1000 * (resident(os.getpid()) - before) / seats
        published: dict[int, float] = {}
        async with phone(public.port, cookies[0]) as page:
            for number in range(raid):
                await hear(bot, f"raider{number}", "!heist 50", 1)
                published[seats + number + 1] = time.time()
                await asyncio.sleep(PACE)
            async with asyncio.timeout(PATIENCE):
                told = json.loads(await clients.stdout.readline())
            painted = await paints(page, seats + raid) if page else []
        await clients.wait()

        def delays(seat: list[list[float]]) -> list[float]:
            return [1000 * max(at - published[count], 0.0) for count, at in reached(seat, seats, raid)]

        for seat in told["seats"]:
            figures.latencies += delays(seat)
        figures.paints = delays(painted)
        figures.frames, figures.sent = told["frames"] // seats, told["bytes"] // seats
    return figures


def reached(seat: list[list[float]], seats: int, raid: int) -> list[tuple[int, float]]:
    """Return when a seat was sent each number of players, or a larger one."""
    times, place = [], 0
    for count in range(seats + 1, seats + raid + 1):
        while place < len(seat) and seat[place][0] < count:
            place += 1
        if place < len(seat):
            times.append((count, seat[place][1]))
    return times


@asynccontextmanager
async def phone(port: int, cookie: str) -> AsyncIterator[Page | None]:
    """Open a seat in Chromium, which notes when it paints how many players; None: there is no browser."""
    if CHROMIUM is None:
        yield None
        return
    with running() as browser:
        async with async_playwright() as playwright:
            chromium = await playwright.chromium.connect_over_cdp(browser)
            page = await chromium.new_page(viewport={"width": 390, "height": 844})
            await page.context.add_cookies(
                [{"name": f"{SEAT_COOKIE}-{port}", "value": cookie, "url": f"{URL}:{port}"}]
            )
            await page.goto(f"{URL}:{port}/seat")
            await page.wait_for_selector(".crew h4 b")
            await page.evaluate(_PAINTS)
            yield page
            await chromium.close()


async def paints(page: Page, last: int) -> list[list[float]]:
    """Return when a page has painted which numbers of players, in seconds."""
    await page.wait_for_function(f"window.painted.some(([count]) => count >= {last})")
    return [[count, at / 1000] for count, at in await page.evaluate("window.painted")]


async def page_weight(port: int) -> float:
    """Return the kB of the seat's page with all that it needs, without fonts."""
    seen, todo, total = set[str](), ["/seat"], 0
    async with aiohttp.ClientSession(auto_decompress=False) as session:
        while todo:
            path = todo.pop()
            if path in seen or re.search(r"\.(woff2?|ttf|png|webmanifest)$", path):
                continue
            seen.add(path)
            async with session.get(f"{URL}:{port}{path}", headers={"Accept-Encoding": "gzip"}) as answer:
                body = await answer.read()
                packed = answer.headers.get("Content-Encoding") == "gzip"
            total += len(body)
            todo += linked(path, unpacked(body) if packed else body.decode(errors="replace"))
    return total / 1000


def unpacked(body: bytes) -> str:
    """Unpack what was sent."""
    import gzip  # noqa: PLC0415

    return gzip.decompress(body).decode(errors="replace")


def linked(path: str, text: str) -> list[str]:
    """Return what a page, a module or a style sheet loads at once."""
    found = re.findall(r'(?:href|src)="(/static/[^"]+)"', text)
    if path.endswith(".js"):
        base = path.rsplit("/", 1)[0]
        for each in re.findall(r'from "(\.[^"]+)"', text):
            parts = base.split("/")
            for step in each.split("/"):
                parts = parts[:-1] if step == ".." else parts if step == "." else [*parts, step]
            found.append("/".join(parts))
    return found


async def follow(port: int) -> None:
    """Hold the seats of the cookies that are given, and tell when each was sent which number of players."""
    given = json.loads(await asyncio.to_thread(sys.stdin.readline))
    counts: list[list[tuple[int, float]]] = [[] for _ in given["cookies"]]
    sizes = {"frames": 0, "bytes": 0}
    done = [asyncio.Event() for _ in given["cookies"]]
    ready = [asyncio.Event() for _ in given["cookies"]]

    async def hold(number: int, session: aiohttp.ClientSession, cookie: str) -> None:
        headers = {"Cookie": f"{SEAT_COOKIE}-{port}={cookie}; {SEAT_COOKIE}={cookie}", "Origin": URL}
        async with session.ws_connect(f"{URL}:{port}/seat/socket", headers=headers) as wire:
            async for frame in wire:
                at, message = time.time(), json.loads(frame.data)
                sizes["frames"] += 1
                sizes["bytes"] += len(frame.data)
                if message["type"] == "own":
                    ready[number].set()
                if message["type"] == "table":
                    counts[number].append((message["table"]["count"], at))
                    if message["table"]["count"] >= given["last"]:
                        done[number].set()
                        return

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        tasks = [asyncio.create_task(hold(*each)) for each in _numbered(session, given["cookies"])]
        await asyncio.gather(*(each.wait() for each in ready))
        sizes.update(frames=0, bytes=0)
        print("open", flush=True)
        await asyncio.wait([asyncio.create_task(each.wait()) for each in done], timeout=PATIENCE)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    print(json.dumps({"seats": counts, **sizes}), flush=True)


def _numbered(session: aiohttp.ClientSession, cookies: list[str]) -> list[tuple[int, Any, str]]:
    return [(number, session, cookie) for number, cookie in enumerate(cookies)]


def as_table(figures: Figures, seats: int, raid: int) -> Table:
    """Lay the figures out beside what they are meant to be."""
    table = Table("what", "measured", "aim", title=f"{seats} seats, a raid of {raid}")
    table.add_row("join to frame, p50, ms", f"{quantile(figures.latencies, 0.5):.0f}", "")
    table.add_row("join to frame, p99, ms", f"{quantile(figures.latencies, 0.99):.0f}", "")
    table.add_row("join to paint, p50, ms", _quantile(figures.paints, 0.5), "")
    table.add_row("join to paint, p99, ms", _quantile(figures.paints, 0.99), f"{AIM:.0f}")
    table.add_row("frames to one seat", f"{figures.frames}", "")
    table.add_row("kB to one seat", f"{figures.sent / 1000:.0f}", "")
    table.add_row("memory of one seat, kB", f"{figures.memory:.0f}", "")
    table.add_row("page before fonts, kB", f"{figures.page:.1f}", f"{PAGE_AIM:.0f}")
    return table


def _quantile(delays: list[float], share: float) -> str:
    return f"{quantile(delays, share):.0f}" if delays else "no Chromium"


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, default=SEATS)
    parser.add_argument("--raid", type=int, default=RAID)
    parser.add_argument("--clients", type=int, metavar="PORT", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.clients:
        asyncio.run(follow(arguments.clients))
        return
    if min(arguments.seats, arguments.raid) < 1:
        parser.error("--seats and --raid: at least one")
    with tempfile.TemporaryDirectory() as name:
        figures = asyncio.run(measure(arguments.seats, arguments.raid, Path(name)))
    Console(width=100).print(as_table(figures, arguments.seats, arguments.raid))


if __name__ == "__main__":
    main()
