"""How much a keeper may give out of nothing in a time; the ledger itself is asked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.wallets import holdings, schema
from chatbot.wallets.purses import Purse
from chatbot.wallets.sums import Sum, whole

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

GRANT = "grant"

_TRANSFER = schema.transfer.c


class Spent(Exception):  # noqa: N818  (an answer, not a fault)
    """A grant would pass what may be granted. Nothing has happened. `left` may still be."""

    def __init__(self, left: int) -> None:
        super().__init__(f"only {left} more may be granted")
        self.left = left


@dataclass(frozen=True, slots=True)
class Allotment:
    """What may be granted from `since` to `until`, in credits.

    The mints are those of one community and of all that are united with it, the keepers the seats of one
    person. What was taken back counts all the same.
    """

    mints: Collection[Purse]
    keepers: Collection[str]
    most: int
    since: datetime
    until: datetime

    async def check(self, connection: AsyncConnection, amount: int) -> None:
        """Look at the sum with a grant of this amount in it, under the lock that it has on its mint.

        Raises:
            Spent: it is too large.
        """
        row = _TRANSFER
        day = row.created_at >= self.since, row.created_at < self.until
        mints = [held.id for held in (await holdings.find(connection, self.mints)).values()]
        own = row.source.in_(mints), row.why == GRANT, row.actor.in_(self.keepers)
        wanted = select(*Sum.of(row.credits).named("granted")).where(*own, *day)
        granted = int(whole((await connection.execute(wanted)).mappings().one())["granted"])
        if granted > self.most:
            raise Spent(max(self.most - (granted - amount), 0))
