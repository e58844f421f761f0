"""What a review says of each arrangement is exact, and comes without NumPy."""

from __future__ import annotations

from fractions import Fraction

import pytest

from chatbot.games.sixcardpoker.rules.cards import arrangements, types
from chatbot.games.sixcardpoker.solver import policies
from chatbot.games.sixcardpoker.solver.policies import replies
from tests.games.sixcardpoker import brute


@pytest.mark.parametrize("held", [(1, 1, 2, 3, 4, 4), (1, 2, 2, 2, 4, 4), (2, 2, 3, 3, 4, 4)])
def test_every_arrangement_has_the_score_that_enumeration_gives_it(held: tuple[int, ...]) -> None:
    for policy in (policies.nash(), policies.greedy()):
        found = replies(held, policy)
        assert sorted(each.arrangement for each in found) == list(arrangements(held))
        for arrangement, score in found:
            assert score == brute.expected(held, arrangement, policy)


def test_the_best_comes_first_and_equals_in_their_order() -> None:
    found = replies((1, 2, 2, 2, 4, 4), policies.nash())
    assert found == sorted(found, key=lambda each: (-each.score, each.arrangement))
    # Best play mixes these three, so they are equally good against it, and nothing is better.
    assert [str(each.arrangement) for each in found[:3]] == ["221 44 2", "421 22 4", "442 22 1"]
    assert found[0].score == found[2].score > found[3].score


def test_the_best_replies_to_best_play_make_a_half_over_all_deals() -> None:
    best = {held: replies(held, policies.nash())[0].score for held in types()}
    total = sum((brute.dealt()[held] * score for held, score in best.items()), Fraction(0))
    assert total / 8008 == Fraction(1, 2)


def test_four_aces_over_nothing_never_lose() -> None:
    """1 and 4 4 4 4 with another 1: the other has no 4, so Middle and Low are won."""
    best = replies((1, 1, 4, 4, 4, 4), policies.random())[0]
    assert (str(best.arrangement), best.score) == ("411 44 4", Fraction(1))


def test_cards_that_nobody_can_hold_are_refused() -> None:
    with pytest.raises(ValueError, match="nobody can hold 1 1 1 1 1 4"):
        replies((1, 1, 1, 1, 1, 4), policies.nash())
