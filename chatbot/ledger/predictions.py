"""Predictions: what viewers bet on at their platform, and how far each has come there.

A prediction is written before its platform is asked for it, so that one whose answer was lost is found
again, and a table has one at most. How it ends is read from the journal of its table, and not stored here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from sqlalchemy import Row, select, update

from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import add

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.store import Store

_prediction = schema.prediction.c


class PredictionState(Enum):
    """How far a prediction has come at its platform.

    It is wanted (perhaps it runs already), open to bets, locked (nobody can bet any more, which was confirmed
    before anybody could know the outcome), or over: resolved, cancelled or never made.
    """

    WANTED = "wanted"
    OPEN = "open"
    LOCKED = "locked"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Prediction:
    """A prediction on the outcome of a table, on which viewers of a channel can bet until the end of a phase.

    `source` is what the platform knows it by, in its own words.
    """

    table: str
    channel: str
    phase: str
    source: str
    state: PredictionState = PredictionState.WANTED


class Predictions:
    """The predictions of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def begin(self, prediction: Prediction, at: datetime) -> bool:
        """Write a new prediction; False: its table has or had one."""
        row = {
            "table_id": prediction.table,
            "channel": prediction.channel,
            "phase": prediction.phase,
            "source": prediction.source,
            "state": prediction.state.value,
            "created_at": at,
        }

        async def work(connection: AsyncConnection) -> bool:
            return bool(await add(connection, schema.prediction, [row]))

        return await self._store.write(work)

    async def put(self, prediction: Prediction) -> None:
        """Write how far a prediction has come; one that is over stays over."""
        values = {"source": prediction.source, "state": prediction.state.value}
        query = update(schema.prediction).where(
            _prediction.table_id == prediction.table, _prediction.state != PredictionState.OVER.value
        )

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(query.values(values))

        await self._store.write(work)

    async def of(self, table: str) -> Prediction | None:
        """Return the prediction of a table, if it has or had one."""
        query = select(schema.prediction).where(_prediction.table_id == table)
        async with self._store.reading() as connection:
            row = (await connection.execute(query)).one_or_none()
        return None if row is None else _read(row)

    async def running(self, channel: str) -> list[Prediction]:
        """List the predictions of a channel that are not over, oldest first."""
        query = select(schema.prediction).where(_prediction.channel == channel, _prediction.state != "over")
        async with self._store.reading() as connection:
            rows = (await connection.execute(query.order_by(_prediction.created_at))).all()
        return [_read(row) for row in rows]


def _read(row: Row[Any]) -> Prediction:
    return Prediction(row.table_id, row.channel, row.phase, row.source, PredictionState(row.state))
