"""Stores how often the key of each room's overlay was replaced: the only part of a key in the database."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.ledger import changes
from chatbot.ledger.changes import OVERLAY, Change, Work
from chatbot.ledger.rooms import KnownRooms
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import ensure
from chatbot.ledger.store.writes import execute

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.unit import Committer
    from chatbot.ledger.changes import Changes, ChangeSet
    from chatbot.ledger.rooms import KnownRoom
    from chatbot.ledger.store.store import Store

FIRST = 1  # the generation of a key that was never replaced, and is not stored
GROUP, KEY = "overlay:key", "generation"  # among the stored choices of a room; no game has such a name

_row = schema.preference.c


class KeyGenerations:
    """The number of the present key of each room's overlay, from 1 on."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def rooms(self) -> list[KnownRoom]:
        """List the rooms that were ever opened, by name."""
        return await KnownRooms(self._store).known()

    async def replaced(self) -> dict[str, int]:
        """Return the generations of the rooms whose key was ever replaced."""
        query = select(_row.room, _row.body).where(_row.game == GROUP)
        async with self._store.reading() as connection:
            return {row.room: _generation(row.body) for row in await connection.execute(query)}

    async def replace(self, change_set: ChangeSet) -> int:
        """Begin the next generation in the room of a change set, which is written with it; return its number.

        The change set has no changes yet, which are known when it is written.
        """
        homes = [change_set.community]
        return await self._store.write(partial(_replace, change_set=change_set), homes=homes)

    async def replace_by(self, changes: Changes, change_set: ChangeSet, committer: Committer | None) -> int:
        """Begin the next generation with what a command writes besides; return its number.

        Only the owner of a room answers its commands, so that no other command counts from the same number.
        """
        generation = (await self.replaced()).get(change_set.room, FIRST) + 1
        work = Work(choices={(change_set.room, GROUP): {KEY: generation}})
        await changes.make(replace(change_set, changes=(_change(change_set, generation),)), work, committer)
        return generation


def _change(change_set: ChangeSet, generation: int) -> Change:
    return Change(OVERLAY, change_set.room, KEY, str(generation - 1), str(generation))


async def _replace(connection: AsyncConnection, change_set: ChangeSet) -> int:
    # Of two processes that do this at the same time, the second waits here for the row of the first.
    first = {"room": change_set.room, "game": GROUP, "body": json.dumps({KEY: FIRST})}
    await ensure(connection, schema.preference, [first])
    query = select(_row.body).where(_row.room == change_set.room, _row.game == GROUP).with_for_update()
    generation = _generation((await connection.execute(query)).scalar_one())
    await execute(connection, [changes.choices_write({(change_set.room, GROUP): {KEY: generation + 1}})])
    await changes.do(connection, replace(change_set, changes=(_change(change_set, generation + 1),)))
    return generation + 1


def _generation(body: str) -> int:
    return int(json.loads(body)[KEY])
