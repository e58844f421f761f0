"""Deliver events of rooms to webhooks, signed as Standard Webhooks 1.0.0 has it, until they were taken.

What is to be delivered is a row before it is sent, and stays one until the receiver has taken it, so that a
restart loses none. Deliveries keep no order: a receiver that needs one reads `number`, and acts once on each
`webhook-id`, because an answer may be lost.
"""

from __future__ import annotations

import asyncio
import hmac
import json
from base64 import b64decode, b64encode
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

import aiohttp
import structlog
from aiohttp.resolver import ThreadedResolver
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.say import Message, Say
from chatbot.ledger.store.engines import reason
from chatbot.runtime.periodic import Periodic
from chatbot.web.public_addresses import PrivateAddressError, PublicResolver, fault_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from aiohttp.abc import AbstractResolver

    from chatbot.bot.bot import Bot
    from chatbot.ledger.webhooks import HookDelivery, Webhook, Webhooks
    from chatbot.runtime.clock import Alarm
    from chatbot.tables.events.feeds import Feed, News

KINDS = ("opened", "told", "settled", "voided", "halted", "resumed")
"""Kinds of events that are delivered; the others are many, and only good for drawing."""

# Seconds to the next attempt, as Standard Webhooks proposes: after three days an event is given up.
PAUSES = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
GIVEN_UP = timedelta(days=5)  # of failures without a success, after which a webhook is disabled
TIMEOUT = aiohttp.ClientTimeout(total=15.0)  # seconds; Standard Webhooks proposes 15 to 30
AT_ONCE = 4  # requests under way: a receiver that hangs must not hold up all others
PORTION = 20  # deliveries that are read at once
LOOK = 2.0  # seconds between two looks at what other processes have changed
RETRY = 60.0  # seconds until the database is asked again, after it did not answer
LARGEST_BODY = 65_536  # bytes of an event; larger ones, of hundreds of people, are sent without the table
GONE = 410  # the status by which a receiver says that it wants no more

log = structlog.get_logger(__name__)


def signature(key: bytes, delivery_id: str, timestamp: int, body: str) -> str:
    """Return the signature of a delivery at a time in seconds, as `webhook-signature` has it."""
    signed = f"{delivery_id}.{timestamp}.{body}".encode()
    return f"v1,{b64encode(hmac.new(key, signed, sha256).digest()).decode()}"


def secret_text(key: bytes) -> str:
    """Return a key as people copy it."""
    return f"whsec_{b64encode(key).decode()}"


def secret_key(text: str) -> bytes:
    """Return the key of a secret as people copy it."""
    return b64decode(text.removeprefix("whsec_"))


class WebhookSender:
    """Hears what happens in rooms with webhooks, and delivers it; `allows_local` as the operator says.

    Of several processes each hears the rooms that it runs, and delivers for those that are dealt to it, as
    `is_dealt_here` says; `tell_changed` tells the others that there are other webhooks. While one takes over
    a room from another, both may deliver the same event.
    """

    def __init__(
        self,
        bot: Bot,
        stored: Webhooks,
        *,
        allows_local: bool,
        resolver: AbstractResolver | None = None,
        is_dealt_here: Callable[[str], Awaitable[bool]] | None = None,
        tell_changed: Callable[[], object] = lambda: None,
    ) -> None:
        self._is_dealt_here, self._tell_changed = is_dealt_here, tell_changed
        self._looks = Periodic(bot.watch, LOOK, self._look)
        self.stored, self.allows_local = stored, allows_local
        self._bot, self._watch, self._resolver = bot, bot.watch, resolver
        self._hooks: dict[str, Webhook] = {}
        self._feeds: dict[str, tuple[Feed, asyncio.Task[None]]] = {}  # by room
        self._sessions: dict[bool, aiohttp.ClientSession] = {}  # by whether they reach private addresses
        self._alarm: Alarm | None = None
        self._working = self._closed = False

    def now(self) -> datetime:
        """Return the date and time of the program's clock."""
        return self._watch.date()

    async def start(self) -> None:
        """Hear the rooms that have webhooks, and go on with what waits from before."""
        await self.refresh()
        self._wake(0.0)
        if self._is_dealt_here is not None:
            self._looks.start()

    async def close(self) -> None:
        """Send nothing more; what waits goes on at the next start."""
        self._closed = True
        self._looks.stop()
        if self._alarm is not None:
            self._alarm.cancel()
        for room in list(self._feeds):
            await self._leave(room)
        for each in self._sessions.values():
            await each.close()

    async def changed(self) -> None:
        """Read the webhooks anew, after one was made, removed or enabled here, and have others do so."""
        await self.refresh()
        self._tell_changed()

    async def refresh(self) -> None:
        """Read the webhooks anew, after one was made, removed, enabled or disabled."""
        self._hooks = {each.id: each for each in await self.stored.all()}
        rooms = {each.room for each in self._hooks.values() if each.disabled_at is None}
        for room in rooms - self._feeds.keys():
            feed = self._bot.events.follow(room)
            self._feeds[room] = feed, asyncio.ensure_future(self._hear(feed))
        for room in self._feeds.keys() - rooms:
            await self._leave(room)

    async def send_test(self, hook: Webhook) -> None:
        """Let a webhook be sent an event of no table, to try it."""
        now = self._watch.date()
        await self.stored.put([hook.id], "test", _body("test", now, {"room": hook.room}), now)
        self._wake(0.0)

    # What happens

    async def _leave(self, room: str) -> None:
        feed, task = self._feeds.pop(room)
        self._bot.events.leave(feed)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    async def _hear(self, feed: Feed) -> None:
        async for news in feed:
            try:
                await self._note(news)
            except (SQLAlchemyError, OSError) as error:
                log.warning("an event is delivered to no webhook", room=news.room, reason=reason(error))
            except Exception:
                log.exception("an event is delivered to no webhook", room=news.room)

    async def _note(self, news: News) -> None:
        hooks = [
            each.id
            for each in self._hooks.values()
            if each.room == news.room and each.disabled_at is None and news.kind in each.kinds
        ]
        if hooks:
            body = _body(news.kind, news.at, json.loads(news.json))
            if len(body.encode()) > LARGEST_BODY:
                short = {name: each for name, each in json.loads(news.json).items() if name != "table"}
                body = _body(news.kind, news.at, short)
            await self.stored.put(hooks, news.kind, body, self._watch.date())
            self._wake(0.0)

    # What is sent

    def _wake(self, seconds: float) -> None:
        if self._closed or self._working:
            return  # whoever works looks again at the end
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._watch.ring(seconds, self._work)

    async def _work(self) -> None:
        """Send what is due, then wait until something is."""
        if self._working or self._closed:
            return
        self._working, self._alarm = True, None
        wait: float | None = RETRY
        try:
            hooks = await self._own_hooks()
            while deliveries := await self.stored.due(self._watch.date(), PORTION, hooks):
                await self._send_all(deliveries)
            wait = await self._wait(hooks)
        except (SQLAlchemyError, OSError) as error:
            log.warning("webhooks wait for the database", reason=reason(error))
        finally:
            self._working = False
        if wait is not None:
            self._wake(wait)

    async def _look(self) -> None:
        """Learn of rooms that are dealt here by now, and of webhooks of which it was missed to be told."""
        try:
            await self.refresh()
        except (SQLAlchemyError, OSError) as error:
            log.debug("webhooks cannot be read", reason=reason(error))
        else:
            self._wake(0.0)

    async def _own_hooks(self) -> list[str] | None:
        """Return the webhooks that this process delivers to; None: all of them."""
        if self._is_dealt_here is None:
            return None
        rooms = {each.room for each in self._hooks.values()}
        own = {each for each in rooms if await self._is_dealt_here(each)}
        return [each.id for each in self._hooks.values() if each.room in own]

    async def _wait(self, hooks: list[str] | None) -> float | None:
        next_at = await self.stored.next_at(hooks)
        return None if next_at is None else max((next_at - self._watch.date()).total_seconds(), 0.0)

    async def _send_all(self, deliveries: list[HookDelivery]) -> None:
        places = asyncio.Semaphore(AT_ONCE)

        async def send(delivery: HookDelivery) -> None:
            async with places:
                await self._attempt(delivery)

        await asyncio.gather(*map(send, deliveries))

    async def _attempt(self, delivery: HookDelivery) -> None:
        """Try to deliver, and store what became of it."""
        hook = self._hooks.get(delivery.webhook)
        if hook is None or hook.disabled_at is not None:
            await self.stored.note(replace(delivery, next_at=None, fault="the webhook is off"))
            return
        status, fault = await self._post(hook, delivery)
        now = self._watch.date()
        attempted = replace(delivery, attempts=delivery.attempts + 1, status=status, fault=fault)
        if fault is None:
            await self.stored.note(replace(attempted, next_at=None, delivered_at=now))
            if hook.failing_since is not None:
                await self._mark(hook, None, None)
            return
        await self.stored.note(replace(attempted, next_at=_next_at(attempted, now)))
        since = hook.failing_since or now
        is_over = status == GONE or now - since >= GIVEN_UP
        if is_over or hook.failing_since is None:
            await self._mark(hook, since, now if is_over else None)

    async def _mark(
        self, hook: Webhook, failing_since: datetime | None, disabled_at: datetime | None
    ) -> None:
        """Note how a webhook is doing; whoever keeps its room is told when it is turned off."""
        present = self._hooks.get(hook.id)
        if present is None or present.disabled_at is not None:
            return  # another delivery has found the same
        self._hooks[hook.id] = replace(hook, failing_since=failing_since, disabled_at=disabled_at)
        await self.stored.mark(hook.id, failing_since, disabled_at)
        room = self._bot.rooms.get(hook.room)
        if disabled_at is not None and room is not None:
            message = Message("webhook-off", {"id": hook.id, "days": GIVEN_UP.days})
            self._bot.outbox.say(room, [Say(message, event=message.id)])
        if disabled_at is not None:
            self._watch.ring(0.0, self.refresh)

    async def _post(self, hook: Webhook, delivery: HookDelivery) -> tuple[int | None, str | None]:
        """Send one request; return its status and what went wrong, each None where there is none."""
        is_local = hook.is_local and self.allows_local
        if hook.key is None or delivery.body is None:
            return None, "its secret is lost; make the webhook anew"
        if fault_of(hook.url, local=is_local) is not None:
            return None, "its address is not permitted"
        timestamp = int(self._watch.date().timestamp())
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Rabble-Webhooks/1",
            "webhook-id": delivery.id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": signature(hook.key, delivery.id, timestamp, delivery.body),
        }
        try:
            async with self._session(is_local=is_local).post(
                hook.url, data=delivery.body.encode(), headers=headers, allow_redirects=False, timeout=TIMEOUT
            ) as response:
                status = response.status  # nothing of the body is read: it may have no end
                response.close()
        except PrivateAddressError:
            return None, "its name leads to no public address"
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            cause = isinstance(getattr(error, "os_error", None), PrivateAddressError)
            return None, "its name leads to no public address" if cause else _fault(error)
        return status, None if 200 <= status < 300 else f"it answered {status}"

    def _session(self, *, is_local: bool) -> aiohttp.ClientSession:
        if is_local not in self._sessions:
            resolver = self._resolver or ThreadedResolver()
            connector = aiohttp.TCPConnector(
                resolver=resolver if is_local else PublicResolver(resolver),
                use_dns_cache=False,  # what is connected to is what was just checked
                force_close=True,
                limit=AT_ONCE,
            )
            # No cookies: receivers are strangers to each other, and may share a host.
            jar = aiohttp.DummyCookieJar()
            self._sessions[is_local] = aiohttp.ClientSession(connector=connector, cookie_jar=jar)
        return self._sessions[is_local]


def _fault(error: Exception) -> str:
    """Say what went wrong without anything that was sent or received."""
    if isinstance(error, TimeoutError):
        return "it did not answer in time"
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return "its certificate is not valid"
    return (
        "it cannot be reached" if isinstance(error, aiohttp.ClientConnectionError) else "its answer is none"
    )


def _next_at(delivery: HookDelivery, now: datetime) -> datetime | None:
    """Return when a delivery is tried again; None: it was tried often enough.

    Up to a tenth is added, other for each delivery, so that what failed together does not come together.
    """
    if delivery.attempts > len(PAUSES):
        return None
    share = sha256(f"{delivery.id} {delivery.attempts}".encode()).digest()[0] / 2560
    return now + timedelta(seconds=PAUSES[delivery.attempts - 1] * (1 + share))


def _body(kind: str, at: datetime, data: object) -> str:
    content = {"type": f"rabble.{kind}", "timestamp": at.isoformat().replace("+00:00", "Z"), "data": data}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
