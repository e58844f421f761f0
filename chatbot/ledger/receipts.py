"""What persons receive from others: gifts, fines, wallets of linked accounts, winnings from other people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import or_, select

from chatbot.ledger.books import holdings
from chatbot.ledger.books.posting import GIFT, LINKED
from chatbot.ledger.books.purses import PERSON, POT
from chatbot.ledger.pots import nets_of, won_of
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import batches

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.store.store import Store

_transfer = schema.transfer.c
_LINKING = "link:%"  # ids of the postings that move the wallet of a newly linked account
_source_purse = schema.purse.alias("source_purse")


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
