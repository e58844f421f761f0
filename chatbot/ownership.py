"""Watches over the locks by which a process runs its rooms on a shared server.

If they are lost, another process may run the rooms: they stop at once. What nobody else has taken goes on as
soon as the server answers again, from the journals of its tables; the rest is left alone until that other
process ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.bot.house import House
    from chatbot.ledger.store.locks import RoomLocks
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.room import Room

EVERY = 3.0  # seconds between two looks; whatever is written looks, too
LOST = "games-lost"  # the message that says why nothing is played

log = structlog.get_logger(__name__)


class Ownership:
    """`tell` reaches the operator."""

    def __init__(self, claims: RoomLocks, house: House, watch: Watch, tell: Callable[[str], None]) -> None:
        self.claims, self.house, self.watch, self.tell = claims, house, watch, tell
        self._recovering = False

    def start(self) -> None:
        """Look after the locks, as long as the watch runs."""
        self.claims.when_lost = lambda: self.watch.ring(0.0, self._recover)
        self.watch.ring(EVERY, self._look)

    async def _look(self) -> None:
        self.watch.ring(EVERY, self._look)
        if not await self.claims.alive() or any(each.stopped == LOST for each in self._rooms()):
            await self._recover()

    async def _recover(self) -> None:
        """Stop what is lost, and go on with what is ours again."""
        if self._recovering:
            return
        self._recovering = True
        try:
            if self.claims.lost:
                await self._stop()
            await self._regain()
        finally:
            self._recovering = False

    async def _stop(self) -> None:
        rooms = [each for each in self._rooms() if each.stopped != LOST]
        if rooms:
            names = sorted(each.id for each in rooms)
            log.critical("the locks of rooms are lost, and their games stop", rooms=names)
            self.tell("The connection that holds our rooms was lost: their games stop until it is back.")
            await self.house.stop(rooms, LOST)

    async def _regain(self) -> None:
        try:
            await self.claims.regain()
            await self._part()
        except (SQLAlchemyError, OSError, TimeoutError) as error:  # the next look tries again
            log.warning("the rooms cannot be taken again yet", why=str(error))

    async def _part(self) -> None:
        """Go on with the rooms that are ours again, and leave those alone that another process has."""
        for room in self._rooms():
            if room.id in self.claims.held and room.stopped == LOST:
                room.elsewhere = False
                await self.house.resume(room)
                log.warning("a room is ours again", room=room.id)
            elif room.id not in self.claims.held and not room.elsewhere:
                room.elsewhere = True
                log.critical("a room is run by another process now", room=room.id)
                self.tell(f"The room {room.id} is run by another process now, and left to that one.")

    def _rooms(self) -> list[Room]:
        """List the open rooms that are held by locks."""
        return [each for each in self.house.rooms.values() if each.id in self.claims.wanted]
