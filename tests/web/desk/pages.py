"""Browsers at the desk, and pictures of what they show."""

from __future__ import annotations

import os
import re
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.async_api import expect

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser, Page

    from tests.fakes.discord_world import User
    from tests.web.desk.site import Site

DESKTOP, DOCK, PHONE = (1440, 900), (400, 800), (390, 844)
PICTURES = os.environ.get("DESK_PICTURES", "")
"""A folder into which tests put pictures of what they see; empty: none are made."""


@asynccontextmanager
async def opened(
    browser: Browser, size: tuple[int, int] = DESKTOP, scheme: str = "dark"
) -> AsyncIterator[Page]:
    """Open a browser of somebody, of whom nothing is known; what goes wrong in its page fails the test."""
    context = await browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="light" if scheme == "light" else "dark",
        reduced_motion="reduce",
    )
    page, errors = await context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(f"{error}\n{error.stack}"))
    page.on("console", lambda said: errors.append(said.text) if "Security Policy" in said.text else None)
    try:
        yield page
        assert not errors, errors
    finally:
        await context.close()


async def enter(page: Page, site: Site, path: str) -> None:
    """Open a link of the site in a browser, press its button, and go to the desk."""
    await page.goto(site.address + path)
    async with page.expect_response("**/enter"):
        await page.locator("#enter").press("Enter")
    await page.wait_for_url(lambda url: "/enter/" not in url)
    await at_desk(page, site)


async def linked(site: Site, user: User) -> str:
    """Return the path of the link that somebody is given by `/desk` on Discord."""
    await site.both.discord.people.slash(user, site.both.discord.town, "desk")
    told = await site.both.discord.told(user, "https://games.example/enter/")
    return str(re.findall(r"https://games\.example(/enter/\S+)", told["content"])[0])


async def at_desk(page: Page, site: Site, section: str = "") -> None:
    """Open the desk, at a section."""
    await page.goto(f"{site.address}/desk#{section}")
    await expect(page.locator("#main > *").first).to_be_visible()


async def as_operator(page: Page, site: Site, section: str = "") -> None:
    """Log in as whoever runs the bot, into the room of Twitch."""
    invitation = await site.server.invite()
    assert invitation is not None
    await enter(page, site, invitation.removeprefix(site.address))
    await page.locator("#room").select_option(site.twitch_room)
    await expect(page.locator("#room")).to_have_value(site.twitch_room)
    if section:
        await page.goto("about:blank")
        await at_desk(page, site, section)


async def as_owner(page: Page, site: Site, section: str = "") -> None:
    """Log in as the owner of the Discord server, by its link."""
    await enter(page, site, await linked(site, site.both.discord.world.owner))
    if section:
        await page.goto("about:blank")
        await at_desk(page, site, section)


async def picture(page: Page, name: str) -> None:
    """Keep a picture of a page, if somebody wants to look at it; nothing hangs over its sides."""
    wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "it must not be scrolled sideways"
    if PICTURES:
        await page.screenshot(path=str(Path(PICTURES) / f"{name}.png"))
