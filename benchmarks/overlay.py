"""Measure how soon an event of a table is at all overlays of its room, which are 50 pages in another process.

A crowd joins a heist, line by line. The time of an event is from when it was published, which it says itself,
to when it was received, in milliseconds of the same clock. Beside it a bare server of aiohttp sends the same
texts to as many sockets, at the same pace, one socket after the other.

Then one of the overlays is a page in Chromium, and the others follow as before: there the time of an event
ends with the frame in which it is painted. Several heists are played: one has fewer events than a hundred,
and its slowest one would count as the hundredth. The program exits with 1 if 99 of 100 are painted too late.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import aiohttp
from aiohttp import web
from playwright.async_api import async_playwright

from benchmarks.rows import Measure
from chatbot.bot.bot import Bot
from chatbot.collector import sparing
from chatbot.games import kits
from chatbot.kernel.fair import Rng
from chatbot.keys.overlay_keys import path_of
from chatbot.ledger.store.store import Store
from chatbot.runtime.clock import LoopWatch
from chatbot.speech.words import Words
from chatbot.web.crowd import Crowd
from chatbot.web.server import Server
from cogs.local.adapter import LocalChat, entering
from tests.web.chromium import CHROMIUM, running

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterator

    from playwright.async_api import Page

    from benchmarks.rows import Row

SOCKETS = 50
JOINS, QUICK = 60, 5  # people who join, and with `quick`
HEISTS, FEW_HEISTS = 5, 1  # that a page paints, and with `quick`
PACE = 0.05  # seconds between two of them
LAST = "the last one"  # what ends a measurement
PATIENCE = 60.0  # seconds until all is received
_AT = re.compile(r'"at":"([^"]+)"')

MEDIAN = Measure(f"an event at {SOCKETS} overlays: median ms", "a bare WebSocket server")
SLOWEST = Measure(f"an event at {SOCKETS} overlays: ms, 99 of 100", "a bare WebSocket server")
LATEST = 150.0  # milliseconds until 99 of 100 events are to be painted
PAINTED = Measure(
    f"an event painted by one of {SOCKETS} overlays: ms, 99 of 100", "the most that it is to take"
)
MEASURES = (MEDIAN, SLOWEST, PAINTED)
PHASES = 3  # of the heist after its lobby
MOST_WAITS = 1_000  # of `PACE`, until a page has painted all

_PAINTS = """() => {
  window.painted = {};
  const place = document.querySelector(".place");
  const note = (number) => requestAnimationFrame(() => {
    const frame = new MessageChannel();  // what it is sent arrives after the frame has been drawn
    frame.port1.onmessage = () => { window.painted[number] = performance.timeOrigin + performance.now(); };
    frame.port2.postMessage(null);
  });
  const seen = new MutationObserver(() => note(place.dataset.number));
  seen.observe(place, { attributes: true, attributeFilter: ["data-number"] });
}"""


@dataclass(frozen=True, slots=True)
class Figures:
    """The milliseconds of all events at all sockets, in ascending order."""

    delays: list[float]

    def at(self, share: float) -> float:
        """Return the delay that this share of all does not exceed."""
        return self.delays[min(int(share * len(self.delays)), len(self.delays) - 1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--joins", type=int, default=JOINS, help="people who join the heist")
    arguments = parser.parse_args()
    ours, bare = asyncio.run(measure(arguments.joins))
    _print(f"overlays: {len(ours.delays):,} deliveries to {SOCKETS} sockets", ours)
    _print(f"bare server: {len(bare.delays):,} deliveries to {SOCKETS} sockets", bare)
    if CHROMIUM is None:
        print("not measured when events are painted: Debian's chromium is not installed")
        return
    paints = asyncio.run(painted(arguments.joins, HEISTS))
    _print(f"painted: {len(paints.delays):,} events by Chromium, beside {SOCKETS - 1} sockets", paints)
    sys.exit(paints.at(0.99) > LATEST)


def _print(what: str, figures: Figures) -> None:
    print(
        f"{what}; median {median(figures.delays):.2f} ms, "
        f"99 of 100 {figures.at(0.99):.2f} ms, slowest {figures.delays[-1]:.2f} ms"
    )


def rows(*, quick: bool) -> Iterator[Row]:
    joins = QUICK if quick else JOINS
    ours, bare = asyncio.run(measure(joins))
    yield MEDIAN.row(median(ours.delays), median(bare.delays))
    yield SLOWEST.row(ours.at(0.99), bare.at(0.99))
    if CHROMIUM is None:
        yield PAINTED.lacking("Debian's chromium is not installed")
    else:
        paints = asyncio.run(painted(joins, FEW_HEISTS if quick else HEISTS))
        yield PAINTED.row(paints.at(0.99), LATEST)


async def measure(joins: int) -> tuple[Figures, Figures]:
    """Measure the overlays of a room and a bare server, which sends what they were sent."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        with tempfile.TemporaryDirectory() as folder:
            async with _bot(Path(folder)) as (chat, address):
                ours, texts = await _measure(pool, address, Path(folder), lambda: _join(chat, joins))
        with tempfile.TemporaryDirectory() as folder:
            async with _bare() as (send, address):
                bare, _ = await _measure(pool, address, Path(folder), lambda: _repeat(send, texts))
    return ours, bare


async def painted(joins: int, heists: int) -> Figures:
    """Measure when a page in Chromium has painted the events of heists, beside the other overlays."""
    delays: list[float] = []
    for _ in range(heists):
        delays += await _painted(joins)
    return Figures(sorted(delays))


async def _painted(joins: int) -> list[float]:
    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool,
        running() as browser,
        tempfile.TemporaryDirectory() as folder,
    ):
        async with _bot(Path(folder)) as (chat, address), _overlay(browser, address) as page:
            others = SOCKETS - 1
            _, texts = await _measure(pool, address, Path(folder), lambda: _play(chat, joins), others)
            return await _paints(page, texts)


async def _measure(
    pool: ProcessPoolExecutor,
    address: str,
    folder: Path,
    play: Callable[[], Coroutine[None, None, None]],
    sockets: int = SOCKETS,
) -> tuple[Figures, list[str]]:
    """Connect the clients, play, and return the figures and the texts that were sent."""
    ready = folder / "ready"  # the clients make it when all are connected
    following = asyncio.get_running_loop().run_in_executor(pool, _follow, address, str(ready), sockets)
    while not following.done() and not await asyncio.to_thread(ready.exists):  # noqa: ASYNC110
        await asyncio.sleep(PACE)
    await play()
    delays, texts = await asyncio.wait_for(following, PATIENCE)
    return Figures(sorted(delays)), texts


# The program


@asynccontextmanager
async def _bot(folder: Path) -> AsyncIterator[tuple[LocalChat, str]]:
    store = await Store.open(f"sqlite:///{(folder / 'overlay.db').as_posix()}")
    watch = LoopWatch()
    bot = Bot(kits(), store, Words("en"), watch)
    chat = LocalChat(bot, "run")
    await chat.open()
    server = Server(chat, Crowd(chat, Rng.of("crowd")), "127.0.0.1", 0)
    address = await server.start()
    try:
        with sparing():  # as the program runs
            yield chat, address + path_of(await bot.parts.overlay_keys.of(chat.room.id)) + "/events"
    finally:
        await server.stop()
        await watch.stop(PATIENCE)
        await bot.close()
        await store.close()


async def _join(chat: LocalChat, joins: int) -> None:
    """Let so many people join a heist, and then publish an event that the clients know as the last one."""
    await _gather(chat, joins)
    chat.bot.parts.publisher.voided(chat.room, LAST, LAST)


async def _play(chat: LocalChat, joins: int) -> None:
    """The same, but the heist is played to its end before."""
    await _gather(chat, joins)
    (table,) = chat.room.tables.values()
    for _ in range(PHASES):
        await chat.bot.hurry(chat.room, table.id)
        await asyncio.sleep(PACE)
    chat.bot.parts.publisher.voided(chat.room, LAST, LAST)


async def _gather(chat: LocalChat, joins: int) -> None:
    viewers = [await chat.viewer(*entering(f"fan {number}", "viewer")) for number in range(joins)]
    for each in viewers:
        await chat.enter(each)
    for each in viewers:
        await chat.say(each, "!heist 20", private=False)
        await asyncio.sleep(PACE)


# A page in a browser


@asynccontextmanager
async def _overlay(browser: str, address: str) -> AsyncIterator[Page]:
    """Open the overlay whose events are at an address, and note when it paints each of them."""
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.connect_over_cdp(browser)
        page = await chromium.new_page(viewport={"width": 1920, "height": 1080})
        await page.goto(address.removesuffix("/events"))
        await page.wait_for_function("document.querySelector('.place')?.dataset.number !== undefined")
        await page.evaluate(_PAINTS)
        yield page
        await chromium.close()


async def _paints(page: Page, texts: list[str]) -> list[float]:
    """Return the milliseconds from when each event was published to the frame in which a page painted it."""
    events = {str(json.loads(each)["number"]): _published(each) for each in texts}
    for _ in range(MOST_WAITS):
        times: dict[str, float] = await page.evaluate("window.painted")
        if events.keys() <= times.keys():
            return [times[number] - 1000 * at for number, at in events.items()]
        await asyncio.sleep(PACE)
    raise TimeoutError("the page has not painted every event")


# A bare server


@asynccontextmanager
async def _bare() -> AsyncIterator[tuple[Callable[[str], Coroutine[None, None, None]], str]]:
    sockets: list[web.WebSocketResponse] = []

    async def follow(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        sockets.append(socket)
        await socket.send_str("{}")
        async for _ in socket:
            pass
        return socket

    async def send(text: str) -> None:
        for each in sockets:
            await each.send_str(text)

    app = web.Application()
    app.router.add_get("/", follow)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield send, f"http://127.0.0.1:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()


async def _repeat(send: Callable[[str], Coroutine[None, None, None]], texts: list[str]) -> None:
    """Send texts with the present time, those together that were published together."""
    previous = 0.0
    for text in texts:
        if _published(text) - previous > PACE / 2:
            await asyncio.sleep(PACE)
        previous = _published(text)
        await send(_AT.sub(f'"at":"{datetime.now(UTC).isoformat()}"', text, count=1))


# The clients, in a process of their own


def _follow(address: str, ready: str, count: int) -> tuple[list[float], list[str]]:
    """Follow an address over so many sockets to its end; return all delays in ms, and the texts of one."""
    return asyncio.run(_follow_all(address, Path(ready), count))


async def _follow_all(address: str, ready: Path, count: int) -> tuple[list[float], list[str]]:
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        sockets = [await session.ws_connect(address) for _ in range(count)]
        for each in sockets:
            await each.receive_str()  # the picture
        await asyncio.to_thread(ready.touch)
        frames = await asyncio.gather(*map(_receive, sockets))
    delays = [1000 * (at - _published(text)) for each in frames for at, text in each]
    return delays, [text for _, text in frames[0]]


async def _receive(socket: aiohttp.ClientWebSocketResponse) -> list[tuple[float, str]]:
    frames: list[tuple[float, str]] = []
    async for frame in socket:
        frames.append((time.time(), frame.data))
        if LAST in frame.data:
            return frames
    return frames


def _published(text: str) -> float:
    return datetime.fromisoformat(json.loads(text)["at"]).timestamp()


if __name__ == "__main__":
    main()
