"""Stakes: what a payout returns, and that no way of playing for it earns anything."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from chatbot.games.highshow.rules.par import Par, best_reply, least_profit, par
from chatbot.games.highshow.rules.terms import Penalty, PenaltyKind, Terms, read_penalty
from chatbot.games.highshow.solver.solver import value
from tests.games.highshow import brute

TEXTS = [
    *(kind.value for kind in PenaltyKind),
    "linear=1/2",
    "linear=4",
    "turn=1/3",
    "value=2",
    "turnvalue=1/50",
]


def staked(terms: Terms) -> Par:
    found = par(terms)
    assert found is not None
    return found


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("cards", [2, 3, 4])
def test_playing_for_the_payout_returns_no_more_than_the_stake(cards: int, text: str) -> None:
    penalty = read_penalty(text)
    for keep in range(1, cards):
        terms = Terms(cards, keep, penalty)
        offered = staked(terms)
        most = brute.best_return(
            penalty.kind.value, penalty.parameter, cards, keep, offered.value, offered.span
        )
        assert most <= 1
        assert most == best_reply(terms, offered)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["none", "linear", "turn", "value", "turnvalue"])
def test_playing_for_the_payout_returns_no_more_with_five_cards(text: str) -> None:
    for keep in range(1, 5):
        offered = staked(Terms(5, keep, read_penalty(text)))
        assert brute.best_return(text, None, 5, keep, offered.value, offered.span) == 1


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("text", ["none", "linear", "turn", "value", "turnvalue"])
def test_playing_for_the_payout_returns_no_more_with_six_cards(text: str) -> None:
    for keep in range(1, 6):
        offered = staked(Terms(6, keep, read_penalty(text)))
        assert brute.best_return(text, None, 6, keep, offered.value, offered.span) == 1


@pytest.mark.parametrize("text", ["none", "linear"])
def test_a_smaller_span_would_be_worth_playing_for(text: str) -> None:
    """The enumeration does see the gap that the span closes: at the lower end nothing is left to lose."""
    offered = staked(Terms(5, 2, read_penalty(text)))
    assert brute.best_return(text, None, 5, 2, offered.value, offered.span / 2) > 1


@pytest.mark.parametrize("text", ["none", "linear", "turn", "value", "turnvalue"])
@pytest.mark.parametrize("keep", [1, 2, 3])
def test_no_play_without_absurd_rejections_makes_less_than_the_least_profit(keep: int, text: str) -> None:
    terms, cards = Terms(4, keep, read_penalty(text)), 4
    worst = min(
        lowest_profit(terms, lowest, order)
        for lowest in range(1, 13)
        for order in permutations(range(lowest, lowest + cards))
    )
    assert least_profit(terms) <= worst


def lowest_profit(terms: Terms, lowest: int, order: tuple[int, ...]) -> Fraction:
    """The least that can be made of an order of cards; a rejection must cost less than another card can gain.

    That is asked of the true K, hence of fewer rejections than a player can tell.
    """

    def least(turn: int, needed: int) -> Fraction:
        if needed == 0:
            return Fraction(0)
        card = order[turn - 1]
        kept = card + least(turn + 1, needed - 1)
        cost = terms.cost(lowest, turn, card)
        if terms.cards - turn < needed or cost >= lowest + terms.cards - 1 - card:
            return kept
        return min(kept, least(turn + 1, needed) - cost)

    return least(1, terms.keep)


def test_par_is_the_policy_value() -> None:
    terms = Terms(10, 2, Penalty(PenaltyKind.VALUE))
    assert staked(terms).value == value(terms).amount


def test_without_a_penalty_the_lowest_cards_are_the_least() -> None:
    assert least_profit(Terms(20, 3, Penalty(PenaltyKind.NONE))) == 1 + 2 + 3


def test_all_rejections_that_may_pay_count_for_the_least_profit() -> None:
    assert least_profit(Terms(20, 3, read_penalty("linear=5"))) == 1 + 2 + 3 - 17 * 5


def test_what_costs_more_than_the_deck_is_wide_is_never_rejected() -> None:
    assert least_profit(Terms(20, 3, read_penalty("linear=19"))) == 1 + 2 + 3


def test_the_payout_is_linear_between_nothing_and_twice_the_stake() -> None:
    offered = Par(Fraction(100), Fraction(50))
    profits = [40, 50, 75, 100, 101, 125, 150, 200]
    # half the stake of 10 at 75, 10 · 51 / 50 rounded down at 101
    assert [offered.payout(10, Fraction(each)) for each in profits] == [0, 0, 5, 10, 10, 15, 20, 20]


def test_a_payout_is_rounded_down_from_the_exact_share() -> None:
    offered = Par(Fraction(1, 3), Fraction(1))
    assert offered.payout(10**15, Fraction(0)) == 666_666_666_666_666
    assert offered.payout(10**15, Fraction(1, 3)) == 10**15
    assert offered.payout(10**15, Fraction(1, 3) - Fraction(1, 10**16)) == 10**15 - 1


@pytest.mark.parametrize("text", ["linear=5", "linear"])
def test_the_usual_terms_accept_stakes(text: str) -> None:
    terms = Terms(20, 3, read_penalty(text))
    assert best_reply(terms, staked(terms)) == 1


def test_large_decks_are_for_honour_only() -> None:
    assert par(Terms(100, 10, Penalty(PenaltyKind.LINEAR))) is None
    assert par(Terms(1000, 3, Penalty(PenaltyKind.TURN))) is None


def test_a_span_that_leaves_an_end_in_reach_is_no_proof() -> None:
    terms = Terms(5, 2, Penalty(PenaltyKind.LINEAR))
    offered = staked(terms)
    with pytest.raises(ValueError, match="expected a par"):
        best_reply(terms, Par(offered.value, offered.span - Fraction(1, 2)))
