"""How often a command may be used: rests of the room and of each member, and uses in a day.

Only what was accepted counts, and nobody is excepted. What is remembered is gone after a restart.
"""

from __future__ import annotations

import re
from collections import OrderedDict, deque
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, TypeVar

from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.say import Message
from chatbot.live.newest import remember
from chatbot.live.wording.spans import lasting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chatbot.kernel.say import Arguments
    from chatbot.live.watch import Watch

K = TypeVar("K")
V = TypeVar("V")

OFF = "off"
DAY = 86_400  # seconds
LONGEST, MOST_USES = DAY, 1000
REMEMBERED = 10_000  # members and commands whose last uses are known
EXPECTED = Message("expects-cooldown", {"longest": LONGEST, "most": MOST_USES})
_WRITTEN = re.compile(r"([0-9]{1,5})(?:/([0-9]{1,5})(?:/([0-9]{1,4}))?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Cooldown:
    """Seconds of rest for the whole room and for a member, and how often a member may in 24 hours.

    0 stands for no limit.
    """

    room: int = 0
    member: int = 0
    uses: int = 0

    @classmethod
    def read(cls, text: str) -> Cooldown | None:
        """Read `30` (of a member), `5/60` (of the room, of a member), `5/60/3` (and uses) or `off`."""
        if text.lower() == OFF:
            return NO_COOLDOWN
        written = _WRITTEN.fullmatch(text)
        if written is None:
            return None
        first, *more = (int(each) for each in written.groups() if each is not None)
        made = cls(first, *more) if more else cls(member=first)
        return made if max(made.room, made.member) <= LONGEST and made.uses <= MOST_USES else None

    def __str__(self) -> str:
        if self == NO_COOLDOWN:
            return OFF
        return f"{self.room}/{self.member}" + (f"/{self.uses}" if self.uses else "")

    @property
    def parts(self) -> Iterator[tuple[str, Arguments]]:
        """List its limits, each as a message and what stands in it."""
        if self.room:
            yield "cooldown-room", {"wait": lasting(self.room)}
        if self.member:
            yield "cooldown-member", {"wait": lasting(self.member)}
        if self.uses:
            yield "cooldown-uses", {"uses": self.uses}


NO_COOLDOWN = Cooldown()
READING, APART = Cooldown(member=5), Cooldown(member=30)
"""What counts where nothing is set: for what is read, and for opening a table of one's own."""


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a command that has a cooldown."""

    room: str
    word: str
    seat: Seat
    cooldown: Cooldown


class Uses:
    """Remembers when commands were used last."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._rooms: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._members: OrderedDict[tuple[str, str, Seat], deque[float]] = OrderedDict()

    def require(self, use: Use) -> None:
        """Let a use pass.

        Raises:
            Refusal: it is too early for it.
        """
        left, why = max(self._waits(use))
        if left > 0:
            told: Arguments = {"word": f"!{use.word}", "wait": lasting(ceil(left)), "uses": use.cooldown.uses}
            raise Refusal(Message(why, told))

    def note(self, use: Use) -> Callable[[], None]:
        """Let a use count from now on; give what takes that back, where it comes to nothing after all."""
        now = self._watch.now()
        place, key = (use.room, use.word), (use.room, use.word, use.seat)
        last, former = self._rooms.get(place), self._members.get(key)
        remember(self._rooms, place, now, REMEMBERED)
        own = deque([*(former or ()), now], max(use.cooldown.uses, 1))
        remember(self._members, key, own, REMEMBERED)

        def take_back() -> None:
            _put_back(self._rooms, place, last)
            _put_back(self._members, key, former)

        return take_back

    def _waits(self, use: Use) -> Iterator[tuple[float, str]]:
        """Tell the seconds that are left of each of its limits."""
        now, cooldown = self._watch.now(), use.cooldown
        own = self._members.get((use.room, use.word, use.seat), deque())
        last = self._rooms.get((use.room, use.word))
        yield (0.0 if last is None else last + cooldown.room - now), "limit-room"
        yield (own[-1] + cooldown.member - now if own else 0.0), "limit-member"
        if 0 < cooldown.uses <= len(own):
            yield own[-cooldown.uses] + DAY - now, "limit-uses"


def _put_back(known: OrderedDict[K, V], key: K, former: V | None) -> None:
    if former is None:
        known.pop(key, None)
    else:
        remember(known, key, former, REMEMBERED)
