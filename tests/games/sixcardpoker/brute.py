"""Six Card Poker by enumeration, from the words of its rules alone: slow, and plain to read."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Cards: TypeAlias = tuple[int, ...]
Setting: TypeAlias = tuple[Cards, Cards, Cards]  # High, Middle and Low, the cards of each descending
Plan: TypeAlias = "Mapping[Cards, Mapping[Any, int]]"  # weights of settings, for six cards ascending

DECK = (1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4)
WIN, DRAW, LOSS = Fraction(1), Fraction(1, 2), Fraction(0)


def points(own: Setting, other: Setting) -> tuple[Fraction, Fraction, Fraction]:
    """Score High, Middle and Low."""
    return high(own[0], other[0]), middle(own[1], other[1]), low(own[2], other[2])


def score(own: Setting, other: Setting) -> Fraction:
    """Score a round."""
    return of_three(sum(points(own, other), Fraction(0)))


def of_three(total: Fraction) -> Fraction:
    """More than one and a half of the three points win, and just so many draw."""
    if total > Fraction(3, 2):
        return WIN
    return DRAW if total == Fraction(3, 2) else LOSS


@cache
def high(own: Cards, other: Cards) -> Fraction:
    """The larger sum wins."""
    return larger(sum(own), sum(other))


@cache
def middle(own: Cards, other: Cards) -> Fraction:
    """A pair beats no pair; of two pairs the higher wins, else the higher card and then the other card."""
    own_pair, other_pair = len(set(own)) == 1, len(set(other)) == 1
    if own_pair and not other_pair:
        return WIN
    if other_pair and not own_pair:
        return LOSS
    if own_pair:
        return larger(own[0], other[0])
    if max(own) != max(other):
        return larger(max(own), max(other))
    return larger(min(own), min(other))


@cache
def low(own: Cards, other: Cards) -> Fraction:
    """The higher card wins."""
    return larger(own[0], other[0])


def larger(own: int, other: int) -> Fraction:
    if own == other:
        return DRAW
    return WIN if own > other else LOSS


@cache
def dealt() -> Mapping[Cards, int]:
    """Deal six cards in all 8008 ways, and count how often they are the same to look at."""
    return Counter(tuple(sorted(hand)) for hand in combinations(DECK, 6))


@cache
def others(own: Cards) -> Mapping[Cards, int]:
    """Deal six of the ten cards that one player has left, in all 210 ways."""
    left = list(DECK)
    for card in own:
        left.remove(card)
    return Counter(tuple(sorted(hand)) for hand in combinations(left, 6))


@cache
def settings(own: Cards) -> Sequence[Setting]:
    """Lay six cards down in all 720 orders: three for High, two for Middle, one for Low."""
    laid = {tuple(map(descending, (each[:3], each[3:5], each[5:]))) for each in permutations(own)}
    return sorted((hands[0], hands[1], hands[2]) for hands in laid)


def descending(hand: Cards) -> Cards:
    return tuple(sorted(hand, reverse=True))


def expected(own: Cards, setting: Setting, plan: Plan) -> Fraction:
    """Give the expected score of one setting of one's cards, where the other plays by a plan."""
    total = Fraction(0)
    for other, deals in others(own).items():
        mix = plan[other]
        met = sum((weight * score(setting, each) for each, weight in mix.items()), Fraction(0))
        total += deals * met / sum(mix.values())
    return total / 210


def best_score(plan: Plan) -> Fraction:
    """Give what nobody exceeds against a plan, on average."""
    best = {own: max(expected(own, each, plan) for each in settings(own)) for own in dealt()}
    return sum((deals * best[own] for own, deals in dealt().items()), Fraction(0)) / 8008


def mean_score(own: Plan, other: Plan) -> Fraction:
    """Give what one plan scores against another, on average."""
    total = Fraction(0)
    for held, deals in dealt().items():
        mix = own[held]
        made = sum((weight * expected(held, each, other) for each, weight in mix.items()), Fraction(0))
        total += deals * made / sum(mix.values())
    return total / 8008
