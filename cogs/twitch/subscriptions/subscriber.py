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
        wanted: Mapping[Slot, WantedSubscription],
        report: SubscriptionReport,
        gave_way: Callable[[Slot], None],
    ) -> None:
        self._client, self._wanted, self._report, self._gave_way = client, wanted, report, gave_way

    async def subscribe(self, wanted: WantedSubscription) -> int:
        """Subscribe, and once more if something that takes its place could be ended; return the status.

        Only once more: where it is taken again at once, another program of the same account wants it too,
        and both would take it from each other for ever.

        Raises:
            Full: there is no room for it by sockets.
            NotConnected: there is no connection.
        """
        try:
            status = await self._subscribe(wanted)
        except Full:
            if not (wanted.chat and await self._give_way(wanted.account)):
                raise
            return await self._subscribe(wanted)
        if status in {409, 429} and await self._free(wanted):
            status = await self._subscribe(wanted)
        return status

    async def standing(self, account: str) -> list[EventsubSubscription] | None:
        """List what an account has subscribed to; None where Twitch does not say, which is told."""
        try:
            found = await self._client.standing(account)
        except HTTPException as error:
            self._report.tell_unread(account, error.status)
            return None
        self._report.note_read(account)
        return found

    async def _subscribe(self, wanted: WantedSubscription) -> int:
        try:
            return 200 if await self._client.ask(wanted) else 409
        except HTTPException as error:
            return error.status

    async def _free(self, wanted: WantedSubscription) -> bool:
        """End what connections that are no more hold; false where there is nothing."""
        found = await self.standing(wanted.account)
        stale = [each for each in found or () if not self._client.owns(each)
                 and (each.status != "enabled" or slot_of(each) == wanted.slot)]  # fmt: skip
        for each in stale:
            await self._drop(each, wanted.account)
        return bool(stale)

    async def _give_way(self, account: str) -> bool:
        """End something that is no chat, for one; false where chats take all the room."""
        for each in await self.standing(account) or ():
            other = self._wanted.get(slot_of(each))
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
