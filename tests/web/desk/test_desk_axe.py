"""Every section of the desk in both languages, light and dark, wide and narrow: axe finds nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.web.axe import findings, needs_axe
from tests.web.chromium import CHROMIUM
from tests.web.desk.pages import PHONE, as_operator, opened, picture
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

    from tests.web.desk.site import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
    needs_axe,
]

SECTIONS = "tables", "members", "paying", "audit", "minted", "seasons"
LOOKS = [
    ("en", "dark", (1280, 800)),
    ("en", "light", PHONE),
    ("ko", "light", (1280, 800)),
    ("ko", "dark", PHONE),
]


async def busy(site: Site) -> None:
    """Let there be something to see in each section."""
    for each in ("bob", "carol", "dave", "erin"):
        await site.both.chat(each, "!credits")
    await site.both.chat("mona", "!grant bob 1200 -- won the quiz", "moderator")
    await site.both.chat("mona", "!grant carol 40", "moderator")
    await site.both.chat("mona", "!undo", "moderator")
    await site.both.chat("ada", "!set heist lobby 90 prediction on -- longer", "broadcaster")
    await site.both.chat("bob", "!heist 50")
    await site.both.chat("mona", "!cancel heist -- typed wrong", "moderator")
    await site.both.discord.turn(600)
    await site.both.chat("bob", "!heist 120")
    await site.both.chat("carol", "!heist 20")
    await site.both.chat("dave", "!highshow 10")


async def look(page: Page, name: str) -> None:
    await picture(page, name)
    assert await findings(page) == []


@pytest.mark.parametrize(("language", "scheme", "size"), LOOKS)
async def test_nothing_is_found_by_axe_in_any_section(
    browser: Browser, site: Site, language: str, scheme: str, size: tuple[int, int]
) -> None:
    await busy(site)
    if language != "en":
        await site.both.chat("ada", f"!set room language {language}", "broadcaster")
    tag = f"{language}-{scheme}-{size[0]}"
    async with opened(browser, size, scheme) as page:
        await as_operator(page, site, "tables")
        await expect(page.locator("html")).to_have_attribute("lang", language)
        await expect(page.locator(".desk-table")).to_have_count(2)
        await look(page, f"tables-{tag}")
        await page.locator(".desk-table .danger").first.click()
        await expect(page.get_by_role("dialog")).to_be_visible()
        await look(page, f"tables-cancel-{tag}")
        await page.keyboard.press("Escape")
        for section in SECTIONS[1:]:
            await go(page, section)
            await expect(page.locator("[aria-busy]")).to_have_count(0)
            await look(page, f"{section}-{tag}")
        await go(page, "audit")
        await page.locator("[data-act=undo]").first.click()
        await look(page, f"audit-undo-{tag}")
        await page.keyboard.press("Escape")
        await go(page, "members")
        await page.locator("[data-act=open]").first.click()
        await expect(page.get_by_test_id("wallet")).to_be_visible()
        await page.locator("#amount").fill("50")
        await look(page, f"member-{tag}")
        await page.locator("[data-act=grant]").click()
        await look(page, f"member-grant-{tag}")


async def go(page: Page, section: str) -> None:
    """Open a section by the list at the side, or by the picker."""
    if await page.locator(".desk-list").is_visible():
        await page.locator(f"[data-section={section}]").click()
    else:
        await page.locator("#picker").select_option(section)
    await expect(page.locator("#main .desk-section > *").first).to_be_visible()
