"""Best play of High Show, exactly: the expected profit of every choice, as fractions without a fraction.

After the cards S have been seen, t of them, each K that fits is as likely as another, whatever was
decided. Let V(S, m) be the expected further profit of the best policy when all of S is decided and m
cards are still needed. The whole numbers V(S, m) * (number of fitting K) * (N - t)! * (denominator of the
rate) obey a recursion over the next card that only adds, multiplies and compares, so that NumPy can
work it out for all sets of as many cards at once: in 64 bits where they suffice, else in Python's whole
numbers, which only the few sets of the first cards need.

About 6 * 2**(N-2) sets count where only distances matter to the cost (then a set that lies higher is
worth that much more for each needed card), else about 3N * 2**(N-1).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb, factorial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from chatbot.games.highshow.rules.terms import PenaltyKind, Terms
from chatbot.games.highshow.solver.shapes import Insides, Spots, Whole

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

Level: TypeAlias = dict[int, Any]
"""By width: an array of whole numbers by cards needed (from the least on), spot and inside."""

MOST_CARDS = 25  # as far as memory goes
MOST_BITS = 62
SLOWER = 20  # times, where 64 bits do not suffice
_AT_ONCE = 1 << 18  # numbers
_BY_TURN = (PenaltyKind.TURN, PenaltyKind.TURNVALUE)
_BY_VALUE = (PenaltyKind.VALUE, PenaltyKind.TURNVALUE)


@dataclass(frozen=True, slots=True)
class ExactMeasure:
    """The whole numbers in which the values of some terms are counted."""

    terms: Terms

    @property
    def together(self) -> bool:
        """Whether only the distances of cards matter to what a rejection costs."""
        return self.terms.penalty.kind not in _BY_VALUE and not self.follows_start

    @property
    def follows_start(self) -> bool:
        """Whether the rate depends on K."""
        return self.terms.penalty.kind is PenaltyKind.TURN and self.terms.penalty.parameter is None

    @property
    def denominator(self) -> int:
        if self.follows_start:
            return self.terms.cards + 4
        return self.terms.penalty.rate(self.terms.cards, 1).denominator

    def cost(self, turn: int, cards: Any, least: Any, largest: Any) -> Any:
        """Give what rejecting the cards costs, summed over all K from `least` to `largest`."""
        starts = largest - least + 1
        if self.follows_start:  # 2 (N + K) for each K, over N + 4
            rates = starts * (2 * self.terms.cards + least + largest)
        else:
            rates = starts * self.terms.penalty.rate(self.terms.cards, 1).numerator
        times = turn if self.terms.penalty.kind in _BY_TURN else 1
        return rates * times * cards if self.terms.penalty.kind in _BY_VALUE else rates * times

    def fits(self, seen: int, together: bool) -> bool:
        """Whether 64 bits suffice after so many cards: M of the largest, or 2N for each, and a rejection."""
        terms = self.terms
        card = 2 * terms.cards if together else terms.highest_start + terms.cards
        dearest = terms.cost(terms.highest_start, terms.cards, terms.highest_start + terms.cards)
        reach = self.denominator * (terms.keep * card + dearest)
        return factorial(terms.cards - seen + 1) * reach < 1 << MOST_BITS


@dataclass(frozen=True, slots=True)
class Draw:
    """A next card for all sets of a level that it fits: where it leads, and how it counts."""

    spots: range  # of the sets before
    insides: Any  # numbers of the sets before: an array, or a slice
    width: int  # afterwards
    numbers: Any  # of the insides afterwards
    offset: int  # of the card from the lowest one before
    slide: int  # of the lowest card: 0, or less

    def parts(self, rows: int) -> Iterator[Draw]:
        """Divide it, so that what is worked out at once stays in a processor's own memory."""
        columns = min(len(self.numbers), _AT_ONCE // rows)
        height = max(1, _AT_ONCE // (rows * columns))
        for start in range(0, len(self.numbers), columns):
            part = slice(start, min(start + columns, len(self.numbers)))
            insides = part if isinstance(self.insides, slice) else self.insides[part]
            for top in range(0, len(self.spots), height):
                spots = self.spots[top : top + height]
                yield Draw(spots, insides, self.width, self.numbers[part], self.offset, self.slide)


class ValueTable:
    """What is known of all sets of cards under some terms; `whole` keeps all of it, for advice."""

    def __init__(self, terms: Terms, whole: bool = False) -> None:
        self._terms = terms
        self._measure = ExactMeasure(terms)
        self._insides = Insides(terms.cards)
        self._spots = Spots(terms.cards, terms.highest_start, self._measure.together)
        self._levels: dict[int, Level] = {}
        level = {terms.cards: np.zeros((1, len(self._spots.places(terms.cards)), 1), dtype=np.int64)}
        for seen in range(terms.cards, 0, -1):
            level = level if seen == terms.cards else self._level(seen, level)
            if whole or seen == 1:
                self._levels[seen] = level

    def value(self, cards: Collection[int], needed: int) -> Fraction:
        """Give the expected further profit when these cards are decided and so many still needed."""
        if not cards:
            return self._first()
        lowest, width = min(cards), max(cards) - min(cards) + 1
        inside = sum(1 << (card - lowest - 1) for card in cards if lowest < card < lowest + width - 1)
        number = self._insides.numbers(np.array([inside]))[0] if width > 1 else 0
        spot = self._spots.find(width, np.array([lowest]))[0]
        counted = self._levels[len(cards)][width][needed - self._least(len(cards)), spot, number]
        least, largest = self._spots.starts(width, np.array([lowest]))
        unit = int(largest[0] - least[0] + 1) * factorial(self._terms.cards - len(cards))
        above = needed * lowest if self._measure.together else 0
        return Fraction(int(counted), unit * self._measure.denominator) + above

    def _least(self, seen: int) -> int:
        """Give how many cards are needed at least after so many."""
        return max(0, self._terms.keep - seen)

    def _first(self) -> Fraction:
        """Give the value of the game: the mean over the first card."""
        terms, total = self._terms, Fraction(0)
        for card in range(1, terms.highest_start + terms.cards):
            least, largest = max(1, card - terms.cards + 1), min(terms.highest_start, card)
            starts = largest - least + 1
            cost = Fraction(self._measure.cost(1, card, least, largest), starts * self._measure.denominator)
            keep = card + self.value([card], terms.keep - 1)
            total += starts * max(keep, self.value([card], terms.keep) - cost)
        return total / (terms.highest_start * terms.cards)

    def _level(self, seen: int, after: Level) -> Level:
        """Work out all sets of so many cards from those of one more."""
        kind = np.int64 if self._measure.fits(seen, self._measure.together) else object
        needed = min(self._terms.keep, self._terms.cards - seen) - self._least(seen) + 1
        level: Level = {}
        for width in [1] if seen == 1 else range(seen, self._terms.cards + 1):
            insides = self._insides.of(seen, width)
            made = np.zeros((needed, len(self._spots.places(width)), len(insides)), dtype=kind)
            for draw in self._draws(width, insides):
                for part in draw.parts(needed):
                    self._add(made, seen, width, part, after[draw.width])
            level[width] = made
        return level

    def _draws(self, width: int, insides: Whole) -> Iterator[Draw]:
        """List the next cards: between those that were seen, above them, below them."""
        places = self._spots.places(width)
        everywhere = range(len(places))
        for bit in range(width - 2):
            open_ = np.flatnonzero((insides >> bit) & 1 == 0)
            if len(open_):
                numbers = self._insides.numbers(insides[open_] | 1 << bit)
                yield Draw(everywhere, open_, width, numbers, bit + 1, 0)
        above = insides | 1 << (width - 2) if width > 1 else insides
        below = insides << 1 | 1 if width > 1 else insides
        last = self._terms.highest_start + self._terms.cards - width
        for step in range(1, self._terms.cards - width + 1):
            fits = everywhere[: int(np.searchsorted(places, last - step, side="right"))]
            numbers = self._insides.numbers(above)
            yield Draw(fits, slice(None), width + step, numbers, width - 1 + step, 0)
            fits = everywhere[int(np.searchsorted(places, step, side="right")) :]
            numbers = self._insides.numbers(below << (step - 1))
            yield Draw(fits, slice(None), width + step, numbers, -step, -step)

    def _add(self, made: Any, seen: int, width: int, draw: Draw, after: Any) -> None:
        """Add what the better choice at this card is worth."""
        here = slice(draw.spots.start, draw.spots.stop)
        lowest = self._spots.places(width)[here]
        least, largest = self._spots.starts(draw.width, lowest + draw.slide)
        spots = self._spots.find(draw.width, lowest + draw.slide)
        worth = after[:, spots[:, None], draw.numbers[None, :]].astype(made.dtype, copy=False)
        orders = factorial(self._terms.cards - seen - 1)
        weight = (largest - least + 1).astype(made.dtype) * orders * self._measure.denominator
        cards = (lowest + draw.offset).astype(made.dtype)
        cost = self._measure.cost(seen + 1, cards, least.astype(made.dtype), largest) * orders
        gain, slide = (draw.offset, draw.slide) if self._measure.together else (cards, 0)

        first = max(self._least(seen), 1)
        needed = np.arange(first, self._least(seen) + len(made)).astype(made.dtype)[:, None]
        free = len(worth) - 1  # more are needed where every card that is left must be kept
        best = worth[: len(needed)] + (weight * (gain + (needed - 1) * slide))[:, :, None]
        another = worth[1:] + (weight * needed[:free] * slide - cost)[:, :, None]
        np.maximum(best[:free], another, out=best[:free])
        rows = slice(first - self._least(seen), None)
        made[rows, here, draw.insides] += best


def work(terms: Terms) -> int:
    """Say about how many steps a table takes, in 64-bit additions."""
    measure, total = ExactMeasure(terms), 0
    for seen in range(1, terms.cards):
        rows = min(terms.keep, terms.cards - seen) - max(0, terms.keep - seen) + 1
        each = 1 if measure.fits(seen, measure.together) else SLOWER
        for width in [1] if seen == 1 else range(seen, terms.cards + 1):
            insides = comb(width - 2, seen - 2) if seen > 1 else 1
            out = terms.cards - width
            spots = 2 * out + 1 if measure.together else terms.highest_start + out
            total += each * rows * spots * insides * (width - seen + 2 * out)
    return total
