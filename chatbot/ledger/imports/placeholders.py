"""Persons of whom only a login is known: the wallets of imported balances that wait for a name.

A placeholder is a person with an ordinary wallet, so that the books stay consistent. The first account that
is seen with that login inherits the wallet.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select

from chatbot.kernel.game import Seat
from chatbot.ledger import links
from chatbot.ledger.books import posting_writer, purses
from chatbot.ledger.books.posting import Posting
from chatbot.ledger.members import LAST
from chatbot.ledger.people import Account, people_write
from chatbot.ledger.store import schema
from chatbot.ledger.store.people_version import changing
from chatbot.ledger.store.statements import batches
from chatbot.ledger.store.writes import RowWrite, Statement
from chatbot.ledger.ties import Tie

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.people import Newcomer, People
    from chatbot.ledger.store.store import Store

INHERITED = "inherit"
"""The reason of transfers from the wallet of a placeholder to its account."""

LOGIN_PLATFORM = "name"
"""The platform of the accounts that stand for logins."""

_person, _account = schema.person.c, schema.platform_account.c
_WAITING = (
    select(_account.platform, _account.login, _person.seat)
    .join_from(schema.platform_account, schema.person, _account.person == _person.id)
    .where(_account.login.is_not(None))
)


def waiting_as(login: Account) -> Account:
    """Return the account that stands for a login, which is given as the key of an account."""
    return Account(LOGIN_PLATFORM, f"{login.platform}:{login.key}")


class Placeholders:
    """Persons who are known by a login only."""

    def __init__(self, store: Store, people: People) -> None:
        self._store, self._people = store, people

    async def waiting(self) -> bool:
        """Return whether there is any placeholder."""
        async with self._store.reading() as connection:
            return (await connection.execute(_WAITING.limit(1))).first() is not None

    async def named(self, community: str, login: str) -> list[Seat]:
        """Return the placeholders of a login, in small letters, that have a wallet in a community."""
        async with self._store.reading() as connection:
            return await waiting_for(connection, login, community)

    async def inherit(self, login: Account, seat: Seat, at: datetime) -> int:
        """Link the placeholder of a login to a person, and return the credits that they inherit."""
        async with self._store.reading() as connection:
            # Asked by reading, because nearly nobody has credits waiting, and a write waits for all stakes
            # before it.
            if not await find(connection, [login]):
                return 0
        root = self._people.ties.root(seat)
        credits_by_seat, change = await self._store.write(
            changing(partial(_inherit, login=login, root=root, at=at))
        )
        for each, credits_ in credits_by_seat.items():
            self._people.note(Tie(each, root, linked=True), change)
            return credits_
        return 0


async def find(connection: AsyncConnection, logins: Collection[Account]) -> dict[Account, Seat]:
    """Return the placeholders of these logins, which must be in small letters."""
    seats: dict[Account, Seat] = {}
    for some in batches(logins):
        names = {each.key for each in some}
        for row in await connection.execute(_WAITING.where(_account.login.in_(names))):
            seats[Account(row.platform, row.login)] = Seat(row.seat)
    return {login: seats[login] for login in logins if login in seats}


async def waiting_for(connection: AsyncConnection, login: str, community: str | None) -> list[Seat]:
    """Return the placeholders of a login at any platform: all, or those with a wallet in a community."""
    purse = schema.purse.c
    query = _WAITING.where(_account.login == login)
    if community is not None:
        query = query.where(
            _person.seat.in_(select(purse.owner).where(purse.community == schema.community_of(community)))
        )
    return [Seat(row.seat) for row in await connection.execute(query)]


@dataclass(frozen=True, slots=True)
class WaitingBalance:
    """Credits that wait until somebody of this login, in small letters, is seen on a platform."""

    platform: str
    login: str
    credits: int


async def waiting_in(
    connection: AsyncConnection, holder: str, platform: str, prefix: str, count: int, after: str
) -> list[WaitingBalance]:
    """List balances that wait on a platform, by logins that begin so and come after another, in their order.

    `holder` is the community that has the wallets.
    """
    purse, folded = schema.purse.c, prefix.casefold()
    query = (
        select(_account.login, purse.balance)
        .join_from(schema.platform_account, schema.person, _account.person == _person.id)
        .join(schema.purse, purse.owner == _person.seat)
        .where(_account.platform == platform, _account.login >= folded, _account.login > after)
        .where(_account.login < folded + LAST)
        .where(purse.community == schema.community_of(holder), purse.kind == purses.PERSON)
        .order_by(_account.login)
        .limit(count)
    )
    rows = await connection.execute(query)
    return [WaitingBalance(platform, str(row.login), int(row.balance)) for row in rows]


async def logins_of(connection: AsyncConnection, seats: Collection[Seat]) -> dict[Seat, Account]:
    """Return the logins of those persons who are placeholders."""
    logins: dict[Seat, Account] = {}
    for some in batches(seats):
        for row in await connection.execute(_WAITING.where(_person.seat.in_(some))):
            logins[Seat(row.seat)] = Account(row.platform, row.login)
    return logins


def writes(newcomers: Collection[tuple[Account, Newcomer]]) -> Iterator[RowWrite]:
    """Yield the writes of placeholders, given as pairs of a login and a person, in sorted order.

    A login for which somebody else has made one meanwhile contradicts them.
    """
    ordered = sorted(newcomers, key=lambda each: each[0])
    yield people_write([each for _, each in ordered])
    rows = [
        {"platform": login.platform, "login": login.key, "person": each.number} for login, each in ordered
    ]
    yield RowWrite(_ADD_LOGIN, rows)


_ADD_LOGIN = Statement(insert(schema.platform_account), ("platform", "login", "person"))


async def _inherit(connection: AsyncConnection, login: Account, root: Seat, at: datetime) -> dict[Seat, int]:
    placeholder = (await find(connection, [login])).get(login)
    if placeholder is None:
        return {}
    login_row = delete(schema.platform_account).where(
        _account.platform == login.platform, _account.login == login.key
    )
    await connection.execute(login_row)
    balances = await links.wallets_held(connection, placeholder)
    postings = [
        Posting(
            f"{INHERITED}:{community}:{placeholder}", community, at, root,
            links.moving_entries(community, placeholder, root, balance, INHERITED),
        )
        for community, balance in balances.items() if balance
    ]  # fmt: skip
    for answer in await posting_writer.write(connection, postings) if postings else ():
        if isinstance(answer, Exception):
            raise answer
    await links.set_root(connection, placeholder, root)
    return {placeholder: sum(balances.values())}
