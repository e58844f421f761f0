"""Moves finished tables into the archive: all rows of a table into one packed row, its transfers into sums.

What a purse gained or lost at the tables of a month is carried forward in one posting, to or from the mint,
so that every balance is still the sum of its transfers and every community still sums to 0. The rows that it
replaces are removed in the same transaction and their digest is stored. A small row of the table stays, by
which it is counted and found.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sqlalchemy import bindparam, insert, select, text

from chatbot.ledger.archive import packing
from chatbot.ledger.archive.packing import (
    Head,
    PostingRow,
    StepRow,
    TableRows,
    TransferRow,
    TurnRow,
    Unpackable,
)
from chatbot.ledger.audit.checks import Breach
from chatbot.ledger.audit.guards import triggers_disabled
from chatbot.ledger.books import holdings, posting_writer, purses
from chatbot.ledger.books.posting import instalments
from chatbot.ledger.books.purses import HOUSE, MINT, PLAYER, POT, WALLETS, Purse
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import batches, put

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from sqlalchemy import TextClause
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.statements import ResultRow
    from chatbot.ledger.store.store import Store

ARCHIVED = "archived"
"""The reason of transfers that carry credits forward, by one posting for each purse and month."""

TABLES_PER_WRITE = 25  # at about 1.3 ms each: a stake that arrives meanwhile waits for all of them
TURNS_PER_WRITE = 1000  # of all tables in one write, unless one alone has more; long ones take longer

ArchivePosition: TypeAlias = tuple[int, str]
"""The end of a table, in milliseconds since 1970, and its id: tables are archived in this order."""

CarryKey: TypeAlias = tuple[Purse, str]
"""What one posting carries forward: a purse, and the month, as `2026-01`, in which the tables ended."""

_START: ArchivePosition = -1, ""
_HOUSE_KINDS = {HOUSE, PLAYER}
_CARRIED_KINDS = {*WALLETS, HOUSE}  # kinds of purses
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Portion:
    """The result of one write: the number of archived tables, why others were not, and where to continue."""

    tables: int
    faults: tuple[str, ...]
    last: ArchivePosition | None
    """The last table that was considered; None if there was none."""


@dataclass(frozen=True, slots=True)
class Archived:
    """An archived table."""

    number: int
    head: Head
    room: str
    game: str
    table_rows: TableRows


@dataclass(frozen=True, slots=True)
class _Packed:
    head: Head
    table_rows: TableRows
    body: bytes
    digest: bytes


class _Row(NamedTuple):
    """A row of `transfer` with the ids of its purses; the fields are those of `TransferRow`."""

    posting: str
    number: int
    community: str
    table_id: str | None
    source: int
    target: int
    credits: int
    why: str
    actor: str
    created_at: int

    def with_purses(self, names: Mapping[int, Purse]) -> TransferRow:
        """Replace the ids by purses."""
        return TransferRow(*self[:4], names[self.source], names[self.target], *self[6:])


class Archive:
    """Archives the finished tables of a database, some at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def waiting(self, before: datetime) -> int:
        """Return the number of tables that ended before a time and are not archived."""
        async with self._store.reading() as connection:
            return int((await connection.execute(_DUE_COUNT, {"before": milliseconds(before)})).scalar_one())

    async def portion(
        self, before: datetime, after: ArchivePosition | None = None, most: int = TABLES_PER_WRITE
    ) -> Portion:
        """Archive the next tables, up to `most`, that ended before a time, in one short write.

        A table whose rows are inconsistent is left unchanged, and reported.
        """
        since = after or _START
        row = {"before": milliseconds(before), "since": since[0], "id": since[1], "most": most}
        async with self._store.reading() as connection:
            positions = [(at, table) for table, at in await connection.execute(_DUE, row)]
            if not positions:
                return Portion(0, (), None)
            rows = await connection.execute(_TURN_COUNTS, {"tables": [each for _, each in positions]})
            turns = {table: count for table, count in rows}  # noqa: C416  (rows are no pairs to mypy)
        sums = list(accumulate(turns.get(table, 0) for _, table in positions))
        positions = positions[: max(1, bisect_right(sums, TURNS_PER_WRITE))]
        ids = [table for _, table in positions]
        # Chosen by reading, so that the write is short; it looks again which of them are still to be
        # archived.
        tables, faults = await self._store.write(partial(_archive, tables=ids), homes=())
        return Portion(tables, tuple(faults), positions[-1])


def milliseconds(at: datetime) -> int:
    """Convert a time to milliseconds since 1970."""
    return (at - _EPOCH) // _MILLISECOND


def moment(at: int) -> datetime:
    """Convert milliseconds since 1970 to a time in UTC."""
    return _EPOCH + at * _MILLISECOND


# Reading


async def table_rows(connection: AsyncConnection, table: str) -> TableRows | None:
    """Read the rows of an archived table; None if it is not archived.

    Raises:
        ValueError: the archived rows are damaged.
    """
    async for each in _unpacked(connection, _OF_TABLE, {"id": table}):
        return each.table_rows
    return None


async def tables_of(connection: AsyncConnection, purse: int, count: int) -> list[Archived]:
    """Read the `count` newest archived tables with transfers of a purse, given by its id, newest first.

    Raises:
        ValueError: the rows of one are damaged.
    """
    row = schema.archive_member.c
    newest = select(row.number).where(row.purse == purse)
    ordered = newest.order_by(row.at.desc(), row.number.desc()).limit(count)
    numbers = list((await connection.execute(ordered)).scalars())
    tables_by_number = {
        each.number: each async for each in _unpacked(connection, _NUMBERED, {"numbers": numbers})
    }
    return [tables_by_number[number] for number in numbers if number in tables_by_number]


async def naming(connection: AsyncConnection, seats: Sequence[str]) -> AsyncIterator[Archived]:
    """Read the archived tables whose rows contain one of these texts.

    This unpacks the whole archive, which takes some seconds for 100,000 tables.

    Raises:
        ValueError: the rows of one are damaged.
    """
    async for row in _all(connection):
        plain = packing.inflated(row.body)
        if any(seat in plain for seat in seats):
            yield _archived(row, plain)


async def faults(store: Store) -> list[Breach]:
    """Verify the digests of all archived tables, and the sums that are carried forward.

    This takes about as long as the audit of as many tables that are not archived.
    """
    breaches, carried = list[Breach](), Counter[CarryKey]()
    async with store.reading() as connection:
        async for row in _all(connection):
            about = {"table": row.id, "number": row.number}
            try:
                plain = packing.inflated(row.body)
                each = _archived(row, plain)
            except ValueError as error:
                breaches.append(Breach("archive", str(error), about))
                continue
            if packing.digest(each.head, plain) != row.digest or _house_profit(each.table_rows) != row.kept:
                sentence = f"the archive of table {row.id} is not what was put there"
                breaches.append(Breach("archive", sentence, about))
            carried.update(_carried(each.head, each.table_rows))
        for key, credits_ in await _carried_so_far(connection):
            carried[key] -= credits_
        missing_ids = (await connection.execute(_MISSING)).scalars().all()
    for (purse, month), amount in carried.items():
        if amount:
            sentence = f"of {purse}, {amount} too few are carried forward of what was archived of {month}"
            about = {"community": purse.community, "purse": purse, "month": month, "lacks": amount}
            breaches.append(Breach("archive", sentence, about))
    return [
        *breaches,
        *(Breach("archive", f"table {each} is in no archive", {"table": each}) for each in missing_ids),
    ]


async def _carried_so_far(connection: AsyncConnection) -> list[tuple[CarryKey, int]]:
    """Read the sums that were carried forward, negative if from a purse; the other side is its mint."""
    rows = (await connection.execute(_CARRIED)).all()
    names = await holdings.named(connection, [each for row in rows for each in (row.source, row.target)])
    sums: list[tuple[CarryKey, int]] = []
    for source, target, credits_, at in rows:
        if not {source, target} <= names.keys():
            continue  # the database was edited by other means; its amount is missing in the sums
        gains = names[source].kind == MINT
        purse = names[target if gains else source]
        sums.append(((purse, _month(at)), credits_ if gains else -credits_))
    return sums


async def _all(connection: AsyncConnection) -> AsyncIterator[ResultRow]:
    last = 0
    # A thousand at a time, some hundred kB, since the archive may have 100,000 tables. By number and not by
    # OFFSET, which would count through all that was read before.
    while rows := (await connection.execute(_NEXT, {"last": last, "most": 1000})).all():
        for row in rows:
            yield row
        last = rows[-1].number


async def _unpacked(
    connection: AsyncConnection, query: TextClause, values: Mapping[str, object]
) -> AsyncIterator[Archived]:
    for row in (await connection.execute(query, values)).all():
        yield _archived(row)


def _archived(row: ResultRow, plain: str | None = None) -> Archived:
    head = Head(row.id, row.community, row.opened_at, row.closed_at)
    rows = packing.read(head, packing.inflated(row.body) if plain is None else plain)
    return Archived(row.number, head, row.room, row.game, rows)


# Writing


async def _archive(connection: AsyncConnection, tables: Sequence[str]) -> tuple[int, list[str]]:
    """Archive tables in the transaction of the caller; return how many, and why others were not."""
    packed, reasons = list[_Packed](), list[str]()
    for head, rows in await _rows(connection, tables):
        try:
            _require_sound(head, rows)
            packed.append(_Packed(head, rows, *packing.pack(head, rows)))
        except Unpackable as error:
            reasons.append(str(error))
    if packed:
        await _replace(connection, packed)
    return len(packed), reasons


async def _rows(connection: AsyncConnection, tables: Sequence[str]) -> list[tuple[Head, TableRows]]:
    """Read all rows of finished tables, which are locked until the transaction ends."""
    query = _LOCKED if connection.dialect.name == "postgresql" else _UNARCHIVED
    heads = (await connection.execute(query, {"tables": list(tables)})).all()
    if not heads:  # other processes are archiving them
        return []
    own = {"tables": [row.id for row in heads]}
    transfers: dict[str, list[TransferRow]] = defaultdict(list)
    turns: dict[str, list[TurnRow]] = defaultdict(list)
    steps: dict[str, list[StepRow]] = defaultdict(list)
    for transfer in await _transfers(connection, own):
        transfers[str(transfer.table_id)].append(transfer)
    for row in await connection.execute(_TURNS, own):
        turns[row.table_id].append(TurnRow(*row))
    for row in await connection.execute(_STEPS, own):
        steps[row.table_id].append(StepRow(*row))
    ids = {
        # The posting that voided a table is no step, and has no transfer where nobody had paid: only its id
        # leads to it.
        table: {f"void:{table}", *(each.posting for each in some), *(each.posting for each in steps[table])}
        for table, some in ((each, transfers[each]) for each in own["tables"])
    }
    postings: dict[str, PostingRow] = {}
    for some in batches({each for names in ids.values() for each in names}):
        postings |= {row.id: PostingRow(*row) for row in await connection.execute(_POSTINGS, {"ids": some})}
    return [
        (
            Head(row.id, row.community, row.opened_at, row.closed_at),
            TableRows.of(
                row.settings,
                None if row.seed is None else bytes(row.seed),
                [postings[each] for each in ids[row.id] if each in postings],
                transfers[row.id],
                turns[row.id],
                steps[row.id],
            ),
        )
        for row in heads
    ]


async def _transfers(connection: AsyncConnection, tables: Mapping[str, object]) -> list[TransferRow]:
    rows = [_Row(*row) for row in await connection.execute(_TRANSFERS, tables)]
    names = await holdings.named(connection, [each for row in rows for each in (row.source, row.target)])
    return [row.with_purses(names) for row in rows]


def _require_sound(head: Head, rows: TableRows) -> None:
    """Require that the removed transfers leave the pot empty and each community at a sum of 0."""
    sums: Counter[str] = Counter()
    for purse, change in rows.changes().items():
        if purse.kind == POT and change:
            raise Unpackable(f"{purse} holds {change} by its transfers, though its table is over")
        sums[purse.community] += change
    if any(sums.values()):
        raise Unpackable(f"table {head.id} moved credits from one community to another")


async def _replace(connection: AsyncConnection, packed: Sequence[_Packed]) -> None:
    own = {"tables": [each.head.id for each in packed]}
    carried, newest = Counter[CarryKey](), dict[CarryKey, int]()
    for each in packed:
        changes = _carried(each.head, each.table_rows)
        carried.update(changes)
        newest |= {key: max(newest.get(key, 0), each.head.closed_at) for key in changes}
    ids = await _numbers(connection, packed)
    async with triggers_disabled(connection):
        # Transfers first: postings, pots and the rows of `unchecked` are removed in the order in which they
        # refer to each other.
        await connection.execute(_REMOVE_TRANSFERS, own)
        await _carry(connection, carried, newest, ids)
    await connection.execute(_REMOVE_STEPS, own)
    await connection.execute(_REMOVE_TURNS, own)
    for some in batches([posting.id for each in packed for posting in each.table_rows.postings]):
        await connection.execute(_REMOVE_POSTINGS, {"ids": some})
    pots = [purses.pot(each.head.community, each.head.id) for each in packed]
    await connection.execute(_REMOVE_POTS, {"ids": [ids[each] for each in pots if each in ids]})
    await connection.execute(_CLEAR_TABLES, own)
    await _insert_archived(connection, packed, ids)


async def _numbers(connection: AsyncConnection, packed: Sequence[_Packed]) -> dict[Purse, int]:
    """Read the row ids of all purses of these tables, including their pots and their mints."""
    names = {purse for each in packed for purse in each.table_rows.changes()}
    names |= {purses.pot(each.head.community, each.head.id) for each in packed}
    names |= {purses.mint(each.community) for each in names}
    await posting_writer.ensure(connection, [each for each in names if each.kind == MINT])
    return {purse: row.id for purse, row in (await holdings.find(connection, names)).items()}


async def _carry(
    connection: AsyncConnection,
    carried: Mapping[CarryKey, int],
    newest: Mapping[CarryKey, int],
    ids: Mapping[Purse, int],
) -> None:
    """Write one posting for each purse and month, with what it has carried forward before."""
    names = {f"archive:{ids[purse]}:{month}": (purse, month) for purse, month in carried}
    earlier = await _take_carried(connection, list(names))
    postings, transfers = list[dict[str, object]](), list[dict[str, object]]()
    for posting, key in names.items():
        purse, rows = key[0], earlier.get(posting, [])
        at = max(newest[key], *(each.created_at for each in rows), 0)
        postings.append({"id": posting, "community": purse.community, "turns": 0, "created_at": moment(at)})
        before = sum(each.credits if each.target == ids[purse] else -each.credits for each in rows)
        total, mint = carried[key] + before, purses.mint(purse.community)
        pair = (mint, purse) if total > 0 else (purse, mint)
        for number, entry in enumerate(instalments(*pair, abs(total), ARCHIVED), 1):
            moves = ids[entry.source], ids[entry.target], entry.credits, entry.why
            transfers.append(_Row(posting, number, purse.community, None, *moves, "", at)._asdict())
    await put(connection, schema.posting, postings)
    if transfers:
        await connection.execute(_INSERT, transfers)
    for some in batches(list(names)):  # audits need not check them, because no balance has changed
        await connection.execute(_MARK_CHECKED, {"ids": some})


async def _take_carried(connection: AsyncConnection, postings: Sequence[str]) -> dict[str, list[_Row]]:
    """Remove and return the transfers that these postings have carried so far."""
    rows_by_posting: dict[str, list[_Row]] = defaultdict(list)
    for some in batches(postings):
        for row in await connection.execute(_OF_POSTINGS, {"ids": some}):
            rows_by_posting[row.posting].append(_Row(*row))
        await connection.execute(_MARK_CHECKED, {"ids": some})
        await connection.execute(_REMOVE_OF_POSTINGS, {"ids": some})
    return rows_by_posting


async def _insert_archived(
    connection: AsyncConnection, packed: Sequence[_Packed], ids: Mapping[Purse, int]
) -> None:
    rows = [
        {
            "table_id": each.head.id,
            "kept": _house_profit(each.table_rows),
            "digest": each.digest,
            "body": each.body,
        }
        for each in packed
    ]
    statement = insert(schema.archive).returning(schema.archive.c.number, schema.archive.c.table_id)
    numbers = {table: number for number, table in await connection.execute(statement, rows)}
    members = [member for each in packed for member in _members(numbers[each.head.id], each.table_rows, ids)]
    if members:  # there are none where nobody had a stake
        await connection.execute(insert(schema.archive_member), members)


def _members(number: int, rows: TableRows, ids: Mapping[Purse, int]) -> list[dict[str, object]]:
    """Return rows of the wallets with transfers at a table, with the time of the last one."""
    last: dict[Purse, int] = {}
    for each in rows.transfers:
        for purse in (each.source, each.target):
            if purse.kind in WALLETS:
                last[purse] = max(last.get(purse, 0), each.created_at)
    return [{"purse": ids[each], "at": moment(at), "number": number} for each, at in last.items()]


def _house_profit(rows: TableRows) -> int:
    """Return what the house and its players took at a table, less what they paid, without the mint."""
    profit = 0
    for each in rows.transfers:
        if each.source.kind != MINT:
            profit += each.credits * ((each.target.kind in _HOUSE_KINDS) - (each.source.kind in _HOUSE_KINDS))
    return profit


def _carried(head: Head, rows: TableRows) -> dict[CarryKey, int]:
    """Return the changes by a table to carry forward, by purse and month; those of mints follow from them."""
    changes = rows.changes().items()
    return {
        (purse, _month(head.closed_at)): change for purse, change in changes if purse.kind in _CARRIED_KINDS
    }


def _month(at: int) -> str:
    return f"{moment(at):%Y-%m}"


# Statements are text, so that rows are read and written as stored, without conversion of their types.

_TRANSFER_COLUMNS = ", ".join(TransferRow._fields)  # as packed, but with ids of purses
_SELECT_ARCHIVED = (
    "SELECT archive.number, archive.kept, archive.digest, archive.body, game_table.id, game_table.community, "
    "game_table.room, game_table.game, game_table.opened_at, game_table.closed_at "
    "FROM archive JOIN game_table ON game_table.id = archive.table_id"
)


def _listed(statement: str, name: str = "tables") -> TextClause:
    return text(statement).bindparams(bindparam(name, expanding=True))


_FROM_DUE = (
    "FROM game_table WHERE settings <> '' AND closed_at < :before "
    "AND NOT EXISTS (SELECT 1 FROM untold WHERE untold.table_id = game_table.id) "
)
_DUE_COUNT = text(f"SELECT count(*) {_FROM_DUE}")
_DUE = text(
    f"SELECT id, closed_at {_FROM_DUE} AND (closed_at, id) > (:since, :id) ORDER BY closed_at, id LIMIT :most"
)
_UNARCHIVED = _listed(
    "SELECT id, community, settings, seed, opened_at, closed_at FROM game_table "
    "WHERE id IN :tables AND settings <> '' AND state <> 'open' ORDER BY id"
)
_LOCKED = _listed(f"{_UNARCHIVED.text} FOR UPDATE SKIP LOCKED")  # another process is archiving those
_TURN_COUNTS = _listed("SELECT table_id, count(*) FROM journal WHERE table_id IN :tables GROUP BY table_id")
_TRANSFERS = _listed(f"SELECT {_TRANSFER_COLUMNS} FROM transfer WHERE table_id IN :tables")  # noqa: S608
_TURNS = _listed(f"SELECT {', '.join(TurnRow._fields)} FROM journal WHERE table_id IN :tables")  # noqa: S608
_STEPS = _listed(f"SELECT {', '.join(StepRow._fields)} FROM step WHERE table_id IN :tables")  # noqa: S608
_POSTINGS = _listed(f"SELECT {', '.join(PostingRow._fields)} FROM posting WHERE id IN :ids", "ids")  # noqa: S608
_REMOVE_TRANSFERS = _listed("DELETE FROM transfer WHERE table_id IN :tables")
_REMOVE_TURNS = _listed("DELETE FROM journal WHERE table_id IN :tables")
_REMOVE_STEPS = _listed("DELETE FROM step WHERE table_id IN :tables")
_REMOVE_POSTINGS = _listed("DELETE FROM posting WHERE id IN :ids", "ids")
_REMOVE_POTS = _listed("DELETE FROM purse WHERE id IN :ids AND balance = 0", "ids")
_CLEAR_TABLES = _listed("UPDATE game_table SET settings = '', seed = NULL WHERE id IN :tables")
_OF_POSTINGS = _listed(f"SELECT {_TRANSFER_COLUMNS} FROM transfer WHERE posting IN :ids", "ids")  # noqa: S608
_REMOVE_OF_POSTINGS = _listed("DELETE FROM transfer WHERE posting IN :ids", "ids")
_MARK_CHECKED = _listed(
    "DELETE FROM unchecked WHERE transfer IN (SELECT id FROM transfer WHERE posting IN :ids)", "ids"
)
_PARAMETERS = ", ".join(f":{each}" for each in TransferRow._fields)
_INSERT = text(f"INSERT INTO transfer ({_TRANSFER_COLUMNS}) VALUES ({_PARAMETERS})")  # noqa: S608
_OF_TABLE = text(f"{_SELECT_ARCHIVED} WHERE archive.table_id = :id")
_NUMBERED = _listed(f"{_SELECT_ARCHIVED} WHERE archive.number IN :numbers", "numbers")
_CARRIED = text("SELECT source, target, credits, created_at FROM transfer WHERE why = :why").bindparams(
    why=ARCHIVED
)
_MISSING = text(
    "SELECT id FROM game_table WHERE settings = '' AND state <> 'open' "
    "AND NOT EXISTS (SELECT 1 FROM archive WHERE archive.table_id = game_table.id)"
)
_NEXT = text(f"{_SELECT_ARCHIVED} WHERE archive.number > :last ORDER BY archive.number LIMIT :most")
