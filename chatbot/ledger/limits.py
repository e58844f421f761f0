"""Limits of what moderators may grant, and of what members may give and receive, in a time."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.ledger.audit.checks import Sum, combine_sums
from chatbot.ledger.books import holdings
from chatbot.ledger.books.posting import GIFT, GRANT
from chatbot.ledger.books.purses import Purse
from chatbot.ledger.receipts import received
from chatbot.ledger.store import schema

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.books.posting import Posting
    from chatbot.ledger.store.write_queue import Writer

_transfer = schema.transfer.c


class GrantLimitReached(Exception):  # noqa: N818  (an answer, not a fault)
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

    async def check(self, connection: AsyncConnection, amount: int) -> None:
        """Check the limit after a grant of this amount was written, which has locked its mint.

        Raises:
            GrantLimitReached: the sum exceeds it.
        """
        period = _transfer.created_at >= self.since, _transfer.created_at < self.until
        mints = [held.id for held in (await holdings.find(connection, self.mints)).values()]
        own = _transfer.source.in_(mints), _transfer.why == GRANT, _transfer.actor.in_(self.moderators)
        wanted = select(*Sum.of(_transfer.credits).named("granted")).where(*own, *period)
        granted = int(combine_sums((await connection.execute(wanted)).mappings().one())["granted"])
        if granted > self.most:
            raise GrantLimitReached(granted - amount)


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


class GiftLimitReached(Exception):  # noqa: N818  (an answer, not a fault)
    """A gift would exceed a limit. Nothing was written. `left` credits may still be given or received."""

    def __init__(self, left: int) -> None:
        super().__init__(f"only {left} more may be moved so")
        self.left = left


class GivingLimitReached(GiftLimitReached):
    """The giver would exceed the limit of what may be given."""


class ReceivingLimitReached(GiftLimitReached):
    """The taker would exceed the limit of what may be received."""


async def give(ledger: Ledger, gift: Posting, bounds: GiftLimits, writer: Writer | None = None) -> bool:
    """Write a gift if it is within its limits, also under concurrency; return False if it was written before.

    A `writer` has more to write with it.

    Raises as `Ledger.post`, and:
        GiftLimitReached: it would exceed a limit.
    """
    return await ledger.post_checked(gift, partial(_check, gift=gift, bounds=bounds), writer)


async def _check(connection: AsyncConnection, gift: Posting, bounds: GiftLimits) -> None:
    """Check the sums after the gift was written, which has locked its wallets."""
    amount = sum(each.credits for each in gift.entries)
    given = await _given(connection, bounds) if bounds.given else 0
    if given > bounds.given:
        raise GivingLimitReached(max(bounds.given - (given - amount), 0))
    if not bounds.taken:
        return
    (got,) = await received(connection, [bounds.takers], bounds.since, bounds.until, bounds.reasons)
    if got + bounds.promised > bounds.taken:
        raise ReceivingLimitReached(max(bounds.taken - bounds.promised - (got - amount), 0))


async def _given(connection: AsyncConnection, bounds: GiftLimits) -> int:
    found = await holdings.find(connection, bounds.givers)
    theirs = _transfer.source.in_([held.id for held in found.values()])
    period = _transfer.created_at >= bounds.since, _transfer.created_at < bounds.until
    wanted = select(*Sum.of(_transfer.credits).named("moved")).where(theirs, *period, _transfer.why == GIFT)
    return int(combine_sums((await connection.execute(wanted)).mappings().one())["moved"])
