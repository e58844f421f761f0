"""Seats: the hands of members in browsers of their own, at the tables of chats.

A seat is a page of one account. It is shown what `view` shows to that seat, and what it asks for is said as a
line of that account, in private, so that everything that a chat checks is checked here by the same code.

What all see of a table is described once for all seats of its room, and sent to all of them; then each seat
is described, those first whose tables wait for them. During a raid a room's seats are told of changes a few
times a second, so that describing them leaves time for everything else.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import astuple
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote

import structlog
from aiohttp import WSCloseCode, web
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Refusal, Role
from chatbot.ledger.books import purses
from chatbot.ledger.books.history import Histories
from chatbot.ledger.vouchers import VOUCHER
from chatbot.rooms.batch import carry_out
from chatbot.rooms.table_protocol import BrokenGame, Cause
from chatbot.tables.seating import plays_at
from chatbot.web import seat_showing, showing
from chatbot.web.listener import listener_of, page_socket, require_own_origin
from chatbot.web.seat_lines import SeatLines
from chatbot.web.seat_login import SeatLogins
from chatbot.web.seat_rooms import PLACES, SeatChoice, SeatRooms, evidence_of
from chatbot.web.seat_session import ElsewhereError, SeatSession
from chatbot.web.seat_showing import SeatHolding
from cogs.local.adapter import Viewer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from chatbot.bot.bot import Bot
    from chatbot.kernel.board import Board, Place
    from chatbot.kernel.game import Seat
    from chatbot.ledger.people import Account
    from chatbot.ledger.web_sessions import WebSession
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from chatbot.tables.events.feeds import Feed
    from chatbot.web.carrying.bridge import PageBridge
    from chatbot.web.login import Sessions
    from chatbot.web.principals import Platforms, Roles
    from chatbot.web.seat_rooms import SeatPlace

LARGEST_FRAME = 4096  # bytes of a message of a page
GAP = 0.05  # seconds between two times that the seats of a room are described
GAP_OF_EACH = 0.0003  # and as many more for each seat: 300 are told of a raid some five times a second
AT_ONCE = 8  # seats that are described before others have their turn
READ_AGAIN = 1.0  # seconds after which wallets are read again that could not be
RECENT = 5  # movements of a wallet among which that of a table is that has just ended
MOST_SEATS_OF_ONE = 10  # sockets of one session; the oldest ends for the next one

log = structlog.get_logger(__name__)


class _RoomSeats:
    """The open seats of one room, and the task that tells them what changes."""

    def __init__(self, room: Room, feed: Feed) -> None:
        self.room, self.feed = room, feed
        self.sessions: dict[SeatSession, None] = {}
        self.changed = asyncio.Event()
        self.due: set[SeatSession] = set()  # who is to be described in any case
        self.tasks: list[asyncio.Task[None]] = []


class Seats:
    """The pages of seats, and who has them open."""

    def __init__(
        self,
        bot: Bot,
        sessions: Sessions,
        platforms: Platforms | None,
        roles: Roles,
        bridge: PageBridge | None = None,
    ) -> None:
        """`bridge` leads to the rooms of other processes; None: there are none."""
        self.bot, self._sessions, self._bridge = bot, sessions, bridge
        self._rooms = SeatRooms(bot, roles, platforms, bridge)
        self.lines = SeatLines(bot, self._rooms)
        self._histories = Histories(bot.parts.store)
        self._logins = SeatLogins(sessions, bot.parts.seat_codes, platforms, bot.watch, self.end)
        self._open: dict[SeatSession, None] = {}
        self._by_room: dict[str, _RoomSeats] = {}
        self._closing: set[asyncio.Task[None]] = set()
        bot.rooms.leaving.append(self._leave_room)

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the pages to those of a listener."""
        self._logins.add_to(router)
        router.add_get("/seat/socket", self._socket)

    def add_carried_to(self, router: web.UrlDispatcher) -> None:
        """Add what other processes use."""
        router.add_get("/seat/socket", self._socket)
        router.add_get(PLACES, self._tell_places)

    async def close(self) -> None:
        """Close all seats that are open."""
        if self._leave_room in self.bot.rooms.leaving:
            self.bot.rooms.leaving.remove(self._leave_room)
        for room_seats in list(self._by_room.values()):
            self._stop(room_seats)
        closing = [asyncio.ensure_future(each.close()) for each in list(self._open)]
        if closing:
            await asyncio.wait(closing, timeout=1.0)

    async def end(self, account: Account) -> bool:
        """End every seat of an account, at all processes; return whether there was any."""
        has_ended = await self._sessions.stored.end_seats(account)
        await self.close_ended(account)
        if self._bridge is not None:
            self._bridge.tell_ended(account)
        return has_ended

    async def close_ended(self, account: Account) -> None:
        """Close the seats of an account that are open here and have ended."""
        for each in list(self._open):
            if each.session.login.account == account and not await self.is_current(each.session):
                each.end()

    @property
    def looks_again(self) -> bool:
        """Whether a seat without a room may get one by itself: of another process that takes it up."""
        return self._bridge is not None

    async def is_current(self, session: WebSession) -> bool:
        """Whether a session has not ended, here or elsewhere."""
        return await self._sessions.stored.is_open(session, self.bot.watch.date())

    # Pages

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        require_own_origin(request)
        session = await self._session(request)
        # Without compression, whose memory would be more than all else that a seat takes.
        socket = page_socket(request, heartbeat=30, max_msg_size=LARGEST_FRAME, compress=False)
        wanted, known = request.query.get("room"), listener_of(request).note
        if self._bridge is not None and listener_of(request).evidence is None:
            places = await self._rooms.of(session.login.account)
            # A page that connects again names its room: hundreds may do so at once, and the others can wait.
            is_whole = wanted is None or not await self._bridge.knows(wanted)
            choices = self._rooms.here(places)
            if is_whole:
                choices = await self._rooms.choices(request, session, places)
                wanted = _chosen(choices, None)
            known = json.dumps([is_whole, [astuple(each) for each in choices]])
            if wanted is not None:
                target = f"/seat/socket?room={quote(wanted, safe='')}"
                answer = await self._bridge.forward_socket(
                    request, wanted, evidence_of(session), socket, target, known
                )
                if answer is not None:
                    return answer
        same = [each for each in self._open if each.session.id == session.id]
        if len(same) >= MOST_SEATS_OF_ONE:
            await same[0].close()
        await socket.prepare(request)
        page = SeatSession(socket, self, session, partial(self._rooms.choices, request, session))
        if known:
            page.knows_all_rooms, rows = json.loads(known)
            page.known = [SeatChoice(*row) for row in rows]
        self._open[page] = None
        await page.serve(wanted)
        return socket

    async def _session(self, request: web.Request) -> WebSession:
        """Return the session whose seat a request is of.

        Raises:
            HTTPUnauthorized: it is of nobody's.
        """
        session = await self._sessions.find_seat(request)
        if session is None:
            raise web.HTTPUnauthorized(text="This is nobody's seat.\n")
        return session

    async def _tell_places(self, request: web.Request) -> web.StreamResponse:
        """Tell another process in which rooms of this one somebody has a seat."""
        session = await self._session(request)
        places = await self._rooms.of(session.login.account)
        choices = self._rooms.here(places)
        return web.json_response([(each.room, each.title, each.plays, each.silent) for each in choices])

    async def enter(self, page: SeatSession, wanted: str | None) -> dict[str, object]:
        """Let a page show a room, or else the one where it plays; return what it is told first.

        Raises:
            ElsewhereError: another process runs that room.
        """
        places = await self._rooms.of(page.session.login.account)
        known, page.known = page.known, None
        choices = await page.ask(places) if known is None else self._rooms.merged(places, known)
        room = _chosen(choices, wanted)
        place = next((each for each in places if each.room.id == room), None)
        if place is None and room is not None:
            raise ElsewhereError(room)
        self._part(page)
        page.place = place
        hello: dict[str, object] = {"type": "hello", "rooms": _listed(choices), "room": None}
        if place is None:
            return hello
        room_seats = self._by_room.get(place.room.id) or self._watch(place)
        room_seats.sessions[page] = None
        self.bot.parts.open_seats.add(place.room.id, place.seat)
        await self._take_seat(place.room, place.seat)
        return {**hello, **self._described(place)}

    async def rooms(self, page: SeatSession) -> list[dict[str, str]]:
        """Return the rooms of all processes that a page can show, as it lists them."""
        places = await self._rooms.of(page.session.login.account)
        return _listed(await page.ask(places))

    def leave(self, page: SeatSession) -> None:
        """Note that a page is closed."""
        self._open.pop(page, None)
        self._part(page)

    def stale(self, page: SeatSession) -> None:
        """Describe a seat again."""
        room_seats = None if page.place is None else self._by_room.get(page.place.room.id)
        if room_seats is not None:
            room_seats.due.add(page)
            room_seats.changed.set()

    def _part(self, page: SeatSession) -> None:
        if page.place is None:
            return
        room, seat = page.place.room, page.place.seat
        page.place = None
        self.bot.parts.open_seats.discard(room.id, seat)
        room_seats = self._by_room.get(room.id)
        if room_seats is not None:
            room_seats.sessions.pop(page, None)
            room_seats.due.discard(page)
            if not room_seats.sessions:
                self._stop(room_seats)

    def _described(self, place: SeatPlace) -> dict[str, object]:
        """Return what does not change while a room is shown."""
        bot, room = self.bot, place.room
        return {
            "room": room.id,
            "seat": place.seat,
            "name": bot.members.name(place.seat),
            "language": bot.outbox.languages.language(room),
            "commands": [
                showing.game_command(bot, each) for kit in bot.kits.values() for each in kit.chat.commands
            ],
            "games": showing.games(bot),
        }

    # Rooms

    def _leave_room(self, room: Room) -> None:
        """Disconnect the seats of a room that another process is to run, where they connect again."""
        room_seats = self._by_room.get(room.id)
        for each in [*room_seats.sessions] if room_seats is not None else []:
            closing = asyncio.ensure_future(each.close(WSCloseCode.SERVICE_RESTART))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)

    def _watch(self, place: SeatPlace) -> _RoomSeats:
        """Begin to follow a room."""
        room_seats = _RoomSeats(place.room, self.bot.events.follow(place.channel.id))
        self._by_room[place.room.id] = room_seats
        room_seats.tasks = [
            asyncio.ensure_future(self._follow(room_seats)),
            asyncio.ensure_future(self._refresh(room_seats)),
        ]
        return room_seats

    def _stop(self, room_seats: _RoomSeats) -> None:
        self._by_room.pop(room_seats.room.id, None)
        self.bot.events.leave(room_seats.feed)
        for task in room_seats.tasks:
            task.cancel()

    async def _follow(self, room_seats: _RoomSeats) -> None:
        async for news in room_seats.feed:
            if news.kind != "told":
                room_seats.changed.set()
            if news.kind in {"opened", "changed", "picture", "resumed"}:
                for seat in {each.place.seat for each in room_seats.sessions if each.place is not None}:
                    await self._take_seat(room_seats.room, seat)

    async def _refresh(self, room_seats: _RoomSeats) -> None:
        """Describe a room to its seats when it has changed."""
        has_failed = False
        while True:
            await room_seats.changed.wait()
            room_seats.changed.clear()
            try:
                await self._tell(room_seats)
                has_failed = False
            except (SQLAlchemyError, OSError):
                if not has_failed:
                    log.exception("seats cannot be shown", room=room_seats.room.id)
                has_failed = True
                room_seats.changed.set()
            gap = GAP + GAP_OF_EACH * len(room_seats.sessions)
            await asyncio.sleep(READ_AGAIN if has_failed else gap)

    async def _tell(self, room_seats: _RoomSeats) -> None:
        bot, room = self.bot, self._present(room_seats)
        pages = [each for each in room_seats.sessions if each.place is not None]
        wallets = {each: purses.wallet(room.community, each.place.seat) for each in pages if each.place}
        balances = await bot.ledger.balances(list(set(wallets.values())))
        while under_way := [table for table in room.tables.values() if table.lock.locked()]:
            await under_way[0].finished()
        tables = [*room.tables.values()]
        boards = seat_showing.boards(tables)
        rows = {table.id: self._row(table, boards[table.id]) for table in tables}
        games = json.dumps({"type": "games", "games": showing.pauses(bot, room)})
        awaited = {
            seat
            for table in tables
            if not table.over
            for seat in table.kit.seating.awaited(table.state) or ()
        }
        pages.sort(key=lambda each: each.place is None or each.place.seat not in awaited)
        for page in pages:
            if page.place is not None:
                self._tell_public(page, tables, rows, games)
        places = seat_showing.places(boards)
        for number, page in enumerate(pages, 1):
            if page.place is not None:
                await self._tell_own(page, room, tables, places, balances[wallets[page]])
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)

    def _row(self, table: Table, board: Board) -> str:
        row = {"type": "table", "table": seat_showing.public(self.bot, table, board)}
        return json.dumps(row, ensure_ascii=False)

    def _present(self, room_seats: _RoomSeats) -> Room:
        """Return the room that is followed, which may have become another one's."""
        return self.bot.rooms.get(room_seats.room.id, room_seats.room)

    def _tell_public(
        self, page: SeatSession, tables: Iterable[Table], rows: dict[str, str], games: str
    ) -> None:
        assert page.place is not None  # it is shown a room  # noqa: S101
        seat = page.place.seat
        concerned = [table for table in tables if seat_showing.concerns(table, seat)]
        for table in concerned:
            page.tell(f"table {table.id}", rows[table.id])
        page.forget({table.id for table in concerned})
        page.tell("games", games)

    async def _tell_own(
        self,
        page: SeatSession,
        room: Room,
        tables: Collection[Table],
        places: Mapping[str, Mapping[Seat, Place]],
        purse: int,
    ) -> None:
        place = page.place
        if place is None:
            return
        for table in tables:
            if table.over and table.id not in page.results and plays_at(table, place.seat):
                page.results.update(await self._result(room, table, place.seat))
        limit = await self.lines.limit(page.session, place)
        viewer = Viewer(place.account, place.seat, self.bot.members.name(place.seat), Role.VIEWER)
        row = seat_showing.own(self.bot, room, SeatHolding(viewer, purse, limit, page.results), places)
        page.tell("own", json.dumps({"type": "own", "own": row}, ensure_ascii=False))

    async def _result(self, room: Room, table: Table, seat: Seat) -> dict[str, int]:
        """Return what a seat has won at a table, by its id; of a table without stakes it is 0.

        It is what the results of the table say beside the name: what they leave out is left out here, too.
        """
        movements = await self._histories.newest(purses.wallet(room.community, seat), RECENT)
        aside = {VOUCHER, *table.kit.money.side_payments}
        return {table.id: next((each.without(aside) for each in movements if each.table == table.id), 0)}

    async def _take_seat(self, room: Room, seat: Seat) -> None:
        """Tell the tables that wait for it that a seat is open."""
        for table in list(room.tables.values()):
            arrival = None if table.over else table.kit.seating.arrives(table.state, seat)
            if arrival is None:
                continue
            cause = Cause(seat=seat, posting=f"seat:{table.id}:{table.turn + 1}:{seat}")
            play = partial(table.play, actions=[arrival], cause=cause)
            with suppress(Refusal, BrokenGame, SQLAlchemyError, OSError):  # it is told again when it changes
                await carry_out(self.bot.ledger, play)


def _chosen(choices: Sequence[SeatChoice], wanted: str | None) -> str | None:
    """Return the room that is shown: the one that is wanted, or else the first; None: there is none."""
    rooms = [each.room for each in choices]
    return wanted if wanted in rooms else next(iter(rooms), None)


def _listed(choices: Iterable[SeatChoice]) -> list[dict[str, str]]:
    return [{"id": each.room, "title": each.title} for each in choices]
