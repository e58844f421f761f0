"""The running program with each real client library: small and flat in memory, and soon gone when asked."""

from __future__ import annotations

import sys

import pytest

from benchmarks import memory
from benchmarks.memory import FLOOD, MOST_FLOODED_MB, MOST_MB, MOST_STOP, PEOPLE, PLATFORMS

MANY = 50_000  # lines, which take some minutes; `benchmarks.memory` lets 200,000 come
FILLING = 1.1  # memory after them by that after half: some caches are full only then, else it is 1.05
FEW = 400  # people: none of them is known before, and each says fifty commands


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells here how much memory a process has")
@pytest.mark.parametrize("platform", PLATFORMS)
async def test_memory_is_small_and_does_not_grow_with_the_lines_ever_heard(platform: str) -> None:
    found = await memory.measure(platform, PEOPLE, MANY, FLOOD)
    assert found.most <= MOST_MB
    assert found.growth <= FILLING
    assert found.flooded <= MOST_FLOODED_MB


@pytest.mark.slow
@pytest.mark.parametrize("platform", PLATFORMS)
async def test_a_stop_with_twenty_thousand_lines_waiting_takes_no_longer_than_promised(platform: str) -> None:
    found = await memory.measure(platform, FEW, 10, FLOOD)
    assert found.stop <= MOST_STOP
    assert found.code == 0
    assert found.told
    assert max(found.told.values()) == 1, "one line a room"
