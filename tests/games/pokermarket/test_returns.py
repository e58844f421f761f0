"""What the best reply to a player of the house returns, by the solver and by all that can happen."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from chatbot.games.pokermarket.contest import search
from chatbot.games.pokermarket.rules.market import Market
from chatbot.games.pokermarket.rules.rules import ROUNDS, PokerMarket
from chatbot.games.pokermarket.rules.states import Over, State, Trading
from chatbot.games.pokermarket.solver import returns as solver
from chatbot.games.pokermarket.strategies import STRATEGIES
from chatbot.kernel import returns
from chatbot.kernel.cards import DECK
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Moment, Seat
from tests.games.enumerated import outcomes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chatbot.games.pokermarket.rules.market import FiveCards

ANN = Seat("test:ann")
STAKE = 60
GAME = PokerMarket()
LENGTHS = range(ROUNDS.least, ROUNDS.most + 1)


def deals(count: int) -> Iterator[tuple[FiveCards, FiveCards]]:
    rng = Rng.of("deals")
    for _ in range(count):
        cards = rng.sample(DECK, 10)
        yield tuple(cards[:5]), tuple(cards[5:])


def everywhere(name: str, hands: tuple[FiveCards, FiveCards], rounds: int) -> Fraction:
    """Return what the best reply is paid of its stake, with each of the hands in each of the seats."""
    house = Seat(f"house:{name}")
    tables = [
        Trading(order, STAKE, Market(dealt, rounds))
        for order in ((ANN, house), (house, ANN))
        for dealt in (hands, hands[::-1])
    ]
    return sum((best(each, name) for each in tables), Fraction(0)) / (STAKE * len(tables))


def best(state: State, name: str) -> Fraction:
    """Play on by the rules: the house as it does in a chat, the reply in each way that the menu offers."""
    if isinstance(state, Over):
        assert state.ranked is not None
        return Fraction(next(each.credits for each in state.ranked.places if each.seat == ANN))
    assert isinstance(state, Trading)
    menu = GAME.menu(state, ANN, 0)
    if menu:
        return max(best(after, name) for after in {GAME.apply(state, each, _luck()).state for each in menu})
    return sum((chance * best(after, name) for chance, after in outcomes(_house(state, name))), Fraction(0))


def _house(state: Trading, name: str) -> Callable[[Rng], State]:
    seat = next(each for each in state.players if each != ANN)

    def act(rng: Rng) -> State:
        action = STRATEGIES[name](GAME.view(state, seat), GAME.menu(state, seat, 0), rng)
        assert action is not None
        return GAME.apply(state, action, _luck()).state

    return act


def _luck() -> Moment:
    return Moment(Rng.of("none"))


@pytest.mark.parametrize("name", solver.NEVER_BEHIND)
def test_one_round_with_who_keeps_its_place_returns_the_stake_whatever_is_replied(name: str) -> None:
    assert [everywhere(name, hands, 1) for hands in deals(3)] == [1, 1, 1]


@pytest.mark.slow
@pytest.mark.parametrize("name", solver.NEVER_BEHIND)
def test_two_rounds_with_who_keeps_its_place_return_the_stake_whatever_is_replied(name: str) -> None:
    assert everywhere(name, next(deals(1)), 2) == 1


def test_a_strategy_that_lets_its_place_become_worse_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(solver.never_behind(name, 2) for name in solver.NEVER_BEHIND)
    assert not solver.never_behind("random", 2)
    monkeypatch.setattr(solver, "NEVER_BEHIND", ("random",))
    with pytest.raises(ArithmeticError, match="random lets its place become worse"):
        next(solver.figures())


@pytest.mark.slow
def test_the_reply_to_random_is_the_best_that_the_rules_allow() -> None:
    (hands,) = deals(1)
    cards = np.array([[*hands[0], *hands[1]]])
    values = [solver.chances(cards, seat)[0, 0] for seat in range(2)]  # after one round, by splits
    # The first split of ten cards has the first five, and the last one the others.
    each = [values[seat][place] for seat in range(2) for place in (0, -1)]
    expected = everywhere("random", hands, 1)
    assert 2 / 3 + 2 / 3 * np.mean(each) == pytest.approx(float(expected), abs=1e-12)


def test_random_is_known_within_its_error_and_plays_for_honour() -> None:
    fewer = solver.to_random(200)
    for rounds, sampled in zip(LENGTHS, fewer, strict=True):
        shipped = returns.best_reply("pokermarket", "random", rounds)
        assert shipped is not None
        assert shipped.method is returns.Method.SEARCHED
        assert abs(sampled.returns - shipped.returns) < 4.5 * (sampled.error + shipped.error)
        assert not shipped.fair


def test_every_player_of_the_house_has_a_figure_at_every_length() -> None:
    known = {
        name: [returns.best_reply("pokermarket", name, rounds) for rounds in LENGTHS] for name in STRATEGIES
    }
    assert all(each is not None for figures in known.values() for each in figures)
    fair = {name for name in STRATEGIES if returns.may_take_stakes("pokermarket", name, 2)}
    assert fair == set(solver.NEVER_BEHIND)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["search", "broker"])
def test_who_would_trade_its_place_for_a_better_hand_is_noticed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "_HAND", 3.0)  # points that the best hand is worth: more than a place is
    assert not solver.never_behind(name, solver.TESTED)
