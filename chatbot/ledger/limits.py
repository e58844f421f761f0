"""Limits of what moderators may grant, and of what members may give and receive, in a time."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.ledger.audit.checks import Sum, combine_sums
from chatbot.ledger.books import holdings
from chatbot.ledger.books.posting import GIFT, GRANT, Rejection
from chatbot.ledger.books.purses import Purse
from chatbot.ledger.receipts import received
from chatbot.ledger.store import schema

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.posting import Posting
    from chatbot.ledger.books.unit import UnitOfWork

_transfer = schema.transfer.c


class GrantLimitReached(Rejection):
    """A grant would exceed the limit. Nothing was written. `granted` credits were granted before it."""

    def __init__(self, granted: int) -> None:
        super().__init__(f"{granted} were granted already")
        self.granted = granted


@dataclass(frozen=True, slots=True)
class GrantLimit:
    """The limit of what a moderator may grant from `since` up to `until`: `most` credits.

    The mints are those of all united communities, the moderators all seats of one person. Grants that were
    undone count too.
    """

    mints: Collection[Purse]
    moderators: Collection[str]
    most: int
    since: datetime
    until: datetime

    async def check(self, unit: UnitOfWork, amount: int) -> None:
        """Require that a grant of this amount, which the unit is about to decide, is within the limit.

        Raises:
            GrantLimitReached: the sum exceeds it.
        """
        granted = await unit.read_steady(self.mints, self._granted_sum)
        if granted + amount > self.most:
            raise GrantLimitReached(granted)

    async def _granted_sum(self, connection: AsyncConnection) -> int:
        period = _transfer.created_at >= self.since, _transfer.created_at < self.until
        mints = [row.id for row in (await holdings.find(connection, self.mints)).values()]
        own = _transfer.source.in_(mints), _transfer.why == GRANT, _transfer.actor.in_(self.moderators)
        query = select(*Sum.of(_transfer.credits).named("granted")).where(*own, *period)
        return int(combine_sums((await connection.execute(query)).mappings().one())["granted"])


@dataclass(frozen=True, slots=True)
class GiftLimits:
    """The limits of gifts from `since` up to `until`: credits `given` and `taken`, where 0 is no limit.

    `givers` are all wallets of the giver, `takers` all those of the taker, which count together. `taken`
    limits all that the taker receives from others, as `received` computes it with `reasons`, together with
    what is `promised`: what they can still win of others at open tables.
    """

    givers: Collection[Purse]
    takers: Collection[Purse]
    given: int
    taken: int
    since: datetime
    until: datetime
    reasons: Collection[str] = ()
    promised: int = 0

    async def sums(self, connection: AsyncConnection) -> tuple[int, int]:
        """Return what was given, and what was received of others, in this time; 0 where there is no limit."""
        given = await _given_sum(connection, self) if self.given else 0
        if not self.taken:
            return given, 0
        (got,) = await received(connection, [self.takers], self.since, self.until, self.reasons)
        return given, got


class GiftLimitReached(Rejection):
    """A gift would exceed a limit. Nothing was written. `left` credits may still be given or received."""

    def __init__(self, left: int) -> None:
        super().__init__(f"only {left} more may be moved so")
        self.left = left


class GivingLimitReached(GiftLimitReached):
    """The giver would exceed the limit of what may be given."""


class ReceivingLimitReached(GiftLimitReached):
    """The taker would exceed the limit of what may be received."""


async def give(unit: UnitOfWork, gift: Posting, limits: GiftLimits) -> bool:
    """Decide a gift, if it is within its limits; return False if it was written before.

    Raises as `UnitOfWork.post`, and:
        GiftLimitReached: it would exceed a limit.
    """
    if await unit.is_written(gift.id):
        return False
    amount = sum(each.credits for each in gift.entries)
    balances = await unit.balances({each.source for each in gift.entries})
    if any(balance < amount for balance in balances.values()):
        return await unit.post(gift)  # which is refused: that comes before any limit
    given, got = await unit.read_steady([*limits.givers, *limits.takers], limits.sums)
    if limits.given and given + amount > limits.given:
        raise GivingLimitReached(max(limits.given - given, 0))
    if limits.taken and got + limits.promised + amount > limits.taken:
        raise ReceivingLimitReached(max(limits.taken - limits.promised - got, 0))
    return await unit.post(gift)


async def _given_sum(connection: AsyncConnection, limits: GiftLimits) -> int:
    rows = await holdings.find(connection, limits.givers)
    theirs = _transfer.source.in_([row.id for row in rows.values()])
    period = _transfer.created_at >= limits.since, _transfer.created_at < limits.until
    query = select(*Sum.of(_transfer.credits).named("moved")).where(theirs, *period, _transfer.why == GIFT)
    return int(combine_sums((await connection.execute(query)).mappings().one())["moved"])
