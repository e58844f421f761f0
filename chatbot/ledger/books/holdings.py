"""Reads the rows and balances of purses, and which wallet replaces another once people are linked.

Each query has a fixed text, however many purses it is for: they are passed as one parameter.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import bindparam, select

from chatbot.ledger.books.forwarding import NO_FORWARDING, Forwarding, forwardable, with_rows
from chatbot.ledger.books.posting import Entry
from chatbot.ledger.books.purses import Purse
from chatbot.ledger.store import schema
from chatbot.ledger.store.reads import FixedQuery, Reads, fetched
from chatbot.ledger.store.statements import ResultRow, batches

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection


# CROSS JOIN fixes the order of the joins on SQLite: from the requested purses to their rows.
_FROM_REQUESTED = (
    "FROM json_each(:asked) AS asked "
    "CROSS JOIN community ON community.name = json_extract(asked.value, '$[1]') "
    "CROSS JOIN purse ON purse.community = community.id AND purse.kind = json_extract(asked.value, '$[0]') "
    "AND purse.owner = json_extract(asked.value, '$[2]')"
)
_ON_SQLITE = f"SELECT asked.key, purse.id, purse.balance {_FROM_REQUESTED}"
_ON_POSTGRESQL = (
    "SELECT asked.place - 1, purse.id, purse.balance "
    "FROM unnest(CAST(:kinds AS text[]), CAST(:communities AS text[]), CAST(:owners AS text[])) "
    "WITH ORDINALITY AS asked (kind, community, owner, place) "
    "JOIN community ON community.name = asked.community "
    "JOIN purse ON purse.community = community.id AND purse.kind = asked.kind AND purse.owner = asked.owner "
    "ORDER BY purse.id"
)
_READ = FixedQuery(_ON_SQLITE, {}, _ON_POSTGRESQL)
_LOCKED = FixedQuery(_ON_SQLITE, {}, f"{_ON_POSTGRESQL} FOR UPDATE OF purse")
_purse, _community = schema.purse.c, schema.community.c
_NAMED = (
    select(_purse.id, _purse.kind, _community.name, _purse.owner)
    .join(schema.community, _community.id == _purse.community)
    .where(_purse.id.in_(bindparam("ids", expanding=True)))
)


class PurseRow(NamedTuple):
    """The id of the row of a purse, and its balance."""

    id: int
    balance: int


async def find(
    connection: AsyncConnection, purses: Collection[Purse], *, lock: bool = False
) -> dict[Purse, PurseRow]:
    """Read the rows of purses; those without a row are left out.

    With `lock`, PostgreSQL locks the rows, in the order of their ids, until the transaction ends.
    """
    return await fetched(connection, finding(purses, lock=lock))


def finding(purses: Collection[Purse], *, lock: bool = False) -> Reads[dict[Purse, PurseRow]]:
    """Read as `find` does."""
    rows: dict[Purse, PurseRow] = {}
    for some in batches(purses):
        for place, number, balance in (yield _LOCKED if lock else _READ, _parameters(some)):
            rows[some[place]] = PurseRow(number, balance)
    return rows


async def balances(
    connection: AsyncConnection, purses: Collection[Purse], *, lock: bool = False
) -> dict[Purse, int]:
    """Read the balances of purses; one without a row has 0."""
    rows = await find(connection, purses, lock=lock)
    return dict.fromkeys(purses, 0) | {purse: row.balance for purse, row in rows.items()}


class _Names(dict[int, Purse]):
    def __missing__(self, number: int) -> Purse:
        raise ValueError(f"there is no purse of the number {number}")


async def named(connection: AsyncConnection, ids: Collection[int]) -> dict[int, Purse]:
    """Return the purses of these row ids; the mapping raises ValueError for an id without a row."""
    names = _Names()
    for some in batches(dict.fromkeys(ids)):
        for number, kind, community, owner in await connection.execute(_NAMED, {"ids": some}):
            names[number] = Purse(kind, community, owner)
    return names


async def entries(connection: AsyncConnection, *where: ColumnElement[bool]) -> tuple[Entry, ...]:
    """Read the transfers that match the conditions, ordered by posting and number."""
    row = schema.transfer.c
    query = select(row.source, row.target, row.credits, row.why).where(*where)
    rows = (await connection.execute(query.order_by(row.posting, row.number))).all()
    names = await named(connection, [each for row in rows for each in (row.source, row.target)])
    return tuple(Entry(names[source], names[target], *rest) for source, target, *rest in rows)


async def entries_by_posting(
    connection: AsyncConnection, postings: Collection[str]
) -> dict[str, tuple[Entry, ...]]:
    """Read the entries of postings, all names at once; one without entries is left out."""
    row, rows = schema.transfer.c, list[ResultRow]()
    for some in batches(postings):
        query = select(row.posting, row.source, row.target, row.credits, row.why).where(row.posting.in_(some))
        rows += (await connection.execute(query.order_by(row.posting, row.number))).all()
    names = await named(connection, [each for row_ in rows for each in (row_.source, row_.target)])
    entries_ = defaultdict[str, list[Entry]](list)
    for posting, source, target, *rest in rows:
        entries_[posting].append(Entry(names[source], names[target], *rest))
    return {posting: tuple(some) for posting, some in entries_.items()}


def _parameters(purses: Collection[Purse]) -> dict[str, object]:
    """Return the values for both databases, of which each takes its own."""
    kinds, communities, owners = (list(each) for each in zip(*purses, strict=True))
    return {"asked": purses, "kinds": kinds, "communities": communities, "owners": owners}


_FORWARDING = FixedQuery(
    "SELECT 'seat', seat, same_as FROM person WHERE same_as IS NOT NULL AND seat {seats} "
    "UNION ALL SELECT 'community', community, target FROM community_union WHERE community {communities}",
    {"seats": "text", "communities": "text"},
)


async def read(connection: AsyncConnection, names: Collection[Purse]) -> Forwarding:
    """Read which of these purses are replaced by others."""
    return await fetched(connection, reading(names))


def reading(names: Collection[Purse]) -> Reads[Forwarding]:
    """Read as `read` does."""
    seats, communities = forwardable(names)
    forwarding = NO_FORWARDING
    for some in batches(seats):
        forwarding = with_rows(forwarding, (yield _FORWARDING, {"seats": some, "communities": communities}))
    return forwarding
