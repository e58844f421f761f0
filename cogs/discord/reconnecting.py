"""Pauses before the gateway is tried again that could not be reached: short ones, forgotten once it was.

The library doubles them up to 1,024 seconds, and forgets that only after 2,048 seconds without another: a
gateway that was away for a minute may be left alone for one more, and so may the next one that is lost. To
try often costs nothing that Discord counts: a session is begun after the gateway was reached, and
`SessionPace` spaces these out.
"""

from __future__ import annotations

import time
from math import inf
from secrets import SystemRandom
from typing import TYPE_CHECKING

from discord import shard

from chatbot.runtime.limits import PROBE, Backoff

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST = 1.0  # seconds
FORGOTTEN = 15.0  # seconds without another failure after which the next one is the first


class ReconnectPauses:
    """The pauses of one shard, as the library asks for them; `clock` is in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._random = clock, SystemRandom()
        self._backoff, self._last = Backoff[None](FIRST, PROBE), -inf

    def delay(self) -> float:
        """Return the seconds until the next try; at random, so that not all shards try at once."""
        now = self._clock()
        if now >= self._last + FORGOTTEN:
            self._backoff.forget(None)
        self._last = now
        pause = self._backoff.wait(None)
        return self._random.uniform(pause / 2, pause)


def try_often() -> None:
    """Let the library use `ReconnectPauses`; it takes the class from its module, and from nowhere else."""
    shard.ExponentialBackoff = ReconnectPauses  # type: ignore[assignment,attr-defined]
