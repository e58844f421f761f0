"""Who plays whom next: the duels from which most is learned about the ratings that are least certain.

Glickman and Jensen (2005), "Adaptive paired comparison design", Journal of Statistical Planning and Inference
127, choose pairs by the information that is expected of them. Here it is the growth of the determinant of the
information about all strengths (D-optimality): p(1-p) times the variance of the difference of two strengths,
where p is the expected result with this variance taken into account (MacKay 1992, "The evidence framework
applied to classification networks", Neural Computation 4).
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from arena.engine.ratings import UNIT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.engine.ratings import Vector
    from arena.ladder.book import LadderBook

DUELS_OF_A_ROUND = 4  # of each player, so that several processes have something to do
_DECIMALS = 9  # of a gain: pairs that differ by less are drawn by lot


def next_round(book: LadderBook, error: float, most: int) -> Sequence[tuple[str, str]]:
    """Return the pairs of the next round, by keys; none if every rating is known well enough.

    A rating is, if its standard error is at most `error` points, or its player has played `most` duels.
    Depends on the book only.
    """
    return _Round(book, error, most).pairs()


class _Round:
    """A round that is being chosen, pair by pair."""

    def __init__(self, book: LadderBook, error: float, most: int) -> None:
        self._error, self._most = error, most
        fitted, keys = book.fitted(), list(book.entrants)
        self._keys = [keys[player] for player in fitted.players]
        self._strengths, self._uncertainty = fitted.strengths, fitted.uncertainty.copy()
        active, size = set(book.active), len(self._keys)
        self._left = np.array([DUELS_OF_A_ROUND if key in active else 0 for key in self._keys])
        self._duel_counts = np.array([book.duel_counts[key] for key in self._keys])
        self._open = np.triu(np.ones((size, size), dtype=bool), 1)
        self._lots = _lots(f"{book.terms.seed if book.terms else ''}/{book.rounds}", self._keys)

    def pairs(self) -> Sequence[tuple[str, str]]:
        pairs: list[tuple[str, str]] = []
        while (pair := self._best()) is not None:
            self._choose(*pair)
            pairs.append((self._keys[pair[0]], self._keys[pair[1]]))
        return pairs

    def _best(self) -> tuple[int, int] | None:
        """Return the pair from which most is learned, of which one at least is not known well enough."""
        uncertain, free = self._uncertain(), self._left > 0
        possible = self._open & np.outer(free, free) & (uncertain[:, None] | uncertain[None, :])
        if not possible.any():
            return None
        gains = np.where(possible, np.round(self._gains(), _DECIMALS), -1.0)
        best = np.where(gains == gains.max(), self._lots, -1.0)
        first, second = np.unravel_index(int(best.argmax()), best.shape)
        return int(first), int(second)

    def _uncertain(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        size = len(self._keys)
        centring = np.eye(size) - 1 / size
        variances = (centring @ self._uncertainty @ centring).diagonal()
        errors = UNIT * np.sqrt(np.maximum(variances, 0))
        uncertain: np.ndarray[tuple[int], np.dtype[np.bool_]] = (errors > self._error) & (
            self._duel_counts < self._most
        )
        return uncertain & (self._left > 0)

    def _gains(self) -> Vector:
        """Return p(1-p) times the variance of the difference, for each two players."""
        own = self._uncertainty.diagonal()
        variance = np.maximum(own[:, None] + own[None, :] - 2 * self._uncertainty, 0)
        gains: Vector = _weight(self._strengths[:, None] - self._strengths[None, :], variance) * variance
        return gains

    def _choose(self, first: int, second: int) -> None:
        """Take a pair, and what its duel will tell (the formula of Sherman and Morrison)."""
        difference = self._uncertainty[:, first] - self._uncertainty[:, second]
        variance = max(float(difference[first] - difference[second]), 0.0)
        weight = float(_weight(self._strengths[first] - self._strengths[second], np.array(variance)))
        self._uncertainty -= weight / (1 + weight * variance) * np.outer(difference, difference)
        self._open[first, second] = False
        for player in (first, second):
            self._left[player] -= 1
            self._duel_counts[player] += 1


def _weight(difference: Vector, variance: Vector) -> Vector:
    """Return p(1-p), where p is the expected probability to win."""
    expected = 1 / (1 + np.exp(-difference / np.sqrt(1 + np.pi / 8 * variance)))
    weight: Vector = expected * (1 - expected)
    return weight


def _lots(seed: str, keys: Sequence[str]) -> Vector:
    """Draw a number from 0 to 1 for each pair, the same for the same seed and keys."""
    own = [_lot(f"{seed}/{key}") for key in keys]
    return np.array([[(one * 7919 + other * 104729) % 1 for other in own] for one in own])


def _lot(text: str) -> float:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big") / 2**48
