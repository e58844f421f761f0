"""What may be said when: talk level, merging, budget. Nothing important is dropped for lack of budget."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import structlog

from chatbot.kernel.game import Seat
from chatbot.kernel.say import Message, Name, Say, Talk
from chatbot.live.room import Channel, Delivery, Room
from chatbot.live.watch import Alarm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from chatbot.live.watch import Watch
    from chatbot.live.words import Words

MERGED = 480  # characters at which merged lines go out without waiting for quiet
REPEAT = 60.0  # seconds in which one kind of refusal is said in public at most once
CROWDED = 40  # lines waiting from which on only the important ones are added

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Waiting:
    text: str
    to: Seat | None
    say: Say


@dataclass(eq=False)
class _Queue:
    """What waits for one channel."""

    channel: Channel
    waiting: deque[_Waiting] = field(default_factory=deque)
    sent: deque[float] = field(default_factory=deque)  # when, within the budget's window
    refused: dict[str, float] = field(default_factory=dict)  # kind of refusal -> when it was said
    newest: float = 0.0
    alarm: Alarm | None = None
    sending: bool = False  # lines go out one after the other, however slow the door


class Outbox:
    """Speaks one language through the doors of every room."""

    def __init__(self, words: Words, watch: Watch, name: Callable[[Seat], str]) -> None:
        self.words = words
        self._watch = watch
        self._name = name
        self._queues: dict[str, _Queue] = {}

    def say(self, room: Room, says: Iterable[Say]) -> None:
        """Put lines on their way; the doors are called from alarms of the watch, never from here."""
        for say in says:
            for channel in room.channels:
                try:
                    self._add(self._queue(channel), room, say)
                except LookupError:
                    log.exception("a line has no words", message=say.message.id)

    def text(self, message: Message) -> str:
        return self.words.text(message, self._name)

    def _queue(self, channel: Channel) -> _Queue:
        return self._queues.setdefault(channel.id, _Queue(channel))

    def _add(self, queue: _Queue, room: Room, say: Say) -> None:
        waiting = self._worded(queue, room, say)
        if waiting is None:
            return
        queue.waiting.append(waiting)
        queue.newest = self._watch.now()
        self._wind(queue)

    def _worded(self, queue: _Queue, room: Room, say: Say) -> _Waiting | None:
        """Word a line for a channel; None where this channel does not want it."""
        if say.to is not None and queue.channel.manner.private:
            return _Waiting(self.text(say.message), say.to, say)
        if say.secret or not room.habits.talk.includes(say.talk):
            return None
        if len(queue.waiting) >= CROWDED and say.talk is not Talk.QUIET:
            return None
        if say.to is None:
            return _Waiting(self.text(say.message), None, say)
        if say.event == "Refusal" and not self._fresh(queue, say.message.id):
            return None
        addressed = Message("addressed", {"who": Name(say.to), "text": say.message})
        return _Waiting(self.text(addressed), None, say)

    def _fresh(self, queue: _Queue, kind: str) -> bool:
        now = self._watch.now()
        if now - queue.refused.get(kind, -REPEAT) < REPEAT:
            return False
        queue.refused[kind] = now
        return True

    # Sending

    def _wind(self, queue: _Queue) -> None:
        """Set the alarm for the next message; a line more may make it earlier or later."""
        if queue.alarm is not None:
            queue.alarm.cancel()
            queue.alarm = None
        if not queue.waiting or queue.sending:
            return

        async def flush() -> None:
            queue.alarm, queue.sending = None, True
            try:
                await self._flush(queue)
            finally:
                queue.sending = False
            self._wind(queue)

        queue.alarm = self._watch.ring(max(self._patience(queue), self._penance(queue), 0.0), flush)

    def _patience(self, queue: _Queue) -> float:
        """Seconds until there has been quiet long enough."""
        public = sum(len(each.text) + 1 for each in queue.waiting if each.to is None)
        if public >= MERGED:
            return 0.0
        return queue.newest + queue.channel.manner.quiet - self._watch.now()

    def _penance(self, queue: _Queue) -> float:
        """Seconds until the budget allows one more message."""
        manner, now = queue.channel.manner, self._watch.now()
        # One expression for the end of the window: two that differ by a rounding break the budget.
        while queue.sent and queue.sent[0] + manner.window - now <= 0:
            queue.sent.popleft()
        if manner.budget is None or len(queue.sent) < manner.budget:
            return 0.0
        return queue.sent[0] + manner.window - now

    async def _flush(self, queue: _Queue) -> None:
        if self._patience(queue) > 0:
            return
        while queue.waiting and self._penance(queue) <= 0:
            batch = self._batch(queue)
            first, *rest = split(" ".join(each.text for each in batch), queue.channel.manner.length)
            queue.waiting.extendleft(replace(batch[0], text=text) for text in reversed(rest))
            await self._send(queue, first, batch)

    def _batch(self, queue: _Queue) -> list[_Waiting]:
        """Take the next line, and with it the public ones behind it that fit into one message."""
        batch = [queue.waiting.popleft()]
        size = len(batch[0].text)
        most = min(MERGED, queue.channel.manner.length) if queue.channel.manner.quiet else 0
        while queue.waiting and batch[0].to is None and queue.waiting[0].to is None:
            size += 1 + len(queue.waiting[0].text)
            if size > most:
                break
            batch.append(queue.waiting.popleft())
        return batch

    async def _send(self, queue: _Queue, text: str, batch: list[_Waiting]) -> None:
        queue.sent.append(self._watch.now())
        says = tuple(each.say for each in batch)
        try:
            await queue.channel.door.send(Delivery(queue.channel.id, text, batch[0].to, says))
        except Exception:
            log.exception("a line could not be sent", channel=queue.channel.id)


def split(text: str, length: int) -> list[str]:
    """Split at words into pieces of at most `length` characters; a longer word is cut."""
    pieces = []
    while len(text) > length:
        cut = text.rfind(" ", 1, length + 1)
        cut = cut if cut > 0 else length
        pieces.append(text[:cut].rstrip())
        text = text[cut:].lstrip()
    return [*pieces, text] if text else pieces
