"""The benchmark of the desk asks for each view, on a database that is as large as it says."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from benchmarks.desk import as_table, fill, measure, quantile
from chatbot.ledger.store.store import Store

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow


def test_each_view_is_measured(tmp_path: Path) -> None:
    views = measure(200, 400, 2, tmp_path)
    assert {len(each.times) for each in views} == {2}
    assert len({each.view for each in views}) == len(views) == as_table(views, 200, 400).row_count


async def test_the_database_is_as_large_as_it_says(tmp_path: Path) -> None:
    file = tmp_path / "rabble.db"
    await (await Store.open(f"sqlite:///{file}")).close()
    fill(file, "local", 50, 300)
    with closing(sqlite3.connect(file)) as connection:
        (members,) = connection.execute("SELECT count(*) FROM member").fetchone()
        (actions,) = connection.execute("SELECT count(*) FROM change").fetchone()
        (moved,) = connection.execute("SELECT count(*) FROM transfer").fetchone()
        (granted,) = connection.execute("SELECT count(*) FROM change WHERE kind = 'money'").fetchone()
    assert (members, actions) == (50, 300)
    assert 0 < moved == granted < actions


def test_a_quantile_is_a_time_that_so_many_requests_did_not_exceed() -> None:
    times = [float(each) for each in range(1, 101)]
    assert (quantile(times, 0.5), quantile(times, 0.99), quantile(times, 1)) == (51.0, 100.0, 100.0)
