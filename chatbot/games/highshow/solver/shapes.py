"""Numbers the sets of cards that can have been seen: by how wide they are, where they lie, and their inside.

A set reaches from its lowest card over `width` cards. Its inside, without the two ends, is a number of
`width - 2` bits. Sets of as many cards are numbered by the size of that number, so that those of smaller
widths come first and a set keeps its number whatever its width.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Whole: TypeAlias = NDArray[np.int64]


class Insides:
    """The insides of all sets within N cards; it takes about 12 bytes times 2 to the power of N - 2."""

    def __init__(self, cards: int) -> None:
        every = np.arange(1 << (cards - 2), dtype=np.int32)
        counts = np.zeros(len(every), dtype=np.int8)
        for bit in range(cards - 2):
            counts += ((every >> bit) & 1).astype(np.int8)
        self._by_count = [every[counts == count] for count in range(cards - 1)]
        self._numbers = np.empty(len(every), dtype=np.int32)
        for members in self._by_count:
            self._numbers[members] = np.arange(len(members), dtype=np.int32)

    def of(self, seen: int, width: int) -> Whole:
        """List the insides of sets of `seen` cards, in the order of their numbers."""
        if width == 1:
            return np.zeros(1, dtype=np.int64)
        found: Whole = self._by_count[seen - 2][: comb(width - 2, seen - 2)].astype(np.int64)
        return found

    def numbers(self, insides: Whole) -> NDArray[np.int32]:
        return self._numbers[insides]


@dataclass(frozen=True, slots=True)
class Spots:
    """Where a set of some width may lie, as its lowest card: everywhere from 1 on.

    Where only the distance of the cards matters, all places far from the two ends of what K may be are
    one: then `together` is true and one of them stands for all.
    """

    cards: int
    highest_start: int
    together: bool

    def places(self, width: int) -> Whole:
        """List the lowest card at each spot."""
        last = self.highest_start + self.cards - width
        if not self.together:
            return np.arange(1, last + 1)
        low = np.arange(1, self.cards - width + 2)
        return np.concatenate([low, np.arange(self.highest_start + 1, last + 1)])

    def find(self, width: int, lowest: Whole) -> Whole:
        """Give the spots of sets whose lowest cards these are."""
        if not self.together:
            return lowest - 1
        inner = np.minimum(lowest - 1, self.cards - width)
        return np.asarray(inner + np.maximum(lowest - self.highest_start, 0), dtype=np.int64)

    def starts(self, width: int, lowest: Whole) -> tuple[Whole, Whole]:
        """Give the least and the largest K that fit; the least is the larger one where none fits."""
        return np.maximum(1, lowest + width - self.cards), np.minimum(self.highest_start, lowest)
