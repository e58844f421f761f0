"""What games of an arm say about its mean gain, and how sure that is.

A gain is at least -1 of what could be lost. If an arm does not gain on average, whoever stakes a fixed
part of a purse on each game has a purse that does not grow on average, however long that goes on and
whenever it is looked at; so it ever grows a thousandfold with a chance of one in a thousand at most (Ville
1939). The mean of such purses, for several parts, is the evidence. It needs no normal distribution and no
number of games fixed beforehand: a search may go on until it is sure, and accounts may stop when they like.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp, log, log1p, nan, sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    from benchmarks.economy_players import Played

PARTS = 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95
BEFORE, BEFORE_MEAN, BEFORE_SQUARE = 3, -0.05, 0.25  # as if so many games had been played, with that result
HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Claim:
    """What should hold, and what was found."""

    what: str
    found: str
    holds: bool


@dataclass(slots=True)
class Score:
    """Games of one arm."""

    gains: list[int] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    seconds: float = 0.0  # of the channel, with the tables that were left
    left: int = 0  # tables at which nothing was played for
    lines: int = 0
    _purses: list[float] = field(default_factory=lambda: [0.0] * len(PARTS))  # as logarithms

    def add(self, game: Played) -> None:
        self.seconds += game.seconds
        if not game.risk:
            self.left += 1
            return
        self.gains.append(game.gained)
        self.shares.append(game.share)
        self._purses = [
            purse + log1p(part * game.share) for purse, part in zip(self._purses, PARTS, strict=True)
        ]

    @property
    def games(self) -> int:
        return len(self.shares)

    @property
    def evidence(self) -> float:
        """The logarithm of how often the mean purse has grown."""
        most = max(self._purses)
        return most + log(fmean(exp(each - most) for each in self._purses))

    @property
    def share(self) -> float:
        return fmean(self.shares) if self.shares else nan

    @property
    def gain(self) -> float:
        """Credits a game."""
        return fmean(self.gains) if self.gains else nan

    @property
    def an_hour(self) -> float:
        """Credits an hour, time at tables that were left included."""
        return sum(self.gains) * HOUR / self.seconds if self.seconds else nan

    @property
    def share_error(self) -> float:
        return _error(self.shares)

    @property
    def gain_error(self) -> float:
        return _error(self.gains)

    @property
    def hour_error(self) -> float:
        return self.gain_error * self.games * HOUR / self.seconds if self.seconds else nan

    @property
    def cost(self) -> float:
        """Lines for each game that was played for something; one that is never played gets dearer."""
        return self.lines / max(self.games, 1) if self.lines else 1.0

    @property
    def mean(self) -> float:
        """The mean share, by the games so far and before any."""
        return (sum(self.shares) + BEFORE * BEFORE_MEAN) / (self.games + BEFORE)

    @property
    def spread(self) -> float:
        """How far shares lie from nothing, by the games so far and before any."""
        squares = sum(each * each for each in self.shares) + BEFORE * BEFORE_SQUARE
        return sqrt(squares / (self.games + BEFORE))

    def promise(self, mean: float) -> float:
        """Tell how quickly a mean like this would be shown, with shares so far apart and games so long."""
        return mean / self.spread / sqrt(self.cost)

    def guess(self, likes: Random) -> float:
        """Draw what the mean could be."""
        squares = sum((each - self.mean) ** 2 for each in self.shares) + BEFORE * BEFORE_SQUARE
        return likes.gauss(self.mean, sqrt(squares) / (self.games + BEFORE))


def _error(values: list[int] | list[float]) -> float:
    return stdev(values) / sqrt(len(values)) if len(values) > 1 else nan
