"""Tables, seasons and pauses at the desk: what each button says before, and what is so after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.web.chromium import CHROMIUM
from tests.web.desk.pages import as_operator, enter, linked, opened
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.desk.site import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]


@pytest.mark.parametrize("by_keyboard", [False, True])
async def test_a_table_appears_by_itself_and_is_called_off_with_a_reason(
    browser: Browser, site: Site, by_keyboard: bool
) -> None:
    async with opened(browser) as page:
        await as_operator(page, site, "tables")
        await expect(page.locator("#main")).to_contain_text("Nobody plays here now")
        await site.both.chat("bob", "!heist 50")
        await site.both.chat("carol", "!heist 20")
        table = page.locator(".desk-table")
        await expect(table).to_contain_text("Carol")
        button = table.get_by_role("button", name="Call off: Bank Heist")
        if by_keyboard:
            await button.focus()
            await page.keyboard.press("Enter")
        else:
            await button.click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_role("row", name="Bob 50")).to_be_visible()
        await expect(dialog.get_by_role("row", name="Carol 20")).to_be_visible()
        await page.keyboard.type("the stream ends")
        if by_keyboard:
            await page.keyboard.press("Enter")
        else:
            await dialog.get_by_test_id("go").click()
        await expect(dialog).to_have_count(0)
        await expect(page.locator("#told")).to_contain_text("Bank Heist was called off")
        await expect(table).to_have_count(0)
        await page.locator("[data-section=audit]").click()
        await expect(page.get_by_test_id("audit")).to_contain_text("the stream ends")
        await expect(page.get_by_test_id("audit")).to_contain_text("cannot be taken back")


async def test_who_joins_while_a_table_is_being_called_off_is_shown_before_it_is(
    browser: Browser, site: Site
) -> None:
    async with opened(browser) as page:
        await as_operator(page, site, "tables")
        await site.both.chat("bob", "!heist 50")
        await page.get_by_role("button", name="Call off: Bank Heist").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text("Bob")
        await dialog.locator("#why").fill("a reason that is kept")
        await site.both.chat("carol", "!heist 20")
        await dialog.get_by_test_id("go").click()
        await expect(dialog.get_by_role("alert")).to_contain_text("went on meanwhile")
        await expect(dialog.get_by_role("row", name="Carol 20")).to_be_visible()
        await expect(dialog.locator("#why")).to_have_value("a reason that is kept")
        await dialog.get_by_test_id("go").click()
        await expect(page.locator("#told")).to_contain_text("was called off")


async def test_new_games_are_paused_and_let_in_again(browser: Browser, site: Site) -> None:
    async with opened(browser) as page:
        await as_operator(page, site, "tables")
        await page.get_by_role("button", name="Pause new games").press("Enter")
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text("Tables that run are played to their end")
        await page.keyboard.type("raid")
        await page.keyboard.press("Enter")
        opening = page.get_by_test_id("opening")
        await expect(opening).to_contain_text("Nobody can open a game")
        assert site.bot.rooms[site.twitch_room].settings("room")["paused"] == "yes"
        await site.both.chat("mona", "!unpause", "moderator")
        await expect(opening).to_contain_text("Games may be opened")
        await expect(page.locator("#told")).to_contain_text("Mona: room paused")


async def test_a_season_is_ended_after_the_chat_was_asked_and_can_be_taken_back(
    browser: Browser, site: Site
) -> None:
    await site.both.chat("bob", "!credits")
    async with opened(browser) as page:
        await as_operator(page, site, "seasons")
        season = page.get_by_test_id("season-heist")
        await expect(season).to_contain_text("season 1")
        await expect(page.locator(".desk-places").first).to_contain_text("Bob")
        await season.get_by_role("button", name="End the season").click()
        await page.locator("#why").fill("spring is over")
        await page.get_by_test_id("go").click()
        await expect(page.get_by_role("dialog")).to_contain_text("season 1")
        await page.get_by_role("button", name="Confirm").click()
        await expect(season).to_contain_text("season 2")
        await expect(season.locator(".desk-places")).to_contain_text("Bob")
        await page.locator("[data-section=audit]").click()
        await page.locator("[data-act=undo]").first.click()
        await page.get_by_test_id("go").click()
        await page.locator("[data-section=seasons]").click()
        await expect(season).to_contain_text("season 1")


async def test_a_moderator_sees_seasons_and_is_told_who_may_end_them(browser: Browser, site: Site) -> None:
    async with opened(browser) as page:
        mona = site.both.discord.world.join("mona", manages=True)
        await enter(page, site, await linked(site, mona))
        await page.locator("[data-section=seasons]").click()
        await expect(page.get_by_test_id("season-heist")).to_contain_text("Only a broadcaster may end it")
