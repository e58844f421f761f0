"""`chatbot archive` says what it would do, does it, and is not talked into what is too young."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from benchmarks.aged import EVENING, age
from chatbot.cli import archiving, entry, inspection
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 5, 6, 7, tzinfo=UTC)
MANY = 3 * len(EVENING)


@pytest.mark.slow
@pytest.mark.usefixtures("threads")
def test_old_tables_are_archived_and_can_still_be_checked(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'rabble.db'}"
    asyncio.run(age(url, MANY, datetime.now(UTC) - timedelta(days=40)))
    told = [
        CliRunner().invoke(entry.app, ["archive", "--database", url, "--before", "35", *more]).stdout
        for more in (["--dry-run"], [], [])
    ]
    assert [each.partition(" ")[0] for each in told] == [str(MANY), str(MANY), "0"]
    assert "would be archived" in told[0]
    assert (
        CliRunner().invoke(entry.app, ["archive", "--database", url]).stdout.startswith("0 tables that ended")
    )
    report = asyncio.run(inspection.audit(url))
    assert (report.breaches, report.counts["journal"], report.counts["game_table"]) == ([], 0, MANY)
    for table in ("1000000000", f"1{16**8 + MANY - 1:09x}"):
        story, hashes = asyncio.run(inspection.read_table(url, table))
        assert all(each.holds for each in inspection.verify(story, hashes, {}))


@pytest.mark.slow
@pytest.mark.usefixtures("threads")
def test_one_table_is_told_as_one(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'rabble.db'}"
    asyncio.run(age(url, 1, datetime.now(UTC) - timedelta(days=40)))
    run = partial(CliRunner().invoke, entry.app)
    assert run(["archive", "--database", url, "--dry-run", "--before", "35"]).stdout.startswith(
        "1 table that"
    )
    assert " UTC is in the archive now." in run(["archive", "--database", url, "--before", "35"]).stdout
    assert ", 1 table, 0 turns." in run(["audit", "--database", url]).stdout


@pytest.mark.parametrize(
    ("text", "until"), [("30", NOW - timedelta(days=30)), ("2026-01-31", datetime(2026, 1, 31, tzinfo=UTC))]
)
def test_days_and_dates_are_read(text: str, until: datetime) -> None:
    assert archiving._until(text, NOW) == until


@pytest.mark.parametrize(
    "text", ["29", "0", "2026-04-07", "tomorrow", "-3", "99999999999", "٣٣", "2026-13-01"]
)
def test_what_is_too_young_or_no_date_is_refused(text: str) -> None:
    with pytest.raises(Failure, match="--before takes a number of days from 30 on"):
        archiving._until(text, NOW)


def test_without_a_setting_it_must_be_said_what_is_old() -> None:
    with pytest.raises(Failure, match="CHATBOT_ARCHIVE_DAYS is 0"):
        archiving._until("", NOW)
