"""Statements that differ between SQLite and PostgreSQL, or must be split to fit their limits."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sqlalchemy.dialects import postgresql, sqlite

if TYPE_CHECKING:
    from sqlalchemy import Row as SqlRow
    from sqlalchemy import Table
    from sqlalchemy.ext.asyncio import AsyncConnection

T = TypeVar("T")
# A column may have any type, and the types of a query's columns are not known to mypy.
ColumnValues: TypeAlias = Mapping[str, Any]
"""The values of a row by column."""

Values: TypeAlias = dict[str, Any]
"""The values of a row by column, as a dictionary of its own."""

ResultRow: TypeAlias = "SqlRow[*tuple[Any, ...]]"
"""A row of a result, whose columns are attributes."""

_MOST_PARAMETERS = 10_000  # SQLite takes 32,766 in one statement, asyncpg 32,767; an item has up to three


async def ensure(connection: AsyncConnection, table: Table, rows: Collection[ColumnValues]) -> None:
    """Insert the rows whose key is new; existing rows are left unchanged."""
    if rows:
        await connection.execute(_insert(connection, table).on_conflict_do_nothing(), list(rows))


async def add(connection: AsyncConnection, table: Table, rows: Collection[ColumnValues]) -> set[Any]:
    """Insert the rows whose key is new, and return these keys; the key must be a single column."""
    if not rows:
        return set()
    (key,) = table.primary_key.columns
    statement = _insert(connection, table).on_conflict_do_nothing().returning(key)
    return set((await connection.execute(statement, list(rows))).scalars())


async def put(connection: AsyncConnection, table: Table, rows: Collection[ColumnValues]) -> None:
    """Insert rows, replacing those of the same key."""
    if rows:
        statement = _insert(connection, table)
        fresh = {column.name: statement.excluded[column.name] for column in table.c if not column.primary_key}
        keys = list(table.primary_key.columns)
        await connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=fresh), list(rows))


def batches(items: Collection[T]) -> Iterator[list[T]]:
    """Split the items of an IN clause into lists that fit into one statement."""
    ordered = list(items)
    for start in range(0, len(ordered), _MOST_PARAMETERS):
        yield ordered[start : start + _MOST_PARAMETERS]


def _insert(connection: AsyncConnection, table: Table) -> postgresql.Insert | sqlite.Insert:
    if connection.dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)
