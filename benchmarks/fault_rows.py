"""What a fault on an adapter took, and the databases under the adapters that are measured."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from chatbot.ledger.store.store import Store
from tests.ledger.conftest import administrate, postgresql
from tests.template import store_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

BOUND = 5.0  # seconds within which what the platform tells of is over
DEADLINE = 60.0  # seconds after which a fault is not over
STEP = 0.05  # seconds between two lines
LOCKED = 2.0  # seconds for which another program holds the database
LOCKED_NAME = f"the database locked by another program for {LOCKED:g} s (SQLite)"
ENDED_NAME = "all connections to the database ended (PostgreSQL)"


@dataclass(frozen=True, slots=True)
class Row:
    """What a fault on an adapter took, in seconds; None is that it was not over in time."""

    adapter: str
    fault: str
    seconds: float | None
    bound: float

    @property
    def kept(self) -> bool:
        """Whether the adapter answered again in time."""
        return self.seconds is not None and self.seconds <= self.bound


@dataclass(frozen=True, slots=True)
class Step:
    """One of several faults in a row: it struck `pause` seconds after the answer that ended the last one.

    `seconds` until the next answer are counted as in a `Row`; `unknown` are those in which nobody can know.
    """

    fault: str
    pause: float
    seconds: float | None
    unknown: float = 0.0

    @property
    def late(self) -> float:
        """The seconds from when it could be known; infinite where it was not over in time."""
        return inf if self.seconds is None else max(self.seconds - self.unknown, 0.0)


async def measured(
    count_answers: Callable[[], int], say: Callable[[], Awaitable[object]], bound: float
) -> float | None:
    """Repeat a line until it is answered, and give the seconds; None after `DEADLINE`."""
    began, before = time.perf_counter(), count_answers()
    while time.perf_counter() - began < max(DEADLINE, bound):
        await say()
        await asyncio.sleep(STEP)
        if count_answers() > before:
            return time.perf_counter() - began
    return None


@asynccontextmanager
async def database(*, server: bool) -> AsyncIterator[tuple[Store, str]]:
    """Open a database that nobody has used, with its URL: a file, or one on the server of this machine."""
    async with AsyncExitStack() as stack:
        if server:
            url = await stack.enter_async_context(postgresql())
            store = await Store.open(url)
        else:
            path = Path(stack.enter_context(TemporaryDirectory())) / "rabble.db"
            url, store = f"sqlite:///{path.as_posix()}", await store_at(path)
        stack.push_async_callback(store.close)
        yield store, url


async def lock(url: str, play: Callable[[], Awaitable[object]]) -> None:
    """Let another program write to the file of a database for a while, and somebody `play` meanwhile."""
    other = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    with closing(other):
        other.execute("BEGIN IMMEDIATE")
        await play()
        await asyncio.sleep(LOCKED)


async def end_sessions(url: str) -> None:
    """End all connections to a database on the server."""
    name = url.rpartition("/")[2]
    sessions = f"FROM pg_stat_activity WHERE datname = '{name}'"
    await administrate(f"SELECT pg_terminate_backend(pid) {sessions}")
