"""Measure an import of many rows: looked at, brought in, taken back; and how much memory that takes.

Half of the rows have an id, half only a name that nobody has yet. Each step is a process of its own, on
SQLite and on PostgreSQL; the books are checked after each. Beside it stands the least that somebody could do
instead: the same file read by Python's csv module and put into one table of a new SQLite database in one
transaction, with no person, no books, no audit and no way back.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from benchmarks.heist import peak_memory
from benchmarks.ledger import postgresql
from chatbot.community.imports.service import BalanceImports, ImportRequest
from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.store import schema
from chatbot.ledger.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

ROWS = 500_000
COMMUNITY = "twitch-1"
STEPS = "look", "bring", "undo"
PLAIN = "a table and no books"
AT = datetime(2026, 1, 2, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Step:
    """What one step took: seconds, those of the processor, and the largest resident memory in MiB."""

    database: str
    step: str
    seconds: float
    processor: float
    memory: float
    faults: int = 0


def write(file: Path, rows: int) -> int:
    """Write a file of so many rows; return the sum of its credits."""
    total = 0
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["user_id", "username", "points"])
        for number in range(rows):
            credits_ = 1 + (number * 7919) % 50_021
            writer.writerow([10**8 + number if number % 2 else "", f"viewer_{number:07d}", credits_])
            total += credits_
    return total


async def carried_out(step: str, url: str, file: Path, content: bytes) -> dict[str, float]:
    """Carry out one step in this process."""
    store = await (Store.look(url) if step == "look" else Store.open(url, alone=True))
    try:
        imports, begun = BalanceImports(store), time.perf_counter()
        request = ImportRequest(file.name, content, COMMUNITY, "twitch")
        if step == "look":
            moved = (await imports.look(request)).brought
        elif step == "bring":
            moved = (await imports.bring(request, AT)).brought
        else:
            _, withdrawal = await imports.undo(file.name, AT)
            moved = withdrawal.taken
        seconds = time.perf_counter() - begun
        processor, memory = time.process_time(), peak_memory() or 0.0
        faults = len(await breaches(store))
    finally:
        await store.close()
    return {"moved": moved, "seconds": seconds, "processor": processor, "memory": memory, "faults": faults}


async def prepare(url: str) -> None:
    """Make the database, with the community that the balances are for."""

    async def work(connection: AsyncConnection) -> None:
        await connection.execute(schema.community.insert().values(name=COMMUNITY))

    store = await Store.open(url, alone=True)
    await store.write(work, homes=())
    await store.close()


def measure(rows: int, folder: Path, url: str | None = None) -> list[Step]:
    """Measure all steps on one database; None: SQLite in the folder."""
    file = folder / "points.csv"
    total = write(file, rows)
    database = "SQLite" if url is None else "PostgreSQL"
    address = url or f"sqlite:///{(folder / 'rabble.db').as_posix()}"
    asyncio.run(prepare(address))
    steps = []
    for step in STEPS:
        command = [sys.executable, "-m", "benchmarks.imports", "--step", step, address, str(file)]
        process = subprocess.run(command, capture_output=True, text=True, check=True)
        told = json.loads(process.stdout)
        assert told.pop("moved") == total
        steps.append(Step(database, step, **told))
    return steps


def plain(rows: int, folder: Path) -> Step:
    """Read the file into one table."""
    file = folder / "points.csv"
    write(file, rows)
    begun, processor = time.perf_counter(), time.process_time()
    with closing(sqlite3.connect(folder / "plain.db")) as connection, file.open(encoding="utf-8") as lines:
        connection.execute("CREATE TABLE balance (id TEXT, name TEXT, credits INTEGER)")
        reader = csv.reader(lines)
        next(reader)
        connection.executemany("INSERT INTO balance VALUES (?, ?, ?)", reader)
        connection.commit()
    return Step(PLAIN, "bring", time.perf_counter() - begun, time.process_time() - processor, 0.0)


async def on_postgresql(rows: int, folder: Path) -> list[Step]:
    """Measure all steps on a PostgreSQL database, which is dropped afterwards."""
    async with postgresql() as url:
        return await asyncio.to_thread(measure, rows, folder, url)


def as_table(steps: Sequence[Step], rows: int) -> Table:
    """Lay the steps out, each beside the plain table."""
    table = Table(
        "database", "step", "seconds", "of the processor", "largest memory, MiB", "times the plain table"
    )
    least = next(each for each in steps if each.database == PLAIN).seconds
    for each in steps:
        memory = f"{each.memory:,.0f}" if each.memory else ""
        ratio = f"{each.seconds / least:,.0f}"
        table.add_row(each.database, each.step, f"{each.seconds:.1f}", f"{each.processor:.1f}", memory, ratio)
    table.title = f"{rows:,} rows"
    return table


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS, help=f"rows of the file: {ROWS:,}")
    parser.add_argument("--postgresql", action="store_true", help="also on PostgreSQL on this machine")
    parser.add_argument("--step", nargs=3, metavar=("STEP", "URL", "FILE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.step:
        step, url, file = arguments.step
        print(json.dumps(asyncio.run(carried_out(step, url, Path(file), Path(file).read_bytes()))))
        return
    if arguments.rows < 2:
        parser.error("--rows: at least two")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        steps = [plain(arguments.rows, folder), *measure(arguments.rows, folder)]
        if arguments.postgresql:
            steps += asyncio.run(on_postgresql(arguments.rows, folder))
    Console(width=120).print(as_table(steps, arguments.rows))
    faults = sum(each.faults for each in steps)
    print(
        "The books are sound after each step."
        if not faults
        else f"{faults} breaches were found in the books."
    )
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
