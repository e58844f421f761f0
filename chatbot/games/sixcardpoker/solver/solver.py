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

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from chatbot.games.sixcardpoker.rules.cards import Held, arrangements, types
from chatbot.games.sixcardpoker.solver import policies
from chatbot.games.sixcardpoker.solver.equations import solved
from chatbot.games.sixcardpoker.solver.evaluation import payoffs, score
from chatbot.games.sixcardpoker.solver.policies import Mix, Policy
from chatbot.games.sixcardpoker.solver.tables import Places, tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.float64]

Choice: TypeAlias = list[int]
"""Places of arrangements of one type which do equally well, whatever best response the other plays."""

_ROUGHLY = 1e-6  # of a deal: what is as good as best to the linear program
_SHARE = 1e-7  # what is played, to the linear program


@dataclass(frozen=True, slots=True)
class Solution:
    """An equilibrium, of which `solve` has proved that it is one."""

    policy: Policy
    mixed: tuple[Held, ...]  # what every equilibrium mixes, each with the same chances

    @property
    def exploitability(self) -> Fraction:
        return exploitability(self.policy)


def solve() -> Solution:
    """Find the equilibrium, and prove it.

    Where arrangements are one choice, it plays the one that scores the most against the random player.

    Raises:
        ArithmeticError: what the linear program found leads to no equilibrium, or not every one is like it.
    """
    sketch, merits = _sketch(), payoffs(policies.random()).amounts
    played = [_played(each, sketch, merits) for each in _choices(_best(_gains(sketch), _ROUGHLY))]
    policy = dict(zip(types(), _exactly(played), strict=True))
    if exploitability(policy):
        raise ArithmeticError("what comes of the linear program is no equilibrium")
    choices = _choices(_best(payoffs(policy).amounts, 0))
    if [len(each) for each in choices] != [len(each) for each in played]:
        raise ArithmeticError("an equilibrium may choose what this one does not")
    return Solution(policy, tuple(held for held, mix in policy.items() if len(mix) > 1))


def exploitability(policy: Policy) -> Fraction:
    """Say how much more than ½ the best response scores against a policy: 0 for an equilibrium."""
    return score(best_response(policy), policy) - Fraction(1, 2)


def best_response(policy: Policy) -> Policy:
    """Find for each type what scores the most against a policy: nothing scores more, however it is mixed.

    Of equals it is the first.
    """
    return {held: {max(gains, key=gains.__getitem__): 1} for held, gains in payoffs(policy).by_type()}


def _sketch() -> Numbers:
    """Find roughly the chance of each arrangement, by a linear program (HiGHS).

    Its variables are these chances, and for each type what the other gains with it at most; the sum of
    that is as small as it can be.
    """
    from scipy.optimize import linprog  # noqa: PLC0415  (what evaluates policies does without)

    game, kinds = _game(), len(types())
    owned = (tables().owners == np.arange(kinds)[:, None]).astype(np.float64)
    found = linprog(
        np.concatenate([np.zeros(len(game)), np.ones(kinds)]),
        A_ub=np.hstack([game, -owned.T]),
        b_ub=np.zeros(len(game)),
        A_eq=np.hstack([owned, np.zeros((kinds, kinds))]),
        b_eq=np.ones(kinds),
        bounds=[(0, None)] * len(game) + [(None, None)] * kinds,
        method="highs",
    )
    if found.x is None or not found.success:
        raise ArithmeticError(f"the linear program was not solved: {found.message}")
    return np.asarray(found.x[: len(game)], dtype=np.float64)


def _game() -> Numbers:
    """Give what the arrangement of the row gains from that of the column, times the deals where they meet."""
    return (tables().rounds * tables().meetings).astype(np.float64)


def _gains(chances: Numbers) -> Numbers:
    gains: Numbers = _game() @ chances
    return gains


def _best(gains: Numbers | Sequence[int], tolerance: float) -> Iterator[Places]:
    """Give for each type the places of the arrangements that gain the most."""
    start = 0
    for held in types():
        end = start + len(arrangements(held))
        most = max(gains[start:end])
        yield np.array([place for place in range(start, end) if gains[place] >= most - tolerance])
        start = end


def _choices(best: Iterable[Places]) -> list[list[Choice]]:
    """Tell for each type which of its best arrangements are one choice."""
    listed = list(best)
    others = np.concatenate(listed)
    results = tables().rounds[:, others] * (tables().meetings[:, others] > 0)
    return [_alike(places.tolist(), results) for places in listed]


def _alike(places: Sequence[int], results: NDArray[np.int8]) -> list[Choice]:
    choices: dict[bytes, Choice] = {}
    for place in places:
        choices.setdefault(results[place].tobytes(), []).append(place)
    return list(choices.values())


def _played(choices: Sequence[Choice], sketch: Numbers, merits: Sequence[int]) -> list[int]:
    """Pick one place, of the most merit, out of each choice that has a share."""
    return sorted(max(each, key=merits.__getitem__) for each in choices if sketch[each].sum() > _SHARE)


def _exactly(played: Sequence[Sequence[int]]) -> Iterator[Mix]:
    """Find the chances with which all that is played with a type gains the same."""
    mixed = [place for places in played if len(places) > 1 for place in places]
    pure = [places[0] for places in played if len(places) == 1]
    equations = [each for places in played if len(places) > 1 for each in _equations(places, mixed, pure)]
    chances = dict.fromkeys(pure, Fraction(1)) | dict(
        zip(mixed, solved([row for row, _ in equations], [total for _, total in equations]), strict=True)
    )
    for places in played:
        yield _mix(places, [chances[place] for place in places])


def _equations(
    places: Sequence[int], mixed: Sequence[int], pure: Sequence[int]
) -> Iterator[tuple[list[int], int]]:
    """Give the equations of one type: the coefficients of the chances that are mixed, and the total."""
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
