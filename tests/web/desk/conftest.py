"""A site for each test, on a database whose books must add up at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiohttp
import pytest

from chatbot.ledger.audit.checks import breaches
from tests.adapters.both import Both
from tests.adapters.twitch.stage import serve as serve_twitch
from tests.checked import store
from tests.fakes.discord_server import DiscordServer
from tests.fakes.twitch_server import Twitch
from tests.web.desk.site import Site

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from chatbot.ledger.store.store import Store

__all__ = ["store"]


@pytest.fixture
async def site(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Site]:
    server, fake = DiscordServer(), await serve_twitch(monkeypatch, Twitch())
    await server.start()
    both = await Both(server, store, tmp_path, fake, "a").open()
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
        site = await Site(both, session).open()
        yield site
        await site.close()
    await both.close()
    assert await breaches(store) == []
    await fake.stop()
    await server.stop()
