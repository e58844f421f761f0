"""What all processes agree on about a platform that has shards: their number, and when sessions are begun.

It is decided in transactions that lock the row of the platform, by the clock of the database, so that two
processes never begin sessions of one bucket at a time, nor more in a day than the platform takes.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import select, text, update

from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import ensure, put
from chatbot.runtime.session_budget import SessionBudget, SessionLimits

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.store import Store

T = TypeVar("T")

MARGIN = 0.5  # seconds between two sessions of a bucket beside the gap: processes wait by their own clocks
_NOW = text("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")
_gateway = schema.gateway.c


class Gateways:
    """The rows of all platforms that have shards, which are shared by the processes of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def shards(self, platform: str) -> int:
        """Return how many shards are agreed on; 0: none yet.

        Raises:
            SQLAlchemyError, OSError: the database does not answer.
        """
        async with self._store.reading() as connection:
            return await _shards(connection, platform)

    async def agree(self, platform: str, shards: int, *, exactly: bool = False) -> int:
        """Have at least so many shards, or `exactly` so many, and return how many that are.

        Raises:
            SQLAlchemyError, OSError: the database does not answer.
        """

        async def work(connection: AsyncConnection) -> int:
            await ensure(connection, schema.gateway, [_new_row(platform, shards)])
            present = await _shards(connection, platform, lock=True)
            number = shards if exactly else max(shards, present)
            if number != present:
                statement = update(schema.gateway).where(_gateway.platform == platform)
                await connection.execute(statement.values(shards=number))
            return number

        return await self._store.write(work, homes=())

    async def learn(self, platform: str, limits: SessionLimits) -> None:
        """Take over what a platform says of its sessions.

        Raises:
            SQLAlchemyError, OSError: the database does not answer.
        """
        await self._change(platform, lambda budget, now: budget.learn(limits, now))

    async def reserve(self, platform: str, shard: int, after: float) -> float:
        """Count a session of a shard, and return in how many seconds it begins; at least in `after`.

        Raises:
            SessionsExhausted: too many were begun today.
            SQLAlchemyError, OSError: the database does not answer.
        """
        return await self._change(platform, lambda budget, now: budget.reserve(shard, now, after))

    async def wait(self, platform: str, shards: Collection[int]) -> float:
        """Return the seconds until sessions of these shards could be begun, one after the other.

        Raises:
            SessionsExhausted: too many were begun today.
            SQLAlchemyError, OSError: the database does not answer.
        """
        async with self._store.reading() as connection:
            budget, now = await _budget(connection, platform), await _now(connection)
        budget.wait(min(shards, default=0), now)
        return max((budget.reserve(each, now) for each in sorted(shards)), default=0.0)

    async def _change(self, platform: str, change: Callable[[SessionBudget, float], T]) -> T:
        return await self._store.write(partial(_changed, platform, change), homes=())


async def read_shards(connection: AsyncConnection) -> dict[str, int]:
    """Return how many shards are agreed on, by the names of platforms."""
    query = select(_gateway.platform, _gateway.shards)
    return {platform: shards for platform, shards in await connection.execute(query)}  # noqa: C416


async def _changed(
    platform: str, change: Callable[[SessionBudget, float], T], connection: AsyncConnection
) -> T:
    await ensure(connection, schema.gateway, [_new_row(platform, 1)])
    shards = await _shards(connection, platform, lock=True)
    budget = await _budget(connection, platform)
    result = change(budget, await _now(connection))
    resets = None if budget.resets is None else datetime.fromtimestamp(budget.resets, UTC)
    row = {
        "platform": platform,
        "shards": shards,
        "concurrency": budget.concurrency,
        "total": budget.total,
        "sessions_left": budget.left,
        "resets": resets,
        "begins": json.dumps({str(bucket): at for bucket, at in budget.begins.items()}),
    }
    await put(connection, schema.gateway, [row])
    return result


async def _shards(connection: AsyncConnection, platform: str, *, lock: bool = False) -> int:
    query = select(_gateway.shards).where(_gateway.platform == platform)
    return (await connection.execute(query.with_for_update() if lock else query)).scalar() or 0


async def _budget(connection: AsyncConnection, platform: str) -> SessionBudget:
    query = select(schema.gateway).where(_gateway.platform == platform)
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        return SessionBudget(margin=MARGIN)
    return SessionBudget(
        row.concurrency,
        row.total,
        row.sessions_left,
        None if row.resets is None else row.resets.timestamp(),
        {int(bucket): at for bucket, at in json.loads(row.begins).items()},
        MARGIN,
    )


async def _now(connection: AsyncConnection) -> float:
    return float((await connection.execute(_NOW)).scalar_one()) / 1000


def _new_row(platform: str, shards: int) -> dict[str, object]:
    limits = SessionLimits()
    return {
        "platform": platform,
        "shards": shards,
        "concurrency": limits.concurrency,
        "total": limits.total,
        "sessions_left": limits.left,
        "resets": None,
        "begins": "{}",
    }
