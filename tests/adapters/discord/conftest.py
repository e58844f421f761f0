"""Each test gets a Discord, a database and a house of its own, and the books are checked when it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.adapters.discord.stage import Stage
from tests.checked import store
from tests.fakes.discord_server import DiscordServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from chatbot.ledger.store.store import Store

__all__ = ["store"]


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    server = DiscordServer()
    await server.start()
    yield server
    await server.stop()


@pytest.fixture
async def stage(server: DiscordServer, store: Store) -> AsyncIterator[Stage]:
    async with Stage(server, store) as stage:
        yield stage
