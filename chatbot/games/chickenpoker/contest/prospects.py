"""What each card would score in each of the rounds to come, if the others play as is forecast."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.games.chickenpoker.contest.assignment import Floats, Places


def prospects(hand: Places, lower: Sequence[Floats], higher: Sequence[Floats]) -> Floats:
    """Give the expected points of each card of the hand in each round: (rounds, cards).

    `lower` and `higher` are the forecasts of the players with lower and with higher ids than the own: how
    likely each shows each of the cards 1..n in each round, (rounds, n); they are taken as independent.
    """
    below, above = _ties(hand, lower), _ties(hand, higher)
    points: Floats = np.zeros((1, len(hand)))
    for before, (chance, shown) in enumerate(below):
        for after, (other_chance, other_shown) in enumerate(above):
            wins = hand % (before + after + 1) == before  # the rule of `showdown.winner`
            worth = chance * other_chance * hand + shown * other_chance + chance * other_shown
            points = points + np.where(wins, worth, 0.0)  # it may grow to more rounds
    return points


def _ties(hand: Places, forecasts: Sequence[Floats]) -> list[tuple[Floats, Floats]]:
    """Count those who show the same card as ours while none of them shows a higher one.

    For 0, 1, 2 … such players: how likely that is, and that times what they all show.
    """
    rounds = len(forecasts[0]) if forecasts else 1
    found = [(np.ones((rounds, len(hand))), np.zeros((rounds, len(hand))))]
    for forecast in forecasts:
        equal, under, shown = _one(hand, forecast)
        following = [(chance * under, points * under + chance * shown) for chance, points in found]
        following.append((np.zeros_like(equal), np.zeros_like(equal)))
        for ties, (chance, points) in enumerate(found, 1):
            before = following[ties]
            following[ties] = (before[0] + chance * equal, before[1] + points * equal + chance * equal * hand)
        found = following
    return found


def _one(hand: Places, forecast: Floats) -> tuple[Floats, Floats, Floats]:
    """How likely one player shows the same card as ours, a lower one, and what that shows on average."""
    values = np.arange(1, forecast.shape[1] + 1)
    up_to, points = forecast.cumsum(axis=1), (forecast * values).cumsum(axis=1)
    equal = forecast[:, hand - 1]
    return equal, up_to[:, hand - 1] - equal, points[:, hand - 1] - equal * hand
