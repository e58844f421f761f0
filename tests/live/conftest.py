"""Each test gets a house of its own, and the books are checked when it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.wallets.audit import breaches
from chatbot.wallets.store import Store
from tests.live.stage import Stage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.open(f"sqlite:///{(tmp_path / 'rabble.db').as_posix()}")
    try:
        yield store
        assert await breaches(store) == []
    finally:
        await store.close()


@pytest.fixture
async def stage(store: Store) -> Stage:
    return await Stage(store).open()
