"""Payments to many at the desk: whom they reach is shown first, and one undo takes them back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.web.chromium import CHROMIUM
from tests.web.desk.pages import as_operator, opened, picture
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.desk.site import Program, Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]


async def credits_of(site: Site, program: Program) -> dict[str, int]:
    status, rows = await program.get("/desk/members")
    assert status == 200
    return {each["name"]: each["credits"] for each in rows}


async def test_everybody_present_is_named_before_they_are_paid(browser: Browser, site: Site) -> None:
    program = await site.program(await site.operator(), site.twitch_room)
    for each in ("bob", "carol"):
        await site.both.chat(each, "hello")
        await site.both.chat(each, "!credits")
    async with opened(browser) as page:
        await as_operator(page, site, "paying")
        await page.get_by_label("Whom").select_option("regulars")
        await page.get_by_label("How much each").fill("50")
        await page.keyboard.press("Enter")
        await expect(page.locator("#told")).to_contain_text("There is no other regular.")
        await page.get_by_label("Whom").select_option("here")
        await page.get_by_role("button", name="Look whom it reaches").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text("Pay 50 each, members: 2?")
        await expect(page.get_by_test_id("reached")).to_contain_text("Bob")
        await picture(page, "paying")
        assert set((await credits_of(site, program)).values()) == {240}
        await dialog.get_by_label("Why").fill("a long night")
        await page.keyboard.press("Enter")
        await expect(page.locator("#told")).to_contain_text("grants 50 credits each to the 2 who are present")
        assert await credits_of(site, program) == {"Bob": 290, "Carol": 290}
        await page.locator("[data-section=audit]").first.click()
        await page.locator("[data-act=undo]").first.click()
        await page.get_by_test_id("go").click()
        await expect(page.locator("#told")).to_contain_text("100 credits moved back")
        assert set((await credits_of(site, program)).values()) == {240}


async def test_all_are_set_after_the_question_of_the_chat(browser: Browser, site: Site) -> None:
    program = await site.program(await site.operator(), site.twitch_room)
    for each in ("bob", "carol"):
        await site.both.chat(each, "!credits")
    async with opened(browser) as page:
        await as_operator(page, site, "paying")
        await page.get_by_label("Whom").select_option("all")
        await page.get_by_label("How much each").fill("100")
        await page.keyboard.press("Enter")
        await page.get_by_role("dialog").get_by_role("button", name="Go on").click()
        await expect(page.get_by_role("dialog")).to_contain_text("This brings")
        assert set((await credits_of(site, program)).values()) == {240}
        await page.get_by_role("dialog").locator("button[type=submit]").click()
        await expect(page.locator("#told")).to_contain_text("to 100 credits each")
        assert set((await credits_of(site, program)).values()) == {100}


async def test_an_amount_that_is_none_is_a_sentence(browser: Browser, site: Site) -> None:
    await site.both.chat("bob", "!credits")
    async with opened(browser) as page:
        await as_operator(page, site, "paying")
        await page.get_by_label("How much each").fill("a lot")
        await page.keyboard.press("Enter")
        await page.get_by_role("dialog").get_by_role("button", name="Pay them").click()
        await expect(page.locator("#told .desk-box[data-kind=refused]")).to_have_count(1)
