"""Serve the local page, to requests of the page itself only; and overlays, to whoever has their keys.

The Host and Origin headers are compared with the names of this machine, because other web sites can let a
host name of theirs resolve to 127.0.0.1 (DNS rebinding) and can open WebSockets across origins. The content
security policy permits only scripts of this server.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from chatbot.kernel.game import Failure
from chatbot.web.connections import Connections
from chatbot.web.crowd import Crowd
from chatbot.web.hosts import (
    LOOPBACK,
    divided,
    in_url,
    is_address,
    is_loopback,
    is_own_host,
    is_wildcard,
    own_url,
    why_it_cannot_listen,
)
from chatbot.web.login import Login
from chatbot.web.overlay import Overlays
from chatbot.web.reload import PageReload
from chatbot.web.session import PageSession
from chatbot.web.setup import SetUp, SetUpPages
from cogs.local.adapter import CHANNEL, LocalChat

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

# Seconds in which pages can confirm that the connection is closed; a stop takes five at most.
SHUTDOWN_TIMEOUT = 1.0
LINGERING_TIME = 1.0  # seconds in which the body of a request may still come; it is read by nobody
LONGEST_PATH = 200  # bytes: more than any path here has, and fewer than file systems permit
BACKLOG = 128  # connections that wait to be accepted, the usual bound of systems; more than `MOST_OF_OTHERS`
LARGEST_FRAME = 8192  # bytes of a WebSocket message: enough for 500 characters that are all escaped in JSON
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
_LOG = logging.getLogger("aiohttp.server.page")  # a name by which libraries keep payloads out of the log
_STATIC = Path(str(files("chatbot.web") / "static"))


def _is_told(record: logging.LogRecord) -> bool:
    """Whether what aiohttp logs is of interest: malformed requests are not, and can be many."""
    return record.exc_info is None or not isinstance(record.exc_info[1], HttpProcessingError)


_LOG.addFilter(_is_told)


def any_reachable(addresses: Iterable[str]) -> bool:
    """Whether other machines can connect to one of these IP addresses."""
    return not all(map(is_loopback, addresses))


async def is_open(host: str) -> bool:
    """Whether other machines can connect to a server that listens at a host; false for unknown names."""
    try:
        addresses = await asyncio.get_running_loop().getaddrinfo(
            host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (OSError, ValueError):  # ValueError: no valid host name
        return False
    return any_reachable(str(each[4][0]) for each in addresses)


def warning(host: str) -> str:
    """Return a warning for the operator of a page that other machines can open."""
    return (
        f"other machines can open it, for CHATBOT_HOST is {host}, and whoever opens it can speak as anybody, "
        "the broadcaster included; set CHATBOT_HOST to 127.0.0.1, unless everybody on that network may."
    )


@dataclass(eq=False)
class Server:
    """The web server of the local page, at one address."""

    chat: LocalChat
    crowd: Crowd
    host: str
    port: int  # 0: any free one, stored here by `start`
    page_reload: PageReload | None = None  # for whoever works on the page
    set_up: SetUp | None = None
    _runner: web.AppRunner | None = None
    _connections: Connections | None = None
    _listener: asyncio.Server | None = None
    _sockets: set[web.WebSocketResponse] | None = None
    _overlays: Overlays | None = None
    _login: Login | None = None

    async def start(self) -> str:
        """Start to listen, and return the URL of the page.

        Raises:
            Failure: the address is in use, or is no address of this machine.
        """
        self._sockets = set()
        page = web.Application(middlewares=[self._guard])
        page.router.add_get("/", _index)
        page.router.add_get("/socket", self._socket)
        self._overlays = Overlays(self.chat.bot, self._serves, CHANNEL)
        self._overlays.add_to(page.router)
        self._login = Login(self.chat.bot.parts.store, self.chat.bot.watch, self._serves)
        self._login.add_to(page.router)
        if self.set_up is not None:
            SetUpPages(self.chat.bot, self._login, self.set_up).add_to(page.router)
        page.router.add_static("/static", _STATIC, follow_symlinks=False)
        if self.page_reload is not None:
            self.page_reload.add_to(page)
        self._runner = web.AppRunner(
            page,
            access_log=None,
            logger=_LOG,
            handle_signals=False,
            shutdown_timeout=SHUTDOWN_TIMEOUT,
            lingering_time=LINGERING_TIME,
            auto_decompress=False,  # a small body that becomes gigabytes would occupy the event loop
        )
        await self._runner.setup()
        try:
            await self._listen()
        except (OSError, ValueError) as error:  # ValueError: no valid host name
            await self.stop()
            raise Failure(
                f"The page cannot listen at {self.host}:{self.port} ({why_it_cannot_listen(error)}); "
                f"choose a free port with CHATBOT_PORT, or an address of this machine with CHATBOT_HOST."
            ) from None
        self.port = self._addresses[0][1]
        self.chat.bot.parts.overlay_keys.server = own_url(self.host, self.port)
        return f"http://{in_url(self.host)}:{self.port}"

    async def invite(self) -> str | None:
        """Return an address at which the operator logs in, once and on this machine.

        None: it listens at an address by which this machine does not reach it as itself.
        """
        assert self._login is not None  # set by start  # noqa: S101
        if not is_own_host(self.host):
            return None
        return own_url(self.host, self.port) + await self._login.invite()

    @property
    def is_open(self) -> bool:
        """Whether other machines can connect."""
        return any_reachable(each[0] for each in self._addresses)

    async def stop(self) -> None:
        """Close all connections and stop listening."""
        if self._listener is not None:
            # First, so that no page reconnects while the others are told to.
            self._listener.close()
        sockets = [*(self._sockets or ())]
        if self._overlays is not None:
            self._overlays.stop()
            sockets += self._overlays.sockets
        closing = [asyncio.ensure_future(each.close(code=1001)) for each in sockets]
        if closing:  # with a timeout, because a page may have stopped reading
            await asyncio.wait(closing, timeout=SHUTDOWN_TIMEOUT)
        if self._runner is not None:
            await self._runner.cleanup()
        for each in closing:
            each.cancel()

    async def _listen(self) -> None:
        """Listen as `web.TCPSite` does, but with limits of the connections."""
        assert self._runner is not None  # set by start  # noqa: S101
        assert self._runner.server is not None  # set up by start  # noqa: S101
        self._connections = Connections(self._runner.server)
        loop = asyncio.get_running_loop()
        self._listener = await loop.create_server(self._connections, self.host, self.port, backlog=BACKLOG)

    @property
    def _addresses(self) -> list[tuple[str, int]]:
        """The addresses and ports at which it listens."""
        return [] if self._listener is None else [each.getsockname()[:2] for each in self._listener.sockets]

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        assert self._connections is not None  # set by start  # noqa: S101
        transport = request.transport
        self._connections.began(transport)
        try:
            if not self._serves(request.headers.get("Host", "").lower()):
                raise web.HTTPMisdirectedRequest(text="This page is not served under that name.\n")
            if len(request.path.encode(errors="replace")) > LONGEST_PATH:
                raise web.HTTPNotFound
            response = await handler(request)
        except web.HTTPException as error:
            error.headers.update(HEADERS)
            raise
        finally:
            self._connections.ended(transport)
        if not response.prepared:
            for name, value in HEADERS.items():
                response.headers.setdefault(name, value)
        return response

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        origin = request.headers.get("Origin", "").lower()
        if not origin.startswith("http://") or not self._serves(origin.removeprefix("http://")):
            raise web.HTTPForbidden(text="Only the page itself may open this.\n")
        # The heartbeat, in seconds, finds pages of machines that went to sleep, which say no goodbye.
        socket = web.WebSocketResponse(heartbeat=30, max_msg_size=LARGEST_FRAME)
        await socket.prepare(request)
        assert self._sockets is not None  # set by start  # noqa: S101
        self._sockets.add(socket)
        try:
            await PageSession(socket, self.chat, self.crowd).serve()
        finally:
            self._sockets.discard(socket)
        return socket

    def _serves(self, authority: str) -> bool:
        """Whether a host and port, as in a Host header, are those of this server.

        If it listens at every address, any IP address is accepted: DNS rebinding needs a host name.
        """
        name, port = divided(authority)
        if port != str(self.port):
            return False
        return name in {*LOOPBACK, in_url(self.host).lower()} or (is_wildcard(self.host) and is_address(name))


async def _index(_: web.Request) -> web.StreamResponse:
    return web.FileResponse(_STATIC / "index.html")
