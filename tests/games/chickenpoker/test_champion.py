"""`champion` foresees whoever plays as `adaptive`, and is one itself against the others."""

from __future__ import annotations

from functools import cache
from statistics import mean, stdev
from typing import TYPE_CHECKING

import pytest

from chatbot.games.chickenpoker.contest.adaptive import Adaptive
from chatbot.games.chickenpoker.contest.champion import Champion, Mirror
from chatbot.games.chickenpoker.contest.session import (
    Even,
    Linear,
    Played,
    SessionShown,
    Start,
    StepPlayer,
    play,
)
from chatbot.games.chickenpoker.solver.equilibrium import margin
from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.games.chickenpoker.contest.session import SessionPlayer


def champion(word: str = "champion") -> Champion:
    return Champion(Rng.of(word))


def adaptive(word: str = "adaptive") -> Adaptive:
    return Adaptive(Rng.of(word))


def shares(players: Sequence[SessionPlayer], cards: int, games: int) -> list[float]:
    """Return the first player's share of the points of each game."""
    events = play(players, cards, games)
    return [each.points[0] / sum(each.points) for each in events if isinstance(each, Played)]


def test_it_plays_each_of_its_cards_once_and_the_same_again_with_the_same_luck() -> None:
    twice = [list(play([champion(), adaptive()], 6, 6)) for _ in range(2)]
    assert twice[0] == twice[1]
    for game in range(6):
        shown = [each for each in twice[0] if isinstance(each, SessionShown) and each.game == game]
        assert sorted(each.cards[1] for each in shown) == [1, 2, 3, 4, 5, 6]
        assert sorted(each.cards[2] for each in shown) == [1, 2, 3, 4, 5, 6]


def test_the_mirror_knows_each_planned_card_of_an_adaptive_beforehand() -> None:
    mirror, other, own = Mirror(Rng.of("mirror")), adaptive("other"), Linear(StepPlayer(1, 1))
    foreseen, came = list[int](), list[int]()
    for game in range(6):
        number = game % 2 + 1
        mirror.begin(Start(number, 6, (1, 2)))
        other.begin(Start(3 - number, 6, (1, 2)))
        own.begin(Start(number, 6, (1, 2)))
        shown: dict[int, int] = {}
        for _ in range(6):
            planned = mirror.foresee(shown)
            card = other.choose(shown)
            if planned:
                foreseen.append(planned[0])
                came.append(card)
            shown = dict(sorted({number: own.choose(shown), 3 - number: card}.items()))
    assert mirror.believed
    assert len(came) > 12
    assert foreseen == came


def test_the_mirror_gives_up_on_who_plays_another_card_and_on_tables_of_three() -> None:
    champion_of_two, champion_of_three = champion(), champion()
    list(play([champion_of_two, Linear(StepPlayer(2, 1))], 6, 4))
    assert not champion_of_two._mirror.believed
    list(play([champion_of_three, adaptive(), Even(Rng.of("c"))], 6, 3))
    assert not champion_of_three._mirror.believed


@pytest.mark.slow
def test_it_beats_an_adaptive_and_a_linear() -> None:
    assert mean(shares([champion(), adaptive()], 6, 40)) > 0.55
    assert mean(shares([champion(), Linear(StepPlayer(1, 1))], 6, 24)) > 0.75


@pytest.mark.slow
def test_who_plays_one_more_than_the_order_it_shows_first_wins_nothing_by_it() -> None:
    found = shares([champion(), Linear(StepPlayer(2, 1))], 6, 30)
    assert min(found) > 0.5
    assert mean(found[6:]) > 0.75


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("cards", [6, 10])
def test_its_lead_over_adaptive_and_linear_is_no_luck(cards: int) -> None:
    for other in (adaptive, lambda word: Linear(StepPlayer(1, 1))):
        sessions = [mean(shares([champion(f"c{each}"), other(f"o{each}")], cards, 50)) for each in range(12)]
        assert mean(sessions) - 0.5 > 3 * stdev(sessions) / len(sessions) ** 0.5 + 0.1


@pytest.mark.parametrize("lower", [True, False])
def test_against_even_draws_no_play_has_a_better_chance_to_win_than_any_other(lower: bool) -> None:
    # Backward induction over both hands and the lead; the best and the worst that choices can do.
    @cache
    def chance(own: tuple[int, ...], other: tuple[int, ...], lead: int, best: bool) -> float:
        if not own:
            return (lead > 0) + (lead == 0) / 2
        choices = [
            mean(
                chance(
                    without(own, a),
                    without(other, b),
                    lead + (margin(a, b) if lower else -margin(b, a)),
                    best,
                )
                for b in other
            )
            for a in own
        ]
        return max(choices) if best else min(choices)

    hand = (1, 2, 3, 4)
    assert chance(hand, hand, 0, True) == pytest.approx(chance(hand, hand, 0, False))


def without(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    return tuple(each for each in hand if each != card)
