"""One process at a time works on an SQLite file; its lock ends with it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from chatbot.wallets.store import Store, StoreError

if TYPE_CHECKING:
    from pathlib import Path

HOLD = """
import asyncio, sys
from chatbot.wallets.store import Store
async def hold():
    store = await Store.open(sys.argv[1])
    await store.own()
    print("mine", flush=True)
    await asyncio.sleep(60)
asyncio.run(hold())
"""


async def test_a_second_owner_is_refused_until_the_first_has_closed(sqlite_url: str) -> None:
    first, second = await Store.open(sqlite_url), await Store.open(sqlite_url)
    try:
        await first.own()
        with pytest.raises(StoreError, match="in use by another process"):
            await second.own()
        await first.close()
        await second.own()
    finally:
        await first.close()
        await second.close()


async def test_a_killed_owner_holds_nothing(sqlite_url: str, tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, sqlite_url], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"mine\n" or sys.platform == "win32"
        store = await Store.open(sqlite_url)
        try:
            with pytest.raises(StoreError, match="in use"):
                await store.own()
            process.kill()
            process.wait()
            await store.own()
        finally:
            await store.close()
