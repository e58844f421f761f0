"""A site with a browser for programs that are no tests: those that measure and those that paint."""

from __future__ import annotations

import tempfile
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp
import pytest
from playwright.async_api import async_playwright

from tests.adapters.both import Both
from tests.adapters.twitch.stage import serve as serve_twitch
from tests.fakes.discord_server import DiscordServer
from tests.fakes.twitch_server import Twitch
from tests.template import store_at
from tests.web.chromium import running
from tests.web.desk.site import Site

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser


@asynccontextmanager
async def staged() -> AsyncIterator[tuple[Site, Browser]]:
    """Open a bot on both platforms with its web server, and a browser."""
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch, running() as address:
        store = await store_at(Path(name) / "rabble.db")
        server, fake = DiscordServer(), await serve_twitch(patch, Twitch())
        await server.start()
        both = await Both(server, store, Path(name), fake, "a").open()
        try:
            async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
                site = await Site(both, session).open()
                async with async_playwright() as playwright:
                    yield site, await playwright.chromium.connect_over_cdp(address)
                await site.close()
        finally:
            await both.close()
            await fake.stop()
            await server.stop()
            await store.close()
