"""Members and the audit by keys alone: found, opened, granted, taken back; the focus is where one goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.web.chromium import CHROMIUM
from tests.web.desk.pages import as_operator, opened
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

    from tests.web.desk.site import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]

MOST_TABS = 40


async def tab_to(page: Page, selector: str) -> None:
    """Press Tab until an element has the focus."""
    for _ in range(MOST_TABS):
        if await page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(selector)


async def test_a_grant_is_made_and_taken_back_by_keys_alone(browser: Browser, site: Site) -> None:
    for each in ("bob", "carol"):
        await site.both.chat(each, "!credits")
    async with opened(browser) as page:
        await as_operator(page, site, "members")
        await tab_to(page, "#member-search")
        await page.keyboard.type("bo")
        rows = page.get_by_test_id("members").locator("li")
        await expect(rows).to_have_count(1)
        await tab_to(page, "[data-act=open]")
        await page.keyboard.press("Enter")
        await expect(page.get_by_test_id("wallet")).to_contain_text("240")
        await tab_to(page, "#amount")
        await page.keyboard.type("50")
        await page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_role("row", name="Bob 240 290")).to_be_visible()
        await page.keyboard.press("Enter")
        await expect(page.get_by_test_id("wallet")).to_contain_text("290")
        await expect(page.get_by_test_id("history").locator("li").first).to_contain_text("+50")
        await page.keyboard.press("Escape")
        await expect(page.locator("[data-act=open]")).to_be_focused()
        await page.locator("[data-section=audit]").press("Enter")
        await expect(page.get_by_test_id("audit").locator("li")).to_have_count(1)
        await tab_to(page, "[data-act=undo]")
        await page.keyboard.press("Enter")
        await expect(dialog.get_by_role("row", name="Bob 290 240")).to_be_visible()
        await page.keyboard.type("not Bob")
        await page.keyboard.press("Enter")
        await expect(page.get_by_test_id("audit").locator("li")).to_have_count(2)
        await expect(page.get_by_test_id("audit").locator("li").first).to_contain_text("not Bob")


async def test_who_does_not_see_the_bar_is_told_how_a_change_is_applied(browser: Browser, site: Site) -> None:
    async with opened(browser) as page:
        await as_operator(page, site, "heist")
        await page.locator("#set-heist-lobby").focus()
        await page.keyboard.press("Control+a")
        await page.keyboard.type("75")
        await page.keyboard.press("Enter")
        await expect(page.locator("#announce")).to_have_text(
            "One change is not applied yet. Look and apply: Ctrl + Enter"
        )


async def test_the_audit_shows_one_moderator_one_kind_and_one_member(browser: Browser, site: Site) -> None:
    await site.both.chat("bob", "!credits")
    await site.both.chat("mona", "!grant bob 5", "moderator")
    await site.both.chat("nora", "!pause", "moderator")
    await site.both.chat("nora", "!take bob 2", "moderator")
    async with opened(browser) as page:
        await as_operator(page, site, "audit")
        rows = page.get_by_test_id("audit").locator("li")
        await expect(rows).to_have_count(3)
        await page.locator("#audit-kind").select_option("setting")
        await expect(rows).to_have_count(1)
        await page.locator("#audit-kind").select_option("")
        await expect(rows).to_have_count(3)
        await rows.filter(has_text="Mona").locator("[data-act=by]").press("Enter")
        await expect(rows).to_have_count(1)
        await expect(page.locator("#audit-who")).to_be_focused()
        await page.locator("[data-section=minted]").click()
        await page.get_by_test_id("minted").get_by_role("button", name="Bob").click()
        await page.get_by_role("button", name="What was done to them").click()
        await expect(rows).to_have_count(2)
        await page.get_by_role("button", name="Show all").click()
        await expect(rows).to_have_count(3)
