"""Fingers: who is drawn, what an identified crosser pays, and what stitches cost."""

from __future__ import annotations

import pytest

from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.crew import Heister
from chatbot.games.heist.rules.moves import Act, Identified, Stitched
from chatbot.games.heist.rules.rules import Heist
from chatbot.kernel.game import Transfer
from tests.games.heist.luck import Luck
from tests.games.heist.table import ANN, BOB, CAT, DAN, EVE, UNPAID, crowd, play

# In these heists Ann crosses and Bob points a finger; the places of a snitch's eight picks count
# the committed players by order of joining: 0 is Ann, 1 is Bob.
CROSS = {ANN: Act.DOUBLE_CROSS, BOB: Act.FINGER}
FOUND = (1, 1, 1, 0, 1, 1, 1, 1)
MISSED = (1,) * 8


# Who is drawn


def test_a_snitch_has_eight_draws_over_the_committed_players_itself_and_those_all_in_included() -> None:
    luck = Luck(False, True, False, False)
    table = play(
        {ANN: Act.ALL_IN, BOB: Act.FINGER, CAT: Act.BACK_OUT, DAN: Act.GUARD},
        luck,
        game=Heist(rabble=1, payday=False),
        lobby=Luck(True, belows=[1]),
        getaway=Luck(False),
    )
    committed = [Heister(ANN, 100, Act.ALL_IN), Heister(BOB, 100, Act.FINGER), Heister(DAN, 100, Act.GUARD)]
    assert luck.pools == [committed] * 8
    assert len(table.seen(Stitched)) == 1  # nobody to be found among them


def test_a_failed_snitch_draws_nobody_and_just_fails() -> None:
    luck = Luck(True, False)
    table = play(CROSS, luck, game=UNPAID)
    assert luck.pools == []
    assert table.career(BOB) == Career()
    assert table.purse(BOB) == 900
    assert not table.seen(Identified)
    assert not table.seen(Stitched)


@pytest.mark.parametrize("crosser_succeeds", [True, False])
def test_a_drawn_crosser_is_identified_whatever_their_own_dice(crosser_succeeds: bool) -> None:
    luck = Luck(crosser_succeeds, True, picks=FOUND)
    table = play(CROSS, luck, game=UNPAID)
    assert table.seen(Identified) == [Identified(BOB, ANN, fine=225)]  # (1000 - 100) / 4


@pytest.mark.parametrize("place", range(8))
def test_one_hit_in_eight_draws_is_enough(place: int) -> None:
    picks = [1] * 8
    picks[place] = 0
    assert play(CROSS, Luck(False, True, picks=picks), game=UNPAID).seen(Identified)


# What an identified crosser pays


@pytest.mark.parametrize(
    ("purse", "fine"),
    [(100, 0), (103, 0), (104, 1), (203, 25), (1000, 225)],
    ids=["0", "3/4", "4/4", "103/4 = 25.75", "900/4"],
)
def test_the_fine_is_a_quarter_of_the_credits_that_are_left_after_the_stake(purse: int, fine: int) -> None:
    table = play(CROSS, Luck(False, True, picks=FOUND), game=UNPAID, purses={ANN: purse})
    assert table.seen(Identified)[0].fine == fine
    assert table.purse(ANN) == purse - 100 - fine


def test_the_fine_goes_from_purse_to_purse_and_is_no_part_of_the_winnings() -> None:
    table = play(
        {**CROSS, CAT: Act.DOUBLE_CROSS, **dict.fromkeys((DAN, EVE))},
        Luck(False, True, False, False, False, picks=FOUND),
        game=UNPAID,
    )
    assert Transfer(ANN, BOB, 225, "finger") in table.transfers
    # D = 2 of S = 5 is above the threshold: Bob keeps 180 and the fine, the pool is empty
    assert table.purse(BOB) == 1305  # 1000 - 100 + 180 + 225


def test_a_crosser_who_steals_the_snitchs_winnings_cannot_steal_the_fine() -> None:
    # D = 2 of S = 20: it succeeds. Ann is identified, Cat is not and takes half of the loot.
    crew = {**CROSS, CAT: Act.DOUBLE_CROSS, **dict.fromkeys(crowd(17))}
    luck = Luck(False, True, False, *(False,) * 17, picks=FOUND)
    table = play(crew, luck, game=UNPAID)
    # 20 heisters rob the City: Bob's 100 + 110 = 210 is the loot, 105 a share; Ann's goes back to Bob, from
    # whom all of it was taken
    assert table.purse(CAT) == 1005  # 1000 - 100 + 105
    assert table.purse(BOB) == 1230  # 1000 - 100 + 225 + 105


def test_an_identified_crosser_is_fired_and_earns_half_from_then_on() -> None:
    table = play(
        CROSS, Luck(False, True, False, picks=FOUND), careers={ANN: Career(salary=241), BOB: Career()}
    )
    assert table.career(ANN).salary == 120  # floor(241 / 2)
    assert not table.career(ANN).employed
    assert table.purse(ANN) == 675  # 1000 - 100 - 225, and no salary any more


def test_an_unemployed_crosser_has_no_job_to_lose_but_half_a_salary() -> None:
    jobless = Career(salary=240, employed=False)
    table = play(CROSS, Luck(False, True, picks=FOUND), game=UNPAID, careers={ANN: jobless})
    assert (table.career(ANN).salary, table.career(ANN).employed) == (120, False)


def test_an_identified_crossers_chance_at_this_bank_falls_by_a_twentieth() -> None:
    table = play(CROSS, Luck(False, True, picks=FOUND), game=UNPAID)
    assert table.career(ANN).chances[0] == pytest.approx(0.49)  # 0.54 - 0.05
    assert table.career(ANN).chances[1:] == (None,) * 4
    assert table.career(ANN).odds == (None,) * 5


def test_no_chance_falls_below_zero() -> None:
    unlucky = Career(chances=(0.03, None, None, None, None))
    table = play(CROSS, Luck(False, True, picks=FOUND), game=UNPAID, careers={ANN: unlucky})
    assert table.career(ANN).chances[0] == 0.0


def test_a_second_snitch_who_names_only_an_identified_crosser_gets_stitches() -> None:
    luck = Luck(False, True, True, picks=(*FOUND, *FOUND))
    table = play({**CROSS, CAT: Act.FINGER}, luck, game=UNPAID)
    assert table.seen(Identified) == [Identified(BOB, ANN, fine=225)]
    assert table.seen(Stitched) == [Stitched(CAT, forfeit=90, before=1)]  # 180 / 2
    assert table.career(ANN).salary == 120  # halved once
    assert table.career(ANN).chances[0] == pytest.approx(0.49)
    assert table.career(CAT).salary == 228  # 240 - 12


def test_snitches_point_in_the_order_of_joining() -> None:
    luck = Luck(True, True, False, picks=(2,) * 16)
    table = play({CAT: Act.FINGER, BOB: Act.FINGER, ANN: Act.DOUBLE_CROSS}, luck, game=UNPAID)
    assert table.seen(Identified)[0].snitch == CAT
    assert table.seen(Stitched)[0].snitch == BOB


def test_a_second_snitch_may_identify_another_crosser() -> None:
    # places: 0 Ann, 1 Bob, 2 Cat (who crosses too), 3 Dan
    luck = Luck(False, True, False, True, picks=(0,) * 8 + (0, 0, 0, 2, 2, 3, 1, 0))
    table = play({**CROSS, CAT: Act.DOUBLE_CROSS, DAN: Act.FINGER}, luck, game=UNPAID)
    assert table.seen(Identified) == [Identified(BOB, ANN, 225), Identified(DAN, CAT, 225, before=1)]
    assert table.seen(Stitched) == []


def test_one_snitch_may_identify_several_crossers() -> None:
    luck = Luck(False, True, False, picks=(2, 0, 2, 0, 1, 1, 1, 1))
    table = play({**CROSS, CAT: Act.DOUBLE_CROSS}, luck, game=UNPAID, purses={CAT: 500})
    assert table.seen(Identified) == [
        Identified(BOB, CAT, 100),
        Identified(BOB, ANN, 225, before=1),
    ]  # 400/4, 900/4
    assert table.purse(BOB) == 1405  # 1000 - 100 + 180 + 100 + 225; sprung, with an empty pool


# Stitches


@pytest.mark.parametrize(
    ("stake", "winnings", "forfeit"),
    [
        (69, 124, 62),  # 69 + floor(55.2); 124 / 2
        (5, 9, 4),  # 5 + 4; floor(9 / 2)
        (1, 1, 0),  # 1 + floor(0.8); floor(1 / 2)
    ],
)
def test_a_stitched_snitch_forfeits_half_of_the_winnings(stake: int, winnings: int, forfeit: int) -> None:
    table = play({ANN: Act.FINGER}, Luck(True), game=UNPAID, stakes={ANN: stake})
    assert table.outcome(ANN).winnings == winnings
    assert table.seen(Stitched) == [Stitched(ANN, forfeit)]


@pytest.mark.parametrize(
    ("salary", "after"),
    [
        (240, 228),  # 240 - 12
        (239, 228),  # 239 - floor(11.95)
        (20, 19),  # 20 - 1
        (19, 19),  # 19 - floor(0.95)
    ],
)
def test_stitches_cost_a_twentieth_of_the_salary(salary: int, after: int) -> None:
    table = play({ANN: Act.FINGER}, Luck(True), careers={ANN: Career(salary=salary)})
    assert table.career(ANN).salary == after
    assert table.career(ANN).employed
    # Nobody else is regular, so the forfeit of 90 comes back: 1000 - 100 + 90 + 90, and the lower
    # salary is paid at once
    assert table.purse(ANN) == 1080 + after


def test_stitches_cost_a_twentieth_of_the_odds_at_this_bank_from_the_next_heist_on() -> None:
    table = play({ANN: Act.FINGER}, Luck(True), game=UNPAID)
    assert table.outcome(ANN).winnings == 180  # at 0.80 still
    assert table.career(ANN).odds == (75_000, None, None, None, None)  # 0.80 - 0.05
    assert table.career(ANN).chances == (None,) * 5


def test_no_odds_fall_below_zero() -> None:
    poor = Career(odds=(4_999, None, None, None, None))
    table = play({ANN: Act.FINGER}, Luck(True), game=UNPAID, careers={ANN: poor})
    assert table.career(ANN).odds[0] == 0


def test_a_snitch_without_crossers_around_is_stitched() -> None:
    table = play({ANN: Act.GUNCHECK, BOB: Act.FINGER}, Luck(True, True, picks=MISSED), game=UNPAID)
    # Bob forfeits 90 of 180, and 45 of it come back to each of the two regulars
    assert table.purse(ANN) == 1125  # 1000 - 100 + 180 + 45
    assert table.purse(BOB) == 1035  # 1000 - 100 + 90 + 45


def test_the_result_counts_the_fine_on_both_sides() -> None:
    table = play({ANN: Act.DOUBLE_CROSS, BOB: Act.FINGER}, Luck(True, True, picks=(0,) * 8), game=UNPAID)
    # Ann: 100 staked and a fine of (1000 - 100) / 4 = 225; her share of Bob's 180 is his again.
    outcomes = [table.outcome(seat) for seat in (ANN, BOB)]
    nets = {each.seat: each.received - each.cost for each in outcomes}
    assert nets == {ANN: -325, BOB: 225 + 180 - 100}
    assert {seat: table.purse(seat) - 1000 for seat in (ANN, BOB)} == nets
