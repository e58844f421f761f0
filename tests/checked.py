"""A store of a test's own, whose books must be sound when it ends (see `audited` in `tests/conftest.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.audit.checks import breaches
from tests.template import store_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from chatbot.ledger.store.store import Store


@pytest.fixture
async def store(tmp_path: Path, audited: bool) -> AsyncIterator[Store]:
    store = await store_at(tmp_path / "rabble.db")
    try:
        yield store
        if audited:
            assert await breaches(store) == []
    finally:
        await store.close()
