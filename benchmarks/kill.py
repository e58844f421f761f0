"""Kill the program under load, many times, and check whether a credit, a stake or a table was lost.

The load, the checks and the times are those of `tests/slow/test_kill.py`. Each job has its own database.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
import time
from contextlib import nullcontext
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from benchmarks.ledger import SERVER
from benchmarks.ledger import postgresql as create_database
from benchmarks.rows import Measure
from tests.slow.killing import Tally, prepared, series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.rows import Row

SERIES = 25  # kills on one database, so that programs that were killed before are killed again
KILLS, QUICK = 50, 2  # kills of a row, and with `quick`
JOBS = 2

LOST = Measure(
    "`kill -9` under load: breaches found in the books", "stakes and credits that had been answered"
)
MEASURES = (LOST,)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=500, help="kills in all")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="determines who says what, and when")
    parser.add_argument("--jobs", type=int, default=JOBS, help="programs that are killed side by side")
    parser.add_argument("--postgresql", action="store_true", help=f"use databases of the server at {SERVER}")
    arguments = parser.parse_args()
    if arguments.postgresql:
        try:
            asyncio.run(_require_server())
        except (OSError, ImportError) as error:  # none answers, or the extra `postgres` is not installed
            parser.error(f"no PostgreSQL answers at {SERVER}: {error}")
    began = time.perf_counter()
    tally = asyncio.run(
        killed(arguments.times, arguments.seed, arguments.jobs, postgresql=arguments.postgresql)
    )
    seconds = time.perf_counter() - began
    for each in tally.breaches:
        print(each)
    print(f"seed {arguments.seed}: {tally}; {seconds / max(tally.kills, 1):.2f} s a kill")
    sys.exit(bool(tally.breaches))


def rows(*, quick: bool) -> Iterator[Row]:
    kills, most = (QUICK, 1) if quick else (KILLS, SERIES)
    tally = asyncio.run(killed(kills, secrets.token_hex(4), JOBS, most))
    yield LOST.row(len(tally.breaches), tally.promises)


async def killed(times: int, seed: str, jobs: int, most: int = SERIES, *, postgresql: bool = False) -> Tally:
    """Distribute the kills among the jobs, and stop at the first breach."""
    whole, gate = Tally(), asyncio.Semaphore(jobs)
    columns = TextColumn("kills"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("kills", total=times)

        async def one(number: int, kills: int) -> None:
            async with gate:
                if whole.breaches:
                    return
                async with create_database() if postgresql else nullcontext("") as server:
                    folder, name = await prepared(server), f"{seed}-{number}"
                    whole.add(await series(folder, name, kills, lambda: progress.advance(task), server))

        sizes = [min(most, times - first) for first in range(0, times, most)]
        await asyncio.gather(*(one(number, kills) for number, kills in enumerate(sizes)))
    return whole


async def _require_server() -> None:
    """Raise OSError if no server answers; one that comes later is the program's own."""
    async with create_database():
        pass


if __name__ == "__main__":
    main()
