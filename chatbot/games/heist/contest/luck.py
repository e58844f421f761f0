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
    from collections.abc import Collection

    from numpy.typing import NDArray

    Uniforms: TypeAlias = NDArray[np.float64]
    PlaceRows: TypeAlias = NDArray[Any]

_BLOCK = 1 << 14  # doubles drawn at a time
_FEW = 1 << 10  # places whose numbers fit into the last bits of a double
_PLACES = np.arange(_FEW, dtype=np.int64)


class Luck(Rng):
    """The same methods as the stream that can be checked, each from one double, and whole arrays of them."""

    __slots__ = ("_at", "_block", "_keys", "_pcg", "_source")

    def __init__(self, seed: str) -> None:
        key = hashlib.sha256(seed.encode()).digest()
        super().__init__(key)
        self._pcg = np.random.PCG64(int.from_bytes(key, "big"))
        self._source = np.random.Generator(self._pcg)
        self._at = 0
        self._fill(self._source.random(_BLOCK))

    def uniforms(self, count: int) -> Uniforms:
        """Draw so many doubles from 0 (included) to 1; the next single draws are those behind them."""
        at, end = self._at, self._at + count
        if end > len(self._block):
            self._fill(np.concatenate((self._block[at:], self._source.random(max(_BLOCK, count)))))
            at, end = 0, count
        self._at = end
        return self._block[at:end]

    def uniform(self) -> float:
        """Draw one double."""
        at = self._at
        if at == len(self._block):
            self._fill(self._source.random(_BLOCK))
            at = 0
        self._at = at + 1
        return self._block.item(at)

    def order(self, count: int) -> PlaceRows:
        """Draw an order of 0..count-1, each equally likely: that in which so many doubles rise.

        Up to 1024 places take the last ten bits of their doubles, whose bits rise as they do: sorting
        numbers is quicker than sorting places by their numbers. Equals stand by place either way.
        """
        doubles = self.uniforms(count)
        if count > _FEW:
            return doubles.argsort(kind="stable")
        keys: PlaceRows = self._keys[self._at - count : self._at] | _PLACES[:count]
        keys.sort()
        keys &= _FEW - 1
        return keys

    def comers(self, count: int) -> PlaceRows:
        """Draw who of 0..count-1 comes, in the order of coming; how many is uniform on 0..count.

        Everybody has a double, and so has the door: who is below it comes, and they come as they rise.
        Among so many equal draws the door's rank is as likely to be any, whatever the order of the others.
        """
        doubles = self.uniforms(count + 1)
        if count > _FEW:
            inside: PlaceRows = (doubles[:-1] < doubles[-1]).nonzero()[0]
            rising: PlaceRows = inside[doubles[inside].argsort(kind="stable")]
            return rising
        keys: PlaceRows = self._keys[self._at - count - 1 : self._at - 1] | _PLACES[:count]
        keys = keys[keys < self._keys[self._at - 1]]
        keys.sort()
        keys &= _FEW - 1
        return keys

    def slots(self, newcomers: int, others: int) -> list[tuple[int, int]]:
        """Draw where newcomers stand among others who already stand in a row.

        Gives (place in the whole row, newcomer), in the order of the row. Each draws a place of the
        row, and draws again while somebody has it: first all of them once, then who must again.
        """
        count = newcomers + others
        places = [int(double * count) for double in self.uniforms(newcomers).tolist()]
        newcomer_at = dict(zip(places, range(newcomers), strict=True))
        if len(newcomer_at) < newcomers:
            newcomer_at.clear()
            for newcomer, place in enumerate(places):
                newcomer_at[place if place not in newcomer_at else self._free(newcomer_at, count)] = newcomer
        return sorted(newcomer_at.items())

    def _free(self, places: Collection[int], count: int) -> int:
        while (place := self.below(count)) in places:
            pass
        return place

    def bits(self, count: int) -> int:
        """Draw a whole number of so many bits, of which at most 53 are drawn."""
        return int(self.uniform() * (1 << count))

    def below(self, limit: int) -> int:
        """Draw a whole number from 0 to below the limit.

        Raises:
            ValueError: the limit is below 1.
        """
        if limit < 1:
            raise ValueError(f"a draw needs a limit of at least 1, not {limit}")
        return int(self.uniform() * limit)

    def chance(self, probability: float) -> bool:
        """Draw whether what has this probability happens."""
        return self.uniform() < probability

    def position(self) -> tuple[int, int]:
        """Return state and increment of the PCG64 that draws the same from here on."""
        pcg = np.random.PCG64(0)
        pcg.state = self._pcg.state
        pcg.advance(self._at - len(self._block))
        here = pcg.state["state"]
        return here["state"], here["inc"]

    def move_to(self, state: int) -> None:
        """Draw on from another state of the same PCG64."""
        pcg_state = self._pcg.state
        pcg_state["state"]["state"] = state
        self._pcg.state = pcg_state
        self._at = 0
        self._fill(self._block[:0])

    def _fill(self, block: Uniforms) -> None:
        self._block = block
        self._keys: PlaceRows = block.view(np.int64) & -_FEW  # without their last bits, for `order`
