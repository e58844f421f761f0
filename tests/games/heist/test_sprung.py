"""A double cross that fails: crossers lose winnings and jobs, and whoever was loyal is paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import Act, Identified, Sprung
from tests.games.heist.crossing import BOTH_STAKE, CROSS, FINGER, WITH_TWO_RABBLE
from tests.games.heist.luck import Luck
from tests.games.heist.table import ANN, BOB, CAT, DAN, EVE, UNPAID, crowd, play

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat


def test_sprung_crossers_pay_everybody_who_was_loyal_even_those_who_failed() -> None:
    crew: dict[Seat, Act | None] = {ANN: CROSS, BOB: CROSS, CAT: None}
    crew |= dict.fromkeys(crowd(16))
    table = play(crew, Luck(True, False, True, *(False,) * 16), game=UNPAID)
    # D = 2 of S = 19. Ann's 180 among 17 regulars: floor(180 / 17) = 10 each, and 10 vanish.
    assert table.seen(Sprung) == [Sprung((ANN, BOB), extra=170)]
    assert table.purse(ANN) == table.purse(BOB) == 900
    assert table.purse(CAT) == 1090  # 1000 - 100 + 180 + 10
    assert {table.purse(seat) for seat in crowd(16)} == {910}  # 1000 - 100 + 10
    # 19 * 100 = 1900 came in; 180 + 17 * 10 = 350 went out
    assert table.house == 1550


def test_three_crossers_of_twenty_are_sprung() -> None:
    crew: dict[Seat, Act | None] = {ANN: CROSS, BOB: CROSS, CAT: CROSS, **dict.fromkeys(crowd(17))}
    table = play(crew, Luck(True, True, True, *(False,) * 17), game=UNPAID)
    # 3 * 210 = 630 among 17: floor(37.06) = 37 each
    assert {table.purse(seat) for seat in crowd(17)} == {937}


def test_the_rabble_are_paid_by_sprung_crossers_too() -> None:
    table = play(
        {ANN: CROSS, BOB: CROSS, CAT: None},
        Luck(True, True, False, True, False),
        game=WITH_TWO_RABBLE,
        lobby=Luck(*BOTH_STAKE, belows=[2]),
        getaway=Luck(False, False),
    )
    # 180 + 180 = 360 among Cat and two of the rabble: 120 each
    assert table.purse(CAT) == 1020  # 1000 - 100 + 120
    assert table.rabble == (415, 291)  # 240 - 69 + 124 + 120, and 240 - 69 + 120


def test_one_of_the_rabble_who_backed_out_gets_no_share() -> None:
    table = play(
        {ANN: CROSS, BOB: CROSS, CAT: None},
        Luck(True, True, False, False),
        game=WITH_TWO_RABBLE,
        lobby=Luck(*BOTH_STAKE, belows=[2]),
        getaway=Luck(False, True),
    )
    assert table.purse(CAT) == 1080  # 1000 - 100 + 360 / 2
    assert table.rabble == (351, 240)  # 240 - 69 + 180; the stake is back


def test_sprung_crossers_are_fired_and_earn_half() -> None:
    table = play(
        {ANN: CROSS, BOB: CROSS},
        Luck(True, False, False, False),  # the last two: neither is hired
        careers={ANN: Career(salary=251), BOB: Career(salary=100, employed=False)},
    )
    assert (table.career(ANN).employed, table.career(ANN).salary) == (False, 125)  # floor(251 / 2)
    assert (table.career(BOB).employed, table.career(BOB).salary) == (False, 50)
    assert table.purse(ANN) == 900  # no winnings, no salary


def test_a_sprung_crosser_who_is_identified_too_is_fined_and_halved_once() -> None:
    dice = Luck(True, False, True, picks=(0,) * 8)
    table = play({ANN: CROSS, CAT: CROSS, BOB: FINGER}, dice, game=UNPAID)
    assert table.seen(Identified) == [Identified(BOB, ANN, fine=225)]
    assert (table.career(ANN).salary, table.career(ANN).employed) == (120, False)
    assert (table.career(CAT).salary, table.career(CAT).employed) == (120, False)
    assert table.career(ANN).chances[0] == pytest.approx(0.49)  # 0.54 - 0.05
    assert table.career(CAT).chances[0] is None
    assert table.purse(ANN) == 675  # 1000 - 100 - 225
    assert table.purse(BOB) == 1485  # 1000 - 100 + 180 + 225 + 180 of Ann's


def test_the_forfeits_of_stitches_go_to_the_loyal_with_the_crossers_winnings() -> None:
    # Bob misses both: he forfeits 90 of his 180. With Ann's 180 that is 270 for Bob and Dan.
    dice = Luck(True, False, True, False, picks=(2,) * 8)
    table = play({ANN: CROSS, CAT: CROSS, BOB: FINGER, DAN: None}, dice, game=UNPAID)
    assert table.seen(Sprung) == [Sprung((ANN, CAT), extra=270)]
    assert table.purse(BOB) == 1125  # 1000 - 100 + 90 + 135
    assert table.purse(DAN) == 1035  # 1000 - 100 + 135


def test_those_all_in_get_nothing_from_sprung_crossers() -> None:
    dice = Luck(True, True, False, False)
    table = play({ANN: CROSS, BOB: CROSS, EVE: Act.ALL_IN, CAT: None}, dice, game=UNPAID)
    assert table.purse(EVE) == 0
    assert table.purse(CAT) == 1260  # 1000 - 100 + 180 + 180


def test_what_nobody_is_there_to_receive_vanishes() -> None:
    table = play({ANN: CROSS, BOB: CROSS}, Luck(True, True), game=UNPAID)
    assert table.purse(ANN) == table.purse(BOB) == 900
    assert table.house == 200
    assert table.seen(Sprung) == [Sprung((ANN, BOB), extra=0)]
