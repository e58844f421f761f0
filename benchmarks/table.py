"""Run each benchmark in a process of its own, and print the table of all results."""

from __future__ import annotations

import os
import platform
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, cast

from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from concurrent.futures import Future

    from benchmarks.rows import Benchmark, Row

NAMES = (
    "startup",
    "ledger",
    "doors",
    "raid",
    "road",
    "kill",
    "memory",
    "overlay",
    "heist",
    "champion",
    "highshow",
    "chicken",
    "sixcard",
    "sixcard_games",
    "market",
    "programs",
    "ladder",
)
HEADINGS = ("benchmark", "what", "ours", "the other side", "ratio")
FAILED = "it failed: "


def benchmark(name: str) -> Benchmark:
    """Import a benchmark alone, because the imports of others would change what it measures."""
    return cast("Benchmark", import_module(f"benchmarks.{name}"))


def run_benchmark(name: str, *, quick: bool) -> list[Row]:
    """Run a benchmark in a process of its own, and return its rows."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return outcome(name, pool.submit(_rows, name, quick))


def outcome(name: str, rows: Future[list[Row]]) -> list[Row]:
    """Wait for the rows of a benchmark; if it fails they say so, so that the other benchmarks still run."""
    try:
        return rows.result()
    except (Exception, SystemExit) as error:  # noqa: BLE001  (every error becomes a row)
        why = " ".join(f"{FAILED}{type(error).__name__} {error}".split())
        return [each.lacking(why) for each in benchmark(name).MEASURES]


def _rows(name: str, quick: bool) -> list[Row]:
    module = benchmark(name)
    rows = list(module.rows(quick=quick))
    assert [each.measure for each in rows] == list(module.MEASURES)
    return rows


def markdown(rows_by_name: Mapping[str, Iterable[Row]], *, quick: bool) -> str:
    """Return the table of the documentation."""
    lines = [HEADINGS, ("---", "---", "---:", "---", "---:"), *_lines(rows_by_name, "`")]
    table = "".join(f"| {' | '.join(each)} |\n" for each in lines)
    return f"{table}\n{caption(quick=quick)}\n"


def as_table(rows_by_name: Mapping[str, Iterable[Row]], *, quick: bool) -> Table:
    """Return the table for a terminal."""
    table = Table(caption=caption(quick=quick), caption_justify="left")
    for heading in HEADINGS:
        table.add_column(heading, justify="right" if heading in {"ours", "ratio"} else "left")
    for line in _lines(rows_by_name, ""):
        table.add_row(*line)
    return table


def _lines(rows_by_name: Mapping[str, Iterable[Row]], quote: str) -> Iterator[tuple[str, ...]]:
    for name, rows in rows_by_name.items():
        for row in rows:
            yield (f"{quote}{name}{quote}", *row.cells)


def caption(*, quick: bool) -> str:
    text = f"Machine: {machine()}."
    return f"{text} Taken with --quick: the figures mean nothing." if quick else text


def machine() -> str:
    """Describe the machine and the version of Python."""
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def _processor() -> str:
    try:
        info = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        info = ""
    names = [line.partition(":")[2].strip() for line in info.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
