"""The balances of a community as rows that an import reads: an account's id, its name, its credits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from chatbot.kernel.game import Seat
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.members import Members
from chatbot.ledger.store import schema

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

UNLIMITED = 10**9  # people of a community

_ACCOUNT, _PERSON = schema.platform_account.c, schema.person.c


@dataclass(frozen=True, slots=True)
class AccountBalance:
    """What somebody holds; `id` is that of their account on one platform, `name` empty if it is not known."""

    id: str
    name: str
    credits: int


async def balances(store: Store, community: str, platform: str) -> list[AccountBalance]:
    """List what people with an account on a platform hold in a community, by balance, the largest first.

    Who has several accounts there stands in it once, by the one that was seen first. Players of the house,
    and credits that still wait for somebody of whom only a name is known, are left out.
    """
    accounts = await _accounts(store, platform)
    ranking = [each for each in await Ledger(store).top(community, UNLIMITED) if each[0] in accounts]
    names = await Members(store).names(community, [seat for seat, _ in ranking])
    return [AccountBalance(accounts[seat], names.get(seat, ""), credits_) for seat, credits_ in ranking]


async def _accounts(store: Store, platform: str) -> dict[Seat, str]:
    """Give the id of each person's first account on a platform."""
    root = func.coalesce(_PERSON.same_as, _PERSON.seat).label("root")
    query = (
        select(root, _ACCOUNT.key)
        .join_from(schema.platform_account, schema.person, _ACCOUNT.person == _PERSON.id)
        .where(_ACCOUNT.platform == platform, _ACCOUNT.key.is_not(None))
        .order_by(_ACCOUNT.id)
    )
    account_ids: dict[Seat, str] = {}
    async with store.reading() as connection:
        for row in await connection.execute(query):
            account_ids.setdefault(Seat(row.root), str(row.key))
    return account_ids
