"""Vouchers: stakes that a platform paid for, and what the platform is to do about each.

A voucher is open while its stake may still be returned. Then it is kept (the stake is played for) or returned
(the platform gives back what it took, and the credits that were minted for it are destroyed). The state
changes in the transaction of the posting that causes it; the platform is told afterwards, until it confirms.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, insert, select, update

from chatbot.kernel.game import Seat
from chatbot.ledger.store import schema
from chatbot.ledger.store.request_batcher import RequestBatcher
from chatbot.ledger.store.statements import add, batches, upsert
from chatbot.ledger.store.writes import RowWrite, Statement

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.statements import ResultRow
    from chatbot.ledger.store.store import Store

VOUCHER = "voucher"
"""The reason of transfers that create credits for a voucher, and that destroy them when it is returned."""

_voucher, _reward = schema.voucher.c, schema.reward.c


class VoucherState(Enum):
    """Whether the stake may still be returned, is played for, or was returned."""

    OPEN = "open"
    KEPT = "kept"
    RETURNED = "returned"


@dataclass(frozen=True, slots=True)
class Voucher:
    """A stake of `credits` that a platform paid for; `source` is what the platform settles it by."""

    id: str
    platform: str
    source: str
    credits: int


@dataclass(frozen=True, slots=True)
class HeldVoucher:
    """A voucher that a seat has staked at a table, and its state after a step; `new`: staked by the step."""

    voucher: Voucher
    seat: Seat
    state: VoucherState
    new: bool = False


@dataclass(frozen=True, slots=True)
class Reward:
    """What viewers of a channel can buy from a platform: a stake of `credits` in a game."""

    id: str
    channel: str
    game: str
    credits: int


class Vouchers:
    """The vouchers of a database, as platforms use them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._staked = RequestBatcher(self._read_staked)

    async def known(self, ids: Collection[str]) -> set[str]:
        """Return which of these vouchers were decided before."""
        known_ids: set[str] = set()
        async with self._store.reading() as connection:
            for some in batches(ids):
                rows = await connection.execute(select(_voucher.id).where(_voucher.id.in_(some)))
                known_ids |= set(rows.scalars())
        return known_ids

    async def refuse(self, voucher: Voucher, community: str, at: datetime) -> bool:
        """Record that a voucher bought nothing and is to be returned; False: it was decided before."""
        row = {
            "id": voucher.id,
            "platform": voucher.platform,
            "source": voucher.source,
            "community": community,
            "seat": "",
            "table_id": None,
            "credits": voucher.credits,
            "state": VoucherState.RETURNED.value,
            "settled": 0,
            "created_at": at,
        }

        async def work(connection: AsyncConnection) -> bool:
            return bool(await add(connection, schema.voucher, [row]))

        return await self._store.write(work, homes=[community])

    async def due(self, platform: str) -> list[tuple[Voucher, VoucherState]]:
        """List the vouchers whose state the platform has not confirmed yet."""
        query = (
            select(schema.voucher)
            .where(_voucher.platform == platform, _voucher.state != "open", _voucher.settled == 0)
            .order_by(_voucher.id)
        )
        async with self._store.reading() as connection:
            rows = (await connection.execute(query)).all()
        return [
            (Voucher(row.id, row.platform, row.source, row.credits), VoucherState(row.state)) for row in rows
        ]

    async def waiting(self, reward: str) -> bool:
        """Whether the platform has not confirmed all vouchers of a reward, whose id their source has."""
        query = select(_voucher.id).where(_voucher.source.contains(reward, autoescape=True))
        async with self._store.reading() as connection:
            rows = await connection.execute(query.where(_voucher.settled == 0).limit(1))
            return rows.first() is not None

    async def settled(self, vouchers: Collection[str]) -> None:
        """Record that the platform has confirmed the state of vouchers."""

        async def work(connection: AsyncConnection) -> None:
            for some in batches(vouchers):
                confirmation = update(schema.voucher).where(_voucher.id.in_(some), _voucher.state != "open")
                await connection.execute(confirmation.values(settled=1))

        if vouchers:
            await self._store.write(work)

    async def staked_at(self, tables: Collection[str]) -> dict[str, dict[Seat, HeldVoucher]]:
        """Return the vouchers whose stakes lie at these tables, by table and seat.

        They are read together with those of other tables that are wanted now.
        """
        return await self._staked.get(tables)

    async def _read_staked(self, tables: Collection[str]) -> dict[str, dict[Seat, HeldVoucher]]:
        vouchers: dict[str, dict[Seat, HeldVoucher]] = {table: {} for table in tables}
        query = select(schema.voucher).where(_voucher.state != VoucherState.RETURNED.value)
        async with self._store.reading() as connection:
            for some in batches(tables):
                of_some = query.where(_voucher.table_id.in_(some))
                for row in await connection.execute(of_some.order_by(_voucher.created_at, _voucher.id)):
                    vouchers[row.table_id][Seat(row.seat)] = _held_voucher(row)
        return vouchers


class Rewards:
    """What platforms sell for stakes."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def find(self, reward: str) -> Reward | None:
        """Return a reward by its id."""
        async with self._store.reading() as connection:
            row = (await connection.execute(select(schema.reward).where(_reward.id == reward))).first()
        return None if row is None else Reward(row.id, row.channel, row.game, row.credits)

    async def of(self, channel: str) -> list[Reward]:
        """List the rewards of a channel by game."""
        query = select(schema.reward).where(_reward.channel == channel).order_by(_reward.game, _reward.id)
        async with self._store.reading() as connection:
            rows = (await connection.execute(query)).all()
        return [Reward(row.id, row.channel, row.game, row.credits) for row in rows]

    async def put(self, reward: Reward) -> None:
        """Add a reward, or replace the one of its id."""
        await self._store.commit(lambda: [reward_write(reward)])


def reward_write(reward: Reward) -> RowWrite:
    """Return the write that adds a reward, or replaces the one of its id."""
    row = {"id": reward.id, "channel": reward.channel, "game": reward.game, "credits": reward.credits}
    return RowWrite(_PUT_REWARD, [row])


def reward_removal(reward: str) -> RowWrite:
    """Return the write that removes a reward by its id."""
    return RowWrite(_REMOVE_REWARD, [{"reward": reward}])


async def held_at(connection: AsyncConnection, table: str) -> list[HeldVoucher]:
    """Return the vouchers that were staked at a table, oldest first."""
    query = (
        select(schema.voucher).where(_voucher.table_id == table).order_by(_voucher.created_at, _voucher.id)
    )
    return [_held_voucher(row) for row in await connection.execute(query)]


def writes(
    vouchers: Sequence[HeldVoucher], community: str, table: str | None, at: datetime
) -> Iterator[RowWrite]:
    """Yield the writes of the vouchers of a step; one that is decided stays as it is."""
    yield RowWrite(_ADD, [_row(each, community, table, at) for each in vouchers if each.new])
    decisions = [each for each in vouchers if not each.new and not _is_open(each)]
    yield RowWrite(_DECIDE, [{"voucher": each.voucher.id, "decided": each.state.value} for each in decisions])


_ADD = Statement(insert(schema.voucher), schema.voucher.c.keys())
_PUT_REWARD = Statement(upsert(schema.reward), schema.reward.c.keys())
_REMOVE_REWARD = Statement(delete(schema.reward).where(_reward.id == bindparam("reward")), ("reward",))
_DECIDE = Statement(
    update(schema.voucher)
    .where(_voucher.id == bindparam("voucher"), _voucher.state == "open")
    .values(state=bindparam("decided")),
    ("voucher", "decided"),
)


def _held_voucher(row: ResultRow) -> HeldVoucher:
    voucher = Voucher(row.id, row.platform, row.source, row.credits)
    return HeldVoucher(voucher, Seat(row.seat), VoucherState(row.state))


def _row(held_voucher: HeldVoucher, community: str, table: str | None, at: datetime) -> dict[str, object]:
    return {
        "id": held_voucher.voucher.id,
        "platform": held_voucher.voucher.platform,
        "source": held_voucher.voucher.source,
        "community": community,
        "seat": held_voucher.seat,
        "table_id": table,
        "credits": held_voucher.voucher.credits,
        "state": held_voucher.state.value,
        "settled": 0,
        "created_at": at,
    }


def _is_open(held_voucher: HeldVoucher) -> bool:
    return held_voucher.state is VoucherState.OPEN
