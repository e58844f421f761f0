"""List, make, try, enable and remove webhooks of a room, and see what became of their deliveries."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  (pydantic reads it)
from typing import TYPE_CHECKING

from pydantic import Field
from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.say import Message
from chatbot.web.api.endpoints import Call, Endpoint, EndpointBody, EndpointQuery
from chatbot.web.public_addresses import fault_of
from chatbot.web.tokens import OWN
from chatbot.web.webhook_sender import KINDS, secret_text

if TYPE_CHECKING:
    from chatbot.ledger.webhooks import Webhook
    from chatbot.web.webhook_sender import WebhookSender

MOST_WEBHOOKS = 10  # of a room
USUAL_KINDS = ["opened", "settled", "voided"]


class WebhookRow(TypedDict):
    """A webhook; its secret is told once. `failing_since` is null while it works, `disabled_at` in use."""

    id: str
    url: str
    kinds: list[str]
    maker: str
    created_at: datetime
    failing_since: datetime | None
    disabled_at: datetime | None


class MadeWebhook(TypedDict):
    """A new webhook, and the secret with which its receiver verifies what comes."""

    id: str
    secret: str


class RemovedWebhook(TypedDict):
    """Nothing is left of a webhook."""

    removed: bool


class DeliveryRow(TypedDict):
    """What became of one event; `next_at` is null when it is over, `delivered_at` unless it was taken."""

    id: str
    kind: str
    created_at: datetime
    attempts: int
    next_at: datetime | None
    delivered_at: datetime | None
    status: int | None
    fault: str | None


class WantedWebhook(EndpointBody):
    """Where events are to go, and which."""

    url: str = Field(max_length=500, description="An address that begins with https://.")
    kinds: list[str] = Field(USUAL_KINDS, max_length=20, description=f"Of which events: {', '.join(KINDS)}.")


class DeliveriesPage(EndpointQuery):
    """How many deliveries."""

    count: int = Field(20, ge=1, le=100, description="Deliveries, the newest first.")


class WebhookEndpoints:
    """Manages the webhooks of a room; they are made by whoever owns it."""

    def __init__(self, sender: WebhookSender) -> None:
        self._sender, self._stored = sender, sender.stored

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints."""
        return [
            Endpoint(
                "GET",
                "/webhooks",
                "List the webhooks.",
                self._list,
                list[WebhookRow],
                scope=OWN,
                least=Role.BROADCASTER,
            ),
            Endpoint(
                "POST",
                "/webhooks",
                "Make a webhook; its secret is told once.",
                self._make,
                MadeWebhook,
                scope=OWN,
                body=WantedWebhook,
                least=Role.BROADCASTER,
            ),
            Endpoint(
                "DELETE",
                "/webhooks/{id}",
                "Remove a webhook, with what waits for it.",
                self._remove,
                RemovedWebhook,
                scope=OWN,
                least=Role.BROADCASTER,
            ),
            Endpoint(
                "POST",
                "/webhooks/{id}/enable",
                "Use a webhook again that was turned off.",
                self._enable,
                WebhookRow,
                scope=OWN,
                least=Role.BROADCASTER,
                resumes=True,
            ),
            Endpoint(
                "POST",
                "/webhooks/{id}/test",
                "Send an event of no table, to try a webhook.",
                self._try,
                WebhookRow,
                scope=OWN,
                least=Role.BROADCASTER,
            ),
            Endpoint(
                "GET",
                "/webhooks/{id}/deliveries",
                "See what became of the last deliveries.",
                self._deliveries,
                list[DeliveryRow],
                scope=OWN,
                query=DeliveriesPage,
                least=Role.BROADCASTER,
            ),
        ]

    async def _list(self, call: Call) -> list[WebhookRow]:
        return [_row(each) for each in await self._stored.all(call.room.id)]

    async def _make(self, call: Call) -> MadeWebhook:
        wanted: WantedWebhook = call.body
        if not wanted.kinds or not {*wanted.kinds} <= {*KINDS}:
            raise Refusal(Message("webhook-kinds", {"known": ", ".join(KINDS)}))
        # Whether an address may be local is decided when it is made and again whenever something is sent.
        is_local = self._sender.allows_local and fault_of(wanted.url, local=False) is not None
        fault = fault_of(wanted.url, local=is_local)
        if fault is not None:
            raise Refusal(Message(f"webhook-{fault}"))
        made = await self._stored.add(
            call.room.id,
            wanted.url,
            wanted.kinds,
            (call.principal.account, call.principal.name),
            self._sender.now(),
            is_local=is_local,
            most=MOST_WEBHOOKS,
        )
        if made is None:
            raise Refusal(Message("webhook-most", {"most": MOST_WEBHOOKS}))
        await self._sender.changed()
        hook_id, key = made
        return {"id": hook_id, "secret": secret_text(key)}

    async def _find(self, call: Call) -> Webhook:
        for each in await self._stored.all(call.room.id):
            if each.id == call.path["id"]:
                return each
        raise Refusal(Message("webhook-unknown"))

    async def _remove(self, call: Call) -> RemovedWebhook:
        if not await self._stored.remove(call.room.id, call.path["id"]):
            raise Refusal(Message("webhook-unknown"))
        await self._sender.changed()
        return {"removed": True}

    async def _enable(self, call: Call) -> WebhookRow:
        hook = await self._find(call)
        await self._stored.mark(hook.id, None, None)
        await self._sender.changed()
        return _row(await self._find(call))

    async def _try(self, call: Call) -> WebhookRow:
        hook = await self._find(call)
        await self._sender.send_test(hook)
        return _row(hook)

    async def _deliveries(self, call: Call) -> list[DeliveryRow]:
        hook = await self._find(call)
        return [
            {
                "id": each.id,
                "kind": each.kind,
                "created_at": each.created_at,
                "attempts": each.attempts,
                "next_at": each.next_at,
                "delivered_at": each.delivered_at,
                "status": each.status,
                "fault": each.fault,
            }
            for each in await self._stored.deliveries(hook.id, call.query.count)
        ]


def _row(hook: Webhook) -> WebhookRow:
    return {
        "id": hook.id,
        "url": hook.url,
        "kinds": sorted(hook.kinds),
        "maker": hook.maker,
        "created_at": hook.created_at,
        "failing_since": hook.failing_since,
        "disabled_at": hook.disabled_at,
    }
