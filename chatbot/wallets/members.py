"""Who has been seen in a community, under which name: to show names, and to find whom somebody meant."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.kernel.game import Seat
from chatbot.wallets import schema
from chatbot.wallets.statements import batches, ensure, put

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.wallets.statements import Row
    from chatbot.wallets.store import Store


class Members:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def note(self, community: str, seat: Seat, name: str, at: datetime) -> None:
        """Remember a seat's present name; its former one is forgotten."""
        await self._store.join(write, row(community, seat, name, at))

    async def introduce(self, community: str, names: Mapping[Seat, str], at: datetime) -> None:
        """Remember who has not been seen before; who has keeps the name that is known."""
        rows = [row(community, seat, name, at) for seat, name in sorted(names.items())]
        await self._store.write(partial(ensure, table=schema.member, rows=rows))

    async def find(self, community: str, name: str) -> list[Seat]:
        """List all who bear the name, whatever its case.

        There may be several: a caller who moves credits refuses then. Nothing but case is
        evened out, for every other likeness (fullwidth letters, invisible ones) is a disguise.
        """
        member = schema.member.c
        wanted = select(member.seat).where(member.community == community, member.folded == name.casefold())
        async with self._store.reading() as connection:
            return [Seat(row.seat) for row in await connection.execute(wanted.order_by(member.seat))]

    async def called(self, community: str, names: Collection[str]) -> dict[Seat, str]:
        """List all who bear one of these names, which are in small letters, with the name."""
        return await self._named(community, schema.member.c.folded, names)

    async def names(self, community: str, seats: Collection[Seat]) -> dict[Seat, str]:
        """Tell the names of those who have been seen."""
        return await self._named(community, schema.member.c.seat, seats)

    async def _named(
        self, community: str, column: ColumnElement[str], wanted: Collection[str]
    ) -> dict[Seat, str]:
        member, found = schema.member.c, dict[Seat, str]()
        async with self._store.reading() as connection:
            for some in batches(wanted):
                asked = select(member.seat, member.name).where(
                    member.community == community, column.in_(some)
                )
                found |= {Seat(row.seat): row.name for row in await connection.execute(asked)}
        return found


def row(community: str, seat: Seat, name: str, at: datetime) -> Row:
    return {"community": community, "seat": seat, "name": name, "folded": name.casefold(), "seen_at": at}


async def write(connection: AsyncConnection, rows: Sequence[Row]) -> list[None]:
    """Keep the newest of each, in one order, so that two processes never wait in a circle."""
    newest = {(row["community"], row["seat"]): row for row in rows}
    await put(connection, schema.member, [newest[key] for key in sorted(newest)])
    return [None] * len(rows)
