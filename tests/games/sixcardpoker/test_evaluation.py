"""What policies make of each other is exact, and what enumeration makes of it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import pytest

from chatbot.games.sixcardpoker.rules.cards import types
from chatbot.games.sixcardpoker.solver import policies, solver
from tests.games.sixcardpoker import brute

if TYPE_CHECKING:
    from chatbot.games.sixcardpoker.solver.policies import ArrangementPolicy

HALF = Fraction(1, 2)


def heavier(policy: ArrangementPolicy) -> ArrangementPolicy:
    """Say the same with weights beyond 64 bits, which are not the same multiple for all hands."""
    return {
        held: {each: weight * (10**20 + place % 3) for each, weight in mix.items()}
        for place, (held, mix) in enumerate(policy.items())
    }


def test_a_score_is_what_enumeration_makes_of_it() -> None:
    found = solver.score(policies.greedy(), policies.nash())
    assert found == brute.mean_score(policies.greedy(), policies.nash())
    assert solver.score(policies.nash(), policies.greedy()) == 1 - found


@pytest.mark.slow
def test_the_scores_of_random_play_are_what_enumeration_makes_of_them() -> None:
    for other in (policies.greedy(), policies.nash()):
        assert solver.score(policies.random(), other) == brute.mean_score(policies.random(), other)


@pytest.mark.parametrize(("own", "other"), list(product(policies.PLANS, repeat=2)))
def test_what_one_wins_the_other_loses(own: str, other: str) -> None:
    first, second = policies.PLANS[own](), policies.PLANS[other]()
    there, back = solver.prospects(first, second), solver.prospects(second, first)
    for ours, theirs in zip((there.round, *there.hands), (back.round, *back.hands), strict=True):
        assert (ours.win, ours.draw, ours.loss) == (theirs.loss, theirs.draw, theirs.win)
        assert ours.win + ours.draw + ours.loss == 1
        assert min(ours.win, ours.draw, ours.loss) >= 0
    assert there.round.score == solver.score(first, second)


def test_low_of_two_who_play_at_random_is_a_draw_in_one_of_five_deals() -> None:
    """Their last cards are any two of the deck: three of the other fifteen are like the first."""
    odds = solver.prospects(policies.random(), policies.random()).hands[2]
    assert (odds.win, odds.draw, odds.loss) == (Fraction(2, 5), Fraction(1, 5), Fraction(2, 5))


def test_both_pairs_of_two_who_are_greedy_are_told_apart_by_their_faces() -> None:
    """Each sets the best of the pairs it holds, so who holds the higher one wins Middle."""
    odds = solver.prospects(policies.greedy(), policies.greedy()).hands[1]
    best = {held: max(face for face in held if held.count(face) > 1) for held in types()}
    same = sum(
        deals * brute.dealt()[own]
        for own in brute.dealt()
        for other, deals in brute.others(own).items()
        if best[own] == best[other]
    )
    assert odds.draw == Fraction(same, 8008 * 210)


def test_weights_of_any_size_are_exact() -> None:
    greedy, nash = heavier(policies.greedy()), heavier(policies.nash())
    assert solver.score(greedy, nash) == solver.score(policies.greedy(), policies.nash())
    assert solver.prospects(nash, greedy) == solver.prospects(policies.nash(), policies.greedy())


def test_one_heavy_weight_beside_a_light_one_is_not_lost() -> None:
    """A chance of 1 in 10³⁰ + 1, which no floating point holds beside 1."""
    held = (1, 1, 2, 3, 4, 4)
    ((usual, _),) = policies.greedy()[held].items()
    other = next(each for each in policies.random()[held] if each != usual)
    doubtful = {**policies.greedy(), held: {usual: 10**30, other: 1}}
    always = {**policies.greedy(), held: {other: 1}}
    first, second, mixed = (
        solver.score(each, policies.nash()) for each in (policies.greedy(), always, doubtful)
    )
    assert first != second
    assert mixed == (10**30 * first + second) / (10**30 + 1)


def test_payoffs_by_type_are_those_of_the_whole_list() -> None:
    found = solver.payoffs(policies.greedy())
    by_type = dict(found.by_type())
    assert list(by_type) == list(types())
    assert [amount for gains in by_type.values() for amount in gains.values()] == list(found.amounts)
    # One setting of one hand, by enumeration: its score is ½ and half of its part of the payoffs.
    held = (1, 1, 2, 3, 4, 4)
    for setting, amount in by_type[held].items():
        gain = Fraction(amount, found.unit * brute.dealt()[held] * 210)
        assert HALF + gain / 2 == brute.expected(held, setting, policies.greedy())
