"""What Twitch is asked to tell, with whose key and by which right, and the watchdog that sees to it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import structlog
from twitchio import eventsub
from twitchio.eventsub import SubscriptionPayload
from twitchio.exceptions import HTTPException, TwitchioException

from chatbot.kernel.game import Failure
from chatbot.keys.asking import Unreachable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from twitchio.models.eventsub_ import EventsubSubscription

    from chatbot.keys.ring import Key
    from chatbot.rooms.clock import Alarm, Watch
    from cogs.twitch.bot import EventSubBot


Slot: TypeAlias = "tuple[str, frozenset[tuple[str, str]]]"  # type and condition: Twitch gives each but once

CHAT = "user:read:chat"
WHISPERS = "user:manage:whispers"

EVERY = 60.0  # seconds between two looks of the watchdog
DEAF = 2  # rounds without its chat after which a channel is told of
HOURLY = 60  # rounds between two validations of every key
_REASONS = {
    400: "Twitch finds the request wrong, or the connection is gone",
    401: "the key of the account is refused, or lacks a right",
    403: "the bot may not: it is banned there, or the broadcaster has not let it in",
    429: "there are too many subscriptions or requests",
    503: "Twitch cannot be reached",
}

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class WantedSubscription:
    """One subscription; `channel` is the broadcaster's id, and empty for whispers."""

    channel: str
    account: str
    payload: SubscriptionPayload

    @property
    def slot(self) -> Slot:
        """What it takes at Twitch, where there is but one of each."""
        return slot(str(self.payload.type), dict(self.payload.condition))

    @property
    def chat(self) -> bool:
        """Whether it brings what is said in a chat."""
        return isinstance(self.payload, eventsub.ChatMessageSubscription)


def slot(kind: str, condition: Mapping[str, object]) -> Slot:
    """Twitch answers with every field that a condition may have, most of them empty."""
    return kind, frozenset((key, str(value)) for key, value in condition.items() if value)


def slot_of(subscription: EventsubSubscription) -> Slot:
    """Give the slot that a subscription at Twitch takes."""
    return slot(subscription.type, dict(subscription.condition))


def wishes(bot: Key, keys: Mapping[str, Key], channels: Sequence[str]) -> list[WantedSubscription]:
    """List what to subscribe to; what a key gives no right to is left out, and told.

    Raises:
        Failure: the bot may not read chat at all.
    """
    if CHAT not in bot.scopes:
        raise Failure(f"The key of {bot.login} may not read chat; run `chatbot connect twitch --bot` again.")
    wanted = [
        WantedSubscription(
            each, bot.user_id, eventsub.ChatMessageSubscription(broadcaster_user_id=each, user_id=bot.user_id)
        )
        for each in channels
    ]
    if WHISPERS in bot.scopes:
        wanted.append(
            WantedSubscription("", bot.user_id, eventsub.WhisperReceivedSubscription(user_id=bot.user_id))
        )
    else:
        log.warning("whispers are not heard: run `chatbot connect twitch --bot` again", account=bot.login)
    for each in channels:
        wanted += _around(each, keys.get(each), bot)
    return wanted


class Watchdog:
    """Looks every minute whether Twitch still tells what it was asked to, and asks again for what is missing.

    The library notices neither a subscription that Twitch has ended nor a connection that is closed for good.
    """

    def __init__(
        self,
        *,
        client: EventSubBot,
        watch: Watch,
        wanted: Sequence[WantedSubscription],
        logins: Mapping[str, str],
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
        """Look no more, and ask for nothing more."""
        self._stopped = True
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = None

    async def check(self) -> None:
        """Look once, and ask for what is missing."""
        async with self._alone:
            self._rounds += 1
            await self._client.reconnect()
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
        for account in self._client.api.accounts:
            try:
                await self._client.api.validate(account)
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
        """Say what is missing, once until it is there again or something else is the matter."""
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


def _around(channel: str, key: Key | None, bot: Key) -> Iterator[WantedSubscription]:
    """List what happens besides chat; what needs no right is free of charge for who has granted anything."""
    account = bot.user_id if key is None else key.user_id
    yield WantedSubscription(channel, account, eventsub.StreamOnlineSubscription(broadcaster_user_id=channel))
    yield WantedSubscription(
        channel, account, eventsub.StreamOfflineSubscription(broadcaster_user_id=channel)
    )
    yield WantedSubscription(
        channel, account, eventsub.ChannelRaidSubscription(to_broadcaster_user_id=channel)
    )
    if key is None:
        log.info("followers, subscriptions and cheers are noticed once the broadcaster has run "
                 "`chatbot connect twitch --broadcaster`", channel=channel)  # fmt: skip
        return
    for scope, payloads in _granted(channel).items():
        if scope in key.scopes:
            yield from (WantedSubscription(channel, account, payload) for payload in payloads)
        else:
            log.warning("a right is missing: run `chatbot connect twitch --broadcaster` again",
                        account=key.login, scope=scope)  # fmt: skip


def _granted(channel: str) -> dict[str, tuple[SubscriptionPayload, ...]]:
    """Give what each right of a broadcaster brings."""
    return {
        "moderator:read:followers": (
            eventsub.ChannelFollowSubscription(broadcaster_user_id=channel, moderator_user_id=channel),
        ),
        "channel:read:subscriptions": (
            eventsub.ChannelSubscribeSubscription(broadcaster_user_id=channel),
            eventsub.ChannelSubscribeMessageSubscription(broadcaster_user_id=channel),
        ),
        "bits:read": (eventsub.ChannelCheerSubscription(broadcaster_user_id=channel),),
    }
