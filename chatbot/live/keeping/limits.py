"""How often a command may be used: rests of the room and of each member, and uses in a day.

Only what was accepted counts, and nobody is excepted. What is remembered is gone after a restart.
"""

from __future__ import annotations

import re
from collections import OrderedDict, deque
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal, Role, Seat
from chatbot.kernel.say import Message
from chatbot.live.asked import Service, first_word
from chatbot.live.keeping.groups import Entries
from chatbot.live.keeping.permits import word_of
from chatbot.live.keeping.values import wrong
from chatbot.live.meant import table_for, topic_of
from chatbot.live.newest import remember
from chatbot.live.room import Privacy
from chatbot.live.wording.spans import lasting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chatbot.live.asked import Asked, Found
    from chatbot.live.guide import Guide
    from chatbot.live.room import Room
    from chatbot.live.watch import Watch

OFF = "off"
DAY = 86_400  # seconds
LONGEST, MOST_USES = DAY, 1000
REMEMBERED = 10_000  # members and commands whose last uses are known
_WRITTEN = re.compile(r"([0-9]{1,5})(?:/([0-9]{1,5})(?:/([0-9]{1,4}))?)?", re.ASCII)
_EXPECTED = Message("expects-cooldown", {"longest": LONGEST, "most": MOST_USES})


@dataclass(frozen=True, slots=True)
class Limit:
    """Seconds of rest for the whole room and for a member, and how often a member may in 24 hours.

    0 stands for no limit.
    """

    room: int = 0
    member: int = 0
    uses: int = 0

    @classmethod
    def read(cls, text: str) -> Limit | None:
        """Read `30` (of a member), `5/60` (of the room, of a member), `5/60/3` (and uses) or `off`."""
        if text.lower() == OFF:
            return cls()
        written = _WRITTEN.fullmatch(text)
        if written is None:
            return None
        first, *more = (int(each) for each in written.groups() if each is not None)
        limit = cls(first, *more) if more else cls(member=first)
        return limit if max(limit.room, limit.member) <= LONGEST and limit.uses <= MOST_USES else None

    def __str__(self) -> str:
        if self == Limit():
            return OFF
        return f"{self.room}/{self.member}" + (f"/{self.uses}" if self.uses else "")


READING, APART = Limit(member=5), Limit(member=30)
"""What counts where nothing is set: for what is read, and for opening a table of one's own."""


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a command that has a limit."""

    room: str
    word: str
    seat: Seat
    limit: Limit


class Limits:
    """`group` is the table as settings: the word of a command, and its limit."""

    def __init__(self, guide: Guide, watch: Watch) -> None:
        self._guide, self._watch = guide, watch
        self._rooms: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._members: OrderedDict[tuple[str, str, Seat], deque[float]] = OrderedDict()
        self.group = Entries("cooldowns", self._entry, _EXPECTED, ("top", "5/60"), default=self._usual)

    def of(self, room: Room, word: str) -> Limit:
        """Give the limit that counts in a room.

        What is usual counts only where answers to one person are read by all: there they cost
        everybody's attention, and the little that the platform lets the bot say.
        """
        chosen = self.group.of(room).get(word)
        if chosen is None and all(each.manner.private is Privacy.ALL for each in room.channels):
            return Limit()
        return Limit.read(chosen or self._usual(word)) or Limit()

    def check(self, asked: Asked, found: Found) -> Use | None:
        """Give the use that this would be, if it is one of a command with a limit.

        Raises:
            Refusal: it is too early for it.
        """
        word = first_word(found)
        limit = self.of(asked.room, word)
        if limit == Limit() or not _counts(asked, found):
            return None
        use = Use(asked.room.id, word, asked.line.seat, limit)
        left, why = max(self._waits(use))
        if left > 0:
            raise Refusal(
                Message(why, {"word": f"!{use.word}", "wait": lasting(ceil(left)), "uses": limit.uses})
            )
        return use

    def note(self, use: Use) -> Callable[[], None]:
        """Let a use count from now on; give what takes that back."""
        now = self._watch.now()
        place, key = (use.room, use.word), (use.room, use.word, use.seat)
        last, former = self._rooms.get(place), self._members.get(key, deque())
        remember(self._rooms, place, now, REMEMBERED)
        remember(self._members, key, deque([*former, now], max(use.limit.uses, 1)), REMEMBERED)

        def take_back() -> None:
            remember(self._members, key, former, REMEMBERED)
            if last is None:
                self._rooms.pop(place, None)
            else:
                remember(self._rooms, place, last, REMEMBERED)

        return take_back

    def _waits(self, use: Use) -> Iterator[tuple[float, str]]:
        """Tell the seconds that are left of each of its limits."""
        now, limit = self._watch.now(), use.limit
        own = self._members.get((use.room, use.word, use.seat), deque())
        last = self._rooms.get((use.room, use.word))
        yield (0.0 if last is None else last + limit.room - now), "limit-room"
        yield (own[-1] + limit.member - now if own else 0.0), "limit-member"
        if 0 < limit.uses <= len(own):
            yield own[-limit.uses] + DAY - now, "limit-uses"

    def _usual(self, word: str) -> str:
        service, found = self._guide.service(word), self._guide.command(word)
        if service is not None:
            return str(READING if service.reads and service.least is Role.VIEWER else Limit())
        opens = found is not None and found[0].apart is not None and found[1].opens
        return str(APART if opens else Limit())

    def _entry(self, key: str, text: str) -> tuple[str, str]:
        word = word_of(self._guide, key)
        service, limit = self._guide.service(word), Limit.read(text)
        if service is not None and service.least.covers(Role.MODERATOR):
            raise Refusal(Message("limit-of-keepers", {"word": f"!{word}"}))
        if limit is None:
            raise wrong(word, text, _EXPECTED)
        return word, str(limit)


def _counts(asked: Asked, found: Found) -> bool:
    """Whether a limit counts here: a question about a game, and a move at one's own table, are free."""
    if isinstance(found, Service):
        return True
    kit, command = found
    if topic_of(kit, command, asked.words):
        return False
    if kit.apart is None or not command.opens:
        return True
    table = table_for(asked.room, kit, command, asked.line, asked.words)
    return table is None or table.over
