"""What is heard of Twitch: a component for each kind of event, and a queue for each room.

The library starts a task for each event, and a loop runs the first steps of tasks in the order in which they
were made (`asyncio.loop.call_soon`). So what Twitch tells first is first in its queue as long as no listener
here waits for anything before it has put its event there; none of them waits at all. From then on a slow room
holds up no other, and a flood costs talk before commands.
"""

# The library's `listener` declares no type, which would make each listener untyped.
# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import structlog
from twitchio.ext import commands

from chatbot.kernel.game import Role
from chatbot.kernel.say import Message
from chatbot.rooms.line import SIGN, Line, Occasion
from chatbot.runtime.lane import Lane, Load
from cogs.twitch.lines import (
    account_of,
    channel_of,
    foreign,
    happened,
    role,
    said,
    whispered,
)
from cogs.twitch.redemptions import MUTED, GivenBack, Redemption
from cogs.twitch.subscriptions.wanted import slot

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

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

    from chatbot.bot.house import House
    from chatbot.runtime.clock import Watch
    from cogs.twitch.bot import ChatNotice, Revocation
    from cogs.twitch.channels import Chat
    from cogs.twitch.lines import EventPayload
    from cogs.twitch.subscriptions.wanted import Slot

ChatItem: TypeAlias = "Line | Occasion | Redemption | GivenBack"

log = structlog.get_logger(__name__)


class ChatComponent(commands.Component):
    """Puts what is said in a chat into the queue of its room.

    `shown` is told the channel and the text of what the bot has said; `bot` is the id of its account.
    """

    def __init__(
        self,
        *,
        queues: RoomQueues,
        chats: Mapping[str, Chat],
        watch: Watch,
        bot: str,
        shown: Callable[[str, str], None],
    ) -> None:
        self._queues, self._chats, self._watch, self._bot, self._shown = queues, chats, watch, bot, shown

    @commands.Component.listener()
    async def event_message(self, message: ChatMessage) -> None:
        """Hear a message, unless it is shown from another channel."""
        chat = self._chats.get(channel_of(message.broadcaster.id))
        if chat is not None and not foreign(message) and not self._own(message, chat):
            self._queues.put(said(message, barred=Message(MUTED) if chat.muted else None))

    def _own(self, message: ChatMessage, chat: Chat) -> bool:
        """Whether the bot said this itself; its badges tell how much it may say."""
        if message.chatter.id != self._bot:
            return False
        self._shown(chat.channel.id, message.text)
        chat.stand(role(message).covers(Role.MODERATOR), self._watch.now())
        # A streamer's own account may be the bot too, and its owner plays along.
        return message.chatter.id != message.broadcaster.id or chat.spoke(message.text)


class WhisperComponent(commands.Component):
    """Brings a whisper to where its writer plays; elsewhere nobody would know what it is about.

    `whispered` is told the id of whoever has whispered, and whether they play anywhere.
    """

    def __init__(self, *, queues: RoomQueues, house: House, whispered: Callable[[str, bool], None]) -> None:
        self._queues, self._house, self._whispered = queues, house, whispered

    @commands.Component.listener()
    async def event_message_whisper(self, whisper: Whisper) -> None:
        """Hear a whisper."""
        channel = self._house.whereabouts(account_of(whisper.sender.id))
        known = channel is not None and channel in self._queues
        if channel is not None and known:
            self._queues.put(whispered(whisper, channel))
        self._whispered(whisper.sender.id, known)


class StreamComponent(commands.Component):
    """Notices that streams begin and end."""

    def __init__(self, *, queues: RoomQueues) -> None:
        self._queues = queues

    @commands.Component.listener()
    async def event_stream_online(self, event: StreamOnline) -> None:
        self._queues.notice(event)

    @commands.Component.listener()
    async def event_stream_offline(self, event: StreamOffline) -> None:
        self._queues.notice(event)


class SupportComponent(commands.Component):
    """Notices what viewers do for a channel: they follow, subscribe, cheer and raid."""

    def __init__(self, *, queues: RoomQueues) -> None:
        self._queues = queues

    @commands.Component.listener()
    async def event_follow(self, event: ChannelFollow) -> None:
        self._queues.notice(event)

    @commands.Component.listener()
    async def event_subscription(self, event: ChannelSubscribe) -> None:
        self._queues.notice(event)

    @commands.Component.listener()
    async def event_subscription_message(self, event: ChannelSubscriptionMessage) -> None:
        self._queues.notice(event)

    @commands.Component.listener()
    async def event_cheer(self, event: ChannelCheer) -> None:
        self._queues.notice(event)

    @commands.Component.listener()
    async def event_raid(self, event: ChannelRaid) -> None:
        self._queues.notice(event)


class AnnouncementComponent(commands.Component):
    """Notices which announcements of the bot are in a chat, also where the answer to one was lost.

    `announced` is told the channel and the text; `bot` is the id of the bot's account.
    """

    def __init__(self, *, bot: str, announced: Callable[[str, str], None]) -> None:
        self._bot, self._announced = bot, announced

    @commands.Component.listener()
    async def event_notice(self, notice: ChatNotice) -> None:
        """Hear a notice of a chat, most of which are of no interest."""
        if notice.kind == "announcement" and notice.chatter == self._bot:
            self._announced(channel_of(notice.broadcaster), notice.text)


class RevocationComponent(commands.Component):
    """Tells the operator that Twitch has ended a subscription, and has it asked for again at once."""

    def __init__(self, *, ended: Callable[[Slot], None]) -> None:
        self._ended = ended

    @commands.Component.listener()
    async def event_revocation(self, event: Revocation) -> None:
        """Log which kind of subscription it was, and why Twitch has ended it."""
        log.warning("Twitch has ended a subscription", kind=event.kind, reason=event.reason)
        self._ended(slot(event.kind, event.condition))


class RoomQueues:
    """A queue for each chat that the bot is in. They outlive connections."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._lanes: dict[str, Lane[ChatItem]] = {}
        self._load = Load()
        self._driving: dict[str, asyncio.Task[None]] = {}  # by channel

    def __contains__(self, channel: str) -> bool:
        return channel in self._lanes

    def start(self, channels: Iterable[str]) -> None:
        """Bring to the house what is heard in these channels; what waited before `stop` comes first."""
        for each in channels:
            self._lane(each)
        for each in self._lanes:
            self.serve(each)

    def serve(self, channel: str) -> None:
        """Bring to the house what is heard in one more channel."""
        if channel not in self._driving:
            self._driving[channel] = asyncio.create_task(drive(self._lane(channel), self._house))

    async def stop(self) -> None:
        """Keep what is heard from now on, until `start`."""
        driving = list(self._driving.values())
        self._driving.clear()
        for task in driving:
            task.cancel()
        await asyncio.gather(*driving, return_exceptions=True)

    def put(self, line: Line) -> None:
        """Let a line wait for its turn; what waits too long is too old to be obeyed."""
        self._lane(line.channel).put(replace(line, came=self._house.watch.now()))

    def notice(self, event: EventPayload) -> None:
        """Let what happened in a chat wait for its turn."""
        occasion = happened(event)
        if occasion.channel in self._lanes:
            self._lanes[occasion.channel].put(occasion)

    def redeemed(self, bought: Redemption | GivenBack) -> None:
        """Let what somebody has bought, or was given back, wait for its turn."""
        self._lane(bought.channel).put(bought)

    def clear(self) -> dict[str, int]:
        """Give up all that waits; return how many commands of each channel those are."""
        return {
            channel: sum(isinstance(each, Line) and not is_talk(each) for each in lane.clear())
            for channel, lane in self._lanes.items()
        }

    def _lane(self, channel: str) -> Lane[ChatItem]:
        return self._lanes.setdefault(channel, Lane(channel, is_talk, self._load))


async def drive(lane: Lane[ChatItem], house: House) -> None:
    """Bring what waits to the house, in order, until cancelled; no line waits for the one before it."""
    while True:
        heard = await lane.take()
        if isinstance(heard, Line):
            await lane.hand_over(_bring(lane, heard, house.converse(heard)))
        elif isinstance(heard, Redemption | GivenBack):
            await _bring(lane, heard, heard.play(house))
        else:
            await _bring(lane, heard, house.notice(heard))
        lane.report(house.watch)


async def _bring(lane: Lane[ChatItem], heard: ChatItem, hearing: Awaitable[object]) -> None:
    try:
        await hearing
    except Exception:
        log.exception("what came from Twitch could not be heard", channel=lane.channel, id=heard.id)


def is_talk(heard: ChatItem) -> bool:
    """Whether something needs no answer."""
    return isinstance(heard, Line) and not heard.text.startswith(SIGN)
