"""Write a database with any number of finished tables, as copies of a few that the program has played.

The program plays the tables of `EVENING` in the room of the local page. SQL statements then copy their rows
with other table ids, members and later times. A message keeps its id in the journal, where it determines the
draws, while each copy of its posting gets an id of its own; so every copied table can be verified, and the
ledger is sound after each batch. Message ids have the form of Twitch's, which are random and therefore not
compressible.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias
from uuid import UUID

from sqlalchemy import bindparam, delete, select, text, update

from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.kernel.game import Role, Seat
from chatbot.ledger.books import holdings
from chatbot.ledger.books.purses import PERSON, Purse
from chatbot.ledger.imports.plans import ImportOrder, ImportPlans
from chatbot.ledger.imports.staged_rows import BalanceRow, StagedRows
from chatbot.ledger.imports.writing import ImportWriter
from chatbot.ledger.people import Account
from chatbot.ledger.store import schema
from chatbot.ledger.store.store import Store
from chatbot.rooms.channel import Channel, Delivery, Manner
from chatbot.rooms.line import Line
from chatbot.rooms.room import Room
from chatbot.runtime.clock import HandWatch
from chatbot.speech.words import Words
from chatbot.tables.fairness import Sources

if TYPE_CHECKING:
    from sqlalchemy import Table
    from sqlalchemy.ext.asyncio import AsyncConnection

Row: TypeAlias = dict[str, Any]
"""A row of any table of the schema, whose types SQLAlchemy does not know either."""

ROOM = "local"  # of the page, which every start opens
GROUPS = 20  # of members, which play in turn
FRIENDS = ("ann", "ben", "cat", "dan")  # the members of one group
EVENING = (
    ("!heist 25",),
    ("!heist 20", "!heist 30"),
    ("!chicken stake=5", "!chicken"),
    ("!heist 50", "!heist 20", "!heist 25", "!heist 21"),
    ("!highshow stake=10",),
    ("!heist 69",),
)
"""The lines of the members of a group, in order, for each table; then the clocks of the table run out."""
INTERVAL = timedelta(minutes=7)  # between the starts of two tables
INACTIVE = 3600.0  # seconds after which members who only said hello no longer count as active
BATCH = 10_000  # tables in one transaction

_TABLE_ID = "{:010x}"  # the format of the program's table ids
_TAG = "aged-evening"  # hashed into the seeds and the ids of messages
_TABLES = (schema.posting, schema.purse, schema.game_table, schema.transfer, schema.journal, schema.step)
_AUTOINCREMENT = {schema.purse, schema.transfer}  # whose ids the database assigns
_SIDES = "source", "target"  # columns of a transfer, which in a pattern hold the owners of purses
_ID_COLUMNS = {"posting": "id", "purse": "owner", "game_table": "id", "journal": "table_id"} | {
    "transfer": "posting table_id source target actor",
    "step": "posting table_id",
}
"""The columns of each table that refer to a table or a posting; members occur in any text column."""
_TIMES = {"created_at", "opened_at", "closed_at", "at"}
_FIRST = 16**9 + 16**8  # the number of the first table that is copied
_TABLE, _GROUP, _MESSAGE = "{T}", "{G}", "{M}"  # placeholders in the rows of a pattern
_FACTORS = (
    (2_654_435_761, 40_503),
    (2_246_822_519, 65_537),
    (3_266_489_917, 98_317),
    (668_265_263, 196_613),
)
"""Factors of a table's and a message's number that yield the digits of a message id."""
_MESSAGE_IDS = re.compile(r"tw:[0-9a-f-]{36}")


class _Nowhere:
    """A platform that discards all messages."""

    async def send(self, delivery: Delivery) -> None:
        """Discard a message."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A table that was played: its rows with placeholders, and the winnings of its members."""

    rows: Mapping[str, Sequence[Row]]
    winnings: Mapping[Purse, int]  # the owners contain placeholders, too


async def age(url: str, tables: int, newest: datetime | None = None) -> None:
    """Fill a new database with finished tables, the last of which began at `newest`, or an hour ago.

    100,000 tables take about half a minute on SQLite; each table takes about 5 kB of disk space.
    """
    store = await Store.open(url)
    try:
        last = newest or datetime.now(UTC) - timedelta(hours=1)
        first = last - INTERVAL * (tables + len(EVENING))
        patterns = await _play(store, first, min(tables, len(EVENING)))
        later = range(len(patterns), tables)
        await _endow(store, patterns, later, first)
        await store.write(partial(_lay_out, patterns=patterns))
        for start in range(later.start, later.stop, BATCH):
            numbers = range(start, min(start + BATCH, later.stop))
            await store.write(partial(_write, patterns=patterns, numbers=numbers))
        await store.write(_clear)
    finally:
        await store.close()


async def _play(store: Store, first: datetime, tables: int) -> list[_Pattern]:
    """Let all members say hello and the first group play some tables, and return their patterns."""
    numbers, seeds, lines, watch, seats = count(), count(), count(), HandWatch(first), _seats()
    sources = Sources(
        seed=lambda: sha256(f"{_TAG} {next(seeds)}".encode()).digest(),  # so that every run plays the same
        table_id=lambda: _TABLE_ID.format(16**9 + next(numbers)),
        seat=lambda _, known_as: seats[known_as],
    )
    bot = Bot(kits(), store, Words("en"), watch, sources)
    room = Room(ROOM, ROOM, (Channel(f"{ROOM}:page", ROOM, _Nowhere(), Manner(vouches=False, sole=True)),))
    await bot.open(room)

    async def say(group: int, friend: int, line: str) -> None:
        account, name = account_of(group, friend), f"{FRIENDS[friend]} {group}"
        await bot.hear(Line(_message(next(lines)), f"{ROOM}:page", account, name, Role.VIEWER, line))

    for group in range(GROUPS):
        for friend in range(len(FRIENDS)):
            await say(group, friend, "hello")
    await watch.turn(INACTIVE)
    began = watch.now()
    for number in range(tables):
        for friend, line in enumerate(EVENING[number]):
            await say(0, friend, line)
        await watch.turn(began + (INTERVAL * (number + 1)).total_seconds() - watch.now())
    await bot.close()
    return [await _pattern(store, each) for each in await _finished_tables(store, tables)]


async def _finished_tables(store: Store, tables: int) -> list[str]:
    row = schema.game_table.c
    async with store.reading() as connection:
        rows = (await connection.execute(select(row.id, row.state).order_by(row.opened_at, row.id))).all()
    if [state for _, state in rows] != ["settled"] * tables:
        raise RuntimeError(f"of {tables} tables that were to be finished there are {rows}")
    return [table for table, _ in rows]


async def _pattern(store: Store, table: str) -> _Pattern:
    """Read the rows of a table, with placeholders for its id, its members and its messages."""
    of_table = {
        "posting": "id IN (SELECT posting FROM step WHERE table_id = :table)",
        "purse": "kind = 'pot' AND owner = :table",
        "game_table": "id = :table",
    }
    rows_by_table: dict[str, list[Row]] = {}
    async with store.reading() as connection:
        for name in (each.name for each in _TABLES):
            query = text(f"SELECT * FROM {name} WHERE {of_table.get(name, 'table_id = :table')}")  # noqa: S608
            rows_by_table[name] = [
                dict(row) for row in (await connection.execute(query, {"table": table})).mappings()
            ]
        ids = [row[side] for row in rows_by_table["transfer"] for side in _SIDES]
        names = await holdings.named(connection, ids)
    for row in rows_by_table["transfer"]:
        for side in _SIDES:
            purse = names[row[side]]
            row.update({side: purse.owner, f"{side}_kind": purse.kind})
    messages = sorted({each for row in rows_by_table["posting"] for each in _MESSAGE_IDS.findall(row["id"])})
    rows = {
        name: [_template(name, row, table, messages) for row in some] for name, some in rows_by_table.items()
    }
    winnings: Counter[Purse] = Counter()
    for each in rows["transfer"]:
        winnings[Purse(each["source_kind"], ROOM, each["source"])] -= each["credits"]
        winnings[Purse(each["target_kind"], ROOM, each["target"])] += each["credits"]
    return _Pattern(rows, {purse: credits_ for purse, credits_ in winnings.items() if credits_})


def _template(name: str, row: Row, table: str, messages: Sequence[str]) -> Row:
    """Put placeholders into a row, and add the number of the message that its posting is for."""
    ids = _MESSAGE_IDS.findall(str([row.get(each) for each in _ID_COLUMNS[name].split()]))
    values = {column: _with_placeholders(name, column, value, table) for column, value in row.items()}
    return {**values, "message": messages.index(ids[0]) if ids else 0}


def _with_placeholders(name: str, column: str, value: object, table: str) -> object:
    if not isinstance(value, str):
        return value
    result = value.replace(table, _TABLE)
    for friend in range(len(FRIENDS)):
        result = result.replace(seat_of(0, friend), seat_of(0, friend).removesuffix("000") + _GROUP)
    return _MESSAGE_IDS.sub(_MESSAGE, result) if column in _ID_COLUMNS[name].split() else result


def _message(number: int) -> str:
    """Return the id of a message in the form of Twitch's."""
    return f"tw:{UUID(bytes=sha256(f'{_TAG} line {number}'.encode()).digest()[:16])}"


def account_of(group: int, friend: int) -> Account:
    """Return the account of a member of a group."""
    return Account(ROOM, f"{FRIENDS[friend]}{group:03}")


def seat_of(group: int, friend: int) -> Seat:
    """Return the seat of a member; the seats of every group sort in the same order."""
    return Seat(f"p{friend + 1}{group:03}")


def _seats() -> dict[str, Seat]:
    pairs = [(group, friend) for group in range(GROUPS) for friend in range(len(FRIENDS))]
    return {str(account_of(*each)): seat_of(*each) for each in pairs}


async def _endow(store: Store, patterns: Sequence[_Pattern], later: range, at: datetime) -> None:
    """Import for each member the credits that they will lose at the copied tables."""
    losses: Counter[Seat] = Counter()
    for purse, winnings in _winnings(patterns, later).items():
        if purse.kind == PERSON and winnings < 0:
            losses[purse.seat] -= winnings
    names = {seat: account.partition(":")[2] for account, seat in _seats().items()}
    rows = StagedRows()
    rows.add([BalanceRow(line, names[seat], "", losses[seat]) for line, seat in enumerate(losses, 1)], ())
    plan = await ImportPlans(store).plan(ImportOrder(ROOM, ROOM), rows)
    await ImportWriter(store).write(plan, rows, "import:aged", "aged.csv", at)
    rows.close()


def _winnings(patterns: Sequence[_Pattern], numbers: range) -> Counter[Purse]:
    """Sum the credits that each purse wins at tables; negative if it loses."""
    times = Counter((number % len(patterns), _group(number)) for number in numbers)
    winnings: Counter[Purse] = Counter()
    for (pattern, group), tables in times.items():
        for purse, credits_ in patterns[pattern].winnings.items():
            winnings[purse._replace(owner=purse.owner.replace(_GROUP, group))] += credits_ * tables
    return winnings


def _group(number: int) -> str:
    return f"{number // len(EVENING) % GROUPS:03}"


async def _lay_out(connection: AsyncConnection, patterns: Sequence[_Pattern]) -> None:
    """Write the patterns into tables of the database, and drop the indexes, which would slow it down."""
    for table in _TABLES:
        types = {each.name: str(each.type.compile(connection.dialect)) for each in table.c}
        if table is schema.transfer:
            types |= dict.fromkeys([*_SIDES, *(f"{side}_kind" for side in _SIDES)], "TEXT")
        columns = ", ".join(f"{name} {kind}" for name, kind in types.items())
        await connection.execute(
            text(f"CREATE TABLE pattern_{table.name} ({columns}, pattern INTEGER, message INTEGER)")
        )
        rows = [
            {**row, "pattern": number}
            for number, pattern in enumerate(patterns)
            for row in pattern.rows[table.name]
        ]
        names = [*rows[0]]
        values = ", ".join(f":{name}" for name in names)
        await connection.execute(
            text(f"INSERT INTO pattern_{table.name} ({', '.join(names)}) VALUES ({values})"),  # noqa: S608
            rows,
        )
        await connection.execute(
            text(f"CREATE INDEX ix_pattern_{table.name} ON pattern_{table.name} (pattern)")
        )
        for index in table.indexes:
            await connection.run_sync(index.drop)


async def _clear(connection: AsyncConnection) -> None:
    """Drop the tables of the patterns, restore the indexes, and mark all transfers as audited."""
    await connection.execute(delete(schema.unchecked))
    for table in _TABLES:
        await connection.execute(text(f"DROP TABLE pattern_{table.name}"))
        for index in sorted(table.indexes, key=lambda each: str(each.name)):
            await connection.run_sync(index.create)


async def _write(connection: AsyncConnection, patterns: Sequence[_Pattern], numbers: range) -> None:
    """Write the tables with these numbers, using the patterns in turn, and update balances and seasons."""
    numbers_query = (
        "WITH RECURSIVE numbers (n) AS (SELECT CAST(:start AS BIGINT) UNION ALL SELECT n + 1 FROM numbers "
        "WHERE n + 1 < :stop)"
    )
    for table in _TABLES:
        columns = [each.name for each in table.c if not (table in _AUTOINCREMENT and each.name == "id")]
        names = ", ".join(columns)
        values = ", ".join(_expression(connection.dialect.name, patterns, table, each) for each in columns)
        await connection.execute(
            text(
                f"INSERT INTO {table.name} ({names}) {numbers_query} SELECT {values} FROM numbers "  # noqa: S608
                f"JOIN pattern_{table.name} AS p ON p.pattern = n % {len(patterns)}"
            ),
            {"start": numbers.start, "stop": numbers.stop},
        )
    row = schema.purse.c
    move = update(schema.purse).where(row.id == bindparam("row"))
    changes = _winnings(patterns, numbers)
    purses = await holdings.find(connection, changes)
    rows = [{"row": purses[purse].id, "change": change} for purse, change in changes.items()]
    await connection.execute(move.values(balance=row.balance + bindparam("change")), rows)
    season = update(schema.season).where(schema.season.c.game == bindparam("played"))
    games = Counter(patterns[number % len(patterns)].rows["game_table"][0]["game"] for number in numbers)
    counts = [{"played": game, "more": tables} for game, tables in games.items()]
    await connection.execute(season.values(tables=schema.season.c.tables + bindparam("more")), counts)


def _expression(dialect: str, patterns: Sequence[_Pattern], table: Table, column: str) -> str:
    """Return the SQL expression of a column of table number `n`, from the row `p` of its pattern."""
    if column in _TIMES:
        return f"p.{column} + n / {len(patterns)} * {len(patterns) * int(INTERVAL.total_seconds() * 1000)}"
    texts = [str(row[column]) for pattern in patterns for row in pattern.rows[table.name]]
    fillings = {
        _TABLE: _digits(dialect, f"({_FIRST} + n)", 10),
        _GROUP: _decimals(dialect, f"n / {len(EVENING)} % {GROUPS}", 3),
        _MESSAGE: _message_id(dialect),
    }
    value = f"p.{column}"
    for placeholder, filling in fillings.items():
        if any(placeholder in each for each in texts):
            value = f"replace({value}, '{placeholder}', {filling})"
    if table is schema.transfer and column in _SIDES:
        community = f"(SELECT id FROM community WHERE name = '{ROOM}')"  # noqa: S608
        of_kind = f"community = {community} AND kind = p.{column}_kind"
        return f"(SELECT id FROM purse WHERE {of_kind} AND owner = {value})"  # noqa: S608
    return value


def _message_id(dialect: str) -> str:
    """Return the SQL expression of a message id, from the numbers of a table and of a message."""
    one, two, three, four = (
        _digits(dialect, f"((n * {by} + p.message * {more}) % 4294967296)", 8) for by, more in _FACTORS
    )
    parts = (f"substr({each}, {start}, 4)" for each in (two, three) for start in (1, 5))
    return " || '-' || ".join([f"'tw:' || {one}", *parts]) + f" || {four}"


def _digits(dialect: str, number: str, width: int) -> str:
    if dialect == "postgresql":
        return f"lpad(to_hex({number}), {width}, '0')"
    return f"printf('%0{width}x', {number})"


def _decimals(dialect: str, number: str, width: int) -> str:
    if dialect == "postgresql":
        return f"lpad(CAST({number} AS TEXT), {width}, '0')"
    return f"printf('%0{width}d', {number})"
