"""Brings what Twitch tells to the rooms it belongs to, once, and in its order."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

import structlog
from twitchio import ChatMessage, Whisper
from twitchio.models.eventsub_ import SubscriptionRevoked

from chatbot.kernel.game import Role
from chatbot.live.newest import remember
from cogs.twitch_lane import Lane, drive
from cogs.twitch_reading import (
    Told,
    account_of,
    channel_of,
    foreign,
    happened,
    notice_id,
    role,
    said,
    whispered,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from twitchio.models.eventsub_ import BaseEvent

    from chatbot.live.house import House
    from chatbot.live.room import Line
    from cogs.twitch_chat import Chat

REMEMBERED = 10_000  # deliveries, by id

log = structlog.get_logger(__name__)


class Hearing:
    """`chats` are the chats by channel; `whispered` is told who has whispered, and if they play anywhere."""

    def __init__(
        self, house: House, chats: Mapping[str, Chat], whispered: Callable[[str, bool], None]
    ) -> None:
        self._house, self._chats, self._whispered = house, chats, whispered
        self._lanes: dict[str, Lane] = {}
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._driving: list[asyncio.Task[None]] = []
        self._bot = ""

    def start(self, bot: str) -> None:
        """Hear as this account; what waited before it was stopped comes first."""
        self._bot = bot
        self._lanes = {name: self._lanes.get(name) or Lane(name) for name in self._chats}
        self._driving = [asyncio.create_task(drive(lane, self._house)) for lane in self._lanes.values()]

    async def stop(self) -> None:
        for task in self._driving:
            task.cancel()
        await asyncio.gather(*self._driving, return_exceptions=True)

    def take(self, event: BaseEvent | SubscriptionRevoked) -> None:
        """Take what was read from a connection; nothing is awaited here, so nothing overtakes."""
        if isinstance(event, SubscriptionRevoked):
            log.warning("Twitch has ended a subscription", kind=event.type, reason=str(event.status))
        elif not self._fresh(notice_id(event)):
            return
        elif isinstance(event, ChatMessage):
            self._hear(event)
        elif isinstance(event, Whisper):
            self._overhear(event)
        elif isinstance(event, Told):
            self._notice(event)

    def _hear(self, message: ChatMessage) -> None:
        chat = self._chats.get(channel_of(message.broadcaster.id))
        if chat is None or foreign(message) or not self._fresh(message.id):
            return
        line = said(message)
        if message.chatter.id == self._bot:
            chat.stand(role(message).covers(Role.MODERATOR), self._house.watch.now())
            if message.chatter.id != message.broadcaster.id or chat.spoke(message.text):
                return  # a streamer's own account may be the bot too, and its owner plays along
        self._queue(line)

    def _overhear(self, whisper: Whisper) -> None:
        """Bring a whisper to where its writer plays; elsewhere nobody would know what it is about."""
        channel = self._house.whereabouts(account_of(whisper.sender.id))
        known = channel in self._lanes
        if channel is not None and known:
            self._queue(whispered(whisper, channel))
        self._whispered(whisper.sender.id, known)

    def _queue(self, line: Line) -> None:
        """Let a line wait for its turn; what waits too long is too old to be obeyed."""
        self._lanes[line.channel].put(replace(line, came=self._house.watch.now()))

    def _notice(self, event: Told) -> None:
        occasion = happened(event)
        if occasion.channel in self._lanes:
            self._lanes[occasion.channel].put(occasion)

    def _fresh(self, delivery: str) -> bool:
        if delivery in self._seen:
            return False
        remember(self._seen, delivery, None, REMEMBERED)
        return True
