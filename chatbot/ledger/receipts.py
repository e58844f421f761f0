"""What persons receive from others: gifts, fines, wallets of linked accounts, winnings from other people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.ledger.books import holdings
from chatbot.ledger.books.posting import GIFT, LINKED
from chatbot.ledger.books.purses import PERSON, POT
from chatbot.ledger.pots import nets_of, won_of
from chatbot.ledger.store import schema
from chatbot.ledger.store.reads import FixedQuery, Reads, fetched
from chatbot.ledger.store.statements import batches

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.store.store import Store


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
        return await self._store.fetch(receiving(people, start, end, reasons))


async def received(
    connection: AsyncConnection,
    people: Sequence[Collection[Purse]],
    since: datetime,
    until: datetime,
    reasons: Collection[str],
) -> list[int]:
    """Return what `receiving` reads, in the transaction of the caller."""
    return await fetched(connection, receiving(people, since, until, reasons))


def receiving(
    people: Sequence[Collection[Purse]], since: datetime, until: datetime, reasons: Collection[str]
) -> Reads[list[int]]:
    """Read what each person, given as all their wallets, received from others in a time.

    That is gifts, fines, wallets that were moved by a link, what the house paid for one of `reasons`, because
    others had won it, and net winnings of pots as far as they are the losses of other people.
    It takes two or three queries, which read the transfers to these wallets in that time, and all transfers
    of each pot that paid one of them.
    """
    rows = yield from holdings.finding({each for wallets in people for each in wallets})
    own = [{rows[each].id for each in wallets if each in rows} for wallets in people]
    index_of = {number: index for index, numbers in enumerate(own) for number in numbers}
    totals, pots = [0] * len(people), [set[str]() for _ in people]
    bounds = {"since": schema.stored_time(since), "until": schema.stored_time(until)}
    for some in batches(index_of):
        values = {"wallets": some, "reasons": [*reasons], **bounds}
        for table, target, amount, why, kind, by_link in (yield _RECEIVED, values):
            index = index_of[target]
            if kind == POT:
                pots[index].add(table)
            elif by_link or (why != LINKED and (table or why == GIFT)):
                # All other transfers from wallet to wallet are between those of one person.
                totals[index] += amount
    nets = yield from nets_of({table for tables in pots for table in tables})
    for index, tables in enumerate(pots):
        totals[index] += sum(max(won_of(own[index], nets[table], PERSON), 0) for table in tables)
    return totals


# A link moves the wallet of a newly linked account by a posting whose id begins so.
_RECEIVED = FixedQuery(
    "SELECT transfer.table_id, transfer.target, transfer.credits, transfer.why, purse.kind, "
    "transfer.posting LIKE 'link:%' "
    "FROM transfer JOIN purse ON purse.id = transfer.source "
    "WHERE transfer.target {wallets} AND transfer.created_at >= :since AND transfer.created_at < :until "
    "AND (purse.kind IN ('person', 'pot') OR transfer.why {reasons})",
    {"wallets": "bigint", "reasons": "text"},
)
