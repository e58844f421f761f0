"""The statements that the two databases write differently, or cannot take in one piece."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import OperationalError

if TYPE_CHECKING:
    from sqlalchemy import Table
    from sqlalchemy.ext.asyncio import AsyncConnection

T = TypeVar("T")
Row: TypeAlias = Mapping[str, Any]

_GLANCE = (
    "SELECT '', id, balance FROM account WHERE id IN (SELECT value FROM json_each(?))"
    " UNION ALL SELECT 'seat', seat, root FROM identity"
    " WHERE linked = 1 AND seat IN (SELECT value FROM json_each(?))"
    " UNION ALL SELECT 'community', community, target FROM community_union"
    " WHERE community IN (SELECT value FROM json_each(?))"
)
_MOST_PARAMETERS = 10_000  # SQLite takes 32,766 in one statement, asyncpg 32,767


async def ensure(connection: AsyncConnection, table: Table, rows: Collection[Row]) -> None:
    """Insert the rows whose key is new, and leave the others as they are."""
    if rows:
        await connection.execute(_insert(connection, table).on_conflict_do_nothing(), list(rows))


async def add(connection: AsyncConnection, table: Table, rows: Collection[Row]) -> set[Any]:
    """Insert the rows whose key is new; tell these keys. The key is one column."""
    if not rows:
        return set()
    (key,) = table.primary_key.columns
    statement = _insert(connection, table).on_conflict_do_nothing().returning(key)
    return set((await connection.execute(statement, list(rows))).scalars())


async def put(connection: AsyncConnection, table: Table, rows: Collection[Row]) -> None:
    """Insert the rows, or overwrite those of the same key."""
    if rows:
        statement = _insert(connection, table)
        fresh = {column.name: statement.excluded[column.name] for column in table.c if not column.primary_key}
        keys = list(table.primary_key.columns)
        await connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=fresh), list(rows))


async def glance(
    connection: AsyncConnection,
    accounts: Collection[str],
    seats: Collection[str],
    communities: Collection[str],
) -> tuple[dict[str, int], list[tuple[str, str, str]]]:
    """Read balances from SQLite in one call of the driver; one statement is of one moment by itself.

    With them come the links of these seats and the unions of these communities, by their kind.

    Each of the eight calls that SQLAlchemy makes for a query waits for the driver's thread, and purses
    are what a chat asks for most.
    """
    raw: Any = (await connection.get_raw_connection()).driver_connection
    try:
        asked = [json.dumps(list(each)) for each in (accounts, seats, communities)]
        rows = await raw.execute_fetchall(_GLANCE, asked)
    except (sqlite3.Error, ValueError) as error:  # the latter: the connection is lost
        await connection.invalidate()  # SQLAlchemy has not seen it, and would lend it again
        raise OperationalError(_GLANCE, None, error, hide_parameters=True) from error
    links = [(str(kind), str(key), str(value)) for kind, key, value in rows if kind]
    return {str(name): int(balance) for kind, name, balance in rows if not kind}, links


def batches(items: Collection[T]) -> Iterator[list[T]]:
    """Cut what goes into one IN clause."""
    ordered = list(items)
    for start in range(0, len(ordered), _MOST_PARAMETERS):
        yield ordered[start : start + _MOST_PARAMETERS]


def _insert(connection: AsyncConnection, table: Table) -> postgresql.Insert | sqlite.Insert:
    if connection.dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)
