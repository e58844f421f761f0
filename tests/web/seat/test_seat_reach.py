"""Where the eye, the focus and the ear of somebody at a seat are led."""

from __future__ import annotations

import re
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.web.chromium import CHROMIUM
from tests.web.desk.pages import opened
from tests.web.seat.phones import said
from tests.web.seat.test_seat_games import phones, time_passes
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

    from tests.web.desk.site import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]

SMALL = (360, 640)
TOP = "() => document.querySelector('#tables .table').getBoundingClientRect().top"


async def by_link(site: Site, page: Page) -> None:
    """Open the seat of somebody on Discord by the link that they are told."""
    discord = site.both.discord
    mona = discord.world.join("mona")
    await discord.people.slash(mona, discord.town, "seat")
    told = await discord.told(mona, "https://games.example/enter/")
    await page.goto(site.address + re.findall(r"https://games\.example(/enter/\S+)", told["content"])[0])
    await page.locator("#enter").click()
    await expect(page.locator("body")).to_have_attribute("data-state", "ready", timeout=20_000)


async def test_whoever_opens_a_game_from_the_list_below_sees_their_hand_and_has_the_focus_there(
    site: Site, browser: Browser
) -> None:
    async with opened(browser, SMALL) as page:
        await by_link(site, page)
        await page.locator('[data-testid="open-game"][data-game="sixcardpoker"]').focus()
        await page.keyboard.press("Enter")
        hand = page.locator('[data-game="sixcardpoker"].table')
        await expect(hand).to_be_focused()
        assert 0 <= await page.evaluate(TOP) < SMALL[1] / 3
        await page.keyboard.press("Tab")
        assert await hand.evaluate("(card) => card.contains(document.activeElement)")


async def test_by_keyboard_nobody_begins_again_at_the_top_when_what_they_used_is_gone(
    site: Site, browser: Browser
) -> None:
    discord = site.both.discord
    async with opened(browser, SMALL) as page:
        await by_link(site, page)
        await discord.people.say(discord.world.owner, discord.town, "!heist 50")
        heist = page.locator('.table[data-game="heist"]')
        await page.get_by_label("Another amount").fill("33")
        await page.keyboard.press("Enter")
        await expect(heist).to_contain_text("You are in with 33 credits")
        await expect(heist).to_be_focused()
        await page.keyboard.press("Tab")
        await expect(page.get_by_role("button", name="Leave")).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(page.locator("#told")).to_contain_text("You are out")
        await expect(heist).to_be_focused()
        assert await page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"


async def test_a_refused_opening_leads_nowhere_when_somebody_else_opens(site: Site, browser: Browser) -> None:
    async with opened(browser, SMALL) as page:
        await by_link(site, page)
        await page.get_by_role("button", name="Choose… Bank Heist").click()
        await page.get_by_role("textbox").fill("99999")
        await page.get_by_role("button", name="Send").click()
        await expect(page.locator("#told")).to_contain_text("The largest stake here")
        discord = site.both.discord
        await discord.people.say(discord.world.owner, discord.town, "!heist 50")
        await expect(page.locator("#tables .table")).to_have_count(1)
        await expect(page.locator("#tables .table")).not_to_be_focused()


async def test_the_line_with_the_letters_is_copied_for_a_chat_on_the_same_phone(
    site: Site, browser: Browser
) -> None:
    async with opened(browser, SMALL) as page:
        await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await page.goto(f"{site.address}/seat")
        await page.get_by_role("button", name="Show my letters").press("Enter")
        line = page.locator('[data-testid="seat-code"]')
        await expect(line).to_be_focused()
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await expect(page.locator('[data-testid="seat-copy"]')).to_have_text("Copied: paste it in the chat")
        assert await page.evaluate("navigator.clipboard.readText()") == await line.text_content()


async def test_a_move_is_answered_once_and_the_end_is_told_to_who_hears_the_page(
    site: Site, browser: Browser
) -> None:
    async with AsyncExitStack() as stack:
        bob, _ = await phones(stack, browser, site, "bob", "cleo")
        for user in ("bob", "cleo"):
            await said(site, user, "!heist 50")
        await time_passes(site, "heist")
        await bob.seen("Back out")
        await expect(bob.page.locator(".move-head p")).to_have_text("You can play:")
        await bob.press("!deposit")
        answer = "a success goes to your account at this bank. You can still change it."
        await expect(bob.page.locator(".note")).to_contain_text(answer)
        await expect(bob.page.locator("#announce")).to_contain_text(answer)
        await expect(bob.page.locator("#told")).to_be_hidden()  # it would say the same above the table
        await bob.page.set_viewport_size({"width": 360, "height": 420})
        await bob.press("!intel")
        await expect(bob.page.locator("#told")).to_be_visible()  # the table says it where it is not seen now
        await time_passes(site, "heist")
        await time_passes(site, "heist")
        finish = await bob.page.locator('[data-testid="finish"]:not(:empty)').text_content()
        await expect(bob.page.locator("#announce")).to_have_text(f"Bank Heist: Finished. {finish}")


async def test_a_browser_with_a_region_and_a_room_of_another_language_leave_no_text_in_the_other(
    site: Site, browser: Browser
) -> None:
    """A card that was drawn before the words had come kept English headings in a Korean room."""
    await said(site, "ada", "!set room language ko", "broadcaster")
    await said(site, "bob", "!heist 50")
    context = await browser.new_context(locale="en-US", viewport={"width": 360, "height": 640})
    page = await context.new_page()
    await page.goto(f"{site.address}/seat")
    await page.get_by_role("button", name="Show my letters").click()
    await said(site, "bob", str(await page.locator('[data-testid="seat-code"]').text_content()))
    await expect(page.locator("#tables")).to_contain_text("은행털이", timeout=20_000)
    await expect(page.locator(".crew h4")).to_contain_text("참가자")
    await expect(page.locator("#tables")).not_to_contain_text("you")
    await expect(page.locator("#me")).to_have_attribute("aria-label", "누구의 자리인지: Bob")
    await context.close()
    context = await browser.new_context(locale="ko-KR", viewport={"width": 360, "height": 640})
    page = await context.new_page()
    for path, text in (("/seat", "자리에 앉기"), ("/enter/x", "로그인"), ("/desk", "데스크")):
        await page.goto(site.address + path)
        await expect(page.locator("main")).to_contain_text(text)
    await context.close()
