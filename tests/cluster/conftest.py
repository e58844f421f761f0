"""A database of its own for the processes of a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.store.store import Store
from tests.cluster.processes import forget_stream, require_nats
from tests.ledger.conftest import postgresql

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def own_url() -> AsyncIterator[str]:
    """Lend the URL of a database on PostgreSQL; its books are sound in the end, and its stream is gone."""
    require_nats()
    async with postgresql() as url:
        await (await Store.open(url)).close()
        yield url
        store = await Store.look(url)
        assert await breaches(store) == []
        await store.close()
        await forget_stream(url)
