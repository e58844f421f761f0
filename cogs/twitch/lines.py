"""Turns what Twitch tells into lines and occasions, by ids and badges: names and texts prove nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from twitchio import (
    ChannelCheer,
    ChannelFollow,
    ChannelRaid,
    ChannelSubscribe,
    ChannelSubscriptionMessage,
    StreamOffline,
    StreamOnline,
)

from chatbot.kernel.game import Role, below, highest
from chatbot.ledger.people import Account
from chatbot.rooms.line import Happening, Line, Occasion

if TYPE_CHECKING:
    from datetime import datetime

    from twitchio import ChatMessage, PartialUser, Whisper
    from twitchio.models.eventsub_ import BaseEvent

    from chatbot.kernel.say import Message

EventPayload: TypeAlias = (
    StreamOnline
    | StreamOffline
    | ChannelFollow
    | ChannelSubscribe
    | ChannelSubscriptionMessage
    | ChannelCheer
    | ChannelRaid
)

PLATFORM = "twitch"
MODERATORS = {"moderator", "lead_moderator"}
SUBSCRIBERS = {"subscriber", "founder"}
_ACTION = "\x01ACTION "  # how a /me begins; what ends it is not visible, and goes with all that is not


def channel_of(broadcaster_id: str) -> str:
    """Name the channel of a broadcaster as the bot does, and the room that stands in it."""
    return f"{PLATFORM}:{broadcaster_id}"


def community_of(broadcaster_id: str) -> str:
    """Name the wallets of a broadcaster's channel."""
    return f"{PLATFORM}-{broadcaster_id}"  # purses are named with colons, so a community is not


def account_of(user_id: str) -> Account:
    """Give the account of a user, by Twitch's id."""
    return Account(PLATFORM, user_id)


def chat_line(message: ChatMessage, barred: Message | None = None) -> Line:
    """Read a message of a chat; `barred` says why the bot cannot speak there."""
    names: dict[Account, str] = {}
    text, own_roles = _text(message, names), roles(message)
    return Line(
        f"tw:{message.id}",
        channel_of(message.broadcaster.id),
        account_of(message.chatter.id),
        display_name(message.chatter),
        highest(own_roles),
        text,
        named=names,
        login=_login(message.chatter),
        badges=below(own_roles),
        barred=barred,
        sent=sent_at(message),
    )


def whisper_line(whisper: Whisper, channel: str) -> Line:
    """Read a whisper; it carries no badge, so whoever whispers is a viewer."""
    account, name, text = (
        account_of(whisper.sender.id),
        display_name(whisper.sender),
        whisper.text.removeprefix(_ACTION),
    )
    login, number = _login(whisper.sender), f"tw:w:{whisper.id}"
    return Line(
        number, channel, account, name, Role.VIEWER, text, private=True, login=login, sent=sent_at(whisper)
    )


def role(message: ChatMessage) -> Role:
    """Tell the most that somebody is in this channel."""
    return highest(roles(message))


def roles(message: ChatMessage) -> frozenset[Role]:
    """Tell all that somebody is in this channel by the badges that came with this message."""
    badges = {badge.set_id for badge in message.badges}
    own = {
        Role.BROADCASTER: message.chatter.id == message.broadcaster.id,
        Role.MODERATOR: bool(badges & MODERATORS),
        Role.VIP: "vip" in badges,
        Role.SUBSCRIBER: bool(badges & SUBSCRIBERS),
    }
    return frozenset({Role.VIEWER, *(each for each, applies in own.items() if applies)})


def foreign(message: ChatMessage) -> bool:
    """Whether a message of another channel is shown here, as in a shared chat."""
    source = message.source_broadcaster
    return source is not None and source.id != message.broadcaster.id


def display_name(user: PartialUser) -> str:
    """Give the name by which a user is shown, which proves nothing."""
    return user.display_name or user.name or user.id


def _login(user: PartialUser) -> str:
    return user.name or ""


def occasion_of(event: EventPayload) -> Occasion:
    """Read what happened besides talk."""
    kind, user, amount = _facts(event)
    chat = event.to_broadcaster if isinstance(event, ChannelRaid) else event.broadcaster
    account = None if user is None else account_of(user.id)
    name = "" if user is None else display_name(user)
    number, time = f"tw:e:{notice_id(event)}", sent_at(event)
    return Occasion(number, channel_of(chat.id), kind, account, name, amount, time)


def sent_at(event: BaseEvent) -> datetime | None:
    """Tell when Twitch sent an event; None: it does not say.

    See https://dev.twitch.tv/docs/eventsub/websocket-reference/#metadata: the time is that of UTC.
    """
    return event.timestamp


def notice_id(event: BaseEvent) -> str:
    """Give the id that a repeated delivery repeats."""
    metadata = event.metadata
    return "" if metadata is None else metadata.message_id


def _text(message: ChatMessage, names: dict[Account, str]) -> str:
    """Write mentions by their ids; a reply begins with a mention that its writer has not typed."""
    fragments = list(message.fragments)
    if message.reply is not None and fragments and fragments[0].mention == message.reply.parent_user:
        fragments = fragments[1:]
    words = []
    for fragment in fragments:
        if fragment.mention is None:
            words.append(fragment.text)
            continue
        account = account_of(fragment.mention.id)
        names[account] = display_name(fragment.mention)
        words.append(f"@{account}")
    return "".join(words).removeprefix(_ACTION)


def _facts(event: EventPayload) -> tuple[Happening, PartialUser | None, int]:
    match event:
        case StreamOnline() | StreamOffline():
            return Happening.ONLINE if isinstance(event, StreamOnline) else Happening.OFFLINE, None, 0
        case ChannelFollow():
            return Happening.FOLLOW, event.user, 0
        case ChannelSubscribe():
            return Happening.SUBSCRIBE, event.user, 1
        case ChannelSubscriptionMessage():
            return Happening.SUBSCRIBE, event.user, event.cumulative_months
        case ChannelCheer():
            return Happening.CHEER, event.user, event.bits
        case ChannelRaid():
            return Happening.RAID, event.from_broadcaster, event.viewer_count
