"""Par and span: what a stake on a game of High Show returns, such that no way of playing earns on average.

The payout is the stake, moved by one span-th of it for each point above or below par, between nothing and
twice the stake, rounded down. Par is the policy value, so no policy has a higher mean profit, and a payout
without ends would return at most the stake on average. The upper end only takes away. The lower end is out
of reach where the span is at least par less the least profit there can be: that is all there is to prove.

That span may be smaller because absurd play need not be considered. Let a player reject a card c at a cost
that is at least what the highest card has over c. Keeping c instead, then doing the same as before, and
ending one kept card earlier, gains c and the cost and gives up only one card of at most the highest. It is
at least as good for every K and every order, hence for every payout that does not fall with profit. So the
least profit is taken over plays without such rejections, as far as c alone gives them away. That matters
where late rejections are dear: for `12 3 turn` it makes the span less than a third.

Best play does not reach the upper end either: par is at least the mean of keeping all that comes, which is
midway between the sums of the lowest and of the highest cards. So the best reply returns exactly the whole
stake, before rounding. This needs no enumeration and is one rule for all terms. K alone makes payouts deviate
by a fifth to a third of the stake with usual terms, and a span that is a twentieth smaller can be beaten
(`5 2 none`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from heapq import nlargest
from math import floor
from typing import TYPE_CHECKING

from chatbot.games.highshow.solver.solver import VALUE_WORK, exact_value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.games.highshow.rules.terms import Terms


@dataclass(frozen=True, slots=True)
class Par:
    """The profit that returns the stake, and how many points above it double it."""

    value: Fraction
    span: Fraction

    def share(self, profit: Fraction) -> Fraction:
        """Return what one credit returns, before rounding."""
        return min(Fraction(2), max(Fraction(0), 1 + (profit - self.value) / self.span))

    def payout(self, stake: int, profit: Fraction) -> int:
        """Return the credits that a stake returns at this profit: from 0 to twice the stake, rounded down."""
        return floor(stake * self.share(profit))


@lru_cache(maxsize=256)
def par(terms: Terms) -> Par | None:
    """Return the par of some terms; None where they are for honour only: it would take too long."""
    value = exact_value(terms, VALUE_WORK)
    return None if value is None else Par(value, value - least_profit(terms))


def best_reply(terms: Terms, par: Par) -> Fraction:
    """Return the most that one credit returns on average, before rounding: all of it, as proven above.

    Raises:
        ValueError: this is not the par of these terms: an end of the payout is in reach.
    """
    end = terms.highest_start + terms.cards
    highest = sum(range(end - terms.keep, end))
    if par.value - least_profit(terms) > par.span or highest > par.value + par.span:
        raise ValueError(f"expected a par of {terms}, got {par}")
    return Fraction(1)


def least_profit(terms: Terms) -> Fraction:
    """Return a bound below the profit of every play that rejects no card which is surely better kept."""
    worth_it = _rejectable(terms)
    return min(
        max(_least_of_all(terms, lowest), _least_sensible(terms, lowest, worth_it))
        for lowest in range(1, terms.highest_start + 1)
    )


def _rejectable(terms: Terms) -> Mapping[int, Sequence[int]]:
    """List by turn the cards whose rejection may pay for some K; both sides are linear in K."""

    def may_pay(turn: int, card: int) -> bool:
        starts = max(1, card - terms.cards + 1), min(terms.highest_start, card)
        return any(terms.cost(start, turn, card) < start + terms.cards - 1 - card for start in starts)

    cards = range(1, terms.highest_start + terms.cards)
    return {turn: [card for card in cards if may_pay(turn, card)] for turn in range(1, terms.cards)}


def _lowest_cards(terms: Terms, lowest: int) -> int:
    return sum(range(lowest, lowest + terms.keep))


def _least_of_all(terms: Terms, lowest: int) -> Fraction:
    """Keep the lowest cards, and reject all others as late as can be, the higher the later."""
    rejections = range(terms.keep, terms.cards)
    cost = sum((terms.cost(lowest, turn, lowest + turn) for turn in rejections), Fraction(0))
    return _lowest_cards(terms, lowest) - cost


def _least_sensible(terms: Terms, lowest: int, worth_it: Mapping[int, Sequence[int]]) -> Fraction:
    """Keep the lowest cards, and make the dearest of the rejections that may pay, at most one a turn."""
    highest = lowest + terms.cards - 1
    dearest = [
        max(
            (terms.cost(lowest, turn, card) for card in cards if lowest <= card <= highest),
            default=Fraction(0),
        )
        for turn, cards in worth_it.items()
    ]
    return _lowest_cards(terms, lowest) - sum(nlargest(terms.cards - terms.keep, dearest), Fraction(0))
