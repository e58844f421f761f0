"""The cards that may be left, for each value of K that may be.

Cards below the highest and above the lowest of these decks cannot have been seen, so what is left of the
deck of each K is the next window of one ascending row of values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chatbot.games.highshow.solver.known import Cost, Floats, profit

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from chatbot.games.highshow.rules.terms import Terms

MOST_STARTS = 64  # values of K that a mean over more of them looks at, evenly spread


@dataclass(frozen=True, slots=True)
class Unseen:
    """What may be left after `turn` cards for neighbouring values of K."""

    cost: Cost
    turn: int
    starts: Floats  # the values of K looked at
    sums: Floats  # a row for each: of the lowest 0, 1, 2… cards left

    @classmethod
    def of(
        cls, cost: Cost, lowest: int, starts: int, turn: int, row: Floats, most: int = MOST_STARTS
    ) -> Unseen:
        """Look at at most so many of the `starts` values of K from `lowest` on, evenly spread."""
        sums = np.concatenate(([0.0], np.cumsum(row)))
        step = -(-starts // most)
        first = (starts - 1) % step // 2
        windows = np.lib.stride_tricks.sliding_window_view(sums, len(row) - starts + 2)[first::step]
        return cls(cost, turn, lowest + first + step * np.arange(len(windows), dtype=np.float64), windows)

    @property
    def left(self) -> int:
        return int(self.sums.shape[1]) - 1

    @property
    def rates(self) -> Floats:
        return self.cost.level + self.cost.slope * self.starts

    def bests(self, needed: Floats) -> Floats:
        """Give the expected profit of the best q for each number needed, in the mean over the K looked at."""
        found = self._profits(self.left, np.clip(needed, 1, self.left)).max(axis=2).mean(axis=0)
        return np.where(needed > 0, found, 0.0)

    def without(self, cards: Floats, needed: Floats) -> Floats:
        """Give the same when one more card has gone: a row for each of `cards`, which every deck has.

        `turn` counts that card already. The q is the one that is best when a card below the q best goes.
        """
        left = self.left - 1
        wanted = np.clip(needed, 1, left)
        good = self._profits(left, wanted).argmax(axis=2) + 1
        kept, rest = self._parted(good, cards)
        share = good.astype(np.float64)[:, :, None]
        rates, others = self.rates[:, None, None], np.maximum(left - share, 1)
        found = profit(self.cost, rates, self.turn, left, wanted[:, None], share, kept / share, rest / others)
        return np.where(needed > 0, found.mean(axis=0).T, 0.0)

    def _parted(self, good: NDArray[np.intp], cards: Floats) -> tuple[Floats, Floats]:
        """Sum the `good` best without each of the cards, and the others: by K, number needed, and card."""
        each = np.arange(len(self.starts))[:, None]
        total = self.sums[:, -1:]
        fewer, best, more = (total - self.sums[each, self.left - good + step] for step in (1, 0, -1))
        among = cards >= (best - fewer)[:, :, None]
        kept = np.where(among, more[:, :, None] - cards, best[:, :, None])
        return kept, (total - self.sums[:, :1])[:, :, None] - cards - kept

    def _profits(self, left: int, needed: Floats) -> Floats:
        """Give the profit for each K, number needed and q if only the `left` best cards are left."""
        good = np.arange(1, left + 1, dtype=np.float64)
        below = self.sums[:, ::-1][:, 1 : left + 1]
        kept: Floats = ((self.sums[:, -1:] - below) / good)[:, None, :]
        others = np.maximum(left - good, 1)
        rest: Floats = ((below - self.sums[:, self.left - left, None]) / others)[:, None, :]
        rates, wanted = self.rates[:, None, None], needed[:, None]
        found = profit(self.cost, rates, self.turn, left, wanted, good, kept, rest)
        return np.where(good < wanted, -np.inf, found)


def narrowed(terms: Terms, cards: Collection[int]) -> tuple[int, int]:
    """Give the lowest K that these cards leave, and how many they leave."""
    lowest = max(1, max(cards) - terms.cards + 1)
    return lowest, min(terms.highest_start, *cards) - lowest + 1


def unseen(terms: Terms, cards: Collection[int], lowest: int, starts: int) -> Floats:
    """Give the cards not seen that any of the decks left has, in order."""
    there = np.ones(terms.cards + starts - 1, dtype=bool)
    there[np.fromiter(cards, np.intp, len(cards)) - lowest] = False
    return (np.flatnonzero(there) + lowest).astype(np.float64)


def typical(terms: Terms, turn: int, lowest: int, starts: int) -> Floats:
    """Give such a row as it is on average: of the cards that all decks have, evenly many have been seen."""
    ends = 1 if turn >= 2 else 0
    first, last = lowest + starts - 1 + ends, lowest + terms.cards - 1 - ends
    count = terms.cards + 1 - starts - turn
    common = first - 1 + np.arange(1, count + 1) * ((last - first + 2) / (count + 1))
    below, above = np.arange(starts - 1) + lowest, np.arange(starts - 1) + lowest + terms.cards
    return np.concatenate((below, common, above)).astype(np.float64)
