"""The luck of tournaments: quick, and the same from the same words. Stakes in chat never use it.

NumPy promises that a bit generator's stream stays the same from version to version, but not what its
distributions make of it. So everything here is made from plain uniform doubles.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Uniforms: TypeAlias = NDArray[np.float64]
    Places: TypeAlias = NDArray[Any]

_BLOCK = 1 << 14  # doubles drawn at a time


class Luck(Rng):
    """The same methods as the stream that can be checked, each from one double, and whole arrays of them."""

    __slots__ = ("_at", "_block", "_source")

    def __init__(self, seed: str) -> None:
        key = hashlib.sha256(seed.encode()).digest()
        super().__init__(key)
        self._source = np.random.Generator(np.random.PCG64(int.from_bytes(key, "big")))
        self._block = self._source.random(_BLOCK)
        self._at = 0

    def uniforms(self, count: int) -> Uniforms:
        """Draw so many doubles from 0 (included) to 1; the next single draws are those behind them."""
        at, end = self._at, self._at + count
        if end > len(self._block):
            self._block = np.concatenate((self._block[at:], self._source.random(max(_BLOCK, count))))
            at, end = 0, count
        self._at = end
        return self._block[at:end]

    def uniform(self) -> float:
        """Draw one double."""
        at = self._at
        if at == len(self._block):
            self._block, at = self._source.random(_BLOCK), 0
        self._at = at + 1
        return self._block.item(at)

    def order(self, count: int) -> Places:
        """Draw an order of 0..count-1, each equally likely: that in which so many doubles rise."""
        return self.uniforms(count).argsort()

    def slots(self, newcomers: int, others: int) -> list[tuple[int, int]]:
        """Draw where newcomers stand among others who already stand in a row.

        Gives (place in the whole row, newcomer), in the order of the row. One draw each: the first
        newcomer steps between the others, the second between them and the first, and so on, which
        makes each row equally likely.
        """
        row: list[tuple[int, int]] = []
        for newcomer in range(newcomers):
            slot = self.below(others + newcomer + 1)
            row = [(place + (place >= slot), each) for place, each in row]
            row.append((slot, newcomer))
        row.sort()
        return row

    def bits(self, count: int) -> int:
        return int(self.uniform() * (1 << count))

    def below(self, limit: int) -> int:
        if limit < 1:
            raise ValueError(f"a draw needs a limit of at least 1, not {limit}")
        return int(self.uniform() * limit)

    def chance(self, probability: float) -> bool:
        return self.uniform() < probability
