"""Which wallet replaces another once people are linked, or communities united.

A table that was opened before two wallets were merged names its players by the former wallets. What it pays
to one of these is forwarded, and what it takes from one is supplied, in the same posting.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import LINKED, Entry, instalments
from chatbot.ledger.books.purses import PERSON, Purse

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence


@dataclass(frozen=True, slots=True)
class Forwarding:
    """Which wallets are replaced by others.

    `roots` maps seats to the seats whose wallets they use, `unions` communities to those that hold their
    wallets. No value is a key, so that one lookup resolves a wallet.
    """

    roots: Mapping[str, str] = field(default_factory=dict)
    unions: Mapping[str, str] = field(default_factory=dict)

    def real(self, purse: Purse) -> Purse:
        """Return the purse that holds the credits of `purse`; only wallets of people are ever replaced."""
        if not (self.roots or self.unions) or purse.kind != PERSON:
            return purse
        kind, community, seat = purse
        return Purse(kind, self.unions.get(community, community), self.roots.get(seat, seat))

    def with_all(self, other: Forwarding) -> Forwarding:
        """Return this with what another one knows."""
        if not (other.roots or other.unions):
            return self
        return Forwarding({**self.roots, **other.roots}, {**self.unions, **other.unions})

    def of(self, names: Collection[Purse]) -> Forwarding:
        """Return the part of this that concerns some purses."""
        if not (self.roots or self.unions):
            return self
        seats, communities = (set(each) for each in forwardable(names))
        return Forwarding(
            {seat: root for seat, root in self.roots.items() if seat in seats},
            {each: holder for each, holder in self.unions.items() if each in communities},
        )

    def reached(self, names: Iterable[Purse]) -> set[Purse]:
        """Return the purses that forwarded credits of these purses leave, pass and reach."""
        pairs = [(name, self.real(name)) for name in names]
        return {each for name, real in pairs if real != name for each in _path(name, real)}


NO_FORWARDING = Forwarding()  # while nothing is known that is replaced


def forwardable(names: Collection[Purse]) -> tuple[list[str], list[str]]:
    """Return the sorted seats and communities of the wallets of people among these purses."""
    own = [each for each in names if each.kind == PERSON]
    return sorted({each.owner for each in own}), sorted({each.community for each in own})


def with_rows(forwarding: Forwarding, rows: Sequence[tuple[Any, ...]]) -> Forwarding:
    """Return `forwarding` with rows of `seat` or `community`, a key and what replaces it."""
    if not rows:
        return forwarding
    by_kind: dict[str, dict[str, str]] = {
        "seat": dict(forwarding.roots),
        "community": dict(forwarding.unions),
    }
    for kind, key, value in rows:
        by_kind[kind][key] = value
    return Forwarding(by_kind["seat"], by_kind["community"])


def carried(source: Purse, target: Purse, amount: int) -> Iterator[Entry]:
    """Return the entries that move an amount between two wallets, backwards if it is negative.

    Between two communities credits go through both mints, so that each community still sums to 0.
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


def _path(name: Purse, real: Purse) -> Iterator[Purse]:
    yield from (name, real)
    if name.community != real.community:
        yield from (purses.mint(each) for each in (name.community, real.community))
