"""The settings that a room's moderators chose, a game at a time."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.wallets import schema
from chatbot.wallets.statements import put

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.wallets.store import Store


class Preferences:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def load(self, room: str) -> dict[str, dict[str, object]]:
        """Read the values of all games by the games' names."""
        preference = schema.preference.c
        wanted = select(preference.game, preference.body).where(preference.room == room)
        async with self._store.reading() as connection:
            return {row.game: json.loads(row.body) for row in await connection.execute(wanted)}

    async def save(self, room: str, game: str, values: Mapping[str, object]) -> None:
        """Replace a game's values by these, which must be fit for JSON."""
        row = {"room": room, "game": game, "body": json.dumps(dict(values))}
        await self._store.write(partial(put, table=schema.preference, rows=[row]))
