"""Gifts from member to member, and how many credits may pass so in a time; the ledger itself is asked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.wallets import holdings, schema
from chatbot.wallets.purses import Purse
from chatbot.wallets.sums import Sum, whole

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.wallets.ledger import Ledger
    from chatbot.wallets.posting import Posting

GIFT = "gift"

_TRANSFER = schema.transfer.c


@dataclass(frozen=True, slots=True)
class Bounds:
    """What may be given and received from `since` to `until`, in credits; 0 is no limit.

    The wallets are all those of one person: what they gave and got counts together.
    """

    givers: Collection[Purse]
    takers: Collection[Purse]
    given: int
    taken: int
    since: datetime
    until: datetime


class Beyond(Exception):  # noqa: N818  (an answer, not a fault)
    """A gift would pass a limit. Nothing has happened. `left` may still be given, or received."""

    def __init__(self, left: int) -> None:
        super().__init__(f"only {left} more may be moved so")
        self.left = left


class TooGenerous(Beyond):
    """The giver has given enough."""


class TooRich(Beyond):
    """The taker has received enough."""


async def give(ledger: Ledger, gift: Posting, bounds: Bounds) -> bool:
    """Write a gift that stays within its bounds, however many come at once; False: it was written before.

    Raises:
        Beyond: it would pass a limit.
        Whatever `Ledger.post` raises.
    """
    return await ledger.post_checked(gift, partial(_check, gift=gift, bounds=bounds))


async def _check(connection: AsyncConnection, gift: Posting, bounds: Bounds) -> None:
    """Look at the sums with the gift in them, under the locks that the gift itself holds."""
    amount = sum(each.credits for each in gift.entries)
    given = await _moved(connection, _TRANSFER.source, bounds.givers, bounds) if bounds.given else 0
    if given > bounds.given:
        raise TooGenerous(max(bounds.given - (given - amount), 0))
    taken = await _moved(connection, _TRANSFER.target, bounds.takers, bounds) if bounds.taken else 0
    if taken > bounds.taken:
        raise TooRich(max(bounds.taken - (taken - amount), 0))


async def _moved(
    connection: AsyncConnection, side: ColumnElement[int], wallets: Collection[Purse], bounds: Bounds
) -> int:
    whose = side.in_([held.id for held in (await holdings.find(connection, wallets)).values()])
    day = _TRANSFER.created_at >= bounds.since, _TRANSFER.created_at < bounds.until
    wanted = select(*Sum.of(_TRANSFER.credits).named("moved")).where(whose, *day, _TRANSFER.why == GIFT)
    return int(whole((await connection.execute(wanted)).mappings().one())["moved"])
