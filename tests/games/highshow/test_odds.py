"""The odds that High Show publishes are those of its payouts."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from statistics import fmean, pstdev

import pytest

from chatbot.games.highshow import KIT
from chatbot.games.highshow.chat.board import BACK, odds
from chatbot.games.highshow.rules.moves import Open
from chatbot.games.highshow.rules.par import best_reply, par
from chatbot.games.highshow.rules.rules import HighShow
from chatbot.games.highshow.rules.states import Over
from chatbot.games.highshow.rules.terms import Terms, read_penalty
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Moment, Sit
from tests.games.highshow.table import ANN

STAKE, GAMES = 100_000, 400  # so large that the credits which rounding keeps are nothing beside it


def returned(game: HighShow, seed: str) -> float:
    """Let the best play a game, and tell what came back for each credit."""
    rng, best = Rng.of(seed), KIT.programs.strategies["best"]
    state = game.apply(game.start(), Sit(ANN), Moment(rng)).state
    opening = Open(ANN, game.cards, game.keep, game.penalty, STAKE)
    state = game.apply(state, opening, Moment(rng)).state
    while not isinstance(state, Over):
        action = best(game.view(state, ANN), game.menu(state, ANN, 0), rng)
        assert action is not None
        state = game.apply(state, action, Moment(rng)).state
    return state.result.payout / STAKE


@pytest.mark.parametrize("penalty", ["linear", "turn"])
def test_the_best_play_gets_back_what_is_published(penalty: str) -> None:
    game = HighShow(cards=6, keep=2, penalty=penalty, max_stake=0)
    back = [returned(game, f"{penalty} {number}") for number in range(GAMES)]
    assert abs(fmean(back) - float(BACK)) <= 4 * pstdev(back) / sqrt(GAMES)


@pytest.mark.slow
def test_no_play_gets_back_more_than_is_published() -> None:
    terms = Terms(20, 3, read_penalty("linear"))
    agreed = par(terms)
    assert agreed is not None
    assert best_reply(terms, agreed) == BACK == odds(HighShow()).back


@pytest.mark.slow
@pytest.mark.parametrize("stake", range(1, 21))
def test_no_small_stake_brings_more_than_its_share(stake: int) -> None:
    agreed = par(Terms(20, 3, read_penalty("linear")))
    assert agreed is not None
    profits = [agreed.value + Fraction(number, 7) * agreed.span for number in range(-9, 10)]
    assert all(agreed.payout(stake, each) <= stake * agreed.share(each) for each in profits)


def test_par_and_span_of_the_usual_terms_are_told() -> None:
    (row,) = odds(HighShow(cards=6, keep=2, penalty="none")).rows
    assert row.id == "highshow-odds"
    assert (row.args["cards"], row.args["keep"], row.args["penalty"]) == (6, 2, "none")


def test_terms_that_nobody_can_stake_on_are_said_to_be_for_honour() -> None:
    (row,) = odds(HighShow(cards=1000, keep=3)).rows
    assert row.id == "highshow-odds-honour"
