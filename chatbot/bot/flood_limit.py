"""Lets so many commands of one member through, and so many waiting ones of one room: a flood ends here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from chatbot.rooms.rates import Allowances

if TYPE_CHECKING:
    from chatbot.ledger.people import Account
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.room import Room

BURST, RATE = 20.0, 2.0  # commands of a member: at once, and a second
WAITING = 20_000  # lines of a room that may wait to be answered: a raid is no flood
NOTED = 60.0  # seconds between two notes in the log

log = structlog.get_logger(__name__)


class FloodLimit:
    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._allowances = Allowances(watch, BURST, RATE)
        self._waiting: dict[str, int] = {}
        self._dropped, self._noted = 0, -NOTED

    def admits(self, room: Room, account: Account, *, command: bool) -> bool:
        """Whether a line may be taken in; if so, `leave` must be told when it has been answered."""
        waiting = self._waiting.get(room.id, 0)
        if waiting >= WAITING or (command and not self._allowances.take(account)):
            self._drop(room)
            return False
        self._waiting[room.id] = waiting + 1
        return True

    def leave(self, room: Room) -> None:
        self._waiting[room.id] -= 1
        if not self._waiting[room.id]:
            del self._waiting[room.id]

    def _drop(self, room: Room) -> None:
        self._dropped += 1
        if self._watch.now() >= self._noted + NOTED:
            log.warning("lines of a flood were not heard", room=room.id, lines=self._dropped)
            self._dropped, self._noted = 0, self._watch.now()
