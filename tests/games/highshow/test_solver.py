"""Advice and values: what every best play obeys, whatever the terms."""

from __future__ import annotations

from fractions import Fraction

import pytest

from chatbot.games.highshow.rules.terms import Penalty, PenaltyKind, Terms, read_penalty
from chatbot.games.highshow.solver.exact import Ending, ExactMeasure, ValueTable, work
from chatbot.games.highshow.solver.solver import (
    ADVICE_WORK,
    ENDING_WORK,
    VALUE_WORK,
    Advice,
    Adviser,
    advise,
    value,
)
from tests.games.highshow import brute

ALL = [kind.value for kind in PenaltyKind]


def exact(cards: int, keep: int, text: str) -> Fraction:
    found = value(Terms(cards, keep, read_penalty(text)))
    assert found.exact
    assert found.method == "exact"
    assert found.error == 0
    assert isinstance(found.amount, Fraction)
    return found.amount


@pytest.mark.slow
@pytest.mark.parametrize("text", ["linear", "turn", "value", "turnvalue"])
@pytest.mark.parametrize(("cards", "keep"), [(2, 1), (7, 3), (12, 5)])
def test_a_penalty_takes_something_and_a_larger_one_takes_more(cards: int, keep: int, text: str) -> None:
    found = [exact(cards, keep, f"{text}={rate}") for rate in ("0", "1/50", "1/3", "3", "100")]
    assert found == sorted(found, reverse=True)
    assert found[0] == exact(cards, keep, "none")
    assert found[0] > exact(cards, keep, text)


@pytest.mark.parametrize("text", ALL)
@pytest.mark.parametrize("cards", [2, 5, 9])
@pytest.mark.slow
def test_best_play_is_at_least_as_good_as_keeping_all_that_comes(cards: int, text: str) -> None:
    for keep in range(1, cards):
        taken = Fraction(keep * 2 * cards)  # K is (3N + 1) / 2 on average, a card (N - 1) / 2 more
        highest = taken + Fraction(keep * (cards - keep), 2)  # those of the deck are so much above its mean
        assert taken <= exact(cards, keep, text) < highest


@pytest.mark.slow
@pytest.mark.parametrize("text", ALL)
def test_one_more_card_to_keep_is_worth_at_least_what_the_first_one_is(text: str) -> None:
    found = [exact(10, keep, text) for keep in range(1, 10)]
    assert found == sorted(found)


@pytest.mark.parametrize("text", ["linear=100000", "turn=100000", "value=100000", "turnvalue=100000"])
def test_who_cannot_afford_a_rejection_keeps_what_comes(text: str) -> None:
    assert exact(11, 4, text) == 4 * 22


@pytest.mark.parametrize("text", ALL)
def test_advice_weighs_what_an_enumeration_finds(text: str) -> None:
    penalty = read_penalty(text)
    after = brute.values(penalty.kind.value, penalty.parameter, 5)
    adviser = Adviser(Terms(5, 2, penalty))
    for seen, shown, needed in [((), 9, 2), ((), 1, 2), ((), 19, 2), ((7, 4), 6, 1), ((8,), 5, 1)]:
        cards = frozenset((*seen, shown))
        turn = len(cards)
        costs = [
            brute.rate(text, None, 5, deck[0]) * brute.times(text, turn, shown)
            for deck in brute.decks(5, cards)
        ]
        told = adviser.advise(seen, shown, needed)
        assert told.exact
        assert told.keep == shown + after(cards, needed - 1)
        assert told.another == after(cards, needed) - brute.mean(costs)


def test_the_first_advice_agrees_with_the_value() -> None:
    terms = Terms(8, 3, Penalty(PenaltyKind.TURN))
    adviser, total = Adviser(terms), Fraction(0)
    for lowest in range(1, 25):
        for card in range(lowest, lowest + 8):
            told = adviser.advise((), card, 3)
            total += Fraction(told.keep if told.better == "cashout" else told.another)
    assert total / (24 * 8) == value(terms).amount


def test_the_highest_card_there_can_be_is_kept() -> None:
    told = advise(Terms(12, 3, Penalty(PenaltyKind.NONE)), (), 47, 3)
    assert told.better == "cashout"
    assert told.by > 0


def test_equal_choices_are_to_cash_out() -> None:
    assert Advice(Fraction(3), Fraction(3), exact=True).better == "cashout"
    assert Advice(Fraction(3), Fraction(4), exact=True).better == "another"
    assert Advice(Fraction(3), Fraction(4), exact=True).by == 1


@pytest.mark.slow
def test_up_to_twelve_cards_all_is_exact_whatever_the_parameter() -> None:
    for text in ("none", "turn", "turnvalue=999999/999998"):
        assert Adviser(Terms(12, 6, read_penalty(text))).advise((), 20, 6).exact
    assert value(Terms(12, 6, Penalty(PenaltyKind.VALUE))).exact


def test_the_usual_terms_have_an_exact_value_and_larger_ones_a_bounded_cost() -> None:
    for text in ("none", "linear", "linear=5"):
        assert work(Terms(20, 3, read_penalty(text))) <= VALUE_WORK
    assert work(Terms(20, 3, Penalty(PenaltyKind.LINEAR))) > ADVICE_WORK


def test_the_same_question_has_the_same_answer() -> None:
    terms = Terms(9, 4, Penalty(PenaltyKind.TURNVALUE))
    assert Adviser(terms).advise((3, 8), 6, 3) == Adviser(terms).advise((8, 3), 6, 3)


@pytest.mark.slow
@pytest.mark.parametrize("text", ALL)
def test_an_ending_has_the_values_of_all_decks_and_orders(text: str) -> None:
    penalty = read_penalty(text)
    terms = Terms(6, 3, penalty)
    after = brute.values(penalty.kind.value, penalty.parameter, 6)
    for deck in [(9, 7, 11, 8, 6), (1, 3, 2), (22, 21, 19), (4,), (20,)]:
        for known in range(1, len(deck) + 1):
            ending = Ending(terms, deck[:known])
            for seen in range(known, len(deck) + 1):
                for needed in range(max(0, 3 - seen), min(3, 6 - seen) + 1):
                    assert ending.value(deck[:seen], needed) == after(frozenset(deck[:seen]), needed)


def test_an_ending_in_large_numbers_is_counted_as_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    terms, seen = Terms(9, 4, read_penalty("turn")), (12, 17, 15)
    quick = Ending(terms, seen).value(seen, 3)
    monkeypatch.setattr(ExactMeasure, "fits", lambda self, seen, together: False)
    assert Ending(terms, seen).value(seen, 3) == quick


def test_the_last_cards_of_a_large_deck_are_advised_exactly() -> None:
    adviser = Adviser(Terms(40, 5, Penalty(PenaltyKind.NONE)))
    deck = [100 + (7 * place) % 40 for place in range(40)]  # 7 goes round 40: K = 100, in some order
    told = adviser.advise(deck[:38], deck[38], 1)
    # The card that is left is known: K is, since 100 and 139 have been seen.
    assert {deck[0], 139} <= set(deck[:38])
    assert told == Advice(Fraction(deck[38]), Fraction(deck[39]), exact=True)
    assert adviser.advise(deck[:30], deck[30], 5).exact
    assert not adviser.advise(deck[:3], deck[3], 5).exact


def test_one_adviser_serves_many_games() -> None:
    terms = Terms(13, 2, Penalty(PenaltyKind.VALUE))
    adviser, table = Adviser(terms, work=ENDING_WORK), ValueTable(terms, whole=True)
    assert work(terms) > ENDING_WORK
    for step in (2, 4, 7):
        deck = [20 + (step * place) % 13 for place in range(13)]
        for turn in (12, 9, 11):
            told = adviser.advise(deck[: turn - 1], deck[turn - 1], 1)
            assert told.exact
            assert told.keep == deck[turn - 1]
            assert told.another == table.value(deck[:turn], 1) - Fraction(deck[turn - 1], 4)
