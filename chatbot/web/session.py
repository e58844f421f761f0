"""Serve one open page over its WebSocket: handle its requests and send it what changes.

Its limit is of the connection, which is to one process.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import structlog
from aiohttp import WSCloseCode, WSMsgType
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Refusal, Role, Seat
from chatbot.kernel.say import Message
from chatbot.runtime.limits import Allowances
from chatbot.web import showing
from chatbot.web.crowd import MAX_CROWD
from cogs.local.adapter import LONGEST_SAID, entering

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from aiohttp.web import WebSocketResponse

    from chatbot.web.crowd import Crowd
    from cogs.local.adapter import LocalChat, Viewer

BACKLOG = 1000  # unsent messages at which a page is disconnected: more than a raid sends to one that reads
# Messages that a page may send, a second for long, and at once: above what `MAX_VIEWERS` who are played by
# one person send, and below what delays others.
RATE, BURST = 20.0, 40.0
MOST_EXCESS = 100  # messages in a row that are refused because there are too many, before it is disconnected
MAX_VIEWERS = 20  # who enter from one page: each has its wallet read whenever something changes
READ_AGAIN = 1.0  # seconds after which wallets are read again that could not be

log = structlog.get_logger(__name__)


class PageSession:
    """The session of one page; each of its messages is untrusted input and is validated here."""

    def __init__(
        self, socket: WebSocketResponse, chat: LocalChat, crowd: Crowd, *, is_guest: bool = False
    ) -> None:
        """A guest has been invited from elsewhere: they enter as viewers, and cannot simulate others."""
        self._socket, self._chat, self._crowd, self._is_guest = socket, chat, crowd, is_guest
        self._viewers: dict[Seat, Viewer] = {}
        self._outgoing: asyncio.Queue[Mapping[str, object]] = asyncio.Queue(BACKLOG)
        self._change, self._stalled = asyncio.Event(), asyncio.Event()
        self._allowance = Allowances(chat.bot.watch, BURST, RATE)  # of the socket
        self._excess = 0  # messages that were refused in a row because there were too many
        self._is_unheard = False  # whether the flood limit has dropped the last line, which is told once
        self._handlers: dict[str, Callable[[Mapping[str, object]], Awaitable[None]]] = {
            "enter": self._enter,
            "leave": self._leave,
            "say": self._say,
            "crowd": self._resize_crowd,
            "hurry": self._hurry,
        }

    async def serve(self) -> None:
        """Serve the page until it disconnects or stops reading."""
        self._chat.pages.add(self)
        self.tell(self._hello())
        self.stale()
        tasks = [
            asyncio.ensure_future(each)
            for each in (self._receive(), self._send(), self._refresh(), self._stalled.wait())
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._chat.pages.discard(self)
            self._chat.parted(self._viewers.values())
            for task in tasks:
                task.cancel()
            for ending in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(ending, Exception) and not isinstance(ending, ConnectionError):
                    log.error("a visit broke off", exc_info=ending)

    def holds(self, seat: Seat) -> bool:
        """Whether a viewer has entered from this page."""
        return seat in self._viewers

    def tell(self, message: Mapping[str, object]) -> None:
        """Queue a message to the page; disconnect a page that has stopped reading, which will reconnect."""
        try:
            self._outgoing.put_nowait(message)
        except asyncio.QueueFull:
            self._chat.pages.discard(self)
            self._stalled.set()

    def stale(self) -> None:
        """Have tables and wallets sent again."""
        self._change.set()

    async def _receive(self) -> None:
        async for frame in self._socket:
            if frame.type is not WSMsgType.TEXT:
                continue
            if self._allowance.take(self._socket):
                self._excess = 0
                await self._handle(frame.data)
                continue
            self._excess += 1
            self._refuse(Message("local-too-fast"))
            if self._excess >= MOST_EXCESS:
                await self._socket.close(code=WSCloseCode.POLICY_VIOLATION, message=b"too many messages")
                return

    async def _send(self) -> None:
        while True:
            await self._socket.send_json(await self._outgoing.get())

    async def _refresh(self) -> None:
        """Send tables and wallets when they have changed; changes within 50 ms are one message.

        What a database that does not answer holds is sent once it does.
        """
        has_failed = False
        while True:
            await self._change.wait()
            self._change.clear()
            try:
                await self._send_tables()
                has_failed = False
            except (SQLAlchemyError, OSError):
                if not has_failed:
                    log.exception("wallets cannot be shown")
                has_failed = True
                self.stale()
            await asyncio.sleep(READ_AGAIN if has_failed else 0.05)

    async def _send_tables(self) -> None:
        bot, room = self._chat.bot, self._chat.room
        own = await showing.own(bot, room, list(self._viewers.values()))
        tables_and_games = {"tables": showing.tables(bot, room), "games": showing.pauses(bot, room)}
        self.tell({"type": "tables", **tables_and_games, "own": own, "people": self._people()})

    def _people(self) -> list[str]:
        """List the names of the viewers who have spoken and are present, simulated ones included."""
        chat, crowd = self._chat, {each.seat for each in self._crowd.viewers}
        here = (
            seat for seat in chat.room.spoke if seat in crowd or any(page.holds(seat) for page in chat.pages)
        )
        return [chat.bot.members.name(seat) for seat in here]

    async def _handle(self, frame: str) -> None:
        try:
            message = _parse(frame)
            await self._handlers[_text(message, "type")](message)
        except Refusal as refusal:
            self._refuse(refusal.message)
        except (SQLAlchemyError, OSError):
            log.exception("what a page has sent could not be done")
            self._refuse(Message("try-again"))

    def _refuse(self, why: Message) -> None:
        self.tell({"type": "refused", "text": self._chat.bot.outbox.text(why)})

    async def _enter(self, message: Mapping[str, object]) -> None:
        name = self._chat.bot.members.without_mark(_text(message, "name"))
        who = entering(name, _text(message, "role"), is_guest=self._is_guest)
        if self._is_guest and who[2] is not Role.VIEWER:
            raise Refusal(Message("local-guest"))
        viewer = await self._chat.viewer(*who)
        if len(self._viewers) >= MAX_VIEWERS and viewer.seat not in self._viewers:
            raise Refusal(Message("local-full", {"most": MAX_VIEWERS}))
        self._viewers[viewer.seat] = viewer
        fields = {"seat": viewer.seat, "name": viewer.name, "role": viewer.role.value}
        self.tell({"type": "entered", **fields})
        await self._chat.enter(viewer)

    async def _leave(self, message: Mapping[str, object]) -> None:
        left = self._viewers.pop(Seat(_text(message, "seat")), None)
        self._chat.parted([] if left is None else [left])
        self.stale()

    async def _say(self, message: Mapping[str, object]) -> None:
        viewer = self._viewers.get(Seat(_text(message, "seat")))
        text = " ".join(_text(message, "text").split())
        if viewer is None:
            raise Refusal(Message("local-not-in"))
        if not text:
            return
        if len(text) > LONGEST_SAID:
            raise Refusal(Message("local-too-long", {"most": LONGEST_SAID}))
        table = _text(message, "table") if "table" in message else None
        private = message.get("whisper") is True
        is_heard = await self._chat.say(viewer, text, private=private, table=table)
        was_unheard, self._is_unheard = self._is_unheard, not is_heard and not self._chat.room.elsewhere
        if self._is_unheard and not was_unheard:
            raise Refusal(Message("local-too-fast"))

    async def _resize_crowd(self, message: Mapping[str, object]) -> None:
        count = message.get("count")
        if self._is_guest:
            raise Refusal(Message("local-guest"))
        if type(count) is not int or not 0 <= count <= MAX_CROWD:
            raise Refusal(Message("local-crowd-size", {"most": MAX_CROWD}))
        await self._crowd.resize(count)
        for page in list(self._chat.pages):
            page.tell({"type": "crowd", "count": count})

    async def _hurry(self, message: Mapping[str, object]) -> None:
        bot, room = self._chat.bot, self._chat.room
        if "game" in message:
            await bot.parts.pauses.wake(room, _text(message, "game"))
            return
        table = room.table(_text(message, "table"))
        if table is not None and not showing.owned(table, self._viewers):
            raise Refusal(Message("local-not-your-table"))
        if table is not None:
            await bot.hurry(room, table.id)

    def _hello(self) -> dict[str, object]:
        """Return the first message to a page: what does not change while it is connected."""
        bot = self._chat.bot
        return {
            "type": "hello",
            "language": bot.outbox.words.language,
            "room": bot.outbox.text(Message("local-room")),
            "words": showing.page_words(bot),
            "roles": showing.roles(bot)[: 1 if self._is_guest else None],
            "commands": showing.commands(bot),
            "games": showing.games(bot),
            "crowd": len(self._crowd.viewers),
            "crowdMost": 0 if self._is_guest else MAX_CROWD,
            "names": self._crowd.suggestions(),
            "history": list(self._chat.history),
        }


def _parse(frame: str) -> dict[str, object]:
    """Parse a message of a page.

    Raises:
        Refusal: it is no JSON object, or its type is unknown.
    """
    try:
        message = json.loads(frame)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict) or message.get("type") not in (
        "enter",
        "leave",
        "say",
        "crowd",
        "hurry",
    ):
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
