"""One process at a time works on an SQLite file; its lock ends with it."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.store.engines import address
from chatbot.ledger.store.file_lock import FileLock
from chatbot.ledger.store.store import Store, StoreError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

HOLD = """
import asyncio, sys
from chatbot.ledger.store.store import Store
async def hold():
    await Store.open(sys.argv[1], alone=True)
    print("mine", flush=True)
    await asyncio.sleep(60)
asyncio.run(hold())
"""


async def test_a_second_owner_is_refused_until_the_first_has_closed(sqlite_url: str) -> None:
    first = await Store.open(sqlite_url, alone=True)
    with pytest.raises(StoreError, match="in use by another process"):
        await Store.open(sqlite_url, alone=True)
    await first.close()
    second = await Store.open(sqlite_url, alone=True)
    await second.close()


async def test_who_is_refused_has_not_touched_the_database(sqlite_url: str, tmp_path: Path) -> None:
    """Not even to bring it up to date, while another version of the program works on it."""
    lock = FileLock(address(sqlite_url))
    lock.claim()
    with pytest.raises(StoreError, match="in use by another process"):
        await Store.open(sqlite_url, alone=True)
    lock.release()
    assert not (tmp_path / "rabble.db").exists()


async def test_a_folder_that_is_not_there_is_named_and_not_called_in_use(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot be opened .*; its folder .*missing is not there"):
        await Store.open(f"sqlite:///{tmp_path / 'missing' / 'rabble.db'}", alone=True)


@pytest.mark.parametrize("content", [b"no lock " * 500, None])
async def test_a_lock_that_is_something_else_is_named_and_not_the_database(
    sqlite_url: str, tmp_path: Path, content: bytes | None
) -> None:
    lock = tmp_path / "rabble.db-owner"
    if content is None:
        lock.mkdir()
    else:
        lock.write_bytes(content)
    with pytest.raises(StoreError, match=r"^The file .*rabble\.db-owner, .*; move it away, or allow"):
        await Store.open(sqlite_url, alone=True)


async def test_a_full_disk_is_named_and_not_the_lock(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full:
        def execute(self, statement: str) -> None:
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error

        def close(self) -> None:
            pass

    monkeypatch.setattr("chatbot.ledger.store.file_lock.sqlite3.connect", lambda *_, **__: Full())
    with pytest.raises(
        StoreError, match=r"^The database .* cannot be opened \(its disk is full\); free some space"
    ):
        await Store.open(sqlite_url, alone=True)


async def test_a_killed_owner_holds_nothing(sqlite_url: str, tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, sqlite_url], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"mine\n" or sys.platform == "win32"
        with pytest.raises(StoreError, match="in use"):
            await Store.open(sqlite_url, alone=True)
        process.kill()
        process.wait()
    store = await Store.open(sqlite_url, alone=True)
    await store.close()
