"""Ratings: worked out from all games at once, as certain as the results are, in whatever order they came."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from math import exp, log, log10, sqrt
from typing import TYPE_CHECKING

import numpy as np
import pytest

from arena.engine.match import MatchResult
from arena.engine.ratings import MEAN, Encounters, Record, rate
from arena.engine.tally import Tally
from arena.report import report
from chatbot.kernel.contest import Match, Standing
from tests.arena.contests import Counting, carried_out, order
from tests.arena.test_report import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from arena.engine.ratings import Rating
    from chatbot.kernel.contest import Entrant, Log

POINTS = 400 / log(10)  # of a rating, for odds of e to 1


@dataclass(frozen=True, slots=True)
class Comparing(Counting):
    """Whoever says the higher number does better in that game."""

    def play(self, match: Match, entrants: Sequence[Entrant], log: Log | None) -> Iterator[Standing]:
        before, ahead = [0] * len(entrants), [[0] * len(entrants) for _ in entrants]
        for standing in Counting.play(self, match, entrants, log):
            said = [int(now) - then for now, then in zip(standing.scores, before, strict=True)]
            before = [int(each) for each in standing.scores]
            for one, other in permutations(range(len(entrants)), 2):
                ahead[one][other] += said[one] > said[other]
            yield replace(standing, ahead=ahead)


def meeting(*seats: int, ahead: Sequence[Sequence[int]], games: int = 10) -> MatchResult:
    match = Match(0, seats, games, "", 0)
    return MatchResult(match, games, [0] * len(seats), [{} for _ in seats], [], ahead=ahead)


def duel(won: int, lost: int, games: int = 10, one: int = 0, other: int = 1) -> MatchResult:
    return meeting(one, other, ahead=[[0, won], [lost, 0]], games=games)


def rated(*results: MatchResult, names: Sequence[str] = "abcdefgh") -> Mapping[int, Rating]:
    encounters = Encounters()
    for each in results:
        encounters.add(each)
    return rate(encounters.tables, dict(enumerate(names)))


def likeliest(won: float, games: int) -> float:
    """Give by how much one is stronger, in logarithms of odds, by halving an interval.

    Each is d/2 from the mean, and has drawn one more game against somebody there. The slope of the
    likelihood by d is won − games·p(d), and ½(½ − p(d/2)) for each of these two games.
    """
    low, high = -50.0, 50.0
    for _ in range(200):
        middle = (low + high) / 2
        slope = won - games / (1 + exp(-middle)) + 0.5 - 1 / (1 + exp(-middle / 2))
        low, high = (middle, high) if slope > 0 else (low, middle)
    return low


@pytest.mark.parametrize(("won", "lost"), [(75, 25), (60, 20), (100, 0), (5, 95), (50, 50), (0, 0)])
def test_two_players_are_as_far_apart_as_is_likeliest(won: int, lost: int) -> None:
    found = rated(duel(won, lost, 100))
    drawn = 100 - won - lost
    apart = likeliest(won + drawn / 2, 100) * POINTS
    assert found[0].points - found[1].points == pytest.approx(apart, abs=1e-6)
    assert found[0].points + found[1].points == pytest.approx(2 * MEAN)


def test_ten_to_one_are_400_points_where_games_are_many() -> None:
    found = rated(duel(1_000_000, 100_000, 1_100_000))
    assert found[0].points - found[1].points == pytest.approx(400, abs=0.01)
    found = rated(duel(75_000, 25_000, 100_000))
    assert found[0].points - found[1].points == pytest.approx(400 * log10(3), abs=0.1)


def test_of_one_match_the_error_is_that_of_independent_games() -> None:
    found = rated(duel(50, 50, 100))
    # By d, a game counts p(1−p) = 1/4, and each of the two that are added (1/2)²/4: 25.125 in all.
    # A rating is half of d away from the mean.
    assert found[0].error == found[1].error == pytest.approx(POINTS / 2 / sqrt(25.125))


def test_games_that_hang_together_in_matches_make_ratings_less_certain() -> None:
    alike = rated(*[duel(5, 5)] * 10)
    swept = rated(*[duel(10, 0)] * 5, *[duel(0, 10)] * 5)
    assert alike[0].points == swept[0].points == MEAN
    assert alike[0].error == pytest.approx(POINTS / 2 / sqrt(25.125))
    # Games won are 5 more or 5 less than the mean of 5, in ten matches: 10 · 25 · 10/9.
    assert swept[0].error == pytest.approx(POINTS / 2 * sqrt(2500 / 9) / 25.125)


def test_four_who_play_in_one_game_are_not_told_more_than_it_tells() -> None:
    """Six comparisons of one game are no six games."""
    rng = np.random.Generator(np.random.PCG64(4))
    orders = [rng.permutation(4) for _ in range(400)]
    results = [
        meeting(0, 1, 2, 3, ahead=[[int(a > b) for b in places] for a in places], games=1)
        for places in orders
    ]
    found = rated(*results)
    # In one game a player wins three of three comparisons, two, one or none, each as likely: variance 5/4.
    # The second derivatives of the likelihood are those of 400 games of each two, 1/4 each: around
    # the mean they are 400 · 4/4, so a strength has the error √(400 · 5/4) / 400.
    for each in found.values():
        assert each.error == pytest.approx(POINTS * sqrt(5 / 4 / 400), rel=0.1)


def test_errors_are_as_large_as_ratings_are_wrong() -> None:
    rng = np.random.Generator(np.random.PCG64(1))
    strengths = np.array([-0.6, 0.0, 0.6])
    near = total = 0
    for _ in range(200):
        results = list[MatchResult]()
        for one, other in combinations(range(3), 2):
            chance = 1 / (1 + np.exp(strengths[other] - strengths[one]))
            wins = map(int, rng.binomial(20, chance, size=5))
            results += [duel(won, 20 - won, 20, one, other) for won in wins]
        for player, rating in rated(*results).items():
            total += 1
            near += abs(rating.points - MEAN - POINTS * strengths[player]) <= 2 * rating.error
    assert 0.92 <= near / total <= 1  # two standard errors hold 95% at least, as the larger of two is told


def test_whoever_always_wins_has_a_rating_that_grows_with_the_games() -> None:
    few, many = (rated(*[duel(10, 0)] * matches)[0] for matches in (1, 100))
    assert MEAN + 100 < few.points < many.points < MEAN + 1000
    assert few.error > 100
    assert many.error > 0


def test_a_circle_of_winners_is_even() -> None:
    found = rated(duel(9, 1, one=0, other=1), duel(9, 1, one=1, other=2), duel(1, 9, one=0, other=2))
    assert [each.points for each in found.values()] == pytest.approx([MEAN] * 3)


def test_strength_is_carried_over_by_whoever_met_both() -> None:
    found = rated(*[duel(30, 10, 40, 0, 1)] * 10, *[duel(30, 10, 40, 1, 2)] * 10)
    assert found[0].points - found[1].points == pytest.approx(400 * log10(3), abs=3)
    assert found[0].points - found[2].points == pytest.approx(800 * log10(3), abs=6)
    assert found[1].error < found[0].error


def test_the_order_of_matches_and_that_of_players_change_nothing_at_all() -> None:
    results = [
        duel(7, 3, one=0, other=1), duel(2, 6, one=0, other=2), duel(5, 5, one=1, other=2),
        duel(1, 8, one=0, other=1), duel(4, 3, one=1, other=2),
    ]  # fmt: skip
    usual = rated(*results, names="abc")
    for another in permutations(results):
        assert rated(*another, names="abc") == usual
    for listed in permutations(range(3)):  # who was 0 is listed as listed[0]
        moved = [
            replace(each, match=replace(each.match, seats=tuple(listed[seat] for seat in each.match.seats)))
            for each in results
        ]
        names = [name for _, name in sorted(zip(listed, "abc", strict=True))]
        assert rated(*moved, names=names) == {listed[player]: found for player, found in usual.items()}


def test_large_fields_and_long_runs_are_rated() -> None:
    results = [duel(8, 2, 10, one, other) for one, other in combinations(range(40), 2)]
    found = rated(*results, names=[f"player-{each:02}" for each in range(40)])
    points = [found[player].points for player in range(40)]
    assert points == sorted(points, reverse=True)
    assert rated(duel(10**9, 0, 10**9))[0].points < MEAN + 2000


# What is told


def test_records_count_games_against_each_of_the_others() -> None:
    encounters = Encounters()
    encounters.add(meeting(2, 0, 1, ahead=[[0, 4, 10], [5, 0, 3], [0, 3, 0]]))
    encounters.add(duel(1, 2))
    assert encounters.records() == {
        2: Record(14, 1, 5), 0: Record(5 + 3 + 1, 1 + 4 + 7, 4 + 3 + 2), 1: Record(3 + 2, 4 + 7, 10 + 3 + 1),
    }  # fmt: skip


def test_a_contest_that_compares_is_rated_in_table_and_json() -> None:
    outcome = carried_out(order(Comparing(3), "low", "high", "chancy", games=20))
    told = json.loads(report.as_json(outcome))["players"]
    assert [each["name"] for each in told][-1] == "low-0"
    for each in told:
        rating = each["rating"]
        assert list(rating) == ["points", "se", "won", "drawn", "lost"]
        assert rating["won"] + rating["drawn"] + rating["lost"] == 3 * 20 * 2
    assert sum(each["rating"]["points"] for each in told) == pytest.approx(3 * MEAN, abs=1e-5)
    places = outcome.tally.places()
    text = shown(outcome)
    assert "won/drawn/lost" in text
    for place in places:
        assert place.rating is not None
        assert f"{place.rating.points:.0f} ± {place.rating.error:.0f}" in text


def test_a_contest_that_does_not_compare_is_not_rated() -> None:
    outcome = carried_out(order(Counting(2), "low", "high"))
    assert [each["rating"] for each in json.loads(report.as_json(outcome))["players"]] == [None, None]
    assert "rating" not in shown(outcome)


# Errors of means, where the contest has tables


def at_table(table: int, *scores: int) -> MatchResult:
    match = Match(0, tuple(range(len(scores))), 1, "", table)
    return MatchResult(match, 1, scores, [{} for _ in scores], [])


def test_how_scores_differ_between_tables_is_no_chance() -> None:
    tally = Tally([("one", "kelly")])
    for table, score in ((0, 1), (1, 101), (0, 3), (1, 103)):
        tally.add(at_table(table, score))
    (place,) = tally.places()
    assert place.mean == 52
    # In each table a variance of 2; the mean of four numbers has 2/4 of it.
    assert place.standard_error == pytest.approx(sqrt(2 / 4))


def test_a_table_of_one_match_tells_no_error() -> None:
    tally = Tally([("one", "kelly")])
    for table, score in ((0, 1), (1, 101), (0, 3)):
        tally.add(at_table(table, score))
    assert tally.places()[0].standard_error is None
