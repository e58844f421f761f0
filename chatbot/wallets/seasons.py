"""The seasons of a game in a room: how many tables the present one has seen, and who led the past ones."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select, update

from chatbot.kernel.game import Seat
from chatbot.wallets import book, schema

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Update
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.wallets.posting import Posting
    from chatbot.wallets.store import Store


@dataclass(frozen=True, slots=True)
class Season:
    """The one that is on; seasons count from 1."""

    number: int
    started_at: datetime
    tables: int


@dataclass(frozen=True, slots=True)
class Placing:
    """A place, from 1, of a season that has ended, with the name of that day."""

    number: int
    place: int
    seat: Seat
    name: str
    credits: int


_FIELDS = schema.season.c.number, schema.season.c.started_at, schema.season.c.tables


class Seasons:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def current(self, room: str, game: str, at: datetime) -> Season:
        """Tell the present season; where there is none, the first starts now."""
        async with self._store.reading() as connection:
            present = await _present(connection, room, game)
        if present is not None:
            return present
        return await self._store.write(partial(_current, room=room, game=game, at=at))

    async def count(self, room: str, game: str, at: datetime, table: str) -> Season:
        """Add a table to the present season, once: with that it counts as told."""
        return await self._store.write(partial(_count, room=room, game=game, at=at, table=table))

    async def close(
        self,
        room: str,
        game: str,
        places: Sequence[tuple[Seat, str, int]],
        at: datetime,
        *,
        forgets: bool = False,
        resets: Posting | None = None,
    ) -> Season:
        """Archive the places (seat, name, credits; best first), end the season and start the next.

        In the same transaction the game's records are deleted, and wallets brought back, if wanted.

        Raises:
            Moved, Short: `resets` cannot be written; then the season goes on.
        """

        async def work(connection: AsyncConnection) -> Season:
            if resets is not None:
                (answer,) = await book.write(connection, [resets])
                if isinstance(answer, Exception):
                    raise answer
            if forgets:
                await _forget(connection, room, game)
            return await _close(connection, room, game, places, at)

        return await self._store.write(work)

    async def last(self, room: str, game: str) -> list[Placing]:
        """Read the places of the newest season that has ended, best first; none if none has."""
        season, row = schema.season.c, schema.season_place.c
        ended = select(season.number).where(
            season.room == room, season.game == game, season.ended_at.is_not(None)
        )
        newest = ended.order_by(season.number.desc()).limit(1).scalar_subquery()
        fields = row.number, row.place, row.seat, row.name, row.credits
        wanted = select(*fields).where(row.room == room, row.game == game, row.number == newest)
        async with self._store.reading() as connection:
            return [Placing(*each) for each in await connection.execute(wanted.order_by(row.place))]


async def _present(connection: AsyncConnection, room: str, game: str) -> Season | None:
    season = schema.season.c
    wanted = select(*_FIELDS).where(season.room == room, season.game == game, season.ended_at.is_(None))
    found = (await connection.execute(wanted)).one_or_none()
    return None if found is None else Season(*found)


async def _current(connection: AsyncConnection, room: str, game: str, at: datetime) -> Season:
    present = await _present(connection, room, game)
    return await _start(connection, room, game, 1, at) if present is None else present


async def _start(connection: AsyncConnection, room: str, game: str, number: int, at: datetime) -> Season:
    row = {"room": room, "game": game, "number": number, "started_at": at, "ended_at": None, "tables": 0}
    started = insert(schema.season).values(row).returning(*_FIELDS)
    return Season(*(await connection.execute(started)).one())


async def _count(connection: AsyncConnection, room: str, game: str, at: datetime, table: str) -> Season:
    present = await _current(connection, room, game, at)
    mark = delete(schema.untold).where(schema.untold.c.table_id == table)
    if (await connection.execute(mark)).rowcount != 1:
        return present
    number = present.number
    more = _row(room, game, number).values(tables=schema.season.c.tables + 1).returning(*_FIELDS)
    return Season(*(await connection.execute(more)).one())


async def _close(
    connection: AsyncConnection,
    room: str,
    game: str,
    places: Sequence[tuple[Seat, str, int]],
    at: datetime,
) -> Season:
    number = (await _current(connection, room, game, at)).number
    await connection.execute(_row(room, game, number).values(ended_at=at))
    rows = [
        {"room": room, "game": game, "number": number, "place": place}
        | {"seat": seat, "name": name, "credits": held}
        for place, (seat, name, held) in enumerate(places, start=1)
    ]
    if rows:
        await connection.execute(insert(schema.season_place), rows)
    return await _start(connection, room, game, number + 1, at)


async def _forget(connection: AsyncConnection, room: str, game: str) -> None:
    record = schema.record.c
    await connection.execute(delete(schema.record).where(record.room == room, record.game == game))


def _row(room: str, game: str, number: int) -> Update:
    season = schema.season.c
    return update(schema.season).where(season.room == room, season.game == game, season.number == number)
