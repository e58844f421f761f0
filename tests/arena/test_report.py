"""What is told of a run: exact numbers, shared ranks, one shape of JSON, and a picture."""

from __future__ import annotations

import io
import json
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from arena.engine.competition import RunOutcome
from arena.engine.match import BoundedErrors, CompressedLog, MatchResult, MatchRun, play
from arena.engine.tally import Tally
from arena.programs import sandbox
from arena.programs.program import ProgramCommand
from arena.report import plot, report
from arena.report.plot import picture, spread
from chatbot.kernel.contest import CURVE_POINTS, Match, Standing
from tests.arena.contests import Counting, carried_out, order, plan

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def result(number: int, *scores: float, failures: Sequence[Mapping[str, int]] = ()) -> MatchResult:
    match = Match(number, tuple(range(len(scores))), 10, "")
    curve = [Standing(10, scores)]
    return MatchResult(match, 10, scores, failures or [{} for _ in scores], curve)


def tallied(*results: MatchResult) -> Tally:
    tally = Tally([(f"player-{each}", "kelly") for each in range(len(results[0].scores))])
    for each in results:
        tally.add(each)
    return tally


def outcome_of(tally: Tally, interrupted: bool = False) -> RunOutcome:
    ordered = order(Counting(tally.matches), *["low"] * len(tally.players), games=10)
    return RunOutcome(ordered, tally, tally.matches, 10 * tally.matches, 1.5, interrupted)


def shown(outcome: RunOutcome) -> str:
    console = Console(file=io.StringIO(), width=120)
    console.print(report.as_table(outcome))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


# Numbers


def test_the_standard_error_is_that_of_the_mean() -> None:
    (place,) = tallied(result(0, 1), result(1, 2), result(2, 6)).places()
    # Mean 3; squared distances 4, 1 and 9 over 2 are 7; the root of a third of it.
    assert place.mean == 3
    assert place.standard_error == pytest.approx(sqrt(7 / 3))


def test_one_match_has_no_standard_error() -> None:
    (place,) = tallied(result(0, 5)).places()
    assert place.standard_error is None


def test_equal_means_share_a_rank_and_the_next_is_left_out() -> None:
    places = tallied(result(0, 3, 7, 3, 1), result(1, 5, 1, 5, 0)).places()
    assert [(each.name, each.rank) for each in places] == [
        ("player-0", 1), ("player-1", 1), ("player-2", 1), ("player-3", 4),
    ]  # fmt: skip


def test_totals_stay_exact_however_large_they_are() -> None:
    large = 2**63
    places = tallied(result(0, large, large + 1), result(1, large, large)).places()
    assert [each.total for each in places] == [2 * large + 1, 2 * large]
    assert [each.rank for each in places] == [1, 2]  # a double could not tell them apart


def test_averages_that_differ_by_rounding_only_share_a_rank() -> None:
    places = tallied(result(0, 1 / 7, 5 / 7), result(1, 4 / 7, 0.0)).places()
    assert [each.rank for each in places] == [1, 1]


def test_sums_do_not_depend_on_the_order_of_matches() -> None:
    scores = [0.1, 1e16, -1e16, 0.3, 7e-9]
    results = [result(number, score) for number, score in enumerate(scores)]
    (one,), (two,) = tallied(*results).places(), tallied(*reversed(results)).places()
    assert (one.mean, one.standard_error, one.total) == (two.mean, two.standard_error, two.total)


def test_a_tally_takes_no_more_memory_for_more_matches() -> None:
    tally = Tally([("one", "kelly"), ("two", "kelly")])
    for number in range(2000):
        tally.add(result(number, number, 0.5))
    assert [len(each.games) for each in tally.curves] == [1, 1]
    assert tally.curves[0].means == [999.5]  # the mean of 0..1999


# A match


def test_a_curve_has_few_points_and_ends_with_the_result() -> None:
    for games in (1, 7, CURVE_POINTS, CURVE_POINTS + 1, 999, 5000):
        contest = Counting(1)
        (match,) = contest.matches(1, games, "s")
        curve = play(plan(contest, "high"), match).curve
        assert len(curve) == min(games, CURVE_POINTS)
        assert (curve[-1].games, curve[-1].scores) == (games, [5 * games])
        assert [each.games for each in curve] == sorted({each.games for each in curve})


def test_a_log_that_travels_comes_out_as_it_was() -> None:
    packed = CompressedLog()
    for number in range(10_000):
        packed(f"line {number}\n")
    text = zlib.decompress(packed.close()).decode()
    assert text == "".join(f"line {number}\n" for number in range(10_000))


def test_errors_are_kept_up_to_a_limit_and_the_rest_is_counted() -> None:
    capped = BoundedErrors()
    for _ in range(12):
        capped("x" * 100_000)
    assert capped.text.count("\n") == 11  # ten lines of 100,001 fit into 2**20, and one says the rest
    assert capped.text.endswith("(and 2 more lines of this match)\n")


def test_a_bout_says_at_any_time_what_has_been_played() -> None:
    contest = Counting(1)
    (match,) = contest.matches(2, 4, "s")
    with MatchRun(plan(contest, "high", "low"), match, None, BoundedErrors()) as run:
        assert run.result().scores == [0, 0]
        next(iter(run))
        assert (run.result().games, run.result().scores) == (1, [5, 1])


# Words


def test_json_has_one_shape() -> None:
    outcome = carried_out(replace(order(Counting(2), "low", "high"), seed="s"))
    told = json.loads(report.as_json(outcome))
    assert list(told) == [
        "game", "unit", "players", "games", "matches", "seconds", "seed", "options", "interrupted", "ended",
        "containment",
    ]  # fmt: skip
    assert told["options"] == {"games": 4, "count": 2, "fails_at": -1}
    assert told["players"][0] == {
        "name": "high-1", "plays": "high", "rank": 1, "mean": 20.0, "se": 0.0, "total": 40, "matches": 2,
        "failures": {}, "measures": {}, "rating": None,
    }  # fmt: skip
    assert told["containment"] is None  # no program plays


def test_what_contained_programs_is_told_if_one_played() -> None:
    ordered = order(Counting(2), "low", "high")
    assert report.containment_of(ordered) is None
    low, high = ordered.players
    command = ProgramCommand(("/bin/true",), "calls")
    with_program = replace(ordered, players=(low, replace(high, command=command)))
    told = report.containment_of(with_program)
    assert told == sandbox.containment(sandbox=ordered.limits.sandbox)
    assert told is not None


def test_nothing_finished_has_the_same_shape() -> None:
    told = json.loads(report.as_json(carried_out(order(Counting(0), "low"))))
    assert told["players"] == [
        {
            "name": "low-0", "plays": "low", "rank": None, "mean": None, "se": None, "total": 0, "matches": 0,
            "failures": {}, "measures": {}, "rating": None,
        }
    ]  # fmt: skip


def test_the_table_shows_what_there_is_and_nothing_else() -> None:
    single = shown(outcome_of(tallied(result(0, 1234567, 3))))
    assert "1,234,567" in single
    assert "standard error" not in single
    assert "added up" not in single
    several = shown(outcome_of(tallied(result(0, 7, 3), result(1, 8, 3))))
    assert "7.500" in several
    assert "0.500" in several
    assert "15" in several
    failed = shown(outcome_of(tallied(result(0, 7, 3, failures=[{"late": 2}, {}]))))
    assert "2 late" in failed


def test_a_name_is_no_markup() -> None:
    tally = Tally([("[red]x[/]", "kelly")])
    tally.add(result(0, 1))
    assert "[red]x[/]" in shown(outcome_of(tally))


def test_what_was_stopped_says_how_far_it_came() -> None:
    one = carried_out(order(Counting(1, fails_at=0), "low"))
    assert report.stopped(one) == "Stopped after 2 of 4 games."
    several = carried_out(order(Counting(5, fails_at=3), "low"))
    assert report.stopped(several) == "Stopped after 3 of 5 matches (12 of 20 games)."
    nothing = RunOutcome(one.order, Tally([("low", "low")]), 1, 4, 0.0, interrupted=True)
    assert report.stopped(nothing) == "Stopped before a match was finished."


# Pictures


@dataclass(frozen=True)
class Scores:
    """Final scores of players that grew steadily to them."""

    finals: Sequence[float]
    names: Sequence[str] = field(default=())

    def outcome(self) -> RunOutcome:
        names = self.names or [f"player-{each}" for each in range(len(self.finals))]
        tally = Tally([(name, "kelly") for name in names])
        for number in (0, 1):
            curve = [Standing(at, [each * at / 50 for each in self.finals]) for at in range(1, 51)]
            finals = [each + number for each in self.finals]
            match = Match(number, tuple(range(len(finals))), 50, "")
            tally.add(MatchResult(match, 50, finals, [{} for _ in finals], curve))
        return outcome_of(tally)


def size_and_colours(file: Path) -> tuple[int, int, int]:
    from matplotlib.image import imread  # noqa: PLC0415

    header = file.read_bytes()[:24]
    assert header[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", header[16:])
    pixels = imread(file)[::3, ::3, :3].round(2).reshape(-1, 3)
    return width, height, len({tuple(each) for each in pixels.tolist()})


@pytest.mark.slow
@pytest.mark.parametrize(
    "scores",
    [
        Scores([5, 3]),
        Scores([10**k for k in range(20)]),
        Scores([0, 0, 0]),
        Scores([-5.5, 0.0, 5.5]),
        Scores([-(10**6), 3, 5, 10**6]),
        Scores([1, 2], ["$x_{1}$ 한국어 \N{SNAKE}", "y" * 60]),
        Scores([7]),
        Scores(list(range(40))),
    ],
    ids=["two", "twenty", "nothing", "around 0", "losses", "names", "one", "forty"],
)
def test_a_picture_is_a_png_that_shows_something(scores: Scores, tmp_path: Path) -> None:
    plot.draw(scores.outcome(), tmp_path / "picture.png")
    width, height, colours = size_and_colours(tmp_path / "picture.png")
    assert width == 2025
    assert height >= 780
    assert colours > 20


def test_a_picture_is_headed_by_the_title_of_the_game() -> None:
    outcome = Scores([5, 3]).outcome()
    drawn = picture(replace(outcome, order=replace(outcome.order, game="heist")))
    assert drawn.get_suptitle().startswith("Bank Heist: 100 games in 2 matches, 2 players\n")


def test_scores_far_apart_are_drawn_on_a_logarithmic_scale() -> None:
    def scales(*finals: float) -> list[str]:
        left, right = picture(Scores(finals).outcome()).axes
        return [left.get_yscale(), right.get_xscale()]

    assert scales(1000, 1500)[1] == "linear"
    assert scales(1000, 500_000)[1] == "log"
    assert scales(0, 5, 500_000) == ["symlog", "symlog"]
    assert scales(-3, 5, 7) == ["linear", "linear"]


def test_an_error_as_large_as_the_mean_ends_above_the_nothing_that_a_logarithmic_scale_has_not() -> None:
    tally = tallied(result(0, 0, 500_000), result(1, 2000, 500_000))
    # The mean of 0 and 2000 is 1000, and so is its standard error: the root of 2 * 1000² over 2.
    assert [each.standard_error for each in tally.places()] == [0, pytest.approx(1000)]
    _, right = picture(outcome_of(tally)).axes
    assert right.get_xscale() == "log"
    ends = [segment[0][0] for bar in right.containers for segment in bar[2][0].get_segments()]
    assert min(ends) == pytest.approx(100)  # a tenth of the mean


def test_names_are_beside_the_ends_of_lines_and_cover_nothing() -> None:
    figure = picture(Scores([100, 101, 102, 103, 5000]).outcome())
    heights = sorted(each.get_position()[1] for each in figure.axes[0].texts)
    assert len(heights) == 5
    assert min(high - low for low, high in pairwise(heights)) > 0.05


@pytest.mark.parametrize(
    ("wanted", "spaced"),
    [
        ([0.5], [0.5]),
        ([0.2, 0.8], [0.2, 0.8]),
        ([0.5, 0.5], [0.45, 0.55]),
        ([0.5, 0.5, 0.5], [0.4, 0.5, 0.6]),
        ([1.0, 1.0], [0.9, 1.0]),
        ([0.0, 0.0], [0.0, 0.1]),
        ([0.5, 0.56, 0.6], [0.4533, 0.5533, 0.6533]),
    ],
)
def test_labels_move_no_farther_apart_than_they_must(wanted: list[float], spaced: list[float]) -> None:
    assert spread(wanted, 0.1) == pytest.approx(spaced, abs=1e-3)
