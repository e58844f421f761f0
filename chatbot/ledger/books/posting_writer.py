"""Writes postings on an open connection: reads all rows they concern, decides, and then writes.

Each posting is accepted or refused on its own, in the given order, as if they came one at a time. The answer
is stored with the id of the posting, which is answered the same from then on. Processes that share a
PostgreSQL database lock rows in one order (tables, new purses by identity, all purses by id), so that they
cannot deadlock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from sqlalchemy import BindParameter, Integer, bindparam, exists, null, select, union_all, update
from sqlalchemy import insert as insert_into

from chatbot.ledger import vouchers
from chatbot.ledger.books import holdings, purses
from chatbot.ledger.books.holdings import Forwarding, carried
from chatbot.ledger.books.posting import (
    LINKED,
    MOST_MINTED,
    Closed,
    Entry,
    Exhausted,
    LedgerError,
    Moved,
    Opening,
    Posting,
    Short,
    instalments,
)
from chatbot.ledger.books.purses import MINT, Purse
from chatbot.ledger.store import schema
from chatbot.ledger.store.schema import Key
from chatbot.ledger.store.statements import ColumnValues, batches, put

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from sqlalchemy import Table
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.holdings import Held

End: TypeAlias = Literal["settled", "void"]
RefusedPosting: TypeAlias = Short | Exhausted | Closed


_purse = schema.purse.c
_ADD_TO_BALANCE = (
    update(schema.purse)
    .where(_purse.id == bindparam("row"))
    .values(balance=_purse.balance + bindparam("change"))
)
_INSERTS = {
    table: insert_into(table)
    for table in (
        schema.posting, schema.refusal, schema.game_table, schema.transfer, schema.journal, schema.step,
        schema.untold,
    )
}  # fmt: skip


_chain, _before = schema.chain.c, schema.game_table.alias("before").c
_TAKE_LINK = (
    update(schema.chain)
    .where(
        _chain.head == bindparam("of_chain", type_=Key),
        _chain.room == bindparam("in_room", type_=Key),
        _chain.sealed.is_not(None),
        _chain.used == bindparam("taken", type_=Integer) - 1,
        ~exists().where(_before.chain == _chain.head, _before.link == _chain.used, _before.state == "open"),
    )
    .values(used=_chain.used + 1)
)


@dataclass(frozen=True, slots=True)
class Written:
    """An accepted posting: all its entries, the total change of each purse, and the end of its table if any.

    `entries` has those of the posting, and those that the books add: bankrolls and forwarded credits.
    """

    posting: Posting
    entries: Sequence[Entry]
    changes: Mapping[Purse, int]
    end: End | None


async def write_rows(
    connection: AsyncConnection,
    written: Sequence[Written],
    refused: Sequence[tuple[Posting, RefusedPosting]],
    ids: Mapping[Purse, int],
) -> None:
    """Write what was decided, by one statement for each kind of row.

    `ids` are the row ids of all purses that the entries and refusals name.

    Raises:
        Closed: a table was closed meanwhile.
        LedgerError: a link of a hash chain is not the next one.
        IntegrityError: a voucher was decided before.
    """
    postings = [each.posting for each in written]
    # In the order of the foreign keys: postings and tables before the transfers, turns and steps that refer
    # to them.
    await _insert(connection, schema.refusal, [_refusal(*each, ids) for each in refused])
    await _insert(connection, schema.posting, [_posting_row(each) for each in postings])
    await _insert(connection, schema.game_table, [_table_row(each) for each in postings if each.opening])
    await _insert(connection, schema.transfer, [row for each in written for row in _transfers(each, ids)])
    await _insert(connection, schema.journal, [row for each in postings for row in _turns(each)])
    await _insert(connection, schema.step, [_step(each) for each in postings if each.turns])
    await put(connection, schema.record, _records(postings))
    await _insert(
        connection, schema.untold, [{"table_id": each.posting.table} for each in written if each.end]
    )
    await _update_balances(connection, written, ids)
    for posting in postings:
        if posting.vouchers:
            await vouchers.write(connection, posting.vouchers, posting.community, posting.table, posting.at)
    for each in written:
        if each.end is not None:
            await close(connection, each.posting, each.end)
    # After the closings: of postings that share a transaction, one may open the next table on the chain of
    # another that it sees end only here.
    for opening in (each.opening for each in postings):
        if opening is not None and opening.chain is not None:
            await _take_link(connection, opening)


async def close(connection: AsyncConnection, posting: Posting, end: End) -> None:
    """Close the table of a posting, which is possible only once.

    Raises:
        Closed: it is closed already.
    """
    table = schema.game_table.c
    closing = update(schema.game_table).where(table.id == posting.table, table.state == "open")
    over = closing.values(state=end, closed_at=posting.at, seed=posting.seed)
    if (await connection.execute(over)).rowcount != 1:
        raise Closed(str(posting.table))


async def _take_link(connection: AsyncConnection, opening: Opening) -> None:
    """Mark a link as used: once, after the one before it, and after the table of that one has ended.

    Otherwise it could be known already, because a link is the hash of the one after it.

    Raises:
        LedgerError: it is not the next link.
    """
    taken = {"of_chain": opening.chain, "in_room": opening.room, "taken": opening.link}
    if (await connection.execute(_TAKE_LINK, taken)).rowcount != 1:
        raise LedgerError(f"link {opening.link} of chain {opening.chain} is not the next in {opening.room!r}")


async def _update_balances(
    connection: AsyncConnection, written: Sequence[Written], ids: Mapping[Purse, int]
) -> None:
    """Update balances; a constraint of the database forbids negative ones, except of mints."""
    changes: Counter[int] = Counter()
    for each in written:
        changes.update({ids[purse]: change for purse, change in each.changes.items()})
    # One row for each purse, in the order in which all processes lock them; `+` and not the decided balance,
    # since a repair also changes purses whose stored balance is wrong.
    moved = [{"row": row, "change": change} for row, change in sorted(changes.items()) if change]
    if moved:
        await connection.execute(_ADD_TO_BALANCE, moved)


async def _insert(connection: AsyncConnection, table: Table, values: Sequence[ColumnValues]) -> None:
    if values:
        await connection.execute(_INSERTS[table], list(values))


def _refusal(posting: Posting, refusal: RefusedPosting, ids: Mapping[Purse, int]) -> ColumnValues:
    kept = {"id": posting.id, "community": posting.community, "created_at": posting.at}
    if isinstance(refusal, Closed):
        return kept | {"kind": "closed", "purse": None, "table_id": refusal.table, "balance": 0}
    # An exhausted mint is stored as short too: the kind of its purse tells them apart.
    short = {"purse": ids[refusal.purse], "table_id": None, "balance": refusal.balance}
    return kept | {"kind": "short"} | short


def _posting_row(posting: Posting) -> ColumnValues:
    turns = len(posting.turns)
    return {"id": posting.id, "community": posting.community, "turns": turns, "created_at": posting.at}


def _table_row(posting: Posting) -> ColumnValues:
    opening = posting.opening
    assert opening is not None  # noqa: S101  (for mypy)
    return {
        "id": opening.table,
        "room": opening.room,
        "community": posting.community,
        "game": opening.game,
        "version": opening.version,
        "settings": opening.settings,
        "chain": opening.chain,
        "link": opening.link,
        "seed": None,
        "state": "open",
        "opened_at": posting.at,
        "closed_at": None,
    }


def _transfers(written: Written, ids: Mapping[Purse, int]) -> list[ColumnValues]:
    posting = written.posting
    return [
        {
            "posting": posting.id,
            "number": number,
            "community": _community(posting, each),
            "table_id": posting.table,
            "source": ids[each.source],
            "target": ids[each.target],
            "credits": each.credits,
            "why": each.why,
            "actor": posting.actor,
            "created_at": posting.at,
        }
        for number, each in enumerate(written.entries, start=1)
    ]


def _community(posting: Posting, entry: Entry) -> str:
    """Return the community of an entry; a movement between two communities is one entry in each."""
    return entry.source.community if entry.why == LINKED else posting.community


def _turns(posting: Posting) -> list[ColumnValues]:
    return [
        {
            "table_id": each.table,
            "turn": each.turn,
            "action": each.action,
            "purses": each.purses,
            "line": each.line,
            "at": posting.at,
        }
        for each in posting.turns
    ]


def _step(posting: Posting) -> ColumnValues:
    first = min(each.turn for each in posting.turns)
    return {
        "posting": posting.id,
        "table_id": posting.table,
        "turn": first,
        "turns": len(posting.turns),
    }


def _records(postings: Sequence[Posting]) -> list[ColumnValues]:
    """Return the last record for each key, in sorted order so that two processes cannot deadlock."""
    newest = {(each.room, each.game, each.seat): each.body for one in postings for each in one.records}
    return [
        {"room": room, "game": game, "seat": seat, "body": body}
        for (room, game, seat), body in sorted(newest.items())
    ]


WriteResult: TypeAlias = bool | Exception
"""True: written; False: it was written before; an exception: it was refused."""


# Built once, because building a statement costs as much as running it.
_ids: BindParameter[list[str]] = bindparam("ids", expanding=True)
_posting, _refused, _table = (each.c for each in (schema.posting, schema.refusal, schema.game_table))
_NO_FORWARDING = Forwarding()
_ANSWERS = union_all(
    select(_posting.id, null().label("kind"), null(), null(), null()).where(_posting.id.in_(_ids)),
    select(_refused.id, _refused.kind, _refused.table_id, _refused.purse, _refused.balance).where(
        _refused.id.in_(_ids)
    ),
)
_TABLES = select(_table.id, _table.community, _table.state).where(_table.id.in_(_ids)).order_by(_table.id)
_TABLES_LOCKED = _TABLES.with_for_update()


async def write(connection: AsyncConnection, postings: Sequence[Posting]) -> list[WriteResult]:
    """Write postings in the transaction of the caller, and return an answer for each.

    The following exceptions are returned, not raised:
        Short: a purse cannot pay.
        Exhausted: the community would have more than `MOST_MINTED` credits.
        Moved: a balance is not the expected one; not stored, because the step is to be decided again.
        Closed: the table is not open.
        LedgerError: the table is of another community, opened twice, or would end with credits in its pot.
    """
    books = await _read(connection, postings)
    answers = [books.answer(posting, end_of(posting)) for posting in postings]
    await write_rows(connection, books.written, books.refused, books.ids)
    return answers


def end_of(posting: Posting) -> End | None:
    """Return how a posting ends its table, if it does."""
    return "settled" if posting.settles else None


async def write_void(connection: AsyncConnection, posting: Posting) -> WriteResult:
    """Write a posting that voids its table, and return the answer."""
    books = await _read(connection, [posting])
    answer = books.answer(posting, "void")
    await write_rows(connection, books.written, books.refused, books.ids)
    return answer


async def known(connection: AsyncConnection, ids: Collection[str]) -> dict[str, WriteResult]:
    """Return the stored answers to these ids: False for those that are written, or the refusal."""
    found: dict[str, WriteResult] = {}
    for some in batches(ids):
        short: list[tuple[str, int, int]] = []
        for name, kind, table, row, balance in await connection.execute(_ANSWERS, {"ids": some}):
            found[name] = Closed(table) if kind == "closed" else False
            if kind == "short":
                short.append((name, row, balance))
        if short:
            names = await holdings.named(connection, [row for _, row, _ in short])
            found |= {name: _refusal_of_purse(names[row], balance) for name, row, balance in short}
    return found


@dataclass(slots=True)
class PostingWriter:
    """The data that postings concern, as it is after those that were decided so far."""

    tables: dict[str, tuple[str, str]] = field(default_factory=dict)  # community and state by id
    balances: dict[Purse, int] = field(default_factory=dict)
    ids: dict[Purse, int] = field(
        default_factory=dict
    )  # of the rows; none for purses that were read by `load`
    forwarding: Forwarding = field(default_factory=Forwarding)
    answers: dict[str, WriteResult] = field(default_factory=dict)  # by id of posting
    written: list[Written] = field(default_factory=list)
    refused: list[tuple[Posting, RefusedPosting]] = field(default_factory=list)

    async def load(
        self,
        connection: AsyncConnection,
        names: Collection[Purse],
        tables: Collection[str],
        postings: Collection[str],
    ) -> None:
        """Read more data without locks; it may have changed when postings are written."""
        if tables:
            self.tables |= await _tables(connection, set(tables), lock=False)
        if names:
            read = await holdings.read(connection, names)
            reached = {each for each in read.reached(names) if each not in self.balances}
            self.balances |= await holdings.balances(connection, {*names, *reached})
            self.forwarding = Forwarding(
                {**self.forwarding.roots, **read.roots}, {**self.forwarding.unions, **read.unions}
            )
        if postings:
            self.answers |= await known(connection, postings)

    def adopt(
        self,
        read: PostingWriter,
        names: Collection[Purse],
        tables: Collection[str],
        postings: Collection[str],
    ) -> None:
        """Add from what was loaded for several units what concerns these names; own decisions stay."""
        seats, communities = (set(each) for each in holdings.forwardable(names))
        roots = {seat: root for seat, root in read.forwarding.roots.items() if seat in seats}
        unions = {each: holder for each, holder in read.forwarding.unions.items() if each in communities}
        forwarding = Forwarding(roots, unions)
        needed = {*names, *forwarding.reached(names)} - self.balances.keys()
        self.balances |= {each: read.balances[each] for each in needed}
        self.forwarding = Forwarding({**self.forwarding.roots, **roots}, {**self.forwarding.unions, **unions})
        self.tables |= {each: read.tables[each] for each in tables if each in read.tables}
        self.answers |= {each: read.answers[each] for each in postings if each in read.answers}

    def held(self, name: Purse) -> int:
        """Return the balance of the purse that holds the credits of this one."""
        return self.balances[self.forwarding.real(name)]

    def answer(self, posting: Posting, end: End | None) -> WriteResult:
        """Decide a posting, and apply its changes to this data if it is accepted."""
        if posting.id in self.answers:
            return self.answers[posting.id]
        try:
            self._accept(posting, end)
        except (Short, Exhausted, Closed) as refusal:
            self.refused.append((posting, refusal))
            self.answers[posting.id] = refusal
            return refusal
        except (Moved, LedgerError) as error:
            return error
        self.answers[posting.id] = False
        return True

    def _accept(self, posting: Posting, end: End | None) -> None:
        # Nothing here changes before the last check has passed: the postings after a refused one are decided
        # from it.
        self._require_open(posting)
        self._require_expected(posting)
        entries = self._with_bankroll(posting)
        if posting.beside is not None:
            _require_own_sums(posting)
        if self.forwarding != _NO_FORWARDING:
            entries = (*entries, *self._forwarded(posting, _changes(entries)))
        changes = _changes(entries)
        self._require_funds(changes)
        if end is not None:
            self._require_empty(purses.pot(posting.community, str(posting.table)), changes)
        for name, change in changes.items():
            self.balances[name] += change
        if posting.table is not None:
            self.tables[posting.table] = posting.community, end or "open"
        self.written.append(Written(posting, entries, changes, end))

    def _require_open(self, posting: Posting) -> None:
        if posting.opening is not None and posting.opening.table in self.tables:
            raise LedgerError(f"table {posting.opening.table} is there already")
        if posting.opening is not None or posting.table is None:
            return
        community, state = self.tables.get(posting.table, (posting.community, "missing"))
        if state != "open":
            raise Closed(posting.table)
        if community != posting.community:
            raise LedgerError(f"table {posting.table} is of {community!r}, not of {posting.community!r}")

    def _require_expected(self, posting: Posting) -> None:
        for name in sorted(posting.expects):
            if self.balances[self.forwarding.real(name)] != posting.expects[name]:
                raise Moved(name)

    def _with_bankroll(self, posting: Posting) -> tuple[Entry, ...]:
        """Return the entries, after one from the mint for what the house lacks: the house can always pay."""
        house = purses.house(posting.community)
        if all(each.source != house for each in posting.entries):
            return posting.entries
        # The mint is among `touched` only if it may be needed, so its balance is looked up only where that is
        # so.
        lacking = -(self.balances.get(house, 0) + _changes(posting.entries)[house])
        mint = purses.mint(posting.community)
        if lacking > MOST_MINTED:
            raise Exhausted(mint, self.balances[mint])
        return (*instalments(mint, house, lacking, "bankroll"), *posting.entries)

    def _forwarded(self, posting: Posting, changes: Mapping[Purse, int]) -> Iterator[Entry]:
        """Return entries that empty each replaced wallet into the one that replaces it, or refill it."""
        for name in sorted(posting.purses()):
            real = self.forwarding.real(name)
            if real != name:
                yield from carried(name, real, self.balances[name] + changes.get(name, 0))

    def _require_funds(self, changes: Mapping[Purse, int]) -> None:
        """Require that no purse becomes negative, and no mint less than `-MOST_MINTED`.

        The other purses of a community together hold what its mint lacks, so none can hold more than that.
        """
        for name, change in changes.items():
            left, is_mint = self.balances[name] + change, name.kind == MINT
            # Only where the mint pays: whoever returns credits to it is not refused because too many were
            # made before.
            if is_mint and change < 0 and left < -MOST_MINTED:
                raise Exhausted(name, self.balances[name])
            if left < 0 and not is_mint:
                raise Short(name, self.balances[name])

    def _require_empty(self, pot: Purse, changes: Mapping[Purse, int]) -> None:
        left = self.balances[pot] + changes.get(pot, 0)
        if left:
            raise LedgerError(f"{pot} must be empty at the end of its table, and holds {left}")


async def _read(connection: AsyncConnection, postings: Sequence[Posting]) -> PostingWriter:
    """Read and lock what the postings concern."""
    tables = await _tables(connection, {each.table for each in postings if each.table})
    # A posting at a table of another community is refused, and must not create a pot there.
    own = [each for each in postings if tables.get(str(each.table), (each.community,))[0] == each.community]
    held, forwarding = await _held_for(connection, {name for each in own for name in touched(each)})
    balances = {purse: found.balance for purse, found in held.items()}
    ids = {purse: found.id for purse, found in held.items()}
    # Answers are read last: with the locks held, all that former holders wrote is visible.
    return PostingWriter(
        tables, balances, ids, forwarding, await known(connection, {each.id for each in postings})
    )


async def _tables(
    connection: AsyncConnection, ids: set[str], *, lock: bool = True
) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for some in batches(sorted(ids)):
        wanted = _TABLES_LOCKED if lock else _TABLES
        for name, community, state in await connection.execute(wanted, {"ids": some}):
            found[name] = community, state
    return found


def touched(posting: Posting) -> set[Purse]:
    """Return the purses that a posting concerns, with the mint if the house may have to draw on it."""
    touched = posting.purses()
    if posting.table is not None:
        touched.add(purses.pot(posting.community, posting.table))
    house = purses.house(posting.community)
    if any(each.source == house for each in posting.entries) and _changes(posting.entries)[house] < 0:
        touched.add(purses.mint(posting.community))
    return touched


async def _held_for(
    connection: AsyncConnection, touched: Collection[Purse]
) -> tuple[dict[Purse, Held], Forwarding]:
    """Read and lock the rows of purses and of those that replace them, until both agree."""
    forwarding = await holdings.read(connection, touched)
    # On PostgreSQL a link or a union may be committed between the reading and the locking, which leads to
    # other rows. On SQLite there is no other writer.
    while True:
        held = await _held(connection, {*touched, *forwarding.reached(touched)})
        if connection.dialect.name == "sqlite":
            return held, forwarding
        known_forwarding, forwarding = forwarding, await holdings.read(connection, touched)
        if known_forwarding == forwarding:
            return held, forwarding


async def _held(connection: AsyncConnection, wanted: Collection[Purse]) -> dict[Purse, Held]:
    """Read balances, locked until the transaction ends; purses without a row get one, with 0."""
    found = await holdings.find(connection, wanted)
    # Read before inserting: nearly all purses exist, and ON CONFLICT would take a number of the sequence, and
    # a write, for each.
    new = [purse for purse in wanted if purse not in found]
    await holdings.ensure(connection, new)
    if connection.dialect.name == "postgresql":
        return await holdings.find(connection, wanted, lock=True)
    return found | await holdings.find(connection, new) if new else found


def _require_own_sums(posting: Posting) -> None:
    """Require that credits leave a community by its mint only, since each community sums to 0 by itself."""
    for each in posting.entries:
        expected, got = each.source.community, each.target.community
        assert expected == got, f"posting {posting.id}: from {expected} to {got} past the mints"  # noqa: S101


def _changes(entries: Iterable[Entry]) -> Counter[Purse]:
    """Return the total change of each purse."""
    changes: Counter[Purse] = Counter()
    for each in entries:
        changes[each.source] -= each.credits
        changes[each.target] += each.credits
    return changes


def _refusal_of_purse(purse: Purse, balance: int) -> RefusedPosting:
    return Exhausted(purse, balance) if purse.kind == MINT else Short(purse, balance)
