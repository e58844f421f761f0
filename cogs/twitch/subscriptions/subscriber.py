"""Asks Twitch for one subscription, and makes room for it where that is taken by what is of less use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from twitchio.exceptions import HTTPException

from cogs.twitch.bot import Full
from cogs.twitch.limits import MOST
from cogs.twitch.subscriptions.wanted import slot_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from twitchio.models.eventsub_ import EventsubSubscription

    from cogs.twitch.bot import EventSubBot
    from cogs.twitch.subscriptions.report import SubscriptionReport
    from cogs.twitch.subscriptions.wanted import Slot, WantedSubscription

FULL = f"one account hears {MOST} chats; more need a conduit: set CHATBOT_TWITCH_CONDUIT to true"

log = structlog.get_logger(__name__)


class Subscriber:
    """Subscribes by a client; `gave_way` is told of what it has ended for a chat."""

    def __init__(
        self,
        *,
        client: EventSubBot,
        subscriptions: Mapping[Slot, WantedSubscription],
        report: SubscriptionReport,
        gave_way: Callable[[Slot], None],
    ) -> None:
        self._client, self._subscriptions = client, subscriptions
        self._report, self._gave_way = report, gave_way

    async def subscribe(self, subscription: WantedSubscription) -> int:
        """Subscribe, and once more if something that takes its place could be ended; return the status.

        Only once more: where it is taken again at once, another program of the same account wants it too,
        and both would take it from each other for ever.

        Raises:
            Full: there is no room for it by sockets.
            NotConnected: there is no connection.
        """
        try:
            status = await self._subscribe(subscription)
        except Full:
            if not (subscription.chat and await self._give_way(subscription.account)):
                raise
            return await self._subscribe(subscription)
        if status in {409, 429} and await self._free(subscription):
            status = await self._subscribe(subscription)
        return status

    async def standing(self, account: str) -> list[EventsubSubscription] | None:
        """List what an account has subscribed to; None where Twitch does not say, which is told."""
        try:
            subscriptions = await self._client.standing(account)
        except HTTPException as error:
            self._report.tell_unread(account, error.status)
            return None
        self._report.note_read(account)
        return subscriptions

    async def _subscribe(self, subscription: WantedSubscription) -> int:
        try:
            return 200 if await self._client.ask(subscription) else 409
        except HTTPException as error:
            return error.status

    async def _free(self, subscription: WantedSubscription) -> bool:
        """End what connections that are no more hold; false where there is nothing."""
        subscriptions = await self.standing(subscription.account)
        stale = [each for each in subscriptions or () if not self._client.owns(each)
                 and (each.status != "enabled" or slot_of(each) == subscription.slot)]  # fmt: skip
        for each in stale:
            await self._drop(each, subscription.account)
        return bool(stale)

    async def _give_way(self, account: str) -> bool:
        """End something that is no chat, for one; false where chats take all the room."""
        for each in await self.standing(account) or ():
            other = self._subscriptions.get(slot_of(each))
            if self._client.owns(each) and other is not None and not other.chat:
                await self._drop(each, account)
                self._client.forget(other.slot)
                self._gave_way(other.slot)
                self._report.tell_missing(other, FULL)
                return True
        return False

    async def _drop(self, subscription: EventsubSubscription, account: str) -> None:
        try:
            await self._client.drop(subscription, account)
        except HTTPException as error:
            log.info("an old subscription could not be ended", status=error.status)
