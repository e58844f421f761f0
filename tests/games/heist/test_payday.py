"""The end of every heist: interest, hiring, salaries, bribes; and what is remembered of it."""

from __future__ import annotations

import pytest

from chatbot.games.heist import KIT
from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import Act, GuardsLeft, Hired, Paid, Wage
from chatbot.kernel.game import SystemPurse, Transfer
from tests.games.heist.luck import Luck
from tests.games.heist.table import ANN, BOB, CAT, DAN, UNPAID, gather, play

JOBLESS = Career(employed=False)


# Salaries


def test_everybody_at_the_table_is_paid_heister_or_not() -> None:
    table = play({ANN: None}, Luck(False), careers={BOB: Career(salary=300)})
    assert table.purse(ANN) == 1140  # 1000 - 100 + 240
    assert table.purse(BOB) == 1300  # he only sat
    assert Transfer(SystemPurse.MINT, BOB, 300, "payday") in table.transfers
    assert table.seen(Paid) == [Paid((Wage(ANN, 240, 0), Wage(BOB, 300, 0)))]


@pytest.mark.parametrize("act", [act for act in Act if act not in {Act.BACK_OUT, Act.ALL_IN}])
def test_who_sticks_is_paid_unless_the_job_is_gone(act: Act) -> None:
    table = play({ANN: act}, Luck(False, *(False,) * (act is Act.CHANGE_JOBS)))
    salary = {Act.CHANGE_JOBS: 0, Act.GUARD: 240 - 1}.get(act, 240)  # a new guard costs a bribe
    assert table.purse(ANN) == 900 + salary


@pytest.mark.parametrize("act", [Act.BACK_OUT, Act.ALL_IN])
def test_who_backed_out_or_went_all_in_is_not_paid(act: Act) -> None:
    table = play({ANN: act}, Luck(*(False,) * (act is Act.ALL_IN)))
    assert table.purse(ANN) == {Act.BACK_OUT: 1000, Act.ALL_IN: 0}[act]
    assert table.seen(Paid) == []


def test_without_payday_nobody_is_paid_hired_or_bribed() -> None:
    guarded = Career(employed=False, guards=(1, 0, 0, 0, 0))
    table = play({ANN: None}, Luck(False), game=UNPAID, careers={ANN: guarded, BOB: Career()})
    assert (table.purse(ANN), table.purse(BOB)) == (900, 1000)
    assert table.purses[SystemPurse.MINT] == 0


# Hiring


@pytest.mark.parametrize(
    ("salary", "after"),
    [
        (240, 252),  # 240 + 12
        (239, 250),  # 239 + floor(11.95)
        (20, 21),  # 20 + 1
        (19, 19),  # 19 + floor(0.95): too small to rise
        (0, 0),
    ],
)
def test_the_hired_earn_a_twentieth_more_and_are_paid_at_once(salary: int, after: int) -> None:
    luck = Luck(False, True)
    table = play({ANN: None}, luck, careers={ANN: Career(salary=salary, employed=False)})
    assert luck.asked == [0.54, 0.05]
    assert table.career(ANN) == Career(salary=after)
    assert table.purse(ANN) == 900 + after
    assert table.seen(Hired) == [Hired(ANN, after)]


def test_who_only_sits_may_be_hired_too() -> None:
    table = play({ANN: None}, Luck(False, True), careers={ANN: Career(), BOB: JOBLESS})
    assert table.purse(BOB) == 1252  # 1000 + 240 + 12


def test_who_is_not_hired_is_not_paid() -> None:
    table = play({ANN: None}, Luck(False, False), careers={ANN: JOBLESS})
    assert table.career(ANN) == JOBLESS
    assert table.purse(ANN) == 900


def test_who_changes_jobs_may_be_hired_at_the_end_of_the_same_heist() -> None:
    table = play({ANN: Act.CHANGE_JOBS}, Luck(True, True))
    assert table.career(ANN) == Career(salary=252)
    assert table.purse(ANN) == 1332  # 1000 - 100 + 180 + 252


def test_sprung_crossers_may_be_hired_at_the_end_of_the_same_heist() -> None:
    table = play({ANN: Act.DOUBLE_CROSS, BOB: Act.DOUBLE_CROSS}, Luck(False, False, True, False))
    assert table.career(ANN) == Career(salary=126)  # 240 / 2 = 120; 120 + 6
    assert table.purse(ANN) == 1026  # 1000 - 100 + 126


@pytest.mark.parametrize("act", [Act.BACK_OUT, Act.ALL_IN])
def test_newly_hired_or_not_who_backed_out_or_went_all_in_is_not_paid(act: Act) -> None:
    luck = Luck(*(False,) * (act is Act.ALL_IN), True)
    table = play({ANN: act}, luck, careers={ANN: JOBLESS})
    assert table.career(ANN) == Career(salary=252)
    assert table.purse(ANN) == {Act.BACK_OUT: 1000, Act.ALL_IN: 0}[act]


# Interest


@pytest.mark.parametrize(
    ("account", "after"),
    [
        (714, 714),  # 714 * 14 / 10 000 = 0.9996
        (715, 716),  # 715 * 14 / 10 000 = 1.001
        (1428, 1429),  # 1.9992
        (1429, 1431),  # 2.0006
        (10_000, 10_014),  # 14, and not the 140 of 1.4%
        (10**15, 1_001_400_000_000_000),  # 1.4 * 10**12, exactly
    ],
)
def test_every_account_grows_by_14_in_10_000_rounded_down(account: int, after: int) -> None:
    saver = Career(accounts=(account, 0, 0, 0, account))
    table = play({ANN: None}, Luck(False), careers={BOB: saver})
    assert table.career(BOB).accounts == (after, 0, 0, 0, after)


@pytest.mark.parametrize("act", [Act.GUNCHECK, Act.BACK_OUT, Act.ALL_IN])
def test_interest_comes_whatever_one_does(act: Act) -> None:
    saver = Career(accounts=(0, 1000, 0, 0, 0))
    table = play({ANN: act}, Luck(*(False,) * (act is not Act.BACK_OUT)), careers={ANN: saver})
    assert table.career(ANN).accounts == (0, 1001, 0, 0, 0)  # 1000 * 14 / 10 000 = 1.4


def test_interest_is_on_what_is_in_the_account_after_this_heist() -> None:
    saver = Career(accounts=(535, 0, 0, 0, 0))
    table = play({ANN: Act.DEPOSIT}, Luck(True), careers={ANN: saver})
    assert table.career(ANN).accounts[0] == 716  # 535 + 180 = 715; 715 * 14 / 10 000 = 1.001
    table = play({ANN: Act.WITHDRAW}, Luck(True), careers={ANN: Career(accounts=(715, 0, 0, 0, 0))})
    assert table.career(ANN).accounts[0] == 0
    assert table.purse(ANN) == 2035  # 1000 - 100 + 180 + 715 + 240


# Bribes


def test_every_guard_costs_a_credit_at_every_payday_from_the_first_on() -> None:
    table = play({ANN: Act.GUARD}, Luck(False))
    assert table.purse(ANN) == 1139  # 1000 - 100 + 240 - 1
    guarded = Career(guards=(2, 0, 1, 0, 4))
    table = play({ANN: Act.GUARD}, Luck(False), careers={ANN: guarded, BOB: guarded})
    assert table.purse(ANN) == 1132  # 1000 - 100 + 240 - 8
    assert table.purse(BOB) == 1233  # 1000 + 240 - 7
    assert Transfer(BOB, SystemPurse.MINT, 7, "bribes") in table.transfers
    assert table.seen(Paid)[0].wages == (Wage(ANN, 240, 8), Wage(BOB, 240, 7))


def test_the_unemployed_and_those_who_backed_out_pay_bribes() -> None:
    guarded = Career(employed=False, guards=(0, 0, 3, 0, 0))
    table = play({ANN: Act.BACK_OUT}, Luck(False, False), careers={ANN: guarded, BOB: guarded})
    assert (table.purse(ANN), table.purse(BOB)) == (997, 997)


def test_bribes_are_paid_out_of_the_salary_and_the_winnings() -> None:
    guarded = Career(salary=2, guards=(5, 0, 0, 0, 0))
    luck = Luck(True)
    table = play({ANN: None}, luck, stakes={ANN: 2}, purses={ANN: 2}, careers={ANN: guarded})
    # 0 left + winnings of 2 + floor(1.6) = 3 + salary 2 = 5, and 5 bribes
    assert table.purse(ANN) == 0
    assert table.career(ANN) == guarded
    assert table.seen(GuardsLeft) == []


def test_guards_who_go_unpaid_leave_by_lot_and_take_their_part_of_the_chance_along() -> None:
    guarded = Career(employed=False, guards=(2, 0, 1, 0, 0))
    luck = Luck(False, False, samples=[(2, 0)])  # the dice; not hired; the State's and a Municipal guard
    table = play({ANN: None}, luck, purses={BOB: 1}, careers={ANN: Career(), BOB: guarded})
    assert table.purse(BOB) == 0
    assert luck.offers == [[0, 0, 2]]  # each guard once
    bob = table.career(BOB)
    assert bob.guards == (1, 0, 0, 0, 0)
    assert bob.chances[0] == pytest.approx(0.5353535)  # (0.54 - 0.01) / 0.99
    assert bob.chances[2] == pytest.approx(0.4191919)  # (0.425 - 0.01) / 0.99
    assert bob.chances[1] is bob.chances[3] is bob.chances[4] is None
    assert table.seen(GuardsLeft) == [GuardsLeft(BOB, 2)]


def test_two_guards_of_one_bank_leave_one_after_the_other() -> None:
    guarded = Career(salary=0, guards=(0, 0, 0, 0, 2), chances=(None, None, None, None, 0.5))
    table = play({ANN: None}, Luck(False), purses={BOB: 0}, careers={BOB: guarded})
    # (0.5 - 0.01) / 0.99 = 0.494949...; (0.494949 - 0.01) / 0.99 = 0.489848...
    assert table.career(BOB).chances[4] == pytest.approx(0.48984797, abs=1e-8)
    assert table.career(BOB).guards == (0,) * 5


def test_the_guards_of_a_ruined_player_leave() -> None:
    guarded = Career(guards=(1, 0, 0, 0, 1))
    table = play({ANN: Act.ALL_IN}, Luck(False), careers={ANN: guarded})
    assert table.career(ANN).guards == (0,) * 5
    assert table.purse(ANN) == 0


def test_a_guard_who_leaves_takes_exactly_what_he_brought() -> None:
    table = play({ANN: Act.GUARD}, Luck(False), game=UNPAID)
    bought = table.career(ANN)
    broke = Career(salary=0, guards=bought.guards, chances=bought.chances)
    table = play({BOB: None}, Luck(False), purses={ANN: 0}, careers={ANN: broke})
    assert table.career(ANN).chances[0] == pytest.approx(0.54)  # (0.5446 - 0.01) / 0.99


def test_no_guard_leaves_a_chance_below_zero() -> None:
    broke = Career(salary=0, guards=(1, 0, 0, 0, 0), chances=(0.005, None, None, None, None))
    table = play({ANN: None}, Luck(False), purses={BOB: 0}, careers={BOB: broke})
    assert table.career(BOB).chances[0] == 0.0


def test_a_fine_comes_before_the_bribes() -> None:
    # Ann: 105 - 100 = 5, less a quarter, 1, is 4. Fired and not hired again: 4 credits for 5 guards.
    guarded = Career(guards=(5, 0, 0, 0, 0))
    luck = Luck(False, True, False, picks=(0,) * 8)
    crew = {ANN: Act.DOUBLE_CROSS, BOB: Act.FINGER}
    table = play(crew, luck, purses={ANN: 105}, careers={ANN: guarded})
    assert table.purse(ANN) == 0
    assert table.career(ANN).guards == (4, 0, 0, 0, 0)
    # 0.54 - 0.05 = 0.49 for the finger; (0.49 - 0.01) / 0.99 for the guard
    assert table.career(ANN).chances[0] == pytest.approx(0.48 / 0.99)


# Records


def test_what_changed_is_recorded_and_what_did_not_is_not() -> None:
    table = play({ANN: Act.GUARD, BOB: None}, Luck(False, False), careers={CAT: Career(accounts=(715,) * 5)})
    assert table.records == {ANN: table.career(ANN), CAT: Career(accounts=(716,) * 5)}


def test_a_career_lives_on_through_its_record() -> None:
    first = play({ANN: Act.INTEL, BOB: Act.GUARD, CAT: Act.DEPOSIT}, Luck(True, False, True))
    codec = KIT.codec
    careers = {seat: codec.load(codec.dump(record)) for seat, record in first.records.items()}
    assert careers == first.records
    luck = Luck(True, True, True)
    second = play(dict.fromkeys((ANN, BOB, CAT)), luck, careers=careers)
    assert luck.asked == pytest.approx([0.54, 0.5446, 0.54])  # Bob: 0.54 + 0.01 * 0.46
    assert second.purse(ANN) == 1320  # 1000 - 100 + 100 + floor(0.8018 * 100) + 240
    assert second.purse(BOB) == 1319  # 1000 - 100 + 180 + 240 - 1
    assert second.career(CAT).accounts[0] == 180  # 180 * 14 / 10 000 = 0.252 twice


def test_whoever_sits_down_without_a_record_begins_a_career() -> None:
    table = gather([ANN], careers={DAN: Career(salary=1)})
    table.sit(BOB)
    table.sit(CAT, "no career at all")
    assert table.career(BOB) == table.career(CAT) == Career()
    assert Career() == Career(
        salary=240, employed=True, accounts=(0,) * 5, guards=(0,) * 5, chances=(None,) * 5, odds=(None,) * 5
    )
    assert table.career(DAN).salary == 1
