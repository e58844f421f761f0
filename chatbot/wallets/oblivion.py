"""Forgets a person: in every column of every table their seats become pseudonyms, and their names go.

Their credits go back to the mint, by a posting as any other. The books must add up afterwards as before,
so nothing is taken out of them: only whose it was.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import String, delete, func, insert, or_, select, update
from sqlalchemy.types import TypeDecorator

from chatbot.kernel.failure import Failure
from chatbot.ledger import archive
from chatbot.wallets import accounts, book, changes, schema
from chatbot.wallets.accounts import GONE
from chatbot.wallets.changes import FORGETTING, Change, Deed, Work
from chatbot.wallets.columns import metadata
from chatbot.wallets.guards import unguarded
from chatbot.wallets.posting import Entry, Posting, instalments

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from sqlalchemy import Column, ColumnElement, Table
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.kernel.game import Seat
    from chatbot.wallets.persons import Person
    from chatbot.wallets.store import Store

FORGOTTEN = "forget"
"""Why credits of somebody forgotten leave their wallet, and the first word of the posting."""

OPERATOR = "operator"  # who forgets

# The rooms of a streamer bear the streamer's number, and go on.
_PLACES = {"room", "community", "channel", "home", "origin", "game", "state", "kind"}
_TOLD = {"name", "old", "new", "why"}  # of a change: what may name people
_OF_THEM = (schema.member, schema.presence, schema.identity, schema.hint)  # rows that only they have
_account, _table, _journal, _transfer = (
    each.c for each in (schema.account, schema.game_table, schema.journal, schema.transfer)
)


class StillPlaying(Failure):
    """Somebody has a stake in a table that is not over."""


@dataclass(frozen=True, slots=True)
class Remains:
    """What is kept of somebody, in numbers."""

    balances: Mapping[str, int]  # by community
    transfers: int
    tables: int


@dataclass(frozen=True, slots=True)
class _Pen:
    """Writes pseudonyms over seats, and over names where a row is about their bearer."""

    pseudonyms: Mapping[str, str]
    seats: re.Pattern[str]
    names: re.Pattern[str] | None

    @classmethod
    def of(cls, person: Person) -> _Pen:
        pseudonyms = {str(seat): f"{GONE}:{secrets.token_hex(16)}" for seat in person.seats}
        longest_first = sorted(map(re.escape, person.names), key=len, reverse=True)
        names = re.compile(rf"(?:(?<!\w)(?:{'|'.join(longest_first)})(?!\w))", re.IGNORECASE)
        return cls(pseudonyms, mentions(person.seats), names if longest_first else None)

    def seatless(self, text: str) -> str:
        return self.seats.sub(lambda found: self.pseudonyms[found[0]], text)

    def nameless(self, text: str) -> str:
        return text if self.names is None else self.names.sub(GONE, text)

    def uncalled(self, text: str) -> str:
        """Take names out where they call somebody: as mere words they may mean anything."""
        if self.names is None:
            return text
        return re.sub(f"@{self.names.pattern}", f"@{GONE}", text, flags=re.IGNORECASE)

    def choices(self, text: str) -> str:
        """Take what is set for them out of settings: of nobody there is nothing to set."""
        kept = {key: value for key, value in json.loads(text).items() if not self.seats.search(key)}
        return self.seatless(json.dumps(kept))


def mentions(seats: Sequence[Seat]) -> re.Pattern[str]:
    """Find these seats in a text, and no other whose id begins or ends alike."""
    longest_first = sorted((re.escape(str(each)) for each in seats), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?<!name:)(?:{'|'.join(longest_first)})(?![\w-])")


class Oblivion:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def weigh(self, person: Person) -> Remains:
        """Tell what there is to forget.

        Raises:
            StillPlaying: they sit at a table that is not over.
        """
        async with self._store.reading() as connection:
            await _require_idle(connection, person)
            held = await _held(connection, person)
            moved = select(func.count()).select_from(schema.transfer)
            moved = moved.where(or_(_transfer.source.in_(held), _transfer.target.in_(held)))
            tables = select(func.count(_journal.table_id.distinct()))
            quoted = [f'"{seat}"' for seat in person.seats]
            tables = tables.where(_about(quoted, _journal.action, _journal.purses))
            counts = [int((await connection.execute(each)).scalar_one()) for each in (moved, tables)]
            counts[1] += len([each async for each in archive.naming(connection, quoted)])
        balances: dict[str, int] = {}
        for wallet, balance in held.items():
            community = accounts.community_of(wallet)
            balances[community] = balances.get(community, 0) + balance
        return Remains(balances, *counts)

    async def forget(self, person: Person, at: datetime) -> None:
        """Forget somebody, in one transaction.

        Raises:
            StillPlaying: they sit at a table that is not over.
        """
        await self._store.write(partial(_forget, person=person, at=at))


async def _forget(connection: AsyncConnection, person: Person, at: datetime) -> None:
    await _require_idle(connection, person)
    places = await _places(connection, person)
    await _empty(connection, person, at)
    pen = _Pen.of(person)
    for table in _OF_THEM:
        theirs = [table.c[name].in_(person.seats) for name in ("seat", "root") if name in table.c]
        await connection.execute(delete(table).where(or_(*theirs)))
    postings = await _doubled_postings(connection, person, pen)
    async with unguarded(connection):
        for table in metadata.sorted_tables:
            if table is not schema.posting:
                await _rewrite(connection, table, person, pen)
    await connection.execute(delete(schema.posting).where(schema.posting.c.id.in_(postings)))
    await archive.rewrite(connection, person.seats, pen.seatless)
    await _note(connection, places, at)


async def _require_idle(connection: AsyncConnection, person: Person) -> None:
    tables = select(_table.id, _table.room, _table.game).where(_table.state == "open")
    mentioned = mentions(person.seats)
    for table, room, game in (await connection.execute(tables)).all():
        rows = select(_journal.action, _journal.purses).where(_journal.table_id == table)
        moved = select(_transfer.source, _transfer.target).where(_transfer.table_id == table)
        for wanted in (rows, moved):
            if any(mentioned.search(text) for row in await connection.execute(wanted) for text in row):
                raise StillPlaying(
                    f"They still sit at {game} in {room} (table {table}); end it first, or call it off."
                )


async def _held(connection: AsyncConnection, person: Person) -> dict[str, int]:
    wallets = select(_account.id, _account.balance).where(
        _account.kind == "wallet",
        or_(*(_account.id.endswith(f":{seat}", autoescape=True) for seat in person.seats)),
    )
    found = (await connection.execute(wallets)).all()
    return {name: balance for name, balance in found if accounts.seat_of(name) in person.seats}


async def _empty(connection: AsyncConnection, person: Person, at: datetime) -> None:
    """Give to the mint whatever their wallets hold."""
    number = secrets.token_hex(16)
    for part, (wallet, balance) in enumerate(sorted((await _held(connection, person)).items()), 1):
        community = accounts.community_of(wallet)
        entries: tuple[Entry, ...] = tuple(instalments(wallet, accounts.mint(community), balance, FORGOTTEN))
        posting = Posting(f"{FORGOTTEN}:{number}:{part}", community, at, OPERATOR, entries)
        if entries and await book.write(connection, [posting]) != [True]:
            raise StillPlaying("Their credits have moved meanwhile, so nothing was done; try again.")


async def _places(connection: AsyncConnection, person: Person) -> list[tuple[str, str]]:
    """List the rooms where they were known, each with its community; the latter alone where it has none."""
    member, place = schema.member.c, schema.place.c
    met = select(member.community).where(member.seat.in_(person.seats)).distinct()
    wallets = {accounts.community_of(each) for each in await _held(connection, person)}
    known = wallets | set((await connection.execute(met)).scalars())
    rows = await connection.execute(select(place.room, place.community).where(place.community.in_(known)))
    rooms = [(room, community) for room, community in rows]
    return sorted([*rooms, *(("", each) for each in known - {community for _, community in rooms})])


async def _note(connection: AsyncConnection, places: Sequence[tuple[str, str]], at: datetime) -> None:
    """Write down that somebody was forgotten, and not who."""
    number, change = secrets.token_hex(16), Change(FORGETTING, "member")
    for part, (room, community) in enumerate(places, 1):
        deed = Deed(f"deed:{FORGOTTEN}:{number}:{part}", room, community, at, OPERATOR, OPERATOR, (change,))
        await changes.do(connection, deed, Work())


async def _doubled_postings(connection: AsyncConnection, person: Person, pen: _Pen) -> list[str]:
    """Write their postings once more under other ids; the former ones go when nothing names them."""
    row, former = schema.posting.c, list[str]()
    wanted = select(schema.posting).where(_about(person.seats, row.id))
    for each in (await connection.execute(wanted)).mappings().all():
        name = pen.seatless(each["id"])
        if name != each["id"]:
            fresh = {"id": name, "community": each["community"], "created_at": each["created_at"]}
            await connection.execute(insert(schema.posting).values(fresh))
            former.append(each["id"])
    return former


async def _rewrite(connection: AsyncConnection, table: Table, person: Person, pen: _Pen) -> None:
    written = [each for each in table.c if _is_text(each)]
    if not written:
        return
    wanted = select(table).where(_about(_sought(table, person), *written))
    for row in (await connection.execute(wanted)).mappings().all():
        fresh = dict(_rewritten(table, written, row, pen))
        if fresh:
            same = [key == row[key.name] for key in table.primary_key.columns]
            await connection.execute(update(table).where(*same).values(fresh))


def _rewritten(
    table: Table, written: Sequence[Column[Any]], row: Mapping[Any, Any], pen: _Pen
) -> Iterator[tuple[str, str]]:
    about = any(row[each.name] and pen.seats.search(row[each.name]) for each in written)
    for column in written:
        text = row[column.name]
        if text is None:
            continue
        fresh = pen.choices(text) if table is schema.preference else pen.seatless(text)
        if table is schema.change and column.name in _TOLD:
            fresh = pen.nameless(fresh) if about else pen.uncalled(fresh)
        if table is schema.season_place and about and column.name == "name":
            fresh = GONE
        if fresh != text:
            yield column.name, fresh


def _sought(table: Table, person: Person) -> list[str]:
    """Tell by what rows of theirs are found; what only looks alike is sorted out later."""
    called = [f"@{name}" for name in person.names] if table is schema.change else []
    return [*person.seats, *called]


def _about(sought: Sequence[str], *columns: ColumnElement[Any]) -> ColumnElement[bool]:
    return or_(*(each.icontains(text, autoescape=True) for each in columns for text in sought))


def _is_text(column: Column[Any]) -> bool:
    kind = column.type.impl if isinstance(column.type, TypeDecorator) else column.type
    return isinstance(kind, String) and column.name not in _PLACES
