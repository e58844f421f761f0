"""What good play makes of High Show: the value of its terms, and the better choice at a card.

Exact where there are few enough sets of cards, else by approximation, and said so. Loads NumPy only
when it is asked. The same question always has the same answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from chatbot.games.highshow.rules.terms import Terms  # noqa: TC001  (pydantic reads it)
from chatbot.kernel.contest import unheard

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from chatbot.games.highshow.solver.estimate import Estimate
    from chatbot.games.highshow.solver.exact import Ending, ValueTable
    from chatbot.kernel.contest import OnProgress

ExpectedPoints: TypeAlias = Fraction | float
NextChoice: TypeAlias = Literal["cashout", "another"]

VALUE_WORK = 120_000_000  # steps of the exact recursion: about one second
ADVICE_WORK = 8_000_000  # about a tenth of one: a hint is waited for
ENDING_WORK = 2_000_000  # for each game
_FEW_CARDS = 12  # up to here everything is exact, whatever the parameter


@dataclass(frozen=True, slots=True)
class Value:
    """The expected profit of the best policy that knows the terms but not K."""

    amount: ExpectedPoints
    error: ExpectedPoints  # 0 where exact
    method: str  # "exact", or which approximation, and what the error means

    @property
    def exact(self) -> bool:
        """Whether the value is a fraction, and not an estimate."""
        return isinstance(self.amount, Fraction)


@dataclass(frozen=True, slots=True)
class Advice:
    """The expected further profit of each choice now; what is kept and lost already is left out."""

    keep: ExpectedPoints
    another: ExpectedPoints
    exact: bool

    @property
    def better(self) -> NextChoice:
        """The better choice; keeping, where both are equal."""
        return "cashout" if self.keep >= self.another else "another"

    @property
    def by(self) -> ExpectedPoints:
        """By how much the better choice is better, in points."""
        return self.keep - self.another if self.better == "cashout" else self.another - self.keep


class Adviser:
    """Advises in games of some terms, and keeps what it has worked out.

    All is exact where `work` steps suffice for it; else the last cards of each game are.
    """

    def __init__(self, terms: Terms, work: int = ADVICE_WORK) -> None:
        self._terms = terms
        self._work = min(work, ENDING_WORK)
        self._quick = _quick(terms, work)
        self._ending: Ending | None = None

    def advise(self, before: Sequence[int], card: int, needed: int) -> Advice:
        """Weigh the choices at `card`, which comes after those `before`; `needed` counts it too.

        It must be a real choice: more cards are left than needed.
        """
        cards = {*before, card}
        values = self._table if self._quick else self._find_ending(cards)
        if values is None:
            keep, another = self._estimate.advise(before, card, needed)
            return Advice(keep, another, exact=False)
        after = values.value(cards, needed) - expected_cost(self._terms, before, card)
        return Advice(card + values.value(cards, needed - 1), after, exact=True)

    def _find_ending(self, cards: Collection[int]) -> Ending | None:
        """Return what can come after these cards, where they are among the last."""
        from chatbot.games.highshow.solver.exact import Ending  # noqa: PLC0415

        if self._ending is not None and self._ending.has(cards):
            return self._ending
        ending = Ending(self._terms, cards)
        if ending.work > self._work:
            return None
        self._ending = ending
        return ending

    @cached_property
    def _table(self) -> ValueTable:
        from chatbot.games.highshow.solver.exact import ValueTable  # noqa: PLC0415

        return ValueTable(self._terms, whole=True)

    @cached_property
    def _estimate(self) -> Estimate:
        from chatbot.games.highshow.solver.estimate import Estimate  # noqa: PLC0415

        return Estimate(self._terms)


def load() -> None:
    """Load what advice takes: a quarter of a second that the first hint should not wait for."""
    from chatbot.games.highshow.solver import estimate, exact  # noqa: F401, PLC0415


def advise(terms: Terms, before: Sequence[int], card: int, needed: int) -> Advice:
    """Weigh the choices once; who asks again in the same game has an `Adviser`."""
    return Adviser(terms).advise(before, card, needed)


def value(terms: Terms, work: int = VALUE_WORK, progress: OnProgress = unheard) -> Value:
    """Return the policy value, exactly where that takes at most so many steps; else report progress."""
    amount = exact_value(terms, work)
    if amount is not None:
        return Value(amount, Fraction(0), "exact")
    from chatbot.games.highshow.solver import estimate  # noqa: PLC0415

    return Value(*estimate.value(terms, progress))


def exact_value(terms: Terms, work: int) -> Fraction | None:
    """Return the policy value as a fraction; None where that takes more than so many steps."""
    return _exact_value(terms) if _quick(terms, work) else None


@lru_cache(maxsize=256)
def _exact_value(terms: Terms) -> Fraction:
    from chatbot.games.highshow.solver.exact import ValueTable  # noqa: PLC0415

    return ValueTable(terms).value((), terms.keep)


def expected_cost(terms: Terms, before: Sequence[int], card: int) -> Fraction:
    """Return the mean of what rejecting the shown card costs, over every K that fits; it is linear in K."""
    cards, turn = (*before, card), len(before) + 1
    least = max(1, max(cards) - terms.cards + 1)
    largest = min(terms.highest_start, *cards)
    return (terms.cost(least, turn, card) + terms.cost(largest, turn, card)) / 2


def _quick(terms: Terms, work: int) -> bool:
    if terms.cards <= _FEW_CARDS:
        return True
    from chatbot.games.highshow.solver import exact  # noqa: PLC0415

    return terms.cards <= exact.MOST_CARDS and exact.work(terms) <= work
