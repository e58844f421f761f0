"""Each benchmark runs, and the README's table is of today's benchmarks; how fast anything is, is no test."""

from __future__ import annotations

import re
import subprocess
import sys
from concurrent.futures import Future
from pathlib import Path

import pytest

from benchmarks import ledger
from benchmarks.rows import Measure, Row
from benchmarks.table import HEADINGS, NAMES, benchmark, markdown, outcome

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SPEED = Measure("games/s", "one by one")
ABSENT = "no PostgreSQL"
NEVER = ("without an answer", "breaches found in the books")


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
    assert commands - {"__main__"} == set(NAMES)


def test_the_table_of_the_readme_has_a_row_for_each_that_the_benchmarks_give() -> None:
    (shown,) = re.findall(r"<!-- benchmarks -->\n(.*?)<!-- /benchmarks -->", README, re.DOTALL)
    rows = [named(row) for row in cells(shown)]
    wanted = [row for name in NAMES for row in promised(name)]
    assert rows == wanted, "run `python -m benchmarks --markdown` and put in what it prints"
    assert "Machine: " in shown
    assert "--quick" not in shown


def test_no_two_rows_have_the_same_name() -> None:
    rows = [tuple(row[:2]) for name in NAMES for row in promised(name)]
    assert len(rows) == len(set(rows))


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_every_benchmark_that_is_named_exists(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    quoted = set(re.findall(r"-m benchmarks\.(\w+)", text))
    for names in re.findall(r"-m benchmarks --only ((?:\w+ )+)", text):
        quoted |= {*names.split()}
    assert quoted <= set(NAMES)
    for path in re.findall(r"`(benchmarks/[^`]+)`", text):
        assert (ROOT / path).exists(), path


def test_a_row_has_both_sides_and_their_ratio() -> None:
    table = markdown({"heist": [SPEED.found(8000.4, 160)]}, quick=False)
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
    rows = list(ledger.told({ledger.SQLITE: found}))
    assert [row.measure for row in rows] == list(ledger.MEASURES)
    assert [(row.ours, row.theirs) for row in rows if not row.lack] == [(300.0, 100.0)] * len(ledger.CLIENTS)
    assert all(ABSENT in row.lack for row in rows if row.lack)


def test_a_benchmark_that_fails_says_so_in_each_of_its_rows() -> None:
    failing: Future[list[Row]] = Future()
    failing.set_exception(RuntimeError("the disk\nis full"))
    rows = outcome("ledger", failing)
    assert [row.measure for row in rows] == list(ledger.MEASURES)
    assert {row.lack for row in rows} == {"it failed: RuntimeError the disk is full"}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_each_benchmark_runs_and_its_rows_are_complete(name: str) -> None:
    command = [sys.executable, "-m", "benchmarks", "--quick", "--markdown", "--only", name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = cells(done.stdout)
    assert [named(row) for row in rows] == promised(name)
    for _, what, ours, _, _ in rows:
        assert re.fullmatch(r"[0-9.,e+-]+", ours) or ABSENT in ours, what
        assert ours == "0" or not what.endswith(NEVER), what
