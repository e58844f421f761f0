"""Which persons are linked, and which communities are united, as far as links and unions are in memory.

A person who is linked to another, the root, uses the wallet, name and records of the root. Limits are shared
by all who were ever linked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.kernel.game import Seat
from chatbot.ledger.books import purses
from chatbot.ledger.store import schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.purses import Purse

_person, _union = schema.person.c, schema.union.c


@dataclass(frozen=True, slots=True)
class Tie:
    """A person who is linked to another, the root, or was unlinked from it."""

    seat: Seat
    root: Seat
    linked: bool


class Ties:
    """The links and unions as they were last read, with those that were written since."""

    def __init__(self) -> None:
        self._read: set[Tie] = set()  # by the last `replace`
        self._ties: dict[Seat, Tie] = {}
        self._seats: dict[Seat, set[Seat]] = {}  # linked now, by root
        self._tied: dict[Seat, set[Seat]] = {}  # persons with a direct link, present or former
        self._unions: Mapping[str, str] = {}

    def replace(self, ties: Iterable[Tie], unions: Mapping[str, str]) -> set[Seat]:
        """Take over what was read; return the persons whose links have changed."""
        ties = list(ties)
        changed, self._read = set(ties) - self._read, set(ties)
        self._ties, self._seats, self._tied, self._unions = {}, {}, {}, unions
        for tie in ties:
            self.add(tie)
        return {each for tie in changed for each in self.everyone(tie.root)}

    def add(self, tie: Tie) -> None:
        """Add a link, or an unlinking."""
        self._seats.get(self.root(tie.seat), set()).discard(tie.seat)
        self._ties[tie.seat] = tie
        self._tied.setdefault(tie.root, set()).add(tie.seat)
        self._tied.setdefault(tie.seat, set()).add(tie.root)
        if tie.linked:
            self._seats.setdefault(tie.root, set()).add(tie.seat)

    def tied(self, seat: Seat) -> bool:
        """Return whether a person has a link, present or former."""
        return seat in self._tied

    def linked(self, seat: Seat) -> bool:
        """Return whether a person uses the wallet of another now."""
        return seat in self._ties and self._ties[seat].linked

    def root(self, seat: Seat) -> Seat:
        """Return the person whose wallet this one uses: themselves unless they are linked."""
        tie = self._ties.get(seat)
        return seat if tie is None or not tie.linked else tie.root

    def person(self, seat: Seat) -> Seat:
        """Return the person whose limits apply to this one, which a former link still determines."""
        return self._ties[seat].root if seat in self._ties else seat

    def seats(self, root: Seat) -> list[Seat]:
        """List the persons who are linked to a root now, without itself."""
        return sorted(self._seats.get(root, ()))

    def everyone(self, seat: Seat) -> list[Seat]:
        """List all persons who share their limits with this one, including itself."""
        if seat not in self._tied:
            return [seat]
        persons = {seat}
        while more := {each for one in persons for each in self._tied.get(one, ())} - persons:
            persons |= more
        return sorted(persons)

    def community(self, community: str) -> str:
        """Return the community that holds the wallets of this one: itself unless it is united."""
        return self._unions.get(community, community)

    def united(self, community: str) -> list[str]:
        """List the communities that share wallets with this one, including itself."""
        holder = self.community(community)
        return sorted({holder, *(each for each, target in self._unions.items() if target == holder)})

    def wallets(self, community: str, seat: Seat) -> list[Purse]:
        """Return all wallets of a person, and of who shares their limits, in the united communities."""
        seats = self.everyone(seat)
        return [purses.wallet(each, own) for each in self.united(community) for own in seats]


async def read(connection: AsyncConnection) -> tuple[list[Tie], dict[str, str]]:
    """Read all links, and all united communities with the ones that hold their wallets."""
    query = select(_person.seat, _person.same_as, _person.parted_from)
    query = query.where(_person.same_as.is_not(None) | _person.parted_from.is_not(None))
    ties = [tie for row in await connection.execute(query) for tie in _ties(*row)]
    unions = await connection.execute(select(_union.community, _union.target))
    return ties, {community: target for community, target in unions}  # noqa: C416


def _ties(seat: str, same_as: str | None, parted_from: str | None) -> Iterator[Tie]:
    """Yield the links of a person, the present one last."""
    if parted_from is not None:
        yield Tie(Seat(seat), Seat(parted_from), linked=False)
    if same_as is not None:
        yield Tie(Seat(seat), Seat(same_as), linked=True)
