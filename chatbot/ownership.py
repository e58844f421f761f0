"""Stops the rooms of homes whose leases are lost, and resumes those that are taken again.

If a lease is lost, another process may run the rooms, so that they stop at once. Rooms that no other process
has taken are resumed from the journals of their tables when the database answers again; the others wait until
that process gives them back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.ledger.store.engines import reason
from chatbot.runtime.periodic import Periodic

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.bot.bot import Bot
    from chatbot.ledger.store.leases import Leases
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch

CHECK_INTERVAL = 3.0  # seconds between two attempts to take again what is lost
LOST = "games-lost"  # the message that says why games are stopped

log = structlog.get_logger(__name__)


class Ownership:
    """Stops rooms whose leases are lost, and resumes those that are regained.

    `tell` shows a sentence to the operator.
    """

    def __init__(self, leases: Leases, bot: Bot, watch: Watch, tell: Callable[[str], None]) -> None:
        self.leases, self.bot, self.watch, self.tell = leases, bot, watch, tell
        self._checks = Periodic(watch, CHECK_INTERVAL, self._check)
        self._recovering = False
        self._complaint = ""  # why the rooms could not be taken again the last time

    def start(self) -> None:
        """Stop rooms as soon as their leases are lost, and try regularly to take them again."""
        self.leases.when_lost = lambda: self.watch.ring(0.0, self._recover)
        self._checks.start()

    async def _check(self) -> None:
        if self.leases.lost or any(each.stopped == LOST for each in self._rooms()):
            await self._recover()

    async def _recover(self) -> None:
        """Stop the rooms whose leases are lost, and try to regain them."""
        if self._recovering:
            return
        self._recovering = True
        try:
            await self._stop()
            await self._regain()
        finally:
            self._recovering = False

    async def _stop(self) -> None:
        rooms = [
            each for each in self._rooms() if each.community not in self.leases.held and each.stopped != LOST
        ]
        if rooms:
            log.critical("the games of rooms stop", rooms=sorted(each.id for each in rooms))
            self.tell("The lease of our rooms was lost: their games stop until we have it again.")
            await self.bot.control.stop(rooms, LOST)

    async def _regain(self) -> None:
        try:
            await self.leases.regain()
            await self._resume_or_leave()
        except (SQLAlchemyError, OSError, TimeoutError) as error:  # the next check tries again
            self._complain(reason(error))
        else:
            self._complaint = ""

    def _complain(self, why: str) -> None:
        """Log why the rooms cannot be taken again: once, though it is tried every few seconds."""
        if why != self._complaint:
            log.warning("the rooms cannot be taken again yet", why=why)
        self._complaint = why

    async def _resume_or_leave(self) -> None:
        """Resume the rooms that are ours again, and leave those to another process that it has."""
        regained: list[Room] = []
        for room in self._rooms():
            if room.community in self.leases.held and room.stopped == LOST:
                room.elsewhere = False
                await self.bot.control.resume(room)
                log.warning("a room is ours again", room=room.id)
                regained.append(room)
            elif room.community not in self.leases.held and not room.elsewhere:
                room.elsewhere = True
                log.critical("a room is run by another process now", room=room.id)
                self.tell(f"The room {room.id} is run by another process now, and left to that one.")
        room_ids = sorted(each.id for each in regained if each.lost)
        if room_ids:
            rooms = ", ".join(room_ids)
            self.tell(
                f"The rooms are ours again, but games cannot be taken up yet; it is tried again: {rooms}."
            )
        elif any(not each.stopped for each in regained):
            self.tell("The rooms are ours again, and their games go on.")

    def _rooms(self) -> list[Room]:
        """Return the open rooms that need a lease."""
        return [each for each in self.bot.rooms.values() if each.community in self.leases.wanted]
