"""What the house's strategies return: which may be met with stakes, and the file that says so."""

from __future__ import annotations

from fractions import Fraction

import pytest

from chatbot.kernel import returns
from chatbot.kernel.returns import CERTAINTY, TOLERANCE, BestReply, Method, exactly, searched

LINE = "chickenpoker linear 4 exact 13/8 0 orders"


@pytest.mark.parametrize(
    ("figure", "fair"), [(Fraction(1), True), (Fraction(99, 100), True), (1 + Fraction(1, 10**9), False)]
)
def test_an_exact_figure_is_fair_up_to_the_stake_itself(figure: Fraction, fair: bool) -> None:
    assert exactly(figure, "orders").fair is fair


def test_a_sampled_figure_is_fair_only_if_its_upper_limit_is_about_the_stake() -> None:
    room = float(TOLERANCE) / CERTAINTY  # the error with which a figure of 1 reaches the limit
    assert searched(1.0, 0.9 * room, "deals").fair
    assert not searched(1.0, 1.1 * room, "deals").fair
    assert not searched(1.002, 0.0001, "deals").fair


def test_a_poor_sample_of_a_strategy_that_loses_is_not_fair() -> None:
    assert searched(0.9, 0.01, "deals").fair
    assert not searched(0.9, 0.04, "deals").fair  # 0.9 + 3.09 x 0.04 is 1.02


def test_a_strategy_or_a_length_without_a_figure_may_not_take_stakes() -> None:
    assert returns.may_take_stakes("chickenpoker", "nash", 15)
    assert not returns.may_take_stakes("chickenpoker", "nash", 16)
    assert not returns.may_take_stakes("chickenpoker", "adaptive", 6)
    assert not returns.may_take_stakes("another", "nash", 6)


def test_the_worst_length_speaks_for_a_strategy() -> None:
    found = returns.worst("chickenpoker", "linear", range(2, 6))
    assert found == exactly(Fraction(19, 10), "orders")
    assert returns.worst("chickenpoker", "linear", range(2, 17)) is None  # of 16 nothing is known
    assert returns.worst("chickenpoker", "linear", ()) is None


def test_what_is_written_is_read_again() -> None:
    figures = {
        ("chickenpoker", "linear", 4): exactly(Fraction(13, 8), "orders"),
        ("pokermarket", "random", 1): searched(1.2044141, 0.0000894, "deals"),
    }
    lines = [*returns.write(figures)]
    assert lines[-1] == "pokermarket random 1 searched 1.204414 0.000089 deals"
    assert returns.read(lines) == figures
    assert figures["pokermarket", "random", 1] == BestReply(
        Fraction(1204414, 10**6), Method.SEARCHED, 0.000089, "deals"
    )


@pytest.mark.parametrize(
    "line",
    [
        LINE.replace("13/8", "much"),
        LINE.replace("13/8", "-1"),
        LINE.replace("exact", "guessed"),
        LINE.replace("orders", "luck"),
        LINE.replace(" 0 ", " 0.1 "),  # what is exact has no error
        LINE.replace("exact", "searched"),  # and what was searched has one
        LINE.removesuffix(" orders"),
    ],
)
def test_a_line_that_is_no_figure_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"figure|Invalid|not a valid"):
        returns.read([LINE.replace("4", "5"), line])


def test_two_figures_of_one_length_are_refused() -> None:
    with pytest.raises(ValueError, match="two figures"):
        returns.read([LINE, LINE.replace("13/8", "1")])
