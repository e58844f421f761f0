"""Measure durable postings per second with one transaction each and with group commit, on each database.

A posting is that of a gift: an id that is written once, a guarded debit, a credit, and the row of the
transfer. Both sides are this project's own ledger, with the same libraries and disk, in one run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from benchmarks.rows import Measure
from chatbot.kernel.game import Seat
from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.books import posting_writer, purses
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry, Opening, Posting, Turn
from chatbot.ledger.store.store import Store

if TYPE_CHECKING:
    from benchmarks.rows import Row
    from chatbot.ledger.books.purses import Purse

SERVER = "postgresql://postgres@127.0.0.1:5432"
HOME = "bench"
CLIENTS = (1, 10, 50, 500)
LAPS = 4  # alternating measurements of both sides
MEMBERS = [Seat(f"bench:{number}") for number in range(1000)]

ALONE, TOGETHER = "one transaction each", "group commit"
SQLITE, POSTGRESQL = "SQLite", "PostgreSQL"
BY_CLIENTS = {
    name: {each: Measure(f"{name}, {each} at once: durable postings/s", ALONE) for each in CLIENTS}
    for name in (SQLITE, POSTGRESQL)
}
MEASURES = tuple(each for measures in BY_CLIENTS.values() for each in measures.values())

_ids = count(1)

Post = Callable[[Posting], Awaitable[object]]


@dataclass(frozen=True)
class Figure:
    """Postings per second, and percentiles of the milliseconds from a request to its result."""

    what: str
    clients: int
    per_second: float
    p50: float
    p99: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement, in turns")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    figures = asyncio.run(measure(arguments.seconds))
    if arguments.json:
        print(json.dumps({name: [asdict(each) for each in own] for name, own in figures.items()}))
        return
    if POSTGRESQL not in figures:
        print(absent())
    for name, own in figures.items():
        show(name, own)


def rows(*, quick: bool) -> Iterator[Row]:
    return figure_rows(asyncio.run(measure(0.2, 1) if quick else measure(2.0)))


def figure_rows(figures: Mapping[str, list[Figure]]) -> Iterator[Row]:
    for name, measures in BY_CLIENTS.items():
        rates = {(each.what, each.clients): each.per_second for each in figures.get(name, ())}
        for clients, measure in measures.items():
            if rates:
                yield measure.row(rates[TOGETHER, clients], rates[ALONE, clients])
            else:
                yield measure.lacking(absent())


def absent() -> str:
    return f"no PostgreSQL answers at {SERVER}"


def show(name: str, figures: list[Figure]) -> None:
    table = Table(title=f"{name}, Python {platform.python_version()}")
    for heading in ("", "clients", "postings/s", "p50 ms", "p99 ms", "ratio"):
        table.add_column(heading, justify="left" if not heading else "right")
    alone = {row.clients: row.per_second for row in figures if row.what == ALONE}
    for row in figures:
        ratio = f"{row.per_second / alone[row.clients]:.1f}" if row.what == TOGETHER else ""
        table.add_row(
            row.what, str(row.clients), f"{row.per_second:,.0f}", f"{row.p50:.1f}", f"{row.p99:.1f}", ratio
        )
    Console(width=90).print(table)


async def measure(seconds: float, laps: int = LAPS) -> dict[str, list[Figure]]:
    figures: dict[str, list[Figure]] = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        figures[SQLITE] = await rounds(f"sqlite:///{Path(folder, 'bench.db').as_posix()}", seconds, laps)
    async with AsyncExitStack() as stack:
        try:
            url = await stack.enter_async_context(postgresql())
        except (OSError, ImportError):  # no server answers, or the extra `postgres` is not installed
            return figures
        figures[POSTGRESQL] = await rounds(url, seconds, laps)
    return figures


async def rounds(url: str, seconds: float, laps: int) -> list[Figure]:
    store = await Store.open(url)
    ledger = Ledger(store)
    try:
        await ledger.post(
            entries(*(Entry(purses.mint(HOME), wallet(seat), 10**9, "start") for seat in MEMBERS))
        )
        sides: dict[str, Post] = {ALONE: partial(alone, store), TOGETHER: ledger.post}
        figures = [each for clients in CLIENTS for each in await beside(sides, clients, seconds / laps, laps)]
        figures.append(await settling(ledger))
        assert await breaches(store) == []
    finally:
        await store.close()
    return figures


async def alone(store: Store, posting: Posting) -> None:
    """Post in a transaction of its own, after those of earlier requests."""

    async def work(connection: AsyncConnection) -> None:
        (answer,) = await posting_writer.write(connection, [posting])
        assert answer is True

    await store.write(work)


async def beside(sides: Mapping[str, Post], clients: int, seconds: float, laps: int) -> list[Figure]:
    """Measure both sides in turns, so that a disk that slows down affects both."""
    rates: dict[str, list[float]] = {what: [] for what in sides}
    waits: dict[str, list[float]] = {what: [] for what in sides}
    for _ in range(laps):
        for what, post in sides.items():
            began = time.perf_counter()
            lap_waits = await lap(post, clients, seconds)
            rates[what].append(len(lap_waits) / (time.perf_counter() - began))
            waits[what] += lap_waits
    cuts = {what: quantiles(each, n=100) for what, each in waits.items()}
    return [
        Figure(what, clients, median(rates[what]), 1000 * cuts[what][49], 1000 * cuts[what][98])
        for what in sides
    ]


async def lap(post: Post, clients: int, seconds: float) -> list[float]:
    """Run clients concurrently, each posting one after the other; return the seconds of each posting.

    There are at least two postings, however slow the disk is: quantiles need as many.
    """
    waits: list[float] = []
    began = time.perf_counter()

    async def client(number: int) -> None:
        seat, other = MEMBERS[number % len(MEMBERS)], MEMBERS[(number + 1) % len(MEMBERS)]
        while time.perf_counter() - began < seconds or len(waits) < 2:
            start = time.perf_counter()
            await post(entries(Entry(wallet(seat), wallet(other), 1, "gift")))
            waits.append(time.perf_counter() - start)

    await asyncio.gather(*(client(number) for number in range(clients)))
    return waits


async def settling(ledger: Ledger) -> Figure:
    """Settle tables of a thousand players in one step each, ten times."""
    waits = []
    for _ in range(10):
        name = uuid.uuid4().hex
        pot = purses.pot(HOME, name)
        opening = Opening(name, "room", "bench", 1, "{}")
        stakes = [Entry(wallet(seat), pot, 10, "stake") for seat in MEMBERS]
        await ledger.post(entries(*stakes, opening=opening, turns=(Turn(name, 1, "{}", "{}", ""),)))
        wins = [Entry(pot, wallet(seat), 10, "win") for seat in MEMBERS]
        start = time.perf_counter()
        end = entries(*wins, table=name, turns=(Turn(name, 2, "{}", "{}", ""),), settles=True)
        await ledger.post(end)
        waits.append(time.perf_counter() - start)
    waits.sort()
    return Figure(
        "settling 1000 players", 1, 1 / (sum(waits) / len(waits)), 1000 * waits[5], 1000 * waits[-1]
    )


def entries(*transfers: Entry, **rest: object) -> Posting:
    return Posting(f"bench:{next(_ids)}", HOME, datetime.now(UTC), entries=transfers, **rest)  # type: ignore[arg-type]


def wallet(seat: Seat) -> Purse:
    return purses.wallet(HOME, seat)


@asynccontextmanager
async def postgresql() -> AsyncIterator[str]:
    """Create a database, and drop it when the context ends."""
    name = f"rabble_bench_{uuid.uuid4().hex}"
    server = create_async_engine(
        f"{SERVER.replace(':', '+asyncpg:', 1)}/postgres", isolation_level="AUTOCOMMIT"
    )
    async with server.connect() as connection:
        await connection.execute(text(f"CREATE DATABASE {name}"))
    try:
        yield f"{SERVER}/{name}"
    finally:
        async with server.connect() as connection:
            await connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        await server.dispose()


if __name__ == "__main__":
    main()
