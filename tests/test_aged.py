"""A database that was aged holds what the program would have written."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from benchmarks.aged import EVENING, GROUPS, age
from chatbot import inspection

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
