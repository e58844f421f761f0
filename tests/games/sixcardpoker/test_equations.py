"""Equations are solved exactly, or not at all."""

from __future__ import annotations

from fractions import Fraction

import pytest

from chatbot.games.sixcardpoker.solver.solver import solve_equations


def test_a_system_is_solved_in_fractions() -> None:
    # x + y + z = 6, 2y + 5z = −4, 2x + 5y − z = 27: x = 5, y = 3, z = −2
    assert solve_equations([[1, 1, 1], [0, 2, 5], [2, 5, -1]], [6, -4, 27]) == [5, 3, -2]
    # 3x = 1 and y = 10²⁰ + x: no floating point could tell
    assert solve_equations([[3, 0], [-1, 1]], [1, 10**20]) == [Fraction(1, 3), 10**20 + Fraction(1, 3)]


def test_the_order_of_the_equations_makes_no_difference() -> None:
    assert solve_equations([[0, 0, 1], [0, 1, 0], [1, 0, 0]], [3, 2, 1]) == [1, 2, 3]


def test_no_equations_have_no_unknowns() -> None:
    assert solve_equations([], []) == []


@pytest.mark.parametrize("totals", [[2, 4], [2, 5]], ids=["many solutions", "no solution"])
def test_a_system_without_exactly_one_solution_is_refused(totals: list[int]) -> None:
    with pytest.raises(ArithmeticError, match="2 equations do not have exactly one solution"):
        solve_equations([[1, 1], [2, 2]], totals)
