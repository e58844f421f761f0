"""Best play of the last cards of a game, exactly: what can still come after the cards that have been seen.

It is the recursion of `exact`, for those sets only that have all of these cards: a lowest and a highest
card, and a bit for each unseen card between them. Their number doubles with each card that is left, and there
are half as many pairs of ends as the square of the K that fit: the end of a large game is as quick as a
small game.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import factorial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from chatbot.games.highshow.solver.exact import MOST_BITS, SLOWER, ExactMeasure

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from chatbot.games.highshow.rules.terms import Terms

Ends: TypeAlias = tuple[int, int]
"""The lowest and the highest card that have been seen."""

_MOST_STARTS = 30  # values of K that fit: there are about half their square of pairs of ends
_MOST_BETWEEN = 20  # unseen cards between the ends
_CALL = 1500  # steps that a group of sets takes at least


@dataclass(frozen=True, slots=True)
class EndingDraw:
    """A next card for some sets with the same ends: which they are, and which they become."""

    card: int
    chosen: Any  # places of the sets in `sets`
    ends: Ends  # afterwards
    after: Any  # the sets afterwards


class Ending:
    """What is known of all sets of cards that have `seen`, of which there is at least one."""

    def __init__(self, terms: Terms, seen: Collection[int]) -> None:
        self._terms = terms
        self._seen = frozenset(seen)
        self._measure = ExactMeasure(terms)
        self._ends = min(seen), max(seen)
        self._most = min(terms.keep, terms.cards - len(self._seen))
        self._known: dict[Ends, Any] = {}

    def has(self, cards: Collection[int]) -> bool:
        """Whether these cards can come of those that were seen."""
        return self._seen <= set(cards)

    @cached_property
    def work(self) -> int:
        """About how many steps it takes to work it out, in 64-bit additions."""
        if len(self._starts(self._ends)) > _MOST_STARTS:
            return 1 << MOST_BITS
        each = (1 if self._fits else SLOWER) * (self._most + 1)
        total = 0
        for ends in self._pairs():
            between = ends[1] - ends[0] + 1 - self._count(ends)
            if between > _MOST_BETWEEN:
                return 1 << MOST_BITS
            draws = between // 2 + 2 * len(self._starts(ends))
            total += draws * ((each << between) + _CALL * between)
        return total

    def value(self, cards: Collection[int], needed: int) -> Fraction:
        """Give the expected further profit when these cards are decided and so many still needed."""
        if not self._known:
            for ends in self._pairs():
                self._known[ends] = self._worked_out(ends)
        ends = min(cards), max(cards)
        rest = sum(1 << place for place, card in enumerate(self._between(ends)) if card in cards)
        unit = len(self._starts(ends)) * factorial(self._terms.cards - len(cards)) * self._measure.denominator
        return Fraction(int(self._known[ends][needed, rest]), unit)

    def _starts(self, ends: Ends) -> range:
        """Give every K that fits."""
        lowest, highest = ends
        return range(max(1, highest - self._terms.cards + 1), min(self._terms.highest_start, lowest) + 1)

    def _pairs(self) -> Iterator[Ends]:
        """List all ends there may be, wider ones first."""
        starts, (lowest, highest) = self._starts(self._ends), self._ends
        for low in range(starts[0], lowest + 1):
            for high in range(starts[-1] + self._terms.cards - 1, highest - 1, -1):
                if self._starts((low, high)):
                    yield low, high

    def _count(self, ends: Ends) -> int:
        """Count the cards that were seen, and the ends where they are others."""
        return len(self._seen) + (ends[0] < self._ends[0]) + (ends[1] > self._ends[1])

    def _between(self, ends: Ends) -> list[int]:
        return [card for card in range(ends[0] + 1, ends[1]) if card not in self._seen]

    @cached_property
    def _fits(self) -> bool:
        return self._measure.fits(len(self._seen), together=False)

    def _worked_out(self, ends: Ends) -> Any:
        """Work out all sets with these ends, from the fullest to the emptiest."""
        between = self._between(ends)
        kind = np.int64 if self._fits else object
        known = np.zeros((self._most + 1, 1 << len(between)), dtype=kind)
        self._known[ends] = known
        every = np.arange(1 << len(between))
        counts = sum(((every >> place) & 1 for place in range(len(between))), np.zeros_like(every))
        for more in range(len(between), -1, -1):
            seen = self._count(ends) + more
            sets = every[counts == more]
            worth = np.zeros((self._most + 1, len(sets)), dtype=kind)
            for draw in self._draws(ends, between, sets):
                self._add(worth, seen, draw)
            known[:, sets] = worth
        return known

    def _draws(self, ends: Ends, between: list[int], sets: Any) -> Iterator[EndingDraw]:
        """List the next cards: between the ends, below them, above them."""
        low, high = ends
        for place, card in enumerate(between):
            open_ = np.flatnonzero((sets >> place) & 1 == 0)
            yield EndingDraw(card, open_, ends, sets[open_] | 1 << place)
        starts = self._starts(ends)
        inner = sets << 1 | 1 if low < self._ends[0] else sets
        for card in range(starts[0], low):
            yield EndingDraw(card, slice(None), (card, high), inner << (low - card - 1))
        inner = sets | 1 << len(between) if high > self._ends[1] else sets
        for card in range(high + 1, starts[-1] + self._terms.cards):
            yield EndingDraw(card, slice(None), (low, card), inner)

    def _add(self, worth: Any, seen: int, draw: EndingDraw) -> None:
        """Add what the better choice at this card is worth."""
        left = self._terms.cards - seen
        if left == 0:
            return
        most = min(self._most, left)
        starts = self._starts(draw.ends)
        orders = factorial(left - 1)
        after = self._known[draw.ends][: most + 1, draw.after]
        cost = self._measure.cost(seen + 1, draw.card, starts[0], starts[-1]) * orders
        best = after[:most] + len(starts) * orders * self._measure.denominator * draw.card
        free = min(most, left - 1)  # more are needed where every card that is left must be kept
        np.maximum(best[:free], after[1 : free + 1] - cost, out=best[:free])
        worth[1 : most + 1, draw.chosen] += best
