"""`adaptive` finds out whoever has a habit, and is no prey where there is none to find."""

from __future__ import annotations

from itertools import permutations, product
from math import gcd
from typing import TYPE_CHECKING

import numpy as np
import pytest

from chatbot.games.chickenpoker.contest.adaptive import Adaptive, RoundScene, assign, every, prospects
from chatbot.games.chickenpoker.contest.session import (
    Even,
    Failed,
    Forfeit,
    Linear,
    Nash,
    Played,
    StepPlayer,
    play,
)
from chatbot.games.chickenpoker.rules.showdown import winner
from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.games.chickenpoker.contest.adaptive import Floats
    from chatbot.games.chickenpoker.contest.session import SessionPlayer, Start

AFTER = 20  # games in which it learns


def adaptive(word: str = "adaptive") -> Adaptive:
    return Adaptive(Rng.of(word))


def points(players: Sequence[SessionPlayer], cards: int, games: int, after: int = 0) -> Floats:
    """Play, and give what each scored in each game after the first ones."""
    played = [e.points for e in play(players, cards, games) if isinstance(e, Played) and e.game >= after]
    return np.array(played, dtype=np.float64)


def share(players: Sequence[SessionPlayer], cards: int, games: int, after: int = 0) -> float:
    found = points(players, cards, games, after)
    return float(found[:, 0].sum() / found.sum())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("cards", [5, 6, 10])
def test_it_takes_all_but_one_round_from_every_linear_player(cards: int) -> None:
    # Who knows an order shows one more than each card, and its 1 against the highest: n + 1 points of
    # n (n + 1) are lost. Two rounds a game may go wrong besides, where it is not sure.
    for start, step in product(range(1, cards + 1), (s for s in range(1, cards) if gcd(s, cards) == 1)):
        found = share([adaptive(), Linear(StepPlayer(start, step))], cards, AFTER + 4, AFTER)
        assert found > 0.55
        assert found >= 1 - 3 / cards


@pytest.mark.slow
@pytest.mark.parametrize("cards", [17, 31, 50])
def test_it_takes_nearly_all_from_linear_players_with_many_cards(cards: int) -> None:
    step = next(each for each in (7, 3, 9) if gcd(each, cards) == 1)
    assert share([adaptive(), Linear(StepPlayer(4, step))], cards, 6, 3) > 0.9


@pytest.mark.slow
@pytest.mark.parametrize(("cards", "games"), [(5, 400), (10, 200)])
@pytest.mark.parametrize("opponent", [Even, Nash])
def test_against_even_draws_it_neither_gains_nor_loses(
    opponent: type[Even | Nash], cards: int, games: int
) -> None:
    # Nobody can do better or worse on average (`equilibrium`): half of the points, give or take five errors.
    own = points([adaptive(), opponent(Rng.of("other"))], cards, games)[:, 0]
    assert abs(own.mean() - cards * (cards + 1) / 2) < 5 * own.std() / games**0.5


@pytest.mark.slow
def test_among_three_it_lives_on_the_one_who_has_a_habit() -> None:
    players: list[SessionPlayer] = [adaptive(), Even(Rng.of("r")), Linear(StepPlayer(1, 1))]
    own, even, linear = points(players, 8, 60, AFTER).sum(axis=0)
    assert own > even > linear


@pytest.mark.slow
def test_it_cannot_be_led_by_the_nose_for_long() -> None:
    """Against somebody who repeats itself and then turns on whoever relies on it, it draws evenly again."""

    class Trap(Linear):
        """Plays 1..n for some games, then always what beats the answer to that."""

        games = 0

        def begin(self, start: Start) -> None:
            super().begin(start)
            self.games += 1
            if self.games > 30:
                self._left = StepPlayer(3, 1).order(start.cards)[::-1]

    found = points([adaptive(), Trap(StepPlayer(1, 1))], 8, 80)
    assert found[40:, 0].mean() > 0.55 * 72


class Habitual(Linear):
    """Knows its hand and the highest card that somebody else showed last, and plays by some habit."""

    def begin(self, start: Start) -> None:
        self._own, self._left = start.player, list(range(1, start.cards + 1))

    def choose(self, shown: Mapping[int, int]) -> int:
        card = self.pick(max((card for player, card in shown.items() if player != self._own), default=0))
        self._left.remove(card)
        return card

    def pick(self, shown: int) -> int:
        raise NotImplementedError


class Highest(Habitual):
    """Always plays the highest card left."""

    def pick(self, shown: int) -> int:
        return self._left[-1]


class Outbids(Habitual):
    """Plays what is nearest to one more than the last card of its opponent."""

    def pick(self, shown: int) -> int:
        return min(self._left, key=lambda card: abs(card - shown - 1))


class Begins(Linear):
    """Steps by three as ever, but begins elsewhere in each game."""

    luck = Rng.of("begins")

    def begin(self, start: Start) -> None:
        self._left = StepPlayer(1 + self.luck.below(start.cards), 3).order(start.cards)[::-1]


@pytest.mark.slow
@pytest.mark.parametrize("opponent", [Highest, Outbids, Begins])
def test_it_finds_out_other_habits_too(opponent: type[Linear]) -> None:
    assert share([adaptive(), opponent(StepPlayer(1, 1))], 10, AFTER + 20, AFTER) > 0.6


def test_a_player_who_leaves_a_game_does_not_confuse_it() -> None:
    class Leaves(Linear):
        def choose(self, shown: Mapping[int, int]) -> int:
            if len(self._left) == 2:
                raise Forfeit("ended", "it goes")
            return super().choose(shown)

    events = list(play([adaptive(), Leaves(StepPlayer(1, 1)), Linear(StepPlayer(2, 1))], 6, 20))
    assert sum(isinstance(each, Failed) for each in events) == 20
    late = [each.points for each in events if isinstance(each, Played) and each.game >= 10]
    assert sum(each[0] for each in late) > sum(each[2] for each in late)


def test_the_same_luck_gives_the_same_play() -> None:
    one, two = (points([adaptive("x"), Even(Rng.of("y"))], 6, 20) for _ in range(2))
    assert (one == two).all()


# What it is made of


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (2, 2), (4, 4), (5, 5), (3, 5)])
def test_an_assignment_is_the_best_of_all(rows: int, columns: int) -> None:
    generator = np.random.Generator(np.random.PCG64(rows * 10 + columns))
    for _ in range(30):
        gains = generator.integers(-5, 6, (rows, columns)).astype(np.float64)
        best = max(
            sum(gains[row, column] for row, column in enumerate(order))
            for order in permutations(range(columns), rows)
        )
        found = assign(gains)
        assert len(set(found.tolist())) == rows
        assert gains[np.arange(rows), found].sum() == pytest.approx(best)


@pytest.mark.parametrize(("lower", "higher"), [(0, 1), (1, 0), (1, 1), (0, 3), (2, 1)])
def test_prospects_are_those_of_the_rules_over_everything_that_may_be_shown(lower: int, higher: int) -> None:
    cards, rounds = 4, 2
    generator = np.random.Generator(np.random.PCG64(7))
    forecasts = [generator.dirichlet(np.ones(cards), rounds) for _ in range(lower + higher)]
    hand = np.array([1, 2, 4])
    found = prospects(hand, forecasts[:lower], forecasts[lower:])
    for number, (place, card) in product(range(rounds), enumerate(hand.tolist())):
        expected = 0.0
        for others in product(range(1, cards + 1), repeat=len(forecasts)):
            shown = [*others[:lower], card, *others[lower:]]
            if winner(dict(enumerate(shown, 1))) == lower + 1:
                chances = [each[number, other - 1] for each, other in zip(forecasts, others, strict=True)]
                expected += float(np.prod(chances)) * sum(shown)
        assert found[number, place] == pytest.approx(expected)


def test_every_habit_forecasts_only_cards_that_are_held() -> None:
    generator = np.random.Generator(np.random.PCG64(3))
    for habit in every(6):
        for _ in range(4):
            order, before = generator.permutation(6) + 1, generator.permutation(6) + 1
            held, last, others = np.ones(6, dtype=np.bool_), 0, 0
            for number, card in enumerate(order.tolist()):
                scene = RoundScene(number, held.copy(), last, others, before)
                found = habit.forecast(scene, 6 - number)
                assert found.sum(axis=1) == pytest.approx(np.ones(6 - number))
                assert (found >= 0).all()
                assert (found[:, ~held] == 0).all()
                assert (found[0, held] > 0).all()
                habit.learn(scene, card)
                held[card - 1] = False
                last, others = card, int(generator.integers(1, 7))
