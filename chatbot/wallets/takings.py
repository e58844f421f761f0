"""What the house takes at its tables: all that was kept there, less all that was paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import case, or_, select

from chatbot.wallets import schema
from chatbot.wallets.purses import HOUSE, MINT, PLAYER
from chatbot.wallets.stories import OPEN, SETTLED, VOID
from chatbot.wallets.sums import Sum, whole

if TYPE_CHECKING:
    from datetime import datetime

    from chatbot.wallets.store import Store

_TRANSFER, _TABLE = schema.transfer.c, schema.game_table.c


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
        moved = _TRANSFER.credits * (case((kept, 1), else_=0) - case((paid, 1), else_=0))
        whole_ones = (
            select(*Sum.of(moved).named("moved"))
            .select_from(
                schema.game_table.join(schema.transfer, _TRANSFER.table_id == _TABLE.id)
                .join(payer, payer.c.id == _TRANSFER.source)
                .join(payee, payee.c.id == _TRANSFER.target)
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
