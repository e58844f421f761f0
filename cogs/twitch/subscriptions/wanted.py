"""What Twitch is asked to tell, with whose key and by which right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import structlog
from twitchio import eventsub
from twitchio.eventsub import SubscriptionPayload

from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from twitchio.models.eventsub_ import EventsubSubscription

    from chatbot.keys.ring import Key


Slot: TypeAlias = "tuple[str, frozenset[tuple[str, str]]]"  # type and condition: Twitch gives each but once

CHAT = "user:read:chat"
WRITE = "user:write:chat"  # of the bot, which may then speak with its own key
SPEAK = frozenset({"user:bot", WRITE})  # with the program's own key, or with that of the bot
WHISPERS = "user:manage:whispers"
ANNOUNCE = "moderator:manage:announcements"  # of the bot, which must also be a moderator in the chat
PREDICT = "channel:manage:predictions"  # of a broadcaster whose viewers may bet on games
POINTS = "channel:manage:redemptions"  # of a broadcaster whose viewers may stake channel points

FREE_OF_CHARGE = (
    3  # channels whose streams an account may follow without anybody's leave: 3 of 10 points each
)

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

    @property
    def stream(self) -> bool:
        """Whether it brings the beginning or the end of a stream."""
        return isinstance(
            self.payload, eventsub.StreamOnlineSubscription | eventsub.StreamOfflineSubscription
        )


def slot(kind: str, condition: Mapping[str, object]) -> Slot:
    """Twitch answers with every field that a condition may have, most of them empty."""
    return kind, frozenset((key, str(value)) for key, value in condition.items() if value)


def slot_of(subscription: EventsubSubscription) -> Slot:
    """Give the slot that a subscription at Twitch takes."""
    return slot(subscription.type, dict(subscription.condition))


def is_chat(subscriptions: Mapping[Slot, WantedSubscription], slot: Slot) -> bool:
    """Whether a subscription is wanted that brings what is said in a chat; those come before all else."""
    return slot in subscriptions and subscriptions[slot].chat


def wishes(
    bot: Key, keys: Mapping[str, Key], channels: Sequence[str], *, conduit: bool = False
) -> list[WantedSubscription]:
    """List what to subscribe to; what a key gives no right to is left out, and told.

    Without a conduit the bot may follow the streams of few channels that are not connected: each of those
    subscriptions costs one of ten points (https://dev.twitch.tv/docs/eventsub/manage-subscriptions/).

    Raises:
        Failure: the bot may not read chat at all.
    """
    if CHAT not in bot.scopes:
        raise Failure(f"The key of {bot.login} may not read chat; run `chatbot connect twitch --bot` again.")
    if SPEAK.isdisjoint(bot.scopes):
        advice = "run `chatbot connect twitch --bot` again"
        log.warning("the bot may not write in chats", account=bot.login, advice=advice)
    subscriptions = [
        WantedSubscription(
            each, bot.user_id, eventsub.ChatMessageSubscription(broadcaster_user_id=each, user_id=bot.user_id)
        )
        for each in channels
    ]
    if ANNOUNCE in bot.scopes:
        subscriptions += [
            WantedSubscription(
                each,
                bot.user_id,
                eventsub.ChatNotificationSubscription(broadcaster_user_id=each, user_id=bot.user_id),
            )
            for each in channels
        ]
    if WHISPERS in bot.scopes:
        subscriptions.append(
            WantedSubscription("", bot.user_id, eventsub.WhisperReceivedSubscription(user_id=bot.user_id))
        )
    else:
        log.warning("whispers are not heard: run `chatbot connect twitch --bot` again", account=bot.login)
    strangers = 0
    for each in channels:
        strangers += each not in keys and each != bot.user_id
        if each in keys or each == bot.user_id or conduit or strangers <= FREE_OF_CHARGE:
            subscriptions += _around(each, keys.get(each), bot)
    return subscriptions


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
    for scope, payloads in _payloads_by_scope(channel).items():
        if scope in key.scopes:
            yield from (WantedSubscription(channel, account, payload) for payload in payloads)
        else:
            log.warning("a right is missing: run `chatbot connect twitch --broadcaster` again",
                        account=key.login, scope=scope)  # fmt: skip
    if POINTS in key.scopes:
        for payload in (
            eventsub.ChannelPointsRedeemAddSubscription(broadcaster_user_id=channel),
            eventsub.ChannelPointsRedeemUpdateSubscription(broadcaster_user_id=channel),
        ):
            yield WantedSubscription(channel, account, payload)


def _payloads_by_scope(channel: str) -> dict[str, tuple[SubscriptionPayload, ...]]:
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
