"""Who is one person on several platforms: seats that were proved to be the same, in memory and in a table.

Of the seats of one person one is the root: whose purse, name and records all of them use.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.kernel.game import Seat
from chatbot.wallets import schema

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chatbot.wallets.store import Store


@dataclass(frozen=True, slots=True)
class Tie:
    """A seat that is, or once was, linked to a root."""

    seat: Seat
    root: Seat
    linked: bool


class Identities:
    """What is in memory is as of the last `load`; the ledger asks the table itself."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._ties: dict[Seat, Tie] = {}
        self._seats: dict[Seat, set[Seat]] = {}  # linked now, by root
        self._ever: dict[Seat, set[Seat]] = {}  # linked now or once, by the last root
        self._unions: dict[str, str] = {}

    async def load(self) -> None:
        row = schema.identity.c
        async with self._store.reading() as connection:
            found = await connection.execute(select(row.seat, row.root, row.linked))
            ties = [Tie(Seat(seat), Seat(root), bool(linked)) for seat, root, linked in found]
            unions = await connection.execute(select(schema.union.c.community, schema.union.c.target))
            self._unions = {community: target for community, target in unions}  # noqa: C416
        self._ties, self._seats, self._ever = {}, {}, {}
        for tie in ties:
            self.note(tie)

    def note(self, tie: Tie) -> None:
        """Take over what was just written."""
        self._seats.get(self.root(tie.seat), set()).discard(tie.seat)
        self._ever.get(self.person(tie.seat), set()).discard(tie.seat)
        self._ties[tie.seat] = tie
        self._ever.setdefault(tie.root, set()).add(tie.seat)
        if tie.linked:
            self._seats.setdefault(tie.root, set()).add(tie.seat)

    def linked(self, seat: Seat) -> bool:
        """Whether a seat uses the purse of another now."""
        return seat in self._ties and self._ties[seat].linked

    def root(self, seat: Seat) -> Seat:
        """Give the seat whose purse this one uses now: its own unless it is linked."""
        return self._ties[seat].root if self.linked(seat) else seat

    def person(self, seat: Seat) -> Seat:
        """Give the seat whose limits count for this one: a link that was taken back still does."""
        return self._ties[seat].root if seat in self._ties else seat

    def seats(self, root: Seat) -> list[Seat]:
        """List the seats that use a root's purse now, without itself."""
        return sorted(self._seats.get(root, ()))

    def everyone(self, seat: Seat) -> list[Seat]:
        """List all seats whose limits are one with this one's, itself among them."""
        root = self.person(seat)
        return sorted({seat, root, *self._ever.get(root, ())})

    def community(self, community: str) -> str:
        """Give the community that holds the wallets of this one: itself unless it is united with another."""
        return self._unions.get(community, community)

    def united(self, community: str) -> list[str]:
        """List the communities that are one with this one, itself among them."""
        holder = self.community(community)
        return sorted({holder, *(each for each, target in self._unions.items() if target == holder)})

    def known_as(self, seat: Seat, platform: str) -> Seat | None:
        """Give the seat that somebody has on a platform, if they have one there."""
        own = (self.root(seat), *self.seats(self.root(seat)))
        return _first(own, platform)


def _first(seats: Iterable[Seat], platform: str) -> Seat | None:
    return next((each for each in seats if each.partition(":")[0] == platform), None)
