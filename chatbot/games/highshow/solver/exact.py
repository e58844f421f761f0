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
from functools import cached_property
from math import comb, factorial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from chatbot.games.highshow.rules.terms import PenaltyKind, Terms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

Whole: TypeAlias = NDArray[np.int64]


# Sets of cards that can have been seen are numbered by how wide they are, where they lie, and their inside.
#
# A set reaches from its lowest card over `width` cards. Its inside, without the two ends, is a number of
# `width - 2` bits. Sets of as many cards are numbered by the size of that number, so that those of smaller
# widths come first and a set keeps its number whatever its width.


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

    def of(self, count: int, width: int) -> Whole:
        """List the insides of sets of `count` cards, in the order of their numbers."""
        if width == 1:
            return np.zeros(1, dtype=np.int64)
        insides: Whole = self._by_count[count - 2][: comb(width - 2, count - 2)].astype(np.int64)
        return insides

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
        """Return the spots of sets whose lowest cards these are."""
        if not self.together:
            return lowest - 1
        inner = np.minimum(lowest - 1, self.cards - width)
        return np.asarray(inner + np.maximum(lowest - self.highest_start, 0), dtype=np.int64)

    def starts(self, width: int, lowest: Whole) -> tuple[Whole, Whole]:
        """Return the least and the largest K that fit; the least is the larger one where none fits."""
        return np.maximum(1, lowest + width - self.cards), np.minimum(self.highest_start, lowest)


Numbers: TypeAlias = NDArray[Any]
"""Whole numbers, of 64 bits or, where these do not suffice, Python's own."""

Amount = TypeVar("Amount", int, Numbers)

Level: TypeAlias = dict[int, Numbers]
"""By width: an array of whole numbers by cards needed (from the least on), spot and inside."""

MOST_CARDS = 25  # as far as memory goes
MOST_BITS = 62  # of a number, so that the sum of two still has room for its sign in 64
SLOWER = 20  # times, where 64 bits do not suffice and each number is an object of Python's
_AT_ONCE = 1 << 18  # numbers, two megabytes: what is worked out at once stays in a processor's cache
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
        """The common denominator of what rejections cost."""
        if self.follows_start:
            return self.terms.cards + 4
        return self.terms.penalty.rate(self.terms.cards, 1).denominator

    def cost(self, turn: int, cards: Amount, least: Amount, largest: Amount) -> Amount:
        """Return what rejecting the cards costs, summed over all K from `least` to `largest`."""
        starts = largest - least + 1
        if self.follows_start:  # 2 (N + K) for each K, over N + 4
            rates = starts * (2 * self.terms.cards + least + largest)
        else:
            rates = starts * self.terms.penalty.rate(self.terms.cards, 1).numerator
        times = turn if self.terms.penalty.kind in _BY_TURN else 1
        cost: Amount = rates * times * cards if self.terms.penalty.kind in _BY_VALUE else rates * times
        return cost

    def fits(self, count: int, together: bool) -> bool:
        """Whether 64 bits suffice after so many cards: M of the largest, or 2N for each, and a rejection."""
        terms = self.terms
        card = 2 * terms.cards if together else terms.highest_start + terms.cards
        dearest = terms.cost(terms.highest_start, terms.cards, terms.highest_start + terms.cards)
        reach = self.denominator * (terms.keep * card + dearest)
        return factorial(terms.cards - count + 1) * reach < 1 << MOST_BITS


@dataclass(frozen=True, slots=True)
class Draw:
    """A next card for all sets of a level that it fits: where it leads, and how it counts."""

    spots: range  # of the sets before
    insides: Whole | slice  # numbers of the sets before
    width: int  # afterwards
    numbers: Numbers  # of the insides afterwards
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
        for count in range(terms.cards, 0, -1):
            level = level if count == terms.cards else self._level(count, level)
            if whole or count == 1:
                self._levels[count] = level

    def value(self, cards: Collection[int], needed: int) -> Fraction:
        """Return the expected further profit when these cards are decided and so many still needed."""
        if not cards:
            return self._first()
        lowest, width = min(cards), max(cards) - min(cards) + 1
        inside = sum(1 << (card - lowest - 1) for card in cards if lowest < card < lowest + width - 1)
        number = self._insides.numbers(np.array([inside]))[0] if width > 1 else 0
        spot = self._spots.find(width, np.array([lowest]))[0]
        amount = self._levels[len(cards)][width][needed - self._least(len(cards)), spot, number]
        least, largest = self._spots.starts(width, np.array([lowest]))
        unit = int(largest[0] - least[0] + 1) * factorial(self._terms.cards - len(cards))
        above = needed * lowest if self._measure.together else 0
        return Fraction(int(amount), unit * self._measure.denominator) + above

    def _least(self, count: int) -> int:
        """Return how many cards are needed at least after so many."""
        return max(0, self._terms.keep - count)

    def _first(self) -> Fraction:
        """Return the value of the game: the mean over the first card."""
        terms, total = self._terms, Fraction(0)
        for card in range(1, terms.highest_start + terms.cards):
            least, largest = max(1, card - terms.cards + 1), min(terms.highest_start, card)
            starts = largest - least + 1
            cost = Fraction(self._measure.cost(1, card, least, largest), starts * self._measure.denominator)
            keep = card + self.value([card], terms.keep - 1)
            total += starts * max(keep, self.value([card], terms.keep) - cost)
        return total / (terms.highest_start * terms.cards)

    def _level(self, count: int, after: Level) -> Level:
        """Work out all sets of so many cards from those of one more."""
        kind = np.int64 if self._measure.fits(count, self._measure.together) else object
        needed = min(self._terms.keep, self._terms.cards - count) - self._least(count) + 1
        level: Level = {}
        for width in [1] if count == 1 else range(count, self._terms.cards + 1):
            insides = self._insides.of(count, width)
            values = np.zeros((needed, len(self._spots.places(width)), len(insides)), dtype=kind)
            for draw in self._draws(width, insides):
                for part in draw.parts(needed):
                    self._add(values, count, width, part, after[draw.width])
            level[width] = values
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

    def _add(self, values: Numbers, count: int, width: int, draw: Draw, after: Numbers) -> None:
        """Add what the better choice at this card is worth."""
        here = slice(draw.spots.start, draw.spots.stop)
        lowest = self._spots.places(width)[here]
        least, largest = self._spots.starts(draw.width, lowest + draw.slide)
        spots = self._spots.find(draw.width, lowest + draw.slide)
        worth = after[:, spots[:, None], draw.numbers[None, :]].astype(values.dtype, copy=False)
        orders = factorial(self._terms.cards - count - 1)
        weight = (largest - least + 1).astype(values.dtype) * orders * self._measure.denominator
        cards = (lowest + draw.offset).astype(values.dtype)
        cost = self._measure.cost(count + 1, cards, least.astype(values.dtype), largest) * orders
        gain, slide = (draw.offset, draw.slide) if self._measure.together else (cards, 0)

        first = max(self._least(count), 1)
        needed = np.arange(first, self._least(count) + len(values)).astype(values.dtype)[:, None]
        free = len(worth) - 1  # more are needed where every card that is left must be kept
        best = worth[: len(needed)] + (weight * (gain + (needed - 1) * slide))[:, :, None]
        another = worth[1:] + (weight * needed[:free] * slide - cost)[:, :, None]
        np.maximum(best[:free], another, out=best[:free])
        rows = slice(first - self._least(count), None)
        values[rows, here, draw.insides] += best


def work(terms: Terms) -> int:
    """Return about how many steps a table takes, in 64-bit additions."""
    measure, total = ExactMeasure(terms), 0
    for count in range(1, terms.cards):
        rows = min(terms.keep, terms.cards - count) - max(0, terms.keep - count) + 1
        each = 1 if measure.fits(count, measure.together) else SLOWER
        for width in [1] if count == 1 else range(count, terms.cards + 1):
            insides = comb(width - 2, count - 2) if count > 1 else 1
            out = terms.cards - width
            spots = 2 * out + 1 if measure.together else terms.highest_start + out
            total += each * rows * spots * insides * (width - count + 2 * out)
    return total


# Best play of the last cards of a game, exactly: what can still come after the cards that have been seen.
#
# It is the recursion of `ValueTable`, for those sets only that have all of these cards: a lowest and a
# highest card, and a bit for each unseen card between them. Their number doubles with each card that is
# left, and there are half as many pairs of ends as the square of the K that fit: the end of a large game is
# as quick as a small game.

Ends: TypeAlias = tuple[int, int]
"""The lowest and the highest card that have been seen."""

_MOST_STARTS = 30  # values of K that fit: there are about half their square of pairs of ends
_MOST_BETWEEN = 20  # unseen cards between the ends
_CALL = 1500  # steps that a group of sets takes at least


@dataclass(frozen=True, slots=True)
class EndingDraw:
    """A next card for some sets with the same ends: which they are, and which they become."""

    card: int
    places: Whole | slice  # places of the sets in `sets`
    ends: Ends  # afterwards
    after: Numbers  # the sets afterwards


class Ending:
    """The values of all sets that contain these cards, of which there is at least one."""

    def __init__(self, terms: Terms, cards: Collection[int]) -> None:
        self._terms = terms
        self._cards = frozenset(cards)
        self._measure = ExactMeasure(terms)
        self._ends = min(cards), max(cards)
        self._most = min(terms.keep, terms.cards - len(self._cards))
        self._values: dict[Ends, Numbers] = {}

    def has(self, cards: Collection[int]) -> bool:
        """Whether these cards can come of those that were seen."""
        return self._cards <= set(cards)

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
        """Return the expected further profit when these cards are decided and so many still needed."""
        if not self._values:
            for ends in self._pairs():
                self._values[ends] = self._work_out(ends)
        ends = min(cards), max(cards)
        rest = sum(1 << place for place, card in enumerate(self._between(ends)) if card in cards)
        unit = len(self._starts(ends)) * factorial(self._terms.cards - len(cards)) * self._measure.denominator
        return Fraction(int(self._values[ends][needed, rest]), unit)

    def _starts(self, ends: Ends) -> range:
        """Return every K that fits."""
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
        return len(self._cards) + (ends[0] < self._ends[0]) + (ends[1] > self._ends[1])

    def _between(self, ends: Ends) -> list[int]:
        return [card for card in range(ends[0] + 1, ends[1]) if card not in self._cards]

    @cached_property
    def _fits(self) -> bool:
        return self._measure.fits(len(self._cards), together=False)

    def _work_out(self, ends: Ends) -> Numbers:
        """Work out all sets with these ends, from the fullest to the emptiest."""
        between = self._between(ends)
        kind = np.int64 if self._fits else object
        values = np.zeros((self._most + 1, 1 << len(between)), dtype=kind)
        self._values[ends] = values
        every = np.arange(1 << len(between))
        counts = sum(((every >> place) & 1 for place in range(len(between))), np.zeros_like(every))
        for more in range(len(between), -1, -1):
            count = self._count(ends) + more
            sets = every[counts == more]
            worth = np.zeros((self._most + 1, len(sets)), dtype=kind)
            for draw in self._draws(ends, between, sets):
                self._add(worth, count, draw)
            values[:, sets] = worth
        return values

    def _draws(self, ends: Ends, between: list[int], sets: Numbers) -> Iterator[EndingDraw]:
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

    def _add(self, worth: Numbers, count: int, draw: EndingDraw) -> None:
        """Add what the better choice at this card is worth."""
        left = self._terms.cards - count
        if left == 0:
            return
        most = min(self._most, left)
        starts = self._starts(draw.ends)
        orders = factorial(left - 1)
        after = self._values[draw.ends][: most + 1, draw.after]
        cost = self._measure.cost(count + 1, draw.card, starts[0], starts[-1]) * orders
        best = after[:most] + len(starts) * orders * self._measure.denominator * draw.card
        free = min(most, left - 1)  # more are needed where every card that is left must be kept
        np.maximum(best[:free], after[1 : free + 1] - cost, out=best[:free])
        worth[1 : most + 1, draw.places] += best
