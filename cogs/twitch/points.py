"""What is left of Twitch's budget of requests, so that subscribing leaves enough for speech.

Each key has a bucket of 800 points, which fills up within a minute; a request takes one, and each answer
tells how many are left (https://dev.twitch.tv/docs/api/guide/#twitch-rate-limits). By a conduit both
subscriptions and what the bot says are paid from the bucket of the program's own key.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LIMIT = 800  # points, where Twitch has not said another number
REFILL = 60.0  # seconds until an empty bucket is full
SPEECH = 0.25  # of the points, which are left for what the bot says
CHATS = 0.05  # of the points, which are left to subscriptions to chats by all others


@dataclass(eq=False, slots=True)
class _Bucket:
    """`left` is as of `at`, in seconds of the clock; requests under way are not in it."""

    limit: int = LIMIT
    left: float = LIMIT
    at: float = 0.0
    under_way: int = 0

    def now(self, now: float) -> float:
        """Estimate what is left."""
        refill = (now - self.at) * self.limit / REFILL
        return min(self.left + refill, self.limit) - self.under_way


class Points:
    """The buckets of all keys by their accounts; the program's own has none. `clock` is in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: defaultdict[str, _Bucket] = defaultdict(_Bucket)

    def note(self, account: str, headers: Mapping[str, str]) -> None:
        """Take what an answer tells; one that tells nothing changes nothing."""
        try:
            limit, left = int(headers["Ratelimit-Limit"]), int(headers["Ratelimit-Remaining"])
        except (KeyError, ValueError):
            return
        if limit > 0:
            bucket = self._buckets[account]
            bucket.limit, bucket.left, bucket.at = limit, left, self._clock()

    def wait(self, account: str, *, chat: bool) -> float:
        """Return in how many seconds there are points for a subscription; 0 is now."""
        bucket = self._buckets[account]
        reserve = bucket.limit * (SPEECH if chat else SPEECH + CHATS)
        lacking = reserve + 1 - bucket.now(self._clock())
        return max(0.0, lacking * REFILL / bucket.limit)

    async def take(self, account: str, *, chat: bool) -> None:
        """Wait until there are points for a subscription; `done` follows its answer."""
        while (seconds := self.wait(account, chat=chat)) > 0:  # noqa: ASYNC110  (time is waited for)
            await asyncio.sleep(seconds)
        self._buckets[account].under_way += 1

    def note_answer(self, account: str) -> None:
        """Take note of the answer to what points were taken for."""
        self._buckets[account].under_way -= 1
