"""The best play of two: what it is worth, and that nobody does better against it."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from chatbot.games.chickenpoker.solver import equilibrium, solver
from chatbot.games.chickenpoker.solver.solver import even_values, margins
from tests.games.chickenpoker import brute


def evenly(hands: brute.Pair) -> list[int]:
    return [1] * len(hands[0])


@pytest.mark.parametrize("cards", range(1, 9))
def test_the_value_is_1_for_even_n_and_minus_n_plus_1_over_n_for_odd_n(cards: int) -> None:
    solution = solver.solve(cards)
    pattern = 1 if cards % 2 == 0 else -(cards + 1) / cards
    assert float(solution.value) == pytest.approx(pattern, rel=0, abs=1e-9)
    assert solution.value == equilibrium.opening(cards)
    assert solution.opening == (Fraction(1, cards),) * cards


def test_ten_cards_are_gone_through_in_all_pairs_of_hands() -> None:
    solution = solver.solve(10)
    assert solution.value == 1
    assert solution.pairs == 184756 - 1  # 20! / (10! · 10!), less that where nothing is left


@pytest.mark.parametrize("cards", range(1, 6))
def test_neither_player_has_a_response_that_beats_an_even_draw_at_any_pair_of_hands(cards: int) -> None:
    lower = brute.best_response(cards, evenly, 1)
    higher = brute.best_response(cards, evenly, 2)
    # What the one is kept down to, and what the other is, is the same: so it is the value.
    assert lower == higher
    assert lower[((), ())] == equilibrium.value((), ())
    for level in solver.levels(cards):
        for row, own in enumerate(level.hands):
            for column, other in enumerate(level.hands):
                assert level.value(row, column) == lower[own, other] == equilibrium.value(own, other)


def test_every_order_of_the_cards_makes_the_same_against_an_even_draw() -> None:
    orders = list(permutations(range(1, 5)))
    for order in orders:
        games = [sum(map(brute.margin, zip(order, other, strict=True))) for other in orders]
        assert Fraction(sum(games), len(games)) == 1
        assert Fraction(sum(sum(map(brute.margin, zip(o, order, strict=True))) for o in orders), 24) == 1


@pytest.mark.parametrize(("cards", "players"), [(4, 2), (3, 3), (2, 4), (2, 5)])
def test_against_any_number_of_even_draws_all_ways_to_play_score_the_same(cards: int, players: int) -> None:
    spans = [brute.points_against_even(cards, players, player) for player in range(1, players + 1)]
    assert all(least == most for least, most in spans)
    # All cards are taken by somebody.
    assert sum(most for _, most in spans) == players * cards * (cards + 1) // 2


def test_a_round_is_won_by_the_highest_card_and_ties_by_the_number_of_the_card() -> None:
    assert margins(3).tolist() == [[-2, -3, -4], [3, 4, -5], [4, 5, -6]]


def test_one_game_without_an_even_solution_among_many_is_found() -> None:
    paper_stone_scissors = [[0, 1, -1], [-1, 0, 1], [1, -1, 0]]
    assert even_values(np.array([paper_stone_scissors] * 2)).tolist() == [0, 0]
    dear_paper = [[0, 2, -1], [-2, 0, 1], [1, -1, 0]]
    only_columns_agree = [[1, 1, 1], [0, 0, 0], [2, 2, 2]]
    only_rows_agree = [[1, 0, 2], [1, 0, 2], [1, 0, 2]]
    worth_a_third = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]  # no whole number of units
    for other in (dear_paper, only_columns_agree, only_rows_agree, worth_a_third):
        with pytest.raises(ArithmeticError):
            even_values(np.array([paper_stone_scissors, other]))


def test_what_nobody_can_hold_is_refused() -> None:
    for cards in (0, -1, solver.MOST_CARDS + 1):
        with pytest.raises(ValueError, match="from 1 to 12 cards"):
            deque(solver.levels(cards))
    with pytest.raises(ValueError, match="of one size, not of 2 and 1 cards"):
        equilibrium.value((1, 2), (3,))
