"""Statements that differ between SQLite and PostgreSQL, or must be split to fit their limits."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sqlalchemy import bindparam, text
from sqlalchemy.dialects import sqlite

if TYPE_CHECKING:
    from sqlalchemy import Row as SqlRow
    from sqlalchemy import Table, TextClause
    from sqlalchemy.dialects import postgresql
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
        await connection.execute(upsert(table), list(rows))


@cache
def upsert(table: Table) -> TextClause:
    """Return the statement that inserts a row with all columns, replacing the one of its key."""
    names, keys = table.c.keys(), [column.name for column in table.primary_key.columns]
    assignments = ", ".join(f"{name} = excluded.{name}" for name in names if name not in keys)
    statement = text(
        f"INSERT INTO {table.name} ({', '.join(names)}) "  # noqa: S608  (our own names)
        f"VALUES ({', '.join(f':{name}' for name in names)}) "
        f"ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {assignments}"
    )
    return statement.bindparams(*(bindparam(column.name, type_=column.type) for column in table.c))


@cache
def ensuring(table: Table) -> TextClause:
    """Return the statement that inserts a row with all columns, unless there is one of its key."""
    names = table.c.keys()
    statement = text(
        f"INSERT INTO {table.name} ({', '.join(names)}) "  # noqa: S608  (our own names)
        f"VALUES ({', '.join(f':{name}' for name in names)}) ON CONFLICT DO NOTHING"
    )
    return statement.bindparams(*(bindparam(column.name, type_=column.type) for column in table.c))


def batches(items: Collection[T]) -> Iterator[list[T]]:
    """Split the items of an IN clause into lists that fit into one statement."""
    ordered = list(items)
    for start in range(0, len(ordered), _MOST_PARAMETERS):
        yield ordered[start : start + _MOST_PARAMETERS]


def _insert(connection: AsyncConnection, table: Table) -> postgresql.Insert | sqlite.Insert:
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql  # noqa: PLC0415  (0.02 s, which SQLite does without)

        return postgresql.insert(table)
    return sqlite.insert(table)
