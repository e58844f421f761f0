"""One ordered queue per room: a slow room holds up no other, and a flood costs talk before commands."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

import structlog
from twitchio import ChatMessage, Whisper
from twitchio.models.eventsub_ import SubscriptionRevoked

from chatbot.bot.house import PREFIX
from chatbot.kernel.game import Role
from chatbot.rooms.limits import remember
from chatbot.rooms.room import Line, Occasion
from cogs.twitch.lines import (
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
    from collections.abc import Awaitable, Callable, Mapping

    from twitchio.models.eventsub_ import BaseEvent

    from chatbot.bot.house import House
    from chatbot.rooms.clock import Watch
    from cogs.twitch.channels import Chat

LONGEST = 20_000  # lines and occasions that wait: a raid is no flood
TOGETHER = 500  # lines that the house has at once, to commit them together
REPORTED = 60.0  # seconds in which a full queue is told at most once

Heard: TypeAlias = "Line | Occasion"

log = structlog.get_logger(__name__)


@dataclass(eq=False)
class Lane:
    """What came from one channel and waits for the house."""

    channel: str
    longest: int = LONGEST
    waiting: deque[Heard] = field(default_factory=deque)
    dropped: int = 0
    talk: int = 0  # how much of what waits is talk
    _filled: asyncio.Event = field(default_factory=asyncio.Event)

    def put(self, heard: Heard) -> None:
        """Add to the end; a full lane gives up its oldest talk, or else what comes now."""
        self.waiting.append(heard)
        self.talk += _is_talk(heard)
        if len(self.waiting) > self.longest:
            self._drop()
        self._filled.set()

    async def take(self) -> Heard:
        while not self.waiting:
            self._filled.clear()
            await self._filled.wait()
        heard = self.waiting.popleft()
        self.talk -= _is_talk(heard)
        return heard

    def _drop(self) -> None:
        """Drop one, without a search where there is nothing to find: this is where a flood arrives."""
        self.dropped += 1
        at = -1
        if self.talk > _is_talk(self.waiting[-1]):
            at = next(at for at, each in enumerate(self.waiting) if _is_talk(each))
        self.talk -= _is_talk(self.waiting[at])
        del self.waiting[at]


async def drive(lane: Lane, house: House) -> None:
    """Bring what waits to the house, in order, until cancelled; no line waits for the one before it."""
    said: float | None = None
    free, under_way = asyncio.Semaphore(TOGETHER), set[asyncio.Task[None]]()
    while True:
        heard = await lane.take()
        if isinstance(heard, Line):
            await free.acquire()
            task = asyncio.create_task(_bring(lane, heard, house.converse(heard)))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
            task.add_done_callback(lambda _: free.release())
        else:
            await _bring(lane, heard, house.notice(heard))
        said = _report(lane, house.watch, said)


async def _bring(lane: Lane, heard: Heard, hearing: Awaitable[object]) -> None:
    try:
        await hearing
    except Exception:
        log.exception("what came from Twitch could not be heard", channel=lane.channel, id=heard.id)


def _report(lane: Lane, watch: Watch, said: float | None) -> float | None:
    if not lane.dropped or (said is not None and watch.now() < said + REPORTED):
        return said
    log.warning(
        "a chat is faster than its room: lines were dropped", channel=lane.channel, lines=lane.dropped
    )
    lane.dropped = 0
    return watch.now()


def _is_talk(heard: Heard) -> bool:
    return isinstance(heard, Line) and not heard.text.startswith(PREFIX)


REMEMBERED = 10_000  # deliveries, by id


class Receiver:
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
