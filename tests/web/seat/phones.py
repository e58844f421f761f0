"""Phones in whose browsers people hold their hands, at the chat of the fake Twitch."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.async_api import Page, expect

from tests.web.desk.pages import PHONE, opened

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser

    from tests.web.desk.site import Site

PICTURES = os.environ.get("SEAT_PICTURES", "")
"""A folder into which tests put pictures of what they see; empty: none are made."""


@dataclass
class Phone:
    """The phone of somebody; `frames` is all that its page was sent."""

    page: Page
    user: str
    frames: list[str]

    async def seen(self, text: str) -> None:
        """Wait until the page shows a text."""
        await expect(self.page.locator("#main")).to_contain_text(text, timeout=15_000)

    async def press(self, line: str) -> None:
        """Press the button or the card that says a line."""
        await self.page.locator(f'[data-testid="table-button"][data-line="{line}"]').click()

    async def picture(self, name: str) -> None:
        """Keep a picture, if somebody wants to look at it; nothing hangs over its sides."""
        wide = await self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, "it must not be scrolled sideways"
        if PICTURES:
            await self.page.screenshot(path=str(Path(PICTURES) / f"{name}.png"))


@asynccontextmanager
async def phone(browser: Browser, site: Site, user: str, *, scheme: str = "dark") -> AsyncIterator[Phone]:
    """Make a phone the seat of somebody, by the letters that they type in the chat."""
    async with opened(browser, PHONE, scheme) as page:
        frames: list[str] = []
        page.on("websocket", lambda wire: wire.on("framereceived", lambda data: frames.append(str(data))))
        await page.goto(f"{site.address}/seat")
        await page.locator('[data-testid="login-code"] button').click()
        code = await page.locator('[data-testid="seat-code"]').text_content()
        assert code is not None
        await site.both.chat(user, code)
        await expect(page.locator("body")).to_have_attribute("data-state", "ready", timeout=20_000)
        yield Phone(page, user, frames)


async def said(site: Site, user: str, text: str, *badges: str) -> str:
    """Let somebody type something in the chat; return all that it is told then."""
    return " ".join(await site.both.chat(user, text, *badges))
