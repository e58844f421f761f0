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
class _Lookup:
    """The communities of the tables and postings that findings name."""

    tables: Mapping[str, str]
    postings: Mapping[str, str]

    def of_row(self, row: ColumnValues) -> set[str]:
        communities = {str(row["community"])} if row.get("community") else set()
        for purse in _purses(row):
            communities.add(purse.community)
            if purse.kind == POT and purse.owner in self.tables:  # maybe of another community
                communities.add(self.tables[purse.owner])
        for key, by_id in (("table", self.tables), ("posting", self.postings)):
            if row.get(key) in by_id:
                communities.add(by_id[row[key]])
        return communities


async def communities_of(connection: AsyncConnection, rows: Sequence[ColumnValues]) -> list[tuple[str, ...]]:
    """Return the sorted communities of each finding; none if it concerns the database as a whole.

    They are found by the columns `community`, `purse`, `source`, `target`, `table`, `posting` and `transfer`,
    with at most one query for each kind of row.
    """
    transfers = await _transfers(connection, {int(row["transfer"]) for row in rows if row.get("transfer")})
    full_rows = [{**transfers.get(row.get("transfer", 0), {}), **row} for row in rows]
    pots = {each.owner for row in full_rows for each in _purses(row) if each.kind == POT}
    tables = await _communities(connection, schema.game_table, pots | _ids(full_rows, "table"))
    lookup = _Lookup(tables, await _communities(connection, schema.posting, _ids(full_rows, "posting")))
    return [tuple(sorted(lookup.of_row(row))) for row in full_rows]


async def united(connection: AsyncConnection, communities: Collection[str]) -> frozenset[str]:
    """Return the communities with all that share purses with them."""
    group = set(communities)
    pairs = (await connection.execute(select(_union.community, _union.target))).all()
    while more := {each for pair in pairs if group & set(pair) for each in pair} - group:
        group |= more
    return frozenset(group)


def _ids(rows: Iterable[ColumnValues], key: str) -> set[str]:
    return {str(row[key]) for row in rows if row.get(key)}


def _purses(row: ColumnValues) -> list[Purse]:
    """List the purses of a finding; those without a row are plain ids and left out."""
    return [row[key] for key in ("purse", "source", "target") if isinstance(row.get(key), Purse)]


async def _communities(connection: AsyncConnection, table: Table, ids: Collection[str]) -> dict[str, str]:
    """Return the communities of tables, or of postings, by id."""
    communities: dict[str, str] = {}
    for some in batches(sorted(ids)):
        query = select(table.c.id, table.c.community).where(table.c.id.in_(some))
        communities |= {name: community for name, community in await connection.execute(query)}  # noqa: C416
    return communities


async def _transfers(connection: AsyncConnection, ids: Collection[int]) -> dict[int, Values]:
    """Read the columns of transfers that name communities, by id."""
    transfers: dict[int, Values] = {}
    for some in batches(sorted(ids)):
        columns = _transfer.id, _transfer.posting, _transfer.table_id.label("table"), _transfer.source
        query = select(*columns, _transfer.target, _transfer.community).where(_transfer.id.in_(some))
        for row in (await connection.execute(query)).mappings():
            transfers[row["id"]] = dict(row)
    names = await holdings.named(
        connection, [each[side] for each in transfers.values() for side in ("source", "target")]
    )
    for each in transfers.values():
        each |= {side: names.get(each[side], each[side]) for side in ("source", "target")}
    return transfers
