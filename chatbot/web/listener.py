"""One address at which the program serves pages: who may ask there, by which names, and how many at once.

The Host and Origin headers are compared with the names of this machine and with the public address, because
other web sites can let a host name of theirs resolve to 127.0.0.1 (DNS rebinding) and can send requests
across origins. The content security policy permits only scripts of this server.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from chatbot.kernel.game import Failure
from chatbot.web.api.imports import LARGEST_UPLOAD
from chatbot.web.connections import Connections, public_capacity
from chatbot.web.hosts import (
    LOOPBACK,
    divided,
    in_url,
    is_address,
    is_loopback,
    is_wildcard,
    own_url,
    why_it_cannot_listen,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

# Seconds in which pages can confirm that the connection is closed; a stop takes five at most.
SHUTDOWN_TIMEOUT = 1.0
LINGERING_TIME = 1.0  # seconds in which the body of a request may still come; it is read by nobody
LONGEST_PATH = 200  # bytes: more than any path here has, and fewer than file systems permit
BACKLOG = 128  # connections that wait to be accepted, the usual bound of systems; more than `MOST_OF_OTHERS`
DEFAULT_PORTS = {"http": "80", "https": "443"}
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
FORWARDED = (
    "forwarded",
    "x-forwarded",
    "x-real-ip",
    "x-client-ip",
    "cf-",
    "via",
    "true-client-ip",
    "tailscale-",
)
"""How headers begin by which proxies and tunnels say that somebody else is asking, and not this machine."""

OWN_LISTENER = "rabble-listener"
"""The name under which a connection has a listener of its own, as one by which a request was carried."""

OWN_SOCKET = "rabble-socket"
"""The name under which it has the WebSocket that such a request opens."""

LOG = logging.getLogger("aiohttp.server.page")  # a name by which libraries keep payloads out of the log


def _is_told(record: logging.LogRecord) -> bool:
    """Whether what aiohttp logs is of interest: malformed requests are not, and can be many."""
    return record.exc_info is None or not isinstance(record.exc_info[1], HttpProcessingError)


LOG.addFilter(_is_told)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Who asks, as another process has found out: the ids of a session, a seat's session, and a token."""

    session: str = ""
    seat: str = ""
    token: str = ""


@dataclass(eq=False)
class PageListener:
    """One address at which pages are served.

    `settings` are the names of what the operator would change if it cannot listen. A `public` one is reached
    from anywhere, under `url` if that is not empty, and mostly through a proxy on this machine: it takes
    nobody for somebody at this machine. Where a request was carried here by another process, `evidence` is
    what that process has found in it, and stands for its cookies and tokens; `note` is what else it has
    found out for the handler.
    """

    host: str
    port: int  # 0: any free one, stored here by `start`
    settings: tuple[str, str]
    public: bool = False
    url: str = ""
    evidence: Evidence | None = None
    note: str = ""
    _runner: web.AppRunner | None = None
    _connections: Connections | None = None
    _listener: asyncio.Server | None = None

    def application(self) -> web.Application:
        """Return an application whose requests are guarded, to which pages are added before `start`."""
        application = web.Application(middlewares=[self._guard], client_max_size=LARGEST_UPLOAD)
        application[LISTENER] = self
        return application

    async def start(self, application: web.Application) -> None:
        """Start to listen.

        Raises:
            Failure: the address is in use, or is no address of this machine.
        """
        self._runner = web.AppRunner(
            application,
            access_log=None,
            logger=LOG,
            handle_signals=False,
            shutdown_timeout=SHUTDOWN_TIMEOUT,
            lingering_time=LINGERING_TIME,
            auto_decompress=False,  # a small body that becomes gigabytes would occupy the event loop
        )
        await self._runner.setup()
        assert self._runner.server is not None  # it was set up  # noqa: S101
        self._connections = Connections(self._runner.server, public_capacity() if self.public else None)
        loop = asyncio.get_running_loop()
        try:  # as `web.TCPSite` does, but with limits of the connections
            self._listener = await loop.create_server(
                self._connections, self.host, self.port, backlog=BACKLOG
            )
        except (OSError, ValueError) as error:  # ValueError: no valid host name
            await self.stop()
            port, host = self.settings
            raise Failure(
                f"The page cannot listen at {self.host}:{self.port} ({why_it_cannot_listen(error)}); "
                f"choose a free port with {port}, or an address of this machine with {host}."
            ) from None
        self.port = self.addresses[0][1]

    def close(self) -> None:
        """Accept no more connections."""
        if self._listener is not None:
            self._listener.close()

    async def stop(self) -> None:
        """Stop listening, and close what is still open."""
        self.close()
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def addresses(self) -> list[tuple[str, int]]:
        """The addresses and ports at which it listens."""
        return [] if self._listener is None else [each.getsockname()[:2] for each in self._listener.sockets]

    @property
    def own_address(self) -> str:
        """The URL under which people find it: the public one, or that of this machine."""
        return self.url or own_url(self.host, self.port)

    # Who asks

    def serves(self, authority: str) -> bool:
        """Whether a host and port, as in a Host header, are those of this server.

        If it listens at every address, any IP address is accepted: DNS rebinding needs a host name.
        """
        if self.url and authority == _authority(self.url):
            return True
        name, port = divided(authority)
        if port != str(self.port):
            return False
        return name in {*LOOPBACK, in_url(self.host).lower()} or (is_wildcard(self.host) and is_address(name))

    def is_own_origin(self, origin: str) -> bool:
        """Whether an Origin header names a page of this server."""
        scheme, separator, authority = origin.lower().partition("://")
        if not separator or not self.serves(authority):
            return False
        is_public = bool(self.url) and authority == _authority(self.url)
        return scheme == (urlsplit(self.url).scheme if is_public else "http")

    def is_secure(self, request: web.Request) -> bool:
        """Whether a request has come by TLS, to a proxy that passes it on."""
        host = request.headers.get("Host", "").lower()
        return self.url.startswith("https://") and host == _authority(self.url)

    def is_here(self, request: web.Request) -> bool:
        """Whether a request comes from this machine itself, and not through a proxy or a tunnel on it."""
        name, _ = divided(request.headers.get("Host", "").lower())
        here = request.remote is not None and _is_own(request.remote) and (name in LOOPBACK or _is_own(name))
        forwarded = any(each.lower().startswith(FORWARDED) for each in request.headers)
        return here and not forwarded and not self.public

    def visitor(self, request: web.Request) -> str:
        """Return the address by which somebody's attempts are counted; a proxy on this machine tells it."""
        peer = request.remote or ""
        told = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
        return told if told and _is_own(peer) and is_address(told) else peer

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        assert self._connections is not None  # set by start  # noqa: S101
        transport = request.transport
        self._connections.began(transport)
        try:
            if not self.serves(request.headers.get("Host", "").lower()):
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


LISTENER = web.AppKey("listener", PageListener)


def listener_of(request: web.Request) -> PageListener:
    """Return the listener at which a request has come."""
    own: PageListener | None = request.get_extra_info(OWN_LISTENER)
    return request.app[LISTENER] if own is None else own


def page_socket(request: web.Request, **options: Any) -> web.WebSocketResponse:
    """Return the WebSocket that a request opens, wherever its browser is connected.

    `options` are those of `web.WebSocketResponse`, which count where it is.
    """
    own: web.WebSocketResponse | None = request.get_extra_info(OWN_SOCKET)
    return web.WebSocketResponse(**options) if own is None else own


def require_this_machine(request: web.Request) -> None:
    """Require that a request comes from this machine itself, and not through a proxy or a tunnel on it.

    Raises:
        HTTPForbidden: it may come from elsewhere.
    """
    if not listener_of(request).is_here(request):
        raise web.HTTPForbidden(text="Only the machine on which the bot runs may open this.\n")


def require_own_origin(request: web.Request, *, optional: bool = False) -> None:
    """Require that a page of this server asks; with `optional`, a program that names no origin may, too.

    Raises:
        HTTPForbidden: a page of another server asks, or it is not known who.
    """
    if optional and "Origin" not in request.headers:
        return
    if not listener_of(request).is_own_origin(request.headers.get("Origin", "")):
        raise web.HTTPForbidden(text="Only pages of this server may ask for that.\n")


def _authority(url: str) -> str:
    """Return the host and port of a URL as browsers name them: without the port that is usual."""
    parts = urlsplit(url)
    port = (
        "" if parts.port is None or str(parts.port) == DEFAULT_PORTS.get(parts.scheme) else f":{parts.port}"
    )
    return f"{in_url((parts.hostname or '').lower())}{port}"


def _is_own(address: str) -> bool:
    try:
        ip_address(address)
    except ValueError:
        return False
    return is_loopback(address)
