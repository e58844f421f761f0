"""Each test gets a Twitch of its own, and no message may ever break one of its limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.runtime.clock import HandWatch
from tests.adapters.twitch.stage import Stage, serve
from tests.checked import store
from tests.fakes.twitch_server import Twitch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from chatbot.ledger.store.store import Store

__all__ = ["store"]


@pytest.fixture
def watch() -> HandWatch:
    return HandWatch()


@pytest.fixture
async def fake(watch: HandWatch, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Twitch]:
    fake = await serve(monkeypatch, Twitch(watch.now))
    yield fake
    await fake.stop()
    assert fake.world.violations == []


@pytest.fixture
async def stage(fake: Twitch, store: Store, tmp_path: Path, watch: HandWatch) -> AsyncIterator[Stage]:
    """A bot and the channel of ada, both connected and not yet running."""
    stage = Stage(fake, store, tmp_path, watch)
    stage.connect_bot()
    stage.connect_streamer()
    yield stage
    await stage.close()
