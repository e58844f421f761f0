"""Queue messages and send them within the rate limit of each channel, merging what it can.

Several lines become one message, and answers of one kind to many members become one line: equal ones are
addressed to all of them, and those that have a row (the messages `…-row` and `…-rows`) are listed. Answers,
and lines that a table must announce, are never dropped.

A channel is spoken in by the process that runs its room, so the limit holds there. Whoever takes the room
over does not know what was said in the last half minute. If a platform then finds it too much, its adapter
waits.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate, pairwise, takewhile
from math import inf
from typing import TYPE_CHECKING

import structlog

from chatbot.kernel.game import Seat
from chatbot.kernel.say import Credits, Listing, Message, Name, Talk
from chatbot.ledger.people import Account
from chatbot.rooms.channel import CALM, Channel, Delivery, Manner
from chatbot.rooms.room import Room
from chatbot.runtime.clock import Alarm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from chatbot.runtime.clock import Watch
    from chatbot.speech.safe import Dress

    Format = Callable[[Message, Dress, Room], str]

# Waiting lines from which on only answers and mandatory lines of tables are queued: at the slowest
# budget, 20 messages in 30 s, they take a minute and a half where no two fit into one message.
MAX_OPTIONAL_BACKLOG = 60
LEAST_FILLED = 0.4  # of a message that is ended before it is full, so that it ends where a sentence does
# The end of a sentence before a blank; the number of a place in a list, as in `2. Ida`, is none.
_SENTENCE = re.compile(r"(?<![\s\d])[.!?…](?=\s)|(?<=[^\s]\d)[.!?…](?=\s)")
_PART = re.compile(r"[,;:·](?=\s)")
MAX_BACKLOG = 5000  # waiting lines from which on nothing is queued; the commands of a raid must fit
RESERVE = 2  # messages of a budget for tables: the end of a phase and its result must not wait for answers
NOTICED = 0.05  # seconds: a longer wait is noticed, and so worth merging for
# An answer that has to wait for the budget waits for another one to go with it, for so many times the mean
# time between two messages. Else, where answers come just as fast as the budget lets them go, one that was
# late would make every later one as late: nothing would ever make up for it.
HOLD = 1.25
# Waiting answers of one kind from which on they are one line; two are as short by themselves.
MERGE_THRESHOLD = 3
HEADING = 20  # characters of a message that lists rows which are kept for what stands around them
ROW_SEPARATOR = ", "  # between the answers of a list
LOG_INTERVAL = 60.0  # seconds between two warnings about a channel whose lines cannot all be sent
REFUSAL_INTERVAL = 60.0  # seconds in which a member is refused the same thing in public at most once
# Seconds for which others of a kind are collected, once in each interval: a raid comes in less.
REFUSAL_DELAY = 5.0

log = structlog.get_logger(__name__)


@dataclass(eq=False, slots=True)
class _Refusals:
    """The refusals of one kind in a channel: when each member was last sent one, and those that are deferred.

    Times are in seconds of the program's clock.
    """

    since: float  # when the present interval began
    times: dict[Seat, float] = field(default_factory=dict)
    deferred: dict[Seat, tuple[Delivery, float]] = field(default_factory=dict)  # each with its time
    # Whether others were sent in this interval, so that the next ones wait for its end.
    collected: bool = False

    def is_due(self, seat: Seat, now: float) -> bool:
        """Whether a member is to be sent another one, and none is deferred for them yet."""
        return now >= self.times.get(seat, -REFUSAL_INTERVAL) + REFUSAL_INTERVAL and seat not in self.deferred

    def recent(self, now: float) -> dict[Seat, float]:
        """Return who was sent one so recently that they are not sent another, and when."""
        return {seat: at for seat, at in self.times.items() if now < at + REFUSAL_INTERVAL}

    def delay(self, now: float) -> float:
        """Return the seconds until the deferred refusals are sent."""
        if self.collected:
            return self.since + REFUSAL_INTERVAL - now
        return REFUSAL_DELAY

    def release(self, now: float) -> list[Delivery]:
        """Return the deferred refusals that still hold, and begin the next interval if this one is over."""
        refusals = [each for each, came in self.deferred.values() if not _is_expired(each, now - came)]
        # Those that have expired count as sent too: their waits have ended, so nobody needs to hear of them.
        self.times = {**self.recent(now), **dict.fromkeys(self.deferred, now)}
        self.deferred.clear()
        self.collected = now < self.since + REFUSAL_INTERVAL
        if not self.collected:
            self.since = now
        return refusals


@dataclass(eq=False)
class _Queue:
    """The lines that wait to be sent to one channel, or to one account there in private."""

    room: Room
    channel: Channel
    to: Account | None = None
    lines: deque[Delivery] = field(default_factory=deque)
    times: deque[float] = field(default_factory=deque)  # times of the messages within the budget's window
    refusals: dict[str, _Refusals] = field(default_factory=dict)  # by kind
    since: float = -inf  # when the first of the waiting lines came
    completed: float = -inf  # when the platform adapter finished sending the last message
    alarm: Alarm | None = None
    warned: float = -inf  # when it was last logged that nothing more is queued
    sending: bool = False  # messages are sent one after the other, however slow the platform

    @property
    def key(self) -> tuple[str, Account | None]:
        return self.channel.id, self.to

    @property
    def is_private(self) -> bool:
        """Whether it is for one account: it waits neither for the last message nor for the budget."""
        return self.to is not None


class Sender:
    """Sends lines to the platforms, at the rate and in the form that each channel's `Manner` states.

    `format_message` formats merged lines; `has_message` says whether there is a message with an id.
    """

    def __init__(self, watch: Watch, format_message: Format, has_message: Callable[[str], bool]) -> None:
        self._watch, self._format, self._has_message = watch, format_message, has_message
        self._queues: dict[tuple[str, Account | None], _Queue] = {}

    def put(self, room: Room, channel: Channel, delivery: Delivery, *, answer: bool = False) -> None:
        """Queue a line; the platform adapter is called later, from an alarm of the clock.

        An `answer` to somebody's command is never dropped, though everybody can read it.
        """
        queue = _Queue(room, channel, delivery.to)
        queue = self._queues.setdefault(queue.key, queue)
        # A channel may be in another room since, or have other limits after a reconnection.
        queue.room, queue.channel = room, channel
        if not queue.is_private and not self._admits(queue, delivery, answer=answer):
            return
        if queue.is_private or not self._defers(queue, delivery):
            if not queue.lines:
                queue.since = self._watch.now()
            queue.lines.append(delivery)
            self._schedule(queue)

    def _admits(self, queue: _Queue, delivery: Delivery, *, answer: bool) -> bool:
        """Whether a line is queued, however many wait."""
        count = len(queue.lines)
        if count == MAX_BACKLOG and self._watch.now() >= queue.warned + LOG_INTERVAL:
            queue.warned = self._watch.now()
            log.warning("more is to be said than can be sent", channel=queue.channel.id, lines=count)
        mandatory = _is_mandatory(delivery) or (answer and delivery.says[0].game is None)
        return count < (MAX_BACKLOG if mandatory else MAX_OPTIONAL_BACKLOG)

    def _defers(self, queue: _Queue, delivery: Delivery) -> bool:
        """Defer a refusal of a kind that was just sent, to merge it with others, or drop a repeated one.

        Return whether the line was deferred or dropped.
        """
        say, now = delivery.says[0], self._watch.now()
        if say.event != "Refusal" or say.to is None:
            return False
        kind = _refusal_kind(say.message)
        refusals = queue.refusals.get(kind)
        if refusals is None:
            queue.refusals[kind] = _Refusals(now, {say.to: now})
            return False
        if not refusals.is_due(say.to, now):
            return True
        if now >= refusals.since + REFUSAL_INTERVAL and not refusals.deferred:
            queue.refusals[kind] = _Refusals(now, {**refusals.recent(now), say.to: now})
            return False
        if not refusals.deferred:
            self._watch.ring(refusals.delay(now), partial(self._release, queue, refusals))
        refusals.deferred[say.to] = delivery, now
        return True

    async def _release(self, queue: _Queue, refusals: _Refusals) -> None:
        """Queue the deferred refusals, merged from two on."""
        queue.lines.extend(self._merged(queue, refusals.release(self._watch.now()), 2))
        self._schedule(queue)

    def _schedule(self, queue: _Queue) -> None:
        """Set the alarm for the next message; each further line can make it earlier or later."""
        if queue.alarm is not None:
            queue.alarm.cancel()
            queue.alarm = None
        if not queue.lines or queue.sending:
            return

        async def flush() -> None:
            # While a message is sent no alarm is set: a slow platform would otherwise get the next one before
            # the answer to this one, in any order.
            queue.alarm, queue.sending = None, True
            try:
                await self._flush(queue)
            finally:
                queue.sending = False
            self._schedule(queue)
            if queue.is_private and not queue.lines:
                self._queues.pop(queue.key, None)

        queue.alarm = self._watch.ring(max(self._delay(queue), 0.0), flush)

    def _delay(self, queue: _Queue) -> float:
        """Return the seconds until the next message may be sent."""
        manner, now = queue.channel.manner, self._watch.now()
        # The end of the window is written as below, for another rounding of it would exceed the budget.
        while queue.times and queue.times[0] + manner.window - now <= 0:
            queue.times.popleft()
        if queue.is_private:
            return 0.0
        if manner.budget is None:
            return queue.completed + manner.gap - now
        urgent = [each for each in queue.lines if _is_urgent(each)]
        reserve = 0 if urgent else _reserve(manner.budget)
        # Once the lines of tables fill a message, waiting longer would not merge any more of them.
        full = _size(urgent) > manner.merged
        calm = not urgent and _is_calm(queue.times, manner.calm, now)
        gap = manner.gap if full else _gap(manner, len(queue.times), manner.budget - reserve)
        between = queue.completed + (0.0 if calm else gap)
        return max(between, _free(queue, manner.budget, reserve)) - now

    async def _flush(self, queue: _Queue) -> None:
        while queue.lines and self._delay(queue) <= 0:
            self._arrange(queue)
            batch = _batch(queue)
            first, *rest = split(" ".join(_joined(batch)), queue.channel.manner.length)
            queue.lines.extendleft(replace(batch[0], text=text, bare="") for text in reversed(rest))
            await self._send(queue, first, batch)

    def _arrange(self, queue: _Queue) -> None:
        """Merge answers, and put lines of tables first, where not all lines fit into the next message."""
        manner = queue.channel.manner
        if not queue.is_private and manner.merged and _size(queue.lines) > manner.merged:
            queue.lines = deque(self._merged(queue, [*queue.lines], MERGE_THRESHOLD))
        crowded = manner.gap > 0 and _size(queue.lines) > manner.merged
        if manner.budget is not None:
            crowded = crowded or len(queue.times) >= manner.budget - _reserve(manner.budget)
        if crowded:
            queue.lines = deque(sorted(queue.lines, key=lambda each: not _is_urgent(each)))

    async def _send(self, queue: _Queue, text: str, batch: list[Delivery]) -> None:
        # Counted before it is sent, and if it fails too: the platform may count it, and a limit that is
        # passed mutes us.
        queue.times.append(self._watch.now())
        says = tuple(say for each in batch for say in each.says)
        try:
            await queue.channel.adapter.send(Delivery(queue.channel.id, text, queue.to, says))
        except Exception:
            log.exception("a line could not be sent", channel=queue.channel.id)
        queue.completed = self._watch.now()

    def _merged(self, queue: _Queue, lines: Sequence[Delivery], least: int) -> Iterator[Delivery]:
        """Replace `least` or more lines of one kind by a single line at the position of the first."""
        groups: dict[tuple[str, str], list[Delivery]] = {}
        for each in lines:
            groups.setdefault(self._merge_key(each), []).append(each)
        listed_ids = set[int]()
        for each in lines:
            group = groups[self._merge_key(each)]
            if id(each) in listed_ids:
                continue
            if self._has_rows(each) and len(group) >= least and group[0] is each:
                listing, count = self._listing(queue, group)
                listed_ids.update(map(id, group[:count]))
                yield listing
            elif len(group) < least or not each.bare:
                yield each
            elif group[0] is each:
                yield self._merged_line(queue, group)

    def _has_rows(self, delivery: Delivery) -> bool:
        """Whether lines of this kind, which everybody reads, are listed in rows."""
        say = delivery.says[0]
        return say.to is None and say.game is None and self._has_message(_rows_variant(say.message.id))

    def _listing(self, queue: _Queue, group: Sequence[Delivery]) -> tuple[Delivery, int]:
        """List what several members asked for, each answer once; return also how many of the group it holds.

        The others wait for the next message.
        """
        most = min(queue.channel.manner.merged, queue.channel.manner.length) - HEADING
        size, rows, deliveries = 0, list[str](), list[Delivery]()
        for each in group:
            texts = [self._text(queue, _row(say.message)) for say in each.says]
            size += sum(len(text) + len(ROW_SEPARATOR) for text in texts)
            if deliveries and size > most:
                break
            rows += texts
            deliveries.append(each)
        # The rows are words already: they are put in as they are.
        args = {"rows": ROW_SEPARATOR.join(dict.fromkeys(rows))}
        text = self._text(queue, Message(_rows_variant(group[0].says[0].message.id), args))
        return replace(group[0], text=text, says=tuple(say for each in deliveries for say in each.says)), len(
            deliveries
        )

    def _text(self, queue: _Queue, message: Message) -> str:
        return self._format(message, queue.channel.manner.dress, queue.room)

    def _merge_key(self, delivery: Delivery) -> tuple[str, str]:
        """Return the kind of a line: its text, or only its message id if that has a variant for many."""
        message = delivery.says[0].message.id
        alike = self._has_message(_group_variant(message)) or self._has_rows(delivery)
        return message, "" if alike else delivery.bare

    def _merged_line(self, queue: _Queue, group: Sequence[Delivery]) -> Delivery:
        """Address one line to all of a group, with as many names as fit into half a message."""
        first, says = group[0], tuple(say for each in group for say in each.says)
        names = [Name(seat) for seat in dict.fromkeys(say.to for say in says if say.to is not None)]
        count = len(names)
        best = self._merged_text(queue, first, names[:1], count)
        for number in range(2, len(names) + 1):
            text = self._merged_text(queue, first, names[:number], count)
            if len(text) > queue.channel.manner.merged // 2:
                break
            best = text
        return replace(first, text=best, bare=best, says=says)

    def _merged_text(self, queue: _Queue, first: Delivery, names: Sequence[Name], count: int) -> str:
        """Format a line for `count` members, of whom `names` are named and the others counted."""
        message = first.says[0].message
        who = Listing(tuple(Message("crowd-name", {"who": name}) for name in names), most=len(names))
        variant = _group_variant(message.id)
        if not self._has_message(variant):
            variant, message = "addressed-crowd", Message("addressed-crowd", {"text": message})
        args = {**message.args, "crowd": who, "more": count - len(names)}
        return self._format(Message(variant, args), queue.channel.manner.dress, queue.room)


def _group_variant(message: str) -> str:
    """Return the id of the message for several members that corresponds to a message for one."""
    return f"{message}-crowd"


def _rows_variant(message: str) -> str:
    """Return the id of the message that lists what a message for one tells several members."""
    return f"{message}-rows"


def _row(message: Message) -> Message:
    """Return a message as a row of a list, where amounts are plain numbers."""
    args = {key: each.amount if isinstance(each, Credits) else each for key, each in message.args.items()}
    return Message(f"{message.id}-row", args)


def _refusal_kind(message: Message) -> str:
    """Distinguish refusals by their subject, such as a game or a command, but not by what a member typed."""
    subjects = (each for each in message.args.values() if isinstance(each, Message))
    return " ".join((message.id, *map(_subject, subjects)))


def _subject(message: Message) -> str:
    """Return what a message is about: its id, or the words of which it consists, such as a usage."""
    word = message.args.get("word") if message.id == "word" else None
    if isinstance(word, Listing):
        return " ".join(map(_subject, word.items))
    return word if isinstance(word, str) else message.id


def _is_expired(refusal: Delivery, seconds: float) -> bool:
    """Whether a refusal for a number of seconds no longer holds after so many."""
    wait = refusal.says[0].message.args.get("seconds")
    return isinstance(wait, int) and wait <= seconds


def _is_urgent(delivery: Delivery) -> bool:
    """Whether a line comes from a table; answers can wait."""
    return delivery.says[0].game is not None


def _is_mandatory(delivery: Delivery) -> bool:
    """Whether a line is queued however many wait: an answer, or one that a table must announce."""
    return any(
        say.to is not None or (say.talk is Talk.QUIET and say.game is not None) for say in delivery.says
    )


def _size(lines: Iterable[Delivery]) -> int:
    """Return the characters of one message of all lines; names that would not be repeated are included."""
    return sum(len(each.text) + 1 for each in lines) - 1


def _reserve(budget: int) -> int:
    """Return how many messages of a budget are reserved for tables."""
    return min(RESERVE, budget // 5)


def _free(queue: _Queue, budget: int, reserve: int) -> float:
    """Return when the budget has a message for what waits, and `reserve` of them are left for tables."""
    manner = queue.channel.manner
    mean = manner.window / budget
    pace = 0.0 if _is_playing(queue.room) else mean
    free = max(_ends(queue.times, budget, manner.window, reserve, pace), default=-inf)
    if reserve and manner.merged and len(queue.lines) == 1 and free > queue.since + NOTICED:
        return max(free, queue.since + HOLD * mean)
    return free


def _ends(times: Sequence[float], budget: int, window: float, reserve: int, pace: float) -> Iterator[float]:
    """Yield times, at the last of which another message leaves `reserve` messages of the budget for tables.

    Each of these is left when it can be needed: at once if `pace` is 0, or else the first within `pace`
    seconds after that message, the second within twice as many, and so on. Thus what is said at an even pace
    has the whole budget, and tables find a reserve after a burst.
    """
    for spare in range(reserve + 1):
        place = len(times) - budget + spare
        if place >= 0:
            yield times[place] + window - spare * pace


def _is_calm(times: Sequence[float], most: int, now: float) -> bool:
    """Whether so little was sent just before that an answer need not wait for others to be merged with."""
    return most > 0 and (len(times) < most or times[len(times) - most] + CALM <= now)


def _is_playing(room: Room) -> bool:
    """Whether there is a table in a room, which may have something to tell at any moment."""
    return any(not table.over for table in room.tables.values())


def _gap(manner: Manner, count: int, most: int) -> float:
    """Return the seconds between two messages, when `count` of `most` were sent within the window.

    `early` messages at the shortest gap and the others at the longest take one window together: thus a
    steady stream of lines never exhausts the budget.
    """
    if manner.longest_gap <= manner.gap:
        return manner.gap
    early = (most * manner.longest_gap - manner.window) / (manner.longest_gap - manner.gap)
    return manner.gap if count < early else manner.longest_gap


def _batch(queue: _Queue) -> list[Delivery]:
    """Remove the next line from a queue, with those after it that fit into the same message."""
    manner = queue.channel.manner
    batch = [queue.lines.popleft()]
    size, most = len(batch[0].text), min(manner.merged, manner.length)
    while queue.lines and not queue.is_private:
        size += 1 + len(queue.lines[0].text)
        if size > most:
            break
        batch.append(queue.lines.popleft())
    return batch


def _joined(batch: Sequence[Delivery]) -> Iterator[str]:
    """Yield the texts of lines; consecutive lines for the same member name that member once."""
    yield batch[0].text
    for before, each in pairwise(batch):
        alone = before.bare != before.text  # a merged line names others too
        same_member = before.bare and alone and each.bare and before.says[0].to == each.says[0].to
        yield each.bare if same_member else each.text


def split(text: str, length: int) -> list[str]:
    """Split a text into pieces of at most `length` UTF-16 units: after a sentence, or else between words.

    A word that is longer is cut.
    """
    pieces = []
    while (fits := _fitting(text, length)) < len(text):
        end = _end_of(text, _SENTENCE, fits) or _end_of(text, _PART, fits) or text.rfind(" ", 1, fits + 1)
        end = end if end > 0 else max(fits, 1)
        pieces.append(text[:end].rstrip())
        text = text[end:].lstrip()
    return [*pieces, text] if text else pieces


def is_longer(text: str, length: int) -> bool:
    """Whether a text has more than `length` UTF-16 units, so that it takes several messages."""
    return _fitting(text, length) < len(text)


def _end_of(text: str, ends: re.Pattern[str], fits: int) -> int:
    """Return where the last part ends that fits; 0: too much of a message would be wasted by that."""
    last = max((each.end() for each in ends.finditer(text, 0, fits + 1) if each.end() <= fits), default=0)
    return last if last >= LEAST_FILLED * fits else 0


def _fitting(text: str, length: int) -> int:
    """Count the characters at the beginning that together have at most `length` UTF-16 units."""
    if len(text) * 2 <= length:
        return len(text)
    ends = accumulate(1 + (each > "\uffff") for each in text)
    return sum(1 for _ in takewhile(lambda units: units <= length, ends))
