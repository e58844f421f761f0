"""The rabble: who is drawn, what they stake, when they run, and how their purses fare."""

from __future__ import annotations

import pytest

from chatbot.games.heist import KIT
from chatbot.games.heist.rules.moves import Act, Settled, Stormed, Targeted
from chatbot.games.heist.rules.rabble import RABBLE, Purses, Rabbler, draw_rabble, run_in_turn, stake_in_turn
from chatbot.games.heist.rules.rules import Heist
from chatbot.kernel.game import SystemPurse
from tests.games.heist.luck import Luck
from tests.games.heist.table import ANN, BOB, CAT, PEOPLE, Table, crowd, gather, play

BANKS = PEOPLE.banks


# Who is in the game


@pytest.mark.parametrize("count", [0, 1, 220, 500])
def test_the_size_is_uniform_from_none_to_all(count: int) -> None:
    luck = Luck(belows=[count])
    assert len(draw_rabble(count, luck)) == count
    assert luck.limits == [count + 1]  # 0..count, each equally likely


def test_those_in_the_game_are_a_sample_of_that_size_in_random_order() -> None:
    luck = Luck(belows=[3], samples=[(4, 0, 2)])
    assert draw_rabble(5, luck) == [4, 0, 2]
    assert luck.offers == [[0, 1, 2, 3, 4]]


# The stake


def test_the_stake_is_the_largest_of_four_that_the_credits_cover() -> None:
    purses = Purses((0, 68, 69, 419, 420, 6968, 6969, 80_084, 80_085))
    rabble = stake_in_turn(range(9), purses, BANKS, (1, 1), Luck(*(True,) * 9))
    assert [each.stake for each in rabble] == [0, 0, 69, 69, 420, 420, 6969, 6969, 80_085]


def test_the_probability_to_stake_is_that_of_the_bank_that_the_round_so_far_would_rob() -> None:
    luck = Luck(False, True, False, True)
    rabble = stake_in_turn(range(4), Purses((240,) * 4), BANKS, (19, 0), luck)
    assert luck.asked == [0.54, 0.54, 0.488, 0.488]  # 19, 19, 20 and 20 heisters
    assert [each.stake for each in rabble] == [0, 69, 0, 69]


@pytest.mark.parametrize(("staked", "second"), [(99_931, 0.488), (99_930, 0.54)])
def test_the_stakes_so_far_count_for_that_bank(staked: int, second: float) -> None:
    # 18 + 1 heisters and floor((staked + 69) / 100 000) is 1 or 0: index 20 or 19
    luck = Luck(True, False)
    stake_in_turn(range(2), Purses((240,) * 2), BANKS, (18, staked), luck)
    assert luck.asked == [0.54, second]


def test_one_who_cannot_cover_any_stake_does_not_count_as_a_heister() -> None:
    luck = Luck(True, False)
    stake_in_turn(range(2), Purses((68, 68)), BANKS, (19, 0), luck)
    assert luck.asked == [0.54, 0.54]


def test_one_who_looks_on_does_not_count_for_the_bank() -> None:
    table = gather(crowd(18), game=Heist(rabble=2))
    step = table.tick(Luck(True, False, belows=[2]))
    # 18 people and one of the rabble are 19 heisters; 18 * 100 + 69 = 1869
    assert step.events == (Targeted(bank=0, crew=18, rabble=1, staked=1869, seconds=30),)


# Running


def test_the_first_to_act_backs_out_with_the_least_probability() -> None:
    luck = Luck(False)
    run_in_turn((Rabbler(0, 69),), 0, 0, luck)
    assert luck.asked == [0.05]


def test_each_one_looks_at_the_share_of_those_before_who_backed_out() -> None:
    luck = Luck(True, False, False, True)
    ran = run_in_turn(tuple(Rabbler(place, 69) for place in range(4)), 0, 0, luck)
    # Before them 0 of 0, 1 of 1, 1 of 2 and 1 of 3 had backed out
    assert luck.asked == pytest.approx([0.05, 0.55, 0.3, 0.05 + 0.5 / 3])
    assert [each.backed_out for each in ran] == [True, False, False, True]


def test_the_crew_has_acted_before() -> None:
    luck = Luck(False, True, False)
    ran = run_in_turn(tuple(Rabbler(place, 69) for place in range(3)), 4, 1, luck)
    # Before them 1 of 4, 1 of 5 and 2 of 6 had backed out: 0.05 + 0.125, + 0.1, + 0.5 / 3
    assert luck.asked == pytest.approx([0.175, 0.15, 0.05 + 0.5 / 3])
    assert [each.backed_out for each in ran] == [False, True, False]


def test_the_order_of_turns_is_drawn_afresh_among_those_with_a_stake() -> None:
    rabble = (Rabbler(5, 69), Rabbler(2, 0), Rabbler(9, 69), Rabbler(1, 420))
    luck = Luck(True, False, False, orders=[(2, 0, 1)])
    ran = run_in_turn(rabble, 0, 0, luck)
    assert luck.offers == [[rabble[0], rabble[2], rabble[3]]]
    # The third with a stake, place 1, acts first and backs out; the one who looks on never acts
    assert [(each.place, each.backed_out) for each in ran] == [(5, False), (2, False), (9, False), (1, True)]


def test_the_rabble_see_what_people_did_in_the_getaway() -> None:
    runaway = Luck(False)
    play(
        {ANN: Act.BACK_OUT, BOB: None, CAT: Act.ALL_IN},
        Luck(False, False, False),
        game=Heist(rabble=1),
        lobby=Luck(True, belows=[1]),
        getaway=runaway,
    )
    assert runaway.asked == pytest.approx([0.05 + 0.5 / 3])


def test_the_rabble_stake_after_the_lobby_when_they_see_the_crew() -> None:
    luck = Luck(False, belows=[1])
    table = gather([ANN], game=Heist(rabble=1), stakes={ANN: 1_900_000}, purses={ANN: 1_900_000})
    table.tick(luck)
    assert luck.asked == [0.488]  # index 1 + 19 = 20


# Purses


def test_the_purses_of_the_rabble_after_a_heist() -> None:
    table = play(
        {ANN: None},
        Luck(False, True, False),  # Ann, the first and the second of the rabble
        game=Heist(rabble=5),
        rabble=Purses((240, 300, 420, 68, 500)),
        lobby=Luck(True, True, True, True, belows=[4]),
        getaway=Luck(False, False, True),
    )
    assert table.rabble == (
        535,  # won: 240 - 69 + 124 + 240
        471,  # lost: 300 - 69 + 240
        420,  # backed out: the stake is back, and no salary
        308,  # looked on: 68 + 240
        500,  # was not in this game
    )
    assert table.records[RABBLE] == Purses(table.rabble)
    assert table.purses[SystemPurse.HOUSE] == 100  # Ann's stake: the rabble's credits are not the ledger's
    # 100 + 69 + 69 + 420 = 658
    assert table.seen(Targeted)[0] == Targeted(bank=0, crew=1, rabble=3, staked=658, seconds=30)
    assert table.seen(Stormed)[0] == Stormed(bank=0, committed=3, heisters=4)
    settled = table.seen(Settled)[0]
    assert (settled.rabble_in, settled.rabble_won) == (2, 1)


def test_without_payday_the_rabble_are_not_paid_either() -> None:
    table = play(
        {ANN: None},
        Luck(False, False),
        game=Heist(rabble=2, payday=False),
        lobby=Luck(True, False, belows=[2]),
        getaway=Luck(False),
    )
    assert table.rabble == (171, 240)  # 240 - 69


def test_the_purses_live_on_through_their_record() -> None:
    codec = KIT.codec
    purses = Purses((1, 2, 80_085))
    assert codec.load(codec.dump(purses)) == purses
    table = Table(Heist(rabble=3))
    table.sit(RABBLE, codec.load(codec.dump(purses)))
    assert table.rabble == (1, 2, 80_085)
    assert RABBLE not in table.state.company.careers


def test_the_rabble_sit_at_every_table() -> None:
    assert KIT.seating.residents == (RABBLE,)


def test_a_larger_rabble_keeps_its_credits_and_newcomers_bring_a_first_salary() -> None:
    assert Purses((1, 2, 3)).enough_for(5) == Purses((1, 2, 3, 240, 240))
    assert Purses().enough_for(2) == Purses((240, 240))


def test_a_rabble_that_the_room_wants_smaller_loses_no_purse() -> None:
    assert Purses((1, 2, 3)).enough_for(2) == Purses((1, 2, 3))
    assert Purses((1, 2, 3)).enough_for(3) == Purses((1, 2, 3))


def test_a_room_without_rabble_draws_nobody_and_records_nothing_of_them() -> None:
    table = play({ANN: None}, Luck(False))
    assert table.rabble == ()
    assert RABBLE not in table.records


def test_the_rabble_change_no_persons_purse_by_being_there() -> None:
    alone = play({ANN: None}, Luck(True))
    among = play(
        {ANN: None},
        Luck(True, False, False),
        game=Heist(rabble=2),
        lobby=Luck(True, True, belows=[2]),
        getaway=Luck(False, False),
    )
    assert alone.purse(ANN) == among.purse(ANN) == 1320  # 1000 - 100 + 180 + 240
