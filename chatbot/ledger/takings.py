"""What the house has won and lost at the tables of games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import case, or_, select

from chatbot.ledger.audit.checks import Sum, combine_sums
from chatbot.ledger.books.journal import OPEN, SETTLED, VOID
from chatbot.ledger.books.purses import HOUSE, MINT, PLAYER
from chatbot.ledger.store import schema

if TYPE_CHECKING:
    from datetime import datetime

    from chatbot.ledger.store.store import Store

_transfer, _table = schema.transfer.c, schema.game_table.c


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
        to_house, from_house = (each.c.kind.in_([HOUSE, PLAYER]) for each in (payee, payer))
        net = _transfer.credits * (case((to_house, 1), else_=0) - case((from_house, 1), else_=0))
        unarchived = (
            select(*Sum.of(net).named("moved"))
            .select_from(
                schema.game_table.join(schema.transfer, _transfer.table_id == _table.id)
                .join(payer, payer.c.id == _transfer.source)
                .join(payee, payee.c.id == _transfer.target)
            )
            .where(or_(to_house, from_house), payer.c.kind != MINT)
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
