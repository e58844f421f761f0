"""Measure how the number of finished tables in a database affects starts, postings, audits and sizes.

Each database is written by `benchmarks.aged`, measured before its tables are archived, and again afterwards;
the proofs of a sample of its tables are verified both times. Starts are those of the program in a process of
its own, compared with starts on an empty database.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sqlite3
import subprocess
import tempfile
import time
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.aged import FRIENDS, GROUPS, ROOM, age, seat_of
from benchmarks.startup import OURS, environment
from chatbot.cli import inspection
from chatbot.ledger.archive.archive import Archive
from chatbot.ledger.audit.checkpoints import Checkpoints
from chatbot.ledger.audit.checks import Slices
from chatbot.ledger.books import purses
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry, Posting
from chatbot.ledger.store.store import Store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from chatbot.kernel.game import Seat

SIZES = (1_000, 100_000)
STARTS = 5  # of each database, alternating with starts on an empty one
POSTINGS = 500
POSTING_PAUSE = 0.01  # seconds between two postings during an audit
SAMPLE = 24  # tables that are verified

# What is measured, in the order in which it is printed.
_EMPTY, _START, _MORE = (
    "start to listening, empty database, s",
    "start to listening, s",
    "longer than empty, s",
)
_STOP = "arguments to end to ended, s"
_POSTING, _HOURLY, _FULL = "posting, p50, ms", "hourly audit, s", "`chatbot audit`, s"
_WEEKLY, _BESIDE = "weekly audit, all its slices, s", "posting beside the weekly audit, p99, ms"
_SIZE, _ARCHIVE, _EACH = "size, MB", "archive all, s", "archive a table, ms"
_POSTING_2, _FULL_2, _SIZE_2 = (
    "archived: posting, p50, ms",
    "archived: `chatbot audit`, s",
    "archived: size, MB",
)
_PACKED, _ON_DISK = "archived table, packed, bytes, median", "archived table, all of it, bytes"


@dataclass(frozen=True, slots=True)
class Aged:
    """The figures of a database with a number of finished tables, by their names."""

    tables: int
    found: dict[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.age", description=__doc__)
    parser.add_argument("--tables", nargs="+", type=int, default=SIZES, help="how many, of each database")
    parser.add_argument("--starts", type=int, default=STARTS, help="of each database")
    parser.add_argument("--folder", type=Path, help="where the databases are for a while: 5 kB a table")
    arguments = parser.parse_args()
    console = Console(stderr=True)
    databases = [
        measure(tables, arguments.starts, arguments.folder)
        for tables in track(sorted(arguments.tables), console=console, description="databases")
    ]
    Console(width=120).print(as_table(databases))


def measure(tables: int, starts: int = STARTS, folder: Path | None = None) -> Aged:
    """Write a database with so many finished tables, measure it and remove it."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        return Aged(tables, asyncio.run(_measure(Path(place), tables, starts)))


def as_table(databases: Sequence[Aged]) -> Table:
    """Return a table of the figures; those of larger databases with their ratio to the smallest."""
    table = Table("", *(f"{each.tables:,} tables" for each in databases), title="What a long life costs")
    for what in databases[0].found:
        cells = [
            _cell(each.found[what], databases[0].found[what], first=each is databases[0])
            for each in databases
        ]
        table.add_row(what, *cells)
    return table


def _cell(value: float, smallest: float, *, first: bool) -> str:
    digits = f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return digits if first or smallest <= 0 else f"{digits} ({value / smallest:.2f} ×)"


async def _measure(folder: Path, tables: int, starts: int) -> dict[str, float]:
    file = folder / "data" / "rabble.db"
    file.parent.mkdir()
    url = f"sqlite:///{file}"
    await age(url, tables)
    figures = await asyncio.to_thread(_start_times, folder, starts)
    names = await asyncio.to_thread(_sample, file)
    await _check(url, names)
    async with _open(url) as store:
        figures[_POSTING] = await _posting_time(store, "whole")
        figures[_HOURLY] = await _hourly(store)
        figures[_WEEKLY], figures[_BESIDE] = await _weekly(store)
    figures[_FULL] = await _audited(url)
    figures[_SIZE] = await asyncio.to_thread(_vacuumed_size, file) / 1e6
    async with _open(url) as store:
        began = time.perf_counter()
        count = await _archive(Archive(store))
        figures[_ARCHIVE] = time.perf_counter() - began
        figures[_EACH] = 1000 * figures[_ARCHIVE] / count
        figures[_POSTING_2] = await _posting_time(store, "archived")
    figures[_FULL_2] = await _audited(url)
    await _check(url, names)
    figures[_SIZE_2] = await asyncio.to_thread(_vacuumed_size, file) / 1e6
    with closing(sqlite3.connect(file)) as connection:
        figures[_PACKED] = median(size for (size,) in connection.execute("SELECT length(body) FROM archive"))
        of_tables = "SELECT sum(pgsize) FROM dbstat WHERE name LIKE '%archive%' OR name LIKE '%game_table%'"
        figures[_ON_DISK] = connection.execute(of_tables).fetchone()[0] / tables
    return figures


def _start_times(folder: Path, starts: int) -> dict[str, float]:
    """Start on the database and an empty one alternately, without the first starts, which make backups."""
    with tempfile.TemporaryDirectory(dir=folder) as empty:
        times = [(_start(Path(empty)), _start(folder)) for _ in range(starts + 1)][1:]
    listening = median(own for _, (own, _) in times)
    new = median(other for (other, _), _ in times)
    stopping = median(end for _, (_, end) in times)
    return {_EMPTY: new, _START: listening, _MORE: listening - new, _STOP: stopping}


def _start(folder: Path) -> tuple[float, float]:
    """Start the program in a folder; return the seconds until it listens, and those that it takes to stop."""
    began = time.perf_counter()
    settings = {**environment(), "CHATBOT_ARCHIVE_DAYS": "0"}  # archiving would change the database
    with subprocess.Popen(OURS, cwd=folder, env=settings, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "listening" in process.stdout.readline()
        seconds = time.perf_counter() - began
        signalled = time.perf_counter()
        process.send_signal(signal.SIGTERM if os.name == "nt" else signal.SIGINT)
        process.wait()
    return seconds, time.perf_counter() - signalled


@asynccontextmanager
async def _open(url: str) -> AsyncIterator[Store]:
    store = await Store.open(url)
    try:
        yield store
    finally:
        await store.close()


async def _posting_time(store: Store, run: str) -> float:
    """Post gifts one after the other, and return the median time of one in milliseconds."""
    ledger, times = Ledger(store), list[float]()
    pairs = list(_pairs())
    for number in range(POSTINGS):
        giver, taker = pairs[number % len(pairs)]
        entry = Entry(purses.wallet(ROOM, giver), purses.wallet(ROOM, taker), 1, "gift")
        gift = Posting(f"gift:{run}:{number}", ROOM, datetime.now(UTC), giver, (entry,))
        began = time.perf_counter()
        await ledger.post(gift)
        times.append(time.perf_counter() - began)
    return 1000 * median(times)


def _pairs() -> Iterator[tuple[Seat, Seat]]:
    """Pair the members of each group so that each gives once and takes once."""
    for group in range(GROUPS):
        seats = [seat_of(group, friend) for friend in range(len(FRIENDS))]
        yield from zip(seats, (*seats[1:], seats[0]), strict=True)


async def _hourly(store: Store) -> float:
    """Time the hourly audit, after the audit at the start and some postings."""
    checkpoints = Checkpoints(store)
    _require_sound((await checkpoints.check(datetime.now(UTC), everything=True)).breaches)
    await _posting_time(store, "hour")
    began = time.perf_counter()
    _require_sound((await checkpoints.check(datetime.now(UTC))).breaches)
    return time.perf_counter() - began


async def _weekly(store: Store) -> tuple[float, float]:
    """Time the weekly audit in s, and the 99th percentile of postings during it in ms."""
    slices, times = Slices(store), list[float]()
    ledger, posting = Ledger(store), count(1)
    done = asyncio.Event()

    async def post() -> None:
        while not done.is_set():
            giver, taker = next(_pairs())
            entry = Entry(purses.wallet(ROOM, giver), purses.wallet(ROOM, taker), 1, "gift")
            began = time.perf_counter()
            await ledger.post(Posting(f"gift:week:{next(posting)}", ROOM, datetime.now(UTC), giver, (entry,)))
            times.append(time.perf_counter() - began)
            await asyncio.sleep(POSTING_PAUSE)

    posting_on = asyncio.create_task(post())
    began = time.perf_counter()
    while await slices.go_on():
        pass
    seconds = time.perf_counter() - began
    done.set()
    await posting_on
    _require_sound(slices.breaches)
    return seconds, 1000 * quantiles(times * 2, n=100)[98]


async def _audited(url: str) -> float:
    began = time.perf_counter()
    _require_sound((await inspection.audit(url)).breaches)
    return time.perf_counter() - began


def _require_sound(breaches: Sequence[object]) -> None:
    if breaches:
        raise RuntimeError(f"the books do not add up: {breaches[:3]}")


async def _archive(archive: Archive) -> int:
    """Archive all tables as the upkeep does, but without pauses; return their number."""
    count, place, now = 0, None, datetime.now(UTC)
    while (portion := await archive.portion(now, place)).last is not None:
        if portion.faults:
            raise RuntimeError(f"not archived: {portion.faults[:3]}")
        count, place = count + portion.tables, portion.last
    return count


def _sample(file: Path) -> list[str]:
    """Return the ids of `SAMPLE` tables, evenly spaced from the first to the last."""
    with closing(sqlite3.connect(file)) as connection:
        names = [name for (name,) in connection.execute("SELECT id FROM game_table ORDER BY opened_at, id")]
    return sorted({names[number * (len(names) - 1) // (SAMPLE - 1)] for number in range(SAMPLE)})


async def _check(url: str, tables: Sequence[str]) -> None:
    """Verify the proofs of tables.

    Raises:
        RuntimeError: a proof does not hold.
    """
    for table in tables:
        story, hashes = await inspection.read_table(url, table)
        wrong = [each.sentence for each in inspection.verify(story, hashes, {}) if not each.holds]
        if wrong:
            raise RuntimeError(f"table {table} does not check out: {wrong}")


def _vacuumed_size(file: Path) -> int:
    """Vacuum a SQLite database, and return its size in bytes."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file.stat().st_size


if __name__ == "__main__":
    main()
