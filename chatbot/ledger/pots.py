"""What pots paid: the net of each purse, and from whom it was won, from people or from players of the house.

Who wins at a pot wins of everybody who loses there, in proportion to the losses; who loses, loses to
everybody who wins there, in proportion to the winnings.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, TypeAlias

from sqlalchemy import select

from chatbot.ledger.books import holdings
from chatbot.ledger.books.journal import SETTLED
from chatbot.ledger.books.purses import PLAYER, POT, Purse
from chatbot.ledger.store import schema
from chatbot.ledger.store.reads import FixedQuery, Reads, fetched
from chatbot.ledger.store.statements import batches

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.store import Store

LONGEST_TABLE = timedelta(days=1)
"""How long before a day a stake may have been put that the day settles: far longer than any table lasts.

It bounds what is read: the transfers of a wallet are looked up by their time.
"""

Nets: TypeAlias = Counter[tuple[int, str]]
"""What each purse, as its id and kind, has won in a pot, or lost if negative."""

_transfer, _table = schema.transfer.c, schema.game_table.c
_target_purse = schema.purse.alias("target_purse")


class HouseLosses:
    """Reads what players of the house lost to persons."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def between(self, start: datetime, end: datetime, wallets: Collection[Purse]) -> int:
        """Return the credits that a person, as all their wallets, has won of players of the house, net.

        It counts the tables that were settled from `start` up to, but excluding, `end`, and is negative if
        the person has lost to them. It takes three queries, which read the transfers between these wallets
        and pots since a day before `start`, and all transfers of the pots among them.
        """
        async with self._store.reading() as connection:
            own = {row.id for row in (await holdings.find(connection, wallets)).values()}
            tables = await _settled_tables(connection, own, start, end)
            nets = await fetched(connection, nets_of(tables))
        return sum(won_of(own, each, PLAYER) for each in nets.values())


async def _settled_tables(
    connection: AsyncConnection, own: Collection[int], start: datetime, end: datetime
) -> set[str]:
    """Return the tables settled in a time in whose pots one of these purses had a stake."""
    tables = set[str]()
    for some in batches(own):
        query = (
            select(_transfer.table_id)
            .join_from(schema.transfer, _target_purse, _target_purse.c.id == _transfer.target)
            .join(schema.game_table, _table.id == _transfer.table_id)
            .where(_transfer.source.in_(some), _transfer.created_at >= start - LONGEST_TABLE)
            .where(_target_purse.c.kind == POT, _table.state == SETTLED)
            .where(_table.closed_at >= start, _table.closed_at < end)
        )
        tables.update((await connection.execute(query)).scalars())
    return tables


def nets_of(tables: Collection[str]) -> Reads[dict[str, Nets]]:
    """Read by table what each purse has won, or lost, in the pot."""
    nets = {each: Nets() for each in tables}
    for some in batches(tables):
        for table, source, source_kind, target, target_kind, amount in (yield _MOVED, {"tables": some}):
            if target_kind == POT:
                nets[table][source, source_kind] -= amount
            else:
                nets[table][target, target_kind] += amount
    return nets


_MOVED = FixedQuery(
    "SELECT transfer.table_id, source.id, source.kind, target.id, target.kind, transfer.credits "
    "FROM transfer JOIN purse AS source ON source.id = transfer.source "
    "JOIN purse AS target ON target.id = transfer.target "
    "WHERE transfer.table_id {tables} AND (source.kind = 'pot' OR target.kind = 'pot')",
    {"tables": "text"},
)


def won_of(own: Collection[int], nets: Nets, kind: str) -> int:
    """Return how much of what these purses won in a pot was lost by others of a kind, rounded towards 0.

    It is negative if they lost: as much as others of the kind won of it.
    """
    own_net = sum(net for (purse, _), net in nets.items() if purse in own)
    sign = -1 if own_net > 0 else 1  # of the nets of those on the other side
    # Without those of the same person: what one loses to oneself must not dilute what others lost.
    others = {key: abs(net) for key, net in nets.items() if net * sign > 0 and key[0] not in own}
    of_kind = sum(net for (_, each), net in others.items() if each == kind)
    share = abs(own_net) * of_kind // sum(others.values()) if own_net and others else 0
    return share if own_net > 0 else -share
