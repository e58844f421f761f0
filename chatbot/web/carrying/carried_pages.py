"""Answer requests that other processes have carried here, by the handlers of the pages of this one.

aiohttp is given each of them as on a connection of its own, of which nothing is sent anywhere: what a handler
returns goes back as values, and a WebSocket is a stream of texts. So there are no sockets between processes,
no second way to answer, and nothing of HTTP that would be written only to be read again.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import structlog
from aiohttp import WSCloseCode, WSMessage, WSMsgType, web
from aiohttp.web_ws import WebSocketReady

from chatbot.cluster.page_streams import DONE, StreamEnded
from chatbot.web.api.imports import LARGEST_UPLOAD
from chatbot.web.carrying.carried_request import CarriedListener, CarriedRequest
from chatbot.web.listener import LOG, OWN_LISTENER, OWN_SOCKET, SHUTDOWN_TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from aiohttp.abc import AbstractStreamWriter

    from chatbot.cluster.page_streams import PageStream
    from chatbot.cluster.room_owners import RoomOwners
    from chatbot.rooms.room import Room

NOT_HERE = 4099
"""The code with which a stream ends whose room this process does not run: nothing was done."""

log = structlog.get_logger(__name__)


class CarriedSocket(web.WebSocketResponse):
    """A WebSocket at whose other end is a browser of another process."""

    def __init__(self, stream: PageStream) -> None:
        super().__init__()
        self.stream = stream

    def can_prepare(self, request: web.BaseRequest) -> WebSocketReady:  # noqa: ARG002
        return WebSocketReady(ok=bool(self.stream.head["socket"]), protocol=None)

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter:
        """Let the browser be connected.

        Raises:
            HTTPUpgradeRequired: it does not want to be.
        """
        if not self.can_prepare(request):
            raise web.HTTPUpgradeRequired(text="This address is for WebSockets.\n")
        await self.stream.send({"socket": True})
        return request.writer

    async def send_str(self, data: str, compress: int | None = None) -> None:  # noqa: ARG002
        await self.stream.send(data)

    async def close(
        self,
        *,
        code: int = WSCloseCode.OK,
        message: bytes = b"",
        drain: bool = True,  # noqa: ARG002
    ) -> bool:
        was_open = not self.stream.has_ended
        self.stream.end(code, message.decode(errors="replace"))
        return was_open

    async def receive(self, timeout: float | None = None) -> Any:  # noqa: ARG002, ASYNC109
        try:
            return WSMessage(WSMsgType.TEXT, str(await self.stream.receive()), None)
        except StreamEnded:
            return WSMessage(WSMsgType.CLOSED, None, None)


class CarriedPages:
    """The pages of this process, as other processes use them."""

    def __init__(self, owners: RoomOwners, add_to: Callable[[web.UrlDispatcher], None]) -> None:
        """`add_to` adds the pages to a router."""
        self._owners, self._add_to = owners, add_to
        self._runner: web.AppRunner | None = None
        # By room, what can be begun anew.
        self._following: defaultdict[str, set[PageStream]] = defaultdict(set)

    async def start(self) -> None:
        """Be able to answer."""
        application = web.Application(middlewares=[self._give_back], client_max_size=LARGEST_UPLOAD)
        self._add_to(application.router)
        self._runner = web.AppRunner(
            application,
            access_log=None,
            logger=LOG,
            handle_signals=False,
            shutdown_timeout=SHUTDOWN_TIMEOUT,
            auto_decompress=False,
        )
        await self._runner.setup()

    async def stop(self) -> None:
        """Answer nothing any more."""
        if self._runner is not None:
            await self._runner.cleanup()

    def leave(self, room: Room) -> None:
        """End what follows a room that is given up, so that it is begun anew at the next owner."""
        for name in {room.id, *(each.id for each in room.channels)}:
            for stream in [*self._following.get(name, ())]:
                stream.end(NOT_HERE, "another process runs the room")

    async def answer(self, stream: PageStream) -> None:
        """Answer the request with which a stream was opened.

        Raises:
            StreamEnded: nobody waits for it any more.
            ValueError: it is none.
        """
        request = CarriedRequest.read(stream.head)
        body = await _body(stream, request.size)
        if request.room and not await self._owners.is_here(request.room):
            stream.end(NOT_HERE, "another process runs the room")
            return
        if request.method != "GET":  # what changes something is done to its end
            await self._handle(stream, request, body)
            return
        following = self._following[request.room]
        following.add(stream)
        try:
            await self._handle(stream, request, body)
        finally:
            following.discard(stream)
            if not following:
                self._following.pop(request.room, None)

    async def _handle(self, stream: PageStream, request: CarriedRequest, body: bytes) -> None:
        if self._runner is None or self._runner.server is None:
            stream.end(NOT_HERE, "this process serves nothing")
            return
        protocol = self._runner.server()
        connection = _Connection(protocol, stream, request)
        stream.on_end = connection.close
        protocol.connection_made(connection)
        protocol.data_received(request.written() + body)
        await connection.closed.wait()

    @web.middleware
    async def _give_back(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        stream: PageStream = request.get_extra_info(OWN_SOCKET).stream
        try:
            response = await handler(request)
        except web.HTTPException as error:
            response = error
        except ConnectionError:  # a socket whose browser is gone
            response = web.Response()
        except Exception:
            # Not its path, of which an overlay's key is a part.
            resource = request.match_info.route.resource
            path = "" if resource is None else resource.canonical
            log.exception("a carried request could not be answered", path=path)
            response = web.HTTPInternalServerError()
        if not isinstance(response, CarriedSocket) and not stream.has_ended:
            with suppress(StreamEnded):  # nobody waits for it any more
                await _send(stream, response)
        stream.end(DONE)
        return web.Response()


class _Connection(asyncio.Transport):
    """What aiohttp takes for the connection by which a request has come."""

    def __init__(self, protocol: asyncio.Protocol, stream: PageStream, request: CarriedRequest) -> None:
        listener = CarriedListener(request)
        socket = CarriedSocket(stream)
        super().__init__({OWN_SOCKET: socket, OWN_LISTENER: listener, "peername": (request.visitor, 0)})
        self._protocol = protocol
        self._is_closing = False
        self.closed = asyncio.Event()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send nothing: what is to be sent goes by the stream."""

    def is_closing(self) -> bool:
        return self._is_closing

    def close(self) -> None:
        if not self._is_closing:
            self._is_closing = True
            asyncio.get_running_loop().call_soon(self._lose)

    def abort(self) -> None:
        self.close()

    def get_write_buffer_size(self) -> int:
        return 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Limit nothing: nothing is written."""

    def pause_reading(self) -> None:
        """Pause nothing: all of the request is there."""

    def resume_reading(self) -> None:
        """Resume nothing."""

    def is_reading(self) -> bool:
        return not self._is_closing

    def _lose(self) -> None:
        self._protocol.connection_lost(None)
        self.closed.set()


async def _body(stream: PageStream, size: int) -> bytes:
    """Return the body of a request.

    Raises:
        StreamEnded: it does not come.
        ValueError: it is another one than was announced.
    """
    if size > LARGEST_UPLOAD:
        raise ValueError("what was carried is too large")
    body = await stream.receive() if size else b""
    if not isinstance(body, bytes) or len(body) != size:
        raise ValueError("what was carried is another body than was announced")
    return body


async def _send(stream: PageStream, response: web.StreamResponse) -> None:
    """Send an answer back: its head, and then its body.

    Raises:
        StreamEnded: nobody waits for it any more.
    """
    body = response.body if isinstance(response, web.Response) else None
    content = bytes(body) if isinstance(body, bytes | bytearray) else b""
    headers = {name: each for name, each in response.headers.items() if name.lower() != "content-length"}
    head = {
        "status": response.status,
        "headers": headers,
        "packed": response.compression,
        "size": len(content),
    }
    await stream.send(head)
    if content:
        await stream.send(content)
