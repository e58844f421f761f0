"""Reads the rows and balances of purses, and which wallet replaces another once people are linked.

Each query has a fixed text, however many purses it is for: they are passed as one parameter.

A table that was opened before two wallets were merged names its players by the former wallets. What it pays
to one of these is forwarded, and what it takes from one is supplied, in the same posting.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import BindParameter, bindparam, literal, select, text, union_all

from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import LINKED, Entry, instalments
from chatbot.ledger.books.purses import PERSON, Purse
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import batches

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.store import Store

# CROSS JOIN fixes the order of the joins on SQLite: from the requested purses to their rows.
_FROM_REQUESTED = (
    "FROM json_each(:asked) AS asked "
    "CROSS JOIN community ON community.name = json_extract(asked.value, '$[1]') "
    "CROSS JOIN purse ON purse.community = community.id AND purse.kind = json_extract(asked.value, '$[0]') "
    "AND purse.owner = json_extract(asked.value, '$[2]')"
)
_ON_SQLITE = text(f"SELECT asked.key, purse.id, purse.balance {_FROM_REQUESTED}")
_BALANCES_AND_LINKS = (
    f"SELECT '', asked.key, purse.balance {_FROM_REQUESTED}"  # noqa: S608  (our own text)
    " UNION ALL SELECT 'seat', seat, same_as FROM person"
    " WHERE same_as IS NOT NULL AND seat IN (SELECT value FROM json_each(:seats))"
    " UNION ALL SELECT 'community', community, target FROM community_union"
    " WHERE community IN (SELECT value FROM json_each(:communities))"
)
_ON_POSTGRESQL = (
    "SELECT asked.place - 1, purse.id, purse.balance "
    "FROM unnest(CAST(:kinds AS text[]), CAST(:communities AS text[]), CAST(:owners AS text[])) "
    "WITH ORDINALITY AS asked (kind, community, owner, place) "
    "JOIN community ON community.name = asked.community "
    "JOIN purse ON purse.community = community.id AND purse.kind = asked.kind AND purse.owner = asked.owner "
    "ORDER BY purse.id"
)
_READ, _LOCKED = text(_ON_POSTGRESQL), text(f"{_ON_POSTGRESQL} FOR UPDATE OF purse")
_ADD_COMMUNITY = text(
    "INSERT INTO community (name) SELECT CAST(:name AS TEXT) "
    "WHERE NOT EXISTS (SELECT 1 FROM community WHERE name = :name) ON CONFLICT DO NOTHING"
)
_ADD = text(
    "INSERT INTO purse (community, kind, owner, balance) "
    "SELECT id, :kind, :owner, 0 FROM community WHERE name = :community ON CONFLICT DO NOTHING"
)
_purse, _community = schema.purse.c, schema.community.c
_NAMED = (
    select(_purse.id, _purse.kind, _community.name, _purse.owner)
    .join(schema.community, _community.id == _purse.community)
    .where(_purse.id.in_(bindparam("ids", expanding=True)))
)


class Held(NamedTuple):
    """The id of the row of a purse, and its balance."""

    id: int
    balance: int


async def find(
    connection: AsyncConnection, purses: Collection[Purse], *, lock: bool = False
) -> dict[Purse, Held]:
    """Read the rows of purses; those without a row are left out.

    With `lock`, PostgreSQL locks the rows, in the order of their ids, until the transaction ends.
    """
    found: dict[Purse, Held] = {}
    sqlite = connection.dialect.name == "sqlite"
    statement = _ON_SQLITE if sqlite else _LOCKED if lock else _READ
    for some in batches(purses):
        values: dict[str, object] = {"asked": json.dumps(some)} if sqlite else _columns(some)
        for place, number, balance in await connection.execute(statement, values):
            found[some[place]] = Held(number, balance)
    return found


async def balances(
    connection: AsyncConnection, purses: Collection[Purse], *, lock: bool = False
) -> dict[Purse, int]:
    """Read the balances of purses; one without a row has 0."""
    found = await find(connection, purses, lock=lock)
    return dict.fromkeys(purses, 0) | {purse: held.balance for purse, held in found.items()}


async def ensure(connection: AsyncConnection, purses: Collection[Purse]) -> None:
    """Insert missing rows of purses, in sorted order so that two processes cannot deadlock."""
    if not purses:
        return
    ordered = sorted(purses)
    communities = [{"name": each} for each in sorted({each.community for each in ordered})]
    await connection.execute(_ADD_COMMUNITY, communities)
    await connection.execute(_ADD, [each._asdict() for each in ordered])


class _Names(dict[int, Purse]):
    def __missing__(self, number: int) -> Purse:
        raise ValueError(f"there is no purse of the number {number}")


async def named(connection: AsyncConnection, ids: Collection[int]) -> dict[int, Purse]:
    """Return the purses of these row ids; the mapping raises ValueError for an id without a row."""
    found = _Names()
    for some in batches(dict.fromkeys(ids)):
        for number, kind, community, owner in await connection.execute(_NAMED, {"ids": some}):
            found[number] = Purse(kind, community, owner)
    return found


async def entries(connection: AsyncConnection, *where: ColumnElement[bool]) -> tuple[Entry, ...]:
    """Read the transfers that match the conditions, ordered by posting and number."""
    row = schema.transfer.c
    wanted = select(row.source, row.target, row.credits, row.why).where(*where)
    rows = (await connection.execute(wanted.order_by(row.posting, row.number))).all()
    names = await named(connection, [each for row in rows for each in (row.source, row.target)])
    return tuple(Entry(names[source], names[target], *rest) for source, target, *rest in rows)


async def balances_and_links(
    store: Store,
    purses: Collection[Purse],
    seats: Collection[str],
    communities: Collection[str],
) -> tuple[dict[Purse, int], list[tuple[str, str, str]]]:
    """Read balances from SQLite by one statement, which sees one snapshot.

    A purse without a row has 0. Returned with them are the links of `seats` and the unions of `communities`,
    as triples of `seat` or `community`, the key and what replaces it.

    Raises:
        OperationalError: the database cannot be read.
    """
    ordered = list(purses)
    given = {"asked": ordered, "seats": list(seats), "communities": list(communities)}
    values = {name: json.dumps(each) for name, each in given.items()}
    rows = await store.fetch(_BALANCES_AND_LINKS, values)
    links = [(str(kind), str(key), str(value)) for kind, key, value in rows if kind]
    held = {ordered[place]: int(balance) for kind, place, balance in rows if not kind}
    return dict.fromkeys(ordered, 0) | held, links


def _columns(purses: Collection[Purse]) -> dict[str, object]:
    kinds, communities, owners = (list(each) for each in zip(*purses, strict=True))
    return {"kinds": kinds, "communities": communities, "owners": owners}


_seats: BindParameter[list[str]] = bindparam("seats", expanding=True)
_communities: BindParameter[list[str]] = bindparam("communities", expanding=True)
_person, _union = schema.person.c, schema.union.c
_FORWARDING = union_all(
    select(literal("seat"), _person.seat, _person.same_as).where(
        _person.same_as.is_not(None), _person.seat.in_(_seats)
    ),
    select(literal("community"), _union.community, _union.target).where(_union.community.in_(_communities)),
)


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

    def reached(self, names: Iterable[Purse]) -> set[Purse]:
        """Return the purses that forwarded credits of these purses leave, pass and reach."""
        pairs = [(name, self.real(name)) for name in names]
        return {each for name, real in pairs if real != name for each in _path(name, real)}


def forwardable(names: Collection[Purse]) -> tuple[list[str], list[str]]:
    """Return the sorted seats and communities of the wallets of people among these purses."""
    own = [each for each in names if each.kind == PERSON]
    return sorted({each.owner for each in own}), sorted({each.community for each in own})


async def read(connection: AsyncConnection, names: Collection[Purse]) -> Forwarding:
    """Read which of these purses are replaced by others."""
    seats, communities = forwardable(names)
    found = Forwarding({}, {})
    for some in batches(seats):
        rows = await connection.execute(_FORWARDING, {"seats": some, "communities": communities})
        found = with_rows(found, ((kind, key, value) for kind, key, value in rows))
    return found


def with_rows(found: Forwarding, rows: Iterable[tuple[str, str, str]]) -> Forwarding:
    """Return `found` with rows of `seat` or `community`, a key and what replaces it."""
    by_kind: dict[str, dict[str, str]] = {"seat": dict(found.roots), "community": dict(found.unions)}
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
