"""One person with several seats speaks as one: as that which sits at a table, or else as the root of all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat
    from chatbot.live.room import Line, Occasion, Room
    from chatbot.wallets.identities import Identities


class Kin:
    def __init__(self, identities: Identities) -> None:
        self.identities = identities

    def seats(self, seat: Seat) -> list[Seat]:
        """List all seats of a person, this one first."""
        root = self.identities.root(seat)
        return list(dict.fromkeys((seat, root, *self.identities.seats(root))))

    def present(self, room: Room, seat: Seat) -> Seat:
        """Give the seat as which somebody acts in a room: a table that stands knows them by their former."""
        seats = self.seats(seat)
        if len(seats) == 1:
            return seat
        taken = [each for each in seats if _sits(room, each)]
        return taken[0] if taken else self.identities.root(seat)

    def spoken(self, room: Room, line: Line) -> Line:
        """Let a line be that of whom its speaker acts as."""
        seat, kin = self.present(room, line.seat), frozenset(self.seats(line.seat))
        by = line.by if seat == line.seat else line.seat
        return line if kin == {line.seat} else replace(line, seat=seat, by=by, kin=kin)

    def happened(self, occasion: Occasion) -> Occasion:
        """Let an occasion be that of its person."""
        if occasion.seat is None or not self.identities.linked(occasion.seat):
            return occasion
        return replace(occasion, seat=self.identities.root(occasion.seat), by=occasion.seat)


def _sits(room: Room, seat: Seat) -> bool:
    return any(seat in table.seated for table in room.tables.values() if not table.over)
