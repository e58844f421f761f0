"""The formulas of a heist on plain numbers, which rules, odds and tournaments share."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatbot.games.heist.rules import arithmetic
from chatbot.games.heist.rules.arithmetic import ODDS_UNIT

CHANCES = st.floats(0, 1)
CREDITS = st.integers(0, 10**18)


@given(CHANCES)
def test_a_guard_who_leaves_takes_along_what_it_brought(chance: float) -> None:
    assert arithmetic.unguarded(arithmetic.guarded(chance), 0.0) == pytest.approx(chance, abs=1e-12)


@given(CHANCES, st.integers(0, 10**6))
def test_without_settings_nothing_bounds_chances_and_odds(chance: float, odds: int) -> None:
    assert arithmetic.most_chance(chance, odds, 0, 0) == inf
    assert arithmetic.most_odds(odds, chance, 0, 0) == inf


@pytest.mark.parametrize(
    ("bank", "odds", "points", "percent", "most"),
    [
        (0.4, 100_000, 5, 0, 0.45),
        (0.4, 100_000, 0, 92, 0.46),  # 92% of a stake, at a gross payout of 2
        (0.4, 100_000, 5, 92, 0.45),
        (0.4, 300_000, 5, 92, 0.4),  # a gross payout of 4 would bound it to 0.23, but the bank has more
    ],
)
def test_guards_raise_a_chance_to_the_nearest_bound(
    bank: float, odds: int, points: float, percent: float, most: float
) -> None:
    assert arithmetic.most_chance(bank, odds, points, percent) == pytest.approx(most)


@given(
    st.fractions(0, 1),
    st.integers(0, 10**6),
    st.fractions(0, 100),
    st.integers(0, 10**6),
    st.fractions(0, 200),
)
@pytest.mark.slow
def test_no_career_returns_more_than_is_published(
    chance: Fraction, odds: int, points: Fraction, more: int, percent: Fraction
) -> None:
    """Whichever of guards and intel comes first, and as far as both together can take it."""
    gross = 1 + Fraction(odds, ODDS_UNIT)
    most = arithmetic.most_return(chance, gross, points, Fraction(more, ODDS_UNIT), percent)
    if points and more:
        guards = arithmetic.most_chance(float(chance), odds, float(points), float(percent))
        intel = arithmetic.most_odds(odds, guards, more, float(percent))
        assert guards * (1 + intel / ODDS_UNIT) <= float(most) + 1e-6
        intel = arithmetic.most_odds(odds, float(chance), more, float(percent))
        guards = arithmetic.most_chance(float(chance), int(intel), float(points), float(percent))
        assert guards * (1 + intel / ODDS_UNIT) <= float(most) + 1e-6
    assert most >= chance * gross


@given(CREDITS, st.integers(0, 10**6), st.integers(0, 10), CREDITS)
def test_a_fine_is_never_more_than_the_purse_or_the_room_that_is_left(
    purse: int, stake: int, stakes: int, room: int
) -> None:
    assert 0 <= arithmetic.fine(purse, stake, stakes) <= purse
    assert arithmetic.fine(purse, stake, stakes, room, bounded=True) <= room


def test_the_fine_of_the_contest_is_a_quarter() -> None:
    assert arithmetic.fine(103) == 25  # 103 / 4 = 25.75
    assert arithmetic.fine(103, stake=20, stakes=2) == 40
    assert arithmetic.fine(30, stake=20, stakes=2) == 30


@pytest.mark.parametrize(
    ("crossers", "committed", "secret"), [(1, 1, True), (2, 19, False), (2, 20, True), (3, 29, False)]
)
def test_one_crosser_or_one_in_ten_stays_a_secret(crossers: int, committed: int, secret: bool) -> None:
    assert arithmetic.stays_secret(crossers, committed) is secret


@pytest.mark.parametrize(
    ("own", "stake", "percent", "most", "salary"),
    [
        (252, 1000, 0, 0, 252),  # the contest's: whatever the stake
        (240, 1000, 5, 0, 50),
        (240, 1000, 5, 12, 12),
        (120, 1000, 5, 12, 6),  # half a salary is half the wage
        (252, 1000, 5, 12, 12),  # and more than a salary no more than the wage
    ],
)
def test_salaries_are_ones_own_or_go_by_the_stake(
    own: int, stake: int, percent: int, most: int, salary: int
) -> None:
    assert arithmetic.salary(own, stake, percent, most) == salary


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=9), CREDITS)
def test_shares_of_a_pool_are_never_more_than_the_pool(stakes: list[int], pool: int) -> None:
    shares = [arithmetic.split_share(pool, each, 0, sum(stakes), 10**18) for each in stakes]
    assert sum(shares) <= pool
    assert arithmetic.equal_share(pool, len(stakes)) * len(stakes) <= pool
    assert arithmetic.equal_share(pool, 0) == 0


@given(st.integers(0, 2**62), st.integers(0, 2**61), st.integers(1, 2**61))
def test_a_proportional_share_is_exact_and_fits_into_64_bits(pool: int, part: int, rest: int) -> None:
    """However large the numbers are, and without a product that compiled code could not hold."""
    whole = part + rest
    pool = min(pool, 2 * whole)
    assert arithmetic.proportional_share(pool, part, whole) == pool * part // whole
