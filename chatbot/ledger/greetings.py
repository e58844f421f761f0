"""Notes which places were greeted, so that each is greeted once, whatever restarts in between."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import put

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

GROUP = "greeting:done"  # among the stored choices of a place; no game has such a name


class Greetings:
    """The places that were greeted, by names that no room has."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def done(self, place: str) -> bool:
        """Whether a place was greeted."""
        row = schema.preference.c
        query = select(row.room).where(row.room == place, row.game == GROUP)
        async with self._store.reading() as connection:
            return (await connection.execute(query)).first() is not None

    async def note(self, place: str) -> None:
        """Record that a place is greeted."""
        row = {"room": place, "game": GROUP, "body": json.dumps({})}
        await self._store.write(partial(put, table=schema.preference, rows=[row]))
