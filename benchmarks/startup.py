"""Measure the time until the page listens, and the memory then, compared with an import of its libraries."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.rows import Measure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.rows import Row

ROUNDS = 5
LIBRARIES = "import aiohttp.web, aiosqlite, fluent.runtime, pydantic_settings, sqlalchemy.ext.asyncio"
BARE = [sys.executable, "-c", f"{LIBRARIES}, structlog, typer\nprint('ready', flush=True)\ninput()"]
OURS = [sys.executable, "-m", "chatbot"]
HELP = [*OURS, "--help"]
EMPTY = [sys.executable, "-c", "import typer"]

LISTENING = Measure("start to listening, s", "bare import of the same libraries")
IDLE = Measure("idle memory, MB", "the same")
HELPED = Measure("`chatbot --help`, s", "`import typer`")
MEASURES = (LISTENING, IDLE, HELPED)


@dataclass(frozen=True, slots=True)
class Side:
    """The figures of one process, or their medians."""

    seconds: float  # to the first line
    memory: float  # MB, one second later
    empty: float  # seconds of a process that ends immediately


def main() -> None:
    first, ours, bare = medians(ROUNDS)
    lines = (
        ("start to listening, s", ours.seconds, bare.seconds, 2),
        ("idle memory, MB", ours.memory, bare.memory, 1),
        ("chatbot --help, s", ours.empty, bare.empty, 2),
    )
    print(f"{'':24}{'ours':>9}{'bare':>9}{'ratio':>7}")
    for what, own, other, digits in lines:
        print(f"{what:24}{own:9.{digits}f}{other:9.{digits}f}{own / other:7.2f}")
    print(f"{'first start, s':24}{first:9.2f}")


def rows(*, quick: bool) -> Iterator[Row]:
    _, ours, bare = medians(1 if quick else ROUNDS)
    yield LISTENING.row(ours.seconds, bare.seconds)
    if isnan(ours.memory):
        yield IDLE.lacking("this system does not tell")
    else:
        yield IDLE.row(ours.memory, bare.memory)
    yield HELPED.row(ours.empty, bare.empty)


def medians(rounds: int) -> tuple[float, Side, Side]:
    """Return the seconds of the first start, and the medians of both sides, which take turns."""
    ours, bare = list[Side](), list[Side]()
    with tempfile.TemporaryDirectory() as folder:
        first, _ = measure(OURS, folder)
        for _ in range(rounds):
            bare.append(Side(*measure(BARE, folder), timed(EMPTY)))
            ours.append(Side(*measure(OURS, folder), timed(HELP)))
    return first, middle(ours), middle(bare)


def middle(sides: list[Side]) -> Side:
    return Side(
        median(each.seconds for each in sides),
        median(each.memory for each in sides),
        median(each.empty for each in sides),
    )


def measure(command: list[str], folder: str) -> tuple[float, float]:
    """Start a process, and return the seconds to its first line and its memory in MB a second later."""
    began = time.perf_counter()
    with subprocess.Popen(
        command, cwd=folder, env=environment(), stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline(), f"{command} has ended before it was ready"
        seconds = time.perf_counter() - began
        time.sleep(1)
        memory = resident(process.pid)
        process.terminate()
    return seconds, memory


def environment() -> dict[str, str]:
    """Return the environment of a new user: no settings, and compiled modules are cached."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("CHATBOT_")}
    others.pop("PYTHONDONTWRITEBYTECODE", None)
    # Below the folder of the measurement, by names that older commits know as well.
    others["CHATBOT_DATABASE"] = "sqlite:///data/rabble.db"
    others["CHATBOT_FAIRNESS_KEY_FILE"] = "data/fairness.key"
    return {**others, "CHATBOT_PORT": "0", "PYTHONPATH": str(Path(__file__).parent.parent)}


def resident(process: int) -> float:
    """Return the resident memory of a process in MB; NaN where the system does not report it."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        return float("nan")
    line = next(each for each in status.read_text().splitlines() if each.startswith("VmRSS"))
    return int(line.split()[1]) / 1000


def open_files() -> int:
    """Return how many files this process has open; 0 where the system does not tell."""
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


def timed(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=environment())
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
