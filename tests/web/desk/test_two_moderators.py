"""Two moderators at once, and one whose role ends: both see it all, the audit has both, nothing is lost."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.web.chromium import CHROMIUM
from tests.web.desk.pages import as_operator, at_desk, enter, linked, opened
from tests.web.test_page import browser

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser, Page

    from tests.web.desk.site import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]


@asynccontextmanager
async def two(browser: Browser, site: Site, section: str) -> AsyncIterator[tuple[Page, Page]]:
    """Two moderators of the Discord server, mona and nora, at a section of their desks."""
    async with opened(browser) as mona, opened(browser) as nora:
        for page, name in ((mona, "mona"), (nora, "nora")):
            user = site.both.discord.world.join(name, manages=True)
            await enter(page, site, await linked(site, user))
            await page.goto("about:blank")
            await at_desk(page, site, section)
        yield mona, nora


async def want(page: Page, key: str, value: str) -> None:
    field = page.locator(f"#set-heist-{key}")
    await field.fill(value)
    await field.press("Tab")
    await expect(page.locator("#bar")).to_be_visible()


async def apply(page: Page) -> None:
    await page.locator("#apply").click()
    await page.get_by_test_id("go").click()
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_what_another_changed_is_told_beside_what_one_wants_and_both_are_recorded(
    browser: Browser, site: Site
) -> None:
    async with two(browser, site, "heist") as (mona, nora):
        await want(mona, "lobby", "75")
        await want(nora, "lobby", "90")
        await apply(nora)
        row = mona.locator("[data-key=lobby]")
        await expect(row.locator(".desk-mark")).to_contain_text("60 became 90. You want 75")
        await expect(mona.locator("#told")).to_contain_text("nora: heist lobby")
        await expect(mona.locator("#set-heist-lobby")).to_have_value("75")
        await mona.locator("#apply").click()
        await expect(mona.get_by_role("dialog").get_by_role("row", name="lobby 90 75")).to_be_visible()
        await mona.get_by_test_id("go").click()
        await expect(nora.locator("#set-heist-lobby")).to_have_value("75")
        await nora.locator("[data-section=audit]").click()
        rows = nora.get_by_test_id("audit").locator("li")
        await expect(rows.nth(0)).to_contain_text("mona")
        await expect(rows.nth(1)).to_contain_text("nora")


async def test_what_another_has_done_already_is_no_change_any_more(browser: Browser, site: Site) -> None:
    async with two(browser, site, "heist") as (mona, nora):
        await want(mona, "lobby", "90")
        await want(nora, "lobby", "90")
        await apply(nora)
        await expect(mona.locator("#bar")).to_be_hidden()
        await expect(mona.locator("#set-heist-lobby")).to_have_value("90")


async def test_a_grant_on_a_balance_that_changed_is_shown_anew_before_it_is_made(
    browser: Browser, site: Site
) -> None:
    async with two(browser, site, "members") as (mona, nora):
        for page in (mona, nora):
            await page.locator("#member-search").fill("nora")
            await page.get_by_test_id("members").get_by_role("button", name="nora").click()
            await page.locator("#amount").fill("10")
        await mona.locator("#moving-why").fill("a prize")
        await mona.locator("[data-act=grant]").click()
        dialog = mona.get_by_role("dialog")
        await expect(dialog.get_by_role("row", name="nora 240 250")).to_be_visible()
        await nora.locator("[data-act=grant]").click()
        await nora.get_by_test_id("go").click()
        await expect(nora.get_by_test_id("wallet")).to_contain_text("250")
        await dialog.get_by_test_id("go").click()
        await expect(dialog.get_by_role("alert")).to_contain_text("240 became 250")
        await expect(dialog.get_by_role("row", name="nora 250 260")).to_be_visible()
        await dialog.get_by_test_id("go").click()
        await expect(nora.get_by_test_id("wallet")).to_contain_text("260")
        await expect(mona.get_by_test_id("history").locator("li")).to_have_count(3)


async def test_what_somebody_types_stays_while_others_do_things(browser: Browser, site: Site) -> None:
    async with two(browser, site, "members") as (mona, nora):
        await mona.locator("#member-search").fill("nora")
        await mona.get_by_test_id("members").get_by_role("button", name="nora").click()
        await mona.locator("#amount").click()
        await mona.keyboard.type("12")
        await nora.locator("#member-search").fill("nora")
        await nora.get_by_test_id("members").get_by_role("button", name="nora").click()
        await nora.locator("[data-act=regular]").click()
        await nora.get_by_test_id("go").click()
        await expect(mona.get_by_test_id("member")).to_contain_text("regular")
        await expect(mona.locator("#amount")).to_be_focused()
        await mona.keyboard.type("3")
        await expect(mona.locator("#amount")).to_have_value("123")
        await expect(mona.get_by_test_id("member").get_by_role("status").first).to_contain_text("363")


async def test_two_who_take_the_same_back_do_it_once(browser: Browser, site: Site) -> None:
    async with two(browser, site, "audit") as (mona, nora):
        owner = site.both.discord.world.owner
        await site.both.discord.people.slash(owner, site.both.discord.town, "pause")
        for page in (mona, nora):
            await page.locator("[data-act=undo]").first.click()
            await expect(page.get_by_role("dialog")).to_contain_text("paused")
        await mona.get_by_test_id("go").click()
        await expect(mona.get_by_role("dialog")).to_have_count(0)
        await nora.get_by_test_id("go").click()
        await expect(nora.get_by_role("alert")).to_contain_text("taken back already")
        await nora.keyboard.press("Escape")
        await expect(nora.get_by_test_id("audit").locator("li")).to_have_count(2)


async def test_a_role_that_is_lost_while_a_dialog_is_open_applies_nothing_and_says_so(
    browser: Browser, site: Site
) -> None:
    async with opened(browser) as page:
        mona = site.both.discord.world.join("mona", manages=True)
        await enter(page, site, await linked(site, mona))
        await page.locator("[data-section=members]").click()
        await page.get_by_test_id("members").get_by_role("button", name="mona").click()
        await page.locator("#amount").fill("10")
        await page.locator("[data-act=grant]").click()
        await expect(page.get_by_test_id("go")).to_be_visible()
        mona.manages = False
        await site.both.discord.turn(3_700)
        await page.get_by_test_id("go").click()
        await expect(page.locator("#main h2").first).to_have_text("There is no room that you keep")
        await expect(page.locator("#told")).to_contain_text("Your role here has changed")
        await expect(page.get_by_role("dialog")).to_have_count(0)
        room = site.bot.rooms[site.discord_room]
        assert await site.bot.parts.settings_changes.changes.newest(room.id) == []


async def test_a_server_that_is_gone_is_said_and_asked_again(browser: Browser, site: Site) -> None:
    async with opened(browser) as page:
        await as_operator(page, site, "tables")
        await page.route("**/audit?*", lambda route: route.abort())
        await page.locator("[data-section=audit]").click()
        await expect(page.locator("#main")).to_contain_text("The bot does not answer")
        await page.unroute("**/audit?*")
        await page.get_by_role("button", name="Try again").click()
        await expect(page.locator("#main")).to_contain_text("Nothing of that was done here")
