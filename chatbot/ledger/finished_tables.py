"""Lists the tables of a room that ended last, with what each player has won or lost at them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import select, union_all

from chatbot.kernel.game import Seat
from chatbot.ledger.books.journal import SETTLED, VOID
from chatbot.ledger.books.purses import PERSON, PLAYER
from chatbot.ledger.store import schema
from chatbot.ledger.vouchers import VOUCHER

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.store import Store

_table, _transfer = schema.game_table.c, schema.transfer.c


@dataclass(frozen=True, slots=True)
class FinishedTable:
    """A table that is over. `gains` are net, by seat; of one that is archived none are known."""

    id: str
    game: str
    is_void: bool
    closed_at: datetime
    gains: Mapping[Seat, int]


class FinishedTables:
    """The finished tables of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def last(self, room: str, games: Collection[str], count: int) -> list[FinishedTable]:
        """Return up to `count` tables of these games in a room, the latest first.

        Each state of each game is one search of an index, however many tables there are.
        """
        newest = [
            select(_table.id, _table.game, _table.state, _table.closed_at)
            .where(_table.state == state, _table.room == room, _table.game == game)
            .order_by(_table.closed_at.desc())
            .limit(count)
            .subquery()
            for game in games
            for state in (SETTLED, VOID)
        ]
        if not newest:
            return []
        tables = union_all(*map(select, newest)).subquery()
        query = select(tables).order_by(tables.c.closed_at.desc(), tables.c.id).limit(count)
        async with self._store.reading() as connection:
            rows = (await connection.execute(query)).all()
            gains = await _gains(connection, [row.id for row in rows])
        return [
            FinishedTable(row.id, row.game, row.state == VOID, row.closed_at, gains[row.id]) for row in rows
        ]


async def _gains(connection: AsyncConnection, tables: Collection[str]) -> dict[str, Counter[Seat]]:
    payer, payee = (schema.purse.alias(name) for name in ("payer", "payee"))
    query = (
        select(
            _transfer.table_id,
            _transfer.credits,
            payer.c.kind.label("from_kind"),
            payer.c.owner.label("from_seat"),
            payee.c.kind.label("to_kind"),
            payee.c.owner.label("to_seat"),
        )
        .join(payer, payer.c.id == _transfer.source)
        .join(payee, payee.c.id == _transfer.target)
        .where(_transfer.table_id.in_(tables), _transfer.why != VOUCHER)
    )
    gains: dict[str, Counter[Seat]] = {table: Counter() for table in tables}
    for row in await connection.execute(query):
        for kind, seat, credits_ in (
            (row.from_kind, row.from_seat, -row.credits),
            (row.to_kind, row.to_seat, row.credits),
        ):
            if kind in {PERSON, PLAYER}:
                gains[row.table_id][Seat(seat)] += credits_
    return gains
