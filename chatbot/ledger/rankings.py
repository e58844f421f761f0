"""Rankings of people by something else than their balance: what they won at a game, and what they watched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import and_, func, select, union_all

from chatbot.kernel.game import Seat
from chatbot.ledger.audit.checks import Sum, combine_sums
from chatbot.ledger.books.journal import SETTLED
from chatbot.ledger.books.purses import PERSON
from chatbot.ledger.store import schema
from chatbot.ledger.vouchers import VOUCHER

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Select

    from chatbot.ledger.store.store import Store

MOST_TABLES = 1000
"""The newest tables, which a ranking of winnings reads: tens of milliseconds, however many there are."""

_ROOT = schema.person.alias("root")
_ACCOUNT, _PERSON, _PURSE = schema.platform_account.c, schema.person.c, schema.purse.c
_TABLE, _TRANSFER, _PRESENCE = schema.game_table.c, schema.transfer.c, schema.presence.c


class Rankings:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def winners(
        self, room: str, game: str, since: datetime, count: int, without: Collection[Seat] = ()
    ) -> list[tuple[Seat, int]]:
        """List who gained most at the tables of a game in a room that ended since then, best first.

        Credits are net: what came out of these tables less what went in, also if points paid for it. Who
        gained nothing is left out, and so are players of the house. Only the newest `MOST_TABLES` count.
        Accounts of one person count as one.
        """
        tables = (
            select(_TABLE.id)
            .where(_TABLE.state == SETTLED, _TABLE.room == room, _TABLE.game == game)
            .where(_TABLE.closed_at >= since)
            .order_by(_TABLE.closed_at.desc(), _TABLE.id)
            .limit(MOST_TABLES)
            .subquery()
        )
        mine = and_(_TRANSFER.table_id == tables.c.id, _TRANSFER.why != VOUCHER)
        movements = union_all(
            select(_TRANSFER.target.label("purse"), _TRANSFER.credits.label("credits")).where(mine),
            select(_TRANSFER.source.label("purse"), (-_TRANSFER.credits).label("credits")).where(mine),
        ).subquery()
        query = (
            select(_ROOT.c.seat, *Sum.of(movements.c.credits).named("net"))
            .select_from(movements.join(schema.purse, _PURSE.id == movements.c.purse))
            .join(schema.person, _PERSON.seat == _PURSE.owner)
            .where(_PURSE.kind == PERSON)
        )
        gains = [(each, net) for each, net in await self._of_people(query, "net") if net > 0]
        return _best(gains, count, without)

    async def watchers(
        self, communities: Collection[str], count: int, without: Collection[Seat] = ()
    ) -> list[tuple[Seat, int]]:
        """List who watched longest in these communities, in minutes, best first; who never did is left out.

        It reads a row of each member who was ever seen.
        """
        query = (
            select(_ROOT.c.seat, func.sum(_PRESENCE.minutes).label("minutes"))
            .select_from(schema.presence)
            .join(schema.person, _PERSON.seat == _PRESENCE.seat)
            .where(_PRESENCE.community.in_(communities), _PRESENCE.minutes > 0)
        )
        return _best(await self._of_people(query, "minutes"), count, without)

    async def _of_people(self, query: Select[tuple[str, int]], column: str) -> list[tuple[Seat, int]]:
        """Group rows of persons by whom these are one with; those without a known account are left out."""
        by_root = query.join(_ROOT, _ROOT.c.seat == _root()).where(_has_account()).group_by(_ROOT.c.seat)
        async with self._store.reading() as connection:
            rows = map(combine_sums, (await connection.execute(by_root)).mappings())
            return [(Seat(each["seat"]), int(each[column])) for each in rows]


def _root() -> ColumnElement[str]:
    return func.coalesce(_PERSON.same_as, _PERSON.seat)


def _has_account() -> ColumnElement[bool]:
    return select(_ACCOUNT.person).where(_ACCOUNT.person == _ROOT.c.id, _ACCOUNT.key.is_not(None)).exists()


def _best(
    scores: Sequence[tuple[Seat, int]], count: int, without: Collection[Seat]
) -> list[tuple[Seat, int]]:
    ranked = sorted((each for each in scores if each[0] not in without), key=lambda each: (-each[1], each[0]))
    return ranked[:count]
