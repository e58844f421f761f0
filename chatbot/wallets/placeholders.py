"""Persons who are known by a login only, until the platform tells whose it is.

Their wallet is one as any other, so the books stay sound; whoever speaks under that login is the same person
from then on.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from chatbot.kernel.game import Seat
from chatbot.ledger.people import Account, Tie
from chatbot.wallets import book, links, schema
from chatbot.wallets.posting import Posting
from chatbot.wallets.statements import batches

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.people import Newcomer, People
    from chatbot.wallets.store import Store

INHERITED = "inherit"
"""Why credits leave the wallet of whom only a login was known."""

NAMED = "name"
"""The platform, as it were, of persons who are known by a login only."""

_person, _account = schema.person.c, schema.platform_account.c
_WAITING = (
    select(_account.platform, _account.login, _person.seat)
    .join_from(schema.platform_account, schema.person, _account.person == _person.id)
    .where(_account.login.is_not(None))
)


def waiting_as(login: Account) -> Account:
    """Give what stands for an account of which only the platform and the login are known."""
    return Account(NAMED, f"{login.platform}:{login.key}")


class Placeholders:
    def __init__(self, store: Store, people: People) -> None:
        self._store, self._people = store, people

    async def waiting(self) -> bool:
        """Whether anybody is known by a login only."""
        async with self._store.reading() as connection:
            return (await connection.execute(_WAITING.limit(1))).first() is not None

    async def inherit(self, login: Account, seat: Seat, at: datetime) -> int:
        """Let whom a login stands for be the same as a person; tell how many credits that brings."""
        async with self._store.reading() as connection:
            if not await find(connection, [login]):
                return 0
        root = self._people.root(seat)
        brought = await self._store.write(partial(_inherit, login=login, root=root, at=at))
        for each, credits_ in brought.items():
            self._people.note(Tie(each, root, linked=True))
            return credits_
        return 0


async def find(connection: AsyncConnection, logins: Collection[Account]) -> dict[Account, Seat]:
    """Tell which of these logins, in small letters, are waited for, and who stands for them."""
    found: dict[Account, Seat] = {}
    for some in batches(logins):
        names = {each.key for each in some}
        for row in await connection.execute(_WAITING.where(_account.login.in_(names))):
            found[Account(row.platform, row.login)] = Seat(row.seat)
    return {login: found[login] for login in logins if login in found}


async def logins(connection: AsyncConnection, seats: Collection[Seat]) -> dict[Seat, Account]:
    """Tell for which logins these persons stand, if they do."""
    found: dict[Seat, Account] = {}
    for some in batches(seats):
        for row in await connection.execute(_WAITING.where(_person.seat.in_(some))):
            found[Seat(row.seat)] = Account(row.platform, row.login)
    return found


async def add(connection: AsyncConnection, newcomers: Collection[tuple[Account, Newcomer]]) -> None:
    """Write persons down of whom only a login is known."""
    people = [{"id": each.number, "seat": each.seat} for _, each in newcomers]
    rows = [
        {"platform": login.platform, "login": login.key, "person": each.number} for login, each in newcomers
    ]
    if rows:
        await connection.execute(schema.person.insert(), people)
        await connection.execute(schema.platform_account.insert(), rows)


async def _inherit(connection: AsyncConnection, login: Account, root: Seat, at: datetime) -> dict[Seat, int]:
    found = (await find(connection, [login])).get(login)
    if found is None:
        return {}
    gone = delete(schema.platform_account).where(
        _account.platform == login.platform, _account.login == login.key
    )
    await connection.execute(gone)
    held = await links.holdings(connection, found)
    postings = [
        Posting(
            f"{INHERITED}:{community}:{found}", community, at, root,
            links.moving(community, found, root, balance, INHERITED),
        )
        for community, balance in held.items() if balance
    ]  # fmt: skip
    for answer in await book.write(connection, postings) if postings else ():
        if isinstance(answer, Exception):
            raise answer
    await links.point(connection, found, root)
    return {found: sum(held.values())}
