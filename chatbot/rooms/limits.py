"""What is bounded: what each member may use up at once and a second, and how much is remembered."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable

    from chatbot.rooms.clock import Watch

REMEMBERED = 10_000  # members whose allowance is known; whoever was forgotten has a full one

K = TypeVar("K")
V = TypeVar("V")


class Allowances:
    def __init__(self, watch: Watch, burst: float, rate: float) -> None:
        self._watch, self._burst, self._rate = watch, burst, rate
        self._known: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()  # what is left, and when

    def left(self, who: Hashable) -> float:
        """Tell what somebody may still use up; below nothing where the last use was too large."""
        return self._left(who, self._watch.now())

    def take(self, who: Hashable) -> bool:
        """Use up one, if there is one."""
        now = self._watch.now()
        left = self._left(who, now)
        remember(self._known, who, (left - (left >= 1), now), REMEMBERED)
        return left >= 1

    def spend(self, who: Hashable, amount: float) -> None:
        now = self._watch.now()
        remember(self._known, who, (self._left(who, now) - amount, now), REMEMBERED)

    def _left(self, who: Hashable, now: float) -> float:
        left, counted = self._known.get(who, (self._burst, now))
        return min(self._burst, left + self._rate * (now - counted))

    def until(self, who: Hashable) -> float:
        """Tell in how many seconds there is something to use up again."""
        return max(-self.left(who) / self._rate, 0.0)


def remember(known: OrderedDict[K, V], key: K, value: V, most: int) -> None:
    """Put a value at the newest end, and forget the oldest ones beyond so many."""
    known[key] = value
    known.move_to_end(key)
    while len(known) > most:
        known.popitem(last=False)
