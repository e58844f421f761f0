"""One page over one socket: what it says is done, and what happens is told to it."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import structlog
from aiohttp import WSMsgType

from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.say import Message
from chatbot.web import showing
from chatbot.web.crowd import MOST
from cogs.local.door import LONGEST_SAID, entering

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from aiohttp.web import WebSocketResponse

    from chatbot.web.crowd import Crowd
    from cogs.local.door import LocalChat, Viewer

BACKLOG = 1000  # messages that a page may be behind before it is let go
RATE, BURST = 20.0, 40.0  # messages of a page: a second, and at once
VIEWERS = 20  # that may enter from one page

log = structlog.get_logger(__name__)


class Visit:
    """Every message of the page is checked here: it comes from outside."""

    def __init__(self, socket: WebSocketResponse, chat: LocalChat, crowd: Crowd) -> None:
        self._socket, self._chat, self._crowd = socket, chat, crowd
        self._viewers: dict[Seat, Viewer] = {}
        self._outgoing: asyncio.Queue[dict[str, Any]] = asyncio.Queue(BACKLOG)
        self._changed, self._lost = asyncio.Event(), asyncio.Event()
        self._allowance, self._counted = BURST, 0.0
        self._does: dict[str, Callable[[dict[str, Any]], Awaitable[None]]] = {
            "enter": self._enter,
            "leave": self._leave,
            "say": self._say,
            "crowd": self._bring,
            "hurry": self._hurry,
        }

    async def serve(self) -> None:
        """Stay until the page goes."""
        self._chat.deduplication.add(self)
        self.tell(self._hello())
        self.stale()
        tasks = [
            asyncio.ensure_future(each)
            for each in (self._listen(), self._speak(), self._refresh(), self._lost.wait())
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._chat.deduplication.discard(self)
            for task in tasks:
                task.cancel()
            for ending in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(ending, Exception) and not isinstance(ending, ConnectionError):
                    log.error("a visit broke off", exc_info=ending)

    # What the local chat asks of an ear

    def holds(self, seat: Seat) -> bool:
        return seat in self._viewers

    def tell(self, message: dict[str, Any]) -> None:
        try:
            self._outgoing.put_nowait(message)
        except asyncio.QueueFull:
            self._chat.deduplication.discard(
                self
            )  # it has stopped reading; it will come back and get a fresh start
            self._lost.set()

    def stale(self) -> None:
        self._changed.set()

    # The three things that go on at once

    async def _listen(self) -> None:
        async for frame in self._socket:
            if frame.type is WSMsgType.TEXT:
                await self._hear(frame.data)

    async def _speak(self) -> None:
        while True:
            await self._socket.send_json(await self._outgoing.get())

    async def _refresh(self) -> None:
        """Send tables and purses whenever they have changed; many changes at once are one message."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            house, room = self._chat.house, self._chat.room
            own = await showing.own(house, room, list(self._viewers.values()))
            shown = {"tables": showing.tables(house, room), "games": showing.pauses(house, room)}
            self.tell({"type": "tables", **shown, "own": own, "people": self._people()})
            await asyncio.sleep(0.05)

    def _people(self) -> list[str]:
        """List by name who is here."""
        chat, crowd = self._chat, {each.seat for each in self._crowd.viewers}
        here = (
            seat
            for seat in chat.room.spoke
            if seat in crowd or any(ear.holds(seat) for ear in chat.deduplication)
        )
        return [chat.house.members.name(seat) for seat in here]

    async def _hear(self, frame: str) -> None:
        try:
            self._spend()
            message = _parsed(frame)
            await self._does[message["type"]](message)
        except Refusal as refusal:
            self.tell({"type": "refused", "text": self._chat.house.outbox.text(refusal.message)})

    def _spend(self) -> None:
        """Count one message against what a page may send.

        Raises:
            Refusal: it sends too many.
        """
        now = self._chat.house.watch.now()
        self._allowance = min(BURST, self._allowance + RATE * (now - self._counted))
        self._counted = now
        if self._allowance < 1:
            raise Refusal(Message("local-too-fast"))
        self._allowance -= 1

    # What a page can do

    async def _enter(self, message: dict[str, Any]) -> None:
        who = entering(self._chat.house.members.without_mark(_text(message, "name")), _text(message, "role"))
        viewer = await self._chat.viewer(*who)
        if len(self._viewers) >= VIEWERS and viewer.seat not in self._viewers:
            raise Refusal(Message("local-full", {"most": VIEWERS}))
        self._viewers[viewer.seat] = viewer
        entered = {"seat": viewer.seat, "name": viewer.name, "role": viewer.role.value}
        self.tell({"type": "entered", **entered})
        await self._chat.enter(viewer)

    async def _leave(self, message: dict[str, Any]) -> None:
        self._viewers.pop(Seat(_text(message, "seat")), None)
        self.stale()

    async def _say(self, message: dict[str, Any]) -> None:
        viewer = self._viewers.get(Seat(_text(message, "seat")))
        text = " ".join(_text(message, "text").split())
        if viewer is None:
            raise Refusal(Message("local-not-in"))
        if not text:
            return
        if len(text) > LONGEST_SAID:
            raise Refusal(Message("local-too-long", {"most": LONGEST_SAID}))
        table = _text(message, "table") if "table" in message else None
        await self._chat.say(viewer, text, private=message.get("whisper") is True, table=table)

    async def _bring(self, message: dict[str, Any]) -> None:
        count = message.get("count")
        if type(count) is not int or not 0 <= count <= MOST:
            raise Refusal(Message("local-crowd-size", {"most": MOST}))
        await self._crowd.resize(count)
        for ear in list(self._chat.deduplication):
            ear.tell({"type": "crowd", "count": count})

    async def _hurry(self, message: dict[str, Any]) -> None:
        house, room = self._chat.house, self._chat.room
        if "game" in message:
            await house.pauses.wake(room, _text(message, "game"))
            return
        table = room.table(_text(message, "table"))
        if table is not None and not showing.owned(table, self._viewers):
            raise Refusal(Message("local-not-your-table"))
        if table is not None:
            await house.hurry(room, table.id)

    def _hello(self) -> dict[str, Any]:
        house = self._chat.house
        return {
            "type": "hello",
            "language": house.outbox.words.language,
            "room": house.outbox.text(Message("local-room")),
            "words": showing.page_words(house),
            "roles": showing.roles(house),
            "commands": showing.commands(house),
            "games": showing.games(house),
            "crowd": len(self._crowd.viewers),
            "crowdMost": MOST,
            "names": self._crowd.suggestions(),
            "history": list(self._chat.history),
        }


def _parsed(frame: str) -> dict[str, Any]:
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


def _text(message: dict[str, Any], key: str) -> str:
    value = message.get(key)
    if not isinstance(value, str):
        raise Refusal(Message("local-not-understood"))
    return value
