"""Stores the rooms that were ever opened, and the settings that their moderators have chosen."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import put

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

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
        """Record that a room is opened."""
        row = {"room": room.room, "community": room.community, "opened_at": at}
        await self._store.write(partial(put, table=schema.place, rows=[row]))

    async def known(self) -> list[KnownRoom]:
        """List the rooms, by name."""
        row = schema.place.c
        wanted = select(row.room, row.community).order_by(row.room)
        async with self._store.reading() as connection:
            return [KnownRoom(*each) for each in await connection.execute(wanted)]


class Preferences:
    """The chosen settings of rooms."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def load(self, room: str) -> dict[str, dict[str, object]]:
        """Read the settings of a room, by game or other group of settings."""
        preference = schema.preference.c
        wanted = select(preference.game, preference.body).where(preference.room == room)
        async with self._store.reading() as connection:
            return {row.game: json.loads(row.body) for row in await connection.execute(wanted)}

    async def save(self, room: str, game: str, values: Mapping[str, object]) -> None:
        """Replace the settings of a group by `values`, which must be serializable as JSON."""
        row = {"room": room, "game": game, "body": json.dumps(dict(values))}
        await self._store.write(partial(put, table=schema.preference, rows=[row]))
