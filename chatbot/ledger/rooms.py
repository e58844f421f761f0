"""Stores the rooms that were ever opened, and the settings that their moderators have chosen."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.ledger.store import schema
from chatbot.ledger.store.request_batcher import RequestBatcher
from chatbot.ledger.store.statements import batches, put, upsert
from chatbot.ledger.store.writes import RowWrite, Statement

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from chatbot.ledger.store.statements import ColumnValues
    from chatbot.ledger.store.store import Store


@dataclass(frozen=True, slots=True)
class KnownRoom:
    """A room, and the community whose wallets its members used when it was opened last."""

    room: str
    community: str


class KnownRooms:
    """The rooms that were ever opened on a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def note(self, room: KnownRoom, at: datetime) -> None:
        """Record that a room is opened, in one transaction with others that are opened now."""
        row: ColumnValues = {"room": room.room, "community": room.community, "opened_at": at}
        await self._store.commit(lambda: [RowWrite(_PUT_PLACE, [row])])

    async def of(self, room: str) -> KnownRoom | None:
        """Return a room by its id."""
        row = schema.place.c
        async with self._store.reading() as connection:
            rows = await connection.execute(select(row.room, row.community).where(row.room == room))
            found = rows.first()
        return None if found is None else KnownRoom(*found)

    async def known(self) -> list[KnownRoom]:
        """List the rooms, by name."""
        row = schema.place.c
        query = select(row.room, row.community).order_by(row.room)
        async with self._store.reading() as connection:
            return [KnownRoom(*each) for each in await connection.execute(query)]


class Preferences:
    """The chosen settings of rooms."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._reads = RequestBatcher(self._read)

    async def load(self, room: str) -> dict[str, dict[str, object]]:
        """Read the settings of a room, by game or other group of settings."""
        return (await self.load_all([room]))[room]

    async def load_all(self, rooms: Collection[str]) -> dict[str, dict[str, dict[str, object]]]:
        """Read the settings of several rooms at once, by room."""
        return await self._reads.get(rooms)

    async def _read(self, rooms: Collection[str]) -> dict[str, dict[str, dict[str, object]]]:
        preference, settings = schema.preference.c, {room: dict[str, dict[str, object]]() for room in rooms}
        query = select(preference.room, preference.game, preference.body)
        async with self._store.reading() as connection:
            for some in batches(sorted(settings)):
                for row in await connection.execute(query.where(preference.room.in_(some))):
                    settings[row.room][row.game] = json.loads(row.body)
        return settings

    async def save(self, room: str, game: str, values: Mapping[str, object]) -> None:
        """Replace the settings of a group by `values`, which must be serializable as JSON."""
        row = {"room": room, "game": game, "body": json.dumps(dict(values))}
        await self._store.write(partial(put, table=schema.preference, rows=[row]))


_PUT_PLACE = Statement(upsert(schema.place), schema.place.c.keys())
