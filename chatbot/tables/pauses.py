"""The rest that a game keeps in a room after each of its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.say import Message, Say, Talk

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.kernel.kit import AnyKit
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.room import Room
    from chatbot.speech.outbox import Outbox
    from chatbot.tables.events.publisher import Publisher


class Pauses:
    def __init__(self, kits: Mapping[str, AnyKit], outbox: Outbox, watch: Watch, events: Publisher) -> None:
        self._kits, self._outbox, self._watch, self._events = kits, outbox, watch, events

    def left(self, room: Room, game: str) -> float:
        """Tell the seconds until a game may be opened again."""
        return max(room.rested.get(game, 0.0) - self._watch.now(), 0.0)

    def begin(self, room: Room, kit: AnyKit, seconds: float) -> None:
        until = room.rested[kit.name] = self._watch.now() + seconds
        self._watch.ring(seconds, lambda: self._ring(room, kit, until))

    async def wake(self, room: Room, game: str) -> None:
        """End a rest now."""
        if game in self._kits and self.left(room, game):
            room.rested.pop(game)
            self._tell(room, self._kits[game])

    async def _ring(self, room: Room, kit: AnyKit, until: float) -> None:
        """Say that a rest is over, unless somebody ended it before, or another one has begun.

        It is known by its end, and not by the time: where a clock is coarse, an alarm rings a little early.
        """
        if room.rested.get(kit.name) == until:
            room.rested.pop(kit.name)
            self._tell(room, kit)

    def _tell(self, room: Room, kit: AnyKit) -> None:
        message = Message("rested", {"word": f"!{kit.word}", "game": Message(f"game-{kit.name}")})
        self._outbox.say(room, [Say(message, talk=Talk.NORMAL, game=kit.name, event="Rested")])
        self._events.rested(room, kit.name)
