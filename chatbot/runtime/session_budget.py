"""When sessions of a gateway may be begun: one at a time a bucket, and so many a day.

Discord takes one session in five seconds of each bucket, which is the number of the shard modulo
`max_concurrency`, and begins to count anew after `reset_after`. Whoever begins more than it allows in a day
has the token of the bot reset, and everybody who runs it needs another one:
https://discord.com/developers/docs/events/gateway#session-start-limit-object. So some are always kept back.
"""

from __future__ import annotations

from dataclasses import dataclass, field

GAP = 5.0  # seconds between two sessions of a bucket
TOTAL = 1000  # sessions a day, as long as nobody has said otherwise
DAY = 86_400.0  # seconds
KEPT_BACK = 10  # sessions a day that are not begun: what we count and what Discord counts may differ
SAME = 300.0  # seconds by which two times at which the count begins anew may differ, and are the same


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """What a gateway says of its sessions; `shards` is how many it recommends, and `resets_in` in seconds."""

    shards: int = 1
    total: int = TOTAL
    left: int = TOTAL
    resets_in: float = DAY
    concurrency: int = 1


class SessionsExhausted(ConnectionError):  # noqa: N818  (what it is)
    """No session may be begun for so many `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"no session may be begun for {seconds:.0f} s")
        self.seconds = seconds


@dataclass(slots=True)
class SessionBudget:
    """All times are in seconds of one clock; `begins` is when the newest session of a bucket begins.

    `margin` is added to the gap, for those who wait by clocks of their own.
    """

    concurrency: int = 1
    total: int = TOTAL
    left: int = TOTAL
    resets: float | None = None  # None: no session was begun yet
    begins: dict[int, float] = field(default_factory=dict)
    margin: float = 0.0

    def learn(self, limits: SessionLimits, now: float) -> None:
        """Take over what the gateway says; of two counts of one day the lower one is right."""
        resets = now + limits.resets_in
        is_same = self.resets is not None and abs(resets - self.resets) < SAME and self.total == limits.total
        self.left = min(self.left, limits.left) if is_same else limits.left
        self.resets, self.total = resets, limits.total
        self.concurrency = max(limits.concurrency, 1)

    def wait(self, shard: int, now: float) -> float:
        """Return the seconds from now until a session of a shard may be begun.

        Raises:
            SessionsExhausted: too many were begun today.
        """
        resets = self.resets
        if resets is not None and now < resets and self.left <= min(KEPT_BACK, self.total - 1):
            raise SessionsExhausted(resets - now)
        return max(self._free(shard) - now, 0.0)

    def reserve(self, shard: int, now: float, after: float = 0.0) -> float:
        """Count a session that begins in so many seconds, which are returned, and at least in `after`.

        Raises:
            SessionsExhausted: too many were begun today.
        """
        self.wait(shard, now)
        if self.resets is None or now >= self.resets:
            self.left, self.resets = self.total, now + DAY
        begins = max(now + after, self._free(shard))
        self.begins[self._bucket(shard)] = begins
        self.left -= 1
        return begins - now

    def _free(self, shard: int) -> float:
        return self.begins.get(self._bucket(shard), float("-inf")) + GAP + self.margin

    def _bucket(self, shard: int) -> int:
        return shard % self.concurrency
