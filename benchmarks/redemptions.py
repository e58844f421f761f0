"""Kill the program while viewers stake channel points, many times, and compare Twitch with its books.

Viewers of a fake Twitch on this machine buy rewards, join, leave and are refused, lobbies close, tables are
called off, and events are delivered again, while the program is killed at random moments. The load and the
checks are those of `tests/slow/redeeming.py`. Each job has its own database file and its own Twitch.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from tests.slow.redeeming import Tally, series

SERIES = 25  # kills on one file, after which every redemption must be settled
JOBS = 2

TOLD = {
    "kills": "kills of the program",
    "unsettled": "of them while Twitch was still to be told of something",
    "bought": "rewards that were bought",
    "away": "of them while the program was not running",
    "repeated": "events that were delivered again",
    "kept": "stakes that were played for, their points taken",
    "backed_out": "of them taken out of the game, and so destroyed",
    "returned": "stakes that were taken back, with their points",
    "refused": "stakes that were refused, their points given back",
}
"""What each count of a tally is."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=500, help="kills in all")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="determines who does what, and when")
    parser.add_argument("--jobs", type=int, default=JOBS, help="programs that are killed side by side")
    parser.add_argument("--fault", default="", help="one of tests/slow/hurried.py, which is to be found")
    arguments = parser.parse_args()
    began = time.perf_counter()
    tally = asyncio.run(killed(arguments.times, arguments.seed, arguments.jobs, arguments.fault))
    Console().print(as_table(tally))
    for each in tally.breaches:
        print(each)
    seconds = (time.perf_counter() - began) / max(tally.kills, 1)
    print(f"seed {arguments.seed}: {tally.kills} kills, {seconds:.2f} s each, {len(tally.breaches)} breaches")
    sys.exit(bool(tally.breaches))


def as_table(tally: Tally) -> Table:
    """Return what a tally has counted as a table."""
    table = Table("what", "how many")
    table.columns[1].justify = "right"
    for name, what in TOLD.items():
        table.add_row(what, f"{getattr(tally, name):,}")
    table.add_row("breaches", f"{len(tally.breaches):,}")
    return table


async def killed(times: int, seed: str, jobs: int, fault: str = "") -> Tally:
    """Distribute the kills among the jobs, and stop at the first breach."""
    whole, gate = Tally(), asyncio.Semaphore(jobs)
    columns = TextColumn("kills"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("kills", total=times)

        async def one(number: int, kills: int) -> None:
            async with gate:
                if not whole.breaches:
                    advance = lambda: progress.advance(task)  # noqa: E731
                    whole.add(await series(f"{seed}-{number}", kills, fault, advance))

        sizes = [min(SERIES, times - first) for first in range(0, times, SERIES)]
        await asyncio.gather(*(one(number, kills) for number, kills in enumerate(sizes)))
    return whole


if __name__ == "__main__":
    main()
