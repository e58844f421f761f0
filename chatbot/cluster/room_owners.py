"""Finds the process that runs a room, for pages that show it wherever it runs."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from chatbot.cluster.carrier import Away
from chatbot.cluster.services import until
from chatbot.runtime.limits import remember

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from chatbot.bot.bot import Bot
    from chatbot.ledger.store.duties import Duties

OPENING = 1.5  # seconds in which a room is opened of which another process hears the channels
REMEMBERED = 10_000  # rooms whose communities are remembered, which never change


class RoomOwners:
    """Tells who runs which room.

    `partition` returns the duty with which a community is dealt, `is_here` whether it is dealt to this
    process, and `seek` asks all processes for the rooms of these ids that they hear, which opens them here.
    """

    def __init__(
        self,
        bot: Bot,
        process: int,
        duties: Duties,
        partition: Callable[[str], str],
        is_here: Callable[[str], bool],
        seek: Callable[[Collection[str]], object],
    ) -> None:
        self._bot, self._process, self._duties = bot, process, duties
        self._partition, self._is_here, self._seek = partition, is_here, seek
        self._communities: OrderedDict[str, str] = OrderedDict()  # by room

    def runs(self, room_id: str) -> bool:
        """Whether a room, or the one that its channel has joined, is open and run here."""
        rooms = self._bot.rooms
        room = rooms.get(room_id) or (rooms.at(room_id) if rooms.has(room_id) else None)
        return room is not None and not room.elsewhere

    async def of(self, room_id: str) -> int | None:
        """Return the process that runs a room; None: this one does, or nobody knows the room.

        Raises:
            Away: nobody runs it now.
            SQLAlchemyError, OSError: the database does not answer.
        """
        if self.runs(room_id):
            return None
        community = await self.community(room_id)
        if community is None:
            return None
        owner = self._duties.owners.get(self._partition(community))
        if owner == self._process and self._is_here(community):
            await self.bring_up(room_id)
            if self.runs(room_id) or room_id not in self._bot.rooms:
                return None
            raise Away("that room is not taken up yet")
        if owner == self._process:
            raise Away("that room is given to another process now")
        if owner is None or owner not in {each.id for each in self._duties.members}:
            raise Away("nobody runs that room now")
        return owner

    async def is_here(self, room_id: str) -> bool:
        """Whether this process is to run a room, which is opened if that is possible."""
        if self.runs(room_id):
            return True
        if not await self.is_dealt_here(room_id):
            return False
        await self.bring_up(room_id)
        return True

    async def is_dealt_here(self, room_id: str) -> bool:
        """Whether this process is to run a room, be it open or not."""
        community = await self.community(room_id)
        return community is not None and self._is_here(community)

    async def bring_up(self, room_id: str) -> None:
        """Wait a moment until a room that is to be run here is open."""
        if room_id not in self._bot.rooms:
            self._seek([room_id])
        await until(lambda: self.runs(room_id), OPENING)

    def others(self) -> list[int]:
        """Return the other processes."""
        return [each.id for each in self._duties.members if each.id != self._process]

    async def community(self, room_id: str) -> str | None:
        """Return the community of a room; None: there is no such room."""
        room = self._bot.rooms.get(room_id)
        if room is not None:
            return room.community
        if room_id not in self._communities:
            known = await self._bot.parts.known_rooms.of(room_id)
            if known is None:
                return None
            remember(self._communities, room_id, known.community, REMEMBERED)
        return self._communities[room_id]
