"""Looks every minute whether Twitch still tells what it was asked to, and asks again for what is missing.

The library notices neither a subscription that Twitch has ended nor a connection that is closed for good.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog
from twitchio.exceptions import HTTPException, TwitchioException

from chatbot.keys.asking import Unreachable
from cogs.twitch.subscriptions import slot_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from twitchio.models.eventsub_ import EventsubSubscription

    from chatbot.rooms.clock import Alarm, Watch
    from cogs.twitch.client import Listener
    from cogs.twitch.subscriptions import Slot, WantedSubscription

EVERY = 60.0  # seconds
DEAF = 2  # rounds without its chat after which a channel is told of
HOURLY = 60  # rounds between two validations of every key

log = structlog.get_logger(__name__)


class Watchdog:
    def __init__(
        self, client: Listener, watch: Watch, wanted: Sequence[WantedSubscription], logins: Mapping[str, str]
    ) -> None:
        self._client, self._watch, self._wanted, self._logins = client, watch, wanted, logins
        self._alone, self._stopped = asyncio.Lock(), False
        self._alarm: Alarm | None = None
        self._rounds = 0
        self._told: dict[Slot, str] = {}
        self._unread: dict[str, int] = {}  # account -> the status by which it was not looked at
        self._deaf: dict[str, int] = {}  # broadcaster -> rounds without its chat

    async def start(self) -> None:
        """Ask for everything that is not there yet, and look again every minute."""
        await self.check()
        self._wind()

    def stop(self) -> None:
        self._stopped = True
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = None

    async def check(self) -> None:
        """Look once, and mend what is missing."""
        async with self._alone:
            self._rounds += 1
            await self._client.mend()
            for account in dict.fromkeys(each.account for each in self._wanted):
                if not self._stopped:
                    await self._look(account)
            self._listen_for_deaf()

    def _wind(self) -> None:
        self._alarm = self._watch.ring(EVERY, self._tick)

    async def _tick(self) -> None:
        try:
            if self._rounds % HOURLY == 0:
                await self._validate()
            await self.check()
        finally:
            if not self._stopped:
                self._wind()

    async def _validate(self) -> None:
        for account in self._client.wire.accounts:
            try:
                await self._client.wire.validate(account)
            except Unreachable:
                return

    async def _look(self, account: str) -> None:
        wanted = [each for each in self._wanted if each.account == account]
        try:
            found = await self._client.standing(account)
        except HTTPException as error:
            self._tell_unread(account, error.status)
            return
        self._unread.pop(account, None)
        there = {slot_of(each) for each in found if each.status == "enabled" and self._client.owns(each)}
        for each in wanted:
            if self._stopped:  # the door was left meanwhile
                return
            heard = each.slot in there or await self._ask(each, found)
            if each.chat:
                self._deaf[each.channel] = 0 if heard else self._deaf.get(each.channel, 0) + 1

    async def _ask(self, wanted: WantedSubscription, found: list[EventsubSubscription]) -> bool:
        """Subscribe; where a slot is taken by a connection that is no more, free it and try again."""
        try:
            status = await self._subscribe(wanted)
            if status in {409, 429} and await self._free(wanted, found):
                status = await self._subscribe(wanted)
        except TwitchioException as error:
            self._tell(wanted, f"no connection ({type(error).__name__})")
            return False
        if status in {200, 409}:
            self._told.pop(wanted.slot, None)
            return True
        self._tell(wanted, _REASONS.get(status, f"Twitch answered {status}"))
        return False

    async def _subscribe(self, wanted: WantedSubscription) -> int:
        try:
            return 200 if await self._client.ask(wanted) else 409
        except HTTPException as error:
            return error.status
        except ValueError:  # the library's word for a socket that is full
            return 429

    async def _free(self, wanted: WantedSubscription, found: list[EventsubSubscription]) -> bool:
        stale = [each for each in found if not self._client.owns(each)
                 and (each.status != "enabled" or slot_of(each) == wanted.slot)]  # fmt: skip
        for each in stale:
            found.remove(each)
            await self._drop(each, wanted.account)
        return bool(stale)

    async def _drop(self, subscription: EventsubSubscription, account: str) -> None:
        try:
            await self._client.drop(subscription, account)
        except HTTPException as error:
            log.info("an old subscription could not be ended", status=error.status)

    def _tell_unread(self, account: str, status: int) -> None:
        if self._unread.get(account) != status:
            log.warning("Twitch does not say what it tells us", account=self._name(account), status=status)
        self._unread[account] = status

    def _tell(self, wanted: WantedSubscription, reason: str) -> None:
        """Say what is missing, once until it is mended or something else is the matter."""
        if self._told.get(wanted.slot) == reason:
            return
        self._told[wanted.slot] = reason
        kind, channel = str(wanted.payload.type), self._name(wanted.channel or wanted.account)
        log.warning("Twitch does not tell us of this", kind=kind, channel=channel, reason=reason)

    def _listen_for_deaf(self) -> None:
        for channel, rounds in self._deaf.items():
            if rounds == DEAF + 1:
                log.error(
                    "this chat is not heard; it is tried again every minute", channel=self._name(channel)
                )

    def _name(self, user_id: str) -> str:
        return self._logins.get(user_id, user_id)


_REASONS = {
    400: "Twitch finds the request wrong, or the connection is gone",
    401: "the key of the account is refused, or lacks a right",
    403: "the bot may not: it is banned there, or the broadcaster has not let it in",
    429: "there are too many subscriptions or requests",
    503: "Twitch cannot be reached",
}
