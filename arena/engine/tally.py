"""The sums of the results of matches: exact, in any order, in memory that does not grow with matches."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt, sqrt
from typing import TYPE_CHECKING, TypeAlias

from arena.engine.ratings import Encounters, Rating, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.engine.match import MatchResult
    from chatbot.kernel.contest import MatchScore, Standing

_EXACT_BELOW = 2**53  # every whole number below it is exact as a double
_RANK_DECIMALS = 9  # means of floats that agree to so many decimals differ by rounding only, and share a rank

Rounded: TypeAlias = float | int
"""A rounded exact number: a double, or an int where a double has not the precision of whole numbers."""


def rounded(value: Fraction) -> Rounded:
    """Return the nearest double, or beyond 2**53 the nearest int."""
    return float(value) if abs(value) < _EXACT_BELOW else round(value)


@dataclass(slots=True)
class Column:
    """The sums of the numbers of one table of a contest, which come in draws of one or several."""

    count: int = 0
    draws: int = 0
    total: Fraction = Fraction(0)
    squares: Fraction = Fraction(0)  # sum over the draws of the squared mean of a draw

    @property
    def variance(self) -> Fraction:
        """The unbiased estimate of the variance of a draw; needs two draws at least."""
        mean = self.total / self.count
        return (self.squares - self.draws * mean * mean) / (self.draws - 1)


@dataclass
class RunningSum:
    """The sum of numbers: one for each match, or one for each game if matches consist of independent draws.

    Sums are fractions, without rounding, so that they do not depend on the order of matches.
    """

    matches: int = 0
    whole: bool = True  # every number was whole
    exact: bool = True  # none was a float
    tables: dict[int, Column] = field(default_factory=dict)

    def add(self, value: MatchScore, table: int = 0) -> None:
        """Add the number of a match."""
        self._add(table, 1, 1, Fraction(value), Fraction(value) ** 2)
        self.whole &= isinstance(value, int)
        self.exact &= not isinstance(value, float)

    def add_mean(
        self, mean: MatchScore, square: MatchScore, count: int, table: int = 0, draws: int = 0
    ) -> None:
        """Add the numbers of the `count` games of a match, by their mean and the mean of their squares.

        If the games come in `draws` of equal size, `square` is the mean of the squared means of the draws.
        """
        draw_count = draws or count
        self._add(table, count, draw_count, Fraction(mean) * count, Fraction(square) * draw_count)
        self.whole = False
        self.exact &= not isinstance(mean, float)

    @property
    def count(self) -> int:
        """The number of numbers."""
        return sum(each.count for each in self.tables.values())

    @property
    def total(self) -> Fraction:
        """The sum of the numbers."""
        return sum((each.total for each in self.tables.values()), Fraction(0))

    @property
    def mean(self) -> Fraction | None:
        """The mean of the numbers; None before the first."""
        count = self.count
        return self.total / count if count else None

    @property
    def standard_error(self) -> Rounded | None:
        """The standard error of the mean; None if a table has less than two draws."""
        if not self.tables or any(each.draws < 2 for each in self.tables.values()):
            return None
        columns = self.tables.values()
        spread = sum((each.count**2 * each.variance / each.draws for each in columns), Fraction(0))
        return _square_root(max(spread, Fraction(0)) / self.count**2)  # rounded means can make it negative

    def _add(self, table: int, count: int, draws: int, total: Fraction, squares: Fraction) -> None:
        self.matches += 1
        column = self.tables.setdefault(table, Column())
        column.count += count
        column.draws += draws
        column.total += total
        column.squares += squares


@dataclass
class PlayerTally:
    """The sums of one player."""

    scores: RunningSum = field(default_factory=RunningSum)
    measures: defaultdict[str, RunningSum] = field(default_factory=lambda: defaultdict(RunningSum))
    failures: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class PlayerPlacing:
    """A player in the final order. Equal means share a rank; a player without scores has none."""

    name: str
    plays: str
    rank: int | None
    mean: Rounded | None  # of the scores of its matches, or of their games
    standard_error: Rounded | None
    total: Rounded  # of its scores; whole numbers stay whole
    matches: int
    failures: Counter[str]
    measures: Mapping[str, RunningSum]  # what the contest reports beside the scores
    record: Record | None = (
        None  # None, as is the rating, if the contest does not compare players game by game
    )
    rating: Rating | None = None


@dataclass
class Curve:
    """The mean score of a player in the course of a match: sums over the matches at up to 200 points."""

    games: list[int] = field(default_factory=list)
    sums: list[Rounded] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def add(self, point: int, games: int, score: MatchScore) -> None:
        """Add the score of a match after `games` at a point, which is the next one at most."""
        if point == len(self.games):
            self.games.append(games)
            self.sums.append(0)
            self.counts.append(0)
        self.sums[point] += score if isinstance(score, int) else float(score)
        self.counts[point] += 1

    @property
    def shared(self) -> Curve:
        """The points that all matches reached; means of the longest matches only would jump at the end."""
        count = sum(each == self.counts[0] for each in self.counts)
        return Curve(self.games[:count], self.sums[:count], self.counts[:count])

    @property
    def means(self) -> list[Rounded]:
        """The mean score at each point."""
        return [
            total / count if abs(total) < _EXACT_BELOW or isinstance(total, float) else total // count
            for total, count in zip(self.sums, self.counts, strict=True)
        ]


class Tally:
    """The results of a run so far."""

    def __init__(self, players: Sequence[tuple[str, str]]) -> None:
        """Begin without matches; `players` are names and what they play."""
        self.players = tuple(players)
        self.matches = 0
        self.games = 0
        self.ended: Counter[str] = Counter()  # matches that ended before their last game, by reason
        self.curves = [Curve() for _ in players]
        self.wholes: dict[str, str] = {}  # of the measures that are parts of one, by name
        self._player_tallies = [PlayerTally() for _ in players]
        self._encounters = Encounters()

    @property
    def averages(self) -> bool:
        """Whether a mean is one of several numbers."""
        return self.matches > 1 or any(each.scores.count > 1 for each in self._player_tallies)

    def add(self, result: MatchResult) -> None:
        """Count a match."""
        self.matches += 1
        self._count(result)

    def add_part(self, result: MatchResult) -> None:
        """Count the games of an interrupted match, which is done if no match was finished."""
        if result.games:
            self._count(result)

    def places(self) -> list[PlayerPlacing]:
        """Return the players in order, the best first; equal ones in the order of `players`."""
        keys = [_rank_key(each.scores) for each in self._player_tallies]
        ascending = sorted(key for key in keys if key is not None)
        ranks = [None if key is None else 1 + len(ascending) - bisect_right(ascending, key) for key in keys]
        records, ratings = self._encounters.records(), self._ratings()
        placings = [
            _placing(self.players[number], player_tally, rank, records.get(number), ratings.get(number))
            for number, (player_tally, rank) in enumerate(zip(self._player_tallies, ranks, strict=True))
        ]
        return sorted(placings, key=lambda each: each.rank or len(placings) + 1)

    def _ratings(self) -> Mapping[int, Rating]:
        tables = self._encounters.tables
        if not tables:
            return {}
        from arena.engine.ratings import rate  # noqa: PLC0415  (it loads NumPy, which not every game needs)

        return rate(tables, {number: name for number, (name, _) in enumerate(self.players)})

    def _count(self, result: MatchResult) -> None:
        self.games += result.games
        self.ended.update([result.ended] if result.ended else ())
        self._encounters.add(result)
        self.wholes.update({each.name: each.part_of for each in result.measures if each.part_of})
        for seat, player in enumerate(result.match.seats):
            player_tally = self._player_tallies[player]
            _add(player_tally.scores, seat, result, result.scores, result.squares)
            player_tally.failures.update(result.failures[seat])
            for measure in result.measures:
                _add(player_tally.measures[measure.name], seat, result, measure.values, measure.squares)
            self._extend_curve(self.curves[player], seat, result.curve)

    def _extend_curve(self, curve: Curve, seat: int, standings: Sequence[Standing]) -> None:
        for point, standing in enumerate(standings):
            curve.add(point, standing.games, standing.scores[seat])


def _add(
    sums: RunningSum,
    seat: int,
    result: MatchResult,
    values: Sequence[MatchScore],
    squares: Sequence[MatchScore],
) -> None:
    if squares:
        sums.add_mean(values[seat], squares[seat], result.games, result.match.table, result.draws)
    else:
        sums.add(values[seat], result.match.table)


def _placing(
    player: tuple[str, str],
    player_tally: PlayerTally,
    rank: int | None,
    record: Record | None,
    rating: Rating | None,
) -> PlayerPlacing:
    scores = player_tally.scores
    return PlayerPlacing(
        *player,
        rank,
        rounded(scores.mean) if scores.mean is not None else None,
        scores.standard_error,
        int(scores.total) if scores.whole else rounded(scores.total),
        scores.matches,
        player_tally.failures,
        player_tally.measures,
        record,
        rating,
    )


def _square_root(value: Fraction) -> Rounded:
    return sqrt(value) if value < _EXACT_BELOW**2 else isqrt(int(value))


def _rank_key(scores: RunningSum) -> Fraction | None:
    """Return the mean that decides a rank: that of floats is rounded."""
    if scores.mean is None or scores.exact:
        return scores.mean
    return round(scores.mean, _RANK_DECIMALS)
