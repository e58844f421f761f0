"""Audits the books: checks by queries the invariants that hold after every write.

SQLite fails on a sum that exceeds 64 bits at any point, which turnover does long before any balance. So
credits are summed in two parts, billions and remainders, which are combined in Python. Either part has room
for nine billion rows of any amount.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Select,
    case,
    exists,
    func,
    literal,
    or_,
    select,
    text,
    union,
    union_all,
)
from sqlalchemy.exc import DatabaseError, OperationalError

from chatbot.kernel import house_seats
from chatbot.ledger.audit import guards
from chatbot.ledger.audit.scope import communities_of, united
from chatbot.ledger.books import holdings
from chatbot.ledger.books.posting import LINKED
from chatbot.ledger.books.purses import HOUSE, MINT, PERSON, PLAYER, POT, WALLETS
from chatbot.ledger.store import schema, triggers
from chatbot.ledger.store.statements import ColumnValues, Values

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from sqlalchemy import RowMapping
    from sqlalchemy.ext.asyncio import AsyncConnection
    from sqlalchemy.sql.elements import Label

    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.store.store import Store

UNIT = 10**9
_HIGH_SUFFIX, _LOW_SUFFIX = "_high", "_low"


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum in SQL: `high` times `UNIT` plus `low`, either of which may be negative."""

    high: ColumnElement[int]
    low: ColumnElement[int]

    @classmethod
    def of(cls, credits_: ColumnElement[int]) -> Sum:
        """Return the sum of a column of 64-bit integers; 0 for no rows."""
        # Both databases truncate quotients towards 0, and remainders have the sign of the dividend.
        parts = credits_ // UNIT, credits_ % UNIT
        return cls(*(func.coalesce(func.sum(each), 0) for each in parts))

    def __sub__(self, other: Sum) -> Sum:
        return Sum(self.high - other.high, self.low - other.low)

    @property
    def nonzero(self) -> ColumnElement[bool]:
        """The condition that the sum is not 0, without combining its parts, which could exceed 64 bits."""
        return or_(self.low % UNIT != 0, self.high + self.low // UNIT != 0)

    def named(self, name: str) -> Iterator[Label[int]]:
        """Yield its two columns, which `combine_sums` combines under this name."""
        yield self.high.label(name + _HIGH_SUFFIX)
        yield self.low.label(name + _LOW_SUFFIX)


def combine_sums(row: RowMapping) -> Values:
    """Return the columns of a row with the parts of each `Sum` combined, in the place of its high part."""
    values: Values = {}
    for column, value in ((str(key), value) for key, value in row.items()):
        if column.endswith(_HIGH_SUFFIX):
            name = column.removesuffix(_HIGH_SUFFIX)
            values[name] = int(value) * UNIT + int(row[name + _LOW_SUFFIX])  # PostgreSQL sums to a Decimal
        elif not column.endswith(_LOW_SUFFIX):
            values[column] = value
    return values


community, posting, transfer = (each.c for each in (schema.community, schema.posting, schema.transfer))
game_table, journal, step = schema.game_table.c, schema.journal.c, schema.step.c

Query: TypeAlias = "Select[Any]"  # whose columns differ from check to check

OnAuditProgress: TypeAlias = "Callable[[int, int], None]"
"""Called with the number of checks that are done, and the number of all."""


@dataclass(frozen=True, slots=True)
class AuditScope:
    """What an audit checks: everything, or only what is `new` since the last checkpoint.

    New are the transfers that no audit has seen, their tables, and all open tables. Balances are always
    checked, except with `new` those of empty pots, of which there are as many as tables.
    """

    new: bool = False

    @property
    def transfers(self) -> Sequence[ColumnElement[bool]]:
        """The conditions on the transfers to check."""
        return [transfer.id.in_(select(schema.unchecked.c.transfer))] if self.new else []

    def tables(self, column: ColumnElement[str]) -> Sequence[ColumnElement[bool]]:
        """Return the conditions on the ids of the tables to check."""
        if not self.new:
            return []
        new_tables = select(transfer.table_id).where(*self.transfers, transfer.table_id.is_not(None))
        return [column.in_(union(select(game_table.id).where(game_table.state == "open"), new_tables))]

    @property
    def purses(self) -> FromClause:
        """The purses to check, with all their columns."""
        if not self.new:
            return schema.purse
        purse = schema.purse.c
        everywhere = purse.community.in_(select(community.id))  # so that the index of the ranking is used
        conditions = [purse.kind == each for each in (PERSON, PLAYER, HOUSE, MINT)]
        conditions.append((purse.kind == POT) & (purse.balance > 0))
        parts = [select(schema.purse).where(everywhere, each) for each in conditions]
        return union_all(*parts).subquery("living")


ALL, NEW = AuditScope(), AuditScope(new=True)
_PURSE_COLUMNS = "purse", "source", "target"  # columns of findings with purses, or ids of those without a row
GUARD = "guard"  # the check that finds a trigger missing


@dataclass(frozen=True, slots=True)
class Breach:
    """A violated invariant: the row by its columns, and its communities, none if the whole database is."""

    check: str
    sentence: str
    row: ColumnValues
    communities: tuple[str, ...] = ()

    @property
    def finding(self) -> str:
        """The check and the row as text, by which the finding is recognized in later audits."""
        return f"{self.check} {json.dumps(dict(self.row), sort_keys=True, default=str)}"


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The result of an audit: the number of rows of each table, and the breaches.

    `doubted` are the communities of all breaches, and those that share purses with them. `complete` says
    whether everything was checked, and not only what was new.
    """

    counts: Mapping[str, int]
    breaches: Sequence[Breach]
    doubted: frozenset[str] = frozenset()
    complete: bool = True

    @property
    def whole(self) -> bool:
        """Whether a breach concerns the whole database, and with it every community."""
        return any(not each.communities for each in self.breaches)


async def audit(store: Store, progress: OnAuditProgress | None = None) -> AuditReport:
    """Audit everything in one snapshot, reading every transfer; `progress` is called after each check."""
    async with store.reading() as connection:
        return await examine(connection, progress=progress)


async def examine(
    connection: AsyncConnection, scope: AuditScope = ALL, progress: OnAuditProgress | None = None
) -> AuditReport:
    """Audit the books as the transaction of `connection` sees them.

    Raises:
        DatabaseError: they cannot be read, and no damage of the file explains why.
    """
    steps = len(_CHECKS) + 2
    report_progress = progress or (lambda done, of: None)  # noqa: ARG005
    report_progress(0, steps)
    damage = await _check_database(connection, scope)
    report_progress(1, steps)
    try:
        counts = await _counts(connection, scope)
        report_progress(2, steps)
        breaches = list(damage)
        for number, (check, query) in enumerate(_CHECKS.items(), start=3):
            breaches += [each async for each in _breaches(connection, *check, _statement(query, scope))]
            report_progress(number, steps)
        return replace(await _report(connection, counts, breaches), complete=not scope.new)
    except DatabaseError as error:
        if "overflow" in str(error.orig):  # of numbers of turns, which are summed without `Sum`
            damage.append(Breach("overflow", "there is more than 64 bits can count", {}))
        if not damage:
            raise
        return AuditReport({}, damage, complete=not scope.new)  # nothing else can be read


@cache
def _statement(query: Callable[[AuditScope], Query], scope: AuditScope) -> Query:
    """Build the statement of a check once: that takes longer than to run it in a small database."""
    return query(scope)


async def _report(
    connection: AsyncConnection, counts: Mapping[str, int], breaches: Sequence[Breach]
) -> AuditReport:
    """Return the findings that were not corrected by a repair, with their communities."""
    if not breaches:
        return AuditReport(counts, [])
    corrected_findings = set((await connection.execute(select(schema.corrected.c.finding))).scalars())
    left = [each for each in breaches if each.finding not in corrected_findings]
    communities = await communities_of(connection, [each.row for each in left])
    located = [replace(each, communities=own) for each, own in zip(left, communities, strict=True)]
    return AuditReport(counts, located, await united(connection, {one for own in communities for one in own}))


async def breaches(store: Store) -> list[str]:
    """Audit everything, and return a sentence for each breach."""
    return [each.sentence for each in (await audit(store)).breaches]


async def _counts(connection: AsyncConnection, scope: AuditScope) -> dict[str, int]:
    tables = schema.purse, schema.posting, schema.transfer, schema.game_table, schema.journal
    queries = {each.name: select(func.count()).select_from(each) for each in tables}
    if scope.new:
        queries = {"transfer": select(func.count()).select_from(schema.unchecked)}
    return {name: int((await connection.execute(query)).scalar_one()) for name, query in queries.items()}


async def _breaches(
    connection: AsyncConnection, check: str, sentence: str, query: Query
) -> AsyncIterator[Breach]:
    rows = [_exact(row) for row in (await connection.execute(query)).mappings()]
    ids = [row[key] for row in rows for key in _PURSE_COLUMNS if key in row]
    names: Mapping[int, Purse] = await holdings.named(connection, ids) if ids else {}
    for row in rows:
        plain = row | {key: names.get(row[key], row[key]) for key in _PURSE_COLUMNS if key in row}
        yield Breach(check, sentence.format(**plain), plain)


def _exact(row: RowMapping) -> Values:
    return {
        name: int(value) if isinstance(value, Decimal) else value for name, value in combine_sums(row).items()
    }


async def _check_database(connection: AsyncConnection, scope: AuditScope) -> list[Breach]:
    """Check the triggers, and the integrity of an SQLite file; PostgreSQL checks its own files."""
    try:
        damage = [_trigger_breach(name) for name in await guards.missing(connection)]
        if connection.dialect.name != "sqlite" or scope.new:
            return damage  # the rest reads the whole file
        # Not `integrity_check`, which compares every index with its table and is no longer linear in the size
        # of the file. Ten messages, because one damaged page can cause thousands.
        messages = (await connection.execute(text("PRAGMA quick_check(10)"))).scalars().all()
        orphans = (await connection.execute(text("PRAGMA foreign_key_check"))).all()
    except OperationalError:  # it is locked or missing, which is no damage
        raise
    except DatabaseError as error:
        return [Breach("file", f"the file is damaged: {error.orig}", {"said": str(error.orig)})]
    damage += [
        Breach("file", f"the file is damaged: {line}", {"said": line}) for line in messages if line != "ok"
    ]
    return damage + [
        Breach(
            "reference",
            f"a row of {child} names a {parent} that is missing",
            await _describe_row(connection, child, number),
        )
        for child, number, parent, _ in orphans
    ]


def _trigger_breach(trigger: str) -> Breach:
    what = "new transfers are not noted" if trigger == triggers.UNCHECKED else "transfers can be changed"
    return Breach(GUARD, what, {"trigger": trigger})


async def _describe_row(connection: AsyncConnection, of: str, number: int | None) -> ColumnValues:
    """Return the table and id of a row, and what it refers to."""
    description: dict[str, object] = {"of": of, "row": number}
    query = text(f"SELECT * FROM {of} WHERE rowid = :number")  # noqa: S608  (a name of our schema)
    names = {"posting": "posting", "table": "table_id", "community": "community"}
    for row in (await connection.execute(query, {"number": number})).mappings():
        description |= {key: row[column] for key, column in names.items() if isinstance(row.get(column), str)}
    return description


def _unbalanced(scope: AuditScope) -> Query:
    holder = scope.purses.c
    total = Sum.of(holder.balance)
    sums = select(holder.community, *total.named("sum")).group_by(holder.community).having(total.nonzero)
    columns = sums.subquery().c
    name = select(community.name).where(community.id == columns.community).scalar_subquery()
    parts = [each for each in columns if each.name != "community"]
    return select(name.label("community"), *parts).order_by("community")


def _uncovered(scope: AuditScope) -> Query:
    """Find purses whose balance is not the sum of their transfers; either may be missing."""
    nothing, holder, then = literal(0), scope.purses.c, schema.checkpoint_balance.c
    lines = union_all(
        select(holder.id.label("id"), holder.balance.label("held"), nothing.label("moved")),
        select(transfer.target, nothing, transfer.credits).where(*scope.transfers),
        select(transfer.source, nothing, -transfer.credits).where(*scope.transfers),
        *([select(then.purse, nothing, then.balance)] if scope.new else []),
    ).subquery()
    balance, total = Sum.of(lines.c.held), Sum.of(lines.c.moved)
    query = select(lines.c.id.label("purse"), *balance.named("held"), *total.named("moved"))
    return query.group_by(lines.c.id).having((balance - total).nonzero).order_by(lines.c.id)


def _overdrawn(scope: AuditScope) -> Query:
    holder = scope.purses.c
    conditions = holder.balance < 0, holder.kind != MINT
    return select(holder.id.label("purse"), holder.balance).where(*conditions)


def _misnamed(scope: AuditScope) -> Query:
    """Find pots of another community than their table, and wallets of another kind than their seat."""
    holder = scope.purses.c
    name = select(community.name).where(community.id == holder.community).scalar_subquery()
    strange = (holder.kind == PLAYER) != holder.owner.startswith(f"{house_seats.HOUSE}:")
    query = select(holder.id.label("purse"), holder.kind, name.label("community"))
    of_table = (holder.kind == POT) & (game_table.id == holder.owner)
    with_tables = query.outerjoin(schema.game_table, of_table)
    return with_tables.where(or_(game_table.community != name, holder.kind.in_(WALLETS) & strange))


def _unemptied(scope: AuditScope) -> Query:
    """Find pots with credits whose table is not open, or missing."""
    holder = scope.purses.c
    state = func.coalesce(game_table.state, "missing")
    query = select(holder.id.label("purse"), holder.balance, state.label("state"))
    with_tables = query.outerjoin(schema.game_table, game_table.id == holder.owner)
    return with_tables.where(holder.kind == POT, holder.balance != 0, state != "open")


def _sides() -> tuple[FromClause, FromClause, FromClause]:
    """Join transfers with their source and target, and return both aliases and the join."""
    payer, payee = schema.purse.alias("payer"), schema.purse.alias("payee")
    with_payer = schema.transfer.outerjoin(payer, payer.c.id == transfer.source)
    return payer, payee, with_payer.outerjoin(payee, payee.c.id == transfer.target)


def _wrong_pot(scope: AuditScope) -> Query:
    """Find transfers to or from a pot of another table."""
    payer, payee, with_sides = _sides()
    table = func.coalesce(transfer.table_id, "")
    conditions = [(each.c.kind == POT) & (each.c.owner != table) for each in (payer, payee)]
    query = select(transfer.id.label("transfer"), transfer.source, transfer.target).select_from(with_sides)
    return query.where(or_(*conditions), *scope.transfers)


def _unposted(scope: AuditScope) -> Query:
    """Find transfers without an accepted posting, or with one of another community."""
    mint = schema.purse.alias("mint").c
    own = mint.kind == MINT, mint.community == schema.community_of(transfer.community)
    sides = (exists().where(mint.id == each, *own) for each in (transfer.source, transfer.target))
    carried = (transfer.why == LINKED) & or_(*(each.correlate(schema.transfer) for each in sides))
    of_posting = (posting.id == transfer.posting) & ((posting.community == transfer.community) | carried)
    return select(transfer.id.label("transfer"), transfer.community).where(
        ~exists().where(of_posting).correlate(schema.transfer), *scope.transfers
    )


def _uncarried(scope: AuditScope) -> Query:
    """Find postings that took a different number of credits from one community than they gave to another."""
    payer, payee, with_sides = _sides()
    outflow, inflow = (
        Sum.of(case((side.c.kind == MINT, transfer.credits), else_=0)) for side in (payee, payer)
    )
    query = select(transfer.posting.label("posting"), *outflow.named("taken"), *inflow.named("brought"))
    of_links = query.select_from(with_sides).where(transfer.why == LINKED, *scope.transfers)
    return of_links.group_by(transfer.posting).having((outflow - inflow).nonzero)


def _misnumbered(scope: AuditScope) -> Query:
    """Find postings whose transfers are not numbered from 1 without gaps: one was added or removed."""
    count, last = func.count().label("count"), func.max(transfer.number).label("last")
    query = select(transfer.posting.label("posting"), count, last).where(*scope.transfers)
    return query.group_by(transfer.posting).having(count != last)


def _to_itself(scope: AuditScope) -> Query:
    own = transfer.source == transfer.target
    return select(transfer.id.label("transfer"), transfer.source).where(own, *scope.transfers)


def _without_step(scope: AuditScope) -> Query:
    """Find transfers at a table by postings with turns that are no step of its journal."""
    of_table = (step.posting == transfer.posting) & (step.table_id == transfer.table_id)
    of_turns = (posting.id == transfer.posting) & (posting.turns > 0)
    query = select(transfer.id.label("transfer"), transfer.table_id.label("table"))
    return query.where(
        ~exists().where(of_table).correlate(schema.transfer),
        exists().where(of_turns).correlate(schema.transfer),
        *scope.transfers,
    )


def _discontinuous(scope: AuditScope) -> Query:
    turns = func.count().label("turns")
    first, last = func.min(journal.turn).label("first"), func.max(journal.turn).label("last")
    query = select(journal.table_id.label("table"), turns, first, last)
    query = query.where(*scope.tables(journal.table_id)).group_by(journal.table_id)
    return query.having(or_(first != 1, turns != last))


def _miscounted(scope: AuditScope) -> Query:
    """Find journals with another number of turns than their steps wrote: their end may be missing."""
    nothing = literal(0)
    lines = union_all(
        select(step.table_id.label("id"), step.turns.label("wrote"), nothing.label("has")).where(
            *scope.tables(step.table_id)
        ),
        select(journal.table_id, nothing, literal(1)).where(*scope.tables(journal.table_id)),
    ).subquery()
    wrote, has = func.sum(lines.c.wrote).label("wrote"), func.sum(lines.c.has).label("has")
    return select(lines.c.id.label("table"), wrote, has).group_by(lines.c.id).having(wrote != has)


def _overlapping(scope: AuditScope) -> Query:
    """Find steps that do not begin where the one before them ended."""
    previous_end = func.lag(step.turn + step.turns).over(partition_by=step.table_id, order_by=step.turn)
    first_turn = func.coalesce(previous_end, 1).label("due")
    steps = select(step.posting, step.table_id.label("table"), step.turn, first_turn)
    lines = steps.where(*scope.tables(step.table_id)).subquery()
    return select(lines).where(lines.c.turn != lines.c.due)


_CHECKS: dict[tuple[str, str], Callable[[AuditScope], Query]] = {
    ("conservation", "community {community} sums to {sum} and not to 0"): _unbalanced,
    ("balance", "{purse} holds {held}, not the {moved} of its transfers"): _uncovered,
    ("overdraft", "{purse} is at {balance}, below zero"): _overdrawn,
    ("kind", "{purse} is kept as a {kind} of {community}"): _misnamed,
    ("pot", "{purse} holds {balance} though its table is {state}"): _unemptied,
    ("stake", "transfer {transfer} from {source} to {target} is of another table than the pot"): _wrong_pot,
    ("posting", "transfer {transfer} belongs to no posting of {community}"): _unposted,
    ("carry", "posting {posting} took {taken} from one community and brought {brought}"): _uncarried,
    ("number", "posting {posting} has {count} transfers, numbered up to {last}"): _misnumbered,
    ("self", "transfer {transfer} goes from {source} to itself"): _to_itself,
    ("table", "transfer {transfer} at table {table} belongs to none of its steps"): _without_step,
    ("journal", "the journal of table {table} has {turns} turns from {first} to {last}"): _discontinuous,
    ("order", "posting {posting} begins with turn {turn} of table {table}, not with {due}"): _overlapping,
    ("step", "the steps of table {table} wrote {wrote} turns, but its journal has {has}"): _miscounted,
}


class Slices:
    """An audit of everything, one check at a time, each in a snapshot of its own.

    No read transaction lasts longer than one check, so that none delays the checkpoint of SQLite's log.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._left = deque(_CHECKS.items())
        self._begun = False
        self.breaches: list[Breach] = []  # including findings that a repair has corrected

    async def go_on(self) -> bool:
        """Run the next check; return False if it was the last one.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        async with self._store.reading() as connection:
            if self._begun:
                check, query = self._left.popleft()
                self.breaches += [
                    each async for each in _breaches(connection, *check, _statement(query, ALL))
                ]
            else:
                self.breaches += await _check_database(connection, ALL)
        self._begun = True
        return bool(self._left)
