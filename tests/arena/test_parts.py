"""Draws of several games, and measures that are parts of a whole: numbers, columns and bars."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from arena.engine.tally import RunningSum
from arena.report import plot, report
from arena.report.plot import picture
from chatbot.kernel.contest import Measure, Standing
from chatbot.kernel.fair import Rng
from tests.arena.contests import Counting, carried_out, order

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

    from arena.engine.competition import RunOutcome
    from chatbot.kernel.contest import Entrant, Log, Match


@dataclass(frozen=True, slots=True)
class Paired(Counting):
    """Its draws are two games each, of which it tells the mean, and everybody scores the same."""

    def play(self, match: Match, entrants: Sequence[Entrant], log: Log | None) -> Iterator[Standing]:
        means = self.drawn(match)
        for draws in range(1, len(means) + 1):
            told = means[:draws]
            mean, square = sum(told) / draws, sum(each * each for each in told) / draws
            shares = [60 - 10 * seat for seat in range(len(entrants))]
            rest = [100 - each for each in shares]
            measures = (
                Measure("kept", shares, part_of="% of cards"),
                Measure("left", rest, part_of="% of cards"),
                Measure("speed", shares),
            )
            seats = len(entrants)
            yield Standing(2 * draws, [mean] * seats, measures, [square] * seats, draws=draws)

    def drawn(self, match: Match) -> list[Fraction]:
        """Give the mean of each draw."""
        rng = Rng.of(match.seed)
        return [Fraction(rng.below(10), 3) for _ in range(match.games // 2 + match.number)]


def shown(outcome: RunOutcome, width: int = 120) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    report.show(outcome, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


# Draws


def test_the_error_is_that_of_draws_and_not_of_their_games() -> None:
    contest = Paired(3)
    (place,) = carried_out(order(contest, "low", games=6)).tally.places()
    means = [float(each) for match in contest.matches(1, 6, "seed") for each in contest.drawn(match)]
    assert len(means) == 3 + 4 + 5
    assert place.mean == pytest.approx(fmean(means))
    assert place.standard_error == pytest.approx(stdev(means) / sqrt(12))
    assert place.total == pytest.approx(2 * sum(means))  # of all 24 games


def test_a_single_draw_has_no_error() -> None:
    (place,) = carried_out(order(Paired(1), "low", games=2)).tally.places()
    assert place.mean is not None
    assert place.standard_error is None


def test_tables_count_by_their_games_and_vary_by_their_draws() -> None:
    numbers = RunningSum()
    numbers.add_mean(1, 2, 4, table=0, draws=2)  # means of 0 and 2
    numbers.add_mean(5, 25, 12, table=1, draws=6)
    assert numbers.mean == Fraction(4 * 1 + 12 * 5, 16)
    assert numbers.total == 64
    # A quarter of the games, whose mean has a variance of 2 over 2 draws; the rest does not vary.
    assert numbers.standard_error == pytest.approx(1 / 4)


# Columns


def test_parts_of_a_whole_stand_side_by_side_and_in_json_each_by_itself() -> None:
    outcome = carried_out(order(Paired(2), "low", "low"))
    told = shown(outcome)
    assert "kept/left, % of cards" in told
    assert "60.0/40.0" in told
    assert "50.0/50.0" in told
    assert "speed" in told
    measures = json.loads(report.as_json(outcome))["players"][0]["measures"]
    assert measures.keys() == {"kept", "left", "speed"}
    assert measures["kept"] == {"mean": 60.0, "se": 0.0}


def test_small_parts_are_told_with_more_decimals() -> None:
    assert [report.decimals_of_parts(each) for each in ((0.5, 0.25, 0.75), (50, 20, 30), ())] == [3, 1, 3]


def test_who_has_not_played_has_no_parts() -> None:
    outcome = carried_out(order(Paired(1), "low"))
    outcome.tally.players += (("late", "low"),)
    outcome.tally._player_tallies.append(type(outcome.tally._player_tallies[0])())
    assert "–" in next(line for line in shown(outcome).splitlines() if "late" in line)


# Bars


def bars(axes: Axes) -> list[list[tuple[float, float]]]:
    """Give for each part the start and the length of every bar."""
    return [
        [(round(bar.get_x(), 6), round(bar.get_width(), 6)) for bar in container.patches]
        for container in axes.containers
        if hasattr(container, "patches")
    ]


def test_parts_of_a_whole_are_drawn_as_one_bar_for_each_player() -> None:
    figure = picture(carried_out(order(Paired(2), "low", "low", "low")))
    left, right = figure.axes
    assert bars(left) == [[(0, 60), (0, 50), (0, 40)], [(60, 40), (50, 50), (40, 60)]]
    assert [each.get_text() for each in left.texts] == ["60.0", "50.0", "40.0", "40.0", "50.0", "60.0"]
    assert left.get_xlabel() == "% of cards"
    assert [each.get_text() for each in left.get_yticklabels()] == ["1. low-0", "1. low-1", "1. low-2"]
    assert {each.get_text() for each in right.get_yticklabels()} == {""}
    assert left.get_ylim() == right.get_ylim()


def test_a_picture_without_parts_has_its_curves(tmp_path: Path) -> None:
    left, right = picture(carried_out(order(Counting(2), "low", "high"))).axes
    assert left.get_xlabel() == "games of a match"
    assert [each.get_text() for each in right.get_yticklabels()] == ["1. high-1", "2. low-0"]


def test_one_match_is_drawn_with_what_it_ended_with_and_several_with_their_mean() -> None:
    one, several = (picture(carried_out(order(Counting(count), "high", "low"))).axes[1] for count in (1, 2))
    # Five points or one in each of four games
    assert [each.get_text() for each in one.texts] == ["20", "4"]
    assert [each.get_text() for each in several.texts] == ["20.000", "4.000"]


@pytest.mark.slow
def test_a_picture_of_bars_is_as_high_as_its_rows_and_is_written(tmp_path: Path) -> None:
    outcome = carried_out(order(Paired(1), *["low"] * 4))
    assert picture(outcome).get_figheight() == pytest.approx(1.9 + 4 * 0.42)
    plot.draw(outcome, tmp_path / "bars.png")
    assert (tmp_path / "bars.png").read_bytes().startswith(b"\x89PNG")
