"""What happens in a channel besides talk: streams begin and end, people follow, subscribe, cheer and raid."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import structlog

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

    Listener: TypeAlias = Callable[[Room, Occasion], Awaitable[None]]

_STREAM = {Happening.ONLINE: True, Happening.OFFLINE: False}

log = structlog.get_logger(__name__)


class Occasions:
    """Takes every occasion in once, across restarts too, and hands it to whoever listens."""

    def __init__(self, ears: Ears, guests: Guests, outbox: Outbox) -> None:
        self._ears, self._guests, self._outbox = ears, guests, outbox
        self.listeners: list[Listener] = []

    async def take(self, room: Room, occasion: Occasion) -> None:
        if not self._ears.fresh(occasion.id):
            return
        room.live = _STREAM.get(occasion.kind, room.live)  # known, but from before a restart: still so
        if not await self._ears.first(occasion.id):
            return
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
