"""All benchmarks, one after the other, each in a fresh process; and the table of what they find."""

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
    "heist",
    "champion",
    "highshow",
    "chicken",
    "sixcard",
    "sixcard_games",
    "market",
    "programs",
)
HEADINGS = ("benchmark", "what", "ours", "the other side", "ratio")
FAILED = "it failed: "


def benchmark(name: str) -> Benchmark:
    """Load a benchmark, and no other: what they import would be in each other's way."""
    return cast("Benchmark", import_module(f"benchmarks.{name}"))


def taken(name: str, *, quick: bool) -> list[Row]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return outcome(name, pool.submit(_rows, name, quick))


def outcome(name: str, rows: Future[list[Row]]) -> list[Row]:
    """Wait for the rows of a benchmark; one that fails says so in them, so that the others go on."""
    try:
        return rows.result()
    except (Exception, SystemExit) as error:  # noqa: BLE001  (whatever it is, it is told)
        why = " ".join(f"{FAILED}{type(error).__name__} {error}".split())
        return [each.lacking(why) for each in benchmark(name).MEASURES]


def _rows(name: str, quick: bool) -> list[Row]:
    asked = benchmark(name)
    rows = list(asked.rows(quick=quick))
    assert [each.measure for each in rows] == list(asked.MEASURES)
    return rows


def markdown(found: Mapping[str, Iterable[Row]], *, quick: bool) -> str:
    lines = [HEADINGS, ("---", "---", "---:", "---", "---:"), *_lines(found, "`")]
    table = "".join(f"| {' | '.join(each)} |\n" for each in lines)
    return f"{table}\n{caption(quick=quick)}\n"


def shown(found: Mapping[str, Iterable[Row]], *, quick: bool) -> Table:
    table = Table(caption=caption(quick=quick), caption_justify="left")
    for heading in HEADINGS:
        table.add_column(heading, justify="right" if heading in {"ours", "ratio"} else "left")
    for line in _lines(found, ""):
        table.add_row(*line)
    return table


def _lines(found: Mapping[str, Iterable[Row]], quote: str) -> Iterator[tuple[str, ...]]:
    for name, rows in found.items():
        for row in rows:
            yield (f"{quote}{name}{quote}", *row.cells)


def caption(*, quick: bool) -> str:
    told = f"Machine: {machine()}."
    return f"{told} Taken with --quick: the figures mean nothing." if quick else told


def machine() -> str:
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def _processor() -> str:
    try:
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        told = ""
    names = [line.partition(":")[2].strip() for line in told.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
