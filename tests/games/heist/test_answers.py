"""The ten answers of the getaway: what each costs, what it brings, and from when on it counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import Act, Answer, Answered, Fate, Outcome
from chatbot.games.heist.rules.rabble import Purses
from chatbot.games.heist.rules.rules import Heist
from chatbot.games.heist.rules.states import Getaway
from chatbot.kernel.say import Message
from tests.games.heist.luck import Luck
from tests.games.heist.table import ANN, BOB, CAT, DAN, EVE, UNPAID, crowd, gather, play

STICKING = [None, *(act for act in Act if act not in {Act.BACK_OUT, Act.ALL_IN})]
"""Silence, and every answer that goes in with the others."""


# Sticking


@pytest.mark.parametrize("act", [None, Act.GUNCHECK])
def test_who_sticks_and_succeeds_wins_the_stake_and_the_odds(act: Act | None) -> None:
    luck = Luck(True)
    table = play({ANN: act}, luck, stakes={ANN: 69})
    assert luck.asked == [0.54]  # Municipal, 1 of 1
    # 0.80 * 69 = 55.2 -> 55; winnings 69 + 55 = 124; 1000 - 69 + 124 + 240 = 1295
    assert table.purse(ANN) == 1295
    assert table.outcome(ANN) == Outcome(
        ANN, Act.GUNCHECK, Fate.ESCAPED, cost=69, winnings=124, received=124, lucky=True
    )


@pytest.mark.parametrize("act", [None, Act.GUNCHECK])
def test_who_sticks_and_fails_loses_the_stake(act: Act | None) -> None:
    table = play({ANN: act}, Luck(False), stakes={ANN: 69})
    assert table.purse(ANN) == 1171  # 1000 - 69 + 240
    assert table.outcome(ANN) == Outcome(ANN, Act.GUNCHECK, Fate.CAUGHT, cost=69, winnings=0, received=0)


@pytest.mark.parametrize("act", STICKING)
def test_every_way_of_sticking_succeeds_with_the_same_probability(act: Act | None) -> None:
    luck = Luck(False, False, False, False)
    play({ANN: act, BOB: None, CAT: None, DAN: None, EVE: Act.BACK_OUT}, luck, game=UNPAID)
    assert luck.asked == pytest.approx([0.54 * 4 / 5] * 4)


def test_a_second_answer_replaces_the_first() -> None:
    table = gather([ANN])
    table.tick()
    table.answer(ANN, Act.BACK_OUT)
    table.answer(ANN, Act.GUNCHECK)
    table.tick()
    table.tick(Luck(False))
    assert table.outcome(ANN).act is Act.GUNCHECK
    assert table.purse(ANN) == 1140  # 1000 - 100 + 240


def test_an_answer_is_told_as_an_event_and_moves_no_credits() -> None:
    table = gather([ANN])
    table.tick()
    step = table.apply(Answer(ANN, Act.FINGER))
    assert step.events == (Answered(ANN, Act.FINGER),)
    assert step.transfers == ()
    assert isinstance(table.state, Getaway)


@pytest.mark.parametrize("act", Act)
def test_answers_outside_of_the_getaway_are_refused(act: Act) -> None:
    table = gather([ANN])
    assert table.refused(Answer(ANN, act)) == Message("heist-no-getaway")
    table.tick()
    table.tick()
    assert table.refused(Answer(ANN, act)) == Message("heist-no-getaway")
    table.tick(Luck(False))
    assert table.refused(Answer(ANN, act)) == Message("heist-no-getaway")


def test_an_answer_of_somebody_outside_of_the_crew_is_refused() -> None:
    table = gather([ANN], careers={BOB: Career()})  # Bob sits, and has no stake
    table.tick()
    assert table.refused(Answer(BOB, Act.FINGER)) == Message("heist-not-in-crew")
    assert table.refused(Answer(CAT, Act.FINGER)) == Message("heist-not-in-crew")


# Backing out


def test_who_backs_out_gets_the_stake_back_and_no_salary() -> None:
    table = play({ANN: Act.BACK_OUT, BOB: None}, Luck(False))
    assert table.purse(ANN) == 1000
    assert table.outcome(ANN) == Outcome(ANN, Act.BACK_OUT, Fate.RETURNED, cost=0, winnings=0, received=0)
    assert table.purse(BOB) == 1140  # 1000 - 100 + 240


def test_when_everybody_backs_out_no_dice_are_thrown() -> None:
    crew = crowd(5)
    table = play(dict.fromkeys(crew, Act.BACK_OUT), Luck())
    assert [table.purse(seat) for seat in crew] == [1000] * 5
    assert table.house == 0


def test_those_who_stay_succeed_with_the_share_that_stayed() -> None:
    luck = Luck(True, True)
    play({ANN: None, BOB: Act.BACK_OUT, CAT: Act.BACK_OUT, DAN: None}, luck, game=UNPAID)
    assert luck.asked == pytest.approx([0.54 * 2 / 4] * 2)


def test_the_rabble_count_among_the_heisters_and_among_those_who_stay() -> None:
    # The rabble: three stake, one looks on, one of the three backs out. With Ann and Bob, who
    # backs out, 5 are heisters and 3 of them stay: Ann and two of the rabble.
    luck = Luck(False, False, False)
    table = play(
        {ANN: None, BOB: Act.BACK_OUT},
        luck,
        game=Heist(rabble=4, payday=False),
        lobby=Luck(True, True, False, True, belows=[4]),
        getaway=Luck(False, True, False),
    )
    assert luck.asked == pytest.approx([0.54 * 3 / 5] * 3)
    assert table.rabble == (171, 240, 240, 171)  # 240 - 69; the second backed out


def test_who_is_all_in_counts_as_one_who_stays() -> None:
    luck = Luck(False, False)
    play({ANN: None, BOB: Act.ALL_IN, CAT: Act.BACK_OUT}, luck, game=UNPAID)
    assert luck.asked == pytest.approx([0.54 * 2 / 3, 0.54])


# All in


@pytest.mark.parametrize(
    ("size", "chance", "credits_after"),
    [
        (1, 0.54, 384),  # 0.80 * (240 + 240) = 384
        (20, 0.488, 528),  # 1.10 * (240 + 240) = 528
        (40, 0.425, 624),  # 1.30 * (240 + 240) = 624
        (60, 0.387, 792),  # 1.65 * (240 + 240) = 792
        (80, 0.324, 936),  # 1.95 * (240 + 240) = 936
    ],
)
def test_all_in_turns_240_credits_into_the_contests_amounts(
    size: int, chance: float, credits_after: int
) -> None:
    others = dict.fromkeys(crowd(size - 1), Act.BACK_OUT)
    luck = Luck(True)
    table = play({ANN: Act.ALL_IN, **others}, luck, purses={ANN: 240})
    assert luck.asked == [chance]  # the own one, though everybody else has run
    assert table.purse(ANN) == credits_after  # no salary on top


@pytest.mark.parametrize("stake", [1, 69, 240])
def test_the_stake_is_a_part_of_all_the_credits(stake: int) -> None:
    table = play({ANN: Act.ALL_IN}, Luck(True), stakes={ANN: stake}, purses={ANN: 240})
    assert table.purse(ANN) == 384  # 0.80 * (240 + 240), whatever was staked
    assert table.outcome(ANN) == Outcome(ANN, Act.ALL_IN, Fate.ESCAPED, 240, 384, 384, lucky=True)


def test_all_in_and_lost_takes_the_stake_and_the_wallet() -> None:
    table = play({ANN: Act.ALL_IN}, Luck(False))
    assert table.purse(ANN) == 0  # and no salary
    assert table.house == 1000
    assert table.outcome(ANN) == Outcome(ANN, Act.ALL_IN, Fate.CAUGHT, cost=1000, winnings=0, received=0)


def test_all_in_takes_the_wallet_as_it_is_when_the_dice_fall() -> None:
    table = gather([ANN])
    table.tick()
    table.answer(ANN, Act.ALL_IN)
    table.tick()
    table.purses[ANN] = 55  # she has given the rest away meanwhile
    table.tick(Luck(True))
    assert table.purse(ANN) == 316  # stake 100 + 55 + loan 240 = 395; 0.80 * 395 = 316


def test_the_loan_does_not_depend_on_salary_or_job() -> None:
    jobless = Career(salary=7, employed=False)
    table = play({ANN: Act.ALL_IN}, Luck(True, False), purses={ANN: 240}, careers={ANN: jobless})
    assert table.purse(ANN) == 384  # 0.80 * (240 + 240)


def test_all_in_uses_the_own_chance_and_odds() -> None:
    own = Career(chances=(0.75, None, None, None, None), odds=(250_000, None, None, None, None))
    luck = Luck(True)
    table = play({ANN: Act.ALL_IN, BOB: Act.BACK_OUT}, luck, careers={ANN: own})
    assert luck.asked == [0.75]
    assert table.purse(ANN) == 3100  # 2.5 * (1000 + 240)


def test_all_in_is_rounded_down() -> None:
    table = play({ANN: Act.ALL_IN}, Luck(True), purses={ANN: 101})
    assert table.purse(ANN) == 272  # 0.80 * (101 + 240) = 272.8


def test_who_is_all_in_pays_bribes() -> None:
    guarded = Career(guards=(2, 0, 1, 0, 0))
    table = play({ANN: Act.ALL_IN}, Luck(True), purses={ANN: 240}, careers={ANN: guarded})
    assert table.purse(ANN) == 381  # 384 - 3


# The dice


def test_the_dice_fall_in_the_order_of_joining_whoever_answered_first() -> None:
    careers = {
        seat: replace(Career(), chances=(chance, None, None, None, None))
        for seat, chance in ((ANN, 0.1), (BOB, 0.2), (CAT, 0.3))
    }
    table = gather([CAT, ANN, BOB], game=UNPAID, careers=careers)
    table.tick()
    for seat in (BOB, ANN, CAT):
        table.answer(seat, Act.GUNCHECK)
    table.tick()
    luck = Luck(True, False, False)
    table.tick(luck)
    assert luck.asked == pytest.approx([0.3, 0.1, 0.2])
    assert table.purse(CAT) == 1080


def test_one_who_joins_without_having_sat_down_plays_a_fresh_career() -> None:
    table = gather([])
    table.join(ANN)
    table.tick()
    table.tick()
    table.tick(Luck(False))
    assert table.career(ANN) == Career()
    assert table.purse(ANN) == 1140  # 1000 - 100 + 240


def test_everybody_is_a_player_of_their_own_chance_and_the_rabble_of_the_banks() -> None:
    own = Career(chances=(0.9, None, None, None, None))
    luck = Luck(False, False)
    play(
        {ANN: None},
        luck,
        game=Heist(rabble=1, payday=False),
        careers={ANN: own},
        rabble=Purses((69,)),
        lobby=Luck(True, belows=[1]),
        getaway=Luck(False),
    )
    assert luck.asked == pytest.approx([0.9, 0.54])
