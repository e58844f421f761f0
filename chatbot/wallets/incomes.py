"""What wallets have been paid since some moment, by reason: so that limits hold across restarts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from chatbot.wallets import schema
from chatbot.wallets.statements import batches

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from chatbot.wallets.store import Store


class Incomes:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def since(
        self, start: datetime, wallets: Collection[str], reasons: Collection[str]
    ) -> dict[str, int]:
        """Add up what each of these accounts has got for these reasons from a moment on."""
        row, found = schema.transfer.c, dict.fromkeys(wallets, 0)
        async with self._store.reading() as connection:
            for some in batches(found):
                wanted = (
                    select(row.target, func.sum(row.credits).label("total"))
                    .where(row.target.in_(some), row.created_at >= start, row.why.in_(list(reasons)))
                    .group_by(row.target)
                )
                found |= {each.target: int(each.total) for each in await connection.execute(wanted)}
        return found
