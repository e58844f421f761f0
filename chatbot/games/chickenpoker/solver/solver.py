"""Solves Chicken Poker for two by backward induction: one matrix game at each pair of remaining hands.

Each game has the margin of the round and what the hands that are left are worth. `equilibrium` proves
that an even mix is optimal at all of them; here that is checked of each one, for both players and
without a tolerance: all amounts are whole numbers, in units of 1/n! for the cards 1..n.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, factorial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatbot.games.chickenpoker.solver.equilibrium import margin

if TYPE_CHECKING:
    from collections.abc import Iterator

Integers: TypeAlias = NDArray[np.int64]


def margins(cards: int) -> Integers:
    """Return the margin of every card against every other: a row for each card of the lower id, from 1 on."""
    each = range(1, cards + 1)
    return np.array([[margin(lower, higher) for higher in each] for lower in each], dtype=np.int64)


def even_values(games: Integers) -> Integers:
    """Solve games in which it is optimal to play all rows, and all columns, equally often.

    `games` has the shape (…, m, m): what the player of the rows gets; the values have the shape (…). It is
    optimal where all rows and all columns have the same sum s: whoever mixes evenly then gets s/m
    whatever the other does, and as both can have it so, s/m is the value.

    Raises:
        ArithmeticError: some game is not of this kind, or its value is not a whole number.
    """
    values: Integers = games[..., 0, :].sum(axis=-1) // games.shape[-1]
    sums = (values * games.shape[-1])[..., None]
    if (games.sum(axis=-1) != sums).any() or (games.sum(axis=-2) != sums).any():
        raise ArithmeticError("an even mix does not equalise one of these games")
    return values


HeldCards: TypeAlias = tuple[int, ...]  # ascending

MOST_CARDS = 12  # 2 704 155 pairs of hands: a few seconds


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """All pairs of hands of one size."""

    hands: tuple[HeldCards, ...]
    amounts: Integers  # the value of each pair: the lower id's hand by row, the other's by column
    unit: Fraction  # of the amounts

    def value(self, lower: int, higher: int) -> Fraction:
        """Return the value of a pair, by the places of its hands."""
        return int(self.amounts[lower, higher]) * self.unit


@dataclass(frozen=True, slots=True)
class Solution:
    """The value of a game of two, and how the best play opens it."""

    value: Fraction  # the expected margin of the player with the lower id
    opening: tuple[Fraction, ...]  # the probability of each card, for both players
    pairs: int  # of hands that were worked out


def solve(cards: int) -> Solution:
    """Solve the game with the cards 1..n.

    It takes time and memory for C(2n, n) pairs of hands: 10 cards take a tenth of a second, 12 a few.
    """
    (last,) = deque(levels(cards), maxlen=1)
    pairs = sum(comb(cards, size) ** 2 for size in range(1, cards + 1))
    return Solution(last.value(0, 0), (Fraction(1, cards),) * cards, pairs)


def levels(cards: int) -> Iterator[Level]:
    """Work out all pairs of hands, from one card each to all n.

    Raises:
        ValueError: there are no cards, or too many.
        ArithmeticError: an even mix is not optimal somewhere.
    """
    if not 1 <= cards <= MOST_CARDS:
        raise ValueError(f"from 1 to {MOST_CARDS} cards can be worked through, not {cards}")
    rounds = margins(cards) * factorial(cards)
    level = Level(((),), np.zeros((1, 1), dtype=np.int64), Fraction(1, factorial(cards)))
    for _ in range(cards):
        level = _next(level, rounds)
        yield level


def _next(shorter: Level, rounds: Integers) -> Level:
    """Work out the hands of one card more than those that will be left."""
    size = len(shorter.hands[0]) + 1
    hands = tuple(combinations(range(1, len(rounds) + 1), size))
    card_places = np.array(hands, dtype=np.int64) - 1
    rests = places_left(hands, shorter.hands)
    rows = [
        even_values(
            rounds[cards[:, None], card_places[:, None, :]]
            + shorter.amounts[rest[:, None], rests[:, None, :]]
        )
        for cards, rest in zip(card_places, rests, strict=True)
    ]
    return Level(hands, np.stack(rows), shorter.unit)


def places_left(hands: tuple[HeldCards, ...], shorter: tuple[HeldCards, ...]) -> Integers:
    """Return the place of what is left of each hand when each of its cards is played."""
    place = {hand: number for number, hand in enumerate(shorter)}
    rests = [[place[(*hand[:card], *hand[card + 1 :])] for card in range(len(hand))] for hand in hands]
    return np.array(rests, dtype=np.int64)
