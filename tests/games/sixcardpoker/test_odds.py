"""The odds that Six Card Poker publishes are those of its best play."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import pytest

from chatbot.games.sixcardpoker.chat.board import BACK, WIN, odds
from chatbot.games.sixcardpoker.rules.moves import LeaveIt, Open
from chatbot.games.sixcardpoker.rules.rules import SixCardPoker
from chatbot.games.sixcardpoker.rules.states import Over
from chatbot.games.sixcardpoker.solver import policies
from chatbot.games.sixcardpoker.solver.solver import payoffs, prospects
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Moment, SystemPurse
from tests.games.sixcardpoker.table import ANN

ROUNDS = 1000


def payout(stake: int, seed: str) -> int:
    """Play the house by the best play, and give what comes back."""
    game, rng = SixCardPoker(), Rng.of(seed)
    state = game.apply(game.start(), Open(ANN, stake), Moment(rng)).state
    step = game.apply(state, LeaveIt(ANN), Moment(rng))
    assert isinstance(step.state, Over)
    assert all(each.target in {ANN, SystemPurse.HOUSE} for each in step.transfers)
    return sum(each.credits for each in step.transfers if each.target == ANN)


def test_the_chance_to_win_is_the_exact_one_of_the_best_play() -> None:
    even = prospects(policies.nash(), policies.nash()).round
    assert (even.win, even.draw, even.loss) == (WIN, 1 - 2 * WIN, WIN)


def test_no_way_to_play_gets_back_more_than_is_published() -> None:
    gained = sum(max(each.values()) for _, each in payoffs(policies.nash()).by_type())
    assert 1 + Fraction(gained) == BACK == odds(SixCardPoker()).back  # 0 is what the best reply gains


def test_rounds_that_are_played_end_as_is_published() -> None:
    back = [payout(1, f"round {number}") for number in range(ROUNDS)]
    won, spread = back.count(2) / ROUNDS, sqrt(WIN * (1 - WIN) / ROUNDS)
    assert abs(won - WIN) <= 4 * spread
    # What comes back of 1 is 2 or 0 with a chance of WIN each, so its variance is 2 × WIN.
    assert abs(sum(back) / ROUNDS - BACK) <= 4 * sqrt(2 * WIN / ROUNDS)


@pytest.mark.parametrize("stake", range(1, 21))
def test_no_small_stake_brings_more_than_is_published(stake: int) -> None:
    back = {payout(stake, f"round {number}") for number in range(12)}
    assert back == {0, stake, 2 * stake}
    assert WIN * 2 * stake + (1 - 2 * WIN) * stake == BACK * stake


def test_duels_are_told_of_where_there_are_any() -> None:
    assert len(odds(SixCardPoker()).rows) == 2
    assert len(odds(SixCardPoker(duels=False)).rows) == 1
