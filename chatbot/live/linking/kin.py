"""One person with several accounts speaks as one: as who sits at a table, or else as the root of all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chatbot.kernel.game import Seat

if TYPE_CHECKING:
    from chatbot.ledger.people import Account, People
    from chatbot.live.room import Line, Occasion, Room


class Kin:
    def __init__(self, people: People) -> None:
        self.people = people

    def seats(self, seat: Seat) -> list[Seat]:
        """List all who are one with somebody, who comes first."""
        root = self.people.root(seat)
        return list(dict.fromkeys((seat, root, *self.people.seats(root))))

    def present(self, room: Room, seat: Seat) -> Seat:
        """Give the seat as which somebody acts in a room: a table that stands knows them by their former."""
        seats = self.seats(seat)
        if len(seats) == 1:
            return seat
        taken = [each for each in seats if sits(room, each)]
        return taken[0] if taken else self.people.root(seat)

    def at(self, room: Room, account: Account) -> Seat:
        """Give the seat as which an account acts in a room; one that was not met is seated nowhere."""
        if not self.people.met(account):
            return stranger(account)
        return self.present(room, self.people.home(account))

    def spoken(self, room: Room, line: Line) -> Line:
        """Tell of a line who its speaker is."""
        if not self.people.met(line.account):
            unknown = stranger(line.account)
            return replace(line, seat=unknown, home=unknown, kin=frozenset({unknown}))
        home = self.people.home(line.account)
        if not self.people.tied(home):
            return replace(line, seat=home, home=home, kin=frozenset({home}), accounts=(line.account,))
        kin, accounts = frozenset(self.seats(home)), tuple(self.people.accounts(home))
        return replace(line, seat=self.present(room, home), home=home, kin=kin, accounts=accounts)

    def happened(self, occasion: Occasion) -> Occasion:
        """Tell of an occasion whose it is."""
        if occasion.account is None:
            return occasion
        home = self.people.home(occasion.account)
        return replace(occasion, seat=self.people.root(home), home=home)


def stranger(account: Account) -> Seat:
    """Give a seat for an account while it cannot be looked up: nobody ever sits so."""
    return Seat(f"unknown:{account}")


def sits(room: Room, seat: Seat) -> bool:
    """Whether somebody plays in a room."""
    return any(seat in table.seated for table in room.tables.values() if not table.over)
