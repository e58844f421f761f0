"""The benchmark of open seats sees each join at each seat, and what the page weighs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from benchmarks.desk import quantile
from benchmarks.seats import PAGE_AIM, as_table, linked, measure, reached

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
def test_each_join_is_seen_at_each_seat_and_the_page_is_small(tmp_path: Path) -> None:
    figures = asyncio.run(measure(3, 5, tmp_path))
    assert len(figures.latencies) == 3 * 5
    assert 20 < figures.page <= PAGE_AIM
    assert as_table(figures, 3, 5).row_count == 6


def test_a_join_is_seen_with_the_first_table_that_has_as_many_or_more() -> None:
    assert reached([[3, 1.0], [5, 2.0]], 3, 2) == [(4, 2.0), (5, 2.0)]


def test_what_a_page_loads_is_found_in_it_and_in_its_modules() -> None:
    assert linked("/seat", '<script src="/static/seat/main.js">') == ["/static/seat/main.js"]
    assert linked("/static/seat/main.js", 'import { a } from "../dom.js"; from "./api.js"') == [
        "/static/dom.js",
        "/static/seat/api.js",
    ]


def test_a_quantile_is_what_so_many_do_not_exceed() -> None:
    assert [quantile([4.0, 1.0, 3.0, 2.0], share) for share in (0.0, 0.5, 0.99)] == [1.0, 3.0, 4.0]
