"""Scores that no double can hold, and matches that end early: both are added up, told and drawn."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest
from rich.console import Console

from arena.engine.match import BoundedErrors, MatchResult, MatchRun, play
from arena.report import plot, report
from arena.report.plot import picture
from chatbot.kernel.contest import Match, Standing
from tests.arena.contests import Counting, plan
from tests.arena.test_report import outcome_of, result, shown, size_and_colours, tallied

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from arena.engine.competition import RunOutcome
    from chatbot.kernel.contest import Entrant, Log

HUGE = 10**400


def grown(*finals: int) -> RunOutcome:
    """Give two matches in which scores doubled their digits once, from game to game."""
    results = []
    for number in (0, 1):
        curve = [Standing(5, [1] * len(finals)), Standing(10, finals)]
        match = Match(number, tuple(range(len(finals))), 10, "")
        results.append(
            MatchResult(match, 10, [each + number for each in finals], [{} for _ in finals], curve)
        )
    return outcome_of(tallied(*results))


# Numbers


def test_scores_that_no_double_can_hold_have_means_and_errors() -> None:
    places = tallied(result(0, HUGE, 7), result(1, 3 * HUGE, 9)).places()
    assert [each.mean for each in places] == [2 * HUGE, 8.0]
    assert [each.standard_error for each in places] == [HUGE, 1.0]  # half the distance, of two
    assert [each.total for each in places] == [4 * HUGE, 16]


def test_means_that_a_double_cannot_tell_are_whole_numbers() -> None:
    large = 2**60
    places = tallied(result(0, large + 1, large), result(1, large + 1, large)).places()
    assert [each.mean for each in places] == [large + 1, large]


def test_numbers_that_no_double_can_hold_are_told() -> None:
    outcome = outcome_of(tallied(result(0, 123456 * HUGE, 3), result(1, 3 * 123456 * HUGE, 3)))
    assert "2.4691e+405" in shown(outcome)
    (first, _) = json.loads(report.as_json(outcome))["players"]
    assert (first["mean"], first["se"]) == (2 * 123456 * HUGE, 123456 * HUGE)
    assert first["total"] == 4 * 123456 * HUGE


def test_no_terminal_is_told_numbers_in_full_as_long_as_they_can_be_read() -> None:
    def told(score: int) -> str:
        console = Console(file=io.StringIO(), width=120)
        report.show(outcome_of(tallied(result(0, score))), console)
        assert isinstance(console.file, io.StringIO)
        return console.file.getvalue()

    assert "1" + 13 * ",000" in told(10**39)
    assert "1.0000e+400" in told(HUGE)


# Pictures


@pytest.mark.slow
def test_a_picture_shows_them(tmp_path: Path) -> None:
    plot.draw(grown(0, 5, 10**40, 10**1500), tmp_path / "picture.png")
    _, _, colours = size_and_colours(tmp_path / "picture.png")
    assert colours > 20


@pytest.mark.slow
def test_they_are_drawn_by_their_powers_of_ten() -> None:
    left, right = picture(grown(10**300, 10**1500)).axes
    assert (left.get_yscale(), right.get_xscale()) == ("linear", "linear")
    assert [float(np.asarray(each.get_ydata())[-1]) for each in left.get_lines()[:2]] == [300, 1500]
    assert left.yaxis.get_major_formatter()(1500) == "1e1500"


# Matches that end early


@dataclass(frozen=True)
class Ending:
    """Ends after the second game, and says why."""

    inner: Counting

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def play(self, match: Match, entrants: Sequence[Entrant], log: Log | None) -> Iterator[Standing]:
        for standing in islice(self.inner.play(match, entrants, log), 2):
            yield replace(standing, ended="enough")


ENDING = plan(cast("Counting", Ending(Counting(1))), "high", "low")


def test_a_match_that_ends_before_its_last_game_says_why() -> None:
    def ended(games: int) -> tuple[int, str]:
        (match,) = Counting(1).matches(2, games, "s")
        played = play(ENDING, match)
        return played.games, played.ended

    assert ended(4) == (2, "enough")
    assert ended(2) == (2, "")  # that was all


def test_a_match_that_is_broken_off_has_not_ended() -> None:
    (match,) = Counting(1).matches(2, 4, "s")
    with MatchRun(ENDING, match, None, BoundedErrors()) as run:
        next(iter(run))
        assert run.result().ended == ""


def test_matches_that_ended_early_are_told() -> None:
    early = replace(result(0, 5, 1), games=2, ended="enough")
    assert report.endings(tallied(early)) == ["A match ended before the last game: enough."]
    several = tallied(early, result(1, 5, 1))
    assert report.endings(several) == ["1 of 2 matches ended before the last game: enough."]
    assert json.loads(report.as_json(outcome_of(several)))["ended"] == {"enough": 1}
    assert report.endings(tallied(result(0, 1))) == []
