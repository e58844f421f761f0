"""Serve one open seat over its WebSocket: handle its requests, and send it what changes.

Its limit is of the connection, which is to one process.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import TYPE_CHECKING

import structlog
from aiohttp import WSCloseCode, WSMsgType
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message
from chatbot.runtime.limits import Allowances

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from aiohttp.web import WebSocketResponse

    from chatbot.ledger.web_sessions import WebSession
    from chatbot.web.seat_rooms import SeatChoice, SeatPlace
    from chatbot.web.seats import Seats

BACKLOG = 200  # unsent messages at which a page is disconnected: it connects again, and is sent everything
RATE, BURST = 4.0, 20.0  # messages that a page may send, a second for long, and at once
MOST_EXCESS = 50  # messages in a row that are refused because there are too many, before it is disconnected

LOOK_FOR_ROOM = 5.0  # seconds
ELSEWHERE = 4300
"""The code with which a page is told that another process shows the room that is named with it."""

log = structlog.get_logger(__name__)


class ElsewhereError(Exception):
    """Another process runs the room that a page wants to show."""

    def __init__(self, room: str) -> None:
        super().__init__(room)
        self.room = room


class SeatSession:
    """One page that shows a seat; each of its messages is untrusted input and is validated here.

    `ask` returns the rooms that it can show, given the places of its account in this process; `known` are
    those of a moment ago, None: they must be asked for. Unless it `knows_all_rooms` it is told of the others
    later.
    """

    def __init__(
        self,
        socket: WebSocketResponse,
        seats: Seats,
        session: WebSession,
        ask: Callable[[Sequence[SeatPlace]], Awaitable[list[SeatChoice]]],
    ) -> None:
        self._socket, self._seats, self.session, self.ask = socket, seats, session, ask
        self.known: Sequence[SeatChoice] | None = None
        self.knows_all_rooms = True
        self.place: SeatPlace | None = None  # the room that is shown; None: there is none
        self.results: dict[str, int] = {}  # what was won at tables that are over, by their ids
        self._sent: dict[str, str] = {}  # what the page knows, as JSON by what it is about
        self._outgoing: asyncio.Queue[str] = asyncio.Queue(BACKLOG)
        self._stalled = asyncio.Event()
        self._allowance = Allowances(seats.bot.watch, BURST, RATE)
        self._excess = 0

    async def serve(self, room: str | None) -> None:
        """Serve the page until it disconnects, stops reading, or its seat ends; it shows a room first."""
        tasks: list[asyncio.Future[object]] = [
            asyncio.ensure_future(each) for each in (self._receive(), self._send(), self._stalled.wait())
        ]
        if self._seats.looks_again:
            tasks.append(asyncio.ensure_future(self._look_for_rooms()))
        try:
            await self._enter(room)
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._seats.leave(self)
            for task in tasks:
                task.cancel()
            for ending in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(ending, Exception) and not isinstance(ending, ConnectionError):
                    log.error("a seat broke off", exc_info=ending)

    def tell(self, about: str, message: str) -> None:
        """Send a message, which is JSON, unless the page knows it already."""
        if self._sent.get(about) != message:
            self._sent[about] = message
            self._put(message)

    def forget(self, tables: set[str]) -> None:
        """Let the page drop tables that are there no more."""
        for about in [each for each in self._sent if each.startswith("table ")]:
            if about.removeprefix("table ") not in tables:
                del self._sent[about]
                self._put(json.dumps({"type": "gone", "table": about.removeprefix("table ")}))

    def end(self) -> None:
        """Tell the page that it is nobody's seat any more, and disconnect it."""
        self._put(json.dumps({"type": "ended"}))
        asyncio.get_running_loop().call_later(0.5, self._stalled.set)

    async def close(self, code: int = WSCloseCode.GOING_AWAY) -> None:
        """Disconnect the page, which connects again once the server listens again."""
        await self._socket.close(code=code)

    def _put(self, message: str) -> None:
        try:
            self._outgoing.put_nowait(message)
        except asyncio.QueueFull:
            self._stalled.set()

    async def _send(self) -> None:
        while True:
            await self._socket.send_str(await self._outgoing.get())

    async def _receive(self) -> None:
        async for frame in self._socket:
            if frame.type is not WSMsgType.TEXT:
                continue
            if self._allowance.take(self):
                self._excess = 0
                await self._handle(frame.data)
                continue
            self._excess += 1
            self._refuse(Message("local-too-fast"))
            if self._excess >= MOST_EXCESS:
                return

    async def _look_for_rooms(self) -> None:
        """Look for rooms of other processes, and while there is none now and then for any."""
        while True:
            await asyncio.sleep(LOOK_FOR_ROOM)
            if not self.knows_all_rooms:
                self.knows_all_rooms = True
                with suppress(SQLAlchemyError, OSError):
                    rooms = await self._seats.rooms(self)
                    self._put(json.dumps({"type": "rooms", "rooms": rooms}, ensure_ascii=False))
            if self.place is None:
                with suppress(SQLAlchemyError, OSError):
                    await self._enter(None, again=True)

    async def _handle(self, frame: str) -> None:
        try:
            message = _parsed(frame)
            if message["type"] == "room":
                await self._enter(_text(message, "room"))
            else:
                await self._say(message)
        except Refusal as refusal:
            self._refuse(refusal.message)
        except (SQLAlchemyError, OSError):
            log.exception("what a seat has sent could not be done")
            self._refuse(Message("try-again"))

    async def _enter(self, room: str | None, *, again: bool = False) -> None:
        """Show a room, or else the one in which somebody plays; `again`, if there is any by now."""
        try:
            hello = await self._seats.enter(self, room)
        except ElsewhereError as elsewhere:
            await self._socket.close(code=ELSEWHERE, message=elsewhere.room.encode())
            return
        if again and self.place is None:
            return
        self._sent.clear()
        self.results.clear()
        self._put(json.dumps(hello, ensure_ascii=False))
        self._seats.stale(self)

    async def _say(self, message: Mapping[str, object]) -> None:
        if self.place is None:
            raise Refusal(Message("seat-no-room"))
        if not await self._seats.is_current(self.session):
            self.end()
            return
        table = _text(message, "table") if "table" in message else None
        text = " ".join(_text(message, "text").split())
        answers = await self._seats.lines.say(self.session, self.place, text, table)
        if answers is None:
            self._refuse(Message("not-heard"))
            return
        for each in answers:
            self._answer(each.text, refused=each.refused)
        self._seats.stale(self)

    def _refuse(self, why: Message) -> None:
        room = None if self.place is None else self.place.room
        self._answer(self._seats.bot.outbox.text(why, room=room), refused=True)

    def _answer(self, text: str, *, refused: bool) -> None:
        self._put(json.dumps({"type": "answer", "text": text, "refused": refused}, ensure_ascii=False))


def _parsed(frame: str) -> dict[str, object]:
    """Parse a message of a page.

    Raises:
        Refusal: it is no JSON object, or its type is unknown.
    """
    try:
        message = json.loads(frame)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict) or message.get("type") not in {"room", "say"}:
        raise Refusal(Message("local-not-understood"))
    return message


def _text(message: Mapping[str, object], key: str) -> str:
    """Return a string of a message.

    Raises:
        Refusal: it is missing or no string.
    """
    value = message.get(key)
    if not isinstance(value, str):
        raise Refusal(Message("local-not-understood"))
    return value
