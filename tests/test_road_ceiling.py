"""What a line costs is written down, and a commit that costs more says why.

The figures are calls of the program's own functions (`benchmarks/road_probe.py` defines them). They do not
depend on the machine, and only a little on what else runs in the event loop at that moment.
"""

from __future__ import annotations

import pytest

from benchmarks import road

CEILING = {
    "!heist 69, a newcomer opens": 1005,
    "!heist 69, a newcomer joins": 808,
    "!heist 69, a member opens": 904,
    "!heist 69, a member joins": 596,
    "!highshow": 788,
    "!credits": 185,
    "!set heist lobby 90": 458,
    "/highshow, on Discord": 1020,
}
"""The most calls of each line. Raise one only in a commit that says what they are for; lower it with what you
save."""

WRITES = {"!credits": 0}
"""Durable writes of lines that have not exactly one."""

SLACK = 0.03  # of what is allowed, beneath which a ceiling is too high to hold anything


@pytest.fixture(scope="module")
def figures() -> road.Figures:
    return road.counted(road.ROOT, road.TIMES)


@pytest.mark.slow
@pytest.mark.parametrize("line", CEILING)
def test_a_line_takes_no_more_calls_than_it_did(figures: road.Figures, line: str) -> None:
    calls = figures[line]["calls"]
    assert calls <= CEILING[line], "say in the commit what the new calls are for, and raise the ceiling"
    assert calls >= CEILING[line] * (1 - SLACK), "calls were saved: lower the ceiling, so that they stay so"


@pytest.mark.slow
@pytest.mark.parametrize("line", CEILING)
def test_a_line_is_written_by_one_commit_and_a_question_by_none(figures: road.Figures, line: str) -> None:
    assert figures[line]["writes"] == WRITES.get(line, 1)
