"""The luck of tournaments: PCG64's own stream, and each order and each row equally likely.

The bounds of chi-square are its quantiles at one in a million; the seeds are fixed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from chatbot.games.heist.contest.luck import Luck

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

BLOCK = 1 << 14


def stream(seed: str) -> np.random.PCG64:
    return np.random.PCG64(int.from_bytes(hashlib.sha256(seed.encode()).digest(), "big"))


def doubles(seed: str, count: int) -> list[float]:
    """Make doubles of the raw stream: the first 53 bits of each 64."""
    raw: Any = stream(seed).random_raw(count)
    return [float(int(each) >> 11) / (1 << 53) for each in raw]


def chi_square(drawn: Iterable[Hashable], kinds: Iterable[Hashable]) -> float:
    counts, expected_kinds = Counter(drawn), list(kinds)
    assert set(counts) <= set(expected_kinds)
    expected = counts.total() / len(expected_kinds)
    return sum((counts[each] - expected) ** 2 / expected for each in expected_kinds)


# The stream


def test_the_stream_is_that_of_pcg64() -> None:
    luck = Luck("stream")
    assert [luck.uniform() for _ in range(100)] == doubles("stream", 100)


def test_single_draws_and_whole_rows_come_from_one_stream_across_its_blocks() -> None:
    luck, drawn, sizes = Luck("blocks"), list[float](), (1, 500, 0, 7, 3000, 2, BLOCK - 5, 40_000, 1, 9)
    for size in sizes:
        drawn += luck.uniforms(size).tolist()
        drawn.append(luck.uniform())
    assert drawn == doubles("blocks", sum(sizes) + len(sizes))
    assert len(drawn) > 3 * BLOCK


@pytest.mark.parametrize("left", [0, 1, 2])
def test_a_row_that_ends_about_the_end_of_a_block_loses_no_draw(left: int) -> None:
    luck = Luck("end")
    luck.uniforms(BLOCK - left)
    assert luck.uniforms(1).tolist() + luck.uniforms(2).tolist() == doubles("end", BLOCK + 3)[-left - 3 :][:3]


def test_a_row_stays_what_it_was_when_more_is_drawn() -> None:
    luck = Luck("kept")
    first = luck.uniforms(10)
    before = first.tolist()
    luck.order(500)
    luck.uniforms(2 * BLOCK)
    assert first.tolist() == before


def test_the_same_words_give_the_same_luck_and_others_another() -> None:
    one, same, other = Luck("word"), Luck("word"), Luck("words")
    assert one.uniforms(50).tolist() == same.uniforms(50).tolist() != other.uniforms(50).tolist()


def test_nothing_can_be_drawn_from_nothing() -> None:
    with pytest.raises(ValueError, match="at least 1, not 0"):
        Luck("none").below(0)


# Orders


@pytest.mark.parametrize("count", [0, 1, 2, 110, 500, 1024, 1025, 5000])
def test_an_order_is_that_in_which_its_doubles_rise(count: int) -> None:
    drawn = doubles("rise", count)
    assert len({int(each * (1 << 40)) for each in drawn}) == count  # so far apart that no last bit matters
    order = Luck("rise").order(count).tolist()
    assert order == sorted(range(count), key=drawn.__getitem__)


def test_each_of_the_24_orders_of_four_is_equally_likely() -> None:
    luck = Luck("orders")
    drawn = [tuple(luck.order(4).tolist()) for _ in range(24_000)]
    assert chi_square(drawn, permutations(range(4))) < 70.5  # of 23 degrees of freedom


def test_each_place_is_equally_likely_to_be_first_of_many() -> None:
    luck = Luck("first")
    assert chi_square((luck.order(100).item(0) for _ in range(20_000)), range(100)) < 180.8  # of 99


# Comers


@pytest.mark.parametrize("count", [0, 1, 2, 500, 1024, 1025, 5000])
def test_those_come_whose_doubles_are_below_the_doors_and_as_they_rise(count: int) -> None:
    *drawn, door = doubles("come", count + 1)
    assert len({int(each * (1 << 40)) for each in (*drawn, door)}) == count + 1
    inside = [place for place in range(count) if drawn[place] < door]
    assert Luck("come").comers(count).tolist() == sorted(inside, key=drawn.__getitem__)


def test_as_many_come_as_any_other_number_and_each_order_of_them_is_equally_likely() -> None:
    luck = Luck("comers")
    drawn = [tuple(luck.comers(3).tolist()) for _ in range(24_000)]
    assert chi_square(map(len, drawn), range(4)) < 30.7  # of 3 degrees of freedom
    for size, bound in ((1, 27.7), (2, 35.9), (3, 35.9)):  # of 2, 5 and 5
        of_size = [each for each in drawn if len(each) == size]
        assert chi_square(of_size, permutations(range(3), size)) < bound


# Rows


def row(luck: Luck, newcomers: int, others: int) -> tuple[int | None, ...]:
    found: list[int | None] = [None] * (newcomers + others)
    for place, newcomer in luck.slots(newcomers, others):
        found[place] = newcomer
    return tuple(found)


@pytest.mark.parametrize(
    ("newcomers", "others", "bound"),
    [(2, 2, 48.9), (3, 0, 35.9), (1, 5, 35.9), (3, 1, 70.5)],  # of 11, 5, 5 and 23 degrees of freedom
)
def test_each_row_is_equally_likely(newcomers: int, others: int, bound: float) -> None:
    luck = Luck(f"rows {newcomers} {others}")
    kinds = set(permutations((*range(newcomers), *[None] * others)))
    assert chi_square((row(luck, newcomers, others) for _ in range(24_000)), kinds) < bound


def test_a_row_is_told_from_its_front() -> None:
    slots = Luck("front").slots(30, 12)
    assert sorted(slots) == slots
    assert sorted(newcomer for _, newcomer in slots) == list(range(30))
    assert len({place for place, _ in slots}) == 30
    assert all(0 <= place < 42 for place, _ in slots)


def test_nobody_stands_nowhere() -> None:
    assert Luck("nobody").slots(0, 5) == []
    assert Luck("nobody").slots(0, 0) == []
