"""Quantities are read as people write them, in one place for each unit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatbot.kernel.units import SECONDS, as_time, plain, read_time


@pytest.mark.parametrize(
    ("text", "unit", "number"),
    [
        ("90", "seconds", "90"), ("90s", "seconds", "90"), ("2m", "seconds", "120"),
        ("1h", "seconds", "3600"), ("1m30s", "seconds", "90"), ("1M 30S", "seconds", "90"),
        ("2 minutes", "seconds", "120"), ("1분30초", "seconds", "90"), ("1h", "minutes", "60"),
        ("90m", "minutes", "90"), ("1d", "hours", "24"), ("48h", "days", "2"), ("7일", "days", "7"),
        ("5%", "percent", "5"), ("5", "percent", "5"), ("2.5 %", "percent", "2.5"),
    ],
)  # fmt: skip
def test_a_quantity_with_its_unit_is_the_plain_number(text: str, unit: str, number: str) -> None:
    assert plain(text, unit) == number


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("90s", "minutes"),  # one and a half of them
        ("30s1m", "seconds"), ("s", "seconds"), ("", "seconds"), ("-5s", "seconds"), ("1.5m", "seconds"),
        ("٣s", "seconds"), ("90%", "seconds"), ("5%%", "percent"), ("%", "percent"), ("5%", "credits"),
        ("90s", "credits"),
    ],
)  # fmt: skip
def test_what_is_no_quantity_of_the_unit_stays_for_the_refusal(text: str, unit: str) -> None:
    assert plain(text, unit) == text


@given(count=st.integers(1, 100_000), unit=st.sampled_from(sorted(SECONDS)))
def test_a_time_that_is_written_is_read_as_the_same(count: int, unit: str) -> None:
    assert read_time(as_time(count, unit)) == count * SECONDS[unit]
    assert plain(as_time(count, unit), unit) == str(count)


def test_a_time_is_written_in_its_largest_units() -> None:
    assert [as_time(*each) for each in ((90, "seconds"), (24, "hours"), (0, "minutes"))] == [
        "1m30s",
        "1d",
        "0m",
    ]
