"""Ratings of players from all their games at once, by who did better than another, with standard errors.

The model is that of Bradley and Terry (1952), on the scale of Elo: 400 points are odds of ten to one. Each
player has a prior of one draw against a player of strength 0, so that every rating is finite. All games
count alike: unlike ratings that move with each game, these do not depend on the order of matches.

A standard error is the larger of two: that of the model, as if games were independent, and that of the
sandwich estimator (Huber 1967, White 1982), which uses how results differ between matches of the same
players, for games of one match may depend on each other. It says how well the rating of the model is
known, not whether the model holds: where A beats B, B beats C and C beats A, ratings are equal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from arena.engine.match import MatchResult

MEAN = 1500.0  # rating, of all players
UNIT = 400 / np.log(10)  # points of a rating for odds of e to 1
_TOLERANCE = 1e-10  # of a step of Newton's method, in natural logarithms of odds
_MAX_STEPS = 200
# In natural logarithms of odds: where nearly all games are won the likelihood is flat, and a full step would
# lead far beyond its maximum.
_LONGEST_STEP = 2.0
_MAX_HALVINGS = 35  # of the longest step, which is below the tolerance then

Vector: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Record:
    """Games won, drawn and lost; a game of several players counts once against each of the others."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def __add__(self, other: Record) -> Record:
        return Record(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of a player in points; the mean of all players is `MEAN`."""

    points: float
    error: float  # standard error, relative to the mean of all players


@dataclass(slots=True)
class EncounterTable:
    """The sums of all matches of the same players, which are in ascending order."""

    players: tuple[int, ...]
    matches: int = 0
    games: int = 0
    ahead: list[list[int]] = field(default_factory=list)  # games in which one (row) did better than another
    products: list[list[int]] = field(
        default_factory=list
    )  # sums of the products of two players' results of a match

    def __post_init__(self) -> None:
        self.ahead = [[0] * len(self.players) for _ in self.players]
        self.products = [[0] * len(self.players) for _ in self.players]

    def add(self, games: int, ahead: Sequence[Sequence[int]]) -> None:
        """Count a match; `ahead` is in the order of `players`.

        The result of a player is the games that it won less those that it lost, against all the others.
        """
        results = [sum(row) - sum(each[place] for each in ahead) for place, row in enumerate(ahead)]
        self.matches += 1
        self.games += games
        for place, row in enumerate(ahead):
            for other, wins in enumerate(row):
                self.ahead[place][other] += wins
                self.products[place][other] += results[place] * results[other]

    def record(self, place: int) -> Record:
        """Return the record of the player at an index of `players`."""
        wins, losses = sum(self.ahead[place]), sum(row[place] for row in self.ahead)
        return Record(wins, self.games * (len(self.players) - 1) - wins - losses, losses)


class Encounters:
    """The tables of all sets of players that met: few, unless players are drawn for each match."""

    def __init__(self) -> None:
        self._tables: dict[tuple[int, ...], EncounterTable] = {}

    @property
    def tables(self) -> Sequence[EncounterTable]:
        """The tables, in the order of their players."""
        return [self._tables[players] for players in sorted(self._tables)]

    def records(self) -> Mapping[int, Record]:
        """Return the record of each player who has been compared."""
        records: dict[int, Record] = {}
        for table in self.tables:
            for place, player in enumerate(table.players):
                records[player] = records.get(player, Record()) + table.record(place)
        return records

    def add(self, result: MatchResult) -> None:
        """Count a match, if its games compare players."""
        if not result.ahead:
            return
        seats = result.match.seats
        order = sorted(range(len(seats)), key=lambda seat: seats[seat])
        players = tuple(seats[seat] for seat in order)
        table = self._tables.setdefault(players, EncounterTable(players))
        table.add(result.games, [[result.ahead[seat][other] for other in order] for seat in order])


@dataclass(frozen=True, slots=True)
class StrengthFit:
    """The most likely strengths of players, in natural logarithms of odds, and how well they are known."""

    players: tuple[int, ...]  # of each row, sorted by name
    strengths: Vector
    uncertainty: Vector  # the covariance of strengths by the model, prior included
    observed: Vector  # the covariance of the scores of matches, as `_covariance` estimates it

    def ratings(self) -> Mapping[int, Rating]:
        """Return the rating of each player."""
        points = MEAN + UNIT * (self.strengths - self.strengths.mean())
        errors = _errors(self.uncertainty, self.observed)
        rows = zip(self.players, points, errors, strict=True)
        return {player: Rating(float(own), float(error)) for player, own, error in rows}


def rate(tables: Sequence[EncounterTable], names: Mapping[int, str]) -> Mapping[int, Rating]:
    """Rate all players of the tables; as `fit`."""
    return fit(tables, names).ratings()


def fit(
    tables: Sequence[EncounterTable], names: Mapping[int, str], others: Iterable[int] = ()
) -> StrengthFit:
    """Estimate the strengths of all players of the tables, and of `others`, who may not have played.

    Players are sorted by `names`, so that rounding does not depend on the order of players or matches.
    """
    table_players = {each for table in tables for each in table.players}
    players = sorted({*table_players, *others}, key=lambda each: names[each])
    places = {player: place for place, player in enumerate(players)}
    wins, games, covariance = (np.zeros((len(players), len(players))) for _ in range(3))
    for table in sorted(tables, key=lambda each: sorted(places[player] for player in each.players)):
        index = np.ix_(*[[places[each] for each in table.players]] * 2)
        ahead = np.array(table.ahead, dtype=np.float64)
        wins[index] += (table.games + ahead - ahead.T) / 2
        games[index] += table.games
        covariance[index] += _covariance(table)
    np.fill_diagonal(wins, 0)
    np.fill_diagonal(games, 0)
    strengths = _strengths(wins, games)
    uncertainty = np.asarray(np.linalg.inv(_curvature(strengths, games)), dtype=np.float64)
    return StrengthFit(tuple(players), strengths, uncertainty, covariance)


def _strengths(wins: Vector, games: Vector) -> Vector:
    """Return the most likely strengths, in logarithms of odds, by Newton's method.

    The likelihood is concave, so it has one maximum; a step that would lower it is halved.
    """
    strengths = np.zeros(len(wins))
    likelihood = _log_likelihood(strengths, wins)
    for _ in range(_MAX_STEPS):
        expected = (games * _probabilities(strengths)).sum(axis=1)
        gradient = wins.sum(axis=1) - expected + 0.5 - _probability(strengths)
        step = np.linalg.solve(_curvature(strengths, games), gradient)
        size = float(np.abs(step).max())
        if size < _TOLERANCE:
            break
        step *= min(1.0, _LONGEST_STEP / size)
        following = _log_likelihood(strengths + step, wins)
        for _ in range(_MAX_HALVINGS):
            if following >= likelihood or np.abs(step).max() <= _TOLERANCE:
                break
            step /= 2
            following = _log_likelihood(strengths + step, wins)
        strengths, likelihood = strengths + step, following
    return strengths


def _log_likelihood(strengths: Vector, wins: Vector) -> float:
    """Return the logarithm of the likelihood, prior included."""
    negative_logs = np.logaddexp(0, strengths[None, :] - strengths[:, None])
    prior = np.logaddexp(0, strengths) + np.logaddexp(0, -strengths)
    return float(-(wins * negative_logs).sum() - prior.sum() / 2)


def _curvature(strengths: Vector, games: Vector) -> Vector:
    """Return the negative second derivatives of the log-likelihood (the Fisher information)."""
    probabilities = _probabilities(strengths)
    information = games * probabilities * (1 - probabilities)
    prior = _probability(strengths)
    curvature: Vector = np.diag(information.sum(axis=1) + prior * (1 - prior)) - information
    return curvature


def _covariance(table: EncounterTable) -> Vector:
    """Return the covariance of the scores of all matches together; zero where one match gives no estimate."""
    if table.matches < 2:
        return np.zeros((len(table.players), len(table.players)))
    ahead = np.array(table.ahead, dtype=np.float64)
    sums = ahead.sum(axis=1) - ahead.sum(axis=0)
    # A result is games won less games lost; a score, with half a point for a draw, differs by half as much.
    products = np.array(table.products, dtype=np.float64) - np.outer(sums, sums) / table.matches
    covariance: Vector = products / 4 * (table.matches / (table.matches - 1))
    return covariance


def _errors(inverse: Vector, covariance: Vector) -> Vector:
    """Return standard errors in points: by the model, or by the sandwich estimator if that is larger."""
    centring = np.eye(len(inverse)) - 1 / len(inverse)
    model, observed = (centring @ each @ centring for each in (inverse, inverse @ covariance @ inverse))
    errors: Vector = UNIT * np.sqrt(np.maximum(np.maximum(model.diagonal(), observed.diagonal()), 0))
    return errors


def _probabilities(strengths: Vector) -> Vector:
    """Return the probability that each player (row) wins against each (column)."""
    return _probability(strengths[:, None] - strengths[None, :])


def _probability(odds: Vector) -> Vector:
    probability: Vector = 1 / (1 + np.exp(-odds))
    return probability
