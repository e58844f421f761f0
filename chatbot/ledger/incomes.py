"""What members were paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.ledger.audit.checks import Sum, combine_sums
from chatbot.ledger.books import holdings
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import batches

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.store.store import Store

_transfer = schema.transfer.c


class Incomes:
    """Reads what members were paid."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def between(
        self, start: datetime, end: datetime, wallets: Collection[Purse], reasons: Collection[str]
    ) -> dict[Purse, int]:
        """Return what each wallet received for these reasons from `start` up to, but excluding, `end`."""
        sums = dict.fromkeys(wallets, 0)
        async with self._store.reading() as connection:
            rows = {row.id: purse for purse, row in (await holdings.find(connection, sums)).items()}
            for some in batches(rows):
                query = (
                    select(_transfer.target, *Sum.of(_transfer.credits).named("total"))
                    .where(_transfer.target.in_(some), _transfer.why.in_(list(reasons)))
                    .where(_transfer.created_at >= start, _transfer.created_at < end)
                    .group_by(_transfer.target)
                )
                totals = map(combine_sums, (await connection.execute(query)).mappings())
                sums |= {rows[each["target"]]: each["total"] for each in totals}
        return sums

    async def made(self, payments: Collection[str]) -> set[str]:
        """Return which of these ids of payments are written."""
        row, ids = schema.posting.c, set[str]()
        async with self._store.reading() as connection:
            for some in batches(payments):
                ids |= set((await connection.execute(select(row.id).where(row.id.in_(some)))).scalars())
        return ids
