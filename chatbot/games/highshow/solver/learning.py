"""What learning K card by card is worth: a recursion over the turn, the K left, and the cards needed.

After t cards the values of K that are left are a..b, each as likely, and n = b−a+1 of them. Cards from
b to a+N−1 are in every such deck; the next card is one of these with probability (N−n+1−t)/(N−t) and tells
nothing of K, or it is i below b or i above a+N−1, with probability (n−i)/(n(N−t)) each for i = 1..n−1, and
leaves n−i. That is exact. What is not: which of the common cards have been seen is forgotten, and what a
rejection costs is taken as if K were always at the same level. So all that counts from a on depends on t, n
and m alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chatbot.games.highshow.solver.known import Floats, settled

if TYPE_CHECKING:
    from chatbot.games.highshow.rules.terms import Terms
    from chatbot.games.highshow.solver.known import Cost

MOST_STATES = 400_000  # of one table: about 50 ms
MOST_TURNS = 200  # that learning is followed for: by then K is all but known
RARE = 1e-4  # a range of K this unlikely to be left is not followed


class Learning:
    """The worth of states for penalties as they are where K is about `lowest`.

    A level holds the states after t cards: rows are n = 1, 2…, columns m = max(0, M−t)..M.
    """

    def __init__(self, terms: Terms, cost: Cost, lowest: float) -> None:
        self._cards, self._keep = terms.cards, terms.keep
        self._cost, self._lowest = cost, lowest
        self._sizes = sizes(terms.cards, terms.keep)
        self._levels = dict[int, Floats]()
        self._reached = len(self._sizes)

    @property
    def horizon(self) -> int:
        """Up to which turn learning is followed; later K counts as known."""
        return len(self._sizes) - 1

    def columns(self, turn: int) -> Floats:
        """Say how many may still be needed after so many cards."""
        return np.arange(max(0, self._keep - turn), self._keep + 1, dtype=np.float64)

    def look(self, turn: int, starts: Floats) -> Floats:
        """Give the worth after `turn` cards, counted from a: a row for each number of K left."""
        level = self._level(turn)
        followed = np.minimum(starts, len(level)).astype(np.intp)
        extra: Floats = (starts - followed)[:, None] / 2 * self.columns(turn)
        return level[followed - 1] + extra

    def _level(self, turn: int) -> Floats:
        if turn > self.horizon:
            if turn not in self._levels:
                self._levels[turn] = self._settled(turn)[None, :]
            return self._levels[turn]
        while self._reached > turn:
            self._reached -= 1
            self._levels[self._reached] = self._step(self._reached)
        return self._levels[turn]

    def _settled(self, turn: int) -> Floats:
        return settled(self._cost, self._cards, turn, self.columns(turn), self._lowest)

    def _step(self, turn: int) -> Floats:
        """Work out a level from the next one."""
        left, needed = self._cards - turn, self.columns(turn)
        starts = np.arange(1, self._sizes[turn] + 1, dtype=np.float64)[:, None]
        if left == 0:
            return np.zeros((len(starts), len(needed)))
        later = self.look(turn + 1, starts[:, 0])
        keep, another = later[:, :-1], later[:, 1:].copy()
        asked = needed[needed > 0]
        another[:, asked >= left] = -np.inf
        found = self._outside(turn, starts, asked, keep, another) + self._inside(turn, starts, keep, another)
        if len(asked) < len(needed):
            found = np.hstack((np.zeros((len(starts), 1)), found))
        found[0] = self._settled(turn)
        forced = needed >= left
        found[:, forced] = ((starts + self._cards - 2) / 2 * needed)[:, forced]
        return found

    def _outside(self, turn: int, starts: Floats, asked: Floats, keep: Floats, another: Floats) -> Floats:
        """Sum over the cards that narrow K, which are the lowest or the highest of what is left of them."""
        fixed, each = self._line(turn, starts)
        low, high = starts - 1, self._cards - 1
        below = np.maximum(low + keep, another - fixed - each * low)
        above = np.maximum(high + keep, another - fixed - each * high)
        # A new a lies i = n−n' above the old one, which the m cards still needed gain.
        sums = np.cumsum(starts * (below + above), axis=0) - starts * (below + above)
        counts = np.cumsum(starts, axis=0) - starts
        squares = np.cumsum(starts**2, axis=0) - starts**2
        found: Floats = (sums + asked * (starts * counts - squares)) / (starts * (self._cards - turn))
        return found

    def _inside(self, turn: int, starts: Floats, keep: Floats, another: Floats) -> Floats:
        """Sum over the cards that every deck has, as if each of them were as likely."""
        fixed, each = self._line(turn, starts)
        ends = 1 if turn >= 2 else 0  # the lowest and the highest of them have been seen
        first, last = starts - 1 + ends, float(self._cards - 1 - ends)
        count = np.maximum(last - first + 1, 0)
        limit = np.clip(np.ceil((another - keep - fixed) / (1 + each)), first, np.maximum(last + 1, first))
        kept, rejected = last + 1 - limit, limit - first
        refused = np.where(rejected > 0, another, 0.0)  # where it is impossible
        total = kept * ((last + limit) / 2 + keep) + rejected * (
            refused - fixed - each * (first + limit - 1) / 2
        )
        chance = np.maximum(self._cards + 1 - starts - turn, 0) / (self._cards - turn)
        found: Floats = np.where(count > 0, total, 0.0) / np.maximum(count, 1) * chance
        return found

    def _line(self, turn: int, starts: Floats) -> tuple[Floats, float]:
        """Say what rejecting the next card costs: a part for each n and what each point above a adds."""
        fixed, each = self._cost.line(self._lowest, turn + 1)
        return fixed + each * (self._lowest - (starts - 1) / 2), each


def sizes(cards: int, keep: int) -> list[int]:
    """Say how many values of K to follow after 0, 1, 2… cards: as far as the states are not too many."""
    found, states = list[int](), 0
    for turn in range(min(cards, MOST_TURNS) + 1):
        found.append(followed(cards, turn))
        states += found[-1] * (min(turn, keep) + 1)
        if states > MOST_STATES:
            break
    return found


def followed(cards: int, turn: int) -> int:
    """Say how many values of K are ever left after so many cards, but for a rare case.

    The range of t cards leaves out a share x of the deck with probability about t (1−x)^(t−1).
    """
    if turn < 3:
        return cards
    share = 1 - (RARE / turn) ** (1 / (turn - 1))
    return max(1, min(int(share * cards) + 1, cards + 1 - turn))
