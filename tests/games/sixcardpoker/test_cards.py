"""What can be held, how it can be set, and what wins: against an implementation of its own, and by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

from chatbot.games.sixcardpoker.rules import cards
from chatbot.games.sixcardpoker.rules.cards import (
    Arrangement,
    arrange,
    arrangements,
    compare,
    sensible,
    types,
    ways,
)
from tests.games.sixcardpoker import brute

HIGHS = [tuple(reversed(each)) for each in combinations_with_replacement((1, 2, 3, 4), 3)]
MIDDLES = [tuple(reversed(each)) for each in combinations_with_replacement((1, 2, 3, 4), 2)]
LOWS = [(1,), (2,), (3,), (4,)]
RESULTS = {brute.WIN: 1, brute.DRAW: 0, brute.LOSS: -1}


def set_as(text: str) -> Arrangement:
    high, middle, low = (map(int, hand) for hand in text.split())
    return arrange(high, middle, low)


# What there is


def test_the_8008_ways_to_deal_six_cards_make_68_types() -> None:
    assert sum(brute.dealt().values()) == 8008
    assert types() == tuple(sorted(brute.dealt()))
    assert len(types()) == 68


def test_the_arrangements_are_all_that_any_order_of_the_cards_makes_760_together() -> None:
    for held in types():
        assert list(arrangements(held)) == brute.settings(held)
        assert all(each.held == held for each in arrangements(held))
    assert sum(len(arrangements(held)) for held in types()) == 760


def test_what_both_are_dealt_is_counted_as_it_is_dealt() -> None:
    for own in types():
        for other in types():
            assert ways(own, other) == brute.dealt()[own] * brute.others(own).get(other, 0)
    assert sum(ways(own, other) for own in types() for other in types()) == cards.DEALS == 8008 * 210


# What wins


def test_every_hand_against_every_other_goes_as_the_rules_say() -> None:
    for own, other in product(HIGHS, repeat=2):
        found = compare(arrange(own, (1, 2), (1,)), arrange(other, (1, 2), (1,)))
        assert found.hands == (RESULTS[brute.high(own, other)], 0, 0)
    for own, other in product(MIDDLES, repeat=2):
        found = compare(arrange((1, 2, 3), own, (1,)), arrange((1, 2, 3), other, (1,)))
        assert found.hands == (0, RESULTS[brute.middle(own, other)], 0)
    for own, other in product(LOWS, repeat=2):
        found = compare(arrange((1, 2, 3), (1, 2), own), arrange((1, 2, 3), (1, 2), other))
        assert found.hands == (0, 0, RESULTS[brute.low(own, other)])


def test_more_than_half_of_the_points_win_the_round() -> None:
    for hands in product((1, 0, -1), repeat=3):
        points = sum((Fraction(each + 1, 2) for each in hands), Fraction(0))
        outcome = cards.Outcome(*hands)
        assert outcome.round == RESULTS[brute.of_three(points)]
        assert outcome.turned.hands == tuple(-each for each in hands)
        assert outcome.turned.round == -outcome.round


@pytest.mark.slow
def test_every_arrangement_of_every_deal_against_every_other_goes_as_the_rules_say() -> None:
    """Lay down all that 8008 first hands can meet; hands that look alike are laid down once."""
    met = 0
    for own in brute.dealt():
        for other in brute.others(own):
            for ours, theirs in product(brute.settings(own), brute.settings(other)):
                outcome = compare(Arrangement(*ours), Arrangement(*theirs))  # type: ignore[arg-type]
                assert outcome.hands == tuple(RESULTS[each] for each in brute.points(ours, theirs))
                assert outcome.round == RESULTS[brute.score(ours, theirs)]
                met += 1
    assert met == sum(
        len(arrangements(own)) * len(arrangements(other))
        for own, other in product(types(), repeat=2)
        if ways(own, other)
    )


# The examples of the source: the same cards, of which the right-hand player makes less than they could.
# The left one holds 1 1 2 3 3 4 and sets 3 3 2, 1 1 and 4; the right one holds 1 2 2 3 4 4.

LEFT = "332 11 4"


@pytest.mark.parametrize(
    ("right", "hands", "score"),
    [
        # 3+2+2 = 7 is less than 8; 4 1 is no pair, and 1 1 is one; 4 draws with 4: half a point.
        ("322 41 4", (-1, -1, 0), -1),
        # 4+3+2 = 9 is more than 8; 2 1 is no pair; 4 draws with 4: a point and a half.
        ("432 21 4", (1, -1, 0), 0),
        # 4+3+1 = 8 draws with 8; 2 2 is the higher pair; 4 draws with 4: two points.
        ("431 22 4", (0, 1, 0), 1),
    ],
    ids=["the right one loses", "the right one draws", "the right one could have won"],
)
def test_the_same_cards_lose_draw_or_win_as_they_are_set(
    right: str, hands: tuple[int, int, int], score: int
) -> None:
    outcome = compare(set_as(right), set_as(LEFT))
    assert (outcome.hands, outcome.round) == (hands, score)
    assert compare(set_as(LEFT), set_as(right)) == outcome.turned
    assert ways(set_as(right).held, set_as(LEFT).held) > 0


def test_any_pair_beats_the_best_two_cards_that_are_none() -> None:
    assert compare(set_as("432 11 2"), set_as("321 43 2")).middle == 1
    assert compare(set_as("432 41 2"), set_as("321 32 2")).middle == 1  # the higher card
    assert compare(set_as("432 42 2"), set_as("321 43 2")).middle == -1  # the same one, then the other
    assert compare(set_as("432 22 2"), set_as("321 11 2")).middle == 1  # the higher pair


def test_sums_decide_high_whatever_they_are_made_of() -> None:
    assert compare(set_as("411 22 3"), set_as("222 43 3")).high == 0
    assert compare(set_as("322 41 3"), set_as("411 32 3")).high == 1


# Words


def test_what_is_sensible_is_beaten_by_no_other_setting_of_the_same_cards_hand_by_hand() -> None:
    for held in types():
        kept = sensible(held)
        for setting in brute.settings(held):
            worse = [
                other
                for other in brute.settings(held)
                if other != setting and min(brute.points(other, setting)) >= brute.DRAW
            ]
            assert (setting in kept) == (not worse)


@pytest.mark.parametrize("text", ["112344", "443211", "1 1 2 3 4 4", " 4 1 2 1 4 3 "])
def test_cards_are_read_in_any_order(text: str) -> None:
    assert cards.read(text) == (1, 1, 2, 3, 4, 4)


@pytest.mark.parametrize(
    "text", ["", "11234", "1123445", "111112", "112345", "112340", "-112344", "11 23 4x"]
)
def test_what_nobody_can_hold_is_not_read(text: str) -> None:
    with pytest.raises(ValueError, match="six cards out of four each of 1 to 4"):
        cards.read(text)


def test_what_is_no_arrangement_is_refused() -> None:
    with pytest.raises(ValueError, match="three, two and one card, not 2, 3, 1"):
        arrange((1, 2), (3, 4, 4), (1,))
    with pytest.raises(ValueError, match="nobody can hold 1 1 1 1 1 2"):
        arrangements((1, 1, 1, 1, 1, 2))


def test_an_arrangement_is_written_as_somebody_types_it() -> None:
    setting = arrange((1, 4, 4), (2, 3), (1,))
    assert str(setting) == "441 32 1"
    assert cards.setting_of((1, 1, 2, 3, 4, 4), "441 32 1") == setting
    assert cards.setting_of((1, 1, 2, 3, 4, 4), "441 33 1") is None
