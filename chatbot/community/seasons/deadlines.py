"""Ends seasons of days on time, also those whose time came while the bot was away."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chatbot.community.seasons.calendar import plan_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.community.seasons.calendar import Calendar
    from chatbot.kernel.kit import AnyKit
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.room import Room
    from chatbot.speech.outbox import Outbox

HOUR = 3600.0  # seconds after which a room is looked at again, for its settings may have changed


class Deadlines:
    def __init__(self, kits: Mapping[str, AnyKit], calendar: Calendar, outbox: Outbox, watch: Watch) -> None:
        self._kits, self._calendar, self._outbox, self._watch = kits, calendar, outbox, watch
        self._rooms: set[str] = set()

    def watch_over(self, room: Room) -> None:
        """Look at a room's seasons now, and whenever one may end."""
        if room.id not in self._rooms:
            self._rooms.add(room.id)
            self._watch.ring(0.0, partial(self._look, room))

    async def _look(self, room: Room) -> None:
        left = HOUR
        try:
            async with room.order:
                left = min([HOUR, *[await self._end_due(room, kit) for kit in self._kits.values()]])
        finally:
            self._watch.ring(left, partial(self._look, room))

    async def _end_due(self, room: Room, kit: AnyKit) -> float:
        """End a season whose days are over; tell after how many seconds to look again."""
        plan = plan_of(room, kit)
        if plan is None or not plan.days or room.stopped:
            return HOUR
        season = await self._calendar.current(room, kit)
        left = self._calendar.left(plan, season)
        if left:
            return left
        if not room.playing(kit.name):  # else it ends with that table
            hand = self._calendar.ends.of_itself(room, kit.name, season)
            self._outbox.say(room, await self._calendar.end(hand, kit, plan, season.number))
        return HOUR
