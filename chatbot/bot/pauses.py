"""The cooldowns of games: when a game may be opened again, and that it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.say import Message, Say, Talk

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.kit import AnyKit
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch
    from chatbot.tables.events.publisher import Publisher


class Pauses:
    """The cooldowns of games: after the end of a table a game cannot be opened for a while."""

    def __init__(self, kits: Mapping[str, AnyKit], outbox: Outbox, watch: Watch, events: Publisher) -> None:
        self._kits, self._outbox, self._watch, self._events = kits, outbox, watch, events

    def left(self, room: Room, game: str) -> float:
        """Return the seconds until a game may be opened again."""
        return max(room.rested.get(game, 0.0) - self._watch.now(), 0.0)

    def begin(self, room: Room, kit: AnyKit, seconds: float) -> None:
        """Start the cooldown of a game."""
        until = room.rested[kit.name] = self._watch.now() + seconds
        self._watch.ring(seconds, lambda: self._ring(room, kit, until))

    async def wake(self, room: Room, game: str) -> None:
        """End the cooldown of a game now, if it has one."""
        if game in self._kits and self.left(room, game):
            room.rested.pop(game)
            self._announce(room, self._kits[game])

    async def _ring(self, room: Room, kit: AnyKit, until: float) -> None:
        """Announce the end of a cooldown, unless it was ended before, or another one was started.

        It is identified by its end rather than by comparing times: a coarse clock may call back early.
        """
        if room.rested.get(kit.name) == until:
            room.rested.pop(kit.name)
            self._announce(room, kit)

    def _announce(self, room: Room, kit: AnyKit) -> None:
        message = Message("rested", {"word": f"!{kit.word}", "game": Message(f"game-{kit.name}")})
        self._outbox.say(room, [Say(message, talk=Talk.NORMAL, game=kit.name, event="Rested")])
        self._events.rested(room, kit.name)
