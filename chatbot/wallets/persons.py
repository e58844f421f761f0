"""Who is meant by an account or a name on the command line, and all that is known of that person."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.kernel.failure import Failure
from chatbot.kernel.game import Seat
from chatbot.ledger import people
from chatbot.ledger.people import Account, People
from chatbot.wallets import placeholders, schema

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.wallets.store import Store

_member = schema.member.c


class PersonUnknown(Failure):
    """Nobody, or more than one, is meant; the sentence says so."""


@dataclass(frozen=True, slots=True)
class Person:
    """One person: as whom they sat at tables, the accounts that are linked now, and all names."""

    seats: tuple[Seat, ...]
    accounts: tuple[Account, ...]
    names: tuple[str, ...]


class Persons:
    def __init__(self, store: Store) -> None:
        self._store, self._people = store, People(store)

    async def find(self, text: str, community: str | None = None) -> Person:
        """Find somebody by `twitch:42`, or by a name that only one member bears.

        Raises:
            PersonUnknown: there is nobody, or more than one.
        """
        await self._people.load()
        found = await self._seats(text.removeprefix("@"), community)
        roots = sorted({self._people.root(seat) for seat in found})
        if not roots:
            where = community or "this database"
            raise PersonUnknown(f"There is no member {text!r} in {where}, nor a table of that name.")
        await self._people.learn(roots)
        if len(roots) > 1:
            shown = ", ".join(sorted(str(each) for seat in roots for each in self._people.accounts(seat)[:1]))
            raise PersonUnknown(f"Several members are called {text!r}; say which: {shown}.")
        return await self._of(roots[0])

    async def _seats(self, text: str, community: str | None) -> list[Seat]:
        async with self._store.reading() as connection:
            if ":" in text:
                with suppress(ValueError):
                    return list((await people.homes(connection, [Account.read(text)])).values())
                return []
            wanted = select(_member.seat).where(_member.folded == text.casefold()).distinct()
            if community is not None:
                wanted = wanted.where(_member.community == community)
            return [Seat(each) for each in (await connection.execute(wanted)).scalars()]

    async def _of(self, root: Seat) -> Person:
        seats = (root, *self._people.seats(root))
        accounts = tuple(self._people.accounts(root))
        async with self._store.reading() as connection:
            waiting = (await placeholders.logins(connection, seats)).values()
            names = await _names(connection, seats)
        return Person(seats, accounts, tuple(sorted({*names, *(each.key for each in waiting)})))


async def _names(connection: AsyncConnection, seats: Sequence[Seat]) -> set[str]:
    """List the names that are kept of somebody, as they were on any day."""
    place, change = schema.season_place.c, schema.change.c
    named = (
        select(_member.name).where(_member.seat.in_(seats)),
        select(place.name).where(place.seat.in_(seats)),
        select(change.name).where(change.actor.in_(seats)),
    )
    return {name for each in named for name in (await connection.execute(each.distinct())).scalars() if name}
