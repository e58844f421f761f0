"""What may be said when: talk level, merging, budget. Nothing that a table must tell is ever dropped."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise, takewhile
from math import inf
from typing import TYPE_CHECKING

import structlog

from chatbot.kernel.kit import of_house
from chatbot.kernel.say import Message, Name, Say, Talk
from chatbot.ledger.people import Account
from chatbot.live.room import Channel, Delivery, Manner, Privacy, Room
from chatbot.live.watch import Alarm
from chatbot.live.wording.safe import plain
from chatbot.live.wording.tongues import Tongues

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.live.linking.reach import Reach
    from chatbot.live.watch import Watch
    from chatbot.live.wording.safe import Dress
    from chatbot.live.wording.words import Words

REPEAT = 60.0  # seconds in which one kind of refusal is said in public at most once
CROWDED = 60  # lines waiting from which on only what a table must tell is added
RESERVE = 2  # messages of a budget that are kept for what tables tell

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Waiting:
    text: str
    say: Say
    behind: str = ""  # what is said of it behind another line to the same person: that one has the name

    @property
    def urgent(self) -> bool:
        """Whether a table tells it: answers can wait."""
        return self.say.game is not None


@dataclass(eq=False)
class _Queue:
    """What waits for one channel; or for one person there, or for one line that carries its own answer."""

    channel: Channel
    to: Account | None = None
    answers: str = ""
    waiting: deque[_Waiting] = field(default_factory=deque)
    sent: deque[float] = field(default_factory=deque)  # when, within the budget's window
    refused: dict[str, float] = field(default_factory=dict)  # kind of refusal -> when it was said
    said: float = -inf  # when the door was done with the last message
    alarm: Alarm | None = None
    sending: bool = False  # lines go out one after the other, however slow the door

    @property
    def key(self) -> tuple[str, Account | None, str]:
        return self.channel.id, self.to, self.answers

    @property
    def apart(self) -> bool:
        """Whether it waits neither for the last message nor for the channel's budget."""
        return self.to is not None or self.answers != ""


class Outbox:
    """Speaks through the doors of every room, in the room's own words."""

    def __init__(self, words: Words, watch: Watch, name: Callable[[Seat], str], reach: Reach) -> None:
        self.words, self.tongues = words, Tongues(words)
        self.reach = reach
        self._watch = watch
        self._name = name
        self._queues: dict[tuple[str, Account | None, str], _Queue] = {}
        self.listeners: list[Callable[[Room, Say], None]] = []  # called for whatever is said, to whomever

    def say(self, room: Room, says: Iterable[Say]) -> None:
        """Put lines on their way; the doors are called from alarms of the watch, never from here.

        What is for a player of the house alone is for nobody.
        """
        for say in (each for each in says if each.to is None or not of_house(each.to)):
            for listener in self.listeners:
                listener(room, say)
            for channel, account, addressed in self.reach.ways(room, say):
                self._add(channel, room, addressed, account)

    def text(self, message: Message, dress: Dress = plain, room: Room | None = None) -> str:
        """Word a message as it is said in a room; in the program's words where it is said in none."""
        words = self.words if room is None else self.tongues.of(room)
        return words.text(message, self._name, dress)

    def _queue(self, channel: Channel, to: Account | None, answers: str) -> _Queue:
        queue = _Queue(channel, to, answers)
        return self._queues.setdefault(queue.key, queue)

    def _add(self, channel: Channel, room: Room, say: Say, account: Account | None) -> None:
        alone = _alone(channel, say)
        if alone and account is None:
            log.debug("a line is for nobody who has an account there", channel=channel.id, about=say.event)
            return
        carried = say.answers if not alone and channel.manner.carries(say.answers) else ""
        queue = self._queue(channel, account if alone else None, carried)
        text = self.text(say.message, channel.manner.dress, room) if alone else self._public(queue, room, say)
        if text is None:
            return
        bare = "" if alone or say.to is None else self.text(say.message, channel.manner.dress, room)
        queue.waiting.append(_Waiting(text, say, bare))
        self._wind(queue)

    def _public(self, queue: _Queue, room: Room, say: Say) -> str | None:
        """Word a line for all; None where this channel does not want it."""
        if say.secret or not room.habits.talk.includes(say.talk):
            return None
        if say.fine and not (queue.channel.manner.fine or room.habits.proofs):
            return None
        if len(queue.waiting) >= CROWDED and (say.talk is not Talk.QUIET or say.game is None):
            return None
        dress = queue.channel.manner.dress
        if say.to is None:
            return self.text(say.message, dress, room)
        if say.event == "Refusal" and not self._fresh(queue, _kind(say.message)):
            return None
        return self.text(Message("addressed", {"who": Name(say.to), "text": say.message}), dress, room)

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
            if queue.apart and not queue.waiting:
                self._queues.pop(queue.key, None)

        queue.alarm = self._watch.ring(max(self._patience(queue), 0.0), flush)

    def _patience(self, queue: _Queue) -> float:
        """Seconds until one more message may go out; the last ones of a budget only for tables."""
        manner, now = queue.channel.manner, self._watch.now()
        # One expression for the end of the window: two that differ by a rounding break the budget.
        while queue.sent and queue.sent[0] + manner.window - now <= 0:
            queue.sent.popleft()
        if queue.apart:
            return 0.0
        if manner.budget is None:
            return queue.said + manner.gap - now
        urgent = [each for each in queue.waiting if each.urgent]
        most = manner.budget - (0 if urgent else _reserve(manner.budget))
        # Where tables fill a message there is nothing to be gained: a longer wait would merge no more.
        gap = manner.gap if _size(urgent) > manner.merged else _gap(manner, len(queue.sent), most)
        between = queue.said + gap - now
        if len(queue.sent) < most:
            return between
        return max(between, queue.sent[len(queue.sent) - most] + manner.window - now)

    async def _flush(self, queue: _Queue) -> None:
        while queue.waiting and self._patience(queue) <= 0:
            self._favour(queue)
            batch = _batch(queue)
            first, *rest = split(" ".join(_joined(batch)), queue.channel.manner.length)
            queue.waiting.extendleft(replace(batch[0], text=text, behind="") for text in reversed(rest))
            await self._send(queue, first, batch)

    def _favour(self, queue: _Queue) -> None:
        """Let what tables tell go first where something has to wait for a later message."""
        manner = queue.channel.manner
        crowded = manner.gap > 0 and _size(queue.waiting) > manner.merged
        if manner.budget is not None:
            crowded = crowded or len(queue.sent) >= manner.budget - _reserve(manner.budget)
        if crowded:
            queue.waiting = deque(sorted(queue.waiting, key=lambda each: not each.urgent))

    async def _send(self, queue: _Queue, text: str, batch: list[_Waiting]) -> None:
        queue.sent.append(self._watch.now())
        says = tuple(each.say for each in batch)
        try:
            await queue.channel.door.send(Delivery(queue.channel.id, text, queue.to, says))
        except Exception:
            log.exception("a line could not be sent", channel=queue.channel.id)
        queue.said = self._watch.now()


def _kind(message: Message) -> str:
    """Tell refusals apart by what they are about, such as a game, but not by who typed what."""
    about = (each.id for each in message.args.values() if isinstance(each, Message))
    return " ".join((message.id, *about))


def _alone(channel: Channel, say: Say) -> bool:
    """Whether a line goes to one person alone."""
    match channel.manner.private:
        case Privacy.NONE:
            return False
        case Privacy.SECRETS:
            return say.to is not None and say.secret
        case Privacy.ALL:
            return say.to is not None


def _size(waiting: Iterable[_Waiting]) -> int:
    """Count the characters of one message of it all, but for names that need not be repeated."""
    return sum(len(each.text) + 1 for each in waiting) - 1


def _reserve(budget: int) -> int:
    return min(RESERVE, budget // 5)


def _gap(manner: Manner, sent: int, most: int) -> float:
    """Seconds between two messages, of which so many of `most` went out within the window.

    `early` messages at the shortest gap and the others at the longest take one window together: so
    however long lines keep coming, the next message is due before the budget is used up.
    """
    if manner.longest_gap <= manner.gap:
        return manner.gap
    early = (most * manner.longest_gap - manner.window) / (manner.longest_gap - manner.gap)
    return manner.gap if sent < early else manner.longest_gap


def _batch(queue: _Queue) -> list[_Waiting]:
    """Take the next line, and with it those behind it that fit into one message."""
    manner = queue.channel.manner
    batch = [queue.waiting.popleft()]
    size, most = len(batch[0].text), min(manner.merged, manner.length)
    while queue.waiting and not queue.apart:
        size += 1 + len(queue.waiting[0].text)
        if size > most:
            break
        batch.append(queue.waiting.popleft())
    return batch


def _joined(batch: Sequence[_Waiting]) -> Iterator[str]:
    """Name whom several lines of one message are for but once."""
    yield batch[0].text
    for before, each in pairwise(batch):
        named = before.behind and each.behind and before.say.to == each.say.to
        yield each.behind if named else each.text


def split(text: str, length: int) -> list[str]:
    """Split at words into pieces of at most `length` UTF-16 units; a longer word is cut."""
    pieces = []
    while (fits := _fitting(text, length)) < len(text):
        cut = text.rfind(" ", 1, fits + 1)
        cut = cut if cut > 0 else max(fits, 1)
        pieces.append(text[:cut].rstrip())
        text = text[cut:].lstrip()
    return [*pieces, text] if text else pieces


def _fitting(text: str, length: int) -> int:
    """Count the characters at the beginning that are at most so many units together."""
    if len(text) * 2 <= length:
        return len(text)
    ends = accumulate(1 + (each > "\uffff") for each in text)
    return sum(1 for _ in takewhile(lambda units: units <= length, ends))
