"""Determines which communities a finding of an audit concerns, and which share purses with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.ledger.books import holdings
from chatbot.ledger.books.purses import POT, Purse
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import ColumnValues, Values, batches

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from sqlalchemy import Table
    from sqlalchemy.ext.asyncio import AsyncConnection

_transfer, _union = schema.transfer.c, schema.union.c


@dataclass(slots=True)
class _Known:
    """The communities of the tables and postings that findings name."""

    tables: Mapping[str, str]
    postings: Mapping[str, str]

    def of_row(self, row: ColumnValues) -> set[str]:
        found = {str(row["community"])} if row.get("community") else set()
        for purse in _purses(row):
            found.add(purse.community)
            if purse.kind == POT and purse.owner in self.tables:  # maybe of another community
                found.add(self.tables[purse.owner])
        for key, known in (("table", self.tables), ("posting", self.postings)):
            if row.get(key) in known:
                found.add(known[row[key]])
        return found


async def concerned(connection: AsyncConnection, rows: Sequence[ColumnValues]) -> list[tuple[str, ...]]:
    """Return the sorted communities of each finding; none if it concerns the database as a whole.

    They are found by the columns `community`, `purse`, `source`, `target`, `table`, `posting` and `transfer`,
    with at most one query for each kind of row.
    """
    transfers = await _transfers(connection, {int(row["transfer"]) for row in rows if row.get("transfer")})
    completed = [{**transfers.get(row.get("transfer", 0), {}), **row} for row in rows]
    pots = {each.owner for row in completed for each in _purses(row) if each.kind == POT}
    tables = await _communities(connection, schema.game_table, pots | _named(completed, "table"))
    known = _Known(tables, await _communities(connection, schema.posting, _named(completed, "posting")))
    return [tuple(sorted(known.of_row(row))) for row in completed]


async def united(connection: AsyncConnection, communities: Collection[str]) -> frozenset[str]:
    """Return the communities with all that share purses with them."""
    found = set(communities)
    pairs = (await connection.execute(select(_union.community, _union.target))).all()
    while more := {each for pair in pairs if found & set(pair) for each in pair} - found:
        found |= more
    return frozenset(found)


def _named(rows: Iterable[ColumnValues], key: str) -> set[str]:
    return {str(row[key]) for row in rows if row.get(key)}


def _purses(row: ColumnValues) -> list[Purse]:
    """List the purses of a finding; those without a row are plain ids and left out."""
    return [row[key] for key in ("purse", "source", "target") if isinstance(row.get(key), Purse)]


async def _communities(connection: AsyncConnection, table: Table, ids: Collection[str]) -> dict[str, str]:
    """Return the communities of tables, or of postings, by id."""
    found: dict[str, str] = {}
    for some in batches(sorted(ids)):
        wanted = select(table.c.id, table.c.community).where(table.c.id.in_(some))
        found |= {name: community for name, community in await connection.execute(wanted)}  # noqa: C416
    return found


async def _transfers(connection: AsyncConnection, ids: Collection[int]) -> dict[int, Values]:
    """Read the columns of transfers that name communities, by id."""
    found: dict[int, Values] = {}
    for some in batches(sorted(ids)):
        columns = _transfer.id, _transfer.posting, _transfer.table_id.label("table"), _transfer.source
        wanted = select(*columns, _transfer.target, _transfer.community).where(_transfer.id.in_(some))
        for row in (await connection.execute(wanted)).mappings():
            found[row["id"]] = dict(row)
    names = await holdings.named(
        connection, [each[side] for each in found.values() for side in ("source", "target")]
    )
    for each in found.values():
        each |= {side: names.get(each[side], each[side]) for side in ("source", "target")}
    return found
