"""The driver's connections to SQLite: how often they wait for their thread, and what a transaction holds."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from chatbot.ledger.store import sqlite_driver
from chatbot.ledger.store.engines import address, engines

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from sqlalchemy.ext.asyncio import AsyncEngine

ROWS = 2 * sqlite_driver.FIRST_ROWS + 1


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "rows.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE held (number INTEGER PRIMARY KEY)")
        connection.executemany("INSERT INTO held VALUES (?)", [(each,) for each in range(ROWS)])
        connection.commit()
    return file


@pytest.fixture
async def both(file: Path, threads: None) -> AsyncIterator[tuple[AsyncEngine, AsyncEngine]]:
    """The engine that writes, and the one that reads."""
    writer, reader = engines(address(f"sqlite:///{file.as_posix()}"))
    yield writer, reader
    await writer.dispose()
    await reader.dispose()


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The work that connections pass to their threads."""
    passed: list[str] = []
    execute: Any = sqlite_driver.Connection._execute

    async def note(self: sqlite_driver.Connection, work: Any, *values: Any, **named: Any) -> Any:
        passed.append(getattr(work, "func", work).__name__)
        return await execute(self, work, *values, **named)

    monkeypatch.setattr(sqlite_driver.Connection, "_execute", note)
    return passed


def count(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        number: int = connection.execute("SELECT count(*) FROM held").fetchone()[0]
        return number


async def test_a_query_waits_for_the_thread_once_and_its_transaction_once_more(
    both: tuple[AsyncEngine, AsyncEngine], calls: list[str]
) -> None:
    _, reader = both
    async with reader.connect() as connection:
        await connection.execute(text("SELECT 1"))  # connected
    calls.clear()
    async with reader.connect() as connection:
        assert (await connection.execute(text("SELECT max(number) FROM held"))).scalar_one() == ROWS - 1
    assert calls == ["_begun", "rollback"]


async def test_a_transaction_without_a_statement_costs_nothing_and_locks_nothing(
    both: tuple[AsyncEngine, AsyncEngine], calls: list[str], file: Path
) -> None:
    writer, _ = both
    async with writer.begin() as connection:
        await connection.execute(text("SELECT 1"))
    calls.clear()
    async with writer.begin():
        with closing(sqlite3.connect(file, timeout=0)) as other:
            other.execute("BEGIN IMMEDIATE")
    assert calls == []


async def test_a_writer_locks_the_file_with_its_first_statement(
    both: tuple[AsyncEngine, AsyncEngine], file: Path
) -> None:
    writer, _ = both
    async with writer.begin() as connection:
        await connection.execute(text("SELECT number FROM held WHERE number = 1"))
        with (
            closing(sqlite3.connect(file, timeout=0)) as other,
            pytest.raises(sqlite3.OperationalError, match="locked"),
        ):
            other.execute("BEGIN IMMEDIATE")


async def test_what_is_read_in_one_transaction_is_one_snapshot(
    both: tuple[AsyncEngine, AsyncEngine], file: Path
) -> None:
    writer, reader = both
    async with reader.connect() as reading:
        before = (await reading.execute(text("SELECT count(*) FROM held"))).scalar_one()
        async with writer.begin() as writing:
            await writing.execute(text("INSERT INTO held VALUES (-1), (-2)"))
        assert (await reading.execute(text("SELECT count(*) FROM held"))).scalar_one() == before
    assert count(file) == before + 2


@pytest.mark.parametrize("rows", [0, 1, sqlite_driver.FIRST_ROWS - 1, sqlite_driver.FIRST_ROWS, ROWS])
async def test_all_rows_come_however_many_they_are(both: tuple[AsyncEngine, AsyncEngine], rows: int) -> None:
    _, reader = both
    wanted = text("SELECT number FROM held ORDER BY number LIMIT :most")
    async with reader.connect() as connection:
        at_once = (await connection.execute(wanted, {"most": rows})).scalars().all()
        streamed = [each async for each in (await connection.stream(wanted, {"most": rows})).scalars()]
    assert at_once == streamed == list(range(rows))


async def test_a_stream_that_is_left_early_leaves_the_connection_usable(
    both: tuple[AsyncEngine, AsyncEngine], calls: list[str]
) -> None:
    _, reader = both
    async with reader.connect() as connection:
        rows = await connection.stream(text("SELECT number FROM held ORDER BY number"))
        assert (await rows.fetchmany(3)) == [(0,), (1,), (2,)]
        assert (await rows.fetchone()) == (3,)
        await rows.close()
        calls.clear()
        assert (await connection.execute(text("SELECT count(*) FROM held"))).scalar_one() == ROWS
        assert calls == ["_execute"]


async def test_a_failed_statement_leaves_nothing_and_the_next_transaction_works(
    both: tuple[AsyncEngine, AsyncEngine], file: Path
) -> None:
    writer, _ = both
    twice = text("INSERT INTO held VALUES (-1)")
    async with writer.connect() as connection:
        await connection.execute(twice)
        with pytest.raises(IntegrityError):
            await connection.execute(twice)
    assert count(file) == ROWS
    async with writer.begin() as connection:
        await connection.execute(text("INSERT INTO held VALUES (:number)"), [{"number": -1}, {"number": -2}])
    assert count(file) == ROWS + 2


async def test_a_transaction_whose_caller_was_cancelled_before_it_began_is_rolled_back(
    file: Path,
    threads: None,
) -> None:
    connection = sqlite_driver.connect(str(file), isolation_level=None)
    await connection
    busy = threading.Event()
    blocked = asyncio.create_task(connection.run(lambda _: busy.wait()))
    await asyncio.sleep(0)
    cursor = connection.cursor()
    await cursor.execute("BEGIN IMMEDIATE")
    writing = asyncio.create_task(cursor.execute("INSERT INTO held VALUES (-1)"))
    await asyncio.sleep(0)
    writing.cancel()
    rolling_back = asyncio.create_task(connection.rollback())
    await asyncio.sleep(0)
    busy.set()
    await asyncio.gather(blocked, writing, rolling_back, return_exceptions=True)
    assert writing.cancelled()
    await connection.run(lambda _: None)  # the thread has done all that was asked of it
    assert not connection.in_transaction
    await connection.close()
    assert count(file) == ROWS
