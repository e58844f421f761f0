"""Draws are uniform, the same for the same key, and different for any other."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatbot.kernel.fair import Rng, turn_key

SEED = bytes(range(32))


def chi_square(counts: Counter[int], cells: int, draws: int) -> float:
    expected = draws / cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in range(cells))


def test_the_stream_is_hmac_sha256_in_counter_mode() -> None:
    block = hmac.new(SEED, (0).to_bytes(8, "big"), hashlib.sha256).digest()
    assert Rng(SEED).bits(256) == int.from_bytes(block, "big")
    rng = Rng(SEED)
    assert [rng.bits(8) for _ in range(32)] == list(block)


@pytest.mark.parametrize(("limit", "bits"), [(2, 1), (6, 3), (8, 3), (52, 6), (64, 6)])
def test_a_whole_number_takes_the_fewest_bits_and_others_where_they_come_to_too_much(
    limit: int, bits: int
) -> None:
    block = hmac.new(SEED, (0).to_bytes(8, "big"), hashlib.sha256).digest()
    stream = f"{int.from_bytes(block, 'big'):0256b}"
    read = [int(stream[at : at + bits], 2) for at in range(0, 256 - bits + 1, bits)]
    wanted = [each for each in read if each < limit]
    rng = Rng(SEED)
    assert [rng.below(limit) for _ in wanted] == wanted


@pytest.mark.parametrize("cells", [2, 6, 7, 52, 100])
def test_whole_numbers_are_uniform(cells: int) -> None:
    draws = 20_000
    rng = Rng.of(f"chi {cells}")
    counts = Counter(rng.below(cells) for _ in range(draws))
    # The statistic has mean cells - 1 and deviation sqrt(2 (cells - 1)); five deviations are one in 10^6.
    assert abs(chi_square(counts, cells, draws) - (cells - 1)) < 5 * (2 * (cells - 1)) ** 0.5


def test_chances_come_true_as_often_as_they_say() -> None:
    rng, draws = Rng.of("chance"), 20_000
    came = sum(rng.chance(0.324) for _ in range(draws))
    assert abs(came / draws - 0.324) < 5 * (0.324 * 0.676 / draws) ** 0.5
    assert not any(rng.chance(0.0) for _ in range(1000))
    assert all(rng.chance(1.0) for _ in range(1000))


def test_every_order_is_equally_likely() -> None:
    rng, draws = Rng.of("orders"), 12_000
    orders = Counter(tuple(rng.shuffled("abc")) for _ in range(draws))
    assert len(orders) == 6
    assert all(abs(count - 2000) < 5 * (2000 * 5 / 6) ** 0.5 for count in orders.values())


@given(st.lists(st.integers(), max_size=30), st.integers(0, 30))
def test_a_sample_takes_each_place_once_and_leaves_the_list_alone(items: list[int], count: int) -> None:
    before = list(items)
    if count > len(items):
        with pytest.raises(ValueError, match="cannot draw"):
            Rng.of("x").sample(items, count)
        return
    taken = Rng.of("x").sample(items, count)
    assert len(taken) == count
    assert not Counter(taken) - Counter(items)
    assert items == before


def test_nothing_can_be_drawn_from_nothing() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Rng.of("x").below(0)
    assert Rng.of("x").below(1) == 0


def test_the_same_turn_draws_the_same_and_any_change_draws_another() -> None:
    key = turn_key(SEED, 3, ["a", "b"])
    assert key == turn_key(SEED, 3, ("a", "b"))
    others = [
        turn_key(bytes(32), 3, ["a", "b"]),
        turn_key(SEED, 4, ["a", "b"]),
        turn_key(SEED, 3, ["b", "a"]),
        turn_key(SEED, 3, ["ab"]),
        turn_key(SEED, 3, ["a", "b", ""]),
        turn_key(SEED, 3, ["a"]),
    ]
    assert len({key, *others}) == 7
