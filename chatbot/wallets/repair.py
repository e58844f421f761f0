"""Corrects books that do not add up, by postings alone: no transfer is changed or removed.

The journal of transfers is taken as the truth, and a balance as no more than what was counted from it. So

- a balance that is not that of its transfers is counted afresh. In the journal of a wallet this leaves a
  movement of nothing: what it had too much, from the mint and back;
- a transfer that no posting, step or table accounts for is taken back by one in the other direction;
- the mint of the community makes up what an account lacks then, and takes what lies in the pot of a table
  that is over;
- a trigger that keeps transfers as they are, and is gone, is put back;
- where credits went from one community to another by none of the ways there are, the mints settle it.

What is left over cannot be corrected so: a turn that is missing in the journal of a table, or a damaged file.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import func, insert, select, text

from chatbot.kernel.failure import Failure
from chatbot.wallets import accounts, changes, guards, rows, schema
from chatbot.wallets.audit import GUARD, Breach, examine
from chatbot.wallets.changes import REPAIR, Change, Deed, Work
from chatbot.wallets.posting import MOST_MINTED, Entry, Posting, instalments
from chatbot.wallets.rows import Written
from chatbot.wallets.statements import batches, ensure
from chatbot.wallets.sums import Sum, whole

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.wallets.audit import Report
    from chatbot.wallets.store import Store

OPERATOR = "operator"
_FORGED = {"posting", "stake", "table", "self"}  # checks that find a transfer which nothing accounts for
_SHOWN_AGAIN = 2**62  # credits of one edited balance that go from the mint and back, for all to see

_account, _table, _transfer = (each.c for each in (schema.account, schema.game_table, schema.transfer))


class Unrepairable(Failure):
    """The books cannot be corrected by postings; nothing was done."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """One account, what was kept as its balance, and what it holds after the correction."""

    account: str
    community: str
    held: int
    due: int


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A transfer that nothing accounts for."""

    id: str
    source: str
    target: str
    credits: int
    table: str | None
    community: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done, and of what nothing but the finding is noted."""

    corrected: tuple[Corrected, ...]
    taken_back: tuple[TakenBack, ...]
    noted: tuple[Breach, ...]
    entries: tuple[tuple[str, str | None, str | None, tuple[Entry, ...]], ...] = field(repr=False)
    """By community, table and second community."""
    guards: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.corrected or self.taken_back or self.noted or self.guards)


class Repairs:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def plan(self) -> tuple[Plan, Report]:
        """Find out what is wrong, and how it can be corrected.

        Raises:
            Unrepairable: there would be more credits than can be counted.
        """
        async with self._store.reading() as connection:
            report = await examine(connection)
            return await _plan(connection, report), report

    async def carry_out(self, plan: Plan, at: datetime) -> Report:
        """Correct the books, in one transaction; give what is wrong with them afterwards.

        Raises:
            Unrepairable: the books have changed since the plan was made.
        """
        return await self._store.write(partial(_carry_out, planned=plan, at=at))


# Planning


async def _plan(connection: AsyncConnection, report: Report) -> Plan:
    found: defaultdict[str, list[Breach]] = defaultdict(list)
    for each in report.breaches:
        found[each.check].append(each)
    forged = await _forged(connection, found)
    names = {str(each.row["account"]) for each in (*found["balance"], *found["pot"])}
    names |= {name for each in forged for name in (each.source, each.target)}
    names = {each for each in names if _is_account(each)}
    homes = await _homes(connection, names)
    unbalanced = {str(each.row["community"]): int(each.row["sum"]) for each in found["conservation"]}
    names |= {accounts.mint(each) for each in (*homes.values(), *unbalanced) if each}
    said = await _moved(connection, names)
    books = _Books(await _held(connection, names), said, Counter(said), homes)
    for transfer in forged:
        books.take_back(transfer)
    states = await _states(connection, names)
    for name in sorted(homes):
        books.settle(name, over=states.get(name) in {"settled", "void"})
    if not found["kind"]:  # else it is not known whose account it is
        books.balance(unbalanced)
    known = {each.id for each in forged}
    noted = [each for check in sorted(_FORGED) for each in found[check] if each.row["transfer"] in known]
    gone = tuple(str(each.row["trigger"]) for each in found[GUARD])
    noted += found["number"]
    return Plan(tuple(books.corrected()), tuple(forged), tuple(noted), tuple(books.postings()), gone)


def _is_account(name: str) -> bool:
    kind, _, rest = name.partition(":")
    return bool(rest) and kind in {"wallet", "house", "mint", "pot"}


@dataclass(slots=True)
class _Books:
    """What accounts hold, what their transfers say, and what is to be moved."""

    held: Mapping[str, int]
    said: Mapping[str, int]
    moved: Counter[str]  # what they say after the correction
    homes: Mapping[str, str]  # the communities of accounts other than mints
    entries: defaultdict[tuple[str, str | None, str | None], list[Entry]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def take_back(self, transfer: TakenBack) -> None:
        """Move credits back to where a transfer took them from."""
        if transfer.source == transfer.target:
            return
        own = {self._home(transfer.source), self._home(transfer.target)}
        community = transfer.community if transfer.community in own else min(own)
        beside = next(iter(own - {community}), None)
        self._move(transfer.target, transfer.source, transfer.credits, community, beside)

    def settle(self, name: str, *, over: bool) -> None:
        """Have an account hold what its transfers say, but nothing less than 0; and 0 a pot that is over."""
        mint, kind = accounts.mint(self.homes[name]), accounts.kind(name)
        extra = self.held[name] - self.said[name]
        if kind == "wallet" and extra:
            amount = min(abs(extra), _SHOWN_AGAIN)
            there, back = ((mint, name), (name, mint)) if extra > 0 else ((name, mint), (mint, name))
            for source, target in (there, back):
                self._move(source, target, amount, self.homes[name])
        due = self.moved[name]
        if due < 0:
            self._move(mint, name, -due, self.homes[name])
        elif due and kind == "pot" and over:
            self._move(name, mint, due, self.homes[name])

    def balance(self, unbalanced: Mapping[str, int]) -> None:
        """Have the mints of communities settle what went from one to the other."""
        sums = Counter(unbalanced)
        for name in self.moved:
            sums[self._home(name)] += self.moved[name] - self.held[name]
        for rich in sorted(name for name, left in sums.items() if left > 0):
            for poor in sorted(name for name, left in sums.items() if left < 0):
                amount = min(sums[rich], -sums[poor])
                if amount:
                    self._move(accounts.mint(rich), accounts.mint(poor), amount, rich, poor)
                sums.update({rich: -amount, poor: amount})

    def corrected(self) -> Iterator[Corrected]:
        """List the accounts that hold something else afterwards.

        Raises:
            Unrepairable: one of them would hold more than can be counted.
        """
        for name in sorted(self.moved):
            if abs(self.moved[name]) > MOST_MINTED:
                raise Unrepairable(f"{name} would hold {self.moved[name]}, more than can be counted.")
            if self.moved[name] != self.held[name]:
                yield Corrected(name, self._home(name), self.held[name], self.moved[name])

    def postings(self) -> Iterator[tuple[str, str | None, str | None, tuple[Entry, ...]]]:
        for key, entries in sorted(self.entries.items(), key=repr):
            yield (*key, tuple(entries))

    def _home(self, name: str) -> str:
        return self.homes.get(name) or accounts.community_of(name)

    def _move(self, source: str, target: str, amount: int, community: str, beside: str | None = None) -> None:
        if amount > MOST_MINTED:
            raise Unrepairable(f"{amount} credits would have to be moved to or from {source}: too many.")
        pots = [each for each in (source, target) if accounts.kind(each) == "pot"]
        table = pots[0].removeprefix("pot:") if pots else None
        self.entries[community, table, beside] += instalments(source, target, amount, REPAIR)
        for name, change in ((source, -amount), (target, amount)):
            self.moved[name] += change


async def _forged(connection: AsyncConnection, found: Mapping[str, Sequence[Breach]]) -> list[TakenBack]:
    """Read the transfers that nothing accounts for."""
    ids = {str(each.row["transfer"]) for check in _FORGED for each in found[check]}
    postings = [str(each.row["posting"]) for each in found["number"]]
    columns = _transfer.id, _transfer.source, _transfer.target, _transfer.credits, _transfer.table_id
    wanted = select(*columns, _transfer.community)
    read: dict[str, TakenBack] = {}
    for some in batches(sorted(ids)):
        for row in await connection.execute(wanted.where(_transfer.id.in_(some))):
            read[row.id] = TakenBack(*row)
    for some in batches(postings):
        own = func.substr(_transfer.id, 1, func.length(_transfer.posting) + 1) == _transfer.posting + ":"
        for row in await connection.execute(wanted.where(_transfer.posting.in_(some), ~own)):
            read[row.id] = TakenBack(*row)
    told = (read[each] for each in sorted(read))
    return [each for each in told if _is_account(each.source) and _is_account(each.target)]


async def _homes(connection: AsyncConnection, names: Collection[str]) -> dict[str, str]:
    """Tell the community of each account but the mints."""
    found: dict[str, str] = {}
    tables = {name.removeprefix("pot:"): name for name in names if accounts.kind(name) == "pot"}
    for some in batches(sorted(tables)):
        wanted = select(_table.id, _table.community).where(_table.id.in_(some))
        found |= {tables[table]: community for table, community in await connection.execute(wanted)}
    for some in batches(sorted(tables.values() - found.keys())):
        wanted = select(_account.id, _account.community).where(_account.id.in_(some))
        found |= {name: community for name, community in await connection.execute(wanted)}  # noqa: C416
    named = [name for name in names if accounts.kind(name) in {"wallet", "house"}]
    return found | {name: accounts.community_of(name) for name in named}


async def _held(connection: AsyncConnection, names: Collection[str]) -> dict[str, int]:
    held = dict.fromkeys(names, 0)
    for some in batches(sorted(names)):
        wanted = select(_account.id, _account.balance).where(_account.id.in_(some))
        held |= {name: balance for name, balance in await connection.execute(wanted)}  # noqa: C416
    return held


async def _moved(connection: AsyncConnection, names: Collection[str]) -> Counter[str]:
    """Add up the transfers of these accounts."""
    moved = Counter(dict.fromkeys(names, 0))
    for some in batches(sorted(names)):
        for side, sign in ((_transfer.target, 1), (_transfer.source, -1)):
            total = select(side.label("account"), *Sum.of(_transfer.credits).named("credits"))
            read = await connection.execute(total.where(side.in_(some)).group_by(side))
            for row in map(whole, read.mappings()):
                moved[row["account"]] += sign * row["credits"]
    return moved


async def _states(connection: AsyncConnection, names: Collection[str]) -> dict[str, str]:
    """Tell the state of the table of each pot."""
    tables = sorted(name.removeprefix("pot:") for name in names if accounts.kind(name) == "pot")
    found: dict[str, str] = {}
    for some in batches(tables):
        wanted = select(_table.id, _table.state).where(_table.id.in_(some))
        found |= {accounts.pot(table): state for table, state in await connection.execute(wanted)}
    return found


# Carrying it out


async def _carry_out(connection: AsyncConnection, planned: Plan, at: datetime) -> Report:
    if connection.dialect.name == "postgresql":  # other processes wait until it is done
        await connection.execute(text("LOCK TABLE account, transfer, posting IN SHARE ROW EXCLUSIVE MODE"))
    report = await examine(connection)
    plan = await _plan(connection, report)
    if plan != planned:
        raise Unrepairable("The books have changed meanwhile, so nothing was done; try again.")
    await guards.restore(connection, plan.guards)
    instant = int(at.timestamp() * 1000)
    moves = {each.account: each.due - each.held for each in plan.corrected}
    await ensure(connection, schema.account, [_row(each) for each in plan.corrected])
    written = []
    for number, (community, table, beside, entries) in enumerate(plan.entries, start=1):
        posting = _posting(f"{REPAIR}:{instant}:{number}", community, at, table, beside, entries)
        written.append(Written(posting, entries, {}, None))
    if moves or written:
        balances = Posting(f"{REPAIR}:{instant}", min(report.doubted), at, OPERATOR)
        await rows.write(connection, [Written(balances, (), moves, None), *written], [])
    for deed in await _deeds(connection, plan, report, instant, at):
        await changes.do(connection, deed, Work())
    noted = [{"finding": each.finding, "deed": f"{REPAIR}:{instant}"} for each in plan.noted]
    if noted:
        await connection.execute(insert(schema.corrected), noted)
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


def _row(each: Corrected) -> dict[str, object]:
    kind = accounts.kind(each.account)
    return {"id": each.account, "community": each.community, "kind": kind, "balance": 0}


async def _deeds(
    connection: AsyncConnection, plan: Plan, report: Report, instant: int, at: datetime
) -> list[Deed]:
    """Note in every room of a community what was corrected there."""
    place = schema.place.c
    rooms: defaultdict[str, list[str]] = defaultdict(list)
    for room, community in await connection.execute(select(place.room, place.community).order_by(place.room)):
        rooms[community].append(room)
    made = []
    for community in sorted(report.doubted):
        done = tuple(_changes(plan, community))
        for room in (rooms[community] or [""]) if done else ():
            name = f"{REPAIR}:{instant}:{community}:{room}"
            made.append(Deed(name, room, community, at, OPERATOR, OPERATOR, done))
    return made


def _changes(plan: Plan, community: str) -> Iterator[Change]:
    for each in plan.corrected:
        if each.community == community:
            wallet = accounts.kind(each.account) == "wallet"
            subject = str(accounts.seat_of(each.account)) if wallet else each.account
            yield Change(REPAIR, subject, "wallet" if wallet else "account", str(each.held), str(each.due))
    for transfer in plan.taken_back:
        if transfer.community == community:
            yield Change(REPAIR, transfer.id, "transfer", str(transfer.credits), "0")
    for breach in plan.noted:
        if community in breach.communities and breach.check == "number":
            yield Change(REPAIR, str(breach.row["posting"]), "posting", None, breach.sentence)
