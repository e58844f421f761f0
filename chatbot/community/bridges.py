"""Bridges: a channel of one platform joins a room of another, and both communities share wallets."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.community.linking import BRIDGE, new_change_set, platform, read_code, spend_code
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message, Say
from chatbot.ledger.codes import OneTimeCodes
from chatbot.ledger.unions import AlreadyUnited, Bridge
from chatbot.rooms.channel import Delivery
from chatbot.rooms.room import Room

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.say import Argument, Arguments
    from chatbot.ledger.people import People
    from chatbot.ledger.store.store import Store
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
        store: Store,
    ) -> None:
        self._unions, self._people, self._rooms = unions, people, rooms
        self._outbox, self._watch, self._settings_changes = outbox, watch, settings_changes
        self._bridges: dict[str, Bridge] = {}
        self._followed: dict[str, Bridge] | None = None  # those of which all that follows is done
        self._opening: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._codes = OneTimeCodes(store, watch, BRIDGE)
        self._open_new: Callable[[Room], Awaitable[None]] | None = None
        self.listeners: list[Callable[[], object]] = []  # called when this process has made or ended a bridge

    # Opening

    async def open(self, room: Room, open_new: Callable[[Room], Awaitable[None]]) -> Room:
        """Return the room that the first channel of `room` belongs to; `open_new` opens it if necessary."""
        self._open_new, self._bridges = open_new, await self._unions.bridges()
        if self._followed is None:
            self._followed = {**self._bridges}
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

    def origin(self, channel: str) -> str | None:
        """Return the community of a channel that has joined the room of another; None: it has not."""
        bridge = self._bridges.get(channel)
        return None if bridge is None else bridge.origin

    async def rooms(self) -> list[str]:
        """Return the sorted ids of the rooms that channels of other platforms have joined."""
        bridges = await self._unions.bridges()
        return sorted({each.room for each in bridges.values()})

    # Joining and leaving

    async def issue(self, request: Request) -> str:
        """Return a code by which a channel of another platform joins a room.

        Raises:
            Refusal: its games are stopped, and where they are not may know nothing of that.
        """
        room = request.room
        _require_not_stopped(room)
        host = json.dumps([room.id, room.community, sorted(_platforms(room))])
        return await self._codes.issue(room.id, host, request.line.account)

    async def join(self, request: Request, code: str) -> None:
        """Let the channel in which the code is typed join the room in which it was issued.

        That may be a room of another process, which learns of it by `follow`, as does whoever hears one of
        the channels.
        """
        guest, channel = request.room, request.line.channel
        if channel in self._bridges or len(guest.channels) > 1:
            raise Refusal(Message("bridge-already"))
        host_id, community, platforms = json.loads(await read_code(self._codes, request.line, code))
        host = self._rooms.get(host_id)
        if host is guest or {*platforms} & _platforms(guest):
            raise Refusal(Message("bridge-same-platform"))
        _require_not_stopped(guest, *([] if host is None else [host]))
        _require_idle(guest)
        await spend_code(self._codes, code, request.line.id)
        bridge = Bridge(channel, host_id, community, guest.id, guest.community)
        try:
            change_set = new_change_set(request, host_id, community, self._watch.date())
            made = await self._unions.unite(change_set, bridge, request.batch)
        except AlreadyUnited:
            if (await self._unions.bridges()).get(channel) != bridge:
                raise Refusal(Message("bridge-already")) from None
            made = True  # before, and the answer of the database was lost
        if made:
            await self._merge(guest, host, bridge, platforms)

    async def _merge(self, guest: Room, host: Room | None, bridge: Bridge, platforms: Sequence[str]) -> None:
        self._bridges[bridge.channel] = bridge
        if self._followed is not None:
            self._followed[bridge.channel] = bridge
        await self._read_unions()
        if host is None or host.elsewhere:
            # Its own channels are told by the process that runs it.
            self._outbox.say(guest, [_told("bridge-done", [*_platforms(guest), *platforms])])
        if host is None:
            await self._move([bridge], [])
        else:
            self._rooms.close(guest)
            self._rooms.join(host, guest.channels)
            host.live = guest.live if host.live is None else host.live
        if host is not None and not host.elsewhere:
            self._announce(host, "bridge-done", bridge)
        await self._settings_changes.change_holder(bridge.origin)  # the community may have other rooms
        self._changed()

    # What other processes have joined and parted

    async def follow(self) -> None:
        """Move channels to the rooms that they have joined, or were given back, by another process.

        Raises:
            SQLAlchemyError, OSError: the database does not answer.
        """
        self._bridges = await self._unions.bridges()
        former, self._followed = self._followed or {}, {**self._bridges}
        made = [each for each in self._bridges.values() if former.get(each.channel) != each]
        ended = [each for each in former.values() if self._bridges.get(each.channel) != each]
        await self._move(made, ended)
        for each in made:
            host = self._rooms.get(each.room)
            if host is not None and not host.elsewhere:
                self._tell_own(host, each)
        for origin in {each.origin for each in (*made, *ended)}:
            await self._settings_changes.change_holder(origin)

    async def _move(self, made: Sequence[Bridge], ended: Sequence[Bridge]) -> None:
        """Move the channels that are known here; a room that no channel is in is closed."""
        for bridge in ended:
            room = self._rooms.at(bridge.channel) if self._rooms.has(bridge.channel) else None
            if room is not None and room.id == bridge.room:
                await self._split_off(room, bridge)
        for bridge in made:
            room = self._rooms.at(bridge.channel) if self._rooms.has(bridge.channel) else None
            if room is not None and room.id != bridge.room and self._open_new is not None:
                channels = tuple(each for each in room.channels if each.id == bridge.channel)
                await self._restore(Room(bridge.home, bridge.origin, channels), self._open_new)
                self._rooms.close(room)  # only now: what is said meanwhile has a room

    def _tell_own(self, host: Room, bridge: Bridge) -> None:
        """Tell the channels of a room that another one has joined it; that one was told where it did."""
        own = [each for each in host.channels if each.id != bridge.channel]
        guest = next((each.platform for each in host.channels if each.id == bridge.channel), "")
        say = _told("bridge-done", [guest, *sorted({each.platform for each in own})])
        for each in own:
            text = self._outbox.text(say.message, each.manner.dress, host)
            self._outbox.sender.put(host, each, Delivery(each.id, text, None, (say,)), answer=False)

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
            change_set = new_change_set(request, room.id, room.community, self._watch.date(), bridge.channel)
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
        if self._followed is not None:
            self._followed.pop(bridge.channel, None)
        await self._read_unions()
        await self._settings_changes.change_holder(bridge.origin)
        await self._split_off(room, bridge)
        self._changed()

    async def _split_off(self, room: Room, bridge: Bridge) -> None:
        channels = tuple(each for each in room.channels if each.id == bridge.channel)
        self._rooms.part(room, bridge.channel)
        if channels and self._open_new is not None:  # otherwise its platform adapter opens it later
            home_room = Room(bridge.home, bridge.origin, channels)
            home_room.live, room.live = room.live, None
            await self._restore(home_room, self._open_new)

    def _changed(self) -> None:
        for listener in self.listeners:
            listener()

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
        self._outbox.say(room, [_told(message, [each.platform for each in here])])


def _told(message: str, platforms: Sequence[str]) -> Say:
    """Tell of a guest's platform and its host's; one that is not known here is called the other chat."""
    chats: list[Argument] = [platform(each) for each in platforms if each]
    chats.append(Message("bridge-other"))
    args: Arguments = {"guest": chats[0], "host": chats[1]}
    return Say(Message(message, args), event=message)


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
