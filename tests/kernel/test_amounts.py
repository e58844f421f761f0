# ruff: noqa: RUF001  (signs that look like others are what this is about)
"""One strict parser of amounts for all games: ASCII, whole, at least 1, never a float, never a crash."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatbot.kernel.amounts import (
    MOST,
    is_worded,
    plain_amount,
    read_amount,
    read_whole,
    require_whole_groups,
    without_currency,
)
from chatbot.kernel.game import Refusal
from chatbot.kernel.units import CREDITS, plain


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
        ("1,000", 0, 1_000),
        ("12,345,678", 0, 12_345_678),
        ("1,000,000,000,000,000", 0, 10**15),
    ],
)
def test_amounts_are_read_as_people_write_them(text: str, purse: int, amount: int) -> None:
    assert read_amount(text, purse) == amount


NONSENSE = [
    "", "0", "00", "-1", "+5", "1.5", "1,5", "1,00", "1,0000", "0,100", "1.000", "1,000k",
    "10,00,000", "1_000", "5\N{KELVIN SIGN}", "１,０００", "1,٣٣٣", "1,000,000,000,000,001",
    "1,000,000,000,000,000,000", "1 000", "1e3", "0x10", "0b1", "nan",
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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *((each, "amount-unclear") for each in ("1,5", "1.5", "1.000", "1'000", "1_000", "1.5k", ".5", "5,")),
        *((each, "amount-signed") for each in ("-50", "+50", "\N{MINUS SIGN}50", "-1,000", "-half")),
        *((each, "not-an-amount") for each in ("", "-", "five", "-five", "5kk", "1.x", "٣", "-٣", "-0")),
    ],
)
def test_what_is_refused_is_told_what_could_not_be_read(text: str, message: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_amount(text, 100)
    assert refused.value.message.id == message


NAMES = {"credit", "credits", "크레딧", "gold coin", "gold coins", "k"}


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("20 credits", "20"),
        ("20credits", "20"),
        ("20크레딧", "20"),
        ("1,000 CREDITS", "1,000"),
        ("half credits", "half"),
        ("all gold coins", "all"),
        ("6 50 credits", "6 50"),
        ("stake=20_gold_coins 6", "stake=20 6"),
        ("stake=all_credits", "stake=all"),
        ("20 3 linear=5 50 credits", "20 3 linear=5 50"),
        ("5k 5 k", "5k 5"),  # a thousand stays one, whatever credits are called
        ("credits 20", "credits 20"),
        ("@credits 20", "@credits 20"),
        ("20 gold", "20 gold"),
        ("allcredits", "allcredits"),
        ("20 credits credits", "20 credits"),
    ],
)
def test_the_name_of_credits_behind_an_amount_is_no_word_of_its_own(typed: str, read: str) -> None:
    assert without_currency(typed.split(), NAMES) == tuple(read.split())


def test_numbers_of_several_words_are_never_joined() -> None:
    for joined in ("1 000", "12 345 678", "1 500 bits"):
        words = tuple(joined.split())
        assert without_currency(words, NAMES) == words
        with pytest.raises(Refusal):
            require_whole_groups(words)
    for parted in ("", "20 3", "0 100", "1000 100", "1 50", "1 -- 500"):
        require_whole_groups(parted.split())


@given(st.lists(st.sampled_from(["20", "1,000", "half", "credits", "gold", "coin", "k", "x=5", "5크레딧"])))
def test_words_that_were_read_once_have_no_name_behind_an_amount_but_a_second_one(words: list[str]) -> None:
    read = without_currency(words, NAMES)
    assert [each for each in read if is_worded(each) or each.isdigit()] == [
        each.removesuffix("크레딧") for each in words if each[0].isdigit() or each == "half"
    ]


def test_whole_numbers_may_have_commas_between_thousands() -> None:
    assert read_whole("1,000", 1, 5000) == 1000
    for text in ("1,00", "1.000", "1 000", ",100"):
        with pytest.raises(Refusal):
            read_whole(text, 1, 5000)


@pytest.mark.parametrize(
    ("text", "setting"),
    [
        *(("1,000", "1000"), ("5k", "5000"), ("20 credits", "20"), ("20크레딧", "20"), ("0", "0")),
        *((each, each) for each in ("1.000", "25%", "half", "credits", "", "1 000")),
    ],
)
def test_a_setting_of_credits_is_read_as_an_amount_but_no_share(text: str, setting: str) -> None:
    assert plain(text, CREDITS) == setting
    assert plain_amount("25%") == "25%"
