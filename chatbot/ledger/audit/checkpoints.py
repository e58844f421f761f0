"""Checkpoints of audits: an audit after a checkpoint checks only what is new.

A trigger registers each new transfer. An audit without findings removes the registrations that it saw, and
stores the balance of every purse. Findings in what is new may result from rows that were rewritten (a person
was erased, old tables were archived) and be no breach at all: then everything is checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import structlog
from sqlalchemy import bindparam, delete, func, insert, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from chatbot.ledger.audit.checks import ALL, NEW, examine
from chatbot.ledger.store import schema
from chatbot.ledger.store.engines import reason
from chatbot.ledger.store.statements import put

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.audit.checks import AuditReport
    from chatbot.ledger.store.store import Store

_purse, _balance, _checkpoint, _unchecked = (
    each.c for each in (schema.purse, schema.checkpoint_balance, schema.checkpoint, schema.unchecked)
)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Observation:
    """What an audit saw: ranges of registered transfers, and balances that differ from the checkpoint.

    `number` is that of the checkpoint on which it is based, if there was one.
    """

    number: int | None
    notes: Sequence[tuple[int, int]]
    balances: Mapping[int, int]  # by the id of the purse
    emptied: Sequence[int]


class Checkpoints:
    """Audits that are based on the last checkpoint; `saved` counts the checkpoints that were written."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.saved = 0

    async def check(
        self, at: datetime, *, everything: bool = False, doubted: frozenset[str] = frozenset()
    ) -> AuditReport:
        """Audit what is new, or everything, and write a checkpoint if there are no findings.

        Reads each new transfer and each balance of a member; with `everything` as much as `audit`. If all
        findings in what is new are of communities that are `doubted` already, nothing else is checked.
        """
        report, observation = await self._audit(everything=everything)
        if report.breaches and not everything:
            if not report.whole and report.doubted <= doubted:
                return report
            report, observation = await self._audit(everything=True)
        if not report.breaches and (
            observation.notes or observation.balances or observation.emptied or observation.number is None
        ):
            await self._try_save(observation, at)
        return report

    async def _try_save(self, observation: _Observation, at: datetime) -> None:
        try:
            await self._store.write(partial(_save, observation=observation, at=at), homes=())
            self.saved += 1
        except (SQLAlchemyError, OSError) as error:  # then the next audit checks the same again
            log.warning("where the books were found sound cannot be noted", why=reason(error))

    async def _audit(self, *, everything: bool) -> tuple[AuditReport, _Observation]:
        async with self._store.reading() as connection:
            number = (await connection.execute(select(_checkpoint.number))).scalar()
            report = await examine(connection, ALL if everything or number is None else NEW)
            if report.breaches:
                return report, _Observation(number, (), {}, ())
            return report, await _observe(connection, number)


async def _observe(connection: AsyncConnection, number: int | None) -> _Observation:
    # Ids of transfers have few gaps. A range ends at a gap, in which a transfer may still be written.
    place = _unchecked.transfer - func.row_number().over(order_by=_unchecked.transfer)
    places = select(_unchecked.transfer, place.label("place")).subquery().c
    ranges = select(func.min(places.transfer), func.max(places.transfer)).group_by(places.place)
    living = NEW.purses
    with_former = living.outerjoin(schema.checkpoint_balance, _balance.purse == living.c.id)
    changes = select(living.c.id, living.c.balance).select_from(with_former)
    changes = changes.where(living.c.balance != func.coalesce(_balance.balance, 0))
    with_present = schema.checkpoint_balance.outerjoin(schema.purse, _purse.id == _balance.purse)
    empty = or_(_purse.balance == 0, _purse.balance.is_(None))
    emptied_purses = select(_balance.purse).select_from(with_present).where(empty)
    return _Observation(
        number,
        [(first, last) for first, last in await connection.execute(ranges)],
        {row: balance for row, balance in await connection.execute(changes) if balance},
        list((await connection.execute(emptied_purses)).scalars()),
    )


async def _save(connection: AsyncConnection, observation: _Observation, at: datetime) -> None:
    """Write a checkpoint, unless another process has written one since."""
    if observation.number is None:
        if (await connection.execute(select(_checkpoint.number).with_for_update())).first() is not None:
            return
        await connection.execute(insert(schema.checkpoint), [{"id": 1, "number": 1, "at": at}])
    else:
        following = update(schema.checkpoint).where(_checkpoint.number == observation.number)
        if (await connection.execute(following.values(number=observation.number + 1, at=at))).rowcount != 1:
            return
    if observation.notes:
        transfer_removal = delete(schema.unchecked).where(_unchecked.transfer >= bindparam("first"))
        transfer_removal = transfer_removal.where(_unchecked.transfer <= bindparam("last"))
        await connection.execute(
            transfer_removal, [{"first": low, "last": high} for low, high in observation.notes]
        )
    if observation.emptied:
        balance_removal = delete(schema.checkpoint_balance).where(_balance.purse == bindparam("row"))
        await connection.execute(balance_removal, [{"row": each} for each in observation.emptied])
    rows = [{"purse": row, "balance": balance} for row, balance in observation.balances.items()]
    await put(connection, schema.checkpoint_balance, rows)
