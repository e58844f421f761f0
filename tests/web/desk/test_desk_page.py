"""The desk in a browser: logging in, rooms and sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.web.chromium import CHROMIUM
from tests.web.desk.pages import (
    DESKTOP,
    DOCK,
    PHONE,
    as_operator,
    as_owner,
    at_desk,
    enter,
    linked,
    opened,
    picture,
)
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.desk.site import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
async def test_with_a_code_of_twitch_and_one_for_the_chat_a_browser_is_at_the_desk(
    browser: Browser, site: Site, size: tuple[int, int]
) -> None:
    authority, ada = site.both.fake.authority, site.both.fake.world.users["ada"]
    async with opened(browser, size) as page:
        await at_desk(page, site)
        await expect(page.get_by_test_id("login-discord")).to_contain_text("/desk")
        await expect(page.get_by_test_id("login-operator")).to_contain_text("chatbot desk")
        await picture(page, f"login-{size[0]}")
        await page.get_by_role("button", name="Log in by a code").click()
        code = await page.get_by_test_id("twitch-code").inner_text()
        (device,) = [each for each in authority.devices if each.user_code == code]
        link = page.get_by_role("link", name="Open Twitch’s page")
        await expect(link).to_be_focused()
        assert code in (await link.get_attribute("href") or "")
        await picture(page, f"login-twitch-{size[0]}")
        authority.accounts.setdefault(ada.id, "ada")
        authority.approve(device, ada.id)
        await site.both.discord.turn(6)
        await expect(page.locator("h2")).to_have_text("You are Ada", timeout=15_000)
        typed = await page.get_by_test_id("typed-code").inner_text()
        await expect(page.get_by_test_id("login-type")).to_contain_text("as Ada")
        await picture(page, f"login-type-{size[0]}")
        await site.both.chat("ada", typed, "broadcaster")
        sent = site.both.fake.sent
        await site.both.twitch.until(lambda: any("is now at the desk as you" in each for each in sent("ada")))
        await expect(page.locator("#me")).to_contain_text("broadcaster", timeout=15_000)
        await expect(page.locator(".desk-where")).to_have_text("ada")


async def test_a_code_that_has_run_out_can_be_asked_for_again(browser: Browser, site: Site) -> None:
    authority, ada = site.both.fake.authority, site.both.fake.world.users["ada"]
    async with opened(browser) as page:
        await at_desk(page, site)
        await page.get_by_role("button", name="Log in by a code").click()
        await expect(page.get_by_test_id("twitch-code")).to_be_visible()
        authority.accounts.setdefault(ada.id, "ada")
        authority.approve(authority.devices[-1], ada.id)
        await site.both.discord.turn(6)
        await expect(page.get_by_test_id("typed-code")).to_contain_text("!desk ", timeout=15_000)
        first = await page.get_by_test_id("typed-code").inner_text()
        await site.both.discord.turn(200)
        await expect(page.get_by_role("alert")).to_contain_text("run out")
        await page.get_by_role("button", name="Show another code").click()
        await expect(page.get_by_test_id("typed-code")).not_to_have_text(first)


async def test_the_link_of_discord_opens_the_desk_and_logging_out_closes_it(
    browser: Browser, site: Site
) -> None:
    async with opened(browser) as page:
        await as_owner(page, site)
        await expect(page.locator("#me")).to_contain_text(site.both.discord.world.owner.name)
        await page.locator("#me").click()
        await picture(page, "account")
        await page.get_by_role("button", name="Log out everywhere").click()
        await expect(page.get_by_test_id("login-discord")).to_be_visible()
        await page.reload()
        await expect(page.get_by_test_id("login-discord")).to_be_visible()


async def test_who_moderates_nothing_is_told_so(browser: Browser, site: Site) -> None:
    async with opened(browser) as page:
        mona = site.both.discord.world.join("mona", manages=True)
        await enter(page, site, await linked(site, mona))
        await expect(page.locator("#me")).to_contain_text("moderator")
        mona.manages = False
        await site.both.discord.turn(3_700)
        await page.reload()
        await expect(page.locator("#main h2").first).to_have_text("There is no room that you keep")
        await expect(page.get_by_role("button", name="Log out", exact=True)).to_be_visible()


async def test_the_room_that_was_chosen_is_remembered(browser: Browser, site: Site) -> None:
    async with opened(browser) as page:
        await as_operator(page, site)
        await page.goto("about:blank")
        await at_desk(page, site)
        await expect(page.locator("#room")).to_have_value(site.twitch_room)
        await page.locator("#room").select_option("local")
        await page.reload()
        await expect(page.locator("#room")).to_have_value("local")


@pytest.mark.parametrize("size", [DOCK, PHONE])
async def test_where_there_is_no_room_for_a_list_sections_are_in_a_picker(
    browser: Browser, site: Site, size: tuple[int, int]
) -> None:
    async with opened(browser, size) as page:
        await as_operator(page, site, "room")
        await expect(page.locator(".desk-list")).to_be_hidden()
        await page.locator("#picker").select_option("heist")
        await expect(page.locator("#main h2").first).to_have_text("Bank Heist")
        await picture(page, f"heist-{size[0]}")


async def test_the_public_port_serves_the_desk(site: Site) -> None:
    for visitor in (site.here(), site.elsewhere()):
        status, page = await visitor.get("/desk")
        assert status == 200
        assert "desk/desk.js" in page
