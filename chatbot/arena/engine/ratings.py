"""Ratings of players from all their games at once, by who did better than whom, and how sure they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.arena.engine.bout import MatchResult

MEAN = 1500.0  # of all players
UNIT = 400 / np.log(10)  # of a rating, in natural logarithms of odds
_EXACT = 1e-10  # of a step of the search, in logarithms of odds
_MOST_STEPS = 200

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Record:
    """Games won, drawn and lost; where several play in one, it counts against each of the others."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def __add__(self, other: Record) -> Record:
        return Record(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)


@dataclass(frozen=True, slots=True)
class Rating:
    """What is known of a player's strength; see `ratings`."""

    points: float
    error: float  # standard error, around the mean of all players


@dataclass(slots=True)
class EncounterTable:
    """All matches of the same players, who stand in ascending order."""

    players: tuple[int, ...]
    matches: int = 0
    games: int = 0
    ahead: list[list[int]] = field(default_factory=list)  # games in which one did better than another
    products: list[list[int]] = field(default_factory=list)  # of two players' results of a match, added up

    def __post_init__(self) -> None:
        self.ahead = [[0] * len(self.players) for _ in self.players]
        self.products = [[0] * len(self.players) for _ in self.players]

    def add(self, games: int, ahead: Sequence[Sequence[int]]) -> None:
        """Count a match, whose rows are in the order of the players.

        A player's result of it is how many more games it won than it lost, against all the others.
        """
        results = [sum(row) - sum(each[place] for each in ahead) for place, row in enumerate(ahead)]
        self.matches += 1
        self.games += games
        for place, row in enumerate(ahead):
            for other, won in enumerate(row):
                self.ahead[place][other] += won
                self.products[place][other] += results[place] * results[other]

    def record(self, place: int) -> Record:
        """Tell what one of the players has come to."""
        won, lost = sum(self.ahead[place]), sum(row[place] for row in self.ahead)
        return Record(won, self.games * (len(self.players) - 1) - won - lost, lost)


class Encounters:
    """Keeps a table for whoever has played together: few, unless people are drawn for each match."""

    def __init__(self) -> None:
        self._tables: dict[tuple[int, ...], EncounterTable] = {}

    @property
    def tables(self) -> Sequence[EncounterTable]:
        return [self._tables[players] for players in sorted(self._tables)]

    def records(self) -> Mapping[int, Record]:
        """Tell what each player has come to who has been compared."""
        found: dict[int, Record] = {}
        for table in self.tables:
            for place, player in enumerate(table.players):
                found[player] = found.get(player, Record()) + table.record(place)
        return found

    def add(self, result: MatchResult) -> None:
        """Count a match, if its games compare players."""
        if not result.ahead:
            return
        seats = result.match.seats
        order = sorted(range(len(seats)), key=lambda seat: seats[seat])
        players = tuple(seats[seat] for seat in order)
        table = self._tables.setdefault(players, EncounterTable(players))
        table.add(result.games, [[result.ahead[seat][other] for other in order] for seat in order])


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
