"""What an answer leaves for the next heist: another job, intel, guards and accounts."""

from __future__ import annotations

import pytest

from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import Act, Fate, Outcome
from tests.games.heist.luck import Luck
from tests.games.heist.table import ANN, UNPAID, crowd, play


@pytest.mark.parametrize("success", [True, False])
def test_changing_jobs_leaves_the_job_whatever_the_dice(success: bool) -> None:
    luck = Luck(success, False)  # the second: not hired
    table = play({ANN: Act.CHANGE_JOBS}, luck)
    assert luck.asked == [0.54, 0.05]
    assert table.career(ANN) == Career(employed=False)
    # 1000 - 100 (+ 100 + 80), and no salary
    assert table.purse(ANN) == (1080 if success else 900)


def test_changing_jobs_does_nothing_to_the_unemployed() -> None:
    jobless = Career(salary=120, employed=False)
    luck = Luck(False, False)
    table = play({ANN: Act.CHANGE_JOBS}, luck, careers={ANN: jobless})
    assert table.career(ANN) == jobless
    assert luck.asked == [0.54, 0.05]  # one hiring draw, as ever


def test_intel_turns_6969_credits_won_into_better_odds_by_6969_units() -> None:
    # 3872 + floor(0.80 * 3872 = 3097.6) = 3872 + 3097 = 6969
    table = play({ANN: Act.INTEL}, Luck(True), game=UNPAID, stakes={ANN: 3872}, purses={ANN: 4000})
    assert table.career(ANN).odds == (86_969, None, None, None, None)  # 0.80 + 0.06969
    assert table.purse(ANN) == 128  # 4000 - 3872: all winnings are spent
    assert table.outcome(ANN) == Outcome(
        ANN, Act.INTEL, Fate.ESCAPED, 3872, winnings=6969, received=0, lucky=True, put_by=6969
    )


def test_failed_intel_is_only_a_lost_stake() -> None:
    table = play({ANN: Act.INTEL}, Luck(False), game=UNPAID)
    assert table.career(ANN) == Career()
    assert table.purse(ANN) == 900


def test_intel_counts_from_the_next_heist_on() -> None:
    table = play({ANN: Act.INTEL}, Luck(True), game=UNPAID)
    # This heist paid at 0.80: 100 + 80 = 180 credits of intel. The next pays at 0.80 + 0.00180.
    assert table.career(ANN).odds[0] == 80_180
    again = play({ANN: None}, Luck(True), game=UNPAID, stakes={ANN: 1000}, careers={ANN: table.career(ANN)})
    assert again.purse(ANN) == 1801  # 1000 - 1000 + 1000 + floor(0.8018 * 1000 = 801.8)


def test_intel_is_for_the_bank_that_was_robbed() -> None:
    table = play({ANN: Act.INTEL, **dict.fromkeys(crowd(19), Act.BACK_OUT)}, Luck(True), game=UNPAID)
    assert table.career(ANN).odds == (None, 110_210, None, None, None)  # City: 1.10 + 0.00210


@pytest.mark.parametrize("success", [True, False])
def test_a_guard_adds_a_hundredth_of_what_the_chance_lacks_whatever_the_dice(success: bool) -> None:
    table = play({ANN: Act.GUARD}, Luck(success), game=UNPAID)
    career = table.career(ANN)
    assert career.chances[0] == pytest.approx(0.5446)  # 0.54 + 0.01 * 0.46
    assert career.chances[1:] == (None,) * 4
    assert career.guards == (1, 0, 0, 0, 0)
    assert table.purse(ANN) == (1080 if success else 900)  # winnings stay: 1000 - 100 (+ 180)


def test_a_guard_counts_from_the_next_heist_on() -> None:
    first, second = Luck(False), Luck(False)
    table = play({ANN: Act.GUARD}, first, game=UNPAID)
    assert first.asked == [0.54]
    again = play({ANN: Act.GUARD}, second, game=UNPAID, careers={ANN: table.career(ANN)})
    assert second.asked == pytest.approx([0.5446])
    assert again.career(ANN).chances[0] == pytest.approx(0.549154)  # 0.5446 + 0.01 * 0.4554
    assert again.career(ANN).guards[0] == 2


def test_a_deposit_puts_all_winnings_into_the_account_of_that_bank() -> None:
    saver = Career(accounts=(50, 7, 0, 0, 0))
    table = play({ANN: Act.DEPOSIT}, Luck(True), game=UNPAID, careers={ANN: saver})
    assert table.career(ANN).accounts == (230, 7, 0, 0, 0)  # 50 + 180
    assert table.purse(ANN) == 900  # they are not credits


def test_a_failed_deposit_changes_no_account() -> None:
    saver = Career(accounts=(50, 7, 0, 0, 0))
    table = play({ANN: Act.DEPOSIT}, Luck(False), game=UNPAID, careers={ANN: saver})
    assert table.career(ANN) == saver


def test_a_withdrawal_adds_the_whole_account_of_that_bank_to_the_winnings() -> None:
    saver = Career(accounts=(50, 7, 0, 0, 0))
    table = play({ANN: Act.WITHDRAW}, Luck(True), game=UNPAID, careers={ANN: saver})
    assert table.career(ANN).accounts == (0, 7, 0, 0, 0)
    assert table.purse(ANN) == 1130  # 1000 - 100 + 180 + 50


def test_a_failed_withdrawal_leaves_the_account_alone() -> None:
    saver = Career(accounts=(50, 7, 0, 0, 0))
    table = play({ANN: Act.WITHDRAW}, Luck(False), game=UNPAID, careers={ANN: saver})
    assert table.career(ANN) == saver
    assert table.purse(ANN) == 900
