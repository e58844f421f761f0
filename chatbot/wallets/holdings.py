"""Which row a purse has, by what it is and by its number, and what it holds.

Each question is one statement of a fixed text, whatever it asks for: the purses travel in one value.
"""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import bindparam, select, text
from sqlalchemy.exc import OperationalError

from chatbot.wallets import schema
from chatbot.wallets.posting import Entry
from chatbot.wallets.purses import Purse
from chatbot.wallets.statements import batches

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection

# The order of the joins is forced on SQLite: from what is asked for to the one row that answers it.
_ASKED = (
    "FROM json_each(:asked) AS asked "
    "CROSS JOIN community ON community.name = json_extract(asked.value, '$[1]') "
    "CROSS JOIN purse ON purse.community = community.id AND purse.kind = json_extract(asked.value, '$[0]') "
    "AND purse.owner = json_extract(asked.value, '$[2]')"
)
_ON_SQLITE = text(f"SELECT asked.key, purse.id, purse.balance {_ASKED}")
_GLANCE = (
    f"SELECT '', asked.key, purse.balance {_ASKED}"  # noqa: S608  (our own text)
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
    """The number of a purse's row, and what it holds."""

    id: int
    balance: int


async def find(
    connection: AsyncConnection, purses: Collection[Purse], *, lock: bool = False
) -> dict[Purse, Held]:
    """Read the rows of purses, as far as they have any; a server can `lock` them, by their numbers."""
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
    """Read what purses hold; one that has no row holds 0."""
    found = await find(connection, purses, lock=lock)
    return dict.fromkeys(purses, 0) | {purse: held.balance for purse, held in found.items()}


async def ensure(connection: AsyncConnection, purses: Collection[Purse]) -> None:
    """Give each of these purses a row, in their order: so no two processes wait for each other."""
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
    """Tell which purses have rows of these numbers; to take another out of it raises ValueError."""
    found = _Names()
    for some in batches(dict.fromkeys(ids)):
        for number, kind, community, owner in await connection.execute(_NAMED, {"ids": some}):
            found[number] = Purse(kind, community, owner)
    return found


async def entries(connection: AsyncConnection, *where: ColumnElement[bool]) -> tuple[Entry, ...]:
    """Read what transfers have moved, in the order of their postings."""
    row = schema.transfer.c
    wanted = select(row.source, row.target, row.credits, row.why).where(*where)
    rows = (await connection.execute(wanted.order_by(row.posting, row.number))).all()
    names = await named(connection, [each for row in rows for each in (row.source, row.target)])
    return tuple(Entry(names[source], names[target], *rest) for source, target, *rest in rows)


async def glance(
    connection: AsyncConnection,
    purses: Collection[Purse],
    seats: Collection[str],
    communities: Collection[str],
) -> tuple[dict[Purse, int], list[tuple[str, str, str]]]:
    """Read balances from SQLite in one call of the driver; one statement is of one moment by itself.

    A purse without a row holds 0. With them come the links of these seats and the unions of these
    communities, by their kind.

    Each of the eight calls that SQLAlchemy makes for a query waits for the driver's thread, and purses
    are what a chat asks for most.
    """
    raw: Any = (await connection.get_raw_connection()).driver_connection
    ordered = list(purses)
    given = {"asked": ordered, "seats": list(seats), "communities": list(communities)}
    try:
        values = {name: json.dumps(each) for name, each in given.items()}
        rows = await raw.execute_fetchall(_GLANCE, values)
    except (sqlite3.Error, ValueError) as error:  # the latter: the connection is lost
        await connection.invalidate()  # SQLAlchemy has not seen it, and would lend it again
        raise OperationalError(_GLANCE, None, error, hide_parameters=True) from error
    links = [(str(kind), str(key), str(value)) for kind, key, value in rows if kind]
    held = {ordered[place]: int(balance) for kind, place, balance in rows if not kind}
    return dict.fromkeys(ordered, 0) | held, links


def _columns(purses: Collection[Purse]) -> dict[str, object]:
    kinds, communities, owners = (list(each) for each in zip(*purses, strict=True))
    return {"kinds": kinds, "communities": communities, "owners": owners}
