"""Chicken Poker by enumeration, from the rule of a round alone."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING, TypeAlias

from chatbot.games.chickenpoker.rules.showdown import winner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

Hand: TypeAlias = tuple[int, ...]
Pair: TypeAlias = tuple[Hand, Hand]  # the hands of ids 1 and 2


def margin(shown: tuple[int, int]) -> int:
    """Score a round of ids 1 and 2: the points of the first less those of the second."""
    return sum(shown) if winner(dict(enumerate(shown, 1))) == 1 else -sum(shown)


def without(hand: Hand, card: int) -> Hand:
    return tuple(each for each in hand if each != card)


def pairs(cards: int) -> Iterator[Pair]:
    """List all pairs of hands out of 1..n, the smaller ones first."""
    for size in range(1, cards + 1):
        yield from product(combinations(range(1, cards + 1), size), repeat=2)


def best_response(
    cards: int, weights: Callable[[Pair], Sequence[int]], responder: int
) -> Mapping[Pair, Fraction]:
    """Work out what id `responder`, 1 or 2, makes at most of the margin at each pair of hands.

    The other draws its cards with these weights. The margin is that of id 1, so id 2 wants it low. Whatever
    the responder does, in however mixed or cunning a way, it does no better than this.
    """
    worth: dict[Pair, Fraction] = {((), ()): Fraction(0)}

    def after(lower: Hand, higher: Hand, shown: tuple[int, int]) -> Fraction:
        return margin(shown) + worth[without(lower, shown[0]), without(higher, shown[1])]

    for lower, higher in pairs(cards):
        drawn = weights((lower, higher))
        if responder == 1:
            replies = [[after(lower, higher, (own, other)) for other in higher] for own in lower]
        else:
            replies = [[after(lower, higher, (other, own)) for other in lower] for own in higher]
        means = [
            sum(weight * each for weight, each in zip(drawn, row, strict=True)) / Fraction(sum(drawn))
            for row in replies
        ]
        worth[lower, higher] = max(means) if responder == 1 else min(means)
    return worth


def points_against_even(cards: int, players: int, player: int) -> tuple[Fraction, Fraction]:
    """Work out the least and the most points that one id can score on average, if all others draw evenly."""

    @cache
    def worth(hands: tuple[Hand, ...], most: bool) -> Fraction:
        own = hands[player - 1]
        if not own:
            return Fraction(0)
        means = [mean(hands, card, most) for card in own]
        return max(means) if most else min(means)

    def mean(hands: tuple[Hand, ...], card: int, most: bool) -> Fraction:
        rounds: list[tuple[int, ...]] = list(product(*hands[: player - 1], (card,), *hands[player:]))
        return sum((score(hands, shown, most) for shown in rounds), Fraction(0)) / len(rounds)

    def score(hands: tuple[Hand, ...], shown: tuple[int, ...], most: bool) -> Fraction:
        taken = sum(shown) if winner(dict(enumerate(shown, 1))) == player else 0
        return taken + worth(tuple(map(without, hands, shown)), most)

    everything = (tuple(range(1, cards + 1)),) * players
    return worth(everything, most=False), worth(everything, most=True)
