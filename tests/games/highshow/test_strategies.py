"""High Show's players of the house: each keeps its one idea, and best play is as good as it can be."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from chatbot.games.highshow.contest.contest import play
from chatbot.games.highshow.contest.contestants import ANOTHER, CHOICES, CONTESTANTS, KEEP, Situation
from chatbot.games.highshow.rules.moves import CashOut, Guess, Open, SeeAnother
from chatbot.games.highshow.rules.rules import HighShow
from chatbot.games.highshow.rules.states import Over, Playing
from chatbot.games.highshow.rules.terms import Terms, read_penalty
from chatbot.games.highshow.solver.solver import value
from chatbot.games.highshow.strategies import STRATEGIES
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Moment, Seat, Sit

if TYPE_CHECKING:
    from collections.abc import Iterator

LUCK = Rng.of("strategies")
ANN, BOB = Seat("local:ann"), Seat("local:bob")
SMALL = [
    Terms(4, keep, read_penalty(penalty))
    for keep in (1, 2, 3)
    for penalty in ("none", "linear", "linear=3/2", "turn", "turn=1/2", "value", "turnvalue")
]


def terms(cards: int, keep: int, penalty: str) -> Terms:
    return Terms(cards, keep, read_penalty(penalty))


def choice(name: str, told: Situation) -> object:
    found: object = CONTESTANTS[name](told, CHOICES, LUCK)
    return found


def every_deck(of: Terms) -> Iterator[tuple[int, ...]]:
    """Give each K in each order once: all are as likely."""
    for lowest in range(1, of.highest_start + 1):
        yield from permutations(range(lowest, lowest + of.cards))


def mean(name: str, of: Terms) -> Fraction:
    profits = [play(of, deck, CONTESTANTS[name], 0, LUCK).profit for deck in every_deck(of)]
    return sum(profits, Fraction(0)) / len(profits)


# One idea each


def test_the_first_keeps_whatever_comes() -> None:
    dear, cheap = terms(20, 3, "turnvalue"), terms(20, 3, "none")
    assert all(choice("first", Situation(0, each, (), (50, 49), 1)) == KEEP for each in (dear, cheap))


def test_the_threshold_is_as_far_below_the_top_as_as_many_cards_as_are_needed() -> None:
    free = terms(20, 3, "none")
    # 31 is known to be K, for 50 has been seen: the top is 50. One is needed, and 15 are left after this
    # one: 20 · 1 / 16 is 1.25, so 49 is above 48.75, and 48 is not.
    seen = Situation(0, free, (45, 44), (50, 31), 49)
    assert (seen.turn, seen.needed, seen.left) == (5, 1, 15)
    assert list(seen.lowests) == [31]
    assert choice("threshold", seen) == KEEP
    assert choice("threshold", seen._replace(shown=48)) == ANOTHER


def test_the_threshold_is_lower_where_a_rejection_costs_much() -> None:
    seen = Situation(0, terms(20, 3, "linear=5/2"), (45, 44), (50, 31), 41)
    # √(2 · 20 · 2.5) is 10, and more than 1.25: the level is 40.
    assert choice("threshold", seen) == KEEP
    assert choice("threshold", seen._replace(shown=40)) == ANOTHER


def test_the_threshold_takes_the_middle_of_what_k_can_be() -> None:
    first_card = Situation(0, terms(20, 3, "linear=1/10"), (), (), 30)
    # K is one of 11..30, so 20 in the middle, and the top 39. 20 · 3 / 20 is 3, more than √4: 36.
    assert list(first_card.lowests) == list(range(11, 31))
    assert choice("threshold", first_card) == ANOTHER
    seen = first_card._replace(rejected=(30, 29), shown=37)
    # K is one of 18..29, so 23, and the top 42. 20 · 3 / 18 is 3.33: 38.67.
    assert choice("threshold", seen) == ANOTHER
    assert choice("threshold", seen._replace(shown=42)) == KEEP  # 23..29: 26, so 45 less 3.33


def test_k_is_never_below_1_nor_above_three_times_the_cards() -> None:
    assert list(Situation(0, terms(4, 1, "none"), (), (), 2).lowests) == [1, 2]
    assert list(Situation(0, terms(4, 1, "none"), (), (14,), 15).lowests) == [12]


def test_the_secretary_looks_at_a_share_of_the_cards_and_takes_the_best_so_far() -> None:
    """20 / e is 7.36: seven are only looked at."""
    looked = Situation(0, terms(20, 1, "none"), (), (30, 31, 32, 33, 34, 35), 40)
    assert choice("secretary", looked) == ANOTHER
    later = looked._replace(rejected=(*looked.rejected, 36))
    assert choice("secretary", later._replace(shown=37)) == KEEP
    assert choice("secretary", later._replace(shown=29)) == ANOTHER


def test_the_secretary_gets_the_highest_card_as_often_as_the_classic_rule() -> None:
    """Of 6 cards 6/e = 2.2 are looked at, so two: (2/6)(1/2 + 1/3 + 1/4 + 1/5) = 77/180 (Ferguson 1989)."""
    of = terms(6, 1, "none")
    highest = sum(
        play(of, deck, CONTESTANTS["secretary"], 0, LUCK).kept == (12,) for deck in permutations(range(7, 13))
    )
    assert Fraction(highest, 720) == Fraction(77, 180)


def test_the_secretary_strikes_off_the_lowest_mark_for_each_card_kept() -> None:
    looked = Situation(0, terms(20, 2, "none"), (), (30, 31, 32, 33, 34, 35, 36), 36)
    marks_36_35 = looked._replace(shown=37)
    assert choice("secretary", marks_36_35) == KEEP
    assert choice("secretary", looked._replace(rejected=(*looked.rejected, 20), shown=35)) == ANOTHER
    one_is_kept = looked._replace(kept=(37,), shown=36)
    assert choice("secretary", one_is_kept) == ANOTHER  # 35 is struck off; it must beat 36
    assert choice("secretary", one_is_kept._replace(shown=38)) == KEEP


def test_the_secretary_looks_at_nothing_where_that_is_too_dear() -> None:
    # √(20 / 10) / 2 is 0.7: no card is only looked at.
    assert choice("secretary", Situation(0, terms(20, 1, "linear=10"), (), (), 25)) == KEEP
    # √(20 / 2) / 2 is 1.58: one is, and another is kept if it falls short by less than the 2 of a rejection.
    of = terms(20, 1, "linear=2")
    assert choice("secretary", Situation(0, of, (), (), 25)) == ANOTHER
    assert choice("secretary", Situation(0, of, (), (25,), 24)) == KEEP
    assert choice("secretary", Situation(0, of, (), (25,), 23)) == ANOTHER


def test_the_secretary_measures_several_cards_by_one_mark_where_there_are_fewer_marks() -> None:
    # √(3 · 20 / 5) / 2 is 1.7: one is only looked at, and 25 and the 5 of a rejection do not beat 30.
    looked = Situation(0, terms(20, 3, "linear=5"), (), (30,), 25)
    assert choice("secretary", looked) == ANOTHER
    assert choice("secretary", looked._replace(shown=26)) == KEEP
    assert choice("secretary", looked._replace(kept=(26, 27), shown=26)) == KEEP


# What holds for all of them


@pytest.mark.parametrize("of", SMALL, ids=lambda of: f"{of.keep} {of.penalty}")
@pytest.mark.slow
def test_best_play_is_worth_its_value_over_all_decks_and_nobody_does_better(of: Terms) -> None:
    best = mean("best", of)
    assert best == value(of).amount
    assert all(mean(name, of) <= best for name in CONTESTANTS)


@pytest.mark.parametrize("cards", [2, 3, 20, 150])
@pytest.mark.parametrize(
    "penalty", ["none", "linear", "turn", "value", "turnvalue", "linear=0", "turn=999999"]
)
def test_everybody_keeps_as_many_as_are_needed_of_any_deck(cards: int, penalty: str) -> None:
    for keep in {1, max(1, cards // 2), cards - 1}:
        for name in {*CONTESTANTS} - ({"best", "champion"} if cards > 3 else set()):
            assert_keeps(name, terms(cards, keep, penalty))


@pytest.mark.slow  # it solves decks of 20 exactly, for seconds
@pytest.mark.parametrize("cards", [20, 150])
@pytest.mark.parametrize("penalty", ["linear", "value"])
def test_the_champion_keeps_as_many_as_are_needed_of_any_deck(cards: int, penalty: str) -> None:
    for keep in (1, cards // 2, cards - 1):
        assert_keeps("champion", terms(cards, keep, penalty))


def assert_keeps(name: str, of: Terms) -> None:
    deck = LUCK.shuffled(range(1 + of.cards, 1 + 2 * of.cards))
    kept = play(of, deck, CONTESTANTS[name], 0, LUCK).kept
    assert len(kept) == len(set(kept) & set(deck)) == of.keep


# In a chat


def test_a_crowd_plays_what_is_quick() -> None:
    assert next(iter(STRATEGIES)) == "threshold"
    assert STRATEGIES.keys() == CONTESTANTS.keys() - {"champion"}  # which computes for seconds


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_plays_a_whole_game_of_the_chat_as_it_does_in_the_contest(name: str) -> None:
    game, moment = HighShow(cards=9, keep=2), Moment(Rng.of(name))
    state = game.apply(game.start(), Sit(ANN), moment).state
    deck: tuple[int, ...] = ()
    while game.clock(state) is not None:
        menu = game.menu(state, ANN, 0)
        action = STRATEGIES[name](game.view(state, ANN), menu, LUCK)
        assert isinstance(action, Open | CashOut | SeeAnother | Guess)
        state = game.apply(state, action, moment).state
        if isinstance(state, Playing):
            deck = state.show.deck
    assert isinstance(state, Over)
    run = play(terms(9, 2, "linear"), deck, CONTESTANTS[name], 0, LUCK)
    assert state.progress.kept == run.kept
    assert state.result.penalty == run.penalty


def test_a_strategy_guesses_nothing_and_leaves_others_games_alone() -> None:
    game, moment = HighShow(), Moment(Rng.of("two"))
    state = game.apply(game.start(), Open(ANN, 2, 1, "none"), moment).state
    assert STRATEGIES["first"](game.view(state, BOB), game.menu(state, BOB, 0), LUCK) is None
    state = game.apply(state, CashOut(ANN), moment).state
    assert STRATEGIES["first"](game.view(state, ANN), game.menu(state, ANN, 0), LUCK) == Guess(ANN)
