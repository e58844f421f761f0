"""Whom the house has told how a game goes: each member of a community is told once, ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.wallets import schema
from chatbot.wallets.statements import add, batches

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.kernel.game import Seat
    from chatbot.wallets.statements import Row
    from chatbot.wallets.store import Store


class Hints:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def first(self, community: str, seat: Seat, game: str) -> bool:
        """Write down that somebody is told; False: they were before, here or by another process."""
        return await self._store.join(write, row(community, seat, game))


def key(community: str, seat: Seat, game: str) -> str:
    """Name a hint: that a member of a community was told about a game."""
    return f"{game} {community} {seat}"


def row(community: str, seat: Seat, game: str) -> Row:
    return {"id": key(community, seat, game), "community": community, "seat": seat}


async def known(connection: AsyncConnection, ids: Collection[str]) -> set[str]:
    """Tell which hints were given."""
    found: set[str] = set()
    for some in batches(ids):
        given = await connection.execute(select(schema.hint.c.id).where(schema.hint.c.id.in_(some)))
        found |= set(given.scalars())
    return found


async def write(connection: AsyncConnection, rows: Sequence[Row]) -> list[bool]:
    """Write down which hints are given; False: it was before."""
    wanted = {row["id"]: row for row in rows}
    new = await add(connection, schema.hint, [wanted[each] for each in sorted(wanted)])
    return [row["id"] in new for row in rows]
