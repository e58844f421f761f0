"""However many tables were ever played, the program listens as soon as on an empty database."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import pytest

from benchmarks.aged import age
from tests.slow.program import Program, errors

if TYPE_CHECKING:
    from pathlib import Path

TABLES = 20_000
ROUNDS = 2
LONGER = 2.0  # seconds that an old database may take besides


async def start(database: Path) -> float:
    """Tell the seconds until the program listens."""
    began = time.perf_counter()
    program = await Program.spawn(database)
    try:
        await program.listening()
        return time.perf_counter() - began
    finally:
        await program.kill()


@pytest.mark.nightly
async def test_twenty_thousand_finished_tables_hold_no_start_up(tmp_path: Path) -> None:
    old, empty = tmp_path / "old.db", tmp_path / "empty.db"
    await asyncio.to_thread(lambda: asyncio.run(age(f"sqlite:///{old}", TABLES)))
    await start(empty)  # which makes it, and compiles what is not compiled
    rounds = [(await start(empty), await start(old)) for _ in range(ROUNDS)]
    assert min(aged for _, aged in rounds) < min(new for new, _ in rounds) + LONGER
    assert errors(old) == []
