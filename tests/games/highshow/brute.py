"""High Show by enumeration: every K, every order of drawing, in fractions, from the rules alone."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Cards = frozenset[int]


def rate(kind: str, parameter: Fraction | None, cards: int, lowest: int) -> Fraction:
    """The parameter that counts, as the table of the rules has it."""
    defaults = {
        "none": Fraction(0),
        "linear": Fraction(cards, 10),
        "turn": Fraction(2 * (cards + lowest), cards + 4),
        "value": Fraction(1, 4),
        "turnvalue": Fraction(1, 8),
    }
    return defaults[kind] if parameter is None else parameter


def times(kind: str, turn: int, card: int) -> int:
    """What the parameter is taken times for the rejection of a card that appeared `turn`-th."""
    return {"none": 0, "linear": 1, "turn": turn, "value": card, "turnvalue": turn * card}[kind]


def decks(cards: int, seen: Cards) -> list[range]:
    """The decks that have all that was seen; each is as likely as another."""
    every = [range(lowest, lowest + cards) for lowest in range(1, 3 * cards + 1)]
    return [deck for deck in every if seen <= set(deck)]


def mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def values(kind: str, parameter: Fraction | None, cards: int) -> Callable[[Cards, int], Fraction]:
    """Give the function of the cards decided and those still needed: the best expected further profit."""

    @cache
    def after(seen: Cards, needed: int) -> Fraction:
        if needed == 0:
            return Fraction(0)
        draws = [card for deck in decks(cards, seen) for card in deck if card not in seen]
        return mean([chosen(seen, card, needed) for card in draws])

    @cache
    def chosen(seen: Cards, card: int, needed: int) -> Fraction:
        keep = card + after(seen | {card}, needed - 1)
        if cards - len(seen) == needed:
            return keep
        return max(keep, another(seen, card, needed))

    def another(seen: Cards, card: int, needed: int) -> Fraction:
        turn = len(seen) + 1
        fitting = decks(cards, seen | {card})
        cost = mean([rate(kind, parameter, cards, deck[0]) * times(kind, turn, card) for deck in fitting])
        return after(seen | {card}, needed) - cost

    return after


def best_return(
    kind: str, parameter: Fraction | None, cards: int, keep: int, par: Fraction, span: Fraction
) -> Fraction:
    """Give the most that one credit returns on average, over all policies that see only the cards.

    The state has all of the past that matters: the cards seen, the sum of those kept, and the rejections.
    """

    def payout(deck: range, kept: int, charged: int) -> Fraction:
        profit = kept - rate(kind, parameter, cards, deck[0]) * charged
        return min(Fraction(2), max(Fraction(0), 1 + (profit - par) / span))

    @cache
    def after(seen: Cards, needed: int, kept: int, charged: int) -> Fraction:
        if needed == 0:
            return mean([payout(deck, kept, charged) for deck in decks(cards, seen)])
        draws = [card for deck in decks(cards, seen) for card in deck if card not in seen]
        return mean([chosen(seen, card, needed, kept, charged) for card in draws])

    @cache
    def chosen(seen: Cards, card: int, needed: int, kept: int, charged: int) -> Fraction:
        own = after(seen | {card}, needed - 1, kept + card, charged)
        if cards - len(seen) == needed:
            return own
        fee = times(kind, len(seen) + 1, card)
        return max(own, after(seen | {card}, needed, kept, charged + fee))

    return after(frozenset(), keep, 0, 0)
