"""Opens rooms, and stops and resumes their games: for an audit, a doubt about the books, or a lost lease."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

import structlog

from chatbot.kernel.say import Message, Say
from chatbot.ledger.rooms import KnownRoom
from chatbot.ledger.store.engines import StoreError
from chatbot.ledger.store.request_batcher import RequestBatcher
from chatbot.rooms.room import Room

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
    from typing import Any

    from chatbot.bot.elsewhere import Elsewhere
    from chatbot.bot.lifecycle import Lifecycle
    from chatbot.bot.pending_line import PendingLine
    from chatbot.bot.routing import Routing
    from chatbot.community.bridges import Bridges
    from chatbot.community.seasons import Deadlines
    from chatbot.delivery.outbox import Outbox
    from chatbot.ledger.books.journal import Journal
    from chatbot.ledger.people import People
    from chatbot.ledger.rooms import KnownRooms
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.registry import Rooms
    from chatbot.rooms.settings.changes import SettingsChanges
    from chatbot.runtime.clock import Watch
    from chatbot.tables.events.publisher import Publisher
    from chatbot.tables.fairness import Fairness
    from chatbot.tables.house_players import HousePlayers

TAKEN_UP_TOGETHER = 200  # rooms, of which is read together what is read: more would hold up leases meanwhile
FORESHOWN = 300.0  # seconds in which a platform connects, or is not part of this program
HELD, DOUBTED = "games-held", "games-stopped"  # ids of the messages that say why no game is played

log = structlog.get_logger(__name__)


class RoomControl:
    """Decides whether games are played in each room.

    `halted`: the database is in doubt, and no games are played; other commands work. `doubted` are the
    communities whose books are inconsistent: no games there. `held`: no games until `release`, because the
    books are being checked. `serve(room, lines)` answers the lines of a room.
    """

    def __init__(
        self,
        store: Store,
        journal: Journal,
        people: People,
        rooms: Rooms,
        known_rooms: KnownRooms,
        settings_changes: SettingsChanges,
        bridges: Bridges,
        deadlines: Deadlines,
        lifecycle: Lifecycle,
        routing: Routing,
        fairness: Fairness,
        players: HousePlayers,
        events: Publisher,
        outbox: Outbox,
        watch: Watch,
        serve: Callable[[Room, Sequence[Any]], Awaitable[None]],
    ) -> None:
        self._store, self._journal, self._people, self._rooms = store, journal, people, rooms
        self._known_rooms, self._settings_changes = known_rooms, settings_changes
        self._bridges, self._deadlines = bridges, deadlines
        self._lifecycle, self._routing = lifecycle, routing
        self._fairness, self._players, self._events = fairness, players, events
        self._outbox, self._watch, self._serve = outbox, watch, serve
        self.halted = self.held = False
        self.elsewhere: Elsewhere | None = None  # None: no other process shares the database
        # Rooms that are opened one by one and run here are taken up together with those that come meanwhile.
        self._taken_up: RequestBatcher[Room, None] = RequestBatcher(self._take_up_all)
        self.doubted: frozenset[str] = frozenset()

    async def open(self, room: Room) -> Room:
        """Open a room: load its settings and resume its tables, before the first line is accepted.

        Return the room that its channel is in, which is another one if moderators have bridged the two.
        """
        await self._people.load()
        return await self._bridges.open(room, self._open)

    async def standing(self) -> list[str]:
        """Return the ids of the rooms to open at the start, of all platforms.

        These have open tables, ends of tables that were not published, or channels of other platforms.
        """
        return list(dict.fromkeys((*await self._journal.standing(), *await self._bridges.rooms())))

    async def foreshow(self) -> None:
        """Publish the open tables of all rooms as they were left, before their platforms are connected.

        Those of rooms that are not open after `FORESHOWN` are cleared.
        """
        await self._people.load()
        room_ids = {*await self._journal.standing()}
        known_rooms = await self._known_rooms.known()
        rooms = [Room(each.room, each.community, ()) for each in known_rooms if each.room in room_ids]
        for room in rooms:
            self._watch.ring(FORESHOWN, partial(self._forget, room.id))
        before_opening = self._bridges.before_opening
        await asyncio.gather(*(before_opening(room, self._foreshow) for room in rooms))  # read together

    async def viewed(self, room_id: str) -> Room | None:
        """Return a room to look at: an open one, or one that another process runs, with its settings alone.

        None: there is none. What the tables of the latter stand at is known where it runs.

        Raises:
            SQLAlchemyError, OSError: the database does not answer.
        """
        room = self._rooms.get(room_id)
        if room is not None or self.elsewhere is None:
            return room
        known = await self._known_rooms.of(room_id)
        if known is None:
            return None
        room = Room(known.room, known.community, ())
        await self._settings_changes.load(room)
        return room

    async def unopened(self, holders: Collection[str]) -> Mapping[str, Room]:
        """Return a room with its settings of each of these communities, by the one that holds the wallets.

        They are not open here: another process may run them.
        """
        holder, rooms = self._people.ties.community, dict[str, Room]()
        for each in await self._known_rooms.known():
            if holder(each.community) in holders:
                rooms.setdefault(holder(each.community), Room(each.room, each.community, ()))
        await asyncio.gather(*map(self._settings_changes.load, rooms.values()))
        return rooms

    async def _foreshow(self, room: Room) -> None:
        await self._settings_changes.load(room)
        await self._lifecycle.foreshow(room)

    async def _forget(self, room: str) -> None:
        self._events.forget(room)

    def hold(self) -> None:
        """Suspend the games of rooms that are opened from now on, until `release`."""
        self.held = True

    async def release(self) -> None:
        """End `hold`: resume the tables of the rooms that were opened meanwhile."""
        if not self.held:
            return
        while rooms := [room for room in self._rooms.values() if room.stopped == HELD]:
            for room in rooms:
                async with room.order:  # else a line could take the spot of a table that is resumed
                    if room.stopped != HELD:
                        continue
                    room.stopped = ""  # a season may end with a table whose end is only told now
                    try:
                        await self._resume_tables(room)
                    except asyncio.CancelledError:  # the program ends
                        room.stopped = HELD
                        raise
                self._start(room)
                self._events.resumed(room)
        self.held = False

    async def halt(self) -> None:
        """Freeze all games permanently; other commands go on."""
        self.halted = True
        await self.stop([room for room in self._rooms.values() if room.stopped != DOUBTED], DOUBTED)

    async def doubt(self, communities: Collection[str]) -> None:
        """Freeze the games of these communities, and resume those of others that were in doubt."""
        self.doubted = frozenset(communities)
        rooms = list(self._rooms.values())
        doubted = [room for room in rooms if self._reason(room) == DOUBTED and room.stopped != DOUBTED]
        await self.stop(doubted, DOUBTED)
        for room in rooms:
            if room.stopped == DOUBTED and self._reason(room) != DOUBTED:
                await self.resume(room)

    async def stop(self, rooms: Sequence[Room], reason: str) -> None:
        """Freeze the games of rooms, and announce the reason, which is the id of a message.

        When it returns, no action that had started before is still running.
        """
        for room in rooms:
            room.stopped = reason
            for table in room.tables.values():
                table.freeze()
            self._say_stopped(room)
            self._events.halted(room)
            self._players.look(room)
        for room in rooms:
            async with room.order:  # a command that was running may have opened another table
                for table in list(room.tables.values()):
                    table.freeze()
                    await table.finished()

    async def resume(self, room: Room) -> None:
        """Resume the games of a room that was stopped, from the end of their journals.

        All data of the room in memory is read again, as another process may have run the room meanwhile.
        """
        self._store.memory.forget_all()
        async with room.order:  # else a line that waits could take the spot of a table that is resumed
            await self._fairness.load(room)
            await self._people.load()
            await self._settings_changes.load(room)
            room.stopped = self._reason(room)
            if room.stopped:
                return
            for spot, table in list(room.tables.items()):
                if table.frozen and not table.over:
                    del room.tables[spot]
            await self._resume_tables(room)
        self._start(room)
        self._events.resumed(room)

    async def withdraw(self, rooms: Sequence[Room]) -> None:
        """Leave rooms to another process, without a word; their tables are resumed there.

        From now on nothing is decided for them here; when it returns, nothing is being decided any more.
        """
        for room in rooms:
            self._rooms.leave(room)
        for room in rooms:
            # What was decided is written first: a table that is frozen under it would refuse its players.
            async with room.order:
                for table in list(room.tables.values()):
                    table.freeze()
                    await table.finished()
                room.tables.clear()
                room.stopped = ""
                room.rested.clear()  # so that the end of no cooldown is announced
            self._players.look(room)

    async def take_up(self, rooms: Sequence[Room]) -> list[Room]:
        """Run rooms from now on that are elsewhere, from the end of their journals; return those.

        The others are run by a process that shows signs of life.

        Raises:
            SQLAlchemyError, OSError: the database does not answer; those that are taken up already stay so.
        """
        taken = list[Room]()
        for first in range(0, len(rooms), TAKEN_UP_TOGETHER):
            taken += await self._take_up_some(rooms[first : first + TAKEN_UP_TOGETHER])
        return taken

    async def _take_up_some(self, rooms: Sequence[Room]) -> list[Room]:
        communities = sorted({each.community for each in rooms})
        answers = await asyncio.gather(*map(self._store.leases.take, communities), return_exceptions=True)
        for community, answer in zip(communities, answers, strict=True):
            if isinstance(answer, StoreError):
                log.debug("a home is not free yet", community=community, why=str(answer))
            elif isinstance(answer, BaseException):
                raise answer
        ours = [each for each in rooms if each.community in self._store.leases.held]
        if ours:
            # Another process may have written all that was known of them.
            self._store.memory.forget_all()
            await self._people.load()
        await asyncio.gather(*map(self._take_up, ours))
        return ours

    async def _take_up(self, room: Room) -> None:
        async with room.order:  # else a line that waits could take the spot of a table that is resumed
            if not room.elsewhere:
                return
            await self._known_rooms.note(KnownRoom(room.id, room.community), self._watch.date())
            await self._fairness.load(room)
            await self._settings_changes.load(room)
            room.stopped = self._reason(room)
            room.tables.clear()
            if not room.stopped:
                await self._resume_tables(room)
            room.elsewhere = False
        self._start(room)
        self._events.taken_up(room)

    async def _route(self, room: Room, lines: Sequence[PendingLine]) -> None:
        """Answer lines of a room, or pass them to the process that runs it."""
        if room.elsewhere and self.elsewhere is not None:
            await self.elsewhere.carry(room, lines)
        else:
            await self._serve(room, lines)

    async def _open_shared(self, room: Room, elsewhere: Elsewhere) -> None:
        """Open a room that one of several processes runs; this one, if it is dealt to it."""
        room.inbox.handle = partial(self._route, room)
        room.elsewhere = room.shared = True
        await self._settings_changes.load(room)
        if elsewhere.is_here(room.community):
            await self._taken_up.one(room)
        self._rooms.open(room)

    async def _take_up_all(self, rooms: Collection[Room]) -> dict[Room, None]:
        await self.take_up([*rooms])
        return dict.fromkeys(rooms)

    async def _open(self, room: Room) -> None:
        if self.elsewhere is not None:
            await self._open_shared(room, self.elsewhere)
            return
        await self._store.leases.take(room.community)
        room.inbox.handle = partial(self._serve, room)
        await self._known_rooms.note(KnownRoom(room.id, room.community), self._watch.date())
        await self._settings_changes.load(room)
        room.stopped = self._reason(room)
        if self.held:
            self._rooms.open(room)  # before its tables are resumed: `release` does that for all open rooms
            return
        if room.stopped:
            self._say_stopped(room)
        else:
            await self._lifecycle.resume(room)
        self._rooms.open(room)
        self._start(room)

    def _start(self, room: Room) -> None:
        self._deadlines.add(room)
        self._players.look(room)

    async def _resume_tables(self, room: Room) -> None:
        try:
            await self._lifecycle.resume(room)
        except Exception:
            log.exception("the tables of a room could not be taken up", room=room.id)
            self._routing.look_again(room)

    def _reason(self, room: Room) -> str:
        """Return the id of the message that says why no game is played in a room; empty: games are played."""
        if self.halted or room.community in self.doubted:
            return DOUBTED
        return HELD if self.held else ""

    def _say_stopped(self, room: Room) -> None:
        self._outbox.say(room, [Say(Message(room.stopped), event="Halted")])
