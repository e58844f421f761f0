"""Rate limits by token buckets, pauses between tries, and bounded (least recently used) mappings."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable

    from chatbot.runtime.clock import Watch

PROBE = 5.0  # seconds between two tries, at most, of what cannot be reached, and so is not asked too often
REMEMBERED = 10_000  # members whose allowance is stored; all others have a full one

K = TypeVar("K")
V = TypeVar("V")


class Allowances:
    """A token bucket for each key: it holds at most `burst` units, and gains `rate` units a second."""

    def __init__(self, watch: Watch, burst: float, rate: float) -> None:
        self._watch, self._burst, self._rate = watch, burst, rate
        self._known: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()  # units left, and when

    def left(self, who: Hashable) -> float:
        """Return how many units a bucket holds; negative if the last use exceeded them."""
        return self._left(who, self._watch.now())

    def take(self, who: Hashable) -> bool:
        """Take one unit and return True, or return False if there is none."""
        now = self._watch.now()
        left = self._left(who, now)
        remember(self._known, who, (left - (left >= 1), now), REMEMBERED)
        return left >= 1

    def spend(self, who: Hashable, amount: float) -> None:
        """Take an amount, even if the bucket holds less."""
        now = self._watch.now()
        remember(self._known, who, (self._left(who, now) - amount, now), REMEMBERED)

    def until(self, who: Hashable) -> float:
        """Return in how many seconds the bucket is no longer negative; 0 if it is not."""
        return max(-self.left(who) / self._rate, 0.0)

    def _left(self, who: Hashable, now: float) -> float:
        left, counted_at = self._known.get(who, (self._burst, now))
        return min(self._burst, left + self._rate * (now - counted_at))


class Backoff(Generic[K]):
    """Pauses between tries, by key: `first` seconds, then twice as long each time, but at most `most`.

    They belong to a fault that goes on: whoever hears that it is over has to `forget` it.
    """

    def __init__(self, first: float, most: float) -> None:
        self._first, self._most = first, most
        self._last: dict[K, float] = {}

    def wait(self, key: K) -> float:
        """Return the seconds until the next try, after another failure."""
        pause = min(2 * self._last.get(key, self._first / 2), self._most)
        self._last[key] = pause
        return pause

    def forget(self, key: K) -> None:
        """Begin again with the first pause."""
        self._last.pop(key, None)


def remember(cache: OrderedDict[K, V], key: K, value: V, most: int) -> None:
    """Store a value as the newest one, and remove the oldest ones while there are more than `most`."""
    cache[key] = value
    cache.move_to_end(key)
    while len(cache) > most:
        cache.popitem(last=False)
