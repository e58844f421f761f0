"""Reads the stored course of tables, from which they are resumed, replayed and verified."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import BindParameter, Select, bindparam, delete, func, select, text

from chatbot.ledger.archive import archive
from chatbot.ledger.books import holdings
from chatbot.ledger.books.posting import Entry, Turn
from chatbot.ledger.changes import VOIDED
from chatbot.ledger.store import schema
from chatbot.ledger.store.request_batcher import RequestBatcher
from chatbot.ledger.store.statements import batches

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.store.statements import ColumnValues, ResultRow
    from chatbot.ledger.store.store import Store

OPEN, SETTLED, VOID = "open", "settled", "void"  # the states of a table


@dataclass(frozen=True, slots=True)
class JournalStep:
    """One posting at a table: its turns, which share a message and a time, and its entries in order."""

    posting: str
    turns: tuple[Turn, ...]
    entries: tuple[Entry, ...]

    @property
    def line(self) -> str:
        """The platform's id of the message that caused it; empty if a timer did."""
        return self.turns[0].line if self.turns else ""


@dataclass(frozen=True, slots=True)
class TableRecord:
    """A table with its steps in order. `settings` is JSON.

    `seed` is a link of the hash chain whose head is `chain`. While the table is open it is a secret, which is
    known only with the unsealed chains; it is lost if the chain could not be unsealed any more. `others` are
    the entries at the table outside of any turn: the refunds of a void table. `strays` are numbers of turns
    that belong to no step; a sound journal has none.
    """

    id: str
    room: str
    community: str
    game: str
    version: int
    settings: str
    chain: str | None
    link: int | None
    seed: bytes | None = field(repr=False)
    state: str
    opened_at: datetime
    closed_at: datetime | None
    steps: tuple[JournalStep, ...] = ()
    others: tuple[Entry, ...] = ()
    strays: tuple[int, ...] = ()


_LAST_ON_SQLITE = text(
    "SELECT asked.key, (SELECT id FROM game_table WHERE state = 'settled' "
    "AND room = json_extract(asked.value, '$[0]') AND game = json_extract(asked.value, '$[1]') "
    "ORDER BY closed_at DESC, id LIMIT 1) FROM json_each(:asked) AS asked"
)
_LAST_ON_POSTGRESQL = text(
    "SELECT asked.place - 1, (SELECT id FROM game_table WHERE state = 'settled' "
    "AND room = asked.room AND game = asked.game ORDER BY closed_at DESC, id LIMIT 1) "
    "FROM unnest(CAST(:rooms AS text[]), CAST(:games AS text[])) "
    "WITH ORDINALITY AS asked (room, game, place)"
)
_table = schema.game_table.c
_journal, _transfer, _step = schema.journal.c, schema.transfer.c, schema.step.c
_ASKED: BindParameter[Any] = bindparam("tables", expanding=True)
_TABLES = select(*(_table[name] for name in TableRecord.__slots__ if name in _table)).where(
    _table.id.in_(_ASKED)
)
_TURNS = (
    select(_journal.table_id, _journal.turn, _journal.action, _journal.purses, _journal.line, _journal.at)
    .where(_journal.table_id.in_(_ASKED))
    .order_by(_journal.table_id, _journal.turn)
)
_STEPS = (
    select(_step.table_id, _step.posting, _step.turn, _step.turns)
    .where(_step.table_id.in_(_ASKED))
    .order_by(_step.table_id, _step.turn)
)
_TRANSFERS = select(
    _transfer.table_id,
    _transfer.posting,
    _transfer.number,
    _transfer.source,
    _transfer.target,
    _transfer.credits,
    _transfer.why,
).where(_transfer.table_id.in_(_ASKED))


class Journal:
    """Reads the tables of a database.

    `seed` returns the seed of an open table by its id; without it, records of open tables have no seed.
    """

    def __init__(self, store: Store, seed: Callable[[str], bytes | None] = lambda _: None) -> None:
        self._store, self._seed = store, seed
        self._open, self._ends = RequestBatcher(self._read_open), RequestBatcher(self._read_untold)
        self._last_ids, self._records = RequestBatcher(self._read_last), RequestBatcher(self._read_records)

    async def open_in(self, room: str) -> list[tuple[str, str]]:
        """List the open tables of a room with their games, oldest first."""
        return await self._open.one(room)

    async def standing(self) -> list[str]:
        """List the rooms that have an open table, or one whose end was not announced yet."""
        async with self._store.reading() as connection:
            open_rooms = await connection.execute(select(_table.room).where(_table.state == OPEN).distinct())
            return sorted({*open_rooms.scalars(), *(each.room for each in await _untold(connection))})

    async def has(self, table: str) -> bool:
        """Return whether there is a table of this id."""
        async with self._store.reading() as connection:
            return (await connection.execute(select(_table.id).where(_table.id == table))).first() is not None

    async def of(self, table: str) -> TableRecord | None:
        """Return the record of a table, or None if there is no such table.

        Raises:
            ValueError: a row of it is corrupt.
        """
        record = await self._records.one(table)
        if isinstance(record, ValueError):
            raise ValueError(*record.args) from record  # noqa: TRY004  (what was found instead)
        return record

    async def records(self, tables: Collection[str]) -> dict[str, TableRecord | ValueError | None]:
        """Return the records of several tables, which are read together with others that are wanted now.

        In the place of a record of which a row is corrupt is the error that says so.
        """
        return await self._records.get(tables)

    async def last_settled(self, room: str, game: str) -> TableRecord | None:
        """Return the record of the table of a game that was settled last in a room, or None."""
        last = await self._last_ids.one((room, game))
        return None if last is None else await self.of(last)

    async def last_over(self, room: str, game: str) -> str | None:
        """Return the id of the table of a game that ended last in a room, settled or void, or None."""
        over = select(_table.id).where(_table.room == room, _table.game == game, _table.state != OPEN)
        async with self._store.reading() as connection:
            last = await connection.execute(over.order_by(_table.closed_at.desc(), _table.id).limit(1))
            return last.scalar_one_or_none()

    async def untold(self, room: str) -> list[tuple[str, str]]:
        """List the tables of a room whose end was not announced yet, with their games, oldest first."""
        return await self._ends.one(room)

    async def told(self, table: str) -> None:
        """Record that the end of a table was announced."""

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(delete(schema.untold).where(schema.untold.c.table_id == table))

        await self._store.write(work)

    async def states(self, room: str) -> dict[str, int]:
        """Return the number of tables of a room by state."""
        query = select(_table.state, func.count()).where(_table.room == room).group_by(_table.state)
        async with self._store.reading() as connection:
            return {state: number for state, number in await connection.execute(query)}  # noqa: C416

    async def caller_off(self, room: str, table: str) -> str | None:
        """Return the name of the moderator who called a table off, or None."""
        row = schema.change.c
        query = select(row.name).where(row.room == room, row.kind == VOIDED, row.subject == table)
        async with self._store.reading() as connection:
            return (await connection.execute(query.limit(1))).scalar_one_or_none()

    async def callers_off(self, room: str) -> list[tuple[str, int]]:
        """List the moderators who called off tables of a room, with the number of tables, most first."""
        row, count = schema.change.c, func.count()
        query = select(func.max(row.name), count).where(row.room == room, row.kind == VOIDED)
        ordered = query.group_by(row.actor).order_by(count.desc(), row.actor)
        async with self._store.reading() as connection:
            return [(name, number) for name, number in await connection.execute(ordered)]

    async def _read_open(self, rooms: Collection[str]) -> dict[str, list[tuple[str, str]]]:
        tables_by_room: dict[str, list[tuple[str, str]]] = {room: [] for room in rooms}
        open_tables = select(_table.room, _table.id, _table.game).where(_table.state == OPEN)
        async with self._store.reading() as connection:
            for some in batches(rooms):
                query = open_tables.where(_table.room.in_(some)).order_by(_table.opened_at, _table.id)
                for room, table, game in await connection.execute(query):
                    tables_by_room[room].append((table, game))
        return tables_by_room

    async def _read_untold(self, rooms: Collection[str]) -> dict[str, list[tuple[str, str]]]:
        async with self._store.reading() as connection:
            ends = sorted(await _untold(connection), key=lambda each: (each.closed_at, each.id))
        return {room: [(each.id, each.game) for each in ends if each.room == room] for room in rooms}

    async def _read_last(self, games: Collection[tuple[str, str]]) -> dict[tuple[str, str], str | None]:
        """Read the ids of the last settled tables by room and game, each by one search of the index."""
        last_ids: dict[tuple[str, str], str | None] = {}
        async with self._store.reading() as connection:
            sqlite = connection.dialect.name == "sqlite"
            for some in batches(games):
                rooms, names = (list(each) for each in zip(*some, strict=True))
                values = {"asked": json.dumps(some)} if sqlite else {"rooms": rooms, "games": names}
                for place, table in await connection.execute(
                    _LAST_ON_SQLITE if sqlite else _LAST_ON_POSTGRESQL, values
                ):
                    last_ids[some[place]] = table
        return last_ids

    async def _read_records(self, tables: Collection[str]) -> dict[str, TableRecord | ValueError | None]:
        records: dict[str, TableRecord | ValueError | None] = dict.fromkeys(tables)
        async with self._store.reading() as connection:
            for some in batches(tables):
                records |= await _isolated(connection, some)
        return {
            table: replace(each, seed=self._seed(table))
            if isinstance(each, TableRecord) and each.state == OPEN
            else each
            for table, each in records.items()
        }


async def _untold(connection: AsyncConnection) -> list[ResultRow]:
    """Read the few tables whose end was not announced yet.

    This takes two queries, because in one statement SQLite would scan all tables.
    """
    ids = (await connection.execute(select(schema.untold.c.table_id))).scalars().all()
    rows: list[ResultRow] = []
    for some in batches(ids):
        query = select(_table.id, _table.room, _table.game, _table.closed_at).where(_table.id.in_(some))
        rows += (await connection.execute(query)).all()
    return rows


async def _isolated(
    connection: AsyncConnection, tables: Sequence[str]
) -> dict[str, TableRecord | ValueError]:
    """Read tables together, or one by one if a row of one has a value that cannot be converted."""
    try:
        return await _table_records(connection, tables)
    except (ValueError, OverflowError) as error:
        if len(tables) == 1:
            return {tables[0]: ValueError(str(error))}
        return {
            table: record
            for each in tables
            for table, record in (await _isolated(connection, [each])).items()
        }


async def _table_records(
    connection: AsyncConnection, tables: Sequence[str]
) -> dict[str, TableRecord | ValueError]:
    records: dict[str, TableRecord | ValueError] = {}
    rows = (await connection.execute(_TABLES, {"tables": tables})).all()
    whole = [row.id for row in rows if row.settings]  # others are in the archive
    turns = await _by_table(connection, _TURNS, whole)
    steps = await _by_table(connection, _STEPS, whole)
    transfers = await _by_table(connection, _TRANSFERS, whole)
    names = await holdings.named(
        connection, [each for some in transfers.values() for row in some for each in (row.source, row.target)]
    )
    for row in rows:
        try:
            if row.settings:
                entries = _entries(transfers[row.id], names)
                records[row.id] = _assembled_record(
                    row._asdict(), _turns(turns[row.id]), steps[row.id], entries
                )
            else:
                records[row.id] = await _archived_record(connection, row._asdict())
        except ValueError as error:
            records[row.id] = error
    return records


def _assembled_record(
    row: ColumnValues,
    turns: dict[int, Turn],
    steps: Sequence[ResultRow],
    entries: dict[str, tuple[Entry, ...]],
) -> TableRecord:
    """Put the rows of a table together; what is left of `turns` and `entries` belongs to no step."""
    journal_steps = tuple(
        JournalStep(
            each.posting,
            _take(turns, range(each.turn, each.turn + each.turns)),
            entries.pop(each.posting, ()),
        )
        for each in steps
    )
    others = tuple(each for some in entries.values() for each in some)
    return TableRecord(**row, steps=journal_steps, others=others, strays=tuple(turns))


async def _archived_record(connection: AsyncConnection, row: ColumnValues) -> TableRecord:
    """Return the record of a table from the archive."""
    table_rows = await archive.table_rows(connection, row["id"])
    if table_rows is None:
        raise ValueError(f"table {row['id']} is not in the archive")
    turns = [Turn(*each[:5], archive.moment(each.at)) for each in table_rows.turns]
    entries: dict[str, tuple[Entry, ...]] = {}
    for transfer in table_rows.transfers:
        entry = Entry(transfer.source, transfer.target, transfer.credits, transfer.why)
        entries[transfer.posting] = (*entries.get(transfer.posting, ()), entry)
    steps = [
        JournalStep(each.posting, tuple(turns[each.turn - 1 :][: each.turns]), entries.pop(each.posting, ()))
        for each in table_rows.steps
    ]
    others = tuple(each for some in entries.values() for each in some)
    columns = {**row, "settings": table_rows.settings, "seed": table_rows.seed}
    return TableRecord(**columns, steps=tuple(steps), others=others)


def _take(turns: dict[int, Turn], numbers: range) -> tuple[Turn, ...]:
    return tuple(turns.pop(number) for number in numbers if number in turns)


def _turns(rows: Sequence[ResultRow]) -> dict[int, Turn]:
    return {each.turn: Turn(*each) for each in rows}


def _entries(rows: Sequence[ResultRow], names: Mapping[int, Purse]) -> dict[str, tuple[Entry, ...]]:
    entries: dict[str, tuple[Entry, ...]] = {}
    # Not by the database: SQLite would scan all transfers by the index that has them in this order.
    for row in sorted(rows, key=lambda each: (each.posting, each.number)):
        entry = Entry(names[row.source], names[row.target], row.credits, row.why)
        entries[row.posting] = (*entries.get(row.posting, ()), entry)
    return entries


async def _by_table(
    connection: AsyncConnection, query: Select[Any], tables: Sequence[str]
) -> dict[str, list[ResultRow]]:
    rows_by_table: dict[str, list[ResultRow]] = {table: [] for table in tables}
    if tables:
        for row in await connection.execute(query, {"tables": tables}):
            rows_by_table[row.table_id].append(row)
    return rows_by_table
