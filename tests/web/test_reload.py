"""A page that somebody works on loads anew after a change, and no other page asks for changes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import async_playwright

from chatbot.web.reload import STAMP, PageReload
from chatbot.web.server import Server
from tests.web.chromium import CHROMIUM

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from aiohttp import ClientSession

    from tests.web.conftest import Site

SCRIPT = '<script type="module" src="/static/reload.js"></script>'


@pytest.fixture
async def developed(site: Site, tmp_path: Path) -> AsyncIterator[str]:
    """Serve the page a second time, with the stamp of a folder that is not there yet; give its address."""
    server = Server(site.chat, site.crowd, "127.0.0.1", 0, PageReload(tmp_path / "static"))
    yield await server.start()
    await server.stop()


def change(folder: Path, moment: int) -> None:
    file = folder / "static" / "app.js"
    file.parent.mkdir(exist_ok=True)
    file.touch()
    os.utime(file, (moment, moment))


async def text(client: ClientSession, url: str) -> str:
    async with client.get(url) as answer:
        assert answer.status == 200
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
        return await answer.text()


async def test_page_and_overlay_get_the_script_and_the_files_stay_as_they_are(
    site: Site, developed: str, client: ClientSession
) -> None:
    overlay = f"/overlay/{await site.chat.bot.parts.overlay_keys.of('local')}"
    for path in ("/", overlay):
        page = await text(client, developed + path)
        assert page.count(SCRIPT) == 1
        assert page.replace(f"{SCRIPT}\n", "") == await text(client, site.address + path)
    assert SCRIPT not in await text(client, f"{developed}/static/index.html")


async def test_without_the_option_there_is_no_stamp(site: Site, client: ClientSession) -> None:
    async with client.get(site.address + STAMP) as answer:
        assert answer.status == 404


async def test_a_change_is_another_stamp(developed: str, client: ClientSession, tmp_path: Path) -> None:
    first = await text(client, developed + STAMP)
    assert await text(client, developed + STAMP) == first
    change(tmp_path, 1)
    assert await text(client, developed + STAMP) != first


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
async def test_a_browser_loads_the_page_anew_after_a_change(
    chromium: str, developed: str, tmp_path: Path
) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.connect_over_cdp(chromium)
        context = await browser.new_context()
        page = await context.new_page()
        async with page.expect_response(f"**{STAMP}"):
            await page.goto(developed)
        async with page.expect_event("load"):
            change(tmp_path, 2)
        await context.close()
