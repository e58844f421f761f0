"""What is still to be had once K is known: keep whatever is among the q best cards left, for the best q.

With r cards left and m needed, the m-th of q good cards comes after m(r+1)/(q+1) draws on average
(the negative hypergeometric law), the kept cards are worth what the q best are on average and the
rejected ones what the rest are: so each q has a closed form, for every penalty.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatbot.games.highshow.rules.terms import PenaltyKind

if TYPE_CHECKING:
    from chatbot.games.highshow.rules.terms import Terms

Floats: TypeAlias = NDArray[np.float64]

MOST_CHOICES = 48  # values of q that `settled` looks at


@dataclass(frozen=True, slots=True)
class Cost:
    """What a rejection costs, in floats: the rate is `level + slope × K`."""

    kind: PenaltyKind
    level: float
    slope: float

    @classmethod
    def of(cls, terms: Terms) -> Cost:
        rate = terms.penalty.rate
        level = rate(terms.cards, 0)
        return cls(terms.penalty.kind, float(level), float(rate(terms.cards, 1) - level))

    @property
    def seen(self) -> bool:
        """Whether neither K nor the card's value makes a difference."""
        return self.kind in {PenaltyKind.NONE, PenaltyKind.LINEAR} or (
            self.kind is PenaltyKind.TURN and not self.slope
        )

    def of_one(self, lowest: Floats | float, turn: int, card: Floats | float) -> Floats | float:
        """Give what rejecting one card, the `turn`-th, costs for that K (or for their mean)."""
        times = turn if self.kind in {PenaltyKind.TURN, PenaltyKind.TURNVALUE} else 1
        return self.total(self.level + self.slope * lowest, 1, times, card)

    def line(self, lowest: float, turn: int) -> tuple[float, float]:
        """Give x and y such that rejecting the `turn`-th card, of value c, costs x + y c for that K."""
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

    def total(
        self, rate: Floats | float, cards: Floats | float, turns: Floats | float, worth: Floats | float
    ) -> Floats | float:
        """Give what so many rejected `cards` cost, of that mean worth, whose turns have that sum."""
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
    kept: Floats,
    rest: Floats,
) -> Floats:
    """Give what keeping the `good` best of the cards `left` brings, if these are worth `kept` in the mean.

    The arguments are broadcast against each other; `rest` is the mean of the other cards.
    """
    spacing = (left + 1) / (good + 1)
    rejected = needed * (spacing - 1)
    # The turns of all cards drawn, E[D(D+1)]/2, without those of the kept ones, which come every `spacing`.
    turns = turn * rejected + needed * (needed + 1) / 2 * spacing * ((left + 2) / (good + 2) - 1)
    return np.asarray(needed * kept - cost.total(rate, rejected, turns, rest))


def settled(cost: Cost, cards: int, turn: int, needed: Floats, lowest: float) -> Floats:
    """Give for each number `needed` what the cards left bring, counted from K, when any may be left.

    Instead of the cards themselves there are their mean ranks: of r cards out of N, the j-th highest
    is N − j (N+1) / (r+1) above K.
    """
    left = cards - turn
    least = np.clip(needed, 1, max(left, 1))
    share = np.linspace(0.0, 1.0, MOST_CHOICES)[:, None]
    good = np.round(least * (left / least) ** share)
    gap = (cards + 1) / (left + 1)
    kept = cards - (good + 1) / 2 * gap
    rest = np.where(good < left, (left - good + 1) / 2 * gap - 1, 0) + lowest
    rate = cost.level + cost.slope * lowest
    found: Floats = profit(cost, rate, turn, left, np.minimum(needed, left), good, kept, rest).max(axis=0)
    return found
