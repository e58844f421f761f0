"""An EventSub WebSocket: what Twitch tells through it, until it ends.

The library's own WebSocket loses what is sent while it moves, gives up after some closes, and measures
silence by the wall clock; and what it does can be changed in its private parts alone. So this one is used in
its place.

https://dev.twitch.tv/docs/eventsub/handling-websocket-events/ is what it follows: a welcome comes first,
nothing is ever sent, silence ends a connection, and one that is told to move is read until the new one is
there.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import aiohttp
import structlog

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping

Frame: TypeAlias = "Mapping[str, Any]"  # a message of EventSub; what it holds depends on its type

KEEPALIVE = 10  # seconds in which Twitch says something, the least that it offers
MARGIN = 1.5  # seconds that it may be late: less would end connections that are well, more is silence
WELCOME = 10.0  # seconds until a connection is there
GRACE = 2.0  # seconds in which what was under way to the former connection is still read
FAREWELL = 1.0  # seconds to say goodbye to a connection: a program that ends has few

log = structlog.get_logger(__name__)


class NotConnected(ConnectionError):  # noqa: N818  (what Python calls its own)
    """There is no connection, or it said no welcome."""


@dataclass(eq=False, slots=True)
class _Link:
    """One connection after its welcome; `silence` is in seconds."""

    socket: aiohttp.ClientWebSocketResponse
    session: str
    silence: float

    async def receive(self) -> Frame | None:
        """Wait for the next frame; None is that the connection has ended, or is silent."""
        try:
            async with asyncio.timeout(self.silence):
                return await _receive(self.socket)
        except TimeoutError:
            return None


class Socket:
    """A connection that may move.

    `hear` is given notifications and revocations, and `heard` is whether a notification has come. `moved` is
    called with the former session's id when Twitch has moved the connection, and `lost` once when it has
    ended by itself, whatever the reason.
    """

    def __init__(
        self,
        http: aiohttp.ClientSession,
        *,
        hear: Callable[[Frame], None],
        on_lost: Callable[[Socket], None],
        on_moved: Callable[[Socket, str], None],
    ) -> None:
        self._http, self._hear, self._on_lost, self._on_moved = http, hear, on_lost, on_moved
        self._link: _Link | None = None
        self._moving = self._closed = self.heard = False
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def session(self) -> str:
        """The id of the session; empty where there is no connection."""
        return "" if self._link is None else self._link.session

    async def connect(self, address: str) -> None:
        """Connect, and wait for the welcome.

        Raises:
            NotConnected: there is none within `WELCOME` seconds.
        """
        self._keep(await self._dial(f"{address}?keepalive_timeout_seconds={KEEPALIVE}"))

    async def close(self) -> None:
        """Leave within `FAREWELL` seconds; nobody is told that it is lost."""
        self._closed, self._link = True, None
        # Whoever waits for these must be none of them: a task that waits for itself never ends.
        others = self._tasks - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _dial(self, address: str) -> _Link:
        try:
            async with asyncio.timeout(WELCOME):
                socket = await self._http.ws_connect(
                    address, timeout=aiohttp.ClientWSTimeout(ws_close=FAREWELL)
                )
                try:
                    return _welcomed(socket, await _receive(socket))
                except BaseException:
                    await socket.close()
                    raise
        except (aiohttp.ClientError, LookupError, OSError, TypeError, ValueError) as error:
            raise NotConnected(type(error).__name__) from None

    def _keep(self, link: _Link) -> None:
        self._link = link
        self._go(self._read(link))

    def _go(self, work: Coroutine[object, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _read(self, link: _Link) -> None:
        try:
            while (frame := await link.receive()) is not None:
                self._take(link, frame)
            log.info("a connection to Twitch has ended", session=link.session, code=link.socket.close_code)
            if link is self._link and not self._moving:
                self._end()
        finally:
            await link.socket.close()

    def _take(self, link: _Link, frame: Frame) -> None:
        """Act on a frame; what cannot be read is skipped, and ends nothing."""
        try:
            kind = frame["metadata"]["message_type"]
            if kind in {"notification", "revocation"}:
                self.heard = self.heard or kind == "notification"
                self._hear(frame)
            elif kind == "session_reconnect" and link is self._link and not self._moving:
                self._moving = True  # now, and not in the task: its end must not count as a loss any more
                self._go(self._move(link, frame["payload"]["session"]["reconnect_url"]))
        except Exception:
            log.exception("what Twitch has sent could not be read")

    async def _move(self, old_link: _Link, address: str) -> None:
        """Connect where Twitch wants it, while the former connection is read on."""
        try:
            link = await self._dial(address)
        except NotConnected as error:
            log.warning("Twitch asked to move a connection, and the new one failed", reason=str(error))
            self._moving = False
            self._end()
            await old_link.socket.close()
            return
        self._keep(link)
        self._moving = False
        self._on_moved(self, old_link.session)
        await asyncio.sleep(GRACE)
        await old_link.socket.close()

    def _end(self) -> None:
        self._link = None
        if not self._closed:
            self._closed = True
            self._on_lost(self)


def _welcomed(socket: aiohttp.ClientWebSocketResponse, frame: Frame | None) -> _Link:
    """Read the first frame.

    Raises:
        LookupError, TypeError, ValueError: it is no welcome.
    """
    if frame is None or frame["metadata"]["message_type"] != "session_welcome":
        raise ValueError
    session = frame["payload"]["session"]
    return _Link(
        socket, str(session["id"]), float(session["keepalive_timeout_seconds"] or KEEPALIVE) + MARGIN
    )


async def _receive(socket: aiohttp.ClientWebSocketResponse) -> Frame | None:
    """Wait for a frame; None is that the connection has ended. What is no object is skipped."""
    while True:
        message = await socket.receive()
        if message.type is not aiohttp.WSMsgType.TEXT:
            return None
        try:
            frame = json.loads(message.data)
        except ValueError:
            log.warning("Twitch has sent what is no JSON")
            continue
        if isinstance(frame, dict):
            return frame
