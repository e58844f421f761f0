"""Opening, joining, too small a crew, and clocks that have run out already."""

from __future__ import annotations

import pytest

from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import (
    Abandoned,
    Act,
    Answer,
    Join,
    Joined,
    Leave,
    Left,
    Opened,
    Reached,
    Stormed,
    Targeted,
)
from chatbot.games.heist.rules.rules import Heist
from chatbot.games.heist.rules.states import Getaway, Over, Storming
from chatbot.kernel.game import Clock, SystemPurse, Timeout, Transfer
from chatbot.kernel.lobby import Start
from chatbot.kernel.say import Credits, Message
from tests.games.heist.luck import Luck
from tests.games.heist.table import ANN, BOB, CAT, PEOPLE, Table, crowd, gather, play


def test_the_first_to_join_opens_the_lobby_and_the_stake_lies_in_the_pot() -> None:
    table = Table(PEOPLE)
    step = table.apply(Join(ANN, 69))
    assert step.events == (Opened(ANN, 69, seconds=60),)
    assert step.transfers == (Transfer(ANN, SystemPurse.POT, 69, "stake"),)
    assert table.purse(ANN) == 931  # 1000 - 69


def test_who_joins_later_is_told_with_the_size_of_the_crew() -> None:
    table = gather([ANN])
    assert table.apply(Join(BOB, 7)).events == (Joined(BOB, 7, crew=2),)


def test_a_second_join_is_refused_and_names_the_first_stake() -> None:
    table = gather([ANN], stakes={ANN: 69})
    assert table.refused(Join(ANN, 420)) == Message("heist-already-in", {"stake": Credits(69)})
    assert table.purses[SystemPurse.POT] == 69


def test_who_leaves_has_the_stake_back_and_may_join_with_another() -> None:
    table = gather([ANN, BOB], stakes={ANN: 69, BOB: 100})
    step = table.apply(Leave(BOB))
    assert step.events == (Left(BOB, 100, crew=1),)
    assert step.transfers == (Transfer(SystemPurse.POT, BOB, 100, "stake returned"),)
    assert table.apply(Join(BOB, 7)).events == (Joined(BOB, 7, crew=2),)
    assert (table.purse(BOB), table.purses[SystemPurse.POT]) == (993, 76)  # 1000 - 7, 69 + 7


def test_a_lobby_that_all_have_left_keeps_its_banks_and_is_joined_rather_than_opened() -> None:
    table = gather([ANN], careers=dict.fromkeys((BOB, CAT), Career()))
    banks = table.game.view(table.state, None).banks
    table.apply(Leave(ANN))
    assert table.state.company.active == 3  # who sat there as the lobby was opened
    assert table.game.view(table.state, None).banks == banks
    assert table.apply(Join(BOB, 50)).events == (Joined(BOB, 50, crew=1),)


def test_a_lobby_that_all_have_left_ends_as_too_few_come() -> None:
    table = gather([ANN])
    table.apply(Leave(ANN))
    assert table.tick().events == (Abandoned(0, 1),)


def test_nobody_leaves_who_is_not_in_and_after_the_lobby_backing_out_is_the_way() -> None:
    table = gather([ANN])
    assert table.refused(Leave(BOB)) == Message("heist-nothing-staked")
    table.tick()
    assert table.refused(Leave(BOB)) == Message("heist-leave-too-late")
    assert table.refused(Leave(ANN)) == Message("heist-leave-by-backout")
    table.tick()
    assert table.refused(Leave(ANN)) == Message("heist-leave-too-late")


@pytest.mark.parametrize("ticks", [1, 2, 3])
def test_joining_after_the_lobby_is_refused(ticks: int) -> None:
    table = gather([ANN])
    for luck in (Luck(), Luck(), Luck(True))[:ticks]:
        table.tick(luck)
    assert table.refused(Join(BOB, 69)) == Message("heist-too-late")


def test_a_heister_who_joins_again_after_the_lobby_is_told_of_the_stake() -> None:
    table = gather([ANN], stakes={ANN: 69})
    table.tick()
    assert table.refused(Join(ANN, 1)) == Message("heist-already-in", {"stake": Credits(69)})


@pytest.mark.parametrize("stake", [10, 50])
def test_the_limits_themselves_are_allowed(stake: int) -> None:
    table = Table(Heist(rabble=0, min_stake=10, max_stake=50))
    table.join(ANN, stake)
    assert table.purses[SystemPurse.POT] == stake


def test_a_stake_below_the_least_is_refused_with_the_least() -> None:
    table = Table(Heist(rabble=0, min_stake=10))
    assert table.refused(Join(ANN, 9)) == Message("stake-too-small", {"least": Credits(10)})


def test_a_stake_above_the_most_is_refused_and_never_capped() -> None:
    table = Table(Heist(rabble=0, max_stake=50))
    assert table.refused(Join(ANN, 51)) == Message("stake-too-large", {"most": Credits(50)})


def test_without_a_limit_any_stake_is_good() -> None:
    table = Table(PEOPLE, {ANN: 10**15})
    table.join(ANN, 10**15)
    assert table.purse(ANN) == 0


@pytest.mark.parametrize("least", [2, 3, 10])
def test_a_crew_of_exactly_the_least_goes_on(least: int) -> None:
    table = gather(crowd(least), game=Heist(rabble=0, min_crew=least))
    table.tick()
    assert isinstance(table.state, Getaway)


@pytest.mark.parametrize("least", [2, 3, 10])
def test_a_crew_of_one_too_few_gets_every_stake_back(least: int) -> None:
    crew = crowd(least - 1)
    table = gather(crew, game=Heist(rabble=0, min_crew=least))
    step = table.tick()
    assert step.events == (Abandoned(crew=least - 1, wanted=least),)
    assert isinstance(table.state, Over)
    assert [table.purse(seat) for seat in crew] == [1000] * (least - 1)
    assert table.records == {}


def test_the_rabble_do_not_count_for_the_least_crew() -> None:
    table = gather([ANN], game=Heist(rabble=500, min_crew=2))
    assert table.tick().events == (Abandoned(crew=1, wanted=2),)


def test_nobody_is_paid_after_a_heist_that_too_few_joined() -> None:
    table = gather([ANN], game=Heist(rabble=0, min_crew=2))
    table.sit(BOB)
    table.tick()
    assert table.purses[SystemPurse.MINT] == 0


def test_only_a_heist_that_ran_is_followed_by_a_cooldown() -> None:
    abandoned = gather([ANN], game=Heist(rabble=0, min_crew=2))
    abandoned.tick()
    assert abandoned.game.rest(abandoned.state) == 0
    ran = play({ANN: None}, Luck(False))
    assert ran.game.rest(ran.state) == 300


def test_each_phase_has_its_clock_and_the_end_has_none() -> None:
    table = gather([ANN], game=Heist(lobby=45, getaway=20, suspense=7, rabble=0))
    clocks = [table.game.clock(table.state)]
    for luck in (Luck(), Luck(), Luck(True)):
        table.tick(luck)
        clocks.append(table.game.clock(table.state))
    assert clocks == [Clock("lobby", 45), Clock("getaway", 20), Clock("storming", 7), None]


def test_the_phases_follow_each_other_with_what_is_told_of_them() -> None:
    table = gather([ANN, BOB])
    # 100 + 100 staked; 2 heisters rob the Municipal; 30 s of getaway
    assert table.tick().events == (Targeted(bank=0, crew=2, rabble=0, staked=200, seconds=30),)
    table.answer(BOB, Act.BACK_OUT)
    assert table.tick().events == (Stormed(bank=0, committed=1, heisters=2),)
    assert isinstance(table.state, Storming)


@pytest.mark.parametrize(
    "stale",
    [Clock("lobby", 60), Clock("storming", 6), Clock("getaway", 31)],
    ids=["of the phase before", "of the phase after", "of another length"],
)
def test_a_stale_timeout_is_refused(stale: Clock) -> None:
    table = gather([ANN])
    table.tick()
    assert table.refused(Timeout(stale)) == Message("too-late")


def test_no_timeout_moves_a_heist_that_is_over() -> None:
    table = play({ANN: None}, Luck(False))
    assert table.refused(Timeout(Clock("storming", 6))) == Message("too-late")


def test_the_heister_who_brings_a_better_bank_into_reach_is_announced() -> None:
    table = gather(crowd(19))
    assert table.apply(Join(ANN, 1)).events == (Joined(ANN, 1, crew=20), Reached(bank=1, crew=20))
    assert table.apply(Join(BOB, 1)).events == (Joined(BOB, 1, crew=21),)


def test_credits_bring_a_better_bank_into_reach_too() -> None:
    table = gather([ANN], purses={BOB: 1_800_000})
    # 2 heisters + floor(1 800 100 / 100 000) = 2 + 18 = 20
    assert table.apply(Join(BOB, 1_800_000)).events[1:] == (Reached(bank=1, crew=2),)


def test_the_lobby_offers_stakes_that_the_purse_and_the_limits_allow() -> None:
    table = Table(Heist(rabble=0, max_stake=500))
    # the default 69, half of 600 = 300; all of 600 is above 500
    assert table.game.menu(table.state, ANN, 600) == [Join(ANN, 69), Join(ANN, 300)]
    # the default is not covered; half of 9 = 4 and all of it are
    assert table.game.menu(table.state, ANN, 9) == [Join(ANN, 4), Join(ANN, 9)]
    assert table.game.menu(table.state, ANN, 0) == []


def test_the_menu_offers_ten_answers_to_the_crew_and_nothing_to_others() -> None:
    table = gather([ANN])
    assert table.game.menu(table.state, ANN, 900) == [Leave(ANN), Start(ANN)]
    table.tick()
    assert table.game.menu(table.state, ANN, 900) == [Answer(ANN, act) for act in Act]
    assert len(Act) == 10
    assert table.game.menu(table.state, CAT, 900) == []
    table.tick()
    assert table.game.menu(table.state, ANN, 900) == []


def test_only_the_outcome_asks_for_purses() -> None:
    table = gather([ANN, BOB, CAT])
    assert table.game.needs(table.state, Join(ANN, 69)) == ()
    table.tick()
    table.answer(ANN, Act.ALL_IN)
    table.answer(BOB, Act.DOUBLE_CROSS)
    assert table.game.needs(table.state, Timeout(Clock("getaway", 30))) == ()
    table.tick()
    assert set(table.game.needs(table.state, Timeout(Clock("storming", 6)))) == {ANN, BOB}


def test_an_opener_who_reaches_a_better_bank_alone_hears_of_it() -> None:
    table = Table(PEOPLE, purses={ANN: 2_000_000})
    # floor(1 900 000 / 100 000) = 19 and 1 heister are 20: the City
    step = table.apply(Join(ANN, 1_900_000))
    assert step.events == (Opened(ANN, 1_900_000, seconds=60), Reached(1, 1))


@pytest.mark.parametrize(
    ("least", "most", "stake"), [(1, 0, 69), (100, 0, 100), (1, 50, 50), (69, 69, 69), (70, 80, 70)]
)
def test_the_default_stake_stays_within_the_limits(least: int, most: int, stake: int) -> None:
    assert Heist(min_stake=least, max_stake=most).usual_stake == stake


def test_in_a_heist_of_one_round_nobody_backs_out_the_rabble_neither() -> None:
    table = Table(Heist(rabble=2, getaway=0))
    table.apply(Join(ANN, 69))
    # Both of the rabble stake; without a getaway no feet are asked whether they are cold.
    step = table.tick(Luck(True, True, belows=[2]))
    assert step.events[-1] == Stormed(0, committed=3, heisters=3)
