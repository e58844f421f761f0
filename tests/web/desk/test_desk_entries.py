"""Wrong entries at the desk, who has most, and what credits are called there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.web.chromium import CHROMIUM
from tests.web.desk.pages import as_operator, at_desk, opened
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

    from tests.web.desk.site import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]


async def with_members(site: Site) -> None:
    """Let bob have 240 credits, cleo 500 and NOW, whose name is a word of sentences, 300."""
    for user in ("bob", "cleo", "now"):
        await site.both.chat(user, "!credits")
    await site.both.chat("ada", "!grant @cleo 260", "broadcaster")
    await site.both.chat("ada", "!grant @now 60", "broadcaster")


async def names(page: Page) -> list[str]:
    return await page.get_by_test_id("members").locator(".name").all_inner_texts()


async def test_members_are_listed_by_name_and_by_what_they_have(browser: Browser, site: Site) -> None:
    await with_members(site)
    async with opened(browser) as page:
        await as_operator(page, site, "members")
        await expect(page.get_by_test_id("members").locator("li")).to_have_count(4)
        assert await names(page) == ["Ada", "Bob", "Cleo", "Now"]
        await page.get_by_label("Order").select_option(label="Most in the wallet")
        await expect(page.get_by_test_id("members").locator("li").first).to_contain_text("1.Cleo")
        assert await names(page) == ["Cleo", "Now", "Ada", "Bob"]
        await expect(page.get_by_role("button", name="More")).to_be_hidden()
        await page.get_by_role("button", name="Now").click()
        await expect(page.get_by_test_id("wallet")).to_contain_text("300 credits")


async def test_what_is_no_amount_is_said_before_anything_is_to_be_confirmed(
    browser: Browser, site: Site
) -> None:
    await with_members(site)
    async with opened(browser) as page:
        await as_operator(page, site, "members")
        await page.get_by_role("button", name="Now").click()
        amount, wrong = page.locator("#amount"), page.get_by_test_id("moving").get_by_role("alert")
        for typed, command in (("abc", "grant"), ("-5", "take"), ("1.5", "creditsset"), ("half", "grant")):
            await amount.fill(typed)
            await page.locator(f"[data-act={command}]").click()
            await expect(wrong).to_have_text(f"“{typed}” is no amount: write 69, 5k or 1m.")
            await expect(amount).to_be_focused()
        await amount.fill("301")
        await expect(wrong).to_have_count(0)
        await page.locator("[data-act=take]").click()
        await expect(wrong).to_have_text("Now has only 300, so that cannot be taken.")
        await expect(page.get_by_role("dialog")).to_have_count(0)
        for typed, command in (("1,000", "grant"), ("5k", "creditsset"), ("25%", "take"), ("all", "take")):
            await amount.fill(typed)
            await page.locator(f"[data-act={command}]").click()
            await expect(page.get_by_role("dialog")).to_be_visible()
            await page.keyboard.press("Escape")


async def test_credits_are_called_as_the_community_calls_them(browser: Browser, site: Site) -> None:
    await with_members(site)
    await site.both.chat("ada", "!set credits name_en bean/beans", "broadcaster")
    async with opened(browser) as page:
        await as_operator(page, site, "members")
        await page.get_by_role("button", name="Bob").click()
        await expect(page.get_by_test_id("wallet")).to_have_text("240 beans")
        await expect(page.locator("#nav")).to_contain_text("New beans")
        room = page.locator("#room")
        await room.select_option("local")  # where they are called as usual
        await expect(page.locator("#nav")).to_contain_text("New credits")


async def test_a_name_is_no_part_of_the_sentence_around_it(browser: Browser, site: Site) -> None:
    async with opened(browser) as page:
        await as_operator(page, site)
        told = await page.evaluate(
            """async () => (await import("/static/desk/telling.js"))
                .worded("desk-moving-short", { NAME: "NOW", NOW: "$& 5" })"""
        )
        assert told == "NOW has only $& 5, so that cannot be taken."


async def test_an_empty_field_is_told_that_it_cannot_be_empty(browser: Browser, site: Site) -> None:
    async with opened(browser) as page:
        await as_operator(page, site, "heist")
        await page.locator("#set-heist-lobby").fill("")
        await page.locator("#set-heist-lobby").press("Tab")
        await expect(page.locator("#set-heist-lobby-wrong")).to_have_text(
            "lobby cannot be empty: it takes a time from 5s to 10m; a number alone counts seconds."
        )


async def test_choices_say_in_korean_what_they_mean_and_values_keep_their_letters(
    browser: Browser, site: Site
) -> None:
    await site.both.chat("ada", "!set room language ko", "broadcaster")
    async with opened(browser) as page:
        await as_operator(page, site, "room")
        talk = page.locator("#set-room-talk")
        await expect(talk.locator("option:checked")).to_have_text("보통 (normal)")
        await expect(talk).to_have_value("normal")
        await expect(page.locator("#set-room-talk-takes")).to_have_text("quiet, normal, full 중 하나")
        await page.goto("about:blank")
        await at_desk(page, site, "overlay")
        await expect(page.locator("option", has_text="왼쪽 아래 (bottom-left)")).to_have_count(1)
