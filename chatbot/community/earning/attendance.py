"""Who was here: counted in memory, and written down every few minutes rather than with every line."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.ledger.members import Sighting
from chatbot.settings.lists import raised

if TYPE_CHECKING:
    from collections.abc import Collection

    from chatbot.community.members import LinkedAccounts
    from chatbot.kernel.game import Role, Seat
    from chatbot.ledger.members import Presence
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.room import Line, Room

MOST = 50_000  # members whose presence waits to be written; more would be a database that is long gone

log = structlog.get_logger(__name__)


class Attendance:
    def __init__(self, presence: Presence, linked_accounts: LinkedAccounts, watch: Watch) -> None:
        self._presence, self._linked_accounts, self._watch = presence, linked_accounts, watch
        self._seen: dict[tuple[str, Seat], Sighting] = {}

    def spoke(self, room: Room, line: Line) -> None:
        """Count a message; what the platform says of its writer is true until they are heard again.

        What is whispered comes without any badge.
        """
        former = self._former(room, line.seat)
        roles = former.roles if line.private else line.roles
        self._keep(replace(former, messages=former.messages + 1, roles=roles))

    def watched(self, room: Room, seat: Seat, minutes: int) -> None:
        former = self._former(room, seat)
        self._keep(replace(former, minutes=former.minutes + minutes))

    async def roles(self, room: Room, seats: Collection[Seat]) -> dict[Seat, frozenset[Role]]:
        """Tell as what members were seen last, and what the keepers call them."""
        stored = await self._presence.several(room.community, seats)
        found = {}
        for seat in seats:
            sighting = self._seen.get((room.community, seat))
            roles = None if sighting is None else sighting.roles
            if roles is None:
                roles = stored[seat].roles if seat in stored else frozenset()
            found[seat] = raised(room, self._linked_accounts.people.accounts(seat), roles)
        return found

    async def flush(self) -> None:
        """Write down what was counted; what cannot be written now waits."""
        seen, self._seen = self._seen, {}
        try:
            await self._presence.add([*seen.values()])
        except (SQLAlchemyError, OSError):
            log.exception("who was here could not be written down", members=len(seen))
            for each in seen.values():
                self._take_back(each)

    def _former(self, room: Room, seat: Seat) -> Sighting:
        new = Sighting(room.community, seat, self._watch.date())
        return self._seen.get((room.community, seat), new)

    def _keep(self, sighting: Sighting) -> None:
        key = sighting.community, sighting.seat
        if key in self._seen or len(self._seen) < MOST:
            self._seen[key] = sighting

    def _take_back(self, sighting: Sighting) -> None:
        later = self._seen.get((sighting.community, sighting.seat))
        if later is not None:
            minutes, messages = sighting.minutes + later.minutes, sighting.messages + later.messages
            roles = sighting.roles if later.roles is None else later.roles
            sighting = replace(sighting, minutes=minutes, messages=messages, roles=roles)
        self._keep(sighting)
