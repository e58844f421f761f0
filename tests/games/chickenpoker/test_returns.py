"""What the best reply to a player of the house returns, by the solver and by all that can happen."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

import pytest

from chatbot.games.chickenpoker.rules.moves import Play
from chatbot.games.chickenpoker.rules.rules import CARDS, ChickenPoker
from chatbot.games.chickenpoker.rules.states import Over, Playing
from chatbot.games.chickenpoker.solver import equilibrium
from chatbot.games.chickenpoker.solver import returns as solver
from chatbot.games.chickenpoker.strategies import PLANS
from chatbot.kernel import returns
from chatbot.kernel.game import Moment, Timeout
from chatbot.kernel.lobby import Lobby
from tests.games.chickenpoker.table import ANN, LINEAR, NASH, RANDOM
from tests.games.enumerated import outcomes

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from chatbot.games.chickenpoker.rules.states import State
    from chatbot.kernel.fair import Rng
    from chatbot.kernel.game import Seat

Weighed: TypeAlias = "Sequence[tuple[Fraction, State]]"  # states that look alike, each with its probability

STAKE = 60
GAME = ChickenPoker()
LENGTHS = range(CARDS.least, CARDS.most + 1)
HOUSE = {"random": RANDOM, "linear": LINEAR, "nash": NASH}


def by_rules(house: Seat, cards: int) -> Fraction:
    """Play with the rules themselves: seats, draws of the house and payments are theirs."""

    def dealt(rng: Rng) -> State:
        lobby = Lobby((ANN, house), cards, STAKE)
        clock = GAME.clock(lobby)
        assert clock is not None
        return GAME.apply(lobby, Timeout(clock), Moment(rng)).state

    return sum(map(best, alike(outcomes(dealt))), Fraction(0)) / STAKE


def best(states: Weighed) -> Fraction:
    """Return what the best reply is paid, times the probability of all these; it cannot tell them apart."""
    _, first = states[0]
    if isinstance(first, Over):
        return sum((chance * paid(state) for chance, state in states), Fraction(0))
    assert isinstance(first, Playing)
    return max(
        sum(map(best, alike(after(states, Play(ANN, card)))), Fraction(0)) for card in first.hands[ANN]
    )


def after(states: Weighed, play: Play) -> Iterable[tuple[Fraction, State]]:
    for chance, state in states:

        def played(rng: Rng, state: State = state) -> State:
            return GAME.apply(state, play, Moment(rng)).state

        yield from ((chance * each, came) for each, came in outcomes(played))


def alike(states: Iterable[tuple[Fraction, State]]) -> Iterable[Weighed]:
    """Put together what looks the same to who replies: seats, and what was shown."""
    groups: defaultdict[Hashable, list[tuple[Fraction, State]]] = defaultdict(list)
    for chance, state in states:
        assert isinstance(state, Playing | Over)
        shown = tuple(tuple(each.card for each in round_shown.shown) for round_shown in state.history)
        groups[isinstance(state, Over), state.players, shown].append((chance, state))
    return groups.values()


def paid(state: State) -> int:
    assert isinstance(state, Over)
    return state.shares.get(ANN, 0)


@pytest.mark.parametrize("cards", [2, 3, 4])
@pytest.mark.parametrize("name", PLANS)
def test_the_table_has_what_playing_on_in_every_possible_way_returns(name: str, cards: int) -> None:
    figure = returns.best_reply("chickenpoker", name, cards)
    assert figure is not None
    assert figure.returns == by_rules(HOUSE[name], cards)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANS)
def test_the_table_has_what_five_cards_return_in_every_possible_way(name: str) -> None:
    figure = returns.best_reply("chickenpoker", name, 5)
    assert figure is not None
    assert figure.returns == by_rules(HOUSE[name], 5)


def test_every_player_of_the_house_has_an_exact_figure_at_every_length() -> None:
    for name in PLANS:
        for cards in LENGTHS:
            figure = returns.best_reply("chickenpoker", name, cards)
            assert figure is not None, (name, cards)
            assert figure.method is returns.Method.EXACT


def test_even_draws_return_the_stake_at_every_length_and_an_order_is_for_honour() -> None:
    assert all(returns.may_take_stakes("chickenpoker", "nash", cards) for cards in LENGTHS)
    assert all(returns.may_take_stakes("chickenpoker", "random", cards) for cards in LENGTHS)
    fair = [cards for cards in LENGTHS if returns.may_take_stakes("chickenpoker", "linear", cards)]
    assert fair == [2, 3]  # as all their orders are as likely as by even draws


@pytest.mark.parametrize("cards", range(2, 7))
def test_the_table_has_what_the_solver_works_out(cards: int) -> None:
    known: Mapping[str, returns.BestReply | None] = {
        name: returns.best_reply("chickenpoker", name, cards) for name in PLANS
    }
    assert known["nash"] == solver.of_mix(equilibrium.weights, cards)
    assert known["random"] == solver.of_mix(solver.even, cards)
    assert known["linear"] == returns.exactly(solver.against_orders(cards), "orders")


def test_a_mix_that_is_not_even_is_beaten() -> None:
    def twice_the_first(hand: Sequence[int], other: Sequence[int], lower: bool) -> Sequence[int]:
        return (2, *(1 for _ in hand[1:]))

    # The house shows 1 first with a probability of 2/3. Two 1s go to the higher id, two 2s to the lower one.
    # Lower id: the same cards in both rounds are -2 + 4 points, hence won; others are shared. So who shows 1
    # first gets 2/3 of 2 stakes and 1/3 of 1. Higher id: the same cards are lost, so 2 first gets 2/3 of 1.
    assert solver.by_induction(twice_the_first, 2) == (Fraction(5, 3) + Fraction(2, 3)) / 2
    assert not solver.draws_evenly(twice_the_first)
    with pytest.raises(ArithmeticError, match="even draws only"):
        solver.of_mix(twice_the_first, solver.INDUCTION_CARDS + 1)


def test_weights_that_whole_numbers_cannot_hold_are_refused() -> None:
    def tiny(hand: Sequence[int], other: Sequence[int], lower: bool) -> Sequence[int]:
        return (2**40, *(1 for _ in hand[1:]))

    with pytest.raises(ArithmeticError, match="64 bits"):
        solver.by_induction(tiny, 4)


@pytest.mark.nightly
def test_nine_cards_return_the_stake_in_all_hands_and_margins_as_the_theorem_says() -> None:
    assert solver.by_induction(equilibrium.weights, 9) == 1
