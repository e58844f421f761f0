"""Send the events of a room to programs over WebSockets, to which a token with the scope `events` is a key.

A program that was cut off resumes after the last event that it has; one that reads too slowly is
disconnected, so that it notices, where an overlay is given a new picture. Bounds: `MOST_OF_CALLER` sockets of
a token or session and `MOST_ALTOGETHER` in all, `BACKLOG` events that wait for one of them.
"""

from __future__ import annotations

import asyncio
from datetime import datetime  # noqa: TC003  (pydantic reads it)
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog
from aiohttp import WSCloseCode, web
from pydantic import Field, ValidationError
from sqlalchemy.exc import SQLAlchemyError

from chatbot.ledger.store.engines import reason
from chatbot.runtime.periodic import Periodic
from chatbot.web.api.endpoints import PREFIX, EndpointQuery, SpecialEndpoint
from chatbot.web.api.errors import refuse
from chatbot.web.api.server import answer_visit
from chatbot.web.callers import evidence_of
from chatbot.web.listener import page_socket
from chatbot.web.overlay import EventSession, EventWriter
from chatbot.web.principals import TOKEN
from chatbot.web.tokens import EVENTS

if TYPE_CHECKING:
    from chatbot.bot.bot import Bot
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch
    from chatbot.tables.events.feeds import Feed, News
    from chatbot.web.api.admission import Admission, Visit
    from chatbot.web.carrying.bridge import PageBridge
    from chatbot.web.principals import Principal
    from chatbot.web.tokens import Tokens

MOST_OF_CALLER = 4  # a program and its next version at once, on two machines
MOST_ALTOGETHER = 32  # a third of the connections of strangers, so that desks and overlays keep theirs
BACKLOG = 256  # events that wait for a program before it is disconnected: a crowd of 200 joins in a second
HEARTBEAT = 20.0  # seconds between two pings; proxies end connections that are silent for a minute
SEND_TIMEOUT = 20.0  # seconds in which a program takes an event: as long as until a ping is missed
LARGEST_FRAME = 1024  # bytes that a program may send at once; nothing that it sends is needed
LOOK_INTERVAL = 5.0  # seconds between two looks whether the tokens of open sockets were revoked
KEPT = 300.0  # seconds for which events are kept after the last program has left: a restart of OBS
TOO_SLOW, REVOKED = 4008, 4001
"""Codes with which a socket is closed (RFC 6455 leaves 4000 to 4999 to applications)."""

log = structlog.get_logger(__name__)


class EventsQuery(EndpointQuery):
    """The last event that a program has; without one it begins with a picture."""

    after: int | None = Field(None, ge=0, description="The `number` of the last event that you have.")
    at: datetime | None = Field(None, description="The `at` of that event.")


STREAM = SpecialEndpoint(
    "GET",
    f"{PREFIX}/rooms/{{room}}/events",
    "Follow what happens at the tables of a room (a WebSocket).",
    None,
    scope=EVENTS,
    query=EventsQuery,
)


class ProgramSession(EventSession):
    """A program that follows a room; it is disconnected where it reads too slowly."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        feed: Feed,
        writer: EventWriter,
        watch: Watch,
        caller: Principal,
        room: str,
    ) -> None:
        super().__init__(socket, feed, writer, watch, caller.id)
        self.caller, self.room = caller, room
        self.missed: list[News] = []

    async def _send(self) -> None:
        for news in self.missed:
            await self._put(news)
        async for news in self._feed:
            if self._feed.overflowed:
                await self._end(f"too slow: more than {BACKLOG} events waited")
                return
            try:
                await asyncio.wait_for(self._put(news), SEND_TIMEOUT)
            except TimeoutError:
                await self._end("too slow: an event was not taken")
                return

    async def _put(self, news: News) -> None:
        text = await self._writer.write(news)
        if text is not None:
            await self.socket.send_str(text)

    async def _end(self, why: str) -> None:
        await self.socket.close(code=TOO_SLOW, message=why.encode())


class EventStreams:
    """The sockets of programs that follow rooms."""

    def __init__(
        self, bot: Bot, admission: Admission, tokens: Tokens, bridge: PageBridge | None = None
    ) -> None:
        """`bridge` leads to the rooms of other processes; None: there are none."""
        self._bot, self._admission, self._tokens, self._bridge = bot, admission, tokens, bridge
        bot.rooms.leaving.append(self._leave)
        self._writer = EventWriter(bot.watch)
        self._sessions: set[ProgramSession] = set()
        self._looks = Periodic(bot.watch, LOOK_INTERVAL, self._look_at_tokens)  # while there are sockets
        self._closing: set[asyncio.Task[bool]] = set()

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the address to the pages of a listener."""
        router.add_get(STREAM.address, partial(answer_visit, self._follow))

    async def close(self) -> None:
        """Close all sockets."""
        self._looks.stop()
        if self._leave in self._bot.rooms.leaving:
            self._bot.rooms.leaving.remove(self._leave)
        for each in list(self._sessions):
            self._close(each, WSCloseCode.GOING_AWAY, b"the bot stops")
        if self._closing:
            await asyncio.wait(self._closing, timeout=1.0)

    def _leave(self, room: Room) -> None:
        for each in list(self._sessions):
            if each.room == room.id:
                self._close(each, WSCloseCode.SERVICE_RESTART, b"another process runs the room")

    async def _follow(self, visit: Visit) -> web.StreamResponse:
        caller = await self._admission.caller(visit)
        socket = page_socket(visit.request, heartbeat=HEARTBEAT, max_msg_size=LARGEST_FRAME, compress=False)
        if self._bridge is not None:
            room_id = visit.request.match_info["room"]
            answer = await self._bridge.forward_socket(visit.request, room_id, evidence_of(caller), socket)
            if answer is not None:
                return answer
        room, _ = await self._admission.place(STREAM, visit, caller)
        if caller.kind != TOKEN:  # a browser sends its cookie with the sockets of any page
            refuse(web.HTTPForbidden, "Programs follow events with a token.")
        query = _query(visit.request)
        if not socket.can_prepare(visit.request):
            refuse(web.HTTPUpgradeRequired, "This address is for WebSockets.")
        self._require_place(caller)
        await self._serve(visit, socket, caller, room, query)
        return socket

    def _require_place(self, caller: Principal) -> None:
        of_caller = sum(each.caller.id == caller.id for each in self._sessions)
        if of_caller >= MOST_OF_CALLER or len(self._sessions) >= MOST_ALTOGETHER:
            most = MOST_OF_CALLER if of_caller >= MOST_OF_CALLER else MOST_ALTOGETHER
            refuse(web.HTTPTooManyRequests, f"At most {most} connections are open at once.")

    async def _serve(
        self, visit: Visit, socket: web.WebSocketResponse, caller: Principal, room: Room, query: EventsQuery
    ) -> None:
        feeds = self._bot.events
        feed = feeds.follow(room.channels[0].id, BACKLOG)
        feeds.record(room.id)
        session = ProgramSession(socket, feed, self._writer, self._bot.watch, caller, room.id)
        if query.after is not None and query.at is not None:
            session.missed = feeds.resume(feed, query.after, query.at) or []
        self._sessions.add(session)  # before it waits for anything, so that no other takes its place
        self._looks.start()
        try:
            await socket.prepare(visit.request)
            await session.serve()
        finally:
            self._sessions.discard(session)
            feeds.leave(feed)
            self._bot.watch.ring(KEPT, partial(self._forget, room))

    async def _forget(self, room: Room) -> None:
        """Keep the events of a room no longer if nobody follows it now."""
        if not any(each.room == room.id for each in self._sessions):
            self._bot.events.erase(room.id)

    async def _look_at_tokens(self) -> None:
        """Close the sockets whose tokens were revoked, or whose makers are not known in the room any more."""
        if not self._sessions:
            self._looks.stop()
            return
        try:
            valid = await self._tokens.valid({each.caller.id for each in self._sessions})
            staying = {
                each: await self._admission.may_stay(STREAM, each.caller, each.room)
                for each in list(self._sessions)
                if each.caller.id in valid
            }
        except (SQLAlchemyError, OSError) as error:
            log.debug("whether tokens were revoked is not known", error=reason(error))
            return
        for each in list(self._sessions):
            if each.caller.id not in valid:
                self._close(each, REVOKED, b"the token was revoked")
            elif not staying.get(each, True):
                self._close(each, REVOKED, b"who made the token is not known here any more")

    def _close(self, session: ProgramSession, code: int, why: bytes) -> None:
        closing = asyncio.ensure_future(session.socket.close(code=code, message=why))
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)


def _query(request: web.Request) -> EventsQuery:
    given: dict[str, Any] = dict(request.query)
    try:
        return EventsQuery.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        refuse(web.HTTPBadRequest, f"{'.'.join(map(str, first['loc'])) or 'request'}: {first['msg']}")
