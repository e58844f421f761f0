"""The best play of Six Card Poker, proved: an exact equilibrium, and the best response to any policy.

The game is symmetric, and zero-sum once ½ is taken from each score. A linear program in floating point
finds roughly what an equilibrium plays; which arrangements have a share in it then makes linear equations
for their chances, and these are solved in fractions. What comes out is proved without a tolerance: its
best response, in whole numbers, scores exactly ½.

The same equations say which hands *must* be mixed. Whoever plays any equilibrium plays best responses to
this one only, and this one is a best response to theirs. So arrangements of one hand that do equally well
against each of those best responses are one choice, and all choices that this equilibrium mixes gain
equally against theirs. As these equations have one solution, and as every hand's best responses
are choices that it plays, all equilibria have the same chances of the same choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import comb, lcm
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatbot.games.sixcardpoker.rules.cards import (
    COPIES,
    DEALS,
    FACES,
    Arrangement,
    SixCards,
    arrangements,
    types,
)
from chatbot.games.sixcardpoker.solver import policies
from chatbot.games.sixcardpoker.solver.policies import ArrangementPolicy, Mix

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Numbers: TypeAlias = NDArray[np.float64]

Places: TypeAlias = NDArray[np.intp]
Counts: TypeAlias = NDArray[np.int64]
Results: TypeAlias = NDArray[np.int8]


BestArrangements: TypeAlias = list[int]
"""Places of arrangements of one type which do equally well, whatever best response the other plays."""

# Of a deal: what is as good as best to the linear program, whose own tolerance is smaller. A wrong pick is no
# risk, since what comes of it is proved in whole numbers, or refused.
_ROUGHLY = 1e-6
_SHARE = 1e-7  # what is played, to the linear program


@dataclass(frozen=True, slots=True)
class Solution:
    """An equilibrium, of which `solve` has proved that it is one."""

    policy: ArrangementPolicy
    mixed: tuple[SixCards, ...]  # what every equilibrium mixes, each with the same chances

    @property
    def exploitability(self) -> Fraction:
        """By how much the best response to the equilibrium gains more than a half: 0."""
        return exploitability(self.policy)


def solve() -> Solution:
    """Find the equilibrium, and prove it.

    Where arrangements are one choice, it plays the one that scores the most against the random player.

    Raises:
        ArithmeticError: what the linear program found leads to no equilibrium, or not every one is like it.
    """
    sketch, merits = _sketch(), payoffs(policies.random()).amounts
    supports = [_support(each, sketch, merits) for each in _choices(_best(_gains(sketch), _ROUGHLY))]
    policy = dict(zip(types(), _exactly(supports), strict=True))
    if exploitability(policy):
        raise ArithmeticError("what comes of the linear program is no equilibrium")
    choices = _choices(_best(payoffs(policy).amounts, 0))
    if [len(each) for each in choices] != [len(each) for each in supports]:
        raise ArithmeticError("an equilibrium may choose what this one does not")
    return Solution(policy, tuple(cards for cards, mix in policy.items() if len(mix) > 1))


def exploitability(policy: ArrangementPolicy) -> Fraction:
    """Return how much more than ½ the best response scores against a policy: 0 for an equilibrium."""
    return score(best_response(policy), policy) - Fraction(1, 2)


def best_response(policy: ArrangementPolicy) -> ArrangementPolicy:
    """Find for each type what scores the most against a policy: nothing scores more, however it is mixed.

    Of equals it is the first.
    """
    return {cards: {max(gains, key=gains.__getitem__): 1} for cards, gains in payoffs(policy).by_type()}


def _sketch() -> Numbers:
    """Find roughly the chance of each arrangement, by a linear program (HiGHS).

    Its variables are these chances, and for each type what the other gains with it at most; the sum of
    that is as small as it can be.
    """
    from scipy.optimize import linprog  # noqa: PLC0415  (what evaluates policies does without)

    game, kinds = _game(), len(types())
    owned = (tables().owners == np.arange(kinds)[:, None]).astype(np.float64)
    solution = linprog(
        np.concatenate([np.zeros(len(game)), np.ones(kinds)]),
        A_ub=np.hstack([game, -owned.T]),
        b_ub=np.zeros(len(game)),
        A_eq=np.hstack([owned, np.zeros((kinds, kinds))]),
        b_eq=np.ones(kinds),
        bounds=[(0, None)] * len(game) + [(None, None)] * kinds,
        method="highs",
    )
    if solution.x is None or not solution.success:
        raise ArithmeticError(f"the linear program was not solved: {solution.message}")
    return np.asarray(solution.x[: len(game)], dtype=np.float64)


def _game() -> Numbers:
    """Return what the row's arrangement gains from the column's, times the deals where they meet."""
    return (tables().rounds * tables().meetings).astype(np.float64)


def _gains(chances: Numbers) -> Numbers:
    gains: Numbers = _game() @ chances
    return gains


def _best(gains: Numbers | Sequence[int], tolerance: float) -> Iterator[Places]:
    """Return for each type the places of the arrangements that gain the most."""
    start = 0
    for cards in types():
        end = start + len(arrangements(cards))
        most = max(gains[start:end])
        yield np.array([place for place in range(start, end) if gains[place] >= most - tolerance])
        start = end


def _choices(best: Iterable[Places]) -> list[list[BestArrangements]]:
    """Return for each type which of its best arrangements are one choice."""
    best_places = list(best)
    others = np.concatenate(best_places)
    results = tables().rounds[:, others] * (tables().meetings[:, others] > 0)
    return [_alike(places.tolist(), results) for places in best_places]


def _alike(places: Sequence[int], results: NDArray[np.int8]) -> list[BestArrangements]:
    choices: dict[bytes, BestArrangements] = {}
    for place in places:
        choices.setdefault(results[place].tobytes(), []).append(place)
    return list(choices.values())


def _support(choices: Sequence[BestArrangements], sketch: Numbers, merits: Sequence[int]) -> list[int]:
    """Pick one place, of the most merit, out of each choice that has a share."""
    return sorted(max(each, key=merits.__getitem__) for each in choices if sketch[each].sum() > _SHARE)


def _exactly(supports: Sequence[Sequence[int]]) -> Iterator[Mix]:
    """Find the chances with which all that is played with a type gains the same."""
    mixed = [place for places in supports if len(places) > 1 for place in places]
    pure = [places[0] for places in supports if len(places) == 1]
    equations = [each for places in supports if len(places) > 1 for each in _equations(places, mixed, pure)]
    chances = dict.fromkeys(pure, Fraction(1)) | dict(
        zip(
            mixed,
            solve_equations([row for row, _ in equations], [total for _, total in equations]),
            strict=True,
        )
    )
    for places in supports:
        yield _mix(places, [chances[place] for place in places])


def _equations(
    places: Sequence[int], mixed: Sequence[int], pure: Sequence[int]
) -> Iterator[tuple[list[int], int]]:
    """Return the equations of one type: the coefficients of the chances that are mixed, and the total."""
    yield [int(place in places) for place in mixed], 1
    game = tables().rounds * tables().meetings
    for one, other in pairwise(places):
        differences = game[one] - game[other]
        yield differences[mixed].tolist(), -int(differences[pure].sum())


def _mix(places: Sequence[int], chances: Sequence[Fraction]) -> Mix:
    """Turn chances into whole weights.

    Raises:
        ArithmeticError: they are none.
    """
    if min(chances, default=0) <= 0:
        raise ArithmeticError("what comes of the linear program are no chances")
    scale = lcm(*(each.denominator for each in chances))
    return {
        tables().arrangements[place]: int(chance * scale)
        for place, chance in zip(places, chances, strict=True)
    }


# What policies of Six Card Poker make of each other, exactly: all numbers are whole ones and fractions.
Indicators: TypeAlias = NDArray[np.int8] | NDArray[np.bool_]

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
        """Return the expected score: 1 for a win, ½ for a draw."""
        return self.win + self.draw / 2


@dataclass(frozen=True, slots=True)
class Prospects:
    """The results of one policy against another: in the round, and in High, Middle and Low."""

    round: WinChances
    hands: tuple[WinChances, WinChances, WinChances]


@dataclass(frozen=True, slots=True)
class Payoffs:
    """What each of the 760 arrangements gains on average, times the chance to be dealt its cards.

    They are in the order of `tables()`, as whole numbers, of which one is the `unit`-th part of a deal.
    """

    amounts: Sequence[int]
    unit: int

    def by_type(self) -> Iterator[tuple[SixCards, dict[Arrangement, int]]]:
        """Go through the types, with what each of their arrangements gains."""
        amounts = iter(self.amounts)
        for cards in types():
            yield cards, {each: next(amounts) for each in arrangements(cards)}


def score(own: ArrangementPolicy, other: ArrangementPolicy) -> Fraction:
    """Return the expected score of one policy against another: 1 for a win, ½ for a draw."""
    return _EVEN + _mean(tables().rounds, own, other) / 2


def prospects(own: ArrangementPolicy, other: ArrangementPolicy) -> Prospects:
    """Work out how likely each end is, of the round and of each hand."""
    high, middle, low = (_odds(each, own, other) for each in tables().hands)
    return Prospects(_odds(tables().rounds, own, other), (high, middle, low))


def payoffs(policy: ArrangementPolicy, results: Indicators | None = None) -> Payoffs:
    """Work out what each arrangement gains against a policy, where `results` says what it gains by each.

    Where they are not given, it gains 1 if it wins the round, and loses 1 if the other does.
    """
    scale, weights = _weights(policy)
    support = np.flatnonzero([weight > 0 for weight in weights])
    kind = np.int64 if scale * DEALS <= _MOST else object
    gains = (tables().rounds if results is None else results)[:, support] * tables().meetings[:, support]
    amounts = gains.astype(kind) @ np.array([weights[place] for place in support], dtype=kind)
    return Payoffs(amounts.tolist(), scale)


def _odds(results: NDArray[np.int8], own: ArrangementPolicy, other: ArrangementPolicy) -> WinChances:
    win, loss = (_mean(results == each, own, other) for each in (1, -1))
    return WinChances(win, 1 - win - loss, loss)


def _mean(results: Indicators, own: ArrangementPolicy, other: ArrangementPolicy) -> Fraction:
    """Work out the mean of the results, over the deals and over what the two policies draw."""
    scale, weights = _weights(own)
    gained = payoffs(other, results)
    total = sum(weight * amount for weight, amount in zip(weights, gained.amounts, strict=True) if weight)
    return Fraction(total, scale * gained.unit * DEALS)


def _weights(policy: ArrangementPolicy) -> tuple[int, list[int]]:
    """Return the weights of all arrangements, on a scale that is the same for all types, and that scale."""
    totals = {cards: sum(policy[cards].values()) for cards in types()}
    scale = lcm(*totals.values())
    return scale, [
        policy[cards].get(each, 0) * (scale // totals[cards])
        for cards in types()
        for each in arrangements(cards)
    ]


# Every arrangement against every other, and how often they meet, in arrays for solver and arena.


_CHOICES = np.array([[comb(left, count) for count in range(COPIES + 1)] for left in range(COPIES + 1)])


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """All 760 arrangements, by their types, and what is known of every two of them.

    Results are 1 where the arrangement of the row wins, 0 for a draw and -1; they are there for
    arrangements too that cannot meet, as the deck has not so many cards.
    """

    arrangements: tuple[Arrangement, ...]
    owners: Places  # of each arrangement: the place of its type in `types()`
    hands: Results  # High, Middle and Low, each with a row and a column for each arrangement
    rounds: Results
    deals: Counts  # that give one player the type of the row, and the other that of the column
    meetings: Counts  # the same for arrangements: how many deals let the two meet


@cache
def tables() -> Tables:
    """Make them; it takes some ten milliseconds."""
    settings = tuple(each for cards in types() for each in arrangements(cards))
    sizes = [len(arrangements(cards)) for cards in types()]
    owners = np.repeat(np.arange(len(sizes)), sizes)
    hands = _against_each_other(_ranks(settings))
    rounds = np.sign(hands.sum(axis=0, dtype=np.int8))
    deals = _deals()
    game_tables = Tables(settings, owners, hands, rounds, deals, deals[np.ix_(owners, owners)])
    for each in (
        game_tables.owners,
        game_tables.hands,
        game_tables.rounds,
        game_tables.deals,
        game_tables.meetings,
    ):
        each.flags.writeable = False  # everybody reads the same ones
    return game_tables


def _ranks(settings: tuple[Arrangement, ...]) -> NDArray[np.int8]:
    """Return a number to each hand, a row for each of the three: the larger wins."""
    high, middle, low = (np.array(hands, dtype=np.int8) for hands in zip(*settings, strict=True))
    paired = middle[:, 0] == middle[:, 1]
    most = len(FACES) + 1
    ranked = (paired * most + middle[:, 0]) * most + middle[:, 1]
    return np.stack([high.sum(axis=1, dtype=np.int8), ranked.astype(np.int8), low[:, 0]])


def _against_each_other(ranks: NDArray[np.int8]) -> Results:
    results: Results = np.sign(ranks[:, :, None] - ranks[:, None, :])
    return results


def _deals() -> Counts:
    face_counts = np.array([[cards.count(face) for face in FACES] for cards in types()])
    left = COPIES - face_counts
    own = _CHOICES[COPIES, face_counts].prod(axis=1)
    other = _CHOICES[left[:, None, :], face_counts[None, :, :]].prod(axis=2)
    counts: Counts = own[:, None] * other
    return counts


# Systems of linear equations, solved exactly.


def solve_equations(rows: Sequence[Sequence[int]], totals: Sequence[int]) -> list[Fraction]:
    """Solve as many equations as there are unknowns: the products of each row with them have its total.

    It eliminates (Gauss and Jordan) in fractions: some twenty unknowns take a few hundredths of a second.

    Raises:
        ArithmeticError: there is not exactly one solution.
    """
    left = [list(map(Fraction, (*row, total))) for row, total in zip(rows, totals, strict=True)]
    for column in range(len(left)):
        pivot = next((place for place in range(column, len(left)) if left[place][column]), None)
        if pivot is None:
            raise ArithmeticError(f"{len(left)} equations do not have exactly one solution")
        left[column], left[pivot] = left[pivot], left[column]
        _eliminate(left, column)
    return [row[-1] for row in left]


def _eliminate(rows: list[list[Fraction]], column: int) -> None:
    """Make the coefficient of an unknown 1 in the row of its number, and 0 in all others."""
    divisor = rows[column][column]
    rows[column] = [each / divisor for each in rows[column]]
    for place, row in enumerate(rows):
        if place != column and row[column]:
            factor = row[column]
            rows[place] = [each - factor * other for each, other in zip(row, rows[column], strict=True)]
