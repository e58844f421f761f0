"""The rules, worked by hand: costs of rejections, forced cards, estimates and time-outs."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest

from chatbot.games.highshow.rules.moves import Away, Completed, Forced, Guess, Kept, Open, Rejected
from chatbot.games.highshow.rules.rules import HighShow, was_played
from chatbot.games.highshow.rules.states import Over, Playing, Unused
from chatbot.games.highshow.rules.terms import Terms, read_penalty
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Clock, Moment, Sit, Timeout
from chatbot.kernel.say import Message
from tests.games.highshow.table import ANN, Table

DECK = (7, 5, 10, 6, 9, 8)  # K is 5, N is 6


def terms(cards: int, keep: int, penalty: str) -> Terms:
    return Terms(cards, keep, read_penalty(penalty))


# What a rejection costs


@pytest.mark.parametrize(
    ("penalty", "profit"),
    # 7, 5 and 6 are rejected on turns 1, 2 and 4; 10 and 9 are kept: a gain of 19.
    [
        ("none", Fraction(19)),
        ("linear", 19 - 3 * Fraction(6, 10)),
        ("linear=5", Fraction(19 - 3 * 5)),
        ("turn", 19 - (1 + 2 + 4) * Fraction(2 * (6 + 5), 6 + 4)),
        ("turn=3", Fraction(19 - (1 + 2 + 4) * 3)),
        ("value", 19 - Fraction(7 + 5 + 6, 4)),
        ("value=1/2", Fraction(19 - 9)),
        ("turnvalue", 19 - Fraction(1 * 7 + 2 * 5 + 4 * 6, 8)),
        ("turnvalue=1/6", 19 - Fraction(41, 6)),
    ],
)
def test_each_penalty_by_default_and_by_choice(penalty: str, profit: Fraction) -> None:
    table = Table(DECK).open(2, penalty)
    table.play("rrkrk")
    result = table.end().result
    assert (result.lowest, result.gain, result.profit, result.payout) == (5, 19, profit, 0)
    assert isinstance(result.penalty, Fraction)


@pytest.mark.parametrize(
    ("penalty", "turn", "card", "cost"),
    [("linear=5", 9, 40, 5), ("turn=3", 6, 40, 18), ("value=1/2", 9, 20, 10), ("turnvalue=1/6", 6, 10, 10)],
)
def test_the_examples_of_the_game_s_first_description(penalty: str, turn: int, card: int, cost: int) -> None:
    assert terms(20, 3, penalty).cost(lowest=1, turn=turn, value=card) == cost


def test_turns_count_kept_cards_too() -> None:
    table = Table(DECK).open(2, "turn=1")
    table.play("krk")  # only 5 is rejected, as the second card
    assert table.end().result.penalty == 2


# Cards


def test_k_is_uniform_and_every_order_comes() -> None:
    decks: Counter[tuple[int, ...]] = Counter()
    for number in range(6 * 2 * 100):
        step = HighShow().apply(HighShow().start(), Open(ANN, 2, 1, "none"), Moment(Rng.of(f"deck {number}")))
        assert isinstance(step.state, Playing)
        decks[step.state.show.deck] += 1
    assert set(decks) == {pair for k in range(1, 7) for pair in ((k, k + 1), (k + 1, k))}
    assert all(50 < count < 160 for count in decks.values())  # 100 each, standard deviation below 10


def test_the_last_cards_are_taken_in_one_step_where_all_are_needed() -> None:
    table = Table(DECK).open(3, "linear=5")
    table.play("rr")
    rejected, forced, completed = table.play("r")  # 6, 9 and 8 are left, and 3 are needed
    assert isinstance(rejected, Rejected)
    assert isinstance(forced, Forced)
    assert forced.cards == (6, 9, 8)
    assert isinstance(completed, Completed)
    assert [each.card for each in completed.progress.seen if not each.chosen] == [6, 9, 8]
    result = table.end().result
    assert (result.gain, result.penalty) == (6 + 9 + 8, 15)


def test_a_kept_card_makes_fewer_be_needed_at_the_end() -> None:
    table = Table(DECK).open(3)
    table.play("krrr")  # 9 and 8 are left, and 2 are needed
    assert table.events[-2].cards == (9, 8)
    assert table.end().result.gain == 7 + 9 + 8


def test_of_two_cards_the_second_is_taken_unasked() -> None:
    table = Table((4, 3)).open(1)
    assert [type(each) for each in table.play("r")] == [Rejected, Forced, Completed]


def test_no_card_is_drawn_after_the_last_that_is_needed() -> None:
    table = Table(DECK).open(1)
    kept, completed = table.play("k")
    assert isinstance(kept, Kept)
    assert completed.progress.shown is None
    assert table.end().deck == DECK


def test_progress_counts_what_is_kept_rejected_needed_and_left() -> None:
    table = Table(DECK).open(3)
    (rejected,) = table.play("kr")
    progress = rejected.progress
    assert (progress.kept, progress.rejected, progress.shown) == ((7,), (5,), 10)
    assert (progress.needed, progress.left) == (2, 3)


# Estimates


def test_estimates_are_told_with_the_outcome() -> None:
    table = Table(DECK).open(1)
    table.play("k")
    guess = Guess(ANN, 5, "13/2")
    assert table.end(guess).guess == guess
    assert isinstance(table.state, Over)
    assert table.game.clock(table.state) is None
    assert was_played(table.state)


@pytest.mark.parametrize("lowest", [1, 18])
def test_every_possible_k_may_be_guessed(lowest: int) -> None:
    table = Table(DECK).open(1)
    table.play("k")
    assert table.end(Guess(ANN, lowest)).guess.lowest == lowest


def test_a_k_that_cannot_be_is_refused() -> None:
    table = Table(DECK).open(1)
    table.play("k")
    assert table.refused(Guess(ANN, 19)) == Message("highshow-guess-range", {"most": 18})
    assert table.refused(Guess(ANN, 0)).id == "highshow-guess-range"


# Time


def test_silence_keeps_the_card_that_is_shown_and_then_skips_the_estimates() -> None:
    table = Table(DECK).open(2)
    (kept,) = table.time_out()
    assert kept.late
    assert kept.progress.kept == (7,)
    table.time_out()
    (revealed,) = table.time_out()
    assert revealed.guess == Guess(ANN)
    assert revealed.result.gain == 7 + 5


def test_whoever_has_left_keeps_at_once_all_that_are_needed() -> None:
    table = Table((*range(1, 13),)).open(8)
    table.play("rk")
    assert [each.late for each in (*table.time_out(), *table.time_out())] == [True, True]
    (kept,) = table.play("k")  # somebody is there again
    assert not kept.late
    assert [each.late for each in (*table.time_out(), *table.time_out())] == [True, True]
    away, completed = table.time_out()
    assert (type(away), away.late, away.cards) == (Away, 3, (9,))
    assert isinstance(completed, Completed)
    assert completed.progress.kept == (2, 3, 4, 5, 6, 7, 8, 9)
    assert all(each.chosen for each in completed.progress.seen)
    assert table.end().result.gain == sum(range(2, 10))


def test_the_third_card_in_a_row_says_nothing_more_where_no_other_is_needed() -> None:
    table = Table((*range(1, 13),)).open(3)
    table.time_out()
    table.time_out()
    kept, completed = table.time_out()
    assert (type(kept), kept.late, type(completed)) == (Kept, True, Completed)


def test_a_table_at_which_nothing_is_chosen_ends_as_no_game() -> None:
    table = Table(DECK)
    table.act(Sit(ANN))
    table.time_out()
    assert table.state == Unused(ANN)
    assert not was_played(table.state)


def test_each_card_has_its_own_clock() -> None:
    table = Table(DECK, HighShow(decision=30, estimates=20)).open(2)
    clocks = [table.game.clock(table.state)]
    for choice in "rrk":
        table.play(choice)
        clocks.append(table.game.clock(table.state))
    assert all(one != two for one, two in pairwise(clocks))
    assert clocks[0] == Clock("decision 1", 30)
    table.play("k")
    assert table.game.clock(table.state) == Clock("estimates", 20)


def test_a_clock_that_has_been_answered_before_decides_nothing() -> None:
    table = Table(DECK).open(2)
    old = table.game.clock(table.state)
    assert old is not None
    table.play("r")
    assert table.refused(Timeout(old)) == Message("too-late")
