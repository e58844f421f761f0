"""Repairs inconsistent books by postings alone: no transfer is changed or removed.

Transfers are taken as the truth, from which balances are derived. So

- a balance that is not the sum of its transfers is recomputed. In the history of a wallet this leaves two
  transfers that cancel each other: the excess, from the mint and back;
- a transfer that no posting, step or table accounts for is reversed by another one;
- the mint of the community covers what a purse lacks then, and takes what is in the pot of a table that has
  ended;
- a missing trigger that makes transfers immutable is created again;
- credits that went from one community to another in no legal way are settled between the mints.

The rest cannot be repaired: a missing turn in the journal of a table, or a damaged file.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import insert, select, text

from chatbot.kernel.game import Failure
from chatbot.ledger import changes
from chatbot.ledger.audit import guards
from chatbot.ledger.audit.checks import GUARD, Breach, Sum, combine_sums, examine
from chatbot.ledger.books import holdings, posting_writer, purses
from chatbot.ledger.books.books import AcceptedPosting, Books
from chatbot.ledger.books.posting import MOST_MINTED, Entry, Posting, instalments
from chatbot.ledger.books.purses import MINT, POT, WALLETS, Purse
from chatbot.ledger.changes import OPERATOR, REPAIR, Change, ChangeSet
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import batches

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.audit.checks import AuditReport
    from chatbot.ledger.store.statements import ResultRow
    from chatbot.ledger.store.store import Store

_UNACCOUNTED_CHECKS = {"posting", "stake", "table", "self"}  # that find unaccounted transfers
_MOST_SHOWN = 2**62  # of the cancelling transfers that show an edited balance: both must stay below 2**63

_table, _transfer = schema.game_table.c, schema.transfer.c


class Unrepairable(Failure):
    """The books cannot be repaired by postings; nothing was done."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A purse, its stored balance, and its balance after the repair."""

    purse: Purse
    held: int
    due: int


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A transfer that nothing accounts for, and that the repair reverses."""

    id: int
    source: Purse
    target: Purse
    credits: int
    table: str | None
    community: str


@dataclass(frozen=True, slots=True)
class RepairPlan:
    """What a repair does; `noted` are findings that are only marked as corrected."""

    corrected: tuple[Corrected, ...]
    taken_back: tuple[TakenBack, ...]
    noted: tuple[Breach, ...]
    entries: tuple[tuple[str, str | None, str | None, tuple[Entry, ...]], ...] = field(repr=False)
    """By community, table and second community."""
    guards: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing to do."""
        return not (self.corrected or self.taken_back or self.noted or self.guards)


class Repairs:
    """Plans repairs of a database, and carries them out."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def plan(self) -> tuple[RepairPlan, AuditReport]:
        """Audit the books, and return how they can be repaired, with the report of the audit.

        Raises:
            Unrepairable: a purse would have more than `MOST_MINTED` credits.
        """
        async with self._store.reading() as connection:
            report = await examine(connection)
            return await _plan(connection, report), report

    async def carry_out(self, plan: RepairPlan, at: datetime) -> AuditReport:
        """Repair the books in one transaction, and return the report of an audit afterwards.

        Raises:
            Unrepairable: the books have changed since the plan was made, or would be inconsistent in another
                way; nothing is done.
        """
        return await self._store.write(partial(_carry_out, planned=plan, at=at))


# Planning


async def _plan(connection: AsyncConnection, report: AuditReport) -> RepairPlan:
    breaches: defaultdict[str, list[Breach]] = defaultdict(list)
    for each in report.breaches:
        breaches[each.check].append(each)
    forgeries = await _forgeries(connection, breaches)
    candidates = {each.row["purse"] for each in (*breaches["balance"], *breaches["pot"])}
    candidates |= {purse for each in forgeries for purse in (each.source, each.target)}
    names = {each for each in candidates if isinstance(each, Purse)}  # one without a row is unknown
    unbalanced = {str(each.row["community"]): int(each.row["sum"]) for each in breaches["conservation"]}
    names |= {purses.mint(each) for each in (*(purse.community for purse in names), *unbalanced)}
    transfer_sums = await _transfer_sums(connection, names)
    books = _Books(await holdings.balances(connection, names), transfer_sums, Counter(transfer_sums))
    for transfer in forgeries:
        books.take_back(transfer)
    states = await _states(connection, names)
    for name in sorted(each for each in names if each.kind != MINT):
        books.settle(name, over=states.get(name) in {"settled", "void"})
    if not breaches["kind"]:  # otherwise the communities of purses are uncertain
        books.balance(unbalanced)
    forged_ids = {each.id for each in forgeries}
    noted_breaches = [
        each
        for check in sorted(_UNACCOUNTED_CHECKS)
        for each in breaches[check]
        if each.row["transfer"] in forged_ids
    ]
    triggers = tuple(str(each.row["trigger"]) for each in breaches[GUARD])
    noted_breaches += breaches["number"]
    return RepairPlan(
        tuple(books.corrections()), tuple(forgeries), tuple(noted_breaches), tuple(books.postings()), triggers
    )


@dataclass(slots=True)
class _Books:
    """Balances of purses as stored and by their transfers, and the entries of the repair."""

    balances: Mapping[Purse, int]
    transfer_sums: Mapping[Purse, int]
    new_sums: Counter[Purse]  # by their transfers after the repair
    entries: defaultdict[tuple[str, str | None, str | None], list[Entry]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def take_back(self, transfer: TakenBack) -> None:
        """Reverse a transfer."""
        if transfer.source == transfer.target:
            return
        own = {transfer.source.community, transfer.target.community}
        pots = {each.community for each in (transfer.source, transfer.target) if each.kind == POT}
        homes = pots or own
        community = transfer.community if transfer.community in homes else min(homes)
        beside = next(iter(own - {community}), None)
        self._move(transfer.target, transfer.source, transfer.credits, community, beside)

    def settle(self, name: Purse, *, over: bool) -> None:
        """Give a purse the balance of its transfers, but at least 0, and 0 if its table is `over`."""
        community, kind = name.community, name.kind
        mint = purses.mint(community)
        extra = self.balances[name] - self.transfer_sums[name]
        if kind in WALLETS and extra:
            amount = min(abs(extra), _MOST_SHOWN)
            there, back = ((mint, name), (name, mint)) if extra > 0 else ((name, mint), (mint, name))
            for source, target in (there, back):
                self._move(source, target, amount, community)
        total = self.new_sums[name]
        if total < 0:
            self._move(mint, name, -total, community)
        elif total and kind == POT and over:
            self._move(name, mint, total, community)

    def balance(self, unbalanced: Mapping[str, int]) -> None:
        """Settle between the mints what went illegally from one community to another."""
        sums = Counter(unbalanced)
        for name in self.new_sums:
            sums[name.community] += self.new_sums[name] - self.balances[name]
        for rich in sorted(name for name, left in sums.items() if left > 0):
            for poor in sorted(name for name, left in sums.items() if left < 0):
                amount = min(sums[rich], -sums[poor])
                if amount:
                    self._move(purses.mint(rich), purses.mint(poor), amount, rich, poor)
                sums.update({rich: -amount, poor: amount})

    def corrections(self) -> Iterator[Corrected]:
        """Yield the purses whose balance changes.

        Raises:
            Unrepairable: one of them would have more than `MOST_MINTED` credits.
        """
        for name in sorted(self.new_sums):
            if abs(self.new_sums[name]) > MOST_MINTED:
                raise Unrepairable(f"{name} would hold {self.new_sums[name]}, more than can be counted.")
            if self.new_sums[name] != self.balances[name]:
                yield Corrected(name, self.balances[name], self.new_sums[name])

    def postings(self) -> Iterator[tuple[str, str | None, str | None, tuple[Entry, ...]]]:
        """Yield the entries with their community, table and second community, sorted by these."""
        for key, entries in sorted(self.entries.items(), key=repr):
            yield (*key, tuple(entries))

    def _move(
        self, source: Purse, target: Purse, amount: int, community: str, beside: str | None = None
    ) -> None:
        if amount > MOST_MINTED:
            raise Unrepairable(f"{amount} credits would have to be moved to or from {source}: too many.")
        table = next((each.owner for each in (source, target) if each.kind == POT), None)
        self.entries[community, table, beside] += instalments(source, target, amount, REPAIR)
        for name, change in ((source, -amount), (target, amount)):
            self.new_sums[name] += change


async def _forgeries(
    connection: AsyncConnection, breaches: Mapping[str, Sequence[Breach]]
) -> list[TakenBack]:
    """Read the transfers that nothing accounts for."""
    ids = {int(each.row["transfer"]) for check in _UNACCOUNTED_CHECKS for each in breaches[check]}
    columns = _transfer.id, _transfer.source, _transfer.target, _transfer.credits, _transfer.table_id
    query = select(*columns, _transfer.community).order_by(_transfer.id)
    rows: list[ResultRow] = []
    for some in batches(sorted(ids)):
        rows += (await connection.execute(query.where(_transfer.id.in_(some)))).all()
    names = await holdings.named(connection, [each for row in rows for each in (row.source, row.target)])
    return [
        TakenBack(row.id, names[row.source], names[row.target], row.credits, row.table_id, row.community)
        for row in rows
        if {row.source, row.target} <= names.keys()
    ]


async def _transfer_sums(connection: AsyncConnection, names: Collection[Purse]) -> Counter[Purse]:
    """Return the sum of the transfers of each purse."""
    sums = Counter(dict.fromkeys(names, 0))
    rows = {purse_row.id: purse for purse, purse_row in (await holdings.find(connection, names)).items()}
    for some in batches(sorted(rows)):
        for side, sign in ((_transfer.target, 1), (_transfer.source, -1)):
            total = select(side.label("purse"), *Sum.of(_transfer.credits).named("credits"))
            groups = await connection.execute(total.where(side.in_(some)).group_by(side))
            for row in map(combine_sums, groups.mappings()):
                sums[rows[row["purse"]]] += sign * row["credits"]
    return sums


async def _states(connection: AsyncConnection, names: Collection[Purse]) -> dict[Purse, str]:
    """Return the state of the table of each pot."""
    pots = {each.owner: each for each in names if each.kind == POT}
    states: dict[Purse, str] = {}
    for some in batches(sorted(pots)):
        query = select(_table.id, _table.state).where(_table.id.in_(some))
        states |= {pots[table]: state for table, state in await connection.execute(query)}
    return states


# Execution


async def _carry_out(connection: AsyncConnection, planned: RepairPlan, at: datetime) -> AuditReport:
    if connection.dialect.name == "postgresql":  # blocks writers of other processes
        await connection.execute(text("LOCK TABLE purse, transfer, posting IN SHARE ROW EXCLUSIVE MODE"))
    report = await examine(connection)
    plan = await _plan(connection, report)
    if plan != planned:
        raise Unrepairable("The books have changed meanwhile, so nothing was done; try again.")
    await guards.restore(connection, plan.guards)
    instant = int(at.timestamp() * 1000)
    moves = {each.purse: each.due - each.held for each in plan.corrected}
    names = {purse for *_, some in plan.entries for each in some for purse in (each.source, each.target)}
    names |= moves.keys()
    await posting_writer.ensure(connection, names)
    books = Books()
    for number, (community, table, beside, entries) in enumerate(plan.entries, start=1):
        posting = _posting(f"{REPAIR}:{instant}:{number}", community, at, table, beside, entries)
        books.accepted.append(AcceptedPosting(posting, entries, {}))
    if moves or books.accepted:
        books.before = {each.purse: each.held for each in plan.corrected}
        books.balances = {each.purse: each.due for each in plan.corrected}
        correction = Posting(f"{REPAIR}:{instant}", min(report.doubted), at, OPERATOR)
        books.accepted.insert(0, AcceptedPosting(correction, (), moves))
        await posting_writer.write_books(connection, books)
    for change_set in await _change_sets(connection, plan, report, instant, at):
        await changes.do(connection, change_set)
    corrected_rows = [{"finding": each.finding, "change_set": f"{REPAIR}:{instant}"} for each in plan.noted]
    if corrected_rows:
        await connection.execute(insert(schema.corrected), corrected_rows)
    after = await examine(connection)
    if {each.finding for each in after.breaches} - {each.finding for each in report.breaches}:
        raise Unrepairable("A correction would leave the books wrong in another way, so nothing was done.")
    return after


def _posting(
    name: str, community: str, at: datetime, table: str | None, beside: str | None, entries: tuple[Entry, ...]
) -> Posting:
    try:
        return Posting(name, community, at, OPERATOR, entries, table=table, beside=beside)
    except ValueError as error:
        raise Unrepairable(f"A transfer cannot be taken back, so nothing was done: {error}.") from None


async def _change_sets(
    connection: AsyncConnection, plan: RepairPlan, report: AuditReport, instant: int, at: datetime
) -> list[ChangeSet]:
    """Return the change sets that record the repair in every room of the communities."""
    place = schema.place.c
    rooms: defaultdict[str, list[str]] = defaultdict(list)
    for room, community in await connection.execute(select(place.room, place.community).order_by(place.room)):
        rooms[community].append(room)
    change_sets = []
    for community in sorted(report.doubted):
        room_changes = tuple(_changes(plan, community))
        for room in (rooms[community] or [""]) if room_changes else ():
            name = f"{REPAIR}:{instant}:{community}:{room}"
            change_sets.append(ChangeSet(name, room, community, at, OPERATOR, OPERATOR, room_changes))
    return change_sets


def _changes(plan: RepairPlan, community: str) -> Iterator[Change]:
    for each in plan.corrected:
        if each.purse.community == community:
            wallet = each.purse.kind in WALLETS
            subject = each.purse.owner if wallet else str(each.purse)
            yield Change(REPAIR, subject, "wallet" if wallet else "purse", str(each.held), str(each.due))
    for transfer in plan.taken_back:
        if transfer.community == community:
            yield Change(REPAIR, str(transfer.id), "transfer", str(transfer.credits), "0")
    for breach in plan.noted:
        if community in breach.communities and breach.check == "number":
            yield Change(REPAIR, str(breach.row["posting"]), "posting", None, breach.sentence)
