"""Processes of a cluster are ended under load, and nothing that was heard is lost, or counts twice."""

from __future__ import annotations

import shutil

import pytest

from benchmarks.cluster import kill, measure, restart
from tests.ledger.conftest import administrate

pytestmark = pytest.mark.postgres


@pytest.fixture(autouse=True)
async def servers() -> None:
    pytest.importorskip("nats")
    if shutil.which("nats-server") is None:
        pytest.skip("there is no nats-server")
    await administrate("SELECT 1")


@pytest.mark.parametrize("times", [1, pytest.param(40, marks=pytest.mark.nightly)])
async def test_whatever_is_ended_everything_is_answered_and_the_books_are_sound(times: int) -> None:
    unanswered, _ = await kill(2, 20, times, "3")  # how long it takes says the command, on a quiet machine
    assert unanswered == []


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, pytest.param(10, marks=pytest.mark.nightly)])
async def test_no_line_is_lost_while_all_processes_are_restarted(times: int) -> None:
    assert await restart(2, 20, times, "4") == []


async def test_a_load_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    """As `benchmarks.cluster` without `--kill` does for each number of processes."""
    await measure(2, 10, 1.0, "1")
    shown = capsys.readouterr().out
    assert "2 of a cluster" in shown
    assert "unanswered 0" in shown
