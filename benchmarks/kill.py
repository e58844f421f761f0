"""Kills the program under load, many times, and looks whether a credit, a stake or a table was lost.

The load, the checks and the moments are those of `tests/slow/test_kill.py`. Each job has a file of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tests.slow.killing import Tally, series

SERIES = 25  # kills on one file: a bot that has been killed before is killed again


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=500, help="kills in all")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="draws who says what, and each moment")
    parser.add_argument("--jobs", type=int, default=2, help="programs that are killed side by side")
    asked = parser.parse_args()
    began = time.perf_counter()
    tally = asyncio.run(killed(asked.times, asked.seed, asked.jobs))
    seconds = time.perf_counter() - began
    for each in tally.breaches:
        print(each)
    print(f"seed {asked.seed}: {tally}; {seconds / max(tally.kills, 1):.2f} s a kill")
    sys.exit(bool(tally.breaches))


async def killed(times: int, seed: str, jobs: int) -> Tally:
    """Share the kills out among the jobs, and stop at the first that finds something."""
    whole, gate = Tally(), asyncio.Semaphore(jobs)
    columns = TextColumn("kills"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("kills", total=times)

        async def one(number: int, kills: int) -> None:
            async with gate:
                if not whole.breaches:
                    whole.add(await series(f"{seed}-{number}", kills, lambda: progress.advance(task)))

        sizes = [min(SERIES, times - done) for done in range(0, times, SERIES)]
        await asyncio.gather(*(one(number, kills) for number, kills in enumerate(sizes)))
    return whole


if __name__ == "__main__":
    main()
