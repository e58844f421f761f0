"""Players of the house in Chicken Poker's contest: whole games, the orders asked for, and what is learned."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

import pytest

from chatbot.games.chickenpoker.contest.contest import ChickenContest
from chatbot.games.chickenpoker.contest.contestants import NAMES, Contestants, usual_steps
from chatbot.kernel.contest import Learner
from chatbot.kernel.game import Failure
from tests.games.chickenpoker.contest import chancy, made, played, scripted

if TYPE_CHECKING:
    from chatbot.games.chickenpoker.contest.contestants import Situation


@pytest.mark.slow
@pytest.mark.parametrize("cards", [1, 2, 9, 10, 30, 100])
@pytest.mark.parametrize("name", NAMES)
def test_players_of_the_house_play_whole_games_with_two_and_more(name: str, cards: int) -> None:
    contest = ChickenContest(cards=cards)
    for others in (1, 2):
        found = played(contest, 2 * (others + 1), made(contest.strategies[name]), *[chancy] * others)
        assert sum(found.scores) == (others + 1) * cards * (cards + 1) // 2  # nobody has forfeited


def test_linear_plays_the_order_that_is_asked_for() -> None:
    heard: list[Situation] = []
    played(
        ChickenContest(cards=10), 1, made(Contestants(10)["linear 3 7"]), scripted(range(1, 11), heard=heard)
    )
    assert [row[0] for row in heard[-1].shown] == [3, 10, 7, 4, 1, 8, 5, 2, 9]


@pytest.mark.parametrize("cards", [1, 2, 3, 6, 10, 36, 97, 100])
def test_the_usual_linear_plays_every_card(cards: int) -> None:
    steps = usual_steps(cards)
    assert sorted(steps.order(cards)) == list(range(1, cards + 1))
    assert gcd(steps.step, cards) == 1


@pytest.mark.parametrize(
    "words", ["linear 0 1", "linear 11 1", "linear 3 4", "linear 3", "linear 1 2 3", "linear x 3"]
)
def test_a_linear_that_cannot_play_all_cards_is_refused(words: str) -> None:
    with pytest.raises(
        Failure, match=r"^linear takes a START from 1 to 10 and a STEP that has no divisor in "
    ):
        Contestants(10)[words]


def test_no_other_name_is_a_player() -> None:
    players = Contestants(10)
    assert list(players) == ["random", "linear", "nash", "adaptive", "champion"]
    assert "linear 1 3" in players
    for other in ("linearly", "nobody", "", "random 1", "human"):
        assert other not in players


@pytest.mark.slow
def test_adaptive_begins_every_match_knowing_nothing() -> None:
    adaptive = Contestants(6)["adaptive"]
    assert isinstance(adaptive, Learner)
    contest = ChickenContest(cards=6)
    runs = [played(contest, 30, adaptive.make(), scripted([1, 2, 3, 4, 5, 6])) for _ in range(2)]
    assert runs[0].scores == runs[1].scores


@pytest.mark.slow
def test_adaptive_takes_more_from_whoever_repeats_an_order_than_random_does() -> None:
    contest = ChickenContest(cards=10)
    order = scripted([5, 10, 2, 7, 1, 9, 3, 8, 4, 6])
    learner, random = (made(contest.strategies[name]) for name in ("adaptive", "random"))
    assert played(contest, 60, learner, order).scores[0] > 0.6 * 110
    # Evenly drawn cards score half of what there is, whatever the other plays.
    assert abs(float(played(contest, 2000, random, order).scores[0]) - 55) < 2
