"""Reads as values: generators that yield queries with their values, and are sent the rows.

So what several parts want to know, some of it depending on what was read before, is one visit to the thread
of an SQLite connection, and the same generator runs in a transaction of SQLAlchemy on either database.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sqlalchemy import text

from chatbot.ledger.store.writes import as_sqlalchemy, driver_of

if TYPE_CHECKING:
    from sqlalchemy import TextClause
    from sqlalchemy.ext.asyncio import AsyncConnection

T = TypeVar("T")

FoundRows: TypeAlias = Sequence[tuple[Any, ...]]
"""What a query has found: a row is a tuple of its columns."""


class FixedQuery:
    """A query of fixed text, however many values it is for: a list is passed as one parameter.

    In `template`, `{name}` of each list in `lists` stands for the comparison of a column with its values, as
    in `WHERE id {ids}`; the mapping gives their type on PostgreSQL. `postgresql` is the text for that
    database where it is another one.
    """

    def __init__(self, template: str, lists: Mapping[str, str], postgresql: str | None = None) -> None:
        among = {name: f"IN (SELECT value FROM json_each(:{name}))" for name in lists}  # noqa: S608
        self.sqlite = template.format_map(among)
        postgresql_template = template if postgresql is None else postgresql
        self.postgresql = text(
            postgresql_template.format_map(
                {name: f"= ANY(CAST(:{name} AS {kind}[]))" for name, kind in lists.items()}
            )
        )
        self._sqlite = text(self.sqlite)

    def for_connection(self, connection: AsyncConnection) -> TextClause:
        """Return the statement for the database of a connection."""
        return self._sqlite if connection.dialect.name == "sqlite" else self.postgresql


QueryValues: TypeAlias = Mapping[str, object]
"""The values of a query by name; SQLite takes lists as JSON."""

Reads: TypeAlias = Generator[tuple[FixedQuery, QueryValues], FoundRows, T]
"""Queries, of which each may depend on the rows of those before, and what results from them."""


async def fetched(connection: AsyncConnection, reads: Reads[T]) -> T:
    """Return the result of reads in the transaction of the caller."""
    try:
        query, values = next(reads)
        while True:
            if connection.dialect.name == "sqlite":
                values = _as_json(values)
            rows = (await connection.execute(query.for_connection(connection), values)).all()
            query, values = reads.send([tuple(each) for each in rows])
    except StopIteration as end:
        result: T = end.value
        return result


async def fetched_apart(connection: AsyncConnection, reads: Reads[T]) -> T:
    """Return the result of reads as of one moment, on a connection on which nothing else has begun."""
    if connection.dialect.name != "sqlite":
        return await fetched(connection, reads)
    driver = await driver_of(connection)
    try:
        result: T = await driver.run(partial(_fetched_on, reads))
    except sqlite3.Error as error:
        database_error = as_sqlalchemy(error)
        if database_error.connection_invalidated:
            await connection.invalidate()
        raise database_error from error
    except ValueError as error:
        if not driver.is_lost:
            raise  # of the reads
        await connection.invalidate()
        raise as_sqlalchemy(sqlite3.OperationalError("no active connection")) from error
    return result


def _fetched_on(reads: Reads[T], database: sqlite3.Connection) -> T:
    database.execute("BEGIN")  # one snapshot for all of them
    try:
        query, values = next(reads)
        while True:
            query, values = reads.send(database.execute(query.sqlite, _as_json(values)).fetchall())
    except StopIteration as end:
        result: T = end.value
        return result
    finally:
        database.execute("ROLLBACK")


def _as_json(values: QueryValues) -> dict[str, Any]:
    return {name: json.dumps(each) if isinstance(each, list) else each for name, each in values.items()}
