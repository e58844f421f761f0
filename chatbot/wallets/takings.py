"""What the house takes at its tables: all that was kept there, less all that was paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import case, or_, select

from chatbot.kernel.kit import HOUSE
from chatbot.wallets import schema
from chatbot.wallets.stories import OPEN, SETTLED, VOID
from chatbot.wallets.sums import Sum, whole

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import ColumnElement

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
        kept, paid = _houses(_TRANSFER.target), _houses(_TRANSFER.source)
        moved = _TRANSFER.credits * (case((kept, 1), else_=0) - case((paid, 1), else_=0))
        whole_ones = (
            select(*Sum.of(moved).named("moved"))
            .select_from(schema.game_table.join(schema.transfer, _TRANSFER.table_id == _TABLE.id))
            .where(or_(kept, paid), ~_mints(_TRANSFER.source))
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


def _houses(account: ColumnElement[str]) -> ColumnElement[bool]:
    """Whether an account is the house's, or a wallet of one of its players."""
    return or_(account.startswith("house:"), account.like(f"wallet:%:{HOUSE}:%"))


def _mints(account: ColumnElement[str]) -> ColumnElement[bool]:
    return account.startswith("mint:")
