"""Serves the overlay with the events that a test sends, and turns the clock of its page by hand."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aiohttp import web
from playwright.async_api import Page

from chatbot.web.listener import HEADERS
from tests.web.recording import over

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from playwright.async_api import Browser

PATIENCE = 10.0  # seconds
BEFORE = 0.5  # seconds after the first event at which a page is opened
STATIC = Path(__file__).parents[2] / "chatbot" / "web" / "static"


@dataclass(eq=False)
class OverlayServer:
    """One overlay at `/overlay/key`, to which `send` sends events; `asked` is what overlays have said."""

    asked: list[dict[str, Any]] = field(default_factory=list)
    picture: dict[str, Any] | None = None  # what a new socket is sent first
    connected: int = 0  # sockets that were opened so far
    replaced: bool = False  # whether the key is one that was replaced
    address: str = ""
    _sockets: set[web.WebSocketResponse] = field(default_factory=set)
    _runner: web.AppRunner | None = None

    async def start(self, port: int = 0) -> str:
        """Listen, and return the address of the overlay."""
        app = web.Application(middlewares=[_headers])
        app.router.add_get("/overlay/key", self._page)
        app.router.add_get("/overlay/sample", self._page)
        app.router.add_get("/overlay/key/events", self._events)
        app.router.add_static("/static", STATIC)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", port).start()
        self.address = f"http://127.0.0.1:{self._runner.addresses[0][1]}/overlay/key"
        return self.address

    async def stop(self) -> None:
        """Close all sockets, and stop listening."""
        for each in list(self._sockets):
            await each.close(code=1001)
        if self._runner is not None:
            await self._runner.cleanup()

    async def send(self, events: Sequence[dict[str, Any]]) -> None:
        """Send events to everybody who is connected."""
        for each in events:
            for socket in self._sockets:
                await socket.send_str(json.dumps(each))

    async def cut(self, code: int = 1001) -> None:
        """Close all sockets, as a bot that restarts does, or with another code."""
        for each in list(self._sockets):
            await each.close(code=code)

    async def _page(self, _: web.Request) -> web.StreamResponse:
        self._require_present()
        return web.FileResponse(STATIC / "overlay.html")

    def _require_present(self) -> None:
        if self.replaced:
            raise web.HTTPNotFound

    async def _events(self, request: web.Request) -> web.StreamResponse:
        self._require_present()
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self.connected += 1
        if self.picture is not None:
            await socket.send_str(json.dumps(self.picture))
        self._sockets.add(socket)
        try:
            async for message in socket:
                self.asked.append(json.loads(message.data))
                if self.picture is not None:
                    await socket.send_str(json.dumps(self.picture))
        finally:
            self._sockets.discard(socket)
        return socket


@web.middleware
async def _headers(request: web.Request, handler: Any) -> web.StreamResponse:
    response: web.StreamResponse = await handler(request)
    if not response.prepared:
        response.headers.update(HEADERS)
    return response


def time_of(event: dict[str, Any]) -> float:
    """Return when an event was published, in seconds."""
    return datetime.fromisoformat(event["at"]).timestamp()


def over_at(events: Sequence[dict[str, Any]]) -> float:
    """Return how many seconds after the first event the table is over."""
    return time_of(over(events)) - time_of(events[0])


@dataclass(eq=False)
class Viewing:
    """A page that shows a recording, whose clock stands still unless `reach` turns it."""

    page: Page
    server: OverlayServer
    events: list[dict[str, Any]]  # that were not sent yet
    start: float
    now: float
    complaints: list[str] = field(default_factory=list)

    async def reach(self, seconds: float) -> None:
        """Go on to so many seconds after the first event, and let all movements end."""
        end = self.start + seconds
        while self.events and time_of(self.events[0]) <= end:
            await self._turn(time_of(self.events[0]))
            await self.send(self.events.pop(0))
        await self._turn(end)
        await self.settle()

    async def send(self, event: dict[str, Any]) -> None:
        """Send an event, and wait until it is drawn."""
        await self.server.send([event])
        await self.until(f"document.querySelector('.place').dataset.number === '{event['number']}'")

    async def until(self, condition: str) -> None:
        """Wait until an expression is true in the page."""
        async with asyncio.timeout(PATIENCE):
            while not await self.page.evaluate(condition):  # noqa: ASYNC110  (the timers of the page stand still)
                await asyncio.sleep(0.01)

    async def settle(self) -> None:
        """Let all movements end."""
        await self.page.evaluate("Promise.allSettled(document.getAnimations().map((each) => each.finished))")

    async def _turn(self, when: float) -> None:
        if when > self.now:
            await self.page.clock.run_for(round((when - self.now) * 1000))
            self.now = when


@asynccontextmanager
async def viewing(
    browser: Browser,
    events: Sequence[dict[str, Any]],
    query: str = "",
    size: tuple[int, int] = (1920, 1080),
    *,
    calm: bool = False,
) -> AsyncIterator[Viewing]:
    """Open the overlay on a recording, which begins with a picture; `calm` asks for reduced motion."""
    server = OverlayServer(picture=events[0])
    await server.start()
    page = await browser.new_page(
        viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce" if calm else "no-preference"
    )
    start = time_of(events[0])
    shown = Viewing(page, server, list(events[1:]), start, start + BEFORE)
    page.on("console", lambda said: shown.complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: shown.complaints.append(str(error)))
    page.on("dialog", lambda dialog: shown.complaints.append(dialog.message))
    try:
        await page.clock.install(time=start)
        await page.clock.pause_at(start + BEFORE)
        await page.goto(server.address + query)
        await shown.until("document.querySelector('.place')?.dataset.number !== undefined")
        await page.evaluate("document.fonts.ready.then(() => null)")
        yield shown
    finally:
        await page.close()
        await server.stop()


async def plate(view: Viewing) -> dict[str, str]:
    """Return the moment and the size of what is shown; empty if nothing is."""
    shown: dict[str, str] = await view.page.evaluate(
        "({ ...[...document.querySelectorAll('.place > .plate')].at(-1)?.dataset })"
    )
    return shown


async def text(view: Viewing, selector: str) -> list[str]:
    """Return what is written in all elements that match a selector."""
    return [each.strip() for each in await view.page.locator(selector).all_inner_texts()]
