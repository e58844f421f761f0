"""The end of the bot: what it still answers when it is asked to stop, and what a room is told of the rest.

No platform delivers a line again. So the first that wait are answered for `HEARING` seconds, as many as are
handled at once, and of the rest each room is told once how much it was; whatever had begun is finished. The
times add up to well below the five seconds in which the program must be gone, for platforms are left after
that.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

import structlog

from chatbot.kernel.say import Message, Say
from chatbot.rooms.channel import Delivery
from chatbot.rooms.inbox import FEW, MOST_HANDLED
from chatbot.rooms.line import is_command

if TYPE_CHECKING:
    from chatbot.delivery.outbox import Outbox
    from chatbot.rooms.channel import Channel
    from chatbot.rooms.line import Line
    from chatbot.rooms.registry import Rooms
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch
    from chatbot.runtime.shielded import ShieldedWork

HEARING = 0.7  # seconds for which lines that wait are still answered
FINISHING = 0.6  # seconds more for what had begun by then
TELLING = 0.5  # seconds in which the rooms are told
UNHEARD = "Unheard"  # the event of that message, which no other one delays

log = structlog.get_logger(__name__)


class Shutdown:
    """Knows whether the bot is stopping, and counts the commands of each room that it does not answer."""

    def __init__(self, rooms: Rooms, outbox: Outbox, watch: Watch) -> None:
        self._rooms, self._outbox, self._watch = rooms, outbox, watch
        self._unanswered = Counter[str]()  # by the id of the room
        self.begun = False  # no line is accepted any more
        self.refusing = False  # what was accepted, and is not being answered yet, will not be

    def skip(self, room: Room, line: Line) -> None:
        """Count a line that is not answered; talk needs no answer."""
        if is_command(line):
            self._unanswered[room.id] += 1

    async def conclude(self, work: ShieldedWork) -> None:
        """Accept nothing more, end the work, and tell the rooms."""
        self.begun = True
        # A flood would be answered until the last moment, and the telling of its answers would take the time
        # in which the rooms are told, and the platforms left.
        inbox_count = sum(1 for _, inbox in self._rooms.inboxes() if len(inbox))
        self._give_up(max(FEW, (MOST_HANDLED - self._rooms.load.handled) // max(inbox_count, 1)))
        await self._finish(work)
        await self._tell()

    async def _finish(self, work: ShieldedWork) -> None:
        """Wait for the work; after a while nothing more of it begins, and later it is not waited for."""
        left = asyncio.Event()

        async def refuse() -> None:
            self._refuse()

        async def leave() -> None:
            left.set()

        alarms = self._watch.ring(HEARING, refuse), self._watch.ring(HEARING + FINISHING, leave)
        settling, leaving = asyncio.ensure_future(work.settle()), asyncio.ensure_future(left.wait())
        await asyncio.wait([settling, leaving], return_when=asyncio.FIRST_COMPLETED)
        self._refuse()
        for each in alarms:
            each.cancel()
        for task in (settling, leaving):
            task.cancel()

    def _refuse(self) -> None:
        """Refuse all lines that wait at once, so that none of them takes any of the time that is left."""
        self.refusing = True
        self._give_up(0)

    def _give_up(self, keep: int) -> None:
        """Refuse what waits, but for the first lines of each room."""
        for room, inbox in self._rooms.inboxes():
            for line in inbox.clear(keep):
                if room is not None and not line.is_talk:
                    self._unanswered[room.id] += 1
                line.refuse()

    async def _tell(self) -> None:
        rooms = [(self._rooms[room], count) for room, count in self._unanswered.items() if count]
        sending = [
            asyncio.ensure_future(self._say(room, channel, count))
            for room, count in rooms
            for channel in room.channels
        ]
        for room, count in rooms:
            log.warning("commands were not heard, for the bot is stopping", room=room.id, commands=count)
        if sending:
            _, late = await asyncio.wait(sending, timeout=TELLING)
            for task in late:
                task.cancel()

    async def _say(self, room: Room, channel: Channel, count: int) -> None:
        """Send the message directly: behind what else is to be said there it would come too late."""
        message = Message("stopping-unheard", {"count": count})
        text = self._outbox.text(message, channel.manner.dress, room)
        delivery = Delivery(channel.id, text, None, (Say(message, event=UNHEARD),))
        try:
            await channel.adapter.send(delivery)
        except Exception:
            log.exception("a room could not be told that the bot is stopping", channel=channel.id)
