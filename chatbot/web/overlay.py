"""Serve the events of rooms, read only: to overlays of streams, and to programs on this machine.

An overlay is a page whose address contains the key of its room. Programs on this machine need no key, because
they could open the local page as well. Only what everybody may see is sent, and nothing that a client sends
changes anything: it can ask for a new picture.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from aiohttp import WSCloseCode, WSMsgType, web
from sqlalchemy.exc import SQLAlchemyError

from chatbot.ledger.store.engines import reason
from chatbot.runtime.periodic import Periodic
from chatbot.web.listener import Evidence, page_socket, require_own_origin, require_this_machine

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from chatbot.bot.bot import Bot
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Alarm, Watch
    from chatbot.tables.events.feeds import Feed, News
    from chatbot.web.carrying.bridge import PageBridge
    from chatbot.web.league import League

# Of one key, which a stream may show by mistake; and of the programs here that follow one room.
MOST_SOCKETS = 64
# Seconds between two pings; a socket that answers none is closed half of that later. Proxies end connections
# that are silent for a minute, and a stream must not show a table that is half a minute old.
HEARTBEAT = 20.0
KEY_INTERVAL = 1.0  # seconds between two looks whether the keys of open sockets were replaced
BACKLOG = 64  # events that wait for one client, before a picture replaces them, which is then the shorter way
# Seconds from which an event is a large one, and the pause after it as a multiple of them: writing takes at
# most a quarter of the event loop, however fast a crowd joins.
LARGE, PAUSE = 0.002, 3.0
SHOWING = {"picture", "opened", "changed"}  # kinds of events that show tables
# Seconds for which a picture is sent to other clients too: all reconnect at once after a restart.
SHARED = 0.25
PICTURE_INTERVAL = 1.0  # seconds between two pictures that one client asks for, the largest of all events
MOST_ASKED = 100  # messages of a client in such an interval, before it is disconnected
LARGEST_FRAME = 1024  # bytes that a client may send at once; the one message that is understood has twenty
REPLACED = 4001  # the code with which a socket is closed whose key was replaced
FRAMED = "default-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'"
"""The policy of a page that another page of this server may show in itself, for a preview."""
NOTHING = Evidence()
PAGE = Path(str(files("chatbot.web") / "static" / "overlay.html"))

log = structlog.get_logger(__name__)


class EventWriter:
    """Writes events as JSON, each once for all clients.

    An event that shows a table with hundreds of players takes milliseconds, in which nobody is answered. So
    there is a pause after each large one, three times as long, in which the next table waits; a picture
    replaces the events if they become many.
    """

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._pauses: dict[str, float] = {}  # by room, until when no large event is written, on the watch
        self._pictures: dict[str, tuple[News, float]] = {}  # the last one of a room, and when it was made

    async def write(self, news: News) -> str | None:
        """Return an event as JSON; None: it cannot be written, which a client notices by the gap."""
        news = self._recent(news)
        while (wait := self._wait(news)) > 0:  # noqa: ASYNC110  (another client may have it written meanwhile)
            await asyncio.sleep(wait)
        began = self._watch.now()
        try:
            text = news.json
        except Exception:
            log.exception("an event could not be written", room=news.room, kind=news.kind)
            return None
        elapsed = self._watch.now() - began
        if elapsed >= LARGE:
            self._pauses[news.room] = began + elapsed * (1 + PAUSE)
        return text

    def _wait(self, news: News) -> float:
        """Return the seconds until an event may be written."""
        if news.is_written or news.kind not in SHOWING:
            return 0.0
        return self._pauses.get(news.room, 0.0) - self._watch.now()

    def _recent(self, news: News) -> News:
        """Return a picture that was made a moment ago in the place of another that shows the same."""
        if news.kind != "picture":
            return news
        previous, made_at = self._pictures.get(news.room, (news, 0.0))
        same = (previous.number, previous.wording) == (news.number, news.wording)
        if not same or self._watch.now() - made_at > SHARED:
            self._pictures[news.room] = previous, _ = news, self._watch.now()
        return previous


class EventSession:
    """One client that follows a room over its WebSocket. `slot` is what its number is limited by."""

    def __init__(
        self, socket: web.WebSocketResponse, feed: Feed, writer: EventWriter, watch: Watch, slot: str
    ) -> None:
        self.socket, self.slot = socket, slot
        self._feed, self._writer, self._watch = feed, writer, watch
        self._pictured = -PICTURE_INTERVAL  # when a picture was last asked for, on the watch
        self._alarm: Alarm | None = None  # set while a picture is asked for, and not sent yet
        self._message_count = 0  # in this interval
        self._since = 0.0  # when it began, on the watch

    @property
    def channel(self) -> str:
        """The channel whose room is followed."""
        return self._feed.channel

    async def serve(self) -> None:
        """Send events until the client leaves."""
        tasks = [asyncio.ensure_future(each) for each in (self._send(), self._receive())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if self._alarm is not None:
                self._alarm.cancel()
            for task in tasks:
                task.cancel()
            for ending in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(ending, Exception) and not isinstance(ending, ConnectionError):
                    log.error("events could not be sent", exc_info=ending)

    async def _send(self) -> None:
        async for news in self._feed:
            text = await self._writer.write(news)
            if text is not None:
                await self.socket.send_str(text)

    async def _receive(self) -> None:
        async for frame in self.socket:
            if self._floods():
                await self.socket.close(code=WSCloseCode.POLICY_VIOLATION, message=b"too many messages")
                return
            if frame.type is WSMsgType.TEXT and _wants_picture(frame.data) and self._alarm is None:
                wait = self._pictured + PICTURE_INTERVAL - self._watch.now()
                if wait > 0:
                    self._alarm = self._watch.ring(wait, self._picture)
                else:
                    await self._picture()

    def _floods(self) -> bool:
        """Count a message, and return whether there are too many of them."""
        now = self._watch.now()
        if now - self._since >= PICTURE_INTERVAL:
            self._message_count, self._since = 0, now
        self._message_count += 1
        return self._message_count > MOST_ASKED

    async def _picture(self) -> None:
        self._alarm, self._pictured = None, self._watch.now()
        self._feed.lose()


class Overlays:
    """The overlays of all rooms, and their open sockets.

    `page_channel` is the channel of `page_room`, which the local page shows, to whom `require_visitor` lets
    in.
    `bridge` leads to the rooms of other processes; None: there are none.
    """

    def __init__(
        self,
        bot: Bot,
        page_room: str,
        page_channel: str,
        require_visitor: Callable[[web.Request], Awaitable[Evidence]],
        league: League,
        bridge: PageBridge | None = None,
    ) -> None:
        self._bot, self._page_channel, self._require_visitor = bot, page_channel, require_visitor
        self._page_room, self._league, self._bridge = page_room, league, bridge
        self._writer = EventWriter(bot.watch)
        self._sessions: set[EventSession] = set()
        self._keys: dict[str, str] = {}  # of open sockets, with the rooms that they open
        self._key_checks = Periodic(bot.watch, KEY_INTERVAL, self._look_at_keys)  # while there are any
        self._closing: set[asyncio.Task[bool]] = set()
        bot.rooms.leaving.append(self._leave)

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the pages and sockets to those of a listener on this machine."""
        self.add_keyed_to(router)
        router.add_get("/events", self._events_of_room)
        router.add_get("/socket/events", self._events_of_page)

    def add_keyed_to(self, router: web.UrlDispatcher) -> None:
        """Add what whoever has a key may open from anywhere."""
        router.add_get("/overlay/sample", self._sample)
        router.add_get("/overlay/{key}", self._page)
        router.add_get("/overlay/{key}/events", self._events_of_key)
        router.add_get("/overlay/{key}/league", self._league_of_key)

    @property
    def sockets(self) -> list[web.WebSocketResponse]:
        """The open sockets."""
        return [each.socket for each in self._sessions]

    def stop(self) -> None:
        """Look no more whether keys were replaced."""
        self._key_checks.stop()
        if self._leave in self._bot.rooms.leaving:
            self._bot.rooms.leaving.remove(self._leave)

    def _leave(self, room: Room) -> None:
        """Close the sockets of a room that another process is to run, where they connect again."""
        names = {room.id, *(each.id for each in room.channels)}
        for each in self._sessions:
            if each.channel in names:
                self._close(each, WSCloseCode.SERVICE_RESTART, b"another process runs the room")

    def _close(self, session: EventSession, code: int, why: bytes) -> None:
        closing = asyncio.ensure_future(session.socket.close(code=code, message=why))
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    # What is served

    async def _page(self, request: web.Request) -> web.StreamResponse:
        await self._room_of(request.match_info["key"])
        return web.FileResponse(PAGE, headers={"Content-Security-Policy": FRAMED})

    async def _sample(self, _: web.Request) -> web.StreamResponse:
        """Serve an overlay that plays a recorded heist or league, which shows nothing of any room."""
        return web.FileResponse(PAGE, headers={"Content-Security-Policy": FRAMED})

    async def _events_of_key(self, request: web.Request) -> web.StreamResponse:
        require_own_origin(request, optional=True)
        key = request.match_info["key"]
        room = await self._room_of(key)
        self._keys[key] = room
        self._key_checks.start()
        return await self._serve(request, room, key)

    async def _league_of_key(self, request: web.Request) -> web.StreamResponse:
        """Serve what goes on in the league, again only if it has changed: an overlay asks every second."""
        room = await self._room_of(request.match_info["key"])
        described = await self._league.describe_text(await self._viewed(room))
        if request.if_none_match and described.tag in {each.value for each in request.if_none_match}:
            response = web.Response(status=304)
        else:
            response = web.Response(text=described.text, content_type="application/json")
            response.enable_compression()
        response.etag = described.tag
        return response

    async def _viewed(self, room: str) -> Room | None:
        """Return a room as far as its language goes, also one that another process runs."""
        if self._bridge is None or room in self._bot.rooms:
            return self._bot.rooms.get(room)
        try:
            return await self._bot.control.viewed(room)
        except (SQLAlchemyError, OSError):
            raise _unanswered() from None

    async def _events_of_room(self, request: web.Request) -> web.StreamResponse:
        require_this_machine(request)
        require_own_origin(request, optional=True)
        room = request.query.get("room", "")
        if room not in self._bot.rooms and not self._bot.has(room):
            await self._require_known(room)
        return await self._serve(request, room, f"room {room}")

    async def _events_of_page(self, request: web.Request) -> web.StreamResponse:
        """Serve the local page, under every name and on every machine that may open its own socket."""
        require_own_origin(request)
        evidence = await self._require_visitor(request)
        return await self._serve(request, self._page_room, "page", self._page_channel, evidence)

    async def _serve(
        self, request: web.Request, room: str, slot: str, channel: str = "", evidence: Evidence = NOTHING
    ) -> web.StreamResponse:
        """Serve the events of a room, or of the one that a channel is in."""
        socket = page_socket(request, heartbeat=HEARTBEAT, max_msg_size=LARGEST_FRAME, compress=False)
        if self._bridge is not None:
            answer = await self._bridge.forward_socket(request, room, evidence, socket)
            if answer is not None:
                return answer
        if not socket.can_prepare(request):
            raise web.HTTPUpgradeRequired(text="This address is for WebSockets.\n")
        if sum(each.slot == slot for each in self._sessions) >= MOST_SOCKETS:
            raise web.HTTPTooManyRequests(text=f"At most {MOST_SOCKETS} connections are open at once.\n")
        with self._following(channel or room) as feed:
            session = EventSession(socket, feed, self._writer, self._bot.watch, slot)
            self._sessions.add(session)  # before it waits for anything, so that no other takes its place
            try:
                await socket.prepare(request)
                await session.serve()
            finally:
                self._sessions.discard(session)
        return socket

    @contextmanager
    def _following(self, room: str) -> Iterator[Feed]:
        """Follow a room by its first channel, which has the room's id where the room is not open."""
        open_room = self._bot.rooms.get(room)
        feed = self._bot.events.follow(room if open_room is None else open_room.channels[0].id, BACKLOG)
        try:
            yield feed
        finally:
            self._bot.events.leave(feed)

    # Who may open it

    async def _room_of(self, key: str) -> str:
        try:
            room = await self._bot.parts.overlay_keys.room(key)
        except (SQLAlchemyError, OSError):
            raise _unanswered() from None
        if room is None:
            raise web.HTTPNotFound(text="There is no such overlay.\n")
        return room

    async def _require_known(self, room: str) -> None:
        try:
            rooms_by_id = await self._bot.parts.overlay_keys.all()
        except (SQLAlchemyError, OSError):
            raise _unanswered() from None
        if room not in rooms_by_id:
            rooms = ", ".join(rooms_by_id)
            raise web.HTTPNotFound(text=f"Say which room, as in /events?room=local; there are: {rooms}.\n")

    # Replaced keys

    async def _look_at_keys(self) -> None:
        """Close the sockets whose keys were replaced, and look again while there are any left."""
        slots = {each.slot for each in self._sessions}
        self._keys = {key: room for key, room in self._keys.items() if key in slots}
        if not self._keys:  # a program without overlays asks the database nothing
            self._key_checks.stop()
            return
        keys = dict(self._keys)  # more may come meanwhile
        try:
            valid = await self._bot.parts.overlay_keys.valid(keys)
        except (SQLAlchemyError, OSError) as error:
            log.debug("whether keys were replaced is not known", error=reason(error))
            return
        for each in self._sessions:
            if each.slot in keys and each.slot not in valid:
                self._close(each, REPLACED, b"replaced")


def _unanswered() -> web.HTTPException:
    return web.HTTPServiceUnavailable(text="The database does not answer now; try again.\n")


def _wants_picture(text: str) -> bool:
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and message.get("picture") is True
