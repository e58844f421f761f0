"""Numbers as players read them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from chatbot.games.highshow.figures import exactly, in_full, roughly, row, shortly, signed


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(1234567), "1,234,567"),
        (Fraction(-12), "−12"),
        (Fraction(81, 4), "20.25"),
        (Fraction(-1, 8), "−0.125"),
        (Fraction(1, 16), "0.0625"),
        (Fraction(20, 3), "6 2/3"),
        (Fraction(-1, 3), "−1/3"),
        (Fraction(14951, 720), "≈ 20.77 (14951/720)"),  # 20.7652…
        (Fraction(19_999_997, 10**6), "19.999997"),  # after a rejection at 0.000001
        (Fraction(-1, 32), "−1/32"),  # five decimals are too many
    ],
)
def test_scores_are_written_exactly(value: Fraction, text: str) -> None:
    assert exactly(value) == text


def test_what_somebody_chose_is_never_rounded() -> None:
    written = {each: in_full(Fraction(each)) for each in ("5", "0.5", "1/3", "0.000001", "999999/999998")}
    assert all(text == each for each, text in written.items()), written


def test_rounding_is_marked() -> None:
    assert roughly(Fraction(5, 2)) == "2.5"
    assert roughly(2.5, exact=False) == "≈ 2.5"
    assert roughly(Fraction(10, 3)) == "≈ 3.33"
    assert roughly(Fraction(1, 300)) == "≈ 0.0033"  # small ones to four decimals
    assert roughly(Fraction(-1999, 1000)) == "≈ −2"
    assert shortly(Fraction(10**20, 3**30)) == "≈ 485,693.57"  # 100000000000000000000/205891132094649 is long


def test_long_rows_of_cards_show_the_last() -> None:
    assert row([3, 1, 2]) == "3, 1, 2"
    assert row(range(1, 10)) == "… 2, 3, 4, 5, 6, 7, 8, 9"
    assert signed(-1234) == "−1,234"
    assert signed(5) == "+5"
