"""The next table of each game in each room: its number and its secret are settled before anybody opens it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.wallets import schema
from chatbot.wallets.statements import put

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.wallets.store import Store


@dataclass(frozen=True, slots=True)
class Pledge:
    table: str
    seed: bytes = field(repr=False)  # a secret has no place in a log


class Pledges:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def renew(self, room: str, game: str, fresh: Pledge) -> Pledge | None:
        """Give what is pledged; a pledge whose table has been opened is replaced by the fresh one.

        So nobody can draw again by starting the program again. None: the fresh one's number is taken.
        """
        return await self._store.write(partial(_renew, room=room, game=game, fresh=fresh))


async def _renew(connection: AsyncConnection, room: str, game: str, fresh: Pledge) -> Pledge | None:
    row = schema.pledge.c
    pledged = select(row.table_id, row.seed).where(row.room == room, row.game == game)
    found = (await connection.execute(pledged)).one_or_none()
    if found is not None and not await _is_opened(connection, found.table_id):
        return Pledge(*found)
    if await _is_opened(connection, fresh.table):
        return None
    values = {"room": room, "game": game, "table_id": fresh.table, "seed": fresh.seed}
    await put(connection, schema.pledge, [values])
    return fresh


async def _is_opened(connection: AsyncConnection, table: str) -> bool:
    opened = select(schema.game_table.c.id).where(schema.game_table.c.id == table)
    return (await connection.execute(opened)).first() is not None
