"""What happens in a channel besides talk: streams begin and end, people follow, subscribe, cheer and raid."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.say import Message, Name, Say, Talk
from chatbot.live.room import Happening

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Arguments
    from chatbot.live.ears import Ears
    from chatbot.live.guests import Guests
    from chatbot.live.outbox import Outbox
    from chatbot.live.room import Occasion, Room
    from chatbot.live.watch import Watch

    Listener: TypeAlias = Callable[[Room, Occasion], Awaitable[None]]

_STREAM = {Happening.ONLINE: True, Happening.OFFLINE: False}

AGAIN = 30.0  # seconds until an occasion that the database could not note is tried again

log = structlog.get_logger(__name__)


class Occasions:
    """Takes every occasion in once, across restarts too, and hands it to whoever listens."""

    def __init__(self, ears: Ears, guests: Guests, outbox: Outbox, watch: Watch) -> None:
        self._ears, self._guests, self._outbox, self._watch = ears, guests, outbox, watch
        self.listeners: list[Listener] = []

    async def take(self, room: Room, occasion: Occasion) -> None:
        if not self._ears.fresh(occasion.id):
            return
        room.live = _STREAM.get(occasion.kind, room.live)  # known, but from before a restart: still so
        await self._take(room, occasion)

    async def _take(self, room: Room, occasion: Occasion) -> None:
        """Hand an occasion on, as soon as the database can say that nobody has."""
        try:
            if occasion.account is not None:
                await self._guests.people.settle([occasion.account])
            first = await self._ears.first(occasion.id)
        except (SQLAlchemyError, OSError) as error:
            log.warning("an occasion waits for the database", occasion=occasion.id, error=str(error))
            self._watch.ring(AGAIN, partial(self._take, room, occasion))
            return
        if first:
            await self._hand_on(room, self._guests.kin.happened(occasion))

    async def _hand_on(self, room: Room, occasion: Occasion) -> None:
        if occasion.kind is Happening.RAID and occasion.seat is not None:
            self._greet(room, occasion.seat, occasion)
        for listener in self.listeners:
            try:
                await listener(room, occasion)
            except Exception:
                log.exception("an occasion was not taken up", room=room.id, occasion=occasion.id)

    def _greet(self, room: Room, raider: Seat, occasion: Occasion) -> None:
        self._guests.meet(raider, occasion.name)
        args: Arguments = {"who": Name(raider), "raiders": occasion.amount}
        self._outbox.say(room, [Say(Message("raid-welcome", args), talk=Talk.NORMAL, event="Raided")])
