"""`python -m tests.simulator`: plays evenings from seeds, and tells the command that replays each breach."""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from chatbot import log
from tests.simulator.stage import STEPS, Report, play

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

SHOWN = 15  # lines of a trace before its breach


def main(words: Sequence[str] | None = None) -> int:
    """Play what is asked for; give the exit code."""
    asked = _parser().parse_args(words)
    log.configure("critical")
    evening = partial(play, steps=asked.steps, hosted=asked.hosted)
    if asked.seed is not None:
        return _one(evening(asked.seed), asked.steps, trace=asked.trace)
    return _many(evening, range(asked.first, asked.first + asked.seeds), asked.steps, asked.jobs)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.simulator", description=__doc__)
    parser.add_argument("--seeds", type=int, default=200, help="how many evenings")
    parser.add_argument("--first", type=int, default=0, help="the first of their seeds")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once")
    parser.add_argument("--steps", type=int, default=STEPS, help="steps of an evening")
    parser.add_argument("--hosted", action="store_true", help="let players of the house join every heist")
    parser.add_argument("--seed", type=int, help="play this one alone")
    parser.add_argument("--trace", action="store_true", help="with --seed: show all its steps")
    return parser


def _one(report: Report, steps: int, *, trace: bool) -> int:
    console = Console(soft_wrap=True, highlight=False, markup=False)
    if report.breach:
        _tell(console, report, steps, len(report.trace) if trace else SHOWN)
        return 1
    if trace:
        console.print("\n".join(report.trace))
    console.print(f"seed {report.seed}: no breach; trace {report.digest}")
    return 0


def _many(evening: Callable[[int], Report], seeds: range, steps: int, jobs: int) -> int:
    console, began, played, broken = (
        Console(soft_wrap=True, highlight=False, markup=False),
        time.monotonic(),
        0,
        0,
    )
    try:
        for report in _shown(_played(evening, seeds, jobs), len(seeds), console):
            played += 1
            if report.breach:
                broken += 1
                _tell(console, report, steps, SHOWN)
    except KeyboardInterrupt:
        console.print("stopped")
    passed = time.monotonic() - began
    console.print(f"{played} of {len(seeds)} evenings, {broken} with a breach; {played / passed:.1f} seeds/s")
    return 1 if broken or played < len(seeds) else 0


def _played(evening: Callable[[int], Report], seeds: range, jobs: int) -> Iterator[Report]:
    if jobs == 1:
        yield from map(evening, seeds)
        return
    pool = ProcessPoolExecutor(jobs, initializer=log.configure, initargs=("critical",))
    try:
        yield from pool.map(evening, seeds)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _shown(reports: Iterable[Report], total: int, console: Console) -> Iterator[Report]:
    """Show how far it is."""
    columns = TextColumn("evenings"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("evenings", total=total)
        for report in reports:
            progress.advance(task)
            yield report


def _tell(console: Console, report: Report, steps: int, shown: int) -> None:
    more = ("" if steps == STEPS else f" --steps {steps}") + (" --hosted" if report.hosted else "")
    console.print(f"seed {report.seed}, step {report.step}: {report.breach}")
    console.print("\n".join(report.trace[-shown:]))
    console.print(f"again: uv run python -m tests.simulator --seed {report.seed}{more} --trace\n")


if __name__ == "__main__":
    sys.exit(main())
