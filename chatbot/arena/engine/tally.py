"""Adds up what matches came to: exactly, in any order, and in as little memory for a million as for ten."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt, sqrt
from typing import TYPE_CHECKING, TypeAlias

from chatbot.arena.engine.ratings import Encounters, Rating, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.arena.engine.bout import MatchResult
    from chatbot.kernel.contest import Score, Standing

EXACT = 2**53  # below it, the nearest double tells a number to the last whole one
_ALIKE = 9  # decimals: scores that are averages differ by no less, unless by rounding

Number: TypeAlias = float | int
"""What is told of exact numbers: a double, and a whole number where a double would lose whole ones."""


def rounded(value: Fraction) -> Number:
    return float(value) if abs(value) < EXACT else round(value)


@dataclass(slots=True)
class Column:
    """The numbers of one table of a contest, drawn one by one or several at a time."""

    count: int = 0
    draws: int = 0
    total: Fraction = Fraction(0)
    squares: Fraction = Fraction(0)  # of the draws, each being the mean of its numbers

    @property
    def variance(self) -> Fraction:
        """That of the distribution which the draws come from; there are two at least."""
        mean = self.total / self.count
        return (self.squares - self.draws * mean * mean) / (self.draws - 1)


@dataclass
class RunningSum:
    """Numbers added up, one a match, or one a game where matches are made of draws of their own.

    Sums are fractions: no rounding, so the order of matches is all one.
    """

    matches: int = 0
    whole: bool = True  # every number was whole
    tables: dict[int, Column] = field(default_factory=dict)

    def add(self, value: Score, table: int = 0) -> None:
        """Add a match's number."""
        self._add(table, 1, 1, Fraction(value), Fraction(value) ** 2)
        self.whole &= isinstance(value, int)

    def add_mean(self, mean: Score, square: Score, count: int, table: int = 0, draws: int = 0) -> None:
        """Add the numbers of a match's games: their mean, that of their squares, and how many they are.

        Where so many draws gave them, each as many, the squares are those of the draws' means.
        """
        drawn = draws or count
        self._add(table, count, drawn, Fraction(mean) * count, Fraction(square) * drawn)
        self.whole = False

    @property
    def count(self) -> int:
        """How many numbers there are."""
        return sum(each.count for each in self.tables.values())

    @property
    def total(self) -> Fraction:
        return sum((each.total for each in self.tables.values()), Fraction(0))

    @property
    def mean(self) -> Fraction | None:
        """The mean of the numbers; None before the first."""
        count = self.count
        return self.total / count if count else None

    @property
    def standard_error(self) -> Number | None:
        """The standard error of the mean; None where a table has not two draws to tell it from."""
        if not self.tables or any(each.draws < 2 for each in self.tables.values()):
            return None
        columns = self.tables.values()
        spread = sum((each.count**2 * each.variance / each.draws for each in columns), Fraction(0))
        return _root(max(spread, Fraction(0)) / self.count**2)  # means that were rounded may be off a little

    def _add(self, table: int, count: int, draws: int, total: Fraction, squares: Fraction) -> None:
        self.matches += 1
        column = self.tables.setdefault(table, Column())
        column.count += count
        column.draws += draws
        column.total += total
        column.squares += squares


@dataclass
class PlayerTally:
    """What one player has come to."""

    scores: RunningSum = field(default_factory=RunningSum)
    measures: defaultdict[str, RunningSum] = field(default_factory=lambda: defaultdict(RunningSum))
    failures: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class PlayerPlacing:
    """A player in the final order. Equal means share a rank; who has not scored has none."""

    name: str
    plays: str
    rank: int | None
    mean: Number | None  # of the scores of its matches, or of their games
    standard_error: Number | None
    total: Number  # of its scores; whole numbers stay whole
    matches: int
    failures: Counter[str]
    measures: Mapping[str, RunningSum]  # what the contest tells beside the scores
    record: Record | None = None  # None, as the rating: the contest does not compare players game by game
    rating: Rating | None = None


@dataclass
class Curve:
    """A player's mean score as matches go on: sums at up to 200 points."""

    games: list[int] = field(default_factory=list)
    sums: list[Number] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def add(self, point: int, games: int, score: Score) -> None:
        if point == len(self.games):
            self.games.append(games)
            self.sums.append(0)
            self.counts.append(0)
        self.sums[point] += score if isinstance(score, int) else float(score)
        self.counts[point] += 1

    @property
    def shared(self) -> Curve:
        """The points that all matches reached: those of the longest alone would jump at the end."""
        reached = sum(each == self.counts[0] for each in self.counts)
        return Curve(self.games[:reached], self.sums[:reached], self.counts[:reached])

    @property
    def means(self) -> list[Number]:
        return [
            total / count if abs(total) < EXACT or isinstance(total, float) else total // count
            for total, count in zip(self.sums, self.counts, strict=True)
        ]


class Tally:
    """All that a run has come to so far."""

    def __init__(self, players: Sequence[tuple[str, str]]) -> None:
        """Begin; players are their names and what they play."""
        self.players = tuple(players)
        self.matches = 0
        self.games = 0
        self.ended: Counter[str] = Counter()  # matches that ended before their last game, by reason
        self.curves = [Curve() for _ in players]
        self.wholes: dict[str, str] = {}  # of the measures that are parts of one, by name
        self._accounts = [PlayerTally() for _ in players]
        self._encounters = Encounters()

    @property
    def averages(self) -> bool:
        """Whether a mean is one of several numbers."""
        return self.matches > 1 or any(each.scores.count > 1 for each in self._accounts)

    def add(self, result: MatchResult) -> None:
        """Count a match."""
        self.matches += 1
        self._count(result)

    def add_part(self, result: MatchResult) -> None:
        """Count what was played of a match that was broken off, where there is nothing else to show."""
        if result.games:
            self._count(result)

    def places(self) -> list[PlayerPlacing]:
        """Put the players in order, the best first; equals as they were named."""
        keys = [_key(each.scores) for each in self._accounts]
        ascending = sorted(key for key in keys if key is not None)
        ranks = [None if key is None else 1 + len(ascending) - bisect_right(ascending, key) for key in keys]
        records, ratings = self._encounters.records(), self._ratings()
        placed = [
            _place(self.players[number], account, rank, records.get(number), ratings.get(number))
            for number, (account, rank) in enumerate(zip(self._accounts, ranks, strict=True))
        ]
        return sorted(placed, key=lambda each: each.rank or len(placed) + 1)

    def _ratings(self) -> Mapping[int, Rating]:
        tables = self._encounters.tables
        if not tables:
            return {}
        from chatbot.arena.engine.ratings import rate  # noqa: PLC0415  (it loads NumPy, which not every game needs)

        return rate(tables, {number: name for number, (name, _) in enumerate(self.players)})

    def _count(self, result: MatchResult) -> None:
        self.games += result.games
        self.ended.update([result.ended] if result.ended else ())
        self._encounters.add(result)
        self.wholes.update({each.name: each.part_of for each in result.measures if each.part_of})
        for seat, player in enumerate(result.match.seats):
            account = self._accounts[player]
            _add(account.scores, seat, result, result.scores, result.squares)
            account.failures.update(result.failures[seat])
            for measure in result.measures:
                _add(account.measures[measure.name], seat, result, measure.values, measure.squares)
            self._draw(self.curves[player], seat, result.curve)

    def _draw(self, curve: Curve, seat: int, standings: Sequence[Standing]) -> None:
        for point, standing in enumerate(standings):
            curve.add(point, standing.games, standing.scores[seat])


def _add(
    sums: RunningSum, seat: int, result: MatchResult, values: Sequence[Score], squares: Sequence[Score]
) -> None:
    if squares:
        sums.add_mean(values[seat], squares[seat], result.games, result.match.table, result.draws)
    else:
        sums.add(values[seat], result.match.table)


def _place(
    player: tuple[str, str],
    account: PlayerTally,
    rank: int | None,
    record: Record | None,
    rating: Rating | None,
) -> PlayerPlacing:
    scores = account.scores
    return PlayerPlacing(
        *player,
        rank,
        rounded(scores.mean) if scores.mean is not None else None,
        scores.standard_error,
        int(scores.total) if scores.whole else rounded(scores.total),
        scores.matches,
        account.failures,
        account.measures,
        record,
        rating,
    )


def _root(value: Fraction) -> Number:
    return sqrt(value) if value < EXACT**2 else isqrt(int(value))


def _key(scores: RunningSum) -> Fraction | None:
    """Give what ranks are made of: whole scores as they are, others to as many decimals as are good."""
    if scores.mean is None or scores.whole:
        return scores.mean
    return round(scores.mean, _ALIKE)
