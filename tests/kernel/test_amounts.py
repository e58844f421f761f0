# ruff: noqa: RUF001  (signs that look like others are what this is about)
"""One strict parser of amounts for all games: ASCII, whole, at least 1, never a float, never a crash."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatbot.kernel.amounts import MOST, read_amount, read_whole
from chatbot.kernel.game import Refusal


@pytest.mark.parametrize(
    ("text", "purse", "amount"),
    [
        ("69", 0, 69),
        ("1", 0, 1),
        ("0069", 0, 69),
        ("5k", 0, 5_000),
        ("5K", 0, 5_000),
        ("1m", 0, 1_000_000),
        ("1M", 0, 1_000_000),
        ("half", 171, 85),  # 171 / 2 = 85.5, rounded down
        ("HALF", 2, 1),
        ("half", 1, 1),  # at least 1
        ("all", 171, 171),
        ("all", 0, 1),  # at least 1; the purse will refuse it
        ("25%", 171, 42),  # 171 × 0.25 = 42.75
        ("1%", 99, 1),
        ("100%", 171, 171),
        ("999999999999999", 0, 999_999_999_999_999),
        ("1000000000k", 0, 10**12),
    ],
)
def test_amounts_are_read_as_people_write_them(text: str, purse: int, amount: int) -> None:
    assert read_amount(text, purse) == amount


NONSENSE = [
    "", "0", "00", "-1", "+5", "1.5", "1,000", "1_000", "1 000", "1e3", "0x10", "0b1", "nan",
    "NaN", "inf", "-inf", "1e309", "∞", "٣", "١٢", "１２", "²", "½", "Ⅷ", "五", "k", "m", "%", "0k",
    "0%", "101%", "-5%", "50%%", "5kk", "5km", "k5", "5 k", "1.5k", "all in", "halfs", "all!",
    "١٢%", "null", "None", "true", "()", "1000000000000001", "9" * 16, "9" * 5000,
    "999999999999999k", "1\n2", "1\x00", "\u200b1", "1\u202e", "$5", "5$", "five", "#1", "'1'",
    "1;", "1--", "٥k",
]  # fmt: skip


@pytest.mark.parametrize("text", NONSENSE)
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(Refusal):
        read_amount(text, 100)


def test_white_space_around_an_amount_does_not_matter() -> None:
    assert read_amount(" half ", 100) == 50


@pytest.mark.slow
@given(text=st.text(max_size=30), purse=st.integers(0, MOST))
def test_whatever_is_typed_is_an_amount_within_range_or_refused(text: str, purse: int) -> None:
    try:
        amount = read_amount(text, purse)
    except Refusal:
        return
    assert type(amount) is int
    assert 1 <= amount <= MOST


@given(percent=st.integers(1, 100), purse=st.integers(0, MOST))
def test_a_share_is_exact_and_rounded_down(percent: int, purse: int) -> None:
    amount = read_amount(f"{percent}%", purse)
    assert amount == max(1, purse * percent // 100)


@pytest.mark.parametrize("text", ["0", "21", "-1", "٣", "", "1.0", "1_0", "x", " 7", "7 "])
def test_whole_numbers_outside_of_their_limits_are_refused(text: str) -> None:
    with pytest.raises(Refusal):
        read_whole(text, 1, 20)


def test_whole_numbers_at_their_limits_are_read() -> None:
    assert [read_whole(text, 1, 20) for text in ("1", "20", "007")] == [1, 20, 7]
