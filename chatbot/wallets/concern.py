"""Tells which communities a finding of an audit is about, and who shares purses with them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from chatbot.wallets import accounts, schema
from chatbot.wallets.statements import Row, batches

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

_account, _posting, _table, _transfer, _union = (
    each.c for each in (schema.account, schema.posting, schema.game_table, schema.transfer, schema.union)
)


@dataclass(slots=True)
class _Known:
    """Communities by what is named in findings."""

    of: dict[str, defaultdict[str, set[str]]] = field(
        default_factory=lambda: {each: defaultdict(set) for each in ("account", "table", "posting")}
    )

    def of_account(self, name: str) -> set[str]:
        """Take an account's community from its name, its row and, of a pot, its table: they may differ."""
        kind, _, rest = name.partition(":")
        if kind == "pot":
            return self.of["account"][name] | self.of["table"][rest]
        return self.of["account"][name] | ({accounts.community_of(name)} if ":" in name else set())

    def of_row(self, row: Row) -> set[str]:
        found = {str(row["community"])} if row.get("community") else set()
        for key in ("account", "source", "target"):
            if row.get(key):
                found |= self.of_account(str(row[key]))
        for key in ("table", "posting"):
            if row.get(key):
                found |= self.of[key][str(row[key])]
        return found


async def concerned(connection: AsyncConnection, rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """Name the communities of each finding, in order; none: it is about the database as a whole.

    Of a finding the columns `community`, `account`, `source`, `target`, `table`, `posting` and `transfer`
    count. Costs one look for each of them.
    """
    transfers = await _transfers(connection, _named(rows, "transfer"))
    whole = [{**transfers.get(str(row.get("transfer")), {}), **row} for row in rows]
    known = _Known()
    names = _named(whole, "account", "source", "target")
    tables = {each.removeprefix("pot:") for each in names if each.startswith("pot:")}
    asked: tuple[tuple[str, Any, set[str]], ...] = (
        ("account", _account, names),
        ("table", _table, tables | _named(whole, "table")),
        ("posting", _posting, _named(whole, "posting")),
    )
    for kind, column, ids in asked:
        for some in batches(sorted(ids)):
            wanted = select(column.id, column.community).where(column.id.in_(some))
            for name, community in await connection.execute(wanted):
                known.of[kind][name].add(community)
    return [tuple(sorted(known.of_row(row))) for row in whole]


async def united(connection: AsyncConnection, communities: Collection[str]) -> frozenset[str]:
    """Add to communities all that share purses with them."""
    found = set(communities)
    pairs = (await connection.execute(select(_union.community, _union.target))).all()
    while more := {each for pair in pairs if found & set(pair) for each in pair} - found:
        found |= more
    return frozenset(found)


def _named(rows: Iterable[Row], *keys: str) -> set[str]:
    return {str(row[key]) for row in rows for key in keys if row.get(key)}


async def _transfers(connection: AsyncConnection, ids: Collection[str]) -> dict[str, dict[str, Any]]:
    """Read what transfers name; what the finding says of them itself counts more."""
    found: dict[str, dict[str, Any]] = {}
    for some in batches(sorted(ids)):
        columns = _transfer.id, _transfer.posting, _transfer.table_id.label("table"), _transfer.source
        wanted = select(*columns, _transfer.target, _transfer.community).where(_transfer.id.in_(some))
        for row in (await connection.execute(wanted)).mappings():
            found[row["id"]] = dict(row)
    return found
