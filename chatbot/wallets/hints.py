"""Whom the house has told how a game goes: each member of a community is told once, ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.wallets import schema
from chatbot.wallets.statements import add

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.kernel.game import Seat
    from chatbot.wallets.statements import Row
    from chatbot.wallets.store import Store


class Hints:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def first(self, community: str, seat: Seat, game: str) -> bool:
        """Write down that somebody is told; False: they were before, here or by another process."""
        row = {"id": f"{game} {community} {seat}", "community": community, "seat": seat}
        return await self._store.join(_first, row)


async def _first(connection: AsyncConnection, rows: Sequence[Row]) -> list[bool]:
    wanted = {row["id"]: row for row in rows}
    new = await add(connection, schema.hint, [wanted[each] for each in sorted(wanted)])
    return [row["id"] in new for row in rows]
