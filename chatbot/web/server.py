"""Serves the local page. It trusts nothing: who asks must come from the page itself, by name.

Host and Origin are checked against the names of this machine (a foreign page may reach 127.0.0.1 by
a name of its own, or open sockets across origins); what is served forbids every script but ours.
"""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from importlib.resources import files
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import web

from chatbot.kernel.failure import Failure
from chatbot.web.crowd import Crowd
from chatbot.web.visit import Visit
from cogs.local.door import LocalChat

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

FAREWELL = 1.0  # seconds for pages to take note that the server ends
LARGEST_FRAME = 8192  # bytes: 500 characters, each of them escaped
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  (named, not bound)
_STATIC = Path(str(files("chatbot.web") / "static"))


def beyond(addresses: Iterable[str]) -> bool:
    """Whether others than this machine can reach one of these addresses."""
    return not all(map(_is_loopback, addresses))


async def is_open(host: str) -> bool:
    """Whether others than this machine can reach what listens at a host; not where its name leads nowhere."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(
            host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (OSError, ValueError):  # a name that is none is a ValueError
        return False
    return beyond(str(each[4][0]) for each in found)


def warning(host: str) -> str:
    """Say what the danger is, and what to do."""
    return (
        f"other machines can open it, for CHATBOT_HOST is {host}, and whoever opens it can speak as anybody, "
        "the broadcaster included; set CHATBOT_HOST to 127.0.0.1, unless everybody on that network may."
    )


def _is_loopback(address: str) -> bool:
    found = ip_address(address)
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return (mapped or found).is_loopback


@dataclass(eq=False)
class Server:
    """A page on one address."""

    chat: LocalChat
    crowd: Crowd
    host: str
    port: int  # 0: any free one
    _runner: web.AppRunner | None = None
    _sockets: set[web.WebSocketResponse] | None = None

    async def start(self) -> str:
        """Listen, and say at which address.

        Raises:
            Failure: the address is taken, or not this machine's.
        """
        self._sockets = set()
        page = web.Application(middlewares=[self._guard])
        page.router.add_get("/", _index)
        page.router.add_get("/socket", self._socket)
        page.router.add_static("/static", _STATIC, follow_symlinks=False)
        self._runner = web.AppRunner(page, access_log=None, handle_signals=False, shutdown_timeout=FAREWELL)
        await self._runner.setup()
        site = web.TCPSite(self._runner, self.host, self.port)
        try:
            await site.start()
        except (OSError, ValueError) as error:  # a name that is none is a ValueError
            await self.stop()
            reason = getattr(error, "strerror", None) or str(error)
            raise Failure(
                f"The page cannot listen at {self.host}:{self.port} ({reason}); "
                f"choose a free port with CHATBOT_PORT, or an address of this machine with CHATBOT_HOST."
            ) from None
        self.port = self._runner.addresses[0][1]
        return f"http://{_named(self.host)}:{self.port}"

    @property
    def is_open(self) -> bool:
        """Whether others than this machine can reach it."""
        return self._runner is not None and beyond(each[0] for each in self._runner.addresses)

    async def stop(self) -> None:
        closing = [asyncio.ensure_future(each.close(code=1001)) for each in self._sockets or ()]
        if closing:  # a page that has stopped reading does not hold up the end
            await asyncio.wait(closing, timeout=FAREWELL)
        if self._runner is not None:
            await self._runner.cleanup()
        for each in closing:
            each.cancel()

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        if not self._serves(request.headers.get("Host", "").lower()):
            raise web.HTTPMisdirectedRequest(
                text="This page is not served under that name.\n", headers=HEADERS
            )
        try:
            response = await handler(request)
        except web.HTTPException as error:
            error.headers.update(HEADERS)
            raise
        if not response.prepared:
            response.headers.update(HEADERS)
        return response

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        origin = request.headers.get("Origin", "").lower()
        if not origin.startswith("http://") or not self._serves(origin.removeprefix("http://")):
            raise web.HTTPForbidden(text="Only the page itself may open this.\n")
        socket = web.WebSocketResponse(heartbeat=30, max_msg_size=LARGEST_FRAME)
        await socket.prepare(request)
        assert self._sockets is not None  # set by start  # noqa: S101
        self._sockets.add(socket)
        try:
            await Visit(socket, self.chat, self.crowd).serve()
        finally:
            self._sockets.discard(socket)
        return socket

    def _serves(self, authority: str) -> bool:
        """Whether a name and port are ours.

        Where the page listens at every address, any number is, for a foreign name is what an attack needs.
        """
        name, _, port = (
            authority.rpartition(":") if authority.rpartition(":")[2].isdecimal() else (authority, "", "80")
        )
        if port != str(self.port):
            return False
        return name in {*_LOOPBACK, _named(self.host).lower()} or (
            self.host in _EVERYWHERE and _is_number(name)
        )


async def _index(_: web.Request) -> web.StreamResponse:
    return web.FileResponse(_STATIC / "index.html")


def _is_number(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _named(host: str) -> str:
    return f"[{host}]" if ":" in host else host
