"""Many games at once are scored by the same rules as one, and drawn with the same chances."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from chatbot.games.chickenpoker.contest import batch, session
from chatbot.games.chickenpoker.contest.session import Even, Linear, StepPlayer
from chatbot.games.chickenpoker.rules.showdown import player_id, winner
from chatbot.kernel.fair import Rng


@pytest.mark.parametrize(("players", "cards"), [(2, 12), (3, 6), (4, 5), (5, 3)])
def test_every_round_there_can_be_has_the_winner_of_the_rules(players: int, cards: int) -> None:
    every = list(product(range(1, cards + 1), repeat=players))
    for first in range(players):  # whose ids are another rotation
        shown = np.array(every, dtype=np.int16).T[:, None, :].repeat(players, axis=1)
        wins = batch.wins(shown, first)
        for game in range(players):
            ids = [player_id(place, first + game, players) for place in range(players)]
            for number, hand in enumerate(every):
                best = winner(dict(zip(ids, hand, strict=True)))
                assert wins[:, game, number].tolist() == [each == best for each in ids]


def test_a_batch_of_linear_players_is_the_session_of_the_rules() -> None:
    steps = [StepPlayer(1, 1), StepPlayer(3, 2), StepPlayer(2, -1)]
    played = [
        e.points for e in session.play([Linear(e) for e in steps], 5, 9) if isinstance(e, session.Played)
    ]
    (games,) = batch.play(steps, 5, 9, "no luck is needed")
    assert games.points.tolist() == [list(points) for points in played]


def test_a_session_is_divided_without_losing_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "_CELLS", 60)  # 6 games of 2 players and 5 cards
    parts = list(batch.play([None, StepPlayer(1, 1)], 5, 20, "divided"))
    assert [part.first for part in parts] == [0, 6, 12, 18]
    for part in parts:
        for offset, points in enumerate(part.points):
            ids = [player_id(place, part.first + offset, 2) for place in (0, 1)]
            totals = [0, 0]
            for cards in part.shown[:, offset].T.tolist():
                totals[ids.index(winner(dict(zip(ids, cards, strict=True))))] += sum(cards)
            assert points.tolist() == totals


def test_large_hands_do_not_overflow() -> None:
    (games,) = batch.play([StepPlayer(1, 1), StepPlayer(2, 1)], 40_000, 1, "large")
    # The second is ahead by one in every round but the last, in which 40000 meets 1.
    assert games.points.tolist() == [[40_001, 40_000 * 40_001 - 40_001]]
    for players, cards in (
        (2, 63),
        (2, 64),
        (4, 32),
        (3, 128),
        (2, 16_384),
        (3, 32_768),
    ):  # small numbers end there
        (games,) = batch.play([None] * players, cards, 1, "large")
        assert games.points.sum() == players * cards * (cards + 1) // 2
        assert (np.sort(games.shown, axis=2) == np.arange(1, cards + 1)).all()


def test_hands_are_drawn_evenly_and_independently() -> None:
    games = 40_000
    parts = list(batch.play([None, None], 4, games, "even"))
    shown = np.concatenate([part.shown for part in parts], axis=1)
    assert shown.shape == (2, games, 4)
    # Each of 16 pairs of opening cards comes in a 16th of the games; five standard errors either way.
    seen = np.bincount((shown[0, :, 0] - 1) * 4 + shown[1, :, 0] - 1, minlength=16)
    assert np.abs(seen - games / 16).max() < 5 * (games * 15 / 256) ** 0.5
    # And each of 24 orders in a 24th.
    _, orders = np.unique(shown[0], axis=0, return_counts=True)
    assert len(orders) == 24
    assert np.abs(orders - games / 24).max() < 5 * (games * 23 / 576) ** 0.5


def test_points_of_both_paths_have_the_same_mean_and_spread() -> None:
    games = 3000
    plain = np.array(
        [
            event.points
            for event in session.play([Even(Rng.of("a")), Even(Rng.of("b"))], 6, games)
            if isinstance(event, session.Played)
        ]
    )[:, 0]
    (quick,) = batch.play([None, None], 6, games, "c")
    fast = quick.points[:, 0]
    error = (plain.var() / games + fast.var() / games) ** 0.5
    assert abs(plain.mean() - fast.mean()) < 5 * error
    assert 0.85 < plain.var() / fast.var() < 1.15  # the standard error of the ratio is about 0.03


def test_a_session_between_equals_is_even() -> None:
    games = 30_000
    points = np.concatenate([part.points for part in batch.play([None] * 3, 5, games, "equals")])
    # 45 points a game among three; each mean lies within five standard errors of 15.
    assert np.abs(points.mean(axis=0) - 15).max() < 5 * float(points.std()) / games**0.5
