"""The best play: that it is, that it is the only one where it mixes, and what beats the others."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from chatbot.games.sixcardpoker.rules.cards import types
from chatbot.games.sixcardpoker.solver import policies, solver
from chatbot.games.sixcardpoker.solver.solver import tables
from tests.games.sixcardpoker import brute

if TYPE_CHECKING:
    from numpy.typing import NDArray

HALF = Fraction(1, 2)
MIXED = "111244 111333 112234 112244 112334 113344 122244 122334 122344 123334 123344 222234 222334"


@pytest.fixture(scope="module")
def solution() -> solver.Solution:
    return solver.solve()


def chances(policy: policies.ArrangementPolicy) -> NDArray[np.float64]:
    """Give the chance of each arrangement, as the linear program does."""
    return np.array(
        [policy[each.held].get(each, 0) / sum(policy[each.held].values()) for each in tables().arrangements]
    )


def best_places(policy: policies.ArrangementPolicy) -> list[list[solver.BestArrangements]]:
    return solver._choices(solver._best(solver.payoffs(policy).amounts, 0))


# The equilibrium


@pytest.mark.slow
def test_what_is_solved_from_nothing_is_what_ships(solution: solver.Solution) -> None:
    assert solution.policy == policies.shipped()


def test_its_exploitability_is_exactly_0(solution: solver.Solution) -> None:
    assert solution.exploitability == 0
    assert solver.score(solver.best_response(solution.policy), solution.policy) == HALF


def test_thirteen_hands_are_mixed(solution: solver.Solution) -> None:
    assert " ".join("".join(map(str, held)) for held in solution.mixed) == MIXED
    assert all(len(solution.policy[held]) > 1 for held in solution.mixed)
    assert sum(len(mix) > 1 for mix in solution.policy.values()) == len(solution.mixed)


def test_a_hand_that_needs_mixing_is_beaten_where_it_is_not_mixed(solution: solver.Solution) -> None:
    for held in solution.mixed:
        for setting in solution.policy[held]:
            assert solver.exploitability({**solution.policy, held: {setting: 1}}) > 0


def test_other_chances_than_these_can_be_beaten(solution: solver.Solution) -> None:
    for held in solution.mixed:
        first, *others = solution.policy[held].items()
        mix = dict([(first[0], first[1] + 1), *others])
        assert solver.exploitability({**solution.policy, held: mix}) > 0


def test_which_of_equally_good_arrangements_the_linear_program_finds_makes_no_difference(
    solution: solver.Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = chances(solution.policy)
    for choice in (choice for choices in best_places(solution.policy) for choice in choices):
        found[choice] = found[choice].mean()
    assert (found > 0).sum() > (chances(solution.policy) > 0).sum()
    monkeypatch.setattr(solver, "_sketch", lambda: found)
    assert solver.solve() == solution


def test_of_equally_good_arrangements_it_plays_what_punishes_random_play_most(
    solution: solver.Solution,
) -> None:
    scores = solver.payoffs(policies.random()).amounts
    for choices, mix in zip(best_places(solution.policy), solution.policy.values(), strict=True):
        played = [tables().arrangements.index(each) for each in mix]
        assert [max(scores[each] for each in choice) for choice in choices] == [
            scores[each] for each in played
        ]


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_what_is_no_equilibrium_is_never_passed_for_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = chances(policies.PLANS[name]())
    monkeypatch.setattr(solver, "_sketch", lambda: found)
    with pytest.raises(ArithmeticError, match=r"linear program|exactly one solution"):
        solver.solve()


def test_chances_that_can_be_beaten_are_never_passed_for_an_equilibrium(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solver, "_sketch", lambda: chances(policies.nash()))
    monkeypatch.setattr(solver, "_exactly", lambda _: iter(policies.greedy().values()))
    with pytest.raises(ArithmeticError, match="no equilibrium"):
        solver.solve()


def test_an_equilibrium_that_may_not_be_the_only_one_is_refused(
    solution: solver.Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every arrangement is a choice of its own, as if each of them made a difference."""
    monkeypatch.setattr(solver, "_sketch", lambda: chances(solution.policy))
    monkeypatch.setattr(solver, "_alike", lambda places, results: [[each] for each in places])
    with pytest.raises(ArithmeticError, match="an equilibrium may choose what this one does not"):
        solver.solve()


@pytest.mark.parametrize("found", [[Fraction(3, 2), Fraction(-1, 2)], []])
def test_chances_that_are_none_are_refused(found: list[Fraction]) -> None:
    with pytest.raises(ArithmeticError, match="no chances"):
        solver._mix(range(len(found)), found)


# Best responses


@pytest.mark.slow
def test_nothing_scores_more_against_greedy_play_than_the_best_response() -> None:
    greedy = policies.greedy()
    response, most = solver.best_response(greedy), brute.best_score(greedy)
    assert list(response) == list(types())
    assert solver.score(response, greedy) == most
    assert solver.exploitability(greedy) == most - HALF


@pytest.mark.slow
def test_nothing_scores_more_against_random_play_than_the_best_response() -> None:
    random = policies.random()
    found = solver.score(solver.best_response(random), random)
    assert found == brute.best_score(random) == Fraction(172047, 200200)


def test_random_play_can_be_beaten_and_greedy_play_too() -> None:
    assert solver.exploitability(policies.random()) > Fraction(1, 3)
    assert solver.exploitability(policies.greedy()) > Fraction(1, 3)
