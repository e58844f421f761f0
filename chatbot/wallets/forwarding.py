"""Which wallet stands for which: that of a person's root, in the community that holds the wallets.

A table that stood before two wallets became one knows its players by the former ones. What it pays there
is carried on, and what it takes from there is brought, in the same posting.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import BindParameter, bindparam, literal, select, union_all

from chatbot.wallets import purses, schema
from chatbot.wallets.posting import LINKED, Entry, instalments
from chatbot.wallets.purses import PERSON, Purse
from chatbot.wallets.statements import batches

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from sqlalchemy.ext.asyncio import AsyncConnection

_seats: BindParameter[list[str]] = bindparam("seats", expanding=True)
_communities: BindParameter[list[str]] = bindparam("communities", expanding=True)
_person, _union = schema.person.c, schema.union.c
_WAYS = union_all(
    select(literal("seat"), _person.seat, _person.same_as).where(
        _person.same_as.is_not(None), _person.seat.in_(_seats)
    ),
    select(literal("community"), _union.community, _union.target).where(_union.community.in_(_communities)),
)


@dataclass(frozen=True, slots=True)
class Forwarding:
    """Roots by seat, and communities by those whose wallets they hold; none is the key of another."""

    roots: Mapping[str, str] = field(default_factory=dict)
    unions: Mapping[str, str] = field(default_factory=dict)

    def real(self, purse: Purse) -> Purse:
        """Give the purse that holds what is called this one's; the house's players have no other."""
        if not (self.roots or self.unions) or purse.kind != PERSON:
            return purse
        kind, community, seat = purse
        return Purse(kind, self.unions.get(community, community), self.roots.get(seat, seat))

    def reached(self, names: Iterable[Purse]) -> set[Purse]:
        """Name the purses through which what is forwarded passes."""
        pairs = [(name, self.real(name)) for name in names]
        return {each for name, real in pairs if real != name for each in _passed(name, real)}


def wanted(names: Collection[Purse]) -> tuple[list[str], list[str]]:
    """List the seats and the communities of people's wallets."""
    own = [each for each in names if each.kind == PERSON]
    return sorted({each.owner for each in own}), sorted({each.community for each in own})


async def read(connection: AsyncConnection, names: Collection[Purse]) -> Forwarding:
    """Read what is forwarded of these purses."""
    seats, communities = wanted(names)
    found = Forwarding({}, {})
    for some in batches(seats):
        rows = await connection.execute(_WAYS, {"seats": some, "communities": communities})
        found = added(found, ((kind, key, value) for kind, key, value in rows))
    return found


def added(found: Forwarding, rows: Iterable[tuple[str, str, str]]) -> Forwarding:
    """Add rows of a kind, a key and what it stands for."""
    sorts: dict[str, dict[str, str]] = {"seat": dict(found.roots), "community": dict(found.unions)}
    for kind, key, value in rows:
        sorts[kind][key] = value
    return Forwarding(sorts["seat"], sorts["community"])


def carried(source: Purse, target: Purse, amount: int) -> Iterator[Entry]:
    """Move an amount between two wallets, back where it is negative.

    Two communities do so through their mints, so that each still sums to 0.
    """
    if amount < 0:
        source, target, amount = target, source, -amount
    one, other = source.community, target.community
    for each in instalments(source, target, amount, LINKED):
        if one == other:
            yield each
        else:
            yield Entry(source, purses.mint(one), each.credits, LINKED)
            yield Entry(purses.mint(other), target, each.credits, LINKED)


def _passed(name: Purse, real: Purse) -> Iterator[Purse]:
    yield from (name, real)
    if name.community != real.community:
        yield from (purses.mint(each) for each in (name.community, real.community))
