"""What wallets have been paid since some moment, by reason: so that limits hold across restarts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.wallets import holdings, schema
from chatbot.wallets.statements import batches
from chatbot.wallets.sums import Sum, whole

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from chatbot.wallets.purses import Purse
    from chatbot.wallets.store import Store


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
