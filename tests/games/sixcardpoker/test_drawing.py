"""What is drawn many at a time has the exact chances, and comes from a stream that stays the same."""

from __future__ import annotations

import hashlib
from fractions import Fraction

import numpy as np
import pytest

from chatbot.games.sixcardpoker.contest.contest import Luck, Sampler, _all_deals, deal
from chatbot.games.sixcardpoker.contest.contestants import policy
from chatbot.games.sixcardpoker.rules.cards import DEALS, types, ways
from chatbot.games.sixcardpoker.solver.solver import tables


class Fixed(Luck):
    """Draws the numbers that it is given."""

    def __init__(self, *numbers: int) -> None:
        self._numbers = np.array(numbers)

    def draw(self, *shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        return self._numbers.reshape(shape)


def test_luck_is_the_stream_of_plain_doubles_that_numpy_promises() -> None:
    key = int.from_bytes(hashlib.sha256(b"seed").digest(), "big")
    doubles = np.random.Generator(np.random.PCG64(key)).random(6)
    assert (Luck("seed").draw(6) / 2.0**53).tolist() == doubles.tolist()


def test_it_is_all_one_how_many_numbers_are_drawn_at_a_time() -> None:
    whole, parts = Luck("x"), Luck("x")
    rows = whole.draw(7, 2)
    assert rows.tolist() == [*parts.draw(3, 2).tolist(), *parts.draw(4, 2).tolist()]
    assert deal(whole, 9).T.tolist() == [*deal(parts, 4).T.tolist(), *deal(parts, 5).T.tolist()]


def test_every_deal_is_as_likely_as_it_is_in_a_shuffled_deck() -> None:
    counts = np.bincount(_all_deals(), minlength=len(types()) ** 2)
    assert counts.tolist() == [ways(own, other) for own in types() for other in types()]
    assert len(_all_deals()) == DEALS


def test_the_first_and_the_last_number_are_the_first_and_the_last_deal() -> None:
    (first, last), (theirs_first, theirs_last) = deal(Fixed(0, 2**53 - 1), 2).tolist()
    dealt = [(own, other) for own in types() for other in types() if ways(own, other)]
    assert (types()[first], types()[theirs_first]) == dealt[0]
    assert (types()[last], types()[theirs_last]) == dealt[-1]


@pytest.mark.parametrize("name", ["random", "greedy", "nash"])
def test_a_sampler_gives_each_arrangement_its_weight(name: str) -> None:
    sampler, listed = Sampler.of(policy(name)), tables().arrangements
    start = 0
    for place, end in zip(sampler.places.tolist(), sampler.ends.tolist(), strict=True):
        mix = policy(name)[listed[place].held]
        exact = Fraction(mix[listed[place]], sum(mix.values()))
        assert abs(Fraction(end - start, 2**53) - exact) < Fraction(1, 2**52)  # both ends are rounded down
        start = end
    assert start == len(types()) << 53  # nothing is left over


@pytest.mark.parametrize("name", ["random", "nash"])
def test_every_number_up_to_the_last_draws_an_arrangement_of_the_cards(name: str) -> None:
    sampler, listed = Sampler.of(policy(name)), tables().arrangements
    held = np.arange(len(types()))
    for number in (0, 1, 2**52, 2**53 - 1):
        chosen = sampler.choose(held, np.full(len(types()), number))
        assert [listed[place].held for place in chosen] == list(types())
        assert all(policy(name)[listed[place].held][listed[place]] for place in chosen)
