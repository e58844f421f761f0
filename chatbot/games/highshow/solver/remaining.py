"""What is still to be had after some cards: once K is known, and while it is learned card by card."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatbot.games.highshow.rules.terms import MOST_CARDS, PenaltyKind

if TYPE_CHECKING:
    from collections.abc import Collection

    from chatbot.games.highshow.rules.terms import Terms

# What is still to be had once K is known: keep whatever is among the q best cards left, for the best q.
#
# With r cards left and m needed, the m-th of q good cards comes after m(r+1)/(q+1) draws on average
# (the negative hypergeometric law), the kept cards are worth what the q best are on average and the
# rejected ones what the rest are: so each q has a closed form, for every penalty.
Floats: TypeAlias = NDArray[np.float64]

MOST_CHOICES = 48  # values of q that `settled_worth` looks at
SHARES = np.linspace(0.0, 1.0, MOST_CHOICES)[:, None]


@dataclass(frozen=True, slots=True)
class Cost:
    """What a rejection costs, in floats: the rate is `level + slope × K`."""

    kind: PenaltyKind
    level: float
    slope: float

    @classmethod
    def of(cls, terms: Terms) -> Cost:
        """Return the cost of a rejection under some terms."""
        rate = terms.penalty.rate
        level = rate(terms.cards, 0)
        return cls(terms.penalty.kind, float(level), float(rate(terms.cards, 1) - level))

    @property
    def uniform(self) -> bool:
        """Whether neither K nor the card's value makes a difference."""
        return self.kind in {PenaltyKind.NONE, PenaltyKind.LINEAR} or (
            self.kind is PenaltyKind.TURN and not self.slope
        )

    def of_one(self, lowest: Floats | float, turn: int, card: Floats | float) -> Floats | float:
        """Return what rejecting one card, the `turn`-th, costs for that K (or for their mean)."""
        times = turn if self.by_turn else 1
        return self.total(self.level + self.slope * lowest, 1, times, card)

    def line(self, lowest: float, turn: int) -> tuple[float, float]:
        """Return x and y such that rejecting the `turn`-th card, of value c, costs x + y c for that K."""
        rate = self.level + self.slope * lowest
        match self.kind:
            case PenaltyKind.NONE:
                return 0.0, 0.0
            case PenaltyKind.LINEAR:
                return rate, 0.0
            case PenaltyKind.TURN:
                return rate * turn, 0.0
            case PenaltyKind.VALUE:
                return 0.0, rate
            case PenaltyKind.TURNVALUE:
                return 0.0, rate * turn

    @property
    def free(self) -> bool:
        """Whether a rejection costs nothing: waiting for the best cards is best."""
        return self.kind is PenaltyKind.NONE

    @property
    def by_turn(self) -> bool:
        """Whether the turn of a card makes a difference."""
        return self.kind is PenaltyKind.TURN or self.kind is PenaltyKind.TURNVALUE

    @property
    def by_value(self) -> bool:
        """Whether the value of a card makes a difference."""
        return self.kind is PenaltyKind.VALUE or self.kind is PenaltyKind.TURNVALUE

    def total(
        self, rate: Floats | float, cards: Floats | float, turns: Floats | float, worth: Floats | float
    ) -> Floats | float:
        """Return what so many rejected `cards` cost, of that mean worth, whose turns have that sum."""
        match self.kind:
            case PenaltyKind.NONE:
                return 0.0
            case PenaltyKind.LINEAR:
                return rate * cards
            case PenaltyKind.TURN:
                return rate * turns
            case PenaltyKind.VALUE:
                return rate * cards * worth
            case PenaltyKind.TURNVALUE:
                return rate * turns * worth


def profit(
    cost: Cost,
    rate: Floats | float,
    turn: int,
    left: int,
    needed: Floats | int,
    good: Floats,
    worth: Floats,
    rest: Floats | float,
) -> Floats:
    """Return what keeping the `good` best of the cards `left` brings, if `worth` is the mean of these.

    The arguments are broadcast against each other; `rest` is the mean of the other cards.
    """
    if cost.free:
        return np.asarray(needed * worth)
    spacing = (left + 1) / (good + 1)
    rejected = needed * (spacing - 1)
    turns: Floats | float = 0.0
    if (
        cost.by_turn
    ):  # those of all cards drawn, E[D(D+1)]/2, without the kept ones, which come every `spacing`
        turns = turn * rejected + needed * (needed + 1) / 2 * spacing * ((left + 2) / (good + 2) - 1)
    return np.asarray(needed * worth - cost.total(rate, rejected, turns, rest))


def settled_worth(cost: Cost, cards: int, turn: int, needed: Floats, lowest: float) -> Floats:
    """Return for each number `needed` what the cards left bring, counted from K, when any may be left.

    The numbers ascend. Instead of the cards themselves there are their mean ranks: of r cards out of N, the
    j-th highest is N − j (N+1) / (r+1) above K.
    """
    left = cards - turn
    enough = int(np.searchsorted(needed, left)) + 1
    if enough < len(needed):  # more than all that are left bring as much as these
        fewer = settled_worth(cost, cards, turn, needed[:enough], lowest)
        return np.concatenate((fewer, np.full(len(needed) - enough, fewer[-1])))
    least = np.clip(needed, 1, max(left, 1))
    good = np.round(least * (left / least) ** SHARES)
    gap = (cards + 1) / (left + 1)
    worth = cards - (good + 1) / 2 * gap
    rest = np.where(good < left, (left - good + 1) / 2 * gap - 1, 0) + lowest
    rate = cost.level + cost.slope * lowest
    profits: Floats = profit(cost, rate, turn, left, np.minimum(needed, left), good, worth, rest).max(axis=0)
    return profits


# The cards that may be left, for each value of K that may be.
#
# Cards below the highest and above the lowest of these decks cannot have been seen, so what is left of the
# deck of each K is the next window of one ascending row of values.
MOST_TURNS = 200  # that learning is followed for: by then K is all but known
EVERY_CHOICE = 64  # q
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
        shape, size = (len(range(first, starts, step)), len(row) - starts + 2), sums.itemsize
        windows = np.ndarray(shape, np.float64, sums, first * size, (step * size, size))  # share the sums
        return cls(cost, turn, lowest + first + step * np.arange(len(windows), dtype=np.float64), windows)

    @property
    def left(self) -> int:
        """How many cards are left."""
        return int(self.sums.shape[1]) - 1

    @property
    def rates(self) -> Floats:
        """The rate of a rejection for each K looked at."""
        return self.cost.level + self.cost.slope * self.starts

    def bests(self, needed: Floats) -> Floats:
        """Return the expected profit of the best q for each number needed, averaged over the K looked at."""
        profits = self._profits(self.left, np.clip(needed, 1, self.left)).max(axis=2).mean(axis=0)
        return np.where(needed > 0, profits, 0.0)

    def without(self, cards: Floats, needed: Floats) -> Floats:
        """Return the same when one more card has gone: a row for each of `cards`.

        Every deck has these cards, which ascend; `turn` counts the one that has gone. The q is the best one
        when a card below the q best goes.
        """
        left = self.left - 1
        numbers = np.clip(needed, 1, left)
        best = self._profits(left, numbers).argmax(axis=2)
        good = self._places(left, numbers)[np.arange(len(numbers)), best]
        share = good.astype(np.float64)
        fewer, as_many, more = self._sums_of_best(good)
        whole = self.sums[:, -1:] - self.sums[:, :1]
        nothing, one = (
            profit(
                self.cost, self.rates[:, None], self.turn, left, numbers, share, np.zeros(1), np.full(1, rest)
            )
            for rest in (0.0, 1.0)
        )
        # All is linear in what is kept and in the rest; the card is missing from the one or from the other.
        of_kept, of_rest = numbers / share, (one - nothing) / np.maximum(left - share, 1)
        if_kept = nothing + of_kept * more + of_rest * (whole - more)
        if_not = nothing + of_kept * as_many + of_rest * (whole - as_many)
        lowest = as_many - fewer  # of the q best
        first = int(np.searchsorted(cards, lowest.min()))
        profits, high = np.zeros((len(numbers), len(cards))), cards[first:]
        for each in range(
            len(self.starts)
        ):  # one K after the other: that much stays in the processor's cache
            part = if_not[each, :, None] - of_rest[each, :, None] * cards
            among = high >= lowest[each, :, None]
            np.copyto(part[:, first:], if_kept[each, :, None] - of_kept[each, :, None] * high, where=among)
            profits += part
        profits /= len(self.starts)
        profits[needed <= 0] = 0.0
        return profits.T

    def _sums_of_best(self, good: NDArray[np.intp]) -> tuple[Floats, Floats, Floats]:
        """Sum the best cards left, one fewer than `good`, as many, and one more: by K and number needed."""
        each, total = np.arange(len(self.starts))[:, None], self.sums[:, -1:]
        fewer, best, more = (total - self.sums[each, self.left - good + step] for step in (1, 0, -1))
        return fewer, best, more

    def _profits(self, left: int, needed: Floats) -> Floats:
        """Return the profit for each K, number needed and q looked at if only the `left` best are left."""
        places = self._places(left, needed)
        good = places.astype(np.float64)
        below = self.sums[:, self.left - places]
        worth: Floats = (self.sums[:, -1:, None] - below) / good
        rest: Floats | float = 0.0
        if self.cost.by_value:
            others = np.maximum(left - good, 1)
            rest = (below - self.sums[:, self.left - left, None, None]) / others
        return profit(
            self.cost, self.rates[:, None, None], self.turn, left, needed[:, None], good, worth, rest
        )

    def _places(self, left: int, needed: Floats) -> NDArray[np.intp]:
        """Return the values of q to look at: where waiting is free, the best cards are as many as needed."""
        return needed.astype(np.intp)[:, None] if self.cost.free else several(left, needed)


def several(left: int, needed: Floats) -> NDArray[np.intp]:
    """Return the values of q that are looked at: a row for each number needed, from that number on."""
    values: NDArray[np.intp] = np.minimum(needed.astype(np.intp)[:, None] + steps(left), left)
    return values


@lru_cache(2 * MOST_CARDS)
def steps(left: int) -> NDArray[np.intp]:
    """Return 0, 1, 2… up to `EVERY_CHOICE`, and from there on steps that grow by a thirtieth."""
    count = int(log(max(left / EVERY_CHOICE, 1)) * 30)
    further = np.geomspace(EVERY_CHOICE, max(left, EVERY_CHOICE), count + 1).round()
    values = np.unique(np.concatenate([np.arange(EVERY_CHOICE), further]))
    return values[values <= left].astype(np.intp)


def narrowed(terms: Terms, cards: Collection[int]) -> tuple[int, int]:
    """Return the lowest K that these cards leave, and how many they leave."""
    lowest = max(1, max(cards) - terms.cards + 1)
    return lowest, min(terms.highest_start, *cards) - lowest + 1


def unseen(terms: Terms, cards: Collection[int], lowest: int, starts: int) -> Floats:
    """Return the cards not seen that any of the decks left has, in order."""
    there = np.ones(terms.cards + starts - 1, dtype=bool)
    there[np.fromiter(cards, np.intp, len(cards)) - lowest] = False
    return (np.flatnonzero(there) + lowest).astype(np.float64)


def typical(terms: Terms, turn: int, lowest: int, starts: int) -> Floats:
    """Return such a row as it is on average: of the cards that all decks have, evenly many have been seen."""
    ends = 1 if turn >= 2 else 0
    first, last = lowest + starts - 1 + ends, lowest + terms.cards - 1 - ends
    count = terms.cards + 1 - starts - turn
    common = first - 1 + np.arange(1, count + 1) * ((last - first + 2) / (count + 1))
    below, above = np.arange(starts - 1) + lowest, np.arange(starts - 1) + lowest + terms.cards
    return np.concatenate((below, common, above)).astype(np.float64)


# What learning K card by card is worth: a recursion over the turn, the K left, and the cards needed.
#
# After t cards the values of K that are left are a..b, each as likely, and n = b−a+1 of them. Cards from
# b to a+N−1 are in every such deck; the next card is one of these with probability (N−n+1−t)/(N−t) and tells
# nothing of K, or it is i below b or i above a+N−1, with probability (n−i)/(n(N−t)) each for i = 1..n−1, and
# leaves n−i. That is exact. What is not: which of the common cards have been seen is forgotten, and what a
# rejection costs is taken as if K were always at the same level. So all that counts from a on depends on t, n
# and m alone.
MOST_STATES = 400_000  # of one table: about 50 ms
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
        self._lowest_level = len(self._sizes)

    @property
    def horizon(self) -> int:
        """Up to which turn learning is followed; later K counts as known."""
        return len(self._sizes) - 1

    def columns(self, turn: int) -> Floats:
        """Return how many may still be needed after so many cards."""
        return np.arange(max(0, self._keep - turn), self._keep + 1, dtype=np.float64)

    def look(self, turn: int, starts: Floats) -> Floats:
        """Return the worth after `turn` cards, counted from a: a row for each number of K left."""
        level = self._level(turn)
        counts = np.minimum(starts, len(level)).astype(np.intp)
        extra: Floats = (starts - counts)[:, None] / 2 * self.columns(turn)
        return level[counts - 1] + extra

    def _level(self, turn: int) -> Floats:
        if turn > self.horizon:
            if turn not in self._levels:
                self._levels[turn] = self._settled_worth(turn)[None, :]
            return self._levels[turn]
        while self._lowest_level > turn:
            self._lowest_level -= 1
            self._levels[self._lowest_level] = self._step(self._lowest_level)
        return self._levels[turn]

    def _settled_worth(self, turn: int) -> Floats:
        return settled_worth(self._cost, self._cards, turn, self.columns(turn), self._lowest)

    def _step(self, turn: int) -> Floats:
        """Work out a level from the next one."""
        left, needed = self._cards - turn, self.columns(turn)
        starts = np.arange(1, self._sizes[turn] + 1, dtype=np.float64)[:, None]
        if left == 0:
            return np.zeros((len(starts), len(needed)))
        later = self.look(turn + 1, starts[:, 0])
        keep, another = later[:, :-1], later[:, 1:].copy()
        numbers = needed[needed > 0]
        another[:, numbers >= left] = -np.inf
        worth = self._outside(turn, starts, numbers, keep, another) + self._inside(
            turn, starts, keep, another
        )
        if len(numbers) < len(needed):
            worth = np.hstack((np.zeros((len(starts), 1)), worth))
        worth[0] = self._settled_worth(turn)
        forced = needed >= left
        worth[:, forced] = ((starts + self._cards - 2) / 2 * needed)[:, forced]
        return worth

    def _outside(self, turn: int, starts: Floats, numbers: Floats, keep: Floats, another: Floats) -> Floats:
        """Sum over the cards that narrow K, which are the lowest or the highest of what is left of them."""
        fixed, each = self._line(turn, starts)
        low, high = starts - 1, self._cards - 1
        below = np.maximum(low + keep, another - fixed - each * low)
        above = np.maximum(high + keep, another - fixed - each * high)
        # A new a lies i = n−n' above the old one, which the m cards still needed gain.
        sums = np.cumsum(starts * (below + above), axis=0) - starts * (below + above)
        counts = np.cumsum(starts, axis=0) - starts
        squares = np.cumsum(starts**2, axis=0) - starts**2
        worth: Floats = (sums + numbers * (starts * counts - squares)) / (starts * (self._cards - turn))
        return worth

    def _inside(self, turn: int, starts: Floats, keep: Floats, another: Floats) -> Floats:
        """Sum over the cards that every deck has, as if each of them were as likely."""
        fixed, each = self._line(turn, starts)
        ends = 1 if turn >= 2 else 0  # the lowest and the highest of them have been seen
        first, last = starts - 1 + ends, float(self._cards - 1 - ends)
        count = np.maximum(last - first + 1, 0)
        limit = np.clip(np.ceil((another - keep - fixed) / (1 + each)), first, np.maximum(last + 1, first))
        kept_count, rejected_count = last + 1 - limit, limit - first
        after_rejection = np.where(rejected_count > 0, another, 0.0)  # where it is impossible
        total = kept_count * ((last + limit) / 2 + keep) + rejected_count * (
            after_rejection - fixed - each * (first + limit - 1) / 2
        )
        chance = np.maximum(self._cards + 1 - starts - turn, 0) / (self._cards - turn)
        worth: Floats = np.where(count > 0, total, 0.0) / np.maximum(count, 1) * chance
        return worth

    def _line(self, turn: int, starts: Floats) -> tuple[Floats, float]:
        """Return what rejecting the next card costs: a part for each n and what each point above a adds."""
        fixed, each = self._cost.line(self._lowest, turn + 1)
        return fixed + each * (self._lowest - (starts - 1) / 2), each


def sizes(cards: int, keep: int) -> list[int]:
    """Return how many values of K to follow after 0, 1, 2… cards: as far as the states are not too many."""
    counts, states = list[int](), 0
    for turn in range(min(cards, MOST_TURNS) + 1):
        counts.append(starts_left(cards, turn))
        states += counts[-1] * (min(turn, keep) + 1)
        if states > MOST_STATES:
            break
    return counts


def starts_left(cards: int, turn: int) -> int:
    """Return how many values of K are ever left after so many cards, but for a rare case.

    The range of t cards leaves out a share x of the deck with probability about t (1−x)^(t−1).
    """
    if turn < 3:
        return cards
    share = 1 - (RARE / turn) ** (1 / (turn - 1))
    return max(1, min(int(share * cards) + 1, cards + 1 - turn))


# What is still to be had after some cards, as far as the turn, the K left and the cards needed tell.
LEVELS = 9  # values of K for which there are tables, where it matters for what a rejection costs


class RemainingWorth:
    """The tables of `Learning`, between which is interpolated where the level of K matters."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._cost = Cost.of(terms)
        shares = np.linspace(0, 1, 1 if self._cost.uniform else LEVELS)
        # Where K is low its level matters most: there a rejection may pay that costs its value.
        self._levels = 1 + (terms.highest_start - 1) * shares**2
        self._tables = dict[int, Learning]()

    @property
    def horizon(self) -> int:
        """The last turn for which there are tables."""
        return self._table(0).horizon

    def columns(self, turn: int) -> Floats:
        """Return the numbers of cards needed for which there are columns after `turn` cards."""
        return self._table(0).columns(turn)

    def look(self, turn: int, lowest: Floats, starts: Floats) -> Floats:
        """Return rows of what remains to be had after `turn` cards, by the lowest K left and how many are."""
        worth = self._relative(turn, lowest + (starts - 1) / 2, starts)
        return worth + lowest[:, None] * self.columns(turn)

    def _relative(self, turn: int, middle: Floats, starts: Floats) -> Floats:
        if len(self._levels) == 1:
            return self._table(0).look(turn, starts)
        before = np.clip(np.searchsorted(self._levels, middle) - 1, 0, LEVELS - 2)
        low, high = self._levels[before], self._levels[before + 1]
        shares = ((middle - low) / (high - low))[:, None]
        worth = np.empty((len(starts), len(self.columns(turn))))
        for each in np.unique(before):
            here = before == each
            lower, upper = (self._table(int(each) + step).look(turn, starts[here]) for step in (0, 1))
            worth[here] = (1 - shares[here]) * lower + shares[here] * upper
        return worth

    def _table(self, level: int) -> Learning:
        if level not in self._tables:
            self._tables[level] = Learning(self._terms, self._cost, float(self._levels[level]))
        return self._tables[level]
