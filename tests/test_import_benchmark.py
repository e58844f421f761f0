"""The benchmark of imports carries out each step on a file that is as large as it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.imports import PLAIN, STEPS, as_table, measure, plain, write

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow


def test_each_step_is_measured_and_leaves_sound_books(tmp_path: Path) -> None:
    steps = [plain(3_000, tmp_path), *measure(3_000, tmp_path)]
    assert [each.step for each in steps] == ["bring", *STEPS]
    assert [each.faults for each in steps] == [0] * 4
    assert steps[0].database == PLAIN
    assert as_table(steps, 3_000).row_count == 4


def test_half_of_the_rows_have_an_id(tmp_path: Path) -> None:
    file = tmp_path / "points.csv"
    total = write(file, 10)
    heading, *rows = file.read_text(encoding="utf-8").splitlines()
    assert heading == "user_id,username,points"
    assert sum(bool(each.split(",")[0]) for each in rows) == 5
    assert total == sum(int(each.split(",")[2]) for each in rows)
