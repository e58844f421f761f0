"""Each benchmark runs, and the table of results is of today's benchmarks; speed is no test."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import threading
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchmarks import ledger, pace, road
from benchmarks.road_probe import Profiler
from benchmarks.rows import Measure, Row
from benchmarks.table import HEADINGS, NAMES, benchmark, markdown, outcome
from chatbot.tables.phase_timer import GRACE
from tests.documentation import CONTRIBUTING, EVERYTHING, page

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
SPEED = Measure("games/s", "one by one")
POSTGRESQL, COMMIT = "no PostgreSQL", "The commit "
ABSENT = POSTGRESQL, COMMIT  # what a machine may lack, and a row then says
NEVER = ("without an answer", "breaches found in the books", "files that differ")


APART = {
    "age",
    "cluster",
    "day",
    "desk",
    "economy",
    "economy_visits",
    "faults",
    "imports",
    "pace",
    "redemptions",
    "seats",
    "shared_pages",
}
"""What has tables of its own, most of it because it takes minutes."""


def cells(table: str) -> list[list[str]]:
    """Read the rows of a table in Markdown, without its heading."""
    lines = [line for line in table.splitlines() if line.startswith("|")]
    heading, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    assert heading == list(HEADINGS)
    return rows


def promised(name: str) -> list[list[str]]:
    return [[f"`{name}`", each.what, each.beside] for each in benchmark(name).MEASURES]


def named(row: list[str]) -> list[str]:
    """Leave the figures out of a row."""
    name, what, _, beside, _ = row
    written = re.fullmatch(r"\S+ \((.*)\)", beside)
    return [name, what, written[1] if written else beside]


def test_every_command_of_the_folder_is_one_of_the_benchmarks() -> None:
    commands = {
        each.stem
        for each in (ROOT / "benchmarks").glob("*.py")
        if "\ndef main(" in each.read_text(encoding="utf-8")
    }
    assert commands - {"__main__", *APART} == set(NAMES)


def test_the_table_of_the_documentation_has_a_row_for_each_that_the_benchmarks_give() -> None:
    (shown,) = re.findall(
        r"<!-- benchmarks -->\n(.*?)<!-- /benchmarks -->", page("reference/benchmarks"), re.DOTALL
    )
    rows = [named(row) for row in cells(shown)]
    wanted = [row for name in NAMES for row in promised(name)]
    assert rows == wanted, "run `python -m benchmarks --markdown` and put in what it prints"
    assert "Machine: " in shown
    assert "--quick" not in shown


def test_no_two_rows_have_the_same_name() -> None:
    rows = [tuple(row[:2]) for name in NAMES for row in promised(name)]
    assert len(rows) == len(set(rows))


@pytest.mark.parametrize("text", [EVERYTHING, CONTRIBUTING], ids=["docs", "contributing"])
def test_every_benchmark_that_is_named_exists(text: str) -> None:
    quoted = set(re.findall(r"-m benchmarks\.(\w+)", text))
    for names in re.findall(r"-m benchmarks --only ((?:\w+ )+)", text):
        quoted |= {*names.split()}
    assert quoted <= {*NAMES, *APART}
    for path in re.findall(r"`(benchmarks/[^`]+)`", text):
        assert (ROOT / path).exists(), path


def test_a_row_has_both_sides_and_their_ratio() -> None:
    table = markdown({"heist": [SPEED.row(8000.4, 160)]}, quick=False)
    assert cells(table) == [
        ["`heist`", "games/s", "8,000", "160 (one by one)", "50"]
    ]  # 8000.4 / 160 = 50.0025


def test_a_row_says_what_it_lacks() -> None:
    table = markdown({"heist": [SPEED.lacking("no games")]}, quick=True)
    assert cells(table) == [["`heist`", "games/s", "not measured: no games", "one by one", ""]]
    assert "the figures mean nothing" in table


def test_without_postgresql_its_rows_say_so_and_the_others_are_there() -> None:
    found = [
        ledger.Figure(what, clients, rate, 1.0, 1.0)
        for clients in ledger.CLIENTS
        for what, rate in ((ledger.ALONE, 100.0), (ledger.TOGETHER, 300.0))
    ]
    rows = list(ledger.figure_rows({ledger.SQLITE: found}))
    assert [row.measure for row in rows] == list(ledger.MEASURES)
    assert [(row.ours, row.theirs) for row in rows if not row.lack] == [(300.0, 100.0)] * len(ledger.CLIENTS)
    assert all(POSTGRESQL in row.lack for row in rows if row.lack)


class Sleepy(threading.Thread):
    """Calls `rest` twice, in a thread of its own."""

    def run(self) -> None:
        for _ in range(2):
            rest()


def rest() -> list[int]:
    return [each for each in range(3)]  # noqa: C416  (a frame of its own before Python 3.12)


async def pausing() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


def test_the_road_counts_own_functions_in_all_threads_and_no_going_on_after_a_pause() -> None:
    with Profiler((__file__,)).listening() as profiler:
        sleepy = Sleepy()
        rest()
        tally = profiler.begin()
        asyncio.run(pausing())
        sleepy.start()
        sleepy.join()
        json.dumps([rest()])
        profiler.end()
        rest()
    # pausing, Sleepy.run and rest, which was called three times meanwhile
    assert tally.figures == {"calls": 5, "functions": 3, "files": 1}


def test_the_road_shows_a_former_commit_beside_today() -> None:
    ours, theirs = ({"!credits": dict.fromkeys(road.COUNTED, each)} for each in (50, 100))
    heading, row = road.table(ours, theirs, "abc")
    assert heading[1:] == (*(f"{each} (at abc)" for each in road.COUNTED), "calls: ratio")
    assert row == ("!credits", *["50 (100)"] * 4, "0.50")
    assert road.table(ours, None, None)[1] == ("!credits", *["50"] * 4)


@pytest.mark.slow
def test_the_road_says_in_a_sentence_that_an_older_program_is_too_different(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def empty(_: str) -> Iterator[Path]:
        yield tmp_path

    monkeypatch.setattr(road, "tree_at", empty)
    with pytest.raises(road.Absent) as absent:
        road.counted_at("abc", 2)
    assert str(absent.value).startswith("The program of abc cannot be counted as today's is (")
    assert "\n" not in str(absent.value)


def test_the_road_says_in_a_sentence_that_a_commit_or_git_is_not_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(road.Absent, match=r"^The commit 0000000 .*\.$"):
        road.counted_at("0000000", 2)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(road.Absent, match=r"^The commit 0000000 cannot be had: git is not installed\.$"):
        road.counted_at("0000000", 2)
    monkeypatch.setattr(road, "BEFORE", "0000000")
    assert [row.measure for row in road.rows(quick=True)] == list(road.MEASURES)
    assert {row.lack for row in road.rows(quick=True)} == {
        "The commit 0000000 cannot be had: git is not installed."
    }


def test_a_benchmark_that_fails_says_so_in_each_of_its_rows() -> None:
    failing: Future[list[Row]] = Future()
    failing.set_exception(RuntimeError("the disk\nis full"))
    rows = outcome("ledger", failing)
    assert [row.measure for row in rows] == list(ledger.MEASURES)
    assert {row.lack for row in rows} == {"it failed: RuntimeError the disk is full"}


async def test_the_pace_is_measured_on_a_turned_clock() -> None:
    alone = await pace.in_chat("Twitch", "heist", 1, pace.QUICK)
    wanted = 2 * (pace.ACTS_AFTER + GRACE) + 6  # the lobby, the getaway, the suspense
    assert wanted <= alone.seconds <= wanted + 2 * pace.STEP
    silent = await pace.in_chat("Discord", "heist", 1, pace.SILENT)
    assert silent.seconds == 60 + 30 + 6


@pytest.mark.parametrize("crowd", [0, pace.CROWD])
async def test_whoever_opens_the_page_sees_how_it_ends_in_half_a_minute(crowd: int) -> None:
    waiting = await pace.on_page(crowd, "waits")
    assert waiting.seconds <= 30


def test_the_pace_shows_a_former_program_in_brackets() -> None:
    ours = [pace.Figure("a", "page", 30, 5), *(pace.Figure("b", each, 14, 5) for each in pace.MANNERS)]
    theirs = [replace(each, seconds=96, lines=6) for each in ours]
    shown = pace.markdown(ours, theirs).splitlines()
    assert "| a | 30 (96) |" in shown
    assert "| b | 14 (96) | 14 (96) | 5 (6) |" in shown


@pytest.mark.nightly
def test_the_pace_of_a_commit_whose_parts_had_other_names_can_be_played() -> None:
    try:
        theirs = {(each.what, each.where): each.seconds for each in pace.elsewhere("467d90f8", ["heist"])}
    except SystemExit as absent:
        pytest.skip(str(absent))
    lobby, getaway, suspense = 60, 30, 6
    assert theirs["Bank Heist, 5 people, all quick", "Twitch"] == lobby + getaway + suspense
    assert theirs["alone; answers at once", "page"] == pace.ENTERED + lobby + getaway + suspense


LONG = {*NAMES} - {"highshow", "chicken", "sixcard", "kill"}
"""Which take long; their rows are compared with the documentation without running them."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=pytest.mark.nightly if each in LONG else ()) for each in NAMES]
)
def test_each_benchmark_runs_and_its_rows_are_complete(name: str) -> None:
    command = [sys.executable, "-m", "benchmarks", "--quick", "--markdown", "--only", name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = cells(done.stdout)
    assert [named(row) for row in rows] == promised(name)
    for _, what, ours, _, _ in rows:
        assert re.fullmatch(r"[0-9.,e+-]+", ours) or any(each in ours for each in ABSENT), what
        assert ours == "0" or not what.endswith(NEVER), what
