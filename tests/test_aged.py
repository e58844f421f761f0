"""A database that was aged holds what the program would have written."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from benchmarks.age import as_table, measure
from benchmarks.aged import EVENING, GROUPS, age
from chatbot.cli import inspection

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

TABLES = (GROUPS + 1) * len(EVENING) + 1  # so that every group plays, the first one twice


async def test_its_books_are_sound_and_its_tables_check_out(tmp_path: Path) -> None:
    database = tmp_path / "rabble.db"
    url = f"sqlite:///{database}"
    await age(url, TABLES)
    report = await inspection.audit(url)
    assert report.breaches == []
    assert report.counts["game_table"] == TABLES
    with closing(sqlite3.connect(database)) as connection:
        tables = [table for (table,) in connection.execute("SELECT id FROM game_table ORDER BY id")]
        games = {game for (game,) in connection.execute("SELECT DISTINCT game FROM game_table")}
        moved = connection.execute("SELECT count(DISTINCT table_id) FROM transfer").fetchone()
    assert len(games) > 1
    assert moved == (TABLES,)  # each of them was played for credits
    for table in (*tables[: len(EVENING)], *tables[-len(EVENING) :]):
        story, hashes = await inspection.read_table(url, table)
        findings = inspection.verify(story, hashes, {})
        assert [each.sentence for each in findings if not each.holds] == []


@pytest.mark.nightly
@pytest.mark.usefixtures("threads")
def test_what_a_long_life_costs_is_measured(tmp_path: Path) -> None:
    """Sizes that say nothing: only that each figure is taken, and that the sample checks out."""
    found = [measure(tables, starts=1, folder=tmp_path) for tables in (len(EVENING), 2 * len(EVENING))]
    assert [each.tables for each in found] == [6, 12]
    for each in found:
        del each.found["longer than empty, s"]  # which may be below 0
        assert all(value > 0 for value in each.found.values()), each.found
        assert each.found["archived table, packed, bytes, median"] < 1000
    printed = StringIO()
    Console(file=printed, width=120).print(as_table(found))
    assert "12 tables" in printed.getvalue()
    assert " ×)" in printed.getvalue()
    assert list(tmp_path.iterdir()) == []
