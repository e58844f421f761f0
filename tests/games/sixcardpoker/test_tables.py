"""The tables have what the rules say, in each of their entries."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest

from chatbot.games.sixcardpoker.rules.cards import DEALS, arrangements, types
from chatbot.games.sixcardpoker.solver.solver import tables
from tests.games.sixcardpoker import brute

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

LISTED = [setting for held in sorted(brute.dealt()) for setting in brute.settings(held)]


def doubled(
    hands: Sequence[brute.Cards], points: Callable[[brute.Cards, brute.Cards], Fraction]
) -> NDArray[np.int64]:
    """Compare what each arrangement has in one hand with what each other has: 2 for a win, 1 for a draw."""
    different = sorted(set(hands))
    results = np.array([[int(2 * points(own, other)) for other in different] for own in different])
    places = [different.index(each) for each in hands]
    return results[np.ix_(places, places)]


def test_every_result_of_every_two_arrangements_is_that_of_the_rules() -> None:
    high, middle, low = zip(*LISTED, strict=True)
    expected = np.stack([doubled(high, brute.high), doubled(middle, brute.middle), doubled(low, brute.low)])
    assert (tables().hands == expected - 1).all()
    scores = np.array([2 * brute.of_three(brute.DRAW * total) for total in range(7)], dtype=np.int64)
    assert (tables().rounds == scores[expected.sum(axis=0)] - 1).all()


def test_deals_and_meetings_are_counted_as_they_are_dealt() -> None:
    deals = [[brute.dealt()[own] * brute.others(own).get(other, 0) for other in types()] for own in types()]
    assert tables().deals.tolist() == deals
    assert tables().deals.sum() == DEALS
    for own, other in product(range(len(types())), repeat=2):
        block = tables().meetings[np.ix_(tables().owners == own, tables().owners == other)]
        assert (block == deals[own][other]).all()


def test_arrangements_stand_by_their_types_in_order() -> None:
    assert list(tables().arrangements) == LISTED
    assert [types()[owner] for owner in tables().owners] == [each.held for each in tables().arrangements]
    assert tables().owners.tolist() == [
        place for place, held in enumerate(types()) for _ in arrangements(held)
    ]


def test_nobody_can_change_what_everybody_reads() -> None:
    for table in (tables().owners, tables().hands, tables().rounds, tables().deals, tables().meetings):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 0
