"""Stores webhooks, whose secrets are sealed, and what they are to deliver, which survives a restart.

Bounds: `MOST_WAITING` deliveries of a webhook wait, the oldest goes for the next; what is over is listed for
`LISTED`, without what was sent.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, insert, select, update

from chatbot.ledger.chains import Unsealable
from chatbot.ledger.store import schema

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import Row
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.chains import Sealer
    from chatbot.ledger.people import Account
    from chatbot.ledger.store.store import Store

MOST_WAITING = (
    1000  # deliveries of one webhook: an evening of three hundred tables, opened, told of and settled
)
LISTED = timedelta(days=7)
SECRET_BYTES = 32  # of a signature's key; Standard Webhooks asks for 24 to 64
_PURPOSE = "rabble webhook/1"
_hook, _delivery = schema.webhook.c, schema.webhook_delivery.c


@dataclass(frozen=True, slots=True)
class Webhook:
    """A webhook: where events of a room go, and how it is doing; `key` signs what is sent.

    `key` is None where the secret was sealed by another installation.
    """

    id: str
    room: str
    url: str
    kinds: frozenset[str]
    is_local: bool
    maker: str
    created_at: datetime
    failing_since: datetime | None
    disabled_at: datetime | None
    key: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class HookDelivery:
    """One event for one webhook; `next_at` None: it is over. `body` is None once that is so."""

    id: str
    webhook: str
    kind: str
    body: str | None = field(repr=False)
    created_at: datetime
    attempts: int
    next_at: datetime | None
    delivered_at: datetime | None
    status: int | None
    fault: str | None


class Webhooks:
    """The webhooks in a database; they belong to no home, and need no lease."""

    def __init__(self, store: Store, sealer: Sealer) -> None:
        self._store, self._sealer = store, sealer

    async def add(
        self,
        room: str,
        url: str,
        kinds: Collection[str],
        maker: tuple[Account, str],
        now: datetime,
        *,
        is_local: bool,
        most: int,
    ) -> tuple[str, bytes] | None:
        """Store a new webhook, and return its id and the key that signs for it; None: there are `most`."""
        hook_id, key = secrets.token_hex(8), secrets.token_bytes(SECRET_BYTES)
        account, name = maker
        row = {
            "id": hook_id,
            "room": room,
            "url": url,
            "sealed": self._sealer.seal(key, f"{_PURPOSE} {hook_id}"),
            "kinds": json.dumps(sorted(kinds)),
            "is_local": int(is_local),
            "platform": account.platform,
            "account": account.key,
            "name": name,
            "created_at": now,
        }

        async def work(connection: AsyncConnection) -> bool:
            query = select(func.count()).select_from(schema.webhook).where(_hook.room == room)
            if ((await connection.execute(query)).scalar() or 0) >= most:
                return False
            await connection.execute(insert(schema.webhook), row)
            return True

        return (hook_id, key) if await self._store.write(work, homes=()) else None

    async def all(self, room: str | None = None) -> list[Webhook]:
        """List the webhooks of a room, or of all rooms, the oldest first."""
        query = select(schema.webhook).order_by(_hook.created_at, _hook.id)
        async with self._store.reading() as connection:
            rows = await connection.execute(query if room is None else query.where(_hook.room == room))
            return [self._read(each) for each in rows]

    async def remove(self, room: str, hook_id: str) -> bool:
        """Remove a webhook of a room with its deliveries; False: there is none of that id."""

        async def work(connection: AsyncConnection) -> bool:
            which = _hook.room == room, _hook.id == hook_id
            if not (await connection.execute(delete(schema.webhook).where(*which))).rowcount:
                return False
            await connection.execute(delete(schema.webhook_delivery).where(_delivery.webhook == hook_id))
            return True

        return await self._store.write(work, homes=())

    async def mark(self, hook_id: str, failing_since: datetime | None, disabled_at: datetime | None) -> None:
        """Store how a webhook is doing; of one that is disabled nothing waits any more."""
        values = {"failing_since": failing_since, "disabled_at": disabled_at}

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(update(schema.webhook).where(_hook.id == hook_id).values(values))
            if disabled_at is not None:
                waiting = _delivery.webhook == hook_id, _delivery.next_at.is_not(None)
                over = {"next_at": None, "body": None}
                await connection.execute(update(schema.webhook_delivery).where(*waiting).values(over))

        await self._store.write(work, homes=())

    # Deliveries

    async def put(self, hook_ids: Collection[str], kind: str, body: str, now: datetime) -> None:
        """Store an event that is to be delivered to some webhooks."""
        rows = [
            {
                "id": f"msg_{secrets.token_hex(16)}",
                "webhook": each,
                "kind": kind,
                "body": body,
                "created_at": now,
                "attempts": 0,
                "next_at": now,
            }
            for each in hook_ids
        ]

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(insert(schema.webhook_delivery), rows)
            for each in hook_ids:
                await _drop_surplus(connection, each)
            await connection.execute(
                delete(schema.webhook_delivery).where(
                    _delivery.next_at.is_(None), _delivery.created_at < now - LISTED
                )
            )

        await self._store.write(work, homes=())

    async def due(self, now: datetime, most: int, hooks: Collection[str] | None = None) -> list[HookDelivery]:
        """List deliveries whose time has come, the longest due first; to some webhooks, or to all."""
        query = select(schema.webhook_delivery).where(_delivery.next_at <= now)
        if hooks is not None:
            query = query.where(_delivery.webhook.in_(hooks))
        async with self._store.reading() as connection:
            rows = await connection.execute(
                query.order_by(_delivery.next_at, _delivery.created_at).limit(most)
            )
            return [HookDelivery(*each) for each in rows]

    async def next_at(self, hooks: Collection[str] | None = None) -> datetime | None:
        """Return when the next delivery is due, to some webhooks or to any; None: none waits."""
        query = select(_delivery.next_at).where(_delivery.next_at.is_not(None))
        if hooks is not None:
            query = query.where(_delivery.webhook.in_(hooks))
        async with self._store.reading() as connection:
            return (await connection.execute(query.order_by(_delivery.next_at).limit(1))).scalar()

    async def note(self, delivery: HookDelivery) -> None:
        """Store what became of a delivery, unless its webhook was removed or disabled meanwhile."""
        values = {
            "attempts": delivery.attempts,
            "next_at": delivery.next_at,
            "delivered_at": delivery.delivered_at,
            "status": delivery.status,
            "fault": delivery.fault,
            "body": None if delivery.next_at is None else delivery.body,
        }
        which = _delivery.id == delivery.id, _delivery.next_at.is_not(None)

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(update(schema.webhook_delivery).where(*which).values(values))

        await self._store.write(work, homes=())

    async def deliveries(self, hook_id: str, most: int) -> Sequence[HookDelivery]:
        """List the deliveries of a webhook, the newest first."""
        query = select(schema.webhook_delivery).where(_delivery.webhook == hook_id)
        newest = query.order_by(_delivery.created_at.desc(), _delivery.id).limit(most)
        async with self._store.reading() as connection:
            return [HookDelivery(*each) for each in await connection.execute(newest)]

    def _read(self, row: Row[tuple[object, ...]]) -> Webhook:
        try:
            key = self._sealer.unseal(row.sealed, f"{_PURPOSE} {row.id}")
        except Unsealable:
            key = None
        return Webhook(
            row.id,
            row.room,
            row.url,
            frozenset(json.loads(row.kinds)),
            bool(row.is_local),
            row.name,
            row.created_at,
            row.failing_since,
            row.disabled_at,
            key,
        )


async def _drop_surplus(connection: AsyncConnection, hook_id: str) -> None:
    waiting = _delivery.webhook == hook_id, _delivery.next_at.is_not(None)
    newest = select(_delivery.id).where(*waiting).order_by(_delivery.created_at.desc(), _delivery.id)
    surplus = (await connection.execute(newest.offset(MOST_WAITING))).scalars().all()
    if surplus:
        over = {"next_at": None, "body": None, "fault": "too many waited"}
        await connection.execute(
            update(schema.webhook_delivery).where(_delivery.id.in_(surplus)).values(over)
        )
