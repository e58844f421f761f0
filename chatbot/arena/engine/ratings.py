"""Ratings of players from all their games at once, and how certain they are.

The model is that of Bradley and Terry (1952, "Rank analysis of incomplete block designs"): one player does
better than another with the odds of their strengths, a draw being half a win for each. Ratings are the
strengths that make the results likeliest, in the units of chess: 400 points are odds of 10 to 1. All games
count alike, so, unlike ratings that move with each game, these do not depend on the order of matches.

Every player is given one more game, drawn against somebody average: this keeps the rating of whoever always
wins finite, and counts for nothing where there are hundreds of games.

An error is the larger of two standard errors. One is that of the model, as if games were independent. The
other needs no such thing: it takes how results differ between matches of the same players (Huber 1967,
White 1982), for in a match games may hang together, and so do the results of all who play in one game.
It says how well a rating is known that the model has, and not whether the model holds: where A beats B,
B beats C and C beats A, ratings are equal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatbot.arena.engine.encounters import Rating

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.arena.engine.encounters import EncounterTable

MEAN = 1500.0  # of all players
UNIT = 400 / np.log(10)  # of a rating, in natural logarithms of odds
_EXACT = 1e-10  # of a step of the search, in logarithms of odds
_MOST_STEPS = 200

Floats: TypeAlias = NDArray[np.float64]


def rate(tables: Sequence[EncounterTable], names: Mapping[int, str]) -> Mapping[int, Rating]:
    """Rate all who have played; `names` settle in which order numbers are added up."""
    players = sorted({each for table in tables for each in table.players}, key=lambda each: names[each])
    places = {player: place for place, player in enumerate(players)}
    won, games, spread = (np.zeros((len(players), len(players))) for _ in range(3))
    for table in sorted(tables, key=lambda each: sorted(places[player] for player in each.players)):
        where = np.ix_(*[[places[each] for each in table.players]] * 2)
        ahead = np.array(table.ahead, dtype=np.float64)
        won[where] += (table.games + ahead - ahead.T) / 2
        games[where] += table.games
        spread[where] += _spread(table)
    np.fill_diagonal(won, 0)
    np.fill_diagonal(games, 0)
    strengths = _strengths(won, games)
    errors = _errors(_curvature(strengths, games), spread)
    points = MEAN + UNIT * (strengths - strengths.mean())
    return {player: Rating(float(points[place]), float(errors[place])) for player, place in places.items()}


def _strengths(won: Floats, games: Floats) -> Floats:
    """Find where the likelihood is highest, by Newton's way; it has one top, and no step leads down."""
    strengths = np.zeros(len(won))
    height = _height(strengths, won)
    for _ in range(_MOST_STEPS):
        slope = won.sum(axis=1) - (games * _chances(strengths)).sum(axis=1) + 0.5 - _chance(strengths)
        step = np.linalg.solve(_curvature(strengths, games), slope)
        size = float(np.abs(step).max())
        if size < _EXACT:
            break
        step *= min(1.0, 2.0 / size)
        while (higher := _height(strengths + step, won)) < height and np.abs(step).max() > _EXACT:
            step /= 2
        strengths, height = strengths + step, higher
    return strengths


def _height(strengths: Floats, won: Floats) -> float:
    """Give the logarithm of the likelihood."""
    lost = np.logaddexp(0, strengths[None, :] - strengths[:, None])
    prior = np.logaddexp(0, strengths) + np.logaddexp(0, -strengths)
    return float(-(won * lost).sum() - prior.sum() / 2)


def _curvature(strengths: Floats, games: Floats) -> Floats:
    """Give the negative second derivatives of the likelihood: what is known, game by game."""
    chances = _chances(strengths)
    known = games * chances * (1 - chances)
    own = _chance(strengths)
    curvature: Floats = np.diag(known.sum(axis=1) + own * (1 - own)) - known
    return curvature


def _spread(table: EncounterTable) -> Floats:
    """Say how far results differ between matches, for all of them together; nothing tells it of one."""
    if table.matches < 2:
        return np.zeros((len(table.players), len(table.players)))
    ahead = np.array(table.ahead, dtype=np.float64)
    sums = ahead.sum(axis=1) - ahead.sum(axis=0)
    products = np.array(table.products, dtype=np.float64) - np.outer(sums, sums) / table.matches
    spread: Floats = products / 4 * (table.matches / (table.matches - 1))  # a win is 1 more than a defeat
    return spread


def _errors(curvature: Floats, spread: Floats) -> Floats:
    inverse = np.linalg.inv(curvature)
    around = np.eye(len(inverse)) - 1 / len(inverse)
    model, seen = (around @ each @ around for each in (inverse, inverse @ spread @ inverse))
    errors: Floats = UNIT * np.sqrt(np.maximum(np.maximum(model.diagonal(), seen.diagonal()), 0))
    return errors


def _chances(strengths: Floats) -> Floats:
    """Give the chance of each (row) against each (column)."""
    return _chance(strengths[:, None] - strengths[None, :])


def _chance(odds: Floats) -> Floats:
    chance: Floats = 1 / (1 + np.exp(-odds))
    return chance
