"""What is heard of Twitch: a component for each kind of event, which puts it into the queue of its room.

The library starts a task for each event, and a loop runs the first steps of tasks in the order in which they
were made (`asyncio.loop.call_soon`). So what Twitch tells first is first in its queue as long as no listener
here waits for anything before it has put its event there; none of them waits at all. What Twitch tells twice
is put there twice: the bot knows what it has heard (`chatbot/bot/deduplication.py`).
"""

# The library's `listener` declares no type, which would make each listener untyped.
# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import structlog
from twitchio.ext import commands

from chatbot.kernel.game import Role
from chatbot.kernel.say import Message
from chatbot.runtime.shielded import ShieldedWork
from cogs.twitch.lines import (
    account_of,
    channel_of,
    chat_line,
    foreign,
    occasion_of,
    role,
    whisper_line,
)
from cogs.twitch.redemptions import MUTED
from cogs.twitch.subscriptions.wanted import slot

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from twitchio import (
        ChannelCheer,
        ChannelFollow,
        ChannelRaid,
        ChannelSubscribe,
        ChannelSubscriptionMessage,
        ChatMessage,
        StreamOffline,
        StreamOnline,
        Whisper,
    )

    from chatbot.bot.bot import Bot
    from chatbot.ledger.people import Account
    from cogs.twitch.bot import ChatNotice, Revocation
    from cogs.twitch.channels import Chat
    from cogs.twitch.lines import EventPayload
    from cogs.twitch.subscriptions.wanted import Slot

log = structlog.get_logger(__name__)


class ChatComponent(commands.Component):
    """Puts what is said in a chat into the queue of its room.

    `on_shown` is told the channel and the text of what the bot has said; `bot_id` is that of its account.
    """

    def __init__(
        self,
        *,
        bot: Bot,
        chats: Mapping[str, Chat],
        bot_id: str,
        on_shown: Callable[[str, str], None],
    ) -> None:
        self._bot, self._chats, self._bot_id, self._on_shown = bot, chats, bot_id, on_shown

    @commands.Component.listener()
    async def event_message(self, message: ChatMessage) -> None:
        """Hear a message, unless it is shown from another channel."""
        chat = self._chats.get(channel_of(message.broadcaster.id))
        if chat is not None and not foreign(message) and not self._own(message, chat):
            self._bot.post(chat_line(message, barred=Message(MUTED) if chat.muted else None))

    def _own(self, message: ChatMessage, chat: Chat) -> bool:
        """Whether the bot said this itself; its badges tell how much it may say."""
        if message.chatter.id != self._bot_id:
            return False
        moderator = role(message).covers(Role.MODERATOR)
        self._on_shown(chat.channel.id, message.text)
        chat.stand(moderator, self._bot.watch.now())
        room, elsewhere = self._bot.rooms.at(chat.channel.id), self._bot.control.elsewhere
        if room.elsewhere and elsewhere is not None:
            # Who runs the room has said it: it learns that it was shown, and how much it may say there.
            carry = partial(elsewhere.carry_echo, room, chat.channel.id, message.text, moderator=moderator)
            self._bot.enqueue(chat.channel.id, carry)
        # A streamer's own account may be the bot too, and its owner plays along.
        return message.chatter.id != message.broadcaster.id or chat.spoke(message.text)


class WhisperComponent(commands.Component):
    """Brings a whisper to where its writer plays; elsewhere nobody would know what it is about.

    `on_whisper` is told the id of whoever has whispered, and whether they play anywhere.
    """

    def __init__(
        self, *, bot: Bot, chats: Mapping[str, Chat], on_whisper: Callable[[str, bool], None]
    ) -> None:
        self._bot, self._chats, self._on_whisper = bot, chats, on_whisper
        self._seeking = ShieldedWork()

    @commands.Component.listener()
    async def event_message_whisper(self, whisper: Whisper) -> None:
        """Hear a whisper."""
        account = account_of(whisper.sender.id)
        own = self._bot.whereabouts_here(account)
        if self._bot.control.elsewhere is None or (own is not None and own.plays):
            self._take(whisper, None if own is None else own.channel.id)
        else:
            self._seeking.start(self._seek(whisper, account))

    async def _seek(self, whisper: Whisper, account: Account) -> None:
        """Ask other processes where somebody plays; only whispers wait for that."""
        self._take(whisper, await self._bot.whereabouts(account))

    def _take(self, whisper: Whisper, channel: str | None) -> None:
        known = channel is not None and channel in self._chats
        if channel is not None and known:
            self._bot.post(whisper_line(whisper, channel))
        self._on_whisper(whisper.sender.id, known)


class _OccasionComponent(commands.Component):
    """Puts what happens besides talk into the queues of the rooms."""

    def __init__(self, *, bot: Bot, chats: Mapping[str, Chat]) -> None:
        self._bot, self._chats = bot, chats

    def _notice(self, event: EventPayload) -> None:
        occasion = occasion_of(event)
        if occasion.channel in self._chats:
            self._bot.enqueue(occasion.channel, partial(self._bot.notice, occasion))


class StreamComponent(_OccasionComponent):
    """Notices that streams begin and end."""

    @commands.Component.listener()
    async def event_stream_online(self, event: StreamOnline) -> None:
        self._notice(event)

    @commands.Component.listener()
    async def event_stream_offline(self, event: StreamOffline) -> None:
        self._notice(event)


class SupportComponent(_OccasionComponent):
    """Notices what viewers do for a channel: they follow, subscribe, cheer and raid."""

    @commands.Component.listener()
    async def event_follow(self, event: ChannelFollow) -> None:
        self._notice(event)

    @commands.Component.listener()
    async def event_subscription(self, event: ChannelSubscribe) -> None:
        self._notice(event)

    @commands.Component.listener()
    async def event_subscription_message(self, event: ChannelSubscriptionMessage) -> None:
        self._notice(event)

    @commands.Component.listener()
    async def event_cheer(self, event: ChannelCheer) -> None:
        self._notice(event)

    @commands.Component.listener()
    async def event_raid(self, event: ChannelRaid) -> None:
        self._notice(event)


class AnnouncementComponent(commands.Component):
    """Notices which announcements of the bot are in a chat, also where the answer to one was lost.

    `announced` is told the channel and the text; `bot_id` is that of the bot's account.
    """

    def __init__(self, *, bot_id: str, on_announced: Callable[[str, str], None]) -> None:
        self._bot_id, self._on_announced = bot_id, on_announced

    @commands.Component.listener()
    async def event_notice(self, notice: ChatNotice) -> None:
        """Hear a notice of a chat, most of which are of no interest."""
        if notice.kind == "announcement" and notice.chatter == self._bot_id:
            self._on_announced(channel_of(notice.broadcaster), notice.text)


class RevocationComponent(commands.Component):
    """Tells the operator that Twitch has ended a subscription, and has it asked for again at once."""

    def __init__(self, *, on_ended: Callable[[Slot], None]) -> None:
        self._on_ended = on_ended

    @commands.Component.listener()
    async def event_revocation(self, event: Revocation) -> None:
        """Log which kind of subscription it was, and why Twitch has ended it."""
        log.warning("Twitch has ended a subscription", kind=event.kind, reason=event.reason)
        self._on_ended(slot(event.kind, event.condition))
