"""Writes a database as old as one likes: an evening that the program has played, told again and again.

A few tables are played by the program itself, in the room of the local page. Their rows are then written
again with other numbers and members, at later times: as they are, but that a message keeps its id in the
journal, where it enters the draws, while the posting that it made has one of its own. So every table can be
checked, and the books are sound after each batch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlalchemy import bindparam, select, text, update

from chatbot.games import kits
from chatbot.kernel.game import Role, Seat
from chatbot.live.fairness import Sources
from chatbot.live.house import House
from chatbot.live.room import Channel, Delivery, Line, Manner, Room
from chatbot.live.watch import HandWatch
from chatbot.live.wording.words import Words
from chatbot.wallets import accounts, schema
from chatbot.wallets.imports import Imports, Owner
from chatbot.wallets.store import Store

if TYPE_CHECKING:
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
TOGETHER = 1000  # tables in one transaction

_NUMBER = "{:010x}"  # of a table, as the program writes them too
_TAG = "aged-evening"  # in the ids of messages
_TABLES = (schema.posting, schema.account, schema.game_table, schema.transfer, schema.journal, schema.step)
_OWN = {"posting": "id posting", "account": "id", "game_table": "id", "journal": "table_id"} | {
    "transfer": "id posting table_id source target actor",
    "step": "posting table_id",
}
"""The columns of each table that name a table or a posting; members are named in any text."""
_TIMES = {"created_at", "opened_at", "closed_at", "at"}


class _Nowhere:
    """A door that sends nowhere."""

    async def send(self, delivery: Delivery) -> None:
        """Drop it."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    """One table that was played: its rows as they are to be filled in, and what its members won."""

    rows: Mapping[str, Sequence[Row]]
    won: Mapping[str, int]  # by account, which is to be filled in too


async def age(url: str, tables: int, newest: datetime | None = None) -> None:
    """Fill a new database with so many finished tables, of which the last is of `newest`, or of an hour ago.

    It takes about a minute for 100,000 of them on SQLite, and about 5 kB of disk for each.
    """
    store = await Store.open(url)
    try:
        last = newest or datetime.now(UTC) - timedelta(hours=1)
        first = last - APART * (tables + len(EVENING))
        patterns = await _played(store, first, min(tables, len(EVENING)))
        later = range(len(patterns), tables)
        await _endow(store, patterns, later, first)
        for start in range(later.start, later.stop, TOGETHER):
            numbers = range(start, min(start + TOGETHER, later.stop))
            await store.write(partial(_write, patterns=patterns, numbers=numbers))
    finally:
        await store.close()


# The evening


async def _played(store: Store, first: datetime, tables: int) -> list[_Pattern]:
    """Let everybody come, and the first group play some tables."""
    numbers, seeds, lines, watch = count(), count(), count(), HandWatch(first)
    sources = Sources(
        seed=lambda: sha256(f"{_TAG} {next(seeds)}".encode()).digest(),  # each time the same evening
        table_id=lambda: _NUMBER.format(16**9 + next(numbers)),
    )
    house = House(kits(), store, Words("en"), watch, sources)
    room = Room(ROOM, ROOM, (Channel(f"{ROOM}:page", _Nowhere(), Manner(vouches=False, sole=True)),))
    await house.open(room)

    async def say(group: int, friend: int, line: str) -> None:
        seat, name = _seat(group, friend), f"{FRIENDS[friend]} {group}"
        await house.hear(Line(f"{_TAG}:{next(lines)}", f"{ROOM}:page", seat, name, Role.VIEWER, line))

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
        "account": "id = 'pot:' || :table",
        "game_table": "id = :table",
    }
    rows: dict[str, list[Row]] = {}
    async with store.reading() as connection:
        for name in (each.name for each in _TABLES):
            wanted = text(f"SELECT * FROM {name} WHERE {of_table.get(name, 'table_id = :table')}")  # noqa: S608
            found = (await connection.execute(wanted, {"table": table})).mappings()
            rows[name] = [
                {key: _blank(name, key, value, table) for key, value in row.items()} for row in found
            ]
    won: Counter[str] = Counter()
    for each in rows["transfer"]:
        won[each["source"]] -= each["credits"]
        won[each["target"]] += each["credits"]
    return _Pattern(rows, {account: credits_ for account, credits_ in won.items() if credits_})


def _blank(name: str, column: str, value: object, table: str) -> object:
    if not isinstance(value, str):
        return value
    blank = value.replace("%", "%%").replace(table, "%(table)s")
    for friend in range(len(FRIENDS)):
        blank = blank.replace(_seat(0, friend), _seat(0, friend).removesuffix("000") + "%(group)s")
    return blank.replace(_TAG, f"{_TAG}-%(table)s") if column in _OWN[name].split() else blank


def _seat(group: int, friend: int) -> Seat:
    """Name a member so that the friends of every group are in the same order."""
    return Seat(f"{ROOM}:{FRIENDS[friend]}{group:03}")


# The years after


async def _endow(store: Store, patterns: Sequence[_Pattern], later: range, at: datetime) -> None:
    """Import for everybody what they are going to lose."""
    lost: Counter[Seat] = Counter()
    for account, won in _won(patterns, later).items():
        if accounts.kind(account) == "wallet" and won < 0:
            lost[accounts.seat_of(account)] -= won
    imports = Imports(store)
    amounts = {Owner(ROOM, seat.partition(":")[2], is_id=True): lost[seat] for seat in lost}
    await imports.carry_out(await imports.plan(ROOM, "add", amounts), "import:aged", "aged.csv", at)


def _won(patterns: Sequence[_Pattern], numbers: range) -> Counter[str]:
    """Add up what each account wins by these tables, below 0 what it loses."""
    times = Counter((number % len(patterns), _group(number)) for number in numbers)
    won: Counter[str] = Counter()
    for (pattern, group), tables in times.items():
        for account, credits_ in patterns[pattern].won.items():
            won[account % {"group": group, "table": ""}] += credits_ * tables
    return won


def _group(number: int) -> str:
    return f"{number // len(EVENING) % GROUPS:03}"


async def _write(connection: AsyncConnection, patterns: Sequence[_Pattern], numbers: range) -> None:
    for table in _TABLES:
        rows = [row for number in numbers for row in _filled(patterns, number, table.name)]
        names = ", ".join(rows[0])
        values = ", ".join(f":{name}" for name in rows[0])
        await connection.execute(text(f"INSERT INTO {table.name} ({names}) VALUES ({values})"), rows)  # noqa: S608
    row = schema.account.c
    move = update(schema.account).where(row.id == bindparam("name"))
    won = [{"name": name, "change": change} for name, change in _won(patterns, numbers).items()]
    await connection.execute(move.values(balance=row.balance + bindparam("change")), won)
    season = update(schema.season).where(schema.season.c.game == bindparam("played"))
    games = Counter(patterns[number % len(patterns)].rows["game_table"][0]["game"] for number in numbers)
    counted = [{"played": game, "more": tables} for game, tables in games.items()]
    await connection.execute(season.values(tables=schema.season.c.tables + bindparam("more")), counted)


def _filled(patterns: Sequence[_Pattern], number: int, name: str) -> Iterator[Row]:
    """Write a pattern's rows of one kind for the table of this number."""
    blanks = {"table": _NUMBER.format(16**9 + 16**8 + number), "group": _group(number)}
    rounds = number - number % len(patterns)
    later = int(APART.total_seconds() * 1000) * rounds
    for row in patterns[number % len(patterns)].rows[name]:
        filled: Row = {key: value % blanks if isinstance(value, str) else value for key, value in row.items()}
        yield filled | {key: filled[key] + later for key in _TIMES & filled.keys()}
