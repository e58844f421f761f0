"""Who is meant by a seat or a name on the command line, and which seats and names are that person's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import or_, select, union

from chatbot.kernel.failure import Failure
from chatbot.kernel.game import Seat
from chatbot.wallets import accounts, schema
from chatbot.wallets.accounts import NAMED
from chatbot.wallets.identities import Identities
from chatbot.wallets.placeholders import INHERITED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.wallets.store import Store

_member, _account, _transfer = schema.member.c, schema.account.c, schema.transfer.c


class PersonUnknown(Failure):
    """Nobody, or more than one, is meant; the sentence says so."""


@dataclass(frozen=True, slots=True)
class Person:
    """One person: all seats that are linked now, with those of names whose credits went to them."""

    seats: tuple[Seat, ...]
    names: tuple[str, ...]


class Persons:
    def __init__(self, store: Store) -> None:
        self._store, self._identities = store, Identities(store)

    async def find(self, text: str, community: str | None = None) -> Person:
        """Find somebody by `twitch:42`, or by a name that only one member bears.

        Raises:
            PersonUnknown: there is nobody, or more than one.
        """
        await self._identities.load()
        found = await self._seats(text.removeprefix("@"), community)
        people = {self._identities.root(seat) for seat in found}
        if not people:
            where = community or "this database"
            raise PersonUnknown(f"There is no member {text!r} in {where}, nor a table of that name.")
        if len(people) > 1:
            shown = ", ".join(sorted(found))
            raise PersonUnknown(f"Several members are called {text!r}; say which: {shown}.")
        return await self._person(people.pop())

    async def _seats(self, text: str, community: str | None) -> list[Seat]:
        async with self._store.reading() as connection:
            if ":" in text:
                return [Seat(text)] if await _known(connection, text) else []
            wanted = select(_member.seat).where(_member.folded == text.casefold()).distinct()
            if community is not None:
                wanted = wanted.where(_member.community == community)
            return [Seat(each) for each in (await connection.execute(wanted)).scalars()]

    async def _person(self, root: Seat) -> Person:
        linked = [root, *self._identities.seats(root)]
        async with self._store.reading() as connection:
            named = [each for seat in linked for each in await _placeholders(connection, seat)]
            names = await _names(connection, linked)
        logins = [each.rpartition(":")[2] for each in (*named, root) if each.startswith(f"{NAMED}:")]
        return Person((*linked, *named), tuple(sorted({*names, *logins})))


async def _known(connection: AsyncConnection, seat: str) -> bool:
    """Whether anything is kept of a seat."""
    wallets = _account.kind == "wallet", _account.id.endswith(f":{seat}", autoescape=True)
    held = (await connection.execute(select(_account.id).where(*wallets))).scalars()
    if any(accounts.seat_of(each) == seat for each in held):
        return True
    tables = schema.member, schema.identity, schema.record, schema.presence, schema.season_place
    seen = union(*(select(table.c.seat).where(table.c.seat == seat) for table in tables))
    return (await connection.execute(seen)).first() is not None


async def _placeholders(connection: AsyncConnection, seat: Seat) -> Sequence[Seat]:
    """List the seats of names whose credits were handed on to this one."""
    heir = _transfer.why == INHERITED, _transfer.target.endswith(f":{seat}", autoescape=True)
    found = await connection.execute(select(_transfer.source, _transfer.target).where(*heir).distinct())
    return [accounts.seat_of(source) for source, target in found if accounts.seat_of(target) == seat]


async def _names(connection: AsyncConnection, seats: Sequence[Seat]) -> set[str]:
    """List the names that are kept of somebody, as they were on any day."""
    place, change = schema.season_place.c, schema.change.c
    named = (
        select(_member.name).where(_member.seat.in_(seats)),
        select(place.name).where(place.seat.in_(seats)),
        select(change.name).where(or_(change.actor.in_(seats))),
    )
    return {name for each in named for name in (await connection.execute(each.distinct())).scalars() if name}
