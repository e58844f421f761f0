"""The rooms that were ever opened on a database."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.wallets import schema
from chatbot.wallets.statements import put

if TYPE_CHECKING:
    from datetime import datetime

    from chatbot.wallets.store import Store


@dataclass(frozen=True, slots=True)
class KnownRoom:
    """A room, and whose wallets its members used when it was opened last."""

    room: str
    community: str


class KnownRooms:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def note(self, room: KnownRoom, at: datetime) -> None:
        """Note that a room is opened."""
        row = {"room": room.room, "community": room.community, "opened_at": at}
        await self._store.write(partial(put, table=schema.place, rows=[row]))

    async def known(self) -> list[KnownRoom]:
        """List the rooms, by name."""
        row = schema.place.c
        wanted = select(row.room, row.community).order_by(row.room)
        async with self._store.reading() as connection:
            return [KnownRoom(*each) for each in await connection.execute(wanted)]
