"""The chat of one platform joins a room of another, with one purse for both communities. `!bridge`."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from chatbot.community.linking import Codes, begun, manner, platform
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.kit import Kind, Option
from chatbot.kernel.say import Message, Say
from chatbot.ledger.unions import Bridge, United
from chatbot.rooms.request import Service, usage
from chatbot.rooms.room import Privacy, Room

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from chatbot.kernel.say import Arguments
    from chatbot.ledger.people import People
    from chatbot.ledger.unions import Unions
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.request import Request
    from chatbot.rooms.room import Rooms
    from chatbot.settings.changes import SettingsChanges
    from chatbot.speech.outbox import Outbox

END = "end"
ARGUMENTS = f"[CODE|{END}]"


class Bridges:
    """Knows whose room a channel is in, and opens each room once, whichever of its channels comes first."""

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
        self._codes: Codes[str] = Codes(watch)  # of rooms
        self._first: Callable[[Room], Awaitable[None]] | None = None
        code = Option("code", Kind.WORD)
        self.services = (Service("bridge", self._bridge, ARGUMENTS, Role.BROADCASTER, (code,)),)

    # Opening

    async def open(self, room: Room, first: Callable[[Room], Awaitable[None]]) -> Room:
        """Give the room that a channel is in; `first` opens one that is not open yet."""
        self._first, self._bridges = first, await self._unions.bridges()
        bridge = self._bridges.get(room.channels[0].id)
        name = room.id if bridge is None else bridge.room
        async with self._opening[name]:
            standing = self._rooms.get(name)
            if standing is not None and standing is not room:
                self._rooms.join(standing, room.channels)
                return standing
            if bridge is not None and room.id != name:
                room = Room(name, bridge.community, room.channels)
            await first(room)
            return room

    def holder(self, community: str) -> str:
        """Name the community that holds the wallets of this one: another's, while the two are united."""
        held = {each.origin: each.community for each in self._bridges.values()}
        return held.get(community, community)

    async def rooms(self) -> list[str]:
        """List the rooms which chats of other platforms have joined."""
        bridges = await self._unions.bridges()
        return sorted({each.room for each in bridges.values()})

    # Commands

    async def _bridge(self, asked: Request) -> Sequence[Say]:
        if len(asked.words) > 1:
            raise usage("bridge", ARGUMENTS)
        if not manner(asked).vouches:
            raise Refusal(Message("bridge-not-here"))
        if not asked.words:
            return [self._issue(asked)]
        if asked.words[0].lower() == END:
            await self._part(asked)
        else:
            await self._join(asked, asked.words[0])
        return []

    def _issue(self, asked: Request) -> Say:
        """Tell a code to the moderator alone."""
        if manner(asked).private is not Privacy.ALL:
            raise Refusal(Message("bridge-elsewhere"))
        code = self._codes.issue(asked.room.id, asked.room.id)
        return replace(asked.whisper(Message("bridge-code", {"code": code})), secret=True)

    async def _join(self, asked: Request, code: str) -> None:
        """Let the channel in which the code is typed join the room from which it comes."""
        guest, channel = asked.room, asked.line.channel
        if channel in self._bridges or len(guest.channels) > 1:
            raise Refusal(Message("bridge-already"))
        host = self._rooms.get(self._codes.read(asked.line.account, code))
        if host is None:
            raise Refusal(Message("code-wrong"))
        if host is guest or _platforms(host) & _platforms(guest):
            raise Refusal(Message("bridge-same-platform"))
        _require_going(guest, host)
        _require_idle(guest)
        bridge = Bridge(channel, host.id, host.community, guest.id, guest.community)
        try:
            made = await self._unions.unite(begun(asked, host, self._watch.date()), bridge)
        except United:
            raise Refusal(Message("bridge-already")) from None
        self._codes.spend(code)
        if made:
            await self._go_over(guest, host, bridge)

    async def _go_over(self, guest: Room, host: Room, bridge: Bridge) -> None:
        self._bridges[bridge.channel] = bridge
        await self._people.load()
        self._rooms.close(guest)
        self._rooms.join(host, guest.channels)
        host.live = guest.live if host.live is None else host.live
        self._tell(host, "bridge-done", bridge)
        await self._settings_changes.move(bridge.origin)  # it may have other rooms

    async def _part(self, asked: Request) -> None:
        """Let a channel have a room of its own again; typed in the host's chat, all that have joined."""
        room, channel = asked.room, asked.line.channel
        joined = [each for each in self._bridges.values() if each.room == room.id]
        parting = [each for each in joined if each.channel == channel] or joined
        if not parting:
            raise Refusal(Message("bridge-none"))
        _require_going(room)
        _require_idle(room)
        for bridge in parting:
            if await self._unions.part(begun(asked, room, self._watch.date(), bridge.channel), bridge):
                self._tell(room, "bridge-ended", bridge)
                await self._go_home(room, bridge)

    async def _go_home(self, room: Room, bridge: Bridge) -> None:
        """Give a channel the room that it has by itself."""
        del self._bridges[bridge.channel]
        await self._people.load()
        await self._settings_changes.move(bridge.origin)
        channels = tuple(each for each in room.channels if each.id == bridge.channel)
        self._rooms.part(room, bridge.channel)
        if channels and self._first is not None:  # else its door will open it
            own = Room(bridge.home, bridge.origin, channels)
            own.live, room.live = room.live, None
            await self.open(own, self._first)

    def _tell(self, room: Room, message: str, bridge: Bridge) -> None:
        there = {each.id: platform(each.platform) for each in room.channels}
        guest = there.pop(bridge.channel)
        args: Arguments = {"host": next(iter(there.values()), guest), "guest": guest}
        self._outbox.say(room, [Say(Message(message, args), event=message)])


def _platforms(room: Room) -> set[str]:
    return {each.platform for each in room.channels}


def _require_going(*rooms: Room) -> None:
    """Demand that games may be played: a doubt about the purses of one must not pass to the other's.

    Raises:
        Refusal: they are stopped.
    """
    for each in rooms:
        if each.stopped:
            raise Refusal(Message(each.stopped))


def _require_idle(room: Room) -> None:
    """Demand that nothing is played in a room.

    Raises:
        Refusal: something is; it says what.
    """
    table = next((each for each in room.tables.values() if not each.over), None)
    if table is not None:
        game = Message(f"game-{table.kit.name}")
        raise Refusal(Message("bridge-table", {"game": game, "word": table.kit.word}))
