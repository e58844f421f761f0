"""Writes a database as old as one likes: an evening that the program has played, told again and again.

A few tables are played by the program itself, in the room of the local page. The database then writes their
rows again with other numbers and members, at later times: as they are, but that a message keeps its id in
the journal, where it enters the draws, while the posting that it made has one of its own. So every table can
be checked, and the books are sound after each batch. Ids of messages look like those of Twitch, which no
archive can make any shorter.
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

from chatbot.bot.house import House
from chatbot.games import kits
from chatbot.kernel.game import Role, Seat
from chatbot.ledger.books import holdings
from chatbot.ledger.books.purses import PERSON, Purse
from chatbot.ledger.imports import BalanceOwner, Imports
from chatbot.ledger.people import Account
from chatbot.ledger.store import schema
from chatbot.ledger.store.store import Store
from chatbot.rooms.clock import HandWatch
from chatbot.rooms.room import Channel, Delivery, Line, Manner, Room
from chatbot.speech.words import Words
from chatbot.tables.fairness import Sources

if TYPE_CHECKING:
    from sqlalchemy import Table
    from sqlalchemy.ext.asyncio import AsyncConnection

Row: TypeAlias = dict[str, Any]

ROOM = "local"  # of the page, which every start opens
GROUPS = 20  # of members who play in turns
FRIENDS = ("ann", "ben", "cat", "dan")  # of one group
EVENING = (
    ("!heist 25",),
    ("!heist 20", "!heist 30"),
    ("!chicken stake=5", "!chicken"),
    ("!heist 50", "!heist 20", "!heist 25", "!heist 21"),
    ("!highshow stake=10",),
    ("!heist 69",),
)
"""What the friends say, in this order, to play one table; then its clocks run out."""
APART = timedelta(minutes=7)  # one table begins so long after the one before
LULL = 3600.0  # seconds after which nobody is active any more who only said hello
TOGETHER = 10_000  # tables in one transaction

_NUMBER = "{:010x}"  # of a table, as the program writes them too
_TAG = "aged-evening"  # in the ids of messages
_TABLES = (schema.posting, schema.purse, schema.game_table, schema.transfer, schema.journal, schema.step)
_NUMBERED = {schema.purse, schema.transfer}  # whose rows the database numbers
_SIDES = "source", "target"  # of a transfer: in a pattern they are the owners of purses
_OWN = {"posting": "id", "purse": "owner", "game_table": "id", "journal": "table_id"} | {
    "transfer": "posting table_id source target actor",
    "step": "posting table_id",
}
"""The columns of each table that name a table or a posting; members are named in any text."""
_TIMES = {"created_at", "opened_at", "closed_at", "at"}
_FIRST = 16**9 + 16**8  # of the numbers of tables that are written again
_TABLE, _GROUP, _MESSAGE = "{T}", "{G}", "{M}"  # blanks in rows that are to be filled in
_WORDS = ((2_654_435_761, 40_503), (2_246_822_519, 65_537), (3_266_489_917, 98_317), (668_265_263, 196_613))
"""What a table's and a message's number are multiplied by, to make the digits of an id."""


_MESSAGES = re.compile(r"tw:[0-9a-f-]{36}")


class _Nowhere:
    """A door that sends nowhere."""

    async def send(self, delivery: Delivery) -> None:
        """Drop it."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    """One table that was played: its rows as they are to be filled in, and what its members won."""

    rows: Mapping[str, Sequence[Row]]
    won: Mapping[Purse, int]  # whose owners are to be filled in too


async def age(url: str, tables: int, newest: datetime | None = None) -> None:
    """Fill a new database with so many finished tables, of which the last is of `newest`, or of an hour ago.

    It takes about half a minute for 100,000 of them on SQLite, and about 5 kB of disk for each.
    """
    store = await Store.open(url)
    try:
        last = newest or datetime.now(UTC) - timedelta(hours=1)
        first = last - APART * (tables + len(EVENING))
        patterns = await _played(store, first, min(tables, len(EVENING)))
        later = range(len(patterns), tables)
        await _endow(store, patterns, later, first)
        await store.write(partial(_lay_out, patterns=patterns))
        for start in range(later.start, later.stop, TOGETHER):
            numbers = range(start, min(start + TOGETHER, later.stop))
            await store.write(partial(_write, patterns=patterns, numbers=numbers))
        await store.write(_clear)
    finally:
        await store.close()


# The evening


async def _played(store: Store, first: datetime, tables: int) -> list[_Pattern]:
    """Let everybody come, and the first group play some tables."""
    numbers, seeds, lines, watch, seats = count(), count(), count(), HandWatch(first), _seats()
    sources = Sources(
        seed=lambda: sha256(f"{_TAG} {next(seeds)}".encode()).digest(),  # each time the same evening
        table_id=lambda: _NUMBER.format(16**9 + next(numbers)),
        seat=lambda _, known_as: seats[known_as],
    )
    house = House(kits(), store, Words("en"), watch, sources)
    room = Room(ROOM, ROOM, (Channel(f"{ROOM}:page", ROOM, _Nowhere(), Manner(vouches=False, sole=True)),))
    await house.open(room)

    async def say(group: int, friend: int, line: str) -> None:
        account, name = account_of(group, friend), f"{FRIENDS[friend]} {group}"
        await house.hear(Line(_message(next(lines)), f"{ROOM}:page", account, name, Role.VIEWER, line))

    for group in range(GROUPS):
        for friend in range(len(FRIENDS)):
            await say(group, friend, "hello")
    await watch.turn(LULL)
    began = watch.now()
    for number in range(tables):
        for friend, line in enumerate(EVENING[number]):
            await say(0, friend, line)
        await watch.turn(began + (APART * (number + 1)).total_seconds() - watch.now())
    await house.close()
    return [await _pattern(store, each) for each in await _finished(store, tables)]


async def _finished(store: Store, tables: int) -> list[str]:
    row = schema.game_table.c
    async with store.reading() as connection:
        found = (await connection.execute(select(row.id, row.state).order_by(row.opened_at, row.id))).all()
    if [state for _, state in found] != ["settled"] * tables:
        raise RuntimeError(f"of {tables} tables that were to be finished there are {found}")
    return [table for table, _ in found]


async def _pattern(store: Store, table: str) -> _Pattern:
    """Read a table's rows, and leave blanks where its number, its members and its postings are named."""
    of_table = {
        "posting": "id IN (SELECT posting FROM step WHERE table_id = :table)",
        "purse": "kind = 'pot' AND owner = :table",
        "game_table": "id = :table",
    }
    found: dict[str, list[Row]] = {}
    async with store.reading() as connection:
        for name in (each.name for each in _TABLES):
            wanted = text(f"SELECT * FROM {name} WHERE {of_table.get(name, 'table_id = :table')}")  # noqa: S608
            found[name] = [
                dict(row) for row in (await connection.execute(wanted, {"table": table})).mappings()
            ]
        ids = [row[side] for row in found["transfer"] for side in _SIDES]
        names = await holdings.named(connection, ids)
    for row in found["transfer"]:
        for side in _SIDES:
            purse = names[row[side]]
            row.update({side: purse.owner, f"{side}_kind": purse.kind})
    messages = sorted({each for row in found["posting"] for each in _MESSAGES.findall(row["id"])})
    rows = {name: [_blanked(name, row, table, messages) for row in some] for name, some in found.items()}
    won: Counter[Purse] = Counter()
    for each in rows["transfer"]:
        won[Purse(each["source_kind"], ROOM, each["source"])] -= each["credits"]
        won[Purse(each["target_kind"], ROOM, each["target"])] += each["credits"]
    return _Pattern(rows, {purse: credits_ for purse, credits_ in won.items() if credits_})


def _blanked(name: str, row: Row, table: str, messages: Sequence[str]) -> Row:
    """Leave blanks in a row, with the number of the message that its posting names."""
    named = _MESSAGES.findall(str([row.get(each) for each in _OWN[name].split()]))
    blank = {column: _blank(name, column, value, table) for column, value in row.items()}
    return {**blank, "message": messages.index(named[0]) if named else 0}


def _blank(name: str, column: str, value: object, table: str) -> object:
    if not isinstance(value, str):
        return value
    blank = value.replace(table, _TABLE)
    for friend in range(len(FRIENDS)):
        blank = blank.replace(seat_of(0, friend), seat_of(0, friend).removesuffix("000") + _GROUP)
    return _MESSAGES.sub(_MESSAGE, blank) if column in _OWN[name].split() else blank


def _message(number: int) -> str:
    """Give the id of a message, as Twitch does."""
    return f"tw:{UUID(bytes=sha256(f'{_TAG} line {number}'.encode()).digest()[:16])}"


def account_of(group: int, friend: int) -> Account:
    return Account(ROOM, f"{FRIENDS[friend]}{group:03}")


def seat_of(group: int, friend: int) -> Seat:
    """Number a member so that the friends of every group are in the same order."""
    return Seat(f"p{friend + 1}{group:03}")


def _seats() -> dict[str, Seat]:
    pairs = [(group, friend) for group in range(GROUPS) for friend in range(len(FRIENDS))]
    return {str(account_of(*each)): seat_of(*each) for each in pairs}


# The years after


async def _endow(store: Store, patterns: Sequence[_Pattern], later: range, at: datetime) -> None:
    """Import for everybody what they are going to lose."""
    lost: Counter[Seat] = Counter()
    for purse, won in _won(patterns, later).items():
        if purse.kind == PERSON and won < 0:
            lost[purse.seat] -= won
    imports = Imports(store)
    led = {seat: account.partition(":")[2] for account, seat in _seats().items()}
    amounts = {BalanceOwner(ROOM, led[seat], is_id=True): lost[seat] for seat in lost}
    await imports.carry_out(await imports.plan(ROOM, "add", amounts), "import:aged", "aged.csv", at)


def _won(patterns: Sequence[_Pattern], numbers: range) -> Counter[Purse]:
    """Add up what each purse wins by these tables, below 0 what it loses."""
    times = Counter((number % len(patterns), _group(number)) for number in numbers)
    won: Counter[Purse] = Counter()
    for (pattern, group), tables in times.items():
        for purse, credits_ in patterns[pattern].won.items():
            won[purse._replace(owner=purse.owner.replace(_GROUP, group))] += credits_ * tables
    return won


def _group(number: int) -> str:
    return f"{number // len(EVENING) % GROUPS:03}"


async def _lay_out(connection: AsyncConnection, patterns: Sequence[_Pattern]) -> None:
    """Put the patterns where the database can read them, and take away what would slow it down."""
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
    """Take away what it was written by; let its transfers count as checked, as an hour later they would."""
    await connection.execute(delete(schema.unchecked))
    for table in _TABLES:
        await connection.execute(text(f"DROP TABLE pattern_{table.name}"))
        for index in sorted(table.indexes, key=lambda each: str(each.name)):
            await connection.run_sync(index.create)


async def _write(connection: AsyncConnection, patterns: Sequence[_Pattern], numbers: range) -> None:
    """Write the tables of these numbers, each by the pattern whose turn it is."""
    counted = (
        "WITH RECURSIVE numbers (n) AS (SELECT CAST(:start AS BIGINT) UNION ALL SELECT n + 1 FROM numbers "
        "WHERE n + 1 < :stop)"
    )
    for table in _TABLES:
        columns = [each.name for each in table.c if not (table in _NUMBERED and each.name == "id")]
        names = ", ".join(columns)
        values = ", ".join(_filled(connection.dialect.name, patterns, table, each) for each in columns)
        await connection.execute(
            text(
                f"INSERT INTO {table.name} ({names}) {counted} SELECT {values} FROM numbers "  # noqa: S608
                f"JOIN pattern_{table.name} AS p ON p.pattern = n % {len(patterns)}"
            ),
            {"start": numbers.start, "stop": numbers.stop},
        )
    row = schema.purse.c
    move = update(schema.purse).where(row.id == bindparam("row"))
    changes = _won(patterns, numbers)
    held = await holdings.find(connection, changes)
    won = [{"row": held[purse].id, "change": change} for purse, change in changes.items()]
    await connection.execute(move.values(balance=row.balance + bindparam("change")), won)
    season = update(schema.season).where(schema.season.c.game == bindparam("played"))
    games = Counter(patterns[number % len(patterns)].rows["game_table"][0]["game"] for number in numbers)
    counts = [{"played": game, "more": tables} for game, tables in games.items()]
    await connection.execute(season.values(tables=schema.season.c.tables + bindparam("more")), counts)


def _filled(dialect: str, patterns: Sequence[_Pattern], table: Table, column: str) -> str:
    """Say in SQL what stands in a column of the table of number `n`, by the row `p` of its pattern."""
    if column in _TIMES:
        return f"p.{column} + n / {len(patterns)} * {len(patterns) * int(APART.total_seconds() * 1000)}"
    texts = [str(row[column]) for pattern in patterns for row in pattern.rows[table.name]]
    blanks = {
        _TABLE: _digits(dialect, f"({_FIRST} + n)", 10),
        _GROUP: _decimals(dialect, f"n / {len(EVENING)} % {GROUPS}", 3),
        _MESSAGE: _made_up(dialect),
    }
    value = f"p.{column}"
    for blank, filling in blanks.items():
        if any(blank in each for each in texts):
            value = f"replace({value}, '{blank}', {filling})"
    if table is schema.transfer and column in _SIDES:
        community = f"(SELECT id FROM community WHERE name = '{ROOM}')"  # noqa: S608
        of_kind = f"community = {community} AND kind = p.{column}_kind"
        return f"(SELECT id FROM purse WHERE {of_kind} AND owner = {value})"  # noqa: S608
    return value


def _made_up(dialect: str) -> str:
    """Say the id of a message in SQL, by the numbers of a table and of a posting's row."""
    one, two, three, four = (
        _digits(dialect, f"((n * {by} + p.message * {more}) % 4294967296)", 8) for by, more in _WORDS
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
