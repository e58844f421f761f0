"""Who has been seen in a community, under which name: to show names, and to find whom somebody meant."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.kernel.game import Seat
from chatbot.wallets import schema
from chatbot.wallets.statements import batches, put

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from chatbot.wallets.store import Store


class Members:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def note(self, community: str, seat: Seat, name: str, at: datetime) -> None:
        """Remember a seat's present name; its former one is forgotten."""
        row = {
            "community": community,
            "seat": seat,
            "name": name,
            "folded": name.casefold(),
            "seen_at": at,
        }
        await self._store.write(partial(put, table=schema.member, rows=[row]))

    async def find(self, community: str, name: str) -> list[Seat]:
        """List all who bear the name, whatever its case.

        There may be several: a caller who moves credits refuses then. Nothing but case is
        evened out, for every other likeness (fullwidth letters, invisible ones) is a disguise.
        """
        member = schema.member.c
        wanted = select(member.seat).where(member.community == community, member.folded == name.casefold())
        async with self._store.reading() as connection:
            return [Seat(row.seat) for row in await connection.execute(wanted.order_by(member.seat))]

    async def names(self, community: str, seats: Collection[Seat]) -> dict[Seat, str]:
        """Tell the names of those who have been seen."""
        member = schema.member.c
        found: dict[Seat, str] = {}
        async with self._store.reading() as connection:
            for some in batches(seats):
                wanted = select(member.seat, member.name).where(
                    member.community == community, member.seat.in_(some)
                )
                found |= {Seat(row.seat): row.name for row in await connection.execute(wanted)}
        return found
