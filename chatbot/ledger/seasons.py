"""Stores the seasons of a game in a room: the number of tables of the present one, and past leaderboards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from sqlalchemy import delete, insert, literal, select, update

from chatbot.kernel.game import Seat
from chatbot.ledger.books.ledger import ranking
from chatbot.ledger.books.posting import Posting
from chatbot.ledger.changes import ChangeSet, do
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import put

if TYPE_CHECKING:
    from sqlalchemy import Update
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.store import Store
    from chatbot.ledger.store.write_queue import Writer


@dataclass(frozen=True, slots=True)
class SeasonState:
    """The present season of a game in a room; seasons are numbered from 1."""

    number: int
    started_at: datetime
    tables: int


@dataclass(frozen=True, slots=True)
class SeasonPlacing:
    """A place, from 1, of a season that has ended, with the name of the member at that time."""

    number: int
    place: int
    seat: Seat
    name: str
    credits: int


MakeResets: TypeAlias = Callable[[Sequence[tuple[Seat, int]]], Sequence[Posting]]
"""Returns the postings that reset wallets, given every seat with its credits, richest first."""


@dataclass(frozen=True, slots=True)
class SeasonEnd:
    """How a season ends.

    `places` are seats with names and credits, best first; `forgets` resets the records of the game, and
    `resets` the wallets: it is called in the transaction, with what they hold then. The first of its
    postings becomes that of the change set.
    """

    change_set: ChangeSet
    game: str
    number: int
    places: Sequence[tuple[Seat, str, int]] = ()
    forgets: bool = False
    resets: MakeResets | None = None


_FIELDS = schema.season.c.number, schema.season.c.started_at, schema.season.c.tables


class Seasons:
    """The seasons in a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def current(self, room: str, game: str, at: datetime) -> SeasonState:
        """Return the present season; if there is none, start the first."""
        async with self._store.reading() as connection:
            present = await _present(connection, room, game)
        if present is not None:
            return present
        return await self._store.write(partial(_current, room=room, game=game, at=at))

    async def count(self, room: str, game: str, at: datetime, table: str) -> SeasonState:
        """Add a table to the present season, once, and mark its end as announced."""
        return await self._store.write(partial(_count, room=room, game=game, at=at, table=table))

    async def close(self, ending: SeasonEnd, writer: Writer | None = None) -> SeasonState | None:
        """End a season, store its places, and start and return the next one, in one transaction.

        A `writer` has more to write with it.

        Returns None, and does nothing, if another season is the present one, or if the change set was
        written before.

        Raises:
            Moved, Short: a posting of `resets` is refused; nothing is written. On SQLite no balance can
                change between the call of `resets` and its postings.
        """
        homes = [ending.change_set.community]
        return await (writer or self._store).write(partial(_end, ending=ending), homes=homes)

    async def reopen(
        self,
        change_set: ChangeSet,
        game: str,
        number: int,
        returns: Sequence[Posting],
        writer: Writer | None = None,
    ) -> SeasonState | None:
        """Undo the end of a season, delete its leaderboard, restore its records, and return it.

        The tables of the season after it are added to it. A stored record replaces one made since. Returns
        None, and does nothing, if the season after it is not the present one, or if the change set was
        written before.

        Raises:
            Moved, Short: a posting is refused; nothing is written.
        """
        work = partial(_reopen, change_set=change_set, game=game, number=number, returns=returns)
        return await (writer or self._store).write(work, homes=[change_set.community])

    async def last(self, room: str, game: str) -> list[SeasonPlacing]:
        """Return the places of the newest season that has ended, best first; empty if none has."""
        season, row = schema.season.c, schema.season_place.c
        past_numbers = select(season.number).where(
            season.room == room, season.game == game, season.ended_at.is_not(None)
        )
        newest = past_numbers.order_by(season.number.desc()).limit(1).scalar_subquery()
        fields = row.number, row.place, row.seat, row.name, row.credits
        query = select(*fields).where(row.room == room, row.game == game, row.number == newest)
        async with self._store.reading() as connection:
            return [SeasonPlacing(*each) for each in await connection.execute(query.order_by(row.place))]


async def _present(connection: AsyncConnection, room: str, game: str) -> SeasonState | None:
    season = schema.season.c
    query = select(*_FIELDS).where(season.room == room, season.game == game, season.ended_at.is_(None))
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else SeasonState(*row)


async def _current(connection: AsyncConnection, room: str, game: str, at: datetime) -> SeasonState:
    present = await _present(connection, room, game)
    return await _start(connection, room, game, 1, at) if present is None else present


async def _start(connection: AsyncConnection, room: str, game: str, number: int, at: datetime) -> SeasonState:
    row = {"room": room, "game": game, "number": number, "started_at": at, "ended_at": None, "tables": 0}
    insertion = insert(schema.season).values(row).returning(*_FIELDS)
    return SeasonState(*(await connection.execute(insertion)).one())


async def _count(connection: AsyncConnection, room: str, game: str, at: datetime, table: str) -> SeasonState:
    present = await _current(connection, room, game, at)
    mark = delete(schema.untold).where(schema.untold.c.table_id == table)
    if (await connection.execute(mark)).rowcount != 1:
        return present
    number = present.number
    more = _row(room, game, number).values(tables=schema.season.c.tables + 1).returning(*_FIELDS)
    return SeasonState(*(await connection.execute(more)).one())


async def _end(connection: AsyncConnection, ending: SeasonEnd) -> SeasonState | None:
    change_set, game, number = ending.change_set, ending.game, ending.number
    if (await _current(connection, change_set.room, game, change_set.at)).number != number:
        return None
    resets = () if ending.resets is None else ending.resets(await ranking(connection, change_set.community))
    if resets:
        change_set = replace(
            change_set, changes=tuple(replace(each, posting=resets[0].id) for each in change_set.changes)
        )
    if not await do(connection, change_set, resets):
        return None
    if ending.forgets:
        await _store_records(connection, change_set.room, game, number)
    await connection.execute(_row(change_set.room, game, number).values(ended_at=change_set.at))
    rows = [
        {"room": change_set.room, "game": game, "number": number, "place": place}
        | {"seat": seat, "name": name, "credits": credits_}
        for place, (seat, name, credits_) in enumerate(ending.places, start=1)
    ]
    if rows:
        await connection.execute(insert(schema.season_place), rows)
    return await _start(connection, change_set.room, game, number + 1, change_set.at)


async def _reopen(
    connection: AsyncConnection, change_set: ChangeSet, game: str, number: int, returns: Sequence[Posting]
) -> SeasonState | None:
    room = change_set.room
    present = await _present(connection, room, game)
    if present is None or present.number != number + 1:
        return None
    if not await do(connection, change_set, returns):
        return None
    await _restore_records(connection, room, game, number)
    for table, stale_number in ((schema.season_place, number), (schema.season, number + 1)):
        same = table.c.room == room, table.c.game == game, table.c.number == stale_number
        await connection.execute(delete(table).where(*same))
    again = {"ended_at": None, "tables": schema.season.c.tables + present.tables}
    row = _row(room, game, number).values(again).returning(*_FIELDS)
    return SeasonState(*(await connection.execute(row)).one())


async def _store_records(connection: AsyncConnection, room: str, game: str, number: int) -> None:
    """Move the records of a game to those of the season that ends."""
    row, target = schema.record.c, schema.season_record
    own = row.room == room, row.game == game
    records = select(row.room, row.game, literal(number), row.seat, row.body).where(*own)
    fields = [target.c.room, target.c.game, target.c.number, target.c.seat, target.c.body]
    await connection.execute(insert(target).from_select(fields, records))
    await connection.execute(delete(schema.record).where(*own))


async def _restore_records(connection: AsyncConnection, room: str, game: str, number: int) -> None:
    row = schema.season_record.c
    own = row.room == room, row.game == game, row.number == number
    rows = await connection.execute(select(row.room, row.game, row.seat, row.body).where(*own))
    await put(connection, schema.record, [each._asdict() for each in rows])
    await connection.execute(delete(schema.season_record).where(*own))


def _row(room: str, game: str, number: int) -> Update:
    season = schema.season.c
    return update(schema.season).where(season.room == room, season.game == game, season.number == number)
