"""Cooldowns of commands: how often each may be used in a room and by a member.

Only accepted commands count, for everybody. The last uses are in the memory of the process that runs the
room, where all its commands are decided. Whoever takes the room over begins without them, as a restart does:
a command may be used once more then. What is worth credits is limited by the ledger: a claim by the id of
its payment, gifts and grants by sums of the day, and the pause after a table by when that ended.
"""

from __future__ import annotations

import re
from collections import OrderedDict, deque
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, TypeVar

from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.say import Message
from chatbot.kernel.units import plain
from chatbot.runtime.limits import remember
from chatbot.speech.spans import lasting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chatbot.kernel.say import Arguments
    from chatbot.runtime.clock import Watch

K = TypeVar("K")
V = TypeVar("V")

OFF = "off"
DAY = 86_400  # seconds
LONGEST_COOLDOWN = DAY  # seconds
MOST_USES = 1000  # in a day
REMEMBERED = 10_000  # members and commands whose last uses are stored
EXPECTED_COOLDOWN = Message("expects-cooldown", {"longest": LONGEST_COOLDOWN, "most": MOST_USES})
_COOLDOWN = re.compile(r"([0-9]{1,8})(?:/([0-9]{1,8})(?:/([0-9]{1,4}))?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Cooldown:
    """Seconds between two uses in the whole room and by a member, and uses of a member in 24 hours.

    0 stands for no limit.
    """

    room: int = 0
    member: int = 0
    uses: int = 0

    @classmethod
    def read(cls, text: str) -> Cooldown | None:
        """Parse `30` (of a member), `5/60` (of the room, of a member), `5/60/3` (and uses) or `off`.

        A time may have units, as in `30s` or `5s/1m/3`.
        Return None if the text is none of these, or a limit is too large.
        """
        if text.lower() == OFF:
            return NO_COOLDOWN
        times, uses = text.split("/")[:2], text.split("/")[2:]
        match = _COOLDOWN.fullmatch("/".join([*(plain(each, "seconds") for each in times), *uses]))
        if match is None:
            return None
        first, *more = (int(each) for each in match.groups() if each is not None)
        cooldown = cls(first, *more) if more else cls(member=first)
        valid = max(cooldown.room, cooldown.member) <= LONGEST_COOLDOWN and cooldown.uses <= MOST_USES
        return cooldown if valid else None

    def __str__(self) -> str:
        if self == NO_COOLDOWN:
            return OFF
        return f"{self.room}/{self.member}" + (f"/{self.uses}" if self.uses else "")

    @property
    def parts(self) -> Iterator[tuple[str, Arguments]]:
        """Yield its limits, each as the id of a message and its arguments."""
        if self.room:
            yield "cooldown-room", {"wait": lasting(self.room)}
        if self.member:
            yield "cooldown-member", {"wait": lasting(self.member)}
        if self.uses:
            yield "cooldown-uses", {"uses": self.uses}


NO_COOLDOWN = Cooldown()
READING_COOLDOWN, OPENING_COOLDOWN = Cooldown(member=5), Cooldown(member=30)
"""Defaults: for commands that only read, and for those that open a table in games with several tables."""


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a command that has a cooldown."""

    room: str
    word: str
    seat: Seat
    cooldown: Cooldown


class Uses:
    """The times of the last uses of commands."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._rooms: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._members: OrderedDict[tuple[str, str, Seat], deque[float]] = OrderedDict()

    def require(self, use: Use) -> None:
        """Check that a use is allowed now.

        Raises:
            Refusal: one of the limits has not expired.
        """
        left, message = max(self._waits(use))
        if left > 0:
            args: Arguments = {
                "word": f"!{use.word}",
                "wait": lasting(ceil(left)),
                "seconds": ceil(left),
                "uses": use.cooldown.uses,
            }
            raise Refusal(Message(message, args))

    def note(self, use: Use) -> Callable[[], None]:
        """Record a use, and return a function that reverts this, for a command that fails to commit."""
        now = self._watch.now()
        room_key, member_key = (use.room, use.word), (use.room, use.word, use.seat)
        last, previous = self._rooms.get(room_key), self._members.get(member_key)
        remember(self._rooms, room_key, now, REMEMBERED)
        times = deque([*(previous or ()), now], max(use.cooldown.uses, 1))
        remember(self._members, member_key, times, REMEMBERED)

        def revert() -> None:
            _restore(self._rooms, room_key, last)
            _restore(self._members, member_key, previous)

        return revert

    def _waits(self, use: Use) -> Iterator[tuple[float, str]]:
        """Yield the seconds that are left of each limit, and the message that says so."""
        now, cooldown = self._watch.now(), use.cooldown
        times = self._members.get((use.room, use.word, use.seat), deque())
        last = self._rooms.get((use.room, use.word))
        yield (0.0 if last is None else last + cooldown.room - now), "limit-room"
        yield (times[-1] + cooldown.member - now if times else 0.0), "limit-member"
        if 0 < cooldown.uses <= len(times):
            yield times[-cooldown.uses] + DAY - now, "limit-uses"


def _restore(entries: OrderedDict[K, V], key: K, previous: V | None) -> None:
    if previous is None:
        entries.pop(key, None)
    else:
        remember(entries, key, previous, REMEMBERED)
