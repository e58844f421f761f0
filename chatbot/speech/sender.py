"""When is said what: merging, budget, a crowd's answers as one. What a table must tell is never dropped."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate, pairwise, takewhile
from math import inf
from typing import TYPE_CHECKING

import structlog

from chatbot.kernel.game import Seat
from chatbot.kernel.say import Listing, Message, Name, Talk
from chatbot.ledger.people import Account
from chatbot.rooms.clock import Alarm
from chatbot.rooms.room import Channel, Delivery, Manner, Room

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from chatbot.rooms.clock import Watch
    from chatbot.speech.safe import Dress

    Word = Callable[[Message, Dress, Room], str]

CROWDED = 60  # lines waiting from which on only answers and what a table must tell are added
RESERVE = 2  # messages of a budget that are kept for what tables tell
CROWD = 3  # answers of one kind that wait, from which on they are one
REPEAT = 60.0  # seconds in which nobody is refused the same in public twice
GATHERED = 5.0  # seconds after a refusal in which those of its kind become one; the next after a minute

log = structlog.get_logger(__name__)


@dataclass(eq=False, slots=True)
class _Refused:
    """Whom one kind of refusal was told in public, since when, and who waits for it to be told again."""

    since: float
    told: dict[Seat, float] = field(default_factory=dict)
    held: dict[Seat, Delivery] = field(default_factory=dict)

    def fresh(self, seat: Seat, now: float) -> bool:
        return now >= self.told.get(seat, -REPEAT) + REPEAT and seat not in self.held

    def left(self, now: float) -> float:
        """Seconds until those who wait are told."""
        return (GATHERED if now < self.since + GATHERED else REPEAT) + self.since - now


@dataclass(eq=False)
class _Queue:
    """What waits for one channel, or for one person there."""

    room: Room
    channel: Channel
    to: Account | None = None
    waiting: deque[Delivery] = field(default_factory=deque)
    sent: deque[float] = field(default_factory=deque)  # when, within the budget's window
    refused: dict[str, _Refused] = field(default_factory=dict)  # by kinds of refusals
    said: float = -inf  # when the door was done with the last message
    alarm: Alarm | None = None
    sending: bool = False  # lines go out one after the other, however slow the door

    @property
    def key(self) -> tuple[str, Account | None]:
        return self.channel.id, self.to

    @property
    def apart(self) -> bool:
        """Whether it waits neither for the last message nor for the channel's budget."""
        return self.to is not None


class Sender:
    """Brings what is worded to the doors, as each channel's manner wants it.

    `word` words what a crowd is told at once; `known` tells whether there is a message of an id.
    """

    def __init__(self, watch: Watch, word: Word, known: Callable[[str], bool]) -> None:
        self._watch, self._word, self._known = watch, word, known
        self._queues: dict[tuple[str, Account | None], _Queue] = {}

    def put(self, room: Room, channel: Channel, delivery: Delivery) -> None:
        """Put a line on its way; the door is called from an alarm of the watch, never from here."""
        queue = _Queue(room, channel, delivery.to)
        queue = self._queues.setdefault(queue.key, queue)
        queue.room, queue.channel = room, channel
        if not queue.apart and len(queue.waiting) >= CROWDED and not _must(delivery):
            return
        if queue.apart or not self._holds(queue, delivery):
            queue.waiting.append(delivery)
            self._wind(queue)

    def _holds(self, queue: _Queue, delivery: Delivery) -> bool:
        """Keep a refusal back of a kind that was said just now: many are told at once, and nobody again."""
        say, now = delivery.says[0], self._watch.now()
        if say.event != "Refusal" or say.to is None:
            return False
        kind = _about(say.message)
        refused = queue.refused.get(kind)
        if refused is None or (now >= refused.since + REPEAT and not refused.held):
            queue.refused[kind] = _Refused(now, {say.to: now})
            return False
        if refused.fresh(say.to, now):
            if not refused.held:
                self._watch.ring(refused.left(now), partial(self._release, queue, refused))
            refused.held[say.to] = delivery
        return True

    async def _release(self, queue: _Queue, refused: _Refused) -> None:
        now = self._watch.now()
        refused.told = {seat: at for seat, at in refused.told.items() if now < at + REPEAT}
        refused.told.update(dict.fromkeys(refused.held, now))
        queue.waiting.extend(self._gathered(queue, [*refused.held.values()], 2))
        refused.held.clear()
        if now >= refused.since + REPEAT:
            refused.since = now
        self._wind(queue)

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
        urgent = [each for each in queue.waiting if _urgent(each)]
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
            queue.waiting.extendleft(replace(batch[0], text=text, bare="") for text in reversed(rest))
            await self._send(queue, first, batch)

    def _favour(self, queue: _Queue) -> None:
        """Let what tables tell go first where something has to wait for a later message."""
        manner = queue.channel.manner
        if not queue.apart and manner.merged and _size(queue.waiting) > manner.merged:
            queue.waiting = deque(self._gathered(queue, [*queue.waiting], CROWD))
        crowded = manner.gap > 0 and _size(queue.waiting) > manner.merged
        if manner.budget is not None:
            crowded = crowded or len(queue.sent) >= manner.budget - _reserve(manner.budget)
        if crowded:
            queue.waiting = deque(sorted(queue.waiting, key=lambda each: not _urgent(each)))

    async def _send(self, queue: _Queue, text: str, batch: list[Delivery]) -> None:
        queue.sent.append(self._watch.now())
        says = tuple(say for each in batch for say in each.says)
        try:
            await queue.channel.door.send(Delivery(queue.channel.id, text, queue.to, says))
        except Exception:
            log.exception("a line could not be sent", channel=queue.channel.id)
        queue.said = self._watch.now()

    # A crowd

    def _gathered(self, queue: _Queue, lines: Sequence[Delivery], least: int) -> Iterator[Delivery]:
        """Make one line of what says the same to so many people; it stands where the first did."""
        crowds: dict[tuple[str, str], list[Delivery]] = {}
        for each in lines:
            crowds.setdefault(self._kind(each), []).append(each)
        for each in lines:
            crowd = crowds[self._kind(each)]
            if len(crowd) < least or not each.bare:
                yield each
            elif crowd[0] is each:
                yield self._told_at_once(queue, crowd)

    def _kind(self, delivery: Delivery) -> tuple[str, str]:
        """Tell what is said to somebody; for a crowd that has words of its own the numbers do not matter."""
        message = delivery.says[0].message.id
        return message, "" if self._known(_crowd(message)) else delivery.bare

    def _told_at_once(self, queue: _Queue, crowd: Sequence[Delivery]) -> Delivery:
        first, says = crowd[0], tuple(say for each in crowd for say in each.says)
        names = [Name(seat) for seat in dict.fromkeys(say.to for say in says if say.to is not None)]
        count = len(names)
        best = self._crowd_of(queue, first, names[:1], count)
        for shown in range(2, len(names) + 1):
            text = self._crowd_of(queue, first, names[:shown], count)
            if len(text) > queue.channel.manner.merged // 2:
                break
            best = text
        return replace(first, text=best, bare=best, says=says)

    def _crowd_of(self, queue: _Queue, first: Delivery, names: Sequence[Name], count: int) -> str:
        """Word what all of a crowd are told: to some by name, to the others by their number."""
        message = first.says[0].message
        who = Listing(tuple(Message("crowd-name", {"who": name}) for name in names), most=len(names))
        told = _crowd(message.id)
        if not self._known(told):
            told, message = "addressed-crowd", Message("addressed-crowd", {"text": message})
        args = {**message.args, "crowd": who, "more": count - len(names)}
        return self._word(Message(told, args), queue.channel.manner.dress, queue.room)


def _crowd(message: str) -> str:
    return f"{message}-crowd"


def _about(message: Message) -> str:
    """Tell refusals apart by what they are about, such as a game, but not by who typed what."""
    about = (each.id for each in message.args.values() if isinstance(each, Message))
    return " ".join((message.id, *about))


def _urgent(delivery: Delivery) -> bool:
    """Whether a table tells it: answers can wait."""
    return delivery.says[0].game is not None


def _must(delivery: Delivery) -> bool:
    """Whether it is said however much waits: an answer, or what a table must tell."""
    say = delivery.says[0]
    return say.to is not None or (say.talk is Talk.QUIET and say.game is not None)


def _size(waiting: Iterable[Delivery]) -> int:
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


def _batch(queue: _Queue) -> list[Delivery]:
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


def _joined(batch: Sequence[Delivery]) -> Iterator[str]:
    """Name whom several lines of one message are for but once."""
    yield batch[0].text
    for before, each in pairwise(batch):
        named = before.bare and each.bare and before.says[0].to == each.says[0].to
        yield each.bare if named else each.text


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
