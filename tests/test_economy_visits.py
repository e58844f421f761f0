"""What honest visitors get is measured by the same visits on two checkouts."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from benchmarks import economy_visits
from benchmarks.economy_checkout import ROOT
from benchmarks.economy_visits import EARNED, VISIT, as_table, elsewhere, visits

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow


async def test_honest_visits_are_compared_with_those_of_another_checkout(tmp_path: Path) -> None:
    former = tmp_path / "former"
    former.mkdir()
    for each in ("chatbot", "data"):
        (former / each).symlink_to(ROOT / each)
    few = {1: 1}
    here, there = await visits("a test", few), elsewhere("a test", former, few)
    assert here == there  # of one program and one seed
    assert here[f"{EARNED}|1"] == [120.0]  # the claim
    assert len(here[f"{VISIT}|1"]) == 1
    games = {key.partition("|")[0] for key in here} - {VISIT, EARNED}
    assert len(games) == 5
    assert as_table(here, there).row_count == len(here)


def test_a_difference_has_the_error_of_both() -> None:
    assert economy_visits.difference([1.0, 3.0], [0.0, 0.0]) == (2.0, 1.0)


@pytest.mark.parametrize("module", ["economy", "economy_visits"])
def test_a_folder_without_a_program_is_refused(module: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", f"benchmarks.{module}", "--checkout", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.endswith(f"argument --checkout: there is no checkout of Rabble in {tmp_path}\n")
