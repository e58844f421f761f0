"""Stakes and what they return, and all that is refused."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from chatbot.games.highshow import KIT
from chatbot.games.highshow.rules.moves import (
    AskHint,
    CashOut,
    Guess,
    HintAsked,
    Open,
    Opened,
    Revealed,
    SeeAnother,
)
from chatbot.games.highshow.rules.par import Par, par
from chatbot.games.highshow.rules.rules import HighShow
from chatbot.games.highshow.rules.states import Guessing, Playing, Show
from chatbot.games.highshow.rules.terms import Penalty, PenaltyKind, Terms, read_penalty
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Refusal, Sit, SystemPurse, Transfer
from chatbot.kernel.say import Credits, Message, Name
from tests.games.highshow.table import ANN, BOB, Table
from tests.games.play import RandomTable

DECK = (7, 5, 10, 6, 9, 8)  # K is 5, N is 6


def terms(cards: int, keep: int, penalty: str) -> Terms:
    return Terms(cards, keep, read_penalty(penalty))


# Stakes: 7 is kept, and 50 credits are staked on it. What comes back is 50 × (1 + (7 − par) / 20).


def payout(value: int) -> list[Transfer]:
    show = Show(ANN, terms(6, 1, "none"), 50, Par(Fraction(value), Fraction(20)), DECK)
    table = Table(DECK)
    table.state = Playing(show)
    table.play("k")
    assert isinstance(table.state, Guessing)
    paid = sum(each.credits for each in table.transfers)
    assert paid == 0, "nothing is paid before the end"
    received = table.end().result.payout
    assert received == sum(each.credits for each in table.transfers if each.target == ANN)
    assert sum(each.credits for each in table.transfers if each.source is SystemPurse.POT) == 50, (
        "an empty pot"
    )
    return table.transfers


BACK, WON, LOST = (SystemPurse.POT, ANN), (SystemPurse.HOUSE, ANN), (SystemPurse.POT, SystemPurse.HOUSE)


@pytest.mark.parametrize(
    ("value", "moved"),
    [
        (7, {BACK: 50}),  # par
        (2, {BACK: 50, WON: 12}),  # 62.5, rounded down
        (10, {BACK: 42, LOST: 8}),  # 42.5, rounded down
        (27, {LOST: 50}),  # just nothing
        (60, {LOST: 50}),  # it would be below nothing
        (-13, {BACK: 50, WON: 50}),  # just twice
        (-60, {BACK: 50, WON: 50}),  # it would be more
    ],
)
def test_payouts_are_linear_in_the_profit_between_nothing_and_twice_the_stake(
    value: int, moved: dict[Any, int]
) -> None:
    assert {(each.source, each.target): each.credits for each in payout(value)} == moved


def test_a_stake_is_taken_at_the_opening_and_par_is_told_before_it_counts() -> None:
    table = Table(DECK).open(2, "linear=5", stake=69)
    (opened,) = table.events
    assert isinstance(opened, Opened)
    assert (opened.stake, opened.par) == (69, par(terms(6, 2, "linear=5")))
    assert opened.par is not None
    assert table.transfers == [Transfer(ANN, SystemPurse.POT, 69, "stake")]


def test_the_real_par_returns_the_stake_to_whoever_makes_par() -> None:
    agreed = par(terms(6, 2, "value"))
    assert agreed is not None
    assert agreed.payout(50, agreed.value) == 50


def test_nothing_moves_in_a_game_for_honour() -> None:
    table = Table(DECK).open(2, "turn")
    table.play("rrkk")
    table.end()
    assert table.transfers == []


@pytest.mark.parametrize("penalty", ["none", "linear", "turn=1/3", "value", "turnvalue"])
def test_random_staked_games_pay_out_the_pot_and_lose_no_credit(penalty: str) -> None:
    game = HighShow(cards=7, keep=3, penalty=penalty, default_stake=50)
    staked = 0
    for number in range(40):
        # RandomTable asserts that the pot is empty in the end, and credits conserved at each step.
        table = RandomTable(KIT, game, Rng.of(f"staked {number}"), Counter({ANN: 240, BOB: 49})).play()
        opened = [each for each in table.events if isinstance(each, Opened)]
        staked += sum(each.stake for each in opened)
        assert not any(each.stake for each in opened if each.progress.seat == BOB), "Bob has 49 credits"
    assert staked


# Refusals


@pytest.mark.parametrize(
    ("cards", "keep", "refusal"),
    [
        (1, 1, "highshow-cards"),
        (0, 0, "highshow-cards"),
        (10**9, 3, "highshow-cards"),
        (1001, 3, "highshow-cards"),
        (5, 5, "highshow-keep"),
        (5, 6, "highshow-keep"),
        (5, 0, "highshow-keep"),
    ],
)
def test_decks_that_cannot_be_played_are_refused(cards: int, keep: int, refusal: str) -> None:
    assert Table(DECK).refused(Open(ANN, cards, keep, "none")).id == refusal


def test_the_room_s_largest_deck_is_a_limit() -> None:
    table = Table(DECK, HighShow(most_cards=50))
    assert table.refused(Open(ANN, 51, 3, "none")) == Message("highshow-too-many", {"most": 50})


@pytest.mark.parametrize(
    "text", ["1/0", "-1", "", "0x5", "1/000", "1.", ".5", "1e3", "1234567", "1/1234567", "٣"]
)
def test_parameters_that_are_no_number_from_0_on_are_refused(text: str) -> None:
    assert Table(DECK).refused(Open(ANN, 6, 3, f"linear={text}")).id == "highshow-parameter"


@pytest.mark.parametrize(
    ("text", "penalty"),
    [
        ("none", Penalty(PenaltyKind.NONE)),
        ("LINEAR=5", Penalty(PenaltyKind.LINEAR, Fraction(5))),
        ("turn=0.5", Penalty(PenaltyKind.TURN, Fraction(1, 2))),
        ("value=0", Penalty(PenaltyKind.VALUE, Fraction(0))),
        ("turnvalue=999999/999998", Penalty(PenaltyKind.TURNVALUE, Fraction(999999, 999998))),
    ],
)
def test_penalties_are_read_exactly_and_read_back_from_what_is_written(text: str, penalty: Penalty) -> None:
    assert read_penalty(text) == penalty
    assert read_penalty(str(penalty)) == penalty


def test_an_unknown_penalty_and_a_parameter_of_none_are_refused() -> None:
    assert Table(DECK).refused(Open(ANN, 6, 3, "square")).id == "highshow-penalty"
    assert Table(DECK).refused(Open(ANN, 6, 3, "none=5")).id == "highshow-no-parameter"


def test_stakes_outside_the_limits_or_on_large_decks_are_refused() -> None:
    table = Table(DECK, HighShow(min_stake=10, max_stake=100))
    small = Message("stake-too-small", {"least": Credits(10)})
    large = Message("stake-too-large", {"most": Credits(100)})
    assert table.refused(Open(ANN, 6, 3, "none", 9)) == small
    assert table.refused(Open(ANN, 6, 3, "none", 101)) == large
    assert table.refused(Open(ANN, 1000, 3, "none", 50)) == Message("highshow-honour-only")


def test_limits_that_cross_are_refused_as_settings() -> None:
    with pytest.raises(Refusal) as refusal:
        HighShow(min_stake=10, max_stake=9)
    assert refusal.value.message.id == "stakes-crossed"


def test_the_usual_stake_keeps_to_the_limits() -> None:
    assert HighShow().usual_stake == 0
    assert HighShow(default_stake=5, min_stake=10).usual_stake == 10
    assert HighShow(default_stake=50, max_stake=20).usual_stake == 20


@pytest.mark.parametrize("action", [CashOut(ANN), SeeAnother(ANN), AskHint(ANN)])
def test_there_is_nothing_to_decide_on_before_the_first_card_and_after_the_last(action: Any) -> None:
    table = Table(DECK)
    assert table.refused(action) == Message("highshow-nothing-shown")
    table.open(1).play("k")
    assert table.refused(action) == Message("highshow-nothing-shown")
    table.end()
    assert table.refused(action) == Message("highshow-nothing-shown")


def test_a_guess_before_the_end_and_a_second_one_are_refused() -> None:
    table = Table(DECK).open(1)
    assert table.refused(Guess(ANN, 5)) == Message("highshow-guess-later")
    table.play("k")
    table.end()
    assert table.refused(Guess(ANN, 5)) == Message("highshow-over")


@pytest.mark.parametrize(
    "action", [CashOut(BOB), SeeAnother(BOB), AskHint(BOB), Guess(BOB), Open(BOB, 6, 3, "none")]
)
def test_nobody_plays_somebody_else_s_game(action: Any) -> None:
    table = Table(DECK).open(1)
    table.act(Sit(BOB))
    refusal = Message("highshow-not-yours", {"who": Name(ANN)})
    assert table.refused(action) == refusal
    assert table.game.menu(table.state, BOB, 1000) == []
    table.play("k")
    assert table.refused(action) == refusal


def test_a_second_opening_is_refused() -> None:
    assert Table(DECK).open(1).refused(Open(ANN, 6, 3, "none")) == Message("highshow-already")


def test_one_hint_a_card_and_none_under_a_stake() -> None:
    table = Table(DECK).open(2)
    (asked,) = table.act(AskHint(ANN))
    assert isinstance(asked, HintAsked)
    assert table.refused(AskHint(ANN)) == Message("highshow-hinted")
    table.play("r")
    table.act(AskHint(ANN))
    staked = Table(DECK).open(2, stake=50)
    assert staked.refused(AskHint(ANN)) == Message("highshow-no-hint")
    assert AskHint(ANN) not in staked.game.menu(staked.state, ANN, 1000)


def test_the_reveal_has_everything_that_a_review_needs() -> None:
    table = Table(DECK).open(2, "linear=5", stake=50)
    table.play("rk")
    table.time_out()
    revealed = table.end()
    assert isinstance(revealed, Revealed)
    assert (revealed.deck, revealed.stake) == (DECK, 50)
    assert [(each.card, each.kept) for each in revealed.progress.seen] == [(7, False), (5, True), (10, True)]
