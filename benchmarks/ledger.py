"""How many durable postings a second: one transaction each, against group commit, on each database there is.

A posting here is what a gift costs: an id that is written once, a guarded debit, a credit, and the row of
the transfer. Both sides are this project's own ledger, on the same libraries and the same disk, in one run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path
from statistics import quantiles

from rich.console import Console
from rich.table import Table
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from chatbot.kernel.game import Seat
from chatbot.wallets import accounts, book
from chatbot.wallets.audit import breaches
from chatbot.wallets.ledger import Ledger
from chatbot.wallets.posting import Entry, Opening, Posting, Turn
from chatbot.wallets.store import Store

SERVER = "postgresql://postgres@127.0.0.1:5432"
HOME = "bench"
CLIENTS = (1, 10, 50, 500)
MEMBERS = [Seat(f"bench:{number}") for number in range(1000)]

_ids = count(1)

Post = Callable[[Posting], Awaitable[object]]


@dataclass(frozen=True)
class Figure:
    """Postings a second, and milliseconds from asking to the answer."""

    what: str
    clients: int
    per_second: float
    p50: float
    p99: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    figures = asyncio.run(measured(chosen.seconds))
    if chosen.json:
        print(json.dumps({name: [asdict(each) for each in rows] for name, rows in figures.items()}))
        return
    for name, rows in figures.items():
        show(name, rows)


def show(name: str, rows: list[Figure]) -> None:
    table = Table(title=f"{name}, Python {platform.python_version()}")
    for heading in ("", "clients", "postings/s", "p50 ms", "p99 ms", "ratio"):
        table.add_column(heading, justify="left" if not heading else "right")
    alone = {row.clients: row.per_second for row in rows if row.what == "one transaction each"}
    for row in rows:
        ratio = f"{row.per_second / alone[row.clients]:.1f}" if row.what == "group commit" else ""
        table.add_row(
            row.what, str(row.clients), f"{row.per_second:,.0f}", f"{row.p50:.1f}", f"{row.p99:.1f}", ratio
        )
    Console(width=90).print(table)


async def measured(seconds: float) -> dict[str, list[Figure]]:
    found: dict[str, list[Figure]] = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        found["SQLite"] = await rounds(f"sqlite:///{Path(folder, 'bench.db').as_posix()}", seconds)
    async with AsyncExitStack() as stack:
        try:
            url = await stack.enter_async_context(postgresql())
        except OSError as error:
            print(f"no PostgreSQL answers at {SERVER}: {error}")
        else:
            found["PostgreSQL"] = await rounds(url, seconds)
    return found


async def rounds(url: str, seconds: float) -> list[Figure]:
    store = await Store.open(url)
    ledger = Ledger(store)
    try:
        await ledger.post(
            entries(*(Entry(accounts.mint(HOME), wallet(seat), 10**9, "start") for seat in MEMBERS))
        )
        figures = []
        for clients in CLIENTS:
            figures.append(await figure("one transaction each", partial(alone, store), clients, seconds))
            figures.append(await figure("group commit", ledger.post, clients, seconds))
        figures.append(await settling(ledger))
        assert await breaches(store) == []
    finally:
        await store.close()
    return figures


async def alone(store: Store, posting: Posting) -> None:
    """Post in a transaction of its own, behind those who asked before."""

    async def work(connection: AsyncConnection) -> None:
        (answer,) = await book.write(connection, [posting])
        assert answer is True

    await store.write(work)


async def figure(what: str, post: Post, clients: int, seconds: float) -> Figure:
    """Let clients post one after the other each, all at once, for so long."""
    waits: list[float] = []
    began = time.perf_counter()

    async def client(number: int) -> None:
        seat, other = MEMBERS[number % len(MEMBERS)], MEMBERS[(number + 1) % len(MEMBERS)]
        while time.perf_counter() - began < seconds:
            asked = time.perf_counter()
            await post(entries(Entry(wallet(seat), wallet(other), 1, "gift")))
            waits.append(time.perf_counter() - asked)

    await asyncio.gather(*(client(number) for number in range(clients)))
    elapsed = time.perf_counter() - began
    cuts = quantiles(waits, n=100)
    return Figure(what, clients, len(waits) / elapsed, 1000 * cuts[49], 1000 * cuts[98])


async def settling(ledger: Ledger) -> Figure:
    """Settle a table of a thousand players in one step, several times over."""
    waits = []
    for _ in range(10):
        name = uuid.uuid4().hex
        pot = accounts.pot(name)
        opening = Opening(name, "room", "bench", 1, "{}", b"seed")
        stakes = [Entry(wallet(seat), pot, 10, "stake") for seat in MEMBERS]
        await ledger.post(entries(*stakes, opening=opening, turns=(Turn(name, 1, "{}", "{}", ""),)))
        wins = [Entry(pot, wallet(seat), 10, "win") for seat in MEMBERS]
        asked = time.perf_counter()
        end = entries(*wins, table=name, turns=(Turn(name, 2, "{}", "{}", ""),), settles=True)
        await ledger.post(end)
        waits.append(time.perf_counter() - asked)
    waits.sort()
    return Figure(
        "settling 1000 players", 1, 1 / (sum(waits) / len(waits)), 1000 * waits[5], 1000 * waits[-1]
    )


def entries(*moved: Entry, **rest: object) -> Posting:
    return Posting(f"bench:{next(_ids)}", HOME, datetime.now(UTC), entries=moved, **rest)  # type: ignore[arg-type]


def wallet(seat: Seat) -> str:
    return accounts.wallet(HOME, seat)


@asynccontextmanager
async def postgresql() -> AsyncIterator[str]:
    """Lend a database that is dropped afterwards."""
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
