"""A contest of a game's own may tell more of its players than scores, and have options of any kind."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from arena.engine.competition import RunOutcome
from arena.engine.options import contest_of
from arena.engine.tally import RunningSum, Tally
from arena.report import report
from chatbot.games import kits
from chatbot.kernel.contest import Measure, Standing
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Failure
from tests.arena.contests import Counting, View, carried_out, chancy, order
from tests.arena.test_report import result

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.kernel.contest import Entrant, Log, Match


class Penalty(Enum):
    """What a rejection costs."""

    NONE = "none"
    LINEAR = "linear"


@dataclass(frozen=True, slots=True)
class Regretting(Counting):
    """It also tells how far the number that somebody says is from 5, on average of the games so far."""

    penalty: Penalty = Penalty.LINEAR

    def play(self, match: Match, entrants: Sequence[Entrant], log: Log | None) -> Iterator[Standing]:
        for standing in Counting.play(self, match, entrants, log):
            regrets = [5 - each / standing.games for each in standing.scores]
            yield Standing(standing.games, standing.scores, (Measure("regret", regrets),))


@dataclass(frozen=True, slots=True)
class Sampling(Counting):
    """Its games are draws of their own: scores are their means, told with the means of their squares."""

    def play(self, match: Match, entrants: Sequence[Entrant], log: Log | None) -> Iterator[Standing]:
        said: list[list[Fraction]] = [[] for _ in entrants]
        rng = Rng.of(match.seed)
        for game in range(match.games + match.number):  # the later, the longer
            for seat, each in enumerate(entrants):
                said[seat].append(Fraction(each.strategy(View(game), (), rng), 3))
            means = [sum(each, Fraction(0)) / len(each) for each in said]
            squares = [sum((one * one for one in each), Fraction(0)) / len(each) for each in said]
            yield Standing(game + 1, means, (Measure("thirds", means, squares),), squares)

    def told(self, seed: str) -> list[Fraction]:
        """Give what somebody chancy says in all games of three matches."""
        return [
            Fraction(chancy(None, (), rng), 3)
            for match, rng in ((each, Rng.of(each.seed)) for each in self.matches(1, 4, seed))
            for _ in range(match.games + match.number)
        ]


def shown(outcome: RunOutcome, width: int, terminal: bool = True) -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=terminal, color_system=None)
    report.show(outcome, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def far_apart(name: str) -> RunOutcome:
    tally = Tally([(name, "kelly"), ("low", "low")])
    tally.add(result(0, 2 * 10**18, 1))
    tally.add(result(1, 2 * 10**18 + 1, 1))
    return RunOutcome(order(Counting(2), "low", "low"), tally, 2, 20, 1.0)


def test_what_a_contest_measures_is_told_beside_the_scores() -> None:
    outcome = carried_out(order(Regretting(2), "low", "high"))
    told = json.loads(report.as_json(outcome))
    assert [(each["name"], each["mean"], each["measures"]) for each in told["players"]] == [
        ("high-1", 20.0, {"regret": {"mean": 0.0, "se": 0.0}}),
        ("low-0", 4.0, {"regret": {"mean": 4.0, "se": 0.0}}),
    ]
    assert "4.000 ± 0.000" in shown(outcome, 120)


def test_the_error_of_a_measure_is_that_of_its_mean_over_the_matches() -> None:
    outcome = carried_out(order(Regretting(3), "chancy"))
    ((place,), tally) = outcome.tally.places(), outcome.tally
    regret = place.measures["regret"]
    # A regret is 5 less a quarter of a score here, so its error is a quarter of the score's.
    assert tally.matches == regret.matches == 3
    assert regret.standard_error == pytest.approx((place.standard_error or 0) / 4)
    assert place.standard_error is not None
    assert place.standard_error > 0
    assert sqrt(3) * place.standard_error < 40  # four numbers from 0 to 9 spread no farther


def test_where_games_are_draws_of_their_own_means_and_errors_are_those_of_games() -> None:
    contest = Sampling(3)
    (place,) = carried_out(order(contest, "chancy")).tally.places()
    numbers = contest.told("seed")
    assert len(numbers) == 4 + 5 + 6
    assert place.mean == pytest.approx(float(fmean(numbers)))
    assert place.total == pytest.approx(float(sum(numbers)))
    assert place.standard_error == pytest.approx(float(stdev(numbers)) / sqrt(15))
    assert place.measures["thirds"].mean == sum(numbers) / 15
    assert place.measures["thirds"].standard_error == place.standard_error
    assert place.matches == 3


def test_a_single_match_of_such_games_has_a_mean_and_an_error() -> None:
    outcome = carried_out(order(Sampling(1), "low", "high", games=4))
    places = outcome.tally.places()
    assert [each.mean for each in places] == pytest.approx([5 / 3, 1 / 3])
    assert [each.standard_error for each in places] == [0.0, 0.0]
    table = shown(outcome, 120)
    assert "points, mean" in table
    assert "1.667" in table
    assert "added up" not in table
    assert outcome.tally.averages


def test_equal_means_of_thirds_share_a_rank() -> None:
    places = carried_out(order(Sampling(2), "low", "low", "high")).tally.places()
    assert [each.rank for each in places] == [1, 2, 2]


def test_what_an_option_of_text_does_not_take_is_answered_with_what_it_is_for() -> None:
    with pytest.raises(
        Failure, match=r"^--penalty does not take 'lin'\. What a rejection costs: none, .*\.$"
    ):
        contest_of(kits()["highshow"], {"penalty": "lin"})


def test_an_option_that_is_one_of_several_is_told_by_its_name() -> None:
    outcome = carried_out(order(Regretting(1), "low"))
    assert json.loads(report.as_json(outcome))["options"]["penalty"] == "linear"


@pytest.mark.parametrize("width", [72, 100, 200])
def test_whole_numbers_are_written_in_full_where_there_is_room(width: int) -> None:
    told = shown(far_apart("x" * 60), width)
    assert "4,000,000,000,000,000,001" in told
    assert max(map(len, told.splitlines())) <= width
    assert sum(line.count("x") for line in told.splitlines()) == 60


@pytest.mark.parametrize("width", [20, 40, 58])
def test_no_number_is_cut_where_there_is_little_room(width: int) -> None:
    told = shown(far_apart("x" * 60), width)
    assert "4.0000e+18" in told
    assert "2.0000e+18" in told
    assert "…" not in told


def test_what_goes_to_a_file_is_as_wide_as_it_is() -> None:
    told = shown(far_apart("x" * 60), 40, terminal=False)
    assert "4,000,000,000,000,000,001" in told
    assert "x" * 60 in told


def test_a_name_of_wide_signs_is_folded_and_not_cut() -> None:
    told = shown(far_apart("한" * 60), 72)
    assert told.count("한") == 60


@pytest.mark.slow
def test_many_players_are_ranked_at_once() -> None:
    tally = Tally([(f"player-{each}", "kelly") for each in range(20_000)])
    tally.add(result(0, *range(20_000)))
    places = tally.places()
    assert [(each.name, each.rank) for each in places[::19_999]] == [
        ("player-19999", 1),
        ("player-0", 20_000),
    ]


def test_a_curve_ends_where_the_shorter_matches_do() -> None:
    tally = Tally([("one", "kelly")])
    for number, scores in enumerate(([2, 4, 30], [2, 4])):
        curve = [Standing(games, [score]) for games, score in enumerate(scores, 1)]
        played = result(number, scores[-1])
        tally.add(type(played)(played.match, len(scores), played.scores, [{}], curve))
    (curve_of_all,) = tally.curves
    assert curve_of_all.shared.games == [1, 2]
    assert curve_of_all.shared.means == [2, 4]


def test_numbers_that_are_all_the_same_have_no_error_though_their_square_was_rounded_down() -> None:
    same = RunningSum()
    same.add_mean(0.7, 0.7 * 0.7, 10)  # in binary the square is a little less than that of the number
    (column,) = same.tables.values()
    assert column.squares < column.total**2 / 10
    assert same.standard_error == 0
