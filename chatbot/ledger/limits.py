"""How many credits may pass in a time, and how many did: incomes, takings, grants of moderators, gifts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import case, or_, select

from chatbot.ledger.audit.checks import Sum, whole
from chatbot.ledger.books import holdings
from chatbot.ledger.books.journal import OPEN, SETTLED, VOID
from chatbot.ledger.books.purses import HOUSE, MINT, PLAYER, Purse
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import batches

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.books.posting import Posting
    from chatbot.ledger.store.store import Store


class Incomes:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def between(
        self, start: datetime, end: datetime, wallets: Collection[Purse], reasons: Collection[str]
    ) -> dict[Purse, int]:
        """Add up what each of these purses has got for these reasons from a moment on, up to another."""
        row, found = schema.transfer.c, dict.fromkeys(wallets, 0)
        async with self._store.reading() as connection:
            rows = {held.id: purse for purse, held in (await holdings.find(connection, found)).items()}
            for some in batches(rows):
                wanted = (
                    select(row.target, *Sum.of(row.credits).named("total"))
                    .where(row.target.in_(some), row.why.in_(list(reasons)))
                    .where(row.created_at >= start, row.created_at < end)
                    .group_by(row.target)
                )
                totals = map(whole, (await connection.execute(wanted)).mappings())
                found |= {rows[each["target"]]: each["total"] for each in totals}
        return found

    async def made(self, payments: Collection[str]) -> set[str]:
        """Tell which payments of these ids were made."""
        row, found = schema.posting.c, set[str]()
        async with self._store.reading() as connection:
            for some in batches(payments):
                found |= set((await connection.execute(select(row.id).where(row.id.in_(some)))).scalars())
        return found


_TAKEN, _TABLE = schema.transfer.c, schema.game_table.c


class Takings:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def at(self, room: str, game: str, since: datetime | None = None) -> int:
        """Sum up what the house has kept at a room's tables of a game since then; below 0: it paid more.

        Players of the house are the house. The mint's credits are no part of it: they pay salaries, and
        make up what the house lacks.
        It reads every transfer of these tables: some ten milliseconds for a thousand tables. Of those in the
        archive it reads one number each.
        """
        payer, payee = (schema.purse.alias(name) for name in ("payer", "payee"))
        kept, paid = (each.c.kind.in_([HOUSE, PLAYER]) for each in (payee, payer))
        moved = _TAKEN.credits * (case((kept, 1), else_=0) - case((paid, 1), else_=0))
        whole_ones = (
            select(*Sum.of(moved).named("moved"))
            .select_from(
                schema.game_table.join(schema.transfer, _TAKEN.table_id == _TABLE.id)
                .join(payer, payer.c.id == _TAKEN.source)
                .join(payee, payee.c.id == _TAKEN.target)
            )
            .where(or_(kept, paid), payer.c.kind != MINT)
        )
        archived = select(*Sum.of(schema.archive.c.kept).named("moved")).select_from(
            schema.game_table.join(schema.archive, schema.archive.c.table_id == _TABLE.id)
        )
        here = [_TABLE.room == room, _TABLE.game == game]
        over = [_TABLE.state.in_([SETTLED, VOID]), *here]
        if since is not None:  # by the end, too: the index that finds a room's tables goes on with that
            here.append(_TABLE.opened_at >= since)
            over += [_TABLE.opened_at >= since, _TABLE.closed_at >= since]
        asked = whole_ones.where(_TABLE.state == OPEN, *here), whole_ones.where(*over), archived.where(*over)
        async with self._store.reading() as connection:
            sums = [whole((await connection.execute(each)).mappings().one()) for each in asked]
        return sum(int(each["moved"]) for each in sums)


GRANT = "grant"

_ALLOTTED = schema.transfer.c


class Spent(Exception):  # noqa: N818  (an answer, not a fault)
    """A grant would pass what may be granted. Nothing has happened. `left` may still be."""

    def __init__(self, left: int) -> None:
        super().__init__(f"only {left} more may be granted")
        self.left = left


@dataclass(frozen=True, slots=True)
class Allotment:
    """What may be granted from `since` to `until`, in credits.

    The mints are those of one community and of all that are united with it, the moderators the seats of one
    person. What was taken back counts all the same.
    """

    mints: Collection[Purse]
    moderators: Collection[str]
    most: int
    since: datetime
    until: datetime

    async def check(self, connection: AsyncConnection, amount: int) -> None:
        """Look at the sum with a grant of this amount in it, under the lock that it has on its mint.

        Raises:
            Spent: it is too large.
        """
        row = _ALLOTTED
        day = row.created_at >= self.since, row.created_at < self.until
        mints = [held.id for held in (await holdings.find(connection, self.mints)).values()]
        own = row.source.in_(mints), row.why == GRANT, row.actor.in_(self.moderators)
        wanted = select(*Sum.of(row.credits).named("granted")).where(*own, *day)
        granted = int(whole((await connection.execute(wanted)).mappings().one())["granted"])
        if granted > self.most:
            raise Spent(max(self.most - (granted - amount), 0))


GIFT = "gift"

_TRANSFER = schema.transfer.c


@dataclass(frozen=True, slots=True)
class GiftLimits:
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


async def give(ledger: Ledger, gift: Posting, bounds: GiftLimits) -> bool:
    """Write a gift that stays within its bounds, however many come at once; False: it was written before.

    Raises:
        Beyond: it would pass a limit.
        Whatever `Ledger.post` raises.
    """
    return await ledger.post_checked(gift, partial(_check, gift=gift, bounds=bounds))


async def _check(connection: AsyncConnection, gift: Posting, bounds: GiftLimits) -> None:
    """Look at the sums with the gift in them, under the locks that the gift itself holds."""
    amount = sum(each.credits for each in gift.entries)
    given = await _moved(connection, _TRANSFER.source, bounds.givers, bounds) if bounds.given else 0
    if given > bounds.given:
        raise TooGenerous(max(bounds.given - (given - amount), 0))
    taken = await _moved(connection, _TRANSFER.target, bounds.takers, bounds) if bounds.taken else 0
    if taken > bounds.taken:
        raise TooRich(max(bounds.taken - (taken - amount), 0))


async def _moved(
    connection: AsyncConnection, side: ColumnElement[int], wallets: Collection[Purse], bounds: GiftLimits
) -> int:
    whose = side.in_([held.id for held in (await holdings.find(connection, wallets)).values()])
    day = _TRANSFER.created_at >= bounds.since, _TRANSFER.created_at < bounds.until
    wanted = select(*Sum.of(_TRANSFER.credits).named("moved")).where(whose, *day, _TRANSFER.why == GIFT)
    return int(whole((await connection.execute(wanted)).mappings().one())["moved"])
