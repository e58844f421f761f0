"""Limit the connections to the web server: how many are open, and how long one takes to send its request.

aiohttp waits an hour for the headers of a request, or forever, and accepts connections until the process can
open no more files. Then the database cannot be opened either, so one visitor would end every game. The event
loop does all of this, alike on every system.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING

from chatbot.runtime.open_files import most_open_files
from chatbot.web.hosts import is_loopback

if TYPE_CHECKING:
    from collections.abc import Callable

# Altogether: a process has 256 files on macOS, and needs some of them for the database and platforms.
MOST = 192
# Of other machines; the rest is for this one, so that strangers never lock the streamer out.
MOST_OF_OTHERS = 96
MOST_OF_ONE = 32  # of one other address: a household with a few browsers, each of which opens six
# Of public pages, if the process may open as many files: hundreds of phones hold a seat each, and most of
# them come through a proxy on this machine.
MOST_PUBLIC = 2048
KEPT = 32  # connections of public pages that are for this machine
# Seconds from the connection to the headers of its first request, which browsers send at once.
HEADERS_TIMEOUT = 10.0
NEXT_TIMEOUT = 60.0  # seconds from a response until it is taken and the headers of the next request are there
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 42\r\n"
    b"Connection: close\r\n\r\nToo many connections are open; try later.\n"
)


def visitor(address: str) -> str:
    """Return by what connections of a visitor are counted: their address, or for IPv6 their network (/64)."""
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    return str(ip) if isinstance(ip, IPv4Address) else str(int(ip) >> 64)


def public_capacity() -> int:
    """Return how many connections public pages may have: half of the files that this process may open."""
    return max(MOST, min(most_open_files(2 * MOST_PUBLIC) // 2, MOST_PUBLIC))


class Connections:
    """The open connections of a server; as a factory it makes the protocol of a new one.

    `serve` makes a protocol of the server behind it. Those of this machine are not counted by their address,
    because it may be that of a reverse proxy and so of all visitors. If there are too many, the one that has
    waited longest without a request in progress is closed: whoever sends no request keeps nobody out.
    `most` are those that may be open; None: as many as on every system, for pages of this machine.
    """

    def __init__(self, serve: Callable[[], asyncio.Protocol], most: int | None = None) -> None:
        self._serve, self._most = serve, most
        self._open: dict[asyncio.BaseTransport, _Connection] = {}
        self._of: Counter[str] = Counter()  # by visitor, except those of this machine
        self._waiting: dict[_Connection, None] = {}  # without a request in progress, longest first

    def __call__(self) -> asyncio.Protocol:
        """Return the protocol of a new connection."""
        return _Connection(self, self._serve())

    def __len__(self) -> int:
        return len(self._open)

    def began(self, transport: asyncio.BaseTransport | None) -> None:
        """Note that the headers of a request are there: from now on it takes as long as it takes."""
        if (connection := self._connection_of(transport)) is not None:
            self._waiting.pop(connection, None)
            connection.wait(None)

    def ended(self, transport: asyncio.BaseTransport | None) -> None:
        """Note that a request was answered."""
        if (connection := self._connection_of(transport)) is not None:
            self._waiting[connection] = None
            connection.wait(NEXT_TIMEOUT)

    def admit(self, connection: _Connection, transport: asyncio.Transport) -> bool:
        """Count a new connection, unless there are too many."""
        address = str((transport.get_extra_info("peername") or ("",))[0])
        if not address:  # it is gone already
            return False
        connection.visitor = None if is_loopback(address.partition("%")[0]) else visitor(address)
        if not self._has_room(connection.visitor):
            return False
        self._open[transport] = connection
        self._waiting[connection] = None
        if connection.visitor is not None:
            self._of[connection.visitor] += 1
        return True

    def forget(self, connection: _Connection, transport: asyncio.BaseTransport) -> None:
        """Count a connection no longer."""
        if self._open.pop(transport, None) is None:
            return
        self._waiting.pop(connection, None)
        if connection.visitor is not None:
            self._of[connection.visitor] -= 1
            self._of += Counter()  # keeps those above 0 only

    def _has_room(self, visitor: str | None) -> bool:
        most = MOST if self._most is None else self._most
        most_of_others = MOST_OF_OTHERS if self._most is None else self._most - KEPT
        if visitor is not None and (self._of[visitor] >= MOST_OF_ONE or self._of.total() >= most_of_others):
            return False
        return len(self._open) < most or self._close_longest_waiting()

    def _close_longest_waiting(self) -> bool:
        longest = next(iter(self._waiting), None)
        if longest is not None:
            longest.abort()
        return longest is not None

    def _connection_of(self, transport: asyncio.BaseTransport | None) -> _Connection | None:
        return None if transport is None else self._open.get(transport)


class _Connection(asyncio.Protocol):
    """One connection: passes everything on to the protocol of the server, once it is admitted."""

    def __init__(self, connections: Connections, inner: asyncio.Protocol) -> None:
        self.visitor: str | None = None  # None: this machine
        self._connections, self._inner = connections, inner
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._admitted = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101
        self._transport = transport
        self._admitted = self._connections.admit(self, transport)
        if not self._admitted:
            transport.write(_FULL)
            transport.close()
            return
        self.wait(HEADERS_TIMEOUT)
        self._inner.connection_made(transport)

    def wait(self, seconds: float | None) -> None:
        """Close the connection after so many seconds; None: not at all."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else asyncio.get_running_loop().call_later(seconds, self.abort)

    def abort(self) -> None:
        """Close the connection without waiting for what its other side does."""
        if self._transport is not None:
            self._connections.forget(self, self._transport)
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.wait(None)
        if self._transport is not None:
            self._connections.forget(self, self._transport)
        self._transport = None
        if self._admitted:
            self._inner.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._admitted:
            self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        return self._inner.eof_received() if self._admitted else None

    def pause_writing(self) -> None:
        if self._admitted:
            self._inner.pause_writing()

    def resume_writing(self) -> None:
        if self._admitted:
            self._inner.resume_writing()
