"""How much somebody has been in a community: since when, how long, how many messages, and in which roles."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.kernel.game import Role, Seat
from chatbot.wallets import schema
from chatbot.wallets.statements import batches, put

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.wallets.statements import Row
    from chatbot.wallets.store import Store


@dataclass(frozen=True, slots=True)
class Visits:
    """`minutes` of the stream were watched; the roles are those that were seen last."""

    first_at: datetime
    minutes: int = 0
    messages: int = 0
    roles: frozenset[Role] = frozenset()


@dataclass(frozen=True, slots=True)
class Sighting:
    """What somebody's presence grew by; no `roles`: they were not seen."""

    community: str
    seat: Seat
    at: datetime
    minutes: int = 0
    messages: int = 0
    roles: frozenset[Role] | None = None


class Presence:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, community: str, seat: Seat) -> Visits | None:
        """Tell of one member; None: never seen."""
        return (await self.several(community, [seat])).get(seat)

    async def several(self, community: str, seats: Collection[Seat]) -> dict[Seat, Visits]:
        """Tell of those members who have been seen."""
        async with self._store.reading() as connection:
            return await _attended(connection, community, seats)

    async def add(self, sightings: Sequence[Sighting]) -> None:
        """Add what was seen, in one transaction; each member once."""
        if sightings:
            await self._store.write(partial(_add, sightings=sightings))


async def _attended(
    connection: AsyncConnection, community: str, seats: Collection[Seat]
) -> dict[Seat, Visits]:
    row, found = schema.presence.c, dict[Seat, Visits]()
    for some in batches(seats):
        wanted = select(schema.presence).where(row.community == community, row.seat.in_(some))
        for each in await connection.execute(wanted):
            roles = frozenset(Role(name) for name in each.roles.split(",") if name)
            found[Seat(each.seat)] = Visits(each.first_at, each.minutes, each.messages, roles)
    return found


async def _add(connection: AsyncConnection, sightings: Sequence[Sighting]) -> None:
    rows: list[Row] = []
    for community in sorted({each.community for each in sightings}):
        seen = sorted((each for each in sightings if each.community == community), key=lambda each: each.seat)
        former = await _attended(connection, community, [each.seat for each in seen])
        rows += [_row(each, former.get(each.seat, Visits(each.at))) for each in seen]
    await put(connection, schema.presence, rows)


def _row(seen: Sighting, former: Visits) -> Row:
    roles = former.roles if seen.roles is None else seen.roles
    return {
        "community": seen.community,
        "seat": seen.seat,
        "first_at": min(former.first_at, seen.at),
        "minutes": former.minutes + seen.minutes,
        "messages": former.messages + seen.messages,
        "roles": ",".join(each.value for each in Role if each in roles),
    }
