"""What the best reply to each strategy of the house returns in a game of two: the pot goes to most points.

An equilibrium in points need not be one in pots: a lead of one point wins as much as one of fifty. So all is
worked out for pots, as whole numbers and fractions:

- `random` and `nash` choose by hands alone. All pairs of hands with all margins of points are worked through
  backwards, and the reply takes what is best at each. Both draw evenly wherever they are, and `equilibrium`
  proves that no reply changes how likely any result is then. A reply that draws evenly too gets half of the
  pot over both seats, so every reply does: that is what is said of more cards than `INDUCTION_CARDS`.
- `linear` draws START and STEP and then has one order left. The reply sees START before its second card and
  STEP before its third. From there it knows which cards it meets, and who meets which is an assignment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import gcd, lcm
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from chatbot.games.chickenpoker.contest.session import StepPlayer
from chatbot.games.chickenpoker.solver import equilibrium
from chatbot.games.chickenpoker.solver.solver import HeldCards, margins, places_left
from chatbot.kernel.returns import BestReply, exactly

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.games.chickenpoker.solver.solver import Integers

Mix: TypeAlias = Callable[[HeldCards, HeldCards, bool], Sequence[int]]
"""Gives whole weights for the cards of a hand, from both hands, and whether it is the lower id's."""

LENGTHS = range(2, 16)
INDUCTION_CARDS = 8  # 12,869 pairs of hands, each with 145 margins, in both seats: a second
WON, SHARED = 2, 1  # of what each has staked; nothing comes back of a game that is lost
_MOST = 2**62  # of whole numbers that NumPy adds without overflow


def even(hand: HeldCards, other: HeldCards, lower: bool) -> Sequence[int]:  # noqa: ARG001
    """Mix as `random` does."""
    return (1,) * len(hand)


MIXES: dict[str, Mix] = {"random": even, "nash": equilibrium.weights}


def figures() -> Iterator[tuple[str, int, BestReply]]:
    """Work out all strategies at all lengths that a chat can choose."""
    for name, mix in MIXES.items():
        yield from ((name, cards, of_mix(mix, cards)) for cards in LENGTHS)
    yield from (("linear", cards, exactly(against_orders(cards), "orders")) for cards in LENGTHS)


def of_mix(mix: Mix, cards: int) -> BestReply:
    """State what the best reply to a mix returns.

    Raises:
        ArithmeticError: there are more than `INDUCTION_CARDS`, and not all cards are drawn evenly.
    """
    if cards <= INDUCTION_CARDS:
        return exactly(by_induction(mix, cards), "induction")
    if not draws_evenly(mix):
        raise ArithmeticError(f"more than {INDUCTION_CARDS} cards are worked out for even draws only")
    return exactly(Fraction(1), "even")


@cache
def draws_evenly(mix: Mix) -> bool:
    """Whether all cards of a hand are as likely, at each pair of hands.

    Those out of the shipped policy's cards are looked at, and those with one card more: `nash` draws evenly
    from whatever hand has a larger one.
    """
    every = range(1, equilibrium.SHIPPED_CARDS + 2)
    for size in every:
        pairs = product(combinations(every, size), repeat=2)
        weights = (mix(own, other, lower) for own, other in pairs for lower in (True, False))
        if any(len(set(each)) > 1 for each in weights):
            return False
    return True


def by_induction(mix: Mix, cards: int) -> Fraction:
    """Work through all pairs of hands, with all margins, for whoever has the lower id and then the higher.

    Raises:
        ArithmeticError: the weights are such that whole numbers become too large.
    """
    return (_reply_value(mix, cards, lower=True) + _reply_value(mix, cards, lower=False)) / 2


def _reply_value(mix: Mix, cards: int, *, lower: bool) -> Fraction:
    """Return what the best reply gets who has the lower id, or the higher one."""
    gains = _gains(cards, lower=lower)
    span = cards * (cards + 1)  # all points of a game
    values: Integers = _of_pot(np.arange(-span, span + 1))[None, None]
    left: tuple[HeldCards, ...] = ((),)
    scale = 1
    for size in range(1, cards + 1):
        hands = tuple(combinations(range(1, cards + 1), size))
        values, unit = _level(mix, hands, places_left(hands, left), values, gains, lower)
        scale, left = scale * unit, hands
        if scale > _MOST // WON:
            raise ArithmeticError(f"a mix of {cards} cards makes numbers of more than 64 bits")
    return Fraction(int(values[0, 0, span]), scale)


def _level(
    mix: Mix,
    hands: tuple[HeldCards, ...],
    rests: Integers,
    values: Integers,
    gains: Integers,
    lower: bool,
) -> tuple[Integers, int]:
    """Work out all pairs of hands of one size: what they are worth by margins, and the unit of that.

    The house has the hands of the columns.
    """
    mixes = [[mix(other, own, not lower) for other in hands] for own in hands]
    unit = lcm(*(sum(each) for row in mixes for each in row))
    margin = np.arange(values.shape[-1])
    worth = np.empty((len(hands), len(hands), len(margin)), dtype=np.int64)
    for row, own in enumerate(hands):
        for column, other in enumerate(hands):
            weights = np.array(mixes[row][column]) * (unit // sum(mixes[row][column]))
            after = margin + gains[np.ix_(own, other)][..., None]
            # Margins beyond the last cannot come up, so what they are worth makes no difference.
            after = after.clip(0, len(margin) - 1)
            next_values = values[rests[row][:, None, None], rests[column][None, :, None], after]
            worth[row, column] = (next_values * weights[None, :, None]).sum(axis=1).max(axis=0)
    return worth, unit


def _gains(cards: int, *, lower: bool) -> Integers:
    """Return what the reply scores beyond the house, by the cards of both, from 1 on."""
    table = np.zeros((cards + 1, cards + 1), dtype=np.int64)
    table[1:, 1:] = margins(cards) if lower else -margins(cards).T
    return table


def _of_pot(margin: Integers) -> Integers:
    """Return how many stakes come back by the margin of a game."""
    return np.where(margin > 0, WON, np.where(margin == 0, SHARED, 0))


# The reply to `linear`.


def against_orders(cards: int) -> Fraction:
    """Work out the best reply to an order whose START and STEP are drawn when they are needed."""
    return (_to_orders(cards, lower=True) + _to_orders(cards, lower=False)) / 2


def _to_orders(cards: int, *, lower: bool) -> Fraction:
    """Choose the first card without knowing anything."""
    gains = _gains(cards, lower=lower)
    steps = [each for each in range(1, cards) if gcd(each, cards) == 1]
    every = range(1, cards + 1)
    return max(
        Fraction(sum(_after_start(gains, first, start, steps) for start in every), cards * len(steps))
        for first in every
    )


def _after_start(gains: Integers, first: int, start: int, steps: Sequence[int]) -> int:
    """Choose the second card knowing START; the value is a sum over all STEPs."""
    orders = [StepPlayer(start, step).order(len(gains) - 1) for step in steps]
    seconds = [each for each in range(1, len(gains)) if each != first]
    return max(sum(_after_step(gains, (first, each), order) for order in orders) for each in seconds)


def _after_step(gains: Integers, own_cards: tuple[int, int], order: Sequence[int]) -> int:
    """Choose all other cards, knowing which they will meet."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415  (what needs no assignment does without)

    rest = [each for each in range(1, len(gains)) if each not in own_cards]
    game = gains[np.ix_(rest, order[2:])]
    margin = gains[own_cards, tuple(order[:2])].sum() + game[linear_sum_assignment(game, maximize=True)].sum()
    return int(_of_pot(margin))
