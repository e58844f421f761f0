"""Which bank is robbed, at which odds, to the last credit."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from chatbot.games.heist.rules.arithmetic import gain
from chatbot.games.heist.rules.banks import Bank, bank_at
from chatbot.games.heist.rules.moves import Act, Settled, Targeted
from chatbot.games.heist.rules.rules import Heist
from tests.games.heist.luck import Luck
from tests.games.heist.table import ANN, BOB, PEOPLE, crowd, gather, play

BANKS = PEOPLE.banks


def test_the_five_banks_are_the_contests() -> None:
    assert (
        Bank(level=0, chance=0.540, odds=80_000),  # Municipal, 0.80
        Bank(level=20, chance=0.488, odds=110_000),  # City, 1.10
        Bank(level=40, chance=0.425, odds=130_000),  # State, 1.30
        Bank(level=60, chance=0.387, odds=165_000),  # National, 1.65
        Bank(level=80, chance=0.324, odds=195_000),  # Federal Reserve, 1.95
    ) == BANKS


@pytest.mark.parametrize(
    ("heisters", "bank"),
    [(0, 0), (1, 0), (19, 0), (20, 1), (39, 1), (40, 2), (59, 2), (60, 3), (79, 3), (80, 4), (1000, 4)],
)
def test_each_bank_is_robbed_from_its_level_on(heisters: int, bank: int) -> None:
    assert bank_at(BANKS, heisters, 0) == bank


@pytest.mark.parametrize(
    ("heisters", "staked", "bank"),
    [
        (19, 99_999, 0),  # 19 + 0
        (19, 100_000, 1),  # 19 + 1
        (18, 199_999, 0),  # 18 + 1
        (18, 200_000, 1),  # 18 + 2
        (1, 7_899_999, 3),  # 1 + 78
        (1, 7_900_000, 4),  # 1 + 79
    ],
)
def test_every_whole_hundred_thousand_credits_counts_as_one_heister(
    heisters: int, staked: int, bank: int
) -> None:
    assert bank_at(BANKS, heisters, staked) == bank


@pytest.mark.parametrize(("heisters", "bank"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (7, 3), (10, 4)])
def test_levels_from_1_rob_the_first_bank_alone(heisters: int, bank: int) -> None:
    small = Heist(levels=(1, 2, 4, 7, 10)).banks
    assert bank_at(small, heisters, 0) == bank


@pytest.mark.parametrize(("size", "bank"), [(19, 0), (20, 1)])
def test_twenty_heisters_rob_the_city_and_nineteen_the_municipal(size: int, bank: int) -> None:
    table = gather(crowd(size))
    step = table.tick()
    assert step.events == (Targeted(bank, size, rabble=0, staked=100 * size, seconds=30),)


@pytest.mark.parametrize(("last", "bank"), [(98_200, 1), (98_199, 0)])
def test_nineteen_heisters_with_a_hundred_thousand_credits_rob_the_city(last: int, bank: int) -> None:
    # 18 * 100 + 98 200 = 100 000: index 19 + 1 = 20; one credit less leaves it at 19
    table = gather((*crowd(18), ANN), stakes={ANN: last}, purses={ANN: 100_000})
    assert table.tick().events == (Targeted(bank, 19, rabble=0, staked=1800 + last, seconds=30),)


def test_who_backs_out_still_counts_for_the_bank() -> None:
    runners = crowd(19)
    luck = Luck(False)
    table = play({ANN: None, **dict.fromkeys(runners, Act.BACK_OUT)}, luck)
    assert table.seen(Settled)[0].bank == 1  # 20 staked, 1 went
    assert luck.asked == pytest.approx([0.488 * 1 / 20])


def test_stakes_that_are_taken_back_still_count_for_the_bank() -> None:
    # 2 heisters + floor(1 800 100 / 100 000) = 2 + 18 = 20, though 1 800 000 go home
    luck = Luck(False)
    stakes, purses = {ANN: 100, BOB: 1_800_000}, {BOB: 1_800_000}
    table = play({ANN: None, BOB: Act.BACK_OUT}, luck, stakes=stakes, purses=purses)
    assert table.seen(Settled)[0].bank == 1
    assert table.purse(BOB) == 1_800_000


ALL_ODDS = ("0.8", "1.1", "1.3", "1.65", "1.95", "0.5", "0.7", "1", "1.25", "1.75", "0.75", "0.86969")


@pytest.mark.parametrize("odds", ALL_ODDS)
def test_no_stake_loses_a_credit_to_binary_fractions(odds: str) -> None:
    units = int(Fraction(odds) * 100_000)
    assert Fraction(units, 100_000) == Fraction(odds)
    for stake in range(1, 2001):
        assert gain(stake, units) == stake * Fraction(odds) // 1


def test_the_settings_odds_are_exact() -> None:
    deepbots = Decimal("0.5"), Decimal("0.7"), Decimal(1), Decimal("1.25"), Decimal("1.75")
    for game in (Heist(), Heist(odds=deepbots)):
        for bank, odds in zip(game.banks, game.odds, strict=True):
            assert Fraction(bank.odds, 100_000) == Fraction(odds)


@pytest.mark.parametrize(
    ("stake", "odds", "winnings"),
    [
        (69, 80_000, 124),  # 0.80 * 69 = 55.2 -> 55; 69 + 55
        (100, 110_000, 210),  # 1.10 * 100 = 110; 100 + 110
        (50, 130_000, 115),  # 1.30 * 50 = 65; 50 + 65, where doubles say 2.3 * 50 = 114.99999999999999
        (20, 165_000, 53),  # 1.65 * 20 = 33; 20 + 33
        (1, 80_000, 1),  # 0.80 * 1 = 0.8 -> 0; 1 + 0
    ],
)
def test_winnings_are_the_stake_and_the_rounded_gain(stake: int, odds: int, winnings: int) -> None:
    assert stake + gain(stake, odds) == winnings


def test_winnings_stay_exact_where_doubles_do_not() -> None:
    # 0.80 * 10**15 = 8 * 10**14; and with one more hundred-thousandth: 0.80001 * 10**15 = 800 010 000 000 000
    assert gain(10**15, 80_000) == 800_000_000_000_000
    assert gain(10**15, 80_001) == 800_010_000_000_000
