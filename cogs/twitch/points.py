"""What is left of Twitch's budget of requests, so that subscribing leaves enough for speech.

Each key has a bucket of 800 points, which fills up within a minute; a request takes one, and each answer
tells how many are left (https://dev.twitch.tv/docs/api/guide/#twitch-rate-limits). By a conduit both
subscriptions and what the bot says are paid from the bucket of the program's own key.

Where several processes use that key, each has the part of the bucket that it has of the shards which hear
Twitch, and keeps to it by itself: what it says and asks for grows with them, and nothing has to be agreed on
for each request. A process may begin with a quarter of its part at once, and gains the rest within a minute,
so that no minute has more than the bucket, whoever asks when.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

LIMIT = 800  # points, where Twitch has not said another number
REFILL = 60.0  # seconds until an empty bucket is full
SPEECH = 0.25  # of the points, which are left for what the bot says
BURST = 0.25  # of the part of a process that it may use at once
LEAST_SHARE = 0.02  # of a process that hears nothing, such as one that just hands over
SHORTEST = 0.001  # seconds of a wait: what rounding leaves of one may not add anything to the time
CHATS = 0.05  # of the points, which are left to subscriptions to chats by all others


@dataclass(eq=False, slots=True)
class _Bucket:
    """`left` is as of `at`, in seconds of the clock; requests under way are not in it."""

    limit: int = LIMIT
    left: float = LIMIT
    at: float = 0.0
    under_way: int = 0
    own: float | None = None  # of the part of this process, as of `own_at`; None: nothing was taken yet
    own_at: float = 0.0

    def own_now(self, now: float, share: float) -> float:
        """Return what is left of the part of this process, which has a `share` of all."""
        most = max(self.limit * share * BURST, 2)  # else a small part would never have a point
        refill = (now - self.own_at) * self.limit * share * (1 - BURST) / REFILL
        return most if self.own is None else min(self.own + refill, most)

    def now(self, now: float) -> float:
        """Estimate what is left."""
        refill = (now - self.at) * self.limit / REFILL
        return min(self.left + refill, self.limit) - self.under_way


class Points:
    """The buckets of all keys by their accounts; the program's own has none. `clock` is in seconds.

    `share` returns the part of them that this process has, from 0 to 1.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        share: Callable[[], float] = lambda: 1.0,
    ) -> None:
        self._clock, self._sleep, self.share = clock, sleep, share
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
        """Wait until there are points for a subscription; `note_answer` follows its answer."""
        while (seconds := self.wait(account, chat=chat)) > 0:
            await self._sleep(max(seconds, SHORTEST))
        self._buckets[account].under_way += 1
        try:
            await self.pace(account, left_for_speech=SPEECH)
        except BaseException:
            self.note_answer(account)
            raise

    async def pace(self, account: str, *, left_for_speech: float = 0.0) -> None:
        """Wait until this process may use a point of its part; at once where it has all of them.

        `left_for_speech` is of what the process may use at once.
        """
        while (share := max(self.share(), LEAST_SHARE)) < 1:
            bucket, now = self._buckets[account], self._clock()
            left = bucket.own_now(now, share)
            lacking = 1 + left_for_speech * bucket.limit * share * BURST - left
            if lacking <= 0:
                bucket.own, bucket.own_at = left - 1, now
                return
            seconds = lacking * REFILL / (bucket.limit * share * (1 - BURST))
            await self._sleep(max(seconds, SHORTEST))

    def note_answer(self, account: str) -> None:
        """Take note of the answer to what points were taken for."""
        self._buckets[account].under_way -= 1
