"""Sums of credits over a time, and their limits: incomes, takings, grants, gifts, receipts from others."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import case, or_, select

from chatbot.ledger.audit.checks import Sum, combine_sums
from chatbot.ledger.books import holdings
from chatbot.ledger.books.journal import OPEN, SETTLED, VOID
from chatbot.ledger.books.posting import LINKED
from chatbot.ledger.books.purses import HOUSE, MINT, PERSON, PLAYER, POT, Purse
from chatbot.ledger.pots import nets_of, won_of
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import batches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.books.posting import Posting
    from chatbot.ledger.store.store import Store

GRANT, GIFT = "grant", "gift"
"""The reasons of transfers from moderators and between members."""

_transfer, _table = schema.transfer.c, schema.game_table.c


class Incomes:
    """Reads what members were paid."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def between(
        self, start: datetime, end: datetime, wallets: Collection[Purse], reasons: Collection[str]
    ) -> dict[Purse, int]:
        """Return what each wallet received for these reasons from `start` up to, but excluding, `end`."""
        found = dict.fromkeys(wallets, 0)
        async with self._store.reading() as connection:
            rows = {held.id: purse for purse, held in (await holdings.find(connection, found)).items()}
            for some in batches(rows):
                wanted = (
                    select(_transfer.target, *Sum.of(_transfer.credits).named("total"))
                    .where(_transfer.target.in_(some), _transfer.why.in_(list(reasons)))
                    .where(_transfer.created_at >= start, _transfer.created_at < end)
                    .group_by(_transfer.target)
                )
                totals = map(combine_sums, (await connection.execute(wanted)).mappings())
                found |= {rows[each["target"]]: each["total"] for each in totals}
        return found

    async def made(self, payments: Collection[str]) -> set[str]:
        """Return which of these ids of payments are written."""
        row, found = schema.posting.c, set[str]()
        async with self._store.reading() as connection:
            for some in batches(payments):
                found |= set((await connection.execute(select(row.id).where(row.id.in_(some)))).scalars())
        return found


class Takings:
    """Reads what the house has won and lost."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def at(self, room: str, game: str, since: datetime | None = None) -> int:
        """Return what the house has taken at the tables of a game in a room, less what it has paid.

        `since` leaves out tables that were opened earlier. Players of the house count as the house. Credits
        of the mint do not count: they pay salaries, and what the house lacks.

        Reads every transfer of these tables, about ten milliseconds for a thousand tables, and one number for
        each archived table.
        """
        payer, payee = (schema.purse.alias(name) for name in ("payer", "payee"))
        kept, paid = (each.c.kind.in_([HOUSE, PLAYER]) for each in (payee, payer))
        moved = _transfer.credits * (case((kept, 1), else_=0) - case((paid, 1), else_=0))
        unarchived = (
            select(*Sum.of(moved).named("moved"))
            .select_from(
                schema.game_table.join(schema.transfer, _transfer.table_id == _table.id)
                .join(payer, payer.c.id == _transfer.source)
                .join(payee, payee.c.id == _transfer.target)
            )
            .where(or_(kept, paid), payer.c.kind != MINT)
        )
        archived = select(*Sum.of(schema.archive.c.kept).named("moved")).select_from(
            schema.game_table.join(schema.archive, schema.archive.c.table_id == _table.id)
        )
        of_game = [_table.room == room, _table.game == game]
        ended = [_table.state.in_([SETTLED, VOID]), *of_game]
        if since is not None:  # the end too, because it is the next column of the index
            of_game.append(_table.opened_at >= since)
            ended += [_table.opened_at >= since, _table.closed_at >= since]
        open_tables = unarchived.where(_table.state == OPEN, *of_game)
        queries = open_tables, unarchived.where(*ended), archived.where(*ended)
        async with self._store.reading() as connection:
            sums = [combine_sums((await connection.execute(each)).mappings().one()) for each in queries]
        return sum(int(each["moved"]) for each in sums)


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


async def give(ledger: Ledger, gift: Posting, bounds: GiftLimits) -> bool:
    """Write a gift if it is within its limits, also under concurrency; return False if it was written before.

    Raises as `Ledger.post`, and:
        GiftLimitReached: it would exceed a limit.
    """
    return await ledger.post_checked(gift, partial(_check, gift=gift, bounds=bounds))


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


class Receipts:
    """Reads what persons received from others."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def between(
        self, start: datetime, end: datetime, people: Sequence[Collection[Purse]], reasons: Collection[str]
    ) -> list[int]:
        """Return what each person received from others from `start` up to, but excluding, `end`.

        Each person is all their wallets; see `received` for what counts.
        """
        async with self._store.reading() as connection:
            return await received(connection, people, start, end, reasons)


_LINKING = "link:%"  # ids of the postings that move the wallet of a newly linked account

_source_purse = schema.purse.alias("source_purse")


async def received(
    connection: AsyncConnection,
    people: Sequence[Collection[Purse]],
    since: datetime,
    until: datetime,
    reasons: Collection[str],
) -> list[int]:
    """Return what each person, given as all their wallets, received from others in a time.

    That is gifts, fines, wallets that were moved by a link, what the house paid for one of `reasons`, because
    others had won it, and net winnings of pots as far as they are the losses of other people.
    It takes two or three queries, which read the transfers to these wallets in that time, and all transfers
    of each pot that paid one of them.
    """
    found = await holdings.find(connection, {each for wallets in people for each in wallets})
    own = [{found[each].id for each in wallets if each in found} for wallets in people]
    index_of = {number: index for index, numbers in enumerate(own) for number in numbers}
    totals, pots = [0] * len(people), [set[str]() for _ in people]
    for some in batches(index_of):
        wanted = (
            select(_transfer.table_id, _transfer.target, _transfer.credits, _transfer.why)
            .add_columns(_source_purse.c.kind, _transfer.posting.like(_LINKING).label("by_link"))
            .join_from(schema.transfer, _source_purse, _source_purse.c.id == _transfer.source)
            .where(_transfer.target.in_(some), _transfer.created_at >= since, _transfer.created_at < until)
            .where(or_(_source_purse.c.kind.in_([PERSON, POT]), _transfer.why.in_(reasons)))
        )
        for row in (await connection.execute(wanted)).mappings():
            index = index_of[row["target"]]
            if row["kind"] == POT:
                pots[index].add(row["table_id"])
            elif row["by_link"] or (row["why"] != LINKED and (row["table_id"] or row["why"] == GIFT)):
                # All other transfers from wallet to wallet are between those of one person.
                totals[index] += row["credits"]
    nets = await nets_of(connection, {table for tables in pots for table in tables})
    for index, tables in enumerate(pots):
        totals[index] += sum(max(won_of(own[index], nets[table], PERSON), 0) for table in tables)
    return totals
