"""What policies of Six Card Poker make of each other, exactly: all numbers are whole ones and fractions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatbot.games.sixcardpoker.rules.cards import DEALS, Held, arrangements, types
from chatbot.games.sixcardpoker.solver.tables import tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.games.sixcardpoker.rules.cards import Arrangement
    from chatbot.games.sixcardpoker.solver.policies import Policy

Results: TypeAlias = NDArray[np.int8] | NDArray[np.bool_]

_EVEN = Fraction(1, 2)
_MOST = 2**63 - 1  # that NumPy's own whole numbers hold; larger ones are Python's


@dataclass(frozen=True, slots=True)
class WinChances:
    """How likely the three ends are."""

    win: Fraction
    draw: Fraction
    loss: Fraction

    @property
    def score(self) -> Fraction:
        """Give the expected score: 1 for a win, ½ for a draw."""
        return self.win + self.draw / 2


@dataclass(frozen=True, slots=True)
class Prospects:
    """How one policy fares against another: in the round, and in High, Middle and Low."""

    round: WinChances
    hands: tuple[WinChances, WinChances, WinChances]


@dataclass(frozen=True, slots=True)
class Payoffs:
    """What each of the 760 arrangements gains on average, times the chance to be dealt its cards.

    They are in the order of `tables()`, as whole numbers, of which one is the `unit`-th part of a deal.
    """

    amounts: Sequence[int]
    unit: int

    def by_type(self) -> Iterator[tuple[Held, dict[Arrangement, int]]]:
        """Go through the types, with what each of their arrangements gains."""
        amounts = iter(self.amounts)
        for held in types():
            yield held, {each: next(amounts) for each in arrangements(held)}


def score(own: Policy, other: Policy) -> Fraction:
    """Give the expected score of one policy against another: 1 for a win, ½ for a draw."""
    return _EVEN + _mean(tables().rounds, own, other) / 2


def prospects(own: Policy, other: Policy) -> Prospects:
    """Work out how likely each end is, of the round and of each hand."""
    high, middle, low = (_odds(each, own, other) for each in tables().hands)
    return Prospects(_odds(tables().rounds, own, other), (high, middle, low))


def payoffs(policy: Policy, results: Results | None = None) -> Payoffs:
    """Work out what each arrangement gains against a policy, where `results` says what it gains by each.

    Where they are not given, it gains 1 if it wins the round, and loses 1 if the other does.
    """
    scale, weights = _weights(policy)
    played = np.flatnonzero([weight > 0 for weight in weights])
    kind = np.int64 if scale * DEALS <= _MOST else object
    gains = (tables().rounds if results is None else results)[:, played] * tables().meetings[:, played]
    amounts = gains.astype(kind) @ np.array([weights[place] for place in played], dtype=kind)
    return Payoffs(amounts.tolist(), scale)


def _odds(results: NDArray[np.int8], own: Policy, other: Policy) -> WinChances:
    win, loss = (_mean(results == each, own, other) for each in (1, -1))
    return WinChances(win, 1 - win - loss, loss)


def _mean(results: Results, own: Policy, other: Policy) -> Fraction:
    """Work out the mean of the results, over the deals and over what the two policies draw."""
    scale, weights = _weights(own)
    gained = payoffs(other, results)
    total = sum(weight * amount for weight, amount in zip(weights, gained.amounts, strict=True) if weight)
    return Fraction(total, scale * gained.unit * DEALS)


def _weights(policy: Policy) -> tuple[int, list[int]]:
    """Give the weights of all arrangements, on a scale that is the same for all types, and that scale."""
    totals = {held: sum(policy[held].values()) for held in types()}
    scale = lcm(*totals.values())
    return scale, [
        policy[held].get(each, 0) * (scale // totals[held]) for held in types() for each in arrangements(held)
    ]
