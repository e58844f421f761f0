"""Adds up what matches came to: exactly, in any order, and in as little memory for a million as for ten."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.arena.bout import Result
    from chatbot.kernel.contest import Score, Standing

_ALIKE = 9  # decimals: scores that are averages differ by no less, unless by rounding


@dataclass
class Sum:
    """Numbers added up, one a match, or one a game where matches are made of draws of their own.

    Sums are fractions: no rounding, so the order of matches is all one.
    """

    matches: int = 0
    count: int = 0  # of numbers
    total: Fraction = Fraction(0)
    squares: Fraction = Fraction(0)
    whole: bool = True  # every number was whole

    def add(self, value: Score) -> None:
        """Add a match's number."""
        self._add(Fraction(value), Fraction(value) ** 2, 1)
        self.whole &= isinstance(value, int)

    def add_mean(self, mean: Score, square: Score, count: int) -> None:
        """Add the numbers of a match's games: their mean, that of their squares, and how many they are."""
        self._add(Fraction(mean) * count, Fraction(square) * count, count)
        self.whole = False

    @property
    def mean(self) -> Fraction | None:
        """The mean of the numbers; None before the first."""
        return self.total / self.count if self.count else None

    @property
    def standard_error(self) -> float | None:
        """The standard error of the mean; None where there are not two numbers to tell it from."""
        if self.count < 2:
            return None
        spread = (self.squares - self.total * self.total / self.count) / (self.count - 1)
        return sqrt(max(spread, Fraction(0)) / self.count)  # means that were rounded may be off a little

    def _add(self, total: Fraction, squares: Fraction, count: int) -> None:
        self.matches += 1
        self.count += count
        self.total += total
        self.squares += squares


@dataclass
class Account:
    """What one player has come to."""

    scores: Sum = field(default_factory=Sum)
    measures: defaultdict[str, Sum] = field(default_factory=lambda: defaultdict(Sum))
    failures: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Place:
    """A player in the final order. Equal means share a rank; who has not scored has none."""

    name: str
    plays: str
    rank: int | None
    mean: float | None  # of the scores of its matches, or of their games
    standard_error: float | None
    total: float  # of its scores; whole numbers stay whole
    matches: int
    failures: Counter[str]
    measures: Mapping[str, Sum]  # what the contest tells beside the scores


@dataclass
class Curve:
    """A player's mean score as matches go on: sums at up to 200 points."""

    games: list[int] = field(default_factory=list)
    sums: list[float] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def add(self, point: int, games: int, score: float) -> None:
        if point == len(self.games):
            self.games.append(games)
            self.sums.append(0.0)
            self.counts.append(0)
        self.sums[point] += score
        self.counts[point] += 1

    @property
    def shared(self) -> Curve:
        """The points that all matches reached: those of the longest alone would jump at the end."""
        reached = sum(each == self.counts[0] for each in self.counts)
        return Curve(self.games[:reached], self.sums[:reached], self.counts[:reached])

    @property
    def means(self) -> list[float]:
        return [total / count for total, count in zip(self.sums, self.counts, strict=True)]


class Tally:
    """All that a run has come to so far."""

    def __init__(self, players: Sequence[tuple[str, str]]) -> None:
        """Begin; players are their names and what they play."""
        self.players = tuple(players)
        self.matches = 0
        self.games = 0
        self.curves = [Curve() for _ in players]
        self._accounts = [Account() for _ in players]

    @property
    def averages(self) -> bool:
        """Whether a mean is one of several numbers."""
        return self.matches > 1 or any(each.scores.count > 1 for each in self._accounts)

    def add(self, result: Result) -> None:
        """Count a match."""
        self.matches += 1
        self._count(result)

    def add_part(self, result: Result) -> None:
        """Count what was played of a match that was broken off, where there is nothing else to show."""
        if result.games:
            self._count(result)

    def places(self) -> list[Place]:
        """Put the players in order, the best first; equals as they were named."""
        keys = [_key(each.scores) for each in self._accounts]
        ascending = sorted(key for key in keys if key is not None)
        ranks = [None if key is None else 1 + len(ascending) - bisect_right(ascending, key) for key in keys]
        placed = [
            _place(player, account, rank)
            for player, account, rank in zip(self.players, self._accounts, ranks, strict=True)
        ]
        return sorted(placed, key=lambda each: each.rank or len(placed) + 1)

    def _count(self, result: Result) -> None:
        self.games += result.games
        for seat, player in enumerate(result.match.seats):
            account = self._accounts[player]
            _add(account.scores, seat, result.games, result.scores, result.squares)
            account.failures.update(result.failures[seat])
            for measure in result.measures:
                _add(account.measures[measure.name], seat, result.games, measure.values, measure.squares)
            self._draw(self.curves[player], seat, result.curve)

    def _draw(self, curve: Curve, seat: int, standings: Sequence[Standing]) -> None:
        for point, standing in enumerate(standings):
            curve.add(point, standing.games, float(standing.scores[seat]))


def _add(sums: Sum, seat: int, games: int, values: Sequence[Score], squares: Sequence[Score]) -> None:
    if squares:
        sums.add_mean(values[seat], squares[seat], games)
    else:
        sums.add(values[seat])


def _place(player: tuple[str, str], account: Account, rank: int | None) -> Place:
    scores = account.scores
    return Place(
        *player,
        rank,
        float(scores.mean) if scores.mean is not None else None,
        scores.standard_error,
        int(scores.total) if scores.whole else float(scores.total),
        scores.matches,
        account.failures,
        account.measures,
    )


def _key(scores: Sum) -> Fraction | None:
    """Give what ranks are made of: whole scores as they are, others to as many decimals as are good."""
    if scores.mean is None or scores.whole:
        return scores.mean
    return round(scores.mean, _ALIKE)
