"""Carry requests for rooms to the processes that run them, from the one at which they arrive.

Who asks, and how often, is looked at here; whether they may is decided where the room runs. A request that
only reads is carried again if the room moves to another process meanwhile. A socket is closed then, and its
page connects again, as it does after a restart.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import structlog
from aiohttp import WSCloseCode, WSMsgType, web
from sqlalchemy.exc import SQLAlchemyError

from chatbot.cluster.carrier import Away
from chatbot.cluster.page_streams import DONE, REFUSED, StreamEnded
from chatbot.web.api.endpoints import PREFIX
from chatbot.web.api.errors import UNCACHED, error_text
from chatbot.web.carrying.carried_pages import NOT_HERE
from chatbot.web.carrying.carried_request import CarriedRequest
from chatbot.web.listener import Evidence, listener_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.cluster.page_streams import PageStream, PageStreams
    from chatbot.cluster.room_owners import RoomOwners
    from chatbot.ledger.people import Account

PATIENCE = 8.0  # seconds in which a room is taken up by another process, which takes five after a death
RETRY = 0.2  # seconds
LONGEST = 60.0  # seconds that a request may take
LOOK = 3.0  # seconds in which every process may answer what all are asked, also while hundreds connect again
RETRY_AFTER = 2  # seconds after which a caller may ask again
UNHEARD = "The process that runs this room does not answer now; try again."
UNKNOWN = "The process that runs this room has not answered: look whether it was done before you try again."

log = structlog.get_logger(__name__)


class _Moved(Exception):  # noqa: N818  (what happened)
    """Another process runs the room by now, or it was not reached: nothing was done."""


class PageBridge:
    """The way from the pages of this process to the rooms of others."""

    def __init__(
        self, streams: PageStreams, owners: RoomOwners, tell_seats_ended: Callable[[Account], None]
    ) -> None:
        """`tell_seats_ended` tells all processes that the seats of an account have ended."""
        self._streams, self._owners, self.tell_ended = streams, owners, tell_seats_ended

    def runs(self, room: str) -> bool:
        """Whether a room is run by this process."""
        return self._owners.runs(room)

    async def knows(self, room: str) -> bool:
        """Whether a room was ever opened by any process.

        Raises:
            SQLAlchemyError, OSError: the database does not answer.
        """
        return await self._owners.community(room) is not None

    async def forward(
        self,
        request: web.Request,
        room: str,
        evidence: Evidence,
        *,
        has_body: bool = False,
        patience: float | None = None,
    ) -> web.Response | None:
        """Return the answer of the process that runs a room; None: it is this one that answers.

        `patience` are the seconds in which a room may be taken up; None: as many as usual.

        Raises:
            HTTPServiceUnavailable: there is no answer.
        """
        if listener_of(request).evidence is not None:
            return None  # it was carried here, where the room was a moment ago
        body = b""
        until = asyncio.get_running_loop().time() + (PATIENCE if patience is None else patience)
        while True:
            owner = await self._owner(request, room, until)
            if owner is None:
                return None
            if has_body and not body:
                body = await request.read()
            carried = CarriedRequest.of(request, room, evidence, size=len(body))
            try:
                async with asyncio.timeout(LONGEST):
                    return await self._ask(owner, carried, body)
            except (_Moved, Away) as error:
                # It may have been done unless it says that it was not.
                if not isinstance(error, _Moved) and request.method != "GET":
                    raise _unanswered(request, UNKNOWN) from None
            except TimeoutError:
                raise _unanswered(request, UNKNOWN if request.method != "GET" else UNHEARD) from None
            await self._pause(request, until)

    async def forward_socket(
        self,
        request: web.Request,
        room: str,
        evidence: Evidence,
        socket: web.WebSocketResponse,
        target: str = "",
        note: str = "",
    ) -> web.StreamResponse | None:
        """Connect a browser with the process that runs a room; None: it is this one.

        `target` in the place of the address asks for something else, and `note` is for who answers it.
        Return when it is disconnected, or the answer by which it is refused.

        Raises:
            HTTPServiceUnavailable: there is no answer.
        """
        if listener_of(request).evidence is not None:
            return None
        until = asyncio.get_running_loop().time() + PATIENCE
        while True:
            owner = await self._owner(request, room, until)
            if owner is None:
                return None
            if not socket.can_prepare(request):
                raise web.HTTPUpgradeRequired(text="This address is for WebSockets.\n")
            carried = CarriedRequest.of(request, room, evidence, target=target, note=note, wants_socket=True)
            try:
                return await self._connect(request, owner, carried, socket)
            except (_Moved, Away):
                await self._pause(request, until)

    async def ask_others(self, request: web.Request, evidence: Evidence, target: str) -> dict[int, Any]:
        """Ask all other processes to read something, and return what those say that answer in time."""
        carried = CarriedRequest.of(request, "", evidence, target=target)

        async def ask(process: int) -> Any:
            try:
                async with asyncio.timeout(LOOK):
                    answer = await self._ask(process, carried, b"")
            except (_Moved, Away, TimeoutError):
                return None
            return json.loads(answer.body) if answer.status == 200 and answer.body else None  # type: ignore[arg-type]

        others = self._owners.others()
        answers = await asyncio.gather(*map(ask, others))
        return {process: each for process, each in zip(others, answers, strict=True) if each is not None}

    async def _owner(self, request: web.Request, room: str, until: float) -> int | None:
        """Return the process that runs a room; None: this one.

        Raises:
            HTTPServiceUnavailable: nobody does, for too long.
        """
        while True:
            try:
                return await self._owners.of(room)
            except Away:
                await self._pause(request, until)
            except (SQLAlchemyError, OSError):
                raise _unanswered(request, "The database does not answer now; try again.") from None

    async def _pause(self, request: web.Request, until: float) -> None:
        if asyncio.get_running_loop().time() + RETRY > until:
            raise _unanswered(request, UNHEARD)
        await asyncio.sleep(RETRY)

    async def _ask(self, process: int, carried: CarriedRequest, body: bytes) -> web.Response:
        """Return the answer of a process.

        Raises:
            _Moved: the room is not there, or nothing can be carried now.
            Away: there is no answer.
        """
        try:
            stream = self._streams.open(process, carried.head())
        except Away as error:
            raise _Moved from error
        try:
            if body:
                await stream.send(body)
            head = await stream.receive()
            return await _answer(stream, head)
        except StreamEnded as end:
            raise _ending(end) from end
        finally:
            stream.end(DONE)

    async def _connect(
        self, request: web.Request, process: int, carried: CarriedRequest, socket: web.WebSocketResponse
    ) -> web.StreamResponse:
        stream = self._streams.open(process, carried.head())
        try:
            try:
                head = await stream.receive()
                if not isinstance(head, dict) or not head.get("socket"):
                    return await _answer(stream, head)
            except StreamEnded as end:
                raise _ending(end) from end
            await socket.prepare(request)
            await _exchange(socket, stream)
            return socket
        finally:
            stream.end(DONE)


def _ending(end: StreamEnded) -> Exception:
    return _Moved() if end.code in {NOT_HERE, REFUSED} else Away(end.why)


async def _answer(stream: PageStream, head: object) -> web.Response:
    """Return what a process answers, of which the head is there.

    Raises:
        StreamEnded: the rest does not come.
    """
    if not isinstance(head, dict):
        raise StreamEnded(WSCloseCode.INTERNAL_ERROR, "no answer is understood")
    body = await stream.receive() if head["size"] else b""
    content = body if isinstance(body, bytes) else b""
    response = web.Response(status=int(head["status"]), headers=head["headers"], body=content)
    if head["packed"]:
        response.enable_compression()
    return response


async def _exchange(socket: web.WebSocketResponse, stream: PageStream) -> None:
    """Pass on what either side says, until one of them ends."""
    tasks = [asyncio.ensure_future(each) for each in (_send_on(socket, stream), _bring(socket, stream))]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        for ending in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ending, Exception) and not isinstance(ending, ConnectionError):
                log.error("a page that is carried broke off", exc_info=ending)


async def _send_on(socket: web.WebSocketResponse, stream: PageStream) -> None:
    async for frame in socket:
        if frame.type is WSMsgType.TEXT:
            await stream.send(frame.data)


async def _bring(socket: web.WebSocketResponse, stream: PageStream) -> None:
    while True:
        try:
            text = await stream.receive()
        except StreamEnded as end:
            code = WSCloseCode.SERVICE_RESTART if end.code == NOT_HERE else end.code
            await socket.close(code=code, message=end.why.encode()[:100])
            return
        await socket.send_str(str(text))


def _unanswered(request: web.Request, why: str) -> web.HTTPServiceUnavailable:
    headers = {**UNCACHED, "Retry-After": str(RETRY_AFTER)}
    if request.path.startswith(PREFIX):
        return web.HTTPServiceUnavailable(
            text=error_text(why), content_type="application/json", headers=headers
        )
    return web.HTTPServiceUnavailable(text=f"{why}\n", headers=headers)
