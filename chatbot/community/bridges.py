"""Bridges: a channel of one platform joins a room of another, and both communities share wallets."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.community.linking import Codes, new_change_set, platform
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message, Say
from chatbot.ledger.unions import AlreadyUnited, Bridge
from chatbot.rooms.room import Room

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.say import Argument, Arguments
    from chatbot.ledger.people import People
    from chatbot.ledger.unions import Unions
    from chatbot.rooms.registry import Rooms
    from chatbot.rooms.request import Request
    from chatbot.rooms.settings.changes import SettingsChanges
    from chatbot.runtime.clock import Watch

RETRY_DELAY = 5.0  # seconds until a room that could not be opened after a bridge is tried again

log = structlog.get_logger(__name__)


class Bridges:
    """Maps channels to the rooms that they have joined, and opens each room once.

    A room is opened by whichever of its channels connects first.
    """

    def __init__(
        self,
        unions: Unions,
        people: People,
        rooms: Rooms,
        outbox: Outbox,
        watch: Watch,
        settings_changes: SettingsChanges,
    ) -> None:
        self._unions, self._people, self._rooms = unions, people, rooms
        self._outbox, self._watch, self._settings_changes = outbox, watch, settings_changes
        self._bridges: dict[str, Bridge] = {}
        self._opening: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._codes: Codes[str] = Codes(watch)  # each stands for the id of a room
        self._open_new: Callable[[Room], Awaitable[None]] | None = None

    # Opening

    async def open(self, room: Room, open_new: Callable[[Room], Awaitable[None]]) -> Room:
        """Return the room that the first channel of `room` belongs to; `open_new` opens it if necessary."""
        self._open_new, self._bridges = open_new, await self._unions.bridges()
        bridge = self._bridges.get(room.channels[0].id)
        name = room.id if bridge is None else bridge.room
        async with self._opening[name]:
            existing = self._rooms.get(name)
            if existing is not None and existing is not room:
                self._rooms.join(existing, room.channels)
                return existing
            if bridge is not None and room.id != name:
                room = Room(name, bridge.community, room.channels)
            await open_new(room)
            return room

    async def before_opening(self, room: Room, work: Callable[[Room], Awaitable[None]]) -> None:
        """Do some work for a room that is not open, while nothing opens it; nothing if it is open."""
        async with self._opening[room.id]:
            if room.id not in self._rooms:
                await work(room)

    def holder(self, community: str) -> str:
        """Return the id of the community that holds the wallets of `community`.

        It is `community` itself, unless that is united with another.
        """
        holders = {each.origin: each.community for each in self._bridges.values()}
        return holders.get(community, community)

    async def rooms(self) -> list[str]:
        """Return the sorted ids of the rooms that channels of other platforms have joined."""
        bridges = await self._unions.bridges()
        return sorted({each.room for each in bridges.values()})

    # Joining and leaving

    def issue(self, room: Room) -> str:
        """Return a code by which a channel of another platform joins a room."""
        return self._codes.issue(room.id, room.id)

    async def join(self, request: Request, code: str) -> None:
        """Let the channel in which the code is typed join the room in which it was issued."""
        guest, channel = request.room, request.line.channel
        if channel in self._bridges or len(guest.channels) > 1:
            raise Refusal(Message("bridge-already"))
        host = self._rooms.get(self._codes.read(request.line.account, code))
        if host is None:
            raise Refusal(Message("code-wrong"))
        if host is guest or _platforms(host) & _platforms(guest):
            raise Refusal(Message("bridge-same-platform"))
        _require_not_stopped(guest, host)
        _require_idle(guest)
        bridge = Bridge(channel, host.id, host.community, guest.id, guest.community)
        try:
            change_set = new_change_set(request, host, self._watch.date())
            made = await self._unions.unite(change_set, bridge, request.batch)
        except AlreadyUnited:
            if (await self._unions.bridges()).get(channel) != bridge:
                raise Refusal(Message("bridge-already")) from None
            made = True  # before, and the answer of the database was lost
        self._codes.spend(code)
        if made:
            await self._merge(guest, host, bridge)

    async def _merge(self, guest: Room, host: Room, bridge: Bridge) -> None:
        self._bridges[bridge.channel] = bridge
        await self._read_unions()
        self._rooms.close(guest)
        self._rooms.join(host, guest.channels)
        host.live = guest.live if host.live is None else host.live
        self._announce(host, "bridge-done", bridge)
        await self._settings_changes.change_holder(bridge.origin)  # the community may have other rooms

    async def leave(self, request: Request) -> None:
        """Give a channel its own room again; in the host's channel, do so for all that have joined it."""
        room, channel = request.room, request.line.channel
        # If the answer to a change was lost, the bridge is known to the database alone, or is there no more.
        every_bridge = {**await self._unions.bridges(), **self._bridges}.values()
        room_bridges = [each for each in every_bridge if room.id in {each.room, each.home}]
        ending = [each for each in room_bridges if each.channel == channel] or room_bridges
        if not ending:
            raise Refusal(Message("bridge-none"))
        _require_not_stopped(room)
        _require_idle(room)
        for bridge in ending:
            change_set = new_change_set(request, room, self._watch.date(), bridge.channel)
            try:
                parted = await self._unions.part(change_set, bridge, request.batch)
            except AlreadyUnited:
                parted = True
            if parted:
                self._announce(room, "bridge-ended", bridge)
                await self._split(room, bridge)

    async def _split(self, room: Room, bridge: Bridge) -> None:
        """Move a channel back to its own room."""
        self._bridges.pop(bridge.channel, None)
        await self._read_unions()
        await self._settings_changes.change_holder(bridge.origin)
        channels = tuple(each for each in room.channels if each.id == bridge.channel)
        self._rooms.part(room, bridge.channel)
        if channels and self._open_new is not None:  # otherwise its platform adapter opens it later
            home_room = Room(bridge.home, bridge.origin, channels)
            home_room.live, room.live = room.live, None
            await self._restore(home_room, self._open_new)

    async def _restore(self, room: Room, open_new: Callable[[Room], Awaitable[None]]) -> None:
        """Open the room of a channel that has parted; until that works, none of its lines is taken."""
        try:
            await self.open(room, open_new)
        except (SQLAlchemyError, OSError) as error:
            log.warning("a room cannot be opened yet", room=room.id, why=repr(error))
            room.elsewhere = True
            self._rooms.open(room)
            self._watch.ring(RETRY_DELAY, partial(self._restore, room, open_new))
        else:
            room.elsewhere = False

    async def _read_unions(self) -> None:
        """Read the unions after a change of them; if that fails, they are read before the next line."""
        self._people.doubt()
        with suppress(SQLAlchemyError, OSError):
            await self._people.certain()

    def _announce(self, room: Room, message: str, bridge: Bridge) -> None:
        here = sorted(room.channels, key=lambda each: each.id != bridge.channel)  # the guest comes first
        chats: list[Argument] = [platform(each.platform) for each in here]
        chats.append(Message("bridge-other"))  # where one of the two is not connected
        args: Arguments = {"guest": chats[0], "host": chats[1]}
        self._outbox.say(room, [Say(Message(message, args), event=message)])


def _platforms(room: Room) -> set[str]:
    return {each.platform for each in room.channels}


def _require_not_stopped(*rooms: Room) -> None:
    """Check that games may be played: purses in doubt must not be mixed with others.

    Raises:
        Refusal: the games of a room are stopped.
    """
    for each in rooms:
        if each.stopped:
            raise Refusal(Message(each.stopped))


def _require_idle(room: Room) -> None:
    """Check that no table is open in a room.

    Raises:
        Refusal: a table is open; the message names its game.
    """
    table = next((each for each in room.tables.values() if not each.over), None)
    if table is not None:
        game = Message(f"game-{table.kit.name}")
        raise Refusal(Message("bridge-table", {"game": game, "word": table.kit.word}))
