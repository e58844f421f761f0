"""Each test gets a house of its own, and the books are checked when it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bot.platforms import Platforms
from tests.bot.stage import Stage
from tests.checked import store
from tests.template import store_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from chatbot.ledger.store.store import Store

__all__ = ["store"]


@pytest.fixture
async def doctored(tmp_path: Path) -> AsyncIterator[Store]:
    """A store whose books a test may break."""
    store = await store_at(tmp_path / "rabble.db")
    yield store
    await store.close()


@pytest.fixture
async def stage(store: Store) -> Stage:
    return await Stage(store).open()


@pytest.fixture
async def both(store: Store) -> Platforms:
    return await Platforms(store).open()
