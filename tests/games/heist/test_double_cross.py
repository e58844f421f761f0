"""The double cross: when it succeeds, who gets the loot, and whose share a finger undoes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import Act, Crossed, Sprung, Stitched
from chatbot.games.heist.rules.rules import Heist
from tests.games.heist.crossing import BOTH_STAKE, CROSS, FINGER, WITH_TWO_RABBLE
from tests.games.heist.luck import Luck
from tests.games.heist.table import ANN, BOB, CAT, DAN, EVE, UNPAID, crowd, play

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat


# When it succeeds


@pytest.mark.parametrize(
    ("crossers", "regulars", "all_in", "runners", "rabble", "sprung"),
    [
        (1, 0, 0, 0, 0, False),  # D = 1 of S = 1
        (1, 4, 0, 0, 0, False),  # D = 1 of S = 5: floor(5 / 10) = 0, but one alone is enough
        (2, 0, 0, 0, 0, True),  # D = 2 of S = 2: floor(2 / 10) = 0
        (2, 18, 0, 0, 0, False),  # D = 2 of S = 20: floor(20 / 10) = 2
        (2, 17, 0, 0, 0, True),  # D = 2 of S = 19: floor(19 / 10) = 1
        (2, 17, 1, 0, 0, False),  # who is all in is committed: S = 20
        (2, 17, 0, 1, 0, True),  # who backed out is not: S = 19
        (2, 17, 0, 0, 5, True),  # the rabble are no players: S = 19
        (3, 17, 0, 0, 0, True),  # D = 3 of S = 20
        (3, 27, 0, 0, 0, False),  # D = 3 of S = 30
        (3, 26, 0, 0, 0, True),  # D = 3 of S = 29
    ],
)
def test_a_double_cross_succeeds_alone_or_as_a_tenth_of_the_committed_players(
    crossers: int, regulars: int, all_in: int, runners: int, rabble: int, sprung: bool
) -> None:
    acts = [CROSS] * crossers + [Act.GUNCHECK] * regulars + [Act.ALL_IN] * all_in + [Act.BACK_OUT] * runners
    table = play(
        dict(zip(crowd(len(acts)), acts, strict=True)),
        Luck(*(False,) * (crossers + regulars + all_in + rabble)),
        game=Heist(rabble=rabble, payday=False),
        lobby=Luck(*(True,) * rabble, belows=[rabble]),
        getaway=Luck(*(False,) * rabble),
    )
    names = crowd(crossers)
    assert table.seen(Crossed) == ([] if sprung else [Crossed((), loot=0, undone=(), back=0)])
    assert table.seen(Sprung) == ([Sprung(names, extra=0)] if sprung else [])


# Success


@pytest.mark.parametrize(
    ("success", "credits_after"),
    [
        (False, 1260),  # 1000 - 100 + 360
        (True, 1440),  # 1000 - 100 + 180 + 360
    ],
)
def test_a_crosser_takes_everybodys_winnings_whatever_the_own_dice_and_keeps_the_own(
    success: bool, credits_after: int
) -> None:
    table = play({ANN: CROSS, BOB: None, CAT: None, DAN: None}, Luck(success, True, True, False), game=UNPAID)
    assert table.purse(ANN) == credits_after
    assert [table.purse(seat) for seat in (BOB, CAT, DAN)] == [900, 900, 900]
    assert table.seen(Crossed) == [Crossed((ANN,), loot=360, undone=(), back=0)]  # 180 + 180
    assert table.career(ANN) == Career()  # and keeps the job


def test_crossers_share_the_loot_equally_and_what_rounding_leaves_over_vanishes() -> None:
    crew: dict[Seat, Act | None] = {ANN: CROSS, BOB: CROSS, CAT: None, DAN: None}
    crew |= dict.fromkeys(crowd(16))
    dice = Luck(True, False, True, True, *(False,) * 16)
    table = play(crew, dice, game=UNPAID, stakes={DAN: 15})
    # Cat: 210; Dan: 15 + floor(16.5) = 31; 241 / 2 = 120.5
    assert table.seen(Crossed) == [Crossed((ANN, BOB), loot=240, undone=(), back=0)]
    assert table.purse(ANN) == 1230  # 1000 - 100 + 210 + 120
    assert table.purse(BOB) == 1020  # 1000 - 100 + 120
    assert table.purse(CAT) == 900
    # 19 * 100 + 15 = 1915 came in; 210 + 2 * 120 = 450 went out
    assert table.house == 1465


def test_the_loot_holds_the_winnings_of_the_rabble() -> None:
    table = play(
        {ANN: CROSS, BOB: None},
        Luck(False, True, True, False),
        game=WITH_TWO_RABBLE,
        lobby=Luck(*BOTH_STAKE, belows=[2]),
        getaway=Luck(False, False),
    )
    assert table.purse(ANN) == 1204  # 1000 - 100 + 180 of Bob's + 124 of the rabble's
    assert table.rabble == (171, 171)  # 240 - 69, won or not


@pytest.mark.parametrize("act", [Act.INTEL, Act.DEPOSIT])
def test_what_was_spent_or_deposited_cannot_be_stolen(act: Act) -> None:
    table = play({ANN: CROSS, BOB: act}, Luck(False, True), game=UNPAID)
    assert table.purse(ANN) == 900
    bob = table.career(BOB)
    assert (bob.odds[0], bob.accounts[0]) == ((80_180, 0) if act is Act.INTEL else (None, 180))


def test_what_was_withdrawn_can_be_stolen() -> None:
    saver = Career(accounts=(1000, 0, 0, 0, 0))
    table = play({ANN: CROSS, BOB: Act.WITHDRAW}, Luck(False, True), game=UNPAID, careers={BOB: saver})
    assert table.purse(ANN) == 2080  # 1000 - 100 + 180 + 1000
    assert table.career(BOB).accounts == (0,) * 5


@pytest.mark.parametrize("act", [Act.GUARD, Act.CHANGE_JOBS])
def test_what_guards_and_new_jobs_leave_can_be_stolen(act: Act) -> None:
    table = play({ANN: CROSS, BOB: act}, Luck(False, True), game=UNPAID)
    assert table.purse(ANN) == 1080  # 1000 - 100 + 180


def test_a_crosser_among_no_regulars_keeps_the_own_winnings_and_finds_no_loot() -> None:
    table = play({ANN: CROSS, BOB: Act.BACK_OUT, CAT: Act.ALL_IN}, Luck(True, False), game=UNPAID)
    assert table.purse(ANN) == 1080  # 1000 - 100 + 180
    assert table.seen(Crossed) == [Crossed((), loot=0, undone=(), back=0)]


def test_nobody_steals_from_those_who_are_all_in() -> None:
    table = play({ANN: CROSS, BOB: Act.ALL_IN}, Luck(False, True), game=UNPAID)
    assert table.purse(ANN) == 900
    assert table.purse(BOB) == 992  # 0.80 * (1000 + 240)


def test_the_forfeits_of_stitches_go_with_the_loot() -> None:
    # Bob misses Ann: of 180 he forfeits 90, and the other 90 are loot like Cat's 180.
    table = play({ANN: CROSS, BOB: FINGER, CAT: None}, Luck(False, True, True, picks=(1,) * 8), game=UNPAID)
    assert table.purse(ANN) == 1260  # 1000 - 100 + 90 + 90 + 180
    assert table.purse(BOB) == table.purse(CAT) == 900
    assert table.career(BOB).salary == 228  # stitched: 240 - 12


# Success, undone by a finger


def test_an_identified_crossers_share_goes_back_to_those_who_had_won_and_the_others_keep_theirs() -> None:
    crew: dict[Seat, Act | None] = {ANN: CROSS, BOB: FINGER, CAT: CROSS}
    crew |= dict.fromkeys(crowd(17))
    table = play(
        crew,
        Luck(True, True, False, *(False,) * 17, True, False, picks=(0,) * 8),
        game=WITH_TWO_RABBLE,
        lobby=Luck(*BOTH_STAKE, belows=[2]),
        getaway=Luck(False, False),
    )
    # D = 2 of S = 20. Bob's 210 and 144 of the rabble's: 354 / 2 = 177 a share. Ann's goes back to those
    # who had won: floor(177 * 210 / 354) = 105 to Bob, floor(177 * 144 / 354) = 72 to one of the rabble.
    assert table.seen(Crossed) == [Crossed((CAT,), loot=177, undone=(ANN,), back=177)]
    assert table.purse(CAT) == 1077  # 1000 - 100 + 177
    assert table.purse(ANN) == 675  # 1000 - 100 - fine of 225; her own 210 are gone too
    assert table.purse(BOB) == 1230  # 1000 - 100 + 225 + 105
    assert {table.purse(seat) for seat in crowd(17)} == {900}  # 1000 - 100: nothing was taken from them
    assert table.rabble == (243, 171)  # 240 - 69 + 72, and 240 - 69
    # 20 * 100 = 2000 came in; 177 + 105 = 282 went out to players
    assert table.house == 1718
    assert table.career(CAT) == Career()


def test_when_every_crosser_is_identified_everybody_gets_all_back_that_was_taken() -> None:
    dice = Luck(True, True, True, False, picks=(0,) * 8)
    table = play({ANN: CROSS, BOB: FINGER, CAT: None, DAN: None}, dice, game=UNPAID, stakes={BOB: 50})
    # The loot of 90 + 180 = 270 is Ann's one share: 90 go back to Bob, 180 to Cat, none to Dan, who failed
    assert table.purse(ANN) == 675  # 1000 - 100 - 225
    assert table.purse(BOB) == 1265  # 1000 - 50 + 225 + 90
    assert table.purse(CAT) == 1080  # 1000 - 100 + 180
    assert table.purse(DAN) == 900


def test_forfeits_in_a_recovered_share_go_to_those_who_had_won() -> None:
    # Bob names Ann first. Eve looks in vain and forfeits 90 of 180, the other 90 are taken with Bob's 180 and
    # Cat's 180: the loot is Ann's 450 + 90 = 540. floor(540 * 180 / 450) = 216, floor(540 * 90 / 450) = 108.
    dice = Luck(True, True, True, True, picks=(0,) * 16)
    table = play({ANN: CROSS, BOB: FINGER, EVE: FINGER, CAT: None}, dice, game=UNPAID)
    assert table.purse(BOB) == 1341  # 1000 - 100 + 225 + 216
    assert table.purse(EVE) == 1008  # 1000 - 100 + 108
    assert table.purse(CAT) == 1116  # 1000 - 100 + 216


def test_two_identified_shares_are_pooled_before_they_are_split() -> None:
    crew: dict[Seat, Act | None] = {ANN: CROSS, CAT: CROSS, BOB: FINGER}
    crew |= dict.fromkeys(crowd(17))
    dice = Luck(False, False, True, True, *(False,) * 16, picks=(0, 1) * 4)
    first, *others = crowd(17)
    table = play(crew, dice, game=UNPAID, stakes={BOB: 11, first: 10})
    # Bob: 11 + floor(12.1) = 23; the first of the crowd: 10 + 11 = 21; 44 / 2 = 22 a share, 44 in all: each
    # gets the own back, where two splits of 22 would have brought floor(22 * 23 / 44) = 11 and 10 twice
    assert table.seen(Crossed)[0].back == 44
    assert table.purse(BOB) == 1462  # 1000 - 11 + 225 + 225 + 23
    assert table.purse(first) == 1011  # 1000 - 10 + 21
    assert {table.purse(seat) for seat in others} == {900}


def test_those_all_in_get_nothing_of_a_confiscated_share() -> None:
    dice = Luck(False, True, False, picks=(0,) * 8)
    table = play({ANN: CROSS, BOB: FINGER, EVE: Act.ALL_IN}, dice, game=UNPAID)
    assert table.purse(EVE) == 0
    assert table.purse(BOB) == 1305  # 1000 - 100 + 225 + 180: the whole share


# Nobody crosses


def test_without_crossers_the_forfeits_of_stitches_go_to_all_regulars() -> None:
    table = play(
        {ANN: FINGER, BOB: None, EVE: Act.ALL_IN, CAT: Act.BACK_OUT},
        Luck(True, False, False, True, False, picks=(0,) * 8),
        game=WITH_TWO_RABBLE,
        lobby=Luck(*BOTH_STAKE, belows=[2]),
        getaway=Luck(False, False),
    )
    # Ann forfeits 90 of 180; floor(90 / 4) = 22 for Ann, Bob and two of the rabble each
    assert table.seen(Stitched) == [Stitched(ANN, forfeit=90)]
    assert table.purse(ANN) == 1012  # 1000 - 100 + 90 + 22
    assert table.purse(BOB) == 922  # 1000 - 100 + 22
    assert table.purse(CAT) == 1000
    assert table.purse(EVE) == 0
    assert table.rabble == (317, 193)  # 240 - 69 + 124 + 22, and 240 - 69 + 22
    assert table.seen(Crossed) == []


def test_the_forfeits_of_two_snitches_are_split_together() -> None:
    dice = Luck(True, True, False)
    table = play({ANN: FINGER, BOB: FINGER, CAT: None}, dice, game=UNPAID, stakes={ANN: 5, BOB: 5})
    # 5 + 4 = 9 each, of which 4 are forfeited; 8 / 3 = 2 each
    assert table.purse(CAT) == 902
    assert table.purse(ANN) == table.purse(BOB) == 1002  # 1000 - 5 + 5 + 2
