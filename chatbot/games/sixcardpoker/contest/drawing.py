"""Deals and arrangements drawn many at a time; the same ones however many that is.

NumPy promises that the stream of a bit generator stays the same from version to version, but not what its
distributions make of it. So everything here is made from plain uniform doubles: their 53 bits are whole
numbers, which are held against exact counts and weights.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatbot.games.sixcardpoker.rules.cards import DEALS, types
from chatbot.games.sixcardpoker.solver.tables import Places, tables

if TYPE_CHECKING:
    from chatbot.games.sixcardpoker.solver.policies import Policy

Draws: TypeAlias = NDArray[np.int64]

_BITS = 53  # of a double's significand


class Luck:
    """A stream of whole numbers from 0 to 2⁵³−1, each as likely: the same from the same words."""

    def __init__(self, seed: str) -> None:
        key = int.from_bytes(hashlib.sha256(seed.encode()).digest(), "big")
        self._source = np.random.Generator(np.random.PCG64(key))

    def draw(self, *shape: int) -> Draws:
        """Draw an array of them; the next array begins where this one ends."""
        return (self._source.random(shape) * 2.0**_BITS).astype(np.int64)


def deal(luck: Luck, count: int) -> Places:
    """Draw what two players hold, so many times: two rows, with places in `types()`."""
    numbers = (luck.draw(count) * (DEALS / 2**_BITS)).astype(np.int64)  # rounding never gets up to DEALS
    return np.stack(np.divmod(_dealt()[numbers], len(types())))


@dataclass(frozen=True, slots=True, eq=False)
class Sampler:
    """Draws what a policy plays."""

    ends: Draws  # ascending: a type's numbers are those of a draw behind it as its highest digit
    places: Places  # in the table of arrangements, of what is played up to there

    @classmethod
    def of(cls, policy: Policy) -> Sampler:
        """Give each arrangement its part of the 2⁵³ numbers, exactly but for rounding down its ends."""
        place = {arrangement: number for number, arrangement in enumerate(tables().arrangements)}
        ends, places = list[int](), list[int]()
        for number, held in enumerate(types()):
            mix = {arrangement: weight for arrangement, weight in policy[held].items() if weight}
            total = sum(mix.values())
            ends += [(number << _BITS) + (end << _BITS) // total for end in accumulate(mix.values())]
            places += [place[arrangement] for arrangement in mix]
        return cls(np.array(ends), np.array(places))

    def choose(self, held: Places, drawn: Draws) -> Places:
        """Choose an arrangement for each type, by a draw for each: places in the table of arrangements."""
        keys = (held.astype(np.int64) << _BITS) + drawn
        chosen: Places = self.places[np.searchsorted(self.ends, keys, side="right")]
        return chosen


@cache
def _dealt() -> Places:
    """List the types of all deals, each as often as it is dealt: 1,681,680 of them."""
    counts = tables().deals
    return np.repeat(np.arange(counts.size, dtype=np.int16), counts.ravel()).astype(np.int16)
