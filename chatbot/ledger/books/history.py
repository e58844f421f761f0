"""Lists the newest movements of a wallet, with the balance after each.

Transfers are ordered by their time, and those of the same time as they were written. All transfers at one
table are one movement, at the position of the last of them; so are the small payments for one reason on one
day (UTC). Movements at archived tables are read from the archive; the postings that carry them forward are
left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeAlias

from sqlalchemy import and_, or_, select, union_all

from chatbot.ledger.archive import archive
from chatbot.ledger.archive.archive import ARCHIVED
from chatbot.ledger.books import holdings
from chatbot.ledger.books.purses import Purse
from chatbot.ledger.store import schema

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from sqlalchemy import ColumnElement, Row, Select
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.archive.archive import Archived
    from chatbot.ledger.store.store import Store

FIRST_READ = 100  # transfers that the first query reads: enough for a page, unless most are small payments
_transfer, _table = schema.transfer.c, schema.game_table.c

_Group: TypeAlias = tuple[str, str]
"""`table` or `posting` with an id, or the reason of small payments with their day (ISO 8601)."""


@dataclass(frozen=True, slots=True)
class Movement:
    """The total change of a wallet by one posting, one table, or one day of small payments.

    `whys` has the change for each reason, in order of occurrence; `partner` is the other purse of the last
    transfer.
    """

    at: datetime
    credits: int
    balance: int  # after it
    whys: Mapping[str, int]
    partner: Purse
    table: str | None = None
    game: str | None = None
    open: bool = False  # the table is still open, so more may follow

    def without(self, whys: Collection[str]) -> int:
        """Return the change in credits that is for other reasons than these."""
        return sum(change for why, change in self.whys.items() if why not in whys)


@dataclass(slots=True)
class _Sum:
    at: datetime
    partner: Purse
    credits: int = 0
    whys: Counter[str] = field(default_factory=Counter)

    def add(self, why: str, change: int) -> None:
        self.credits += change
        self.whys[why] += change


class Histories:
    """Reads histories of wallets.

    `coins` are the reasons of small and frequent payments, of which a day is shown as one movement.
    """

    def __init__(self, store: Store, coins: Collection[str] = ()) -> None:
        self._store, self._coins = store, frozenset(coins)

    async def newest(self, wallet: Purse, count: int) -> list[Movement]:
        """List up to `count` movements of a wallet, or of the one that replaces it, newest first."""
        async with self._store.reading() as connection:
            wallet = (await holdings.read(connection, [wallet])).real(wallet)
            row = (await holdings.find(connection, [wallet])).get(wallet)
            if row is None:
                return []
            groups = await self._groups(connection, row.id, count)
            sums = await self._sums(connection, row.id, groups)
            tables = await _tables(connection, [key for kind, key in groups if kind == "table"])
            # Archived tables are the older ones, but what is not archived may be older still: both are read,
            # then sorted.
            archived_tables = await archive.tables_of(connection, row.id, count)
        for each in archived_tables:
            sums["table", each.head.id] = _sum(each, wallet)
            tables[each.head.id] = each.game, False
        all_groups = [*groups, *(("table", each.head.id) for each in archived_tables)]
        newest = sorted(all_groups, key=lambda group: sums[group].at, reverse=True)
        return _movements(newest[:count], sums, tables, row.balance)

    async def _groups(self, connection: AsyncConnection, wallet: int, count: int) -> list[_Group]:
        """List the groups of the newest transfers of a wallet, newest first."""
        most = FIRST_READ
        while True:
            rows = (await connection.execute(_rows(wallet, most))).all()
            groups = list(dict.fromkeys(self._group(row) for row in rows))
            if len(groups) >= count or len(rows) < most:
                return groups[:count]
            # A day of small payments is one movement, so a page may take thousands of transfers. The bound is
            # raised rather than dropped, because a wallet of two years has far more than that.
            most *= 10

    async def _sums(
        self, connection: AsyncConnection, wallet: int, groups: Sequence[_Group]
    ) -> dict[_Group, _Sum]:
        """Add up the transfers of each group, in their order."""
        own = or_(_transfer.source == wallet, _transfer.target == wallet)
        query = select(schema.transfer).where(own, or_(*_parts(groups)))
        rows = (await connection.execute(query.order_by(_transfer.created_at, _transfer.id))).all()
        names = await holdings.named(connection, [each for row in rows for each in (row.source, row.target)])
        sums: dict[_Group, _Sum] = {}
        for row in rows:
            partner = names[row.target if row.source == wallet else row.source]
            total = sums.setdefault(self._group(row), _Sum(row.created_at, partner))
            total.at, total.partner = row.created_at, partner
            total.add(row.why, row.credits if row.target == wallet else -row.credits)
        return sums

    def _group(self, row: Row[tuple[object, ...]]) -> _Group:
        if row.table_id is not None:
            return "table", str(row.table_id)
        if row.why in self._coins:
            return str(row.why), row.created_at.astimezone(UTC).date().isoformat()
        return "posting", str(row.posting)


def _sum(old: Archived, wallet: Purse) -> _Sum:
    """Add up the transfers of a wallet at an archived table, in their order."""
    own = [each for each in old.table_rows.transfers if wallet in {each.source, each.target}]
    total = _Sum(archive.moment(0), wallet)
    for each in sorted(own, key=lambda each: each.created_at):  # stable: postings stay in order
        total.at = archive.moment(each.created_at)
        total.partner = each.target if each.source == wallet else each.source
        total.add(each.why, each.credits if each.target == wallet else -each.credits)
    return total


def _rows(wallet: int, most: int) -> Select[tuple[object, ...]]:
    """Query each side by its index: both in one condition would sort all transfers of the wallet."""
    newest = _transfer.created_at.desc(), _transfer.id.desc()
    sides = (
        select(schema.transfer)
        .where(side == wallet, _transfer.why != ARCHIVED)
        .order_by(*newest)
        .limit(most)
        .subquery()
        for side in (_transfer.source, _transfer.target)
    )
    both = union_all(*(select(each) for each in sides)).subquery().c
    order = both.created_at.desc(), both.id.desc()
    return select(both.posting, both.table_id, both.why, both.created_at).order_by(*order).limit(most)


def _parts(groups: Sequence[_Group]) -> Iterator[ColumnElement[bool]]:
    """Return the conditions that select the transfers of the groups."""
    yield _transfer.table_id.in_([key for kind, key in groups if kind == "table"])
    postings = [key for kind, key in groups if kind == "posting"]
    yield and_(_transfer.posting.in_(postings), _transfer.table_id.is_(None))
    for why, day in (each for each in groups if each[0] not in {"table", "posting"}):
        since = datetime.fromisoformat(day).replace(tzinfo=UTC)
        span = _transfer.created_at >= since, _transfer.created_at < since + timedelta(days=1)
        yield and_(_transfer.why == why, _transfer.table_id.is_(None), *span)


async def _tables(connection: AsyncConnection, ids: Sequence[str]) -> dict[str, tuple[str, bool]]:
    """Return the game of each table, and whether it is open."""
    query = select(_table.id, _table.game, _table.state).where(_table.id.in_(ids))
    return {row.id: (row.game, row.state == "open") for row in await connection.execute(query)}


def _movements(
    groups: Sequence[_Group],
    sums: dict[_Group, _Sum],
    tables: dict[str, tuple[str, bool]],
    balance: int,
) -> list[Movement]:
    """Return the movements of groups, newest first, with balances computed back from the present one."""
    movements = []
    for group in groups:
        total, table = sums[group], group[1] if group[0] == "table" else None
        game, still = tables.get(table, (None, False)) if table is not None else (None, False)
        common = total.at, total.credits, balance, dict(total.whys), total.partner
        movements.append(Movement(*common, table, game, still))
        balance -= total.credits
    return movements
