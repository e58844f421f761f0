"""The chat of the page: its end stays in sight, and fine print is short, readable and quiet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.web.chromium import CHROMIUM
from tests.web.test_page import browser, visit
from tests.web.viewers import viewer_of, want_proofs

if TYPE_CHECKING:
    from playwright.async_api import Browser, Locator, ViewportSize

    from tests.web.conftest import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]

PHONE: ViewportSize = {"width": 390, "height": 664}
DESK: ViewportSize = {"width": 1280, "height": 800}
DIGEST = re.compile(r"[0-9a-f]{64}")
ONE_ROW = 40  # pixels


async def height(line: Locator) -> float:
    box = await line.bounding_box()
    assert box is not None
    return box["height"]


@pytest.mark.parametrize("size", [PHONE, DESK])
async def test_fine_print_is_one_row_that_unfolds_and_folds_again(
    browser: Browser, site: Site, size: ViewportSize
) -> None:
    person = await visit(browser, site, size)
    await want_proofs(site.chat)
    await person.enter("Mina")
    await person.say("!heist 69")
    fine = person.page.locator(".line.fine").filter(has_text="; terms")
    text = fine.locator(".text")
    await expect(text).to_have_text(DIGEST)
    await expect(fine).to_have_attribute("title", DIGEST)
    assert await height(fine) < ONE_ROW
    await text.click()
    more = fine.get_by_role("button", name="Show all of it", expanded=True)
    await expect(more).to_be_visible()
    assert await text.evaluate("each => each.scrollWidth <= each.clientWidth")
    await text.click()  # as whoever marks a part of it to copy does
    await expect(more).to_be_visible()
    await more.click()
    assert await height(fine) < ONE_ROW
    assert person.complaints == []


async def test_fine_print_is_not_read_aloud_by_itself_and_is_one_stop_of_the_tab_key(
    browser: Browser, site: Site
) -> None:
    person = await visit(browser, site)
    page = person.page
    await want_proofs(site.chat)
    await person.enter("Mina")
    for line in ("!sixcard", "!set auto", "!heist 69"):
        await person.say(line)
    fine = page.locator(".line.fine")
    await expect(fine.filter(has_text="; terms")).to_have_count(2)
    await expect(fine.filter(has_text="is over: seed")).to_have_count(1)
    await person.reads("New to Bank Heist?")  # a moment later, and the last: nothing moves below
    await expect(page.get_by_role("log")).to_have_attribute("aria-live", "polite")
    for each in await fine.all():
        await expect(each).to_have_attribute("aria-live", "off")
    await page.get_by_role("log").focus()
    await page.keyboard.press("Tab")
    await expect(fine.last.get_by_test_id("more")).to_be_focused()
    await page.keyboard.press("ArrowUp")
    before = fine.nth(await fine.count() - 2)
    await expect(before.get_by_test_id("more")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(before).to_have_class(re.compile("unfolded"))
    await page.keyboard.press("Tab")
    await expect(page.get_by_test_id("viewer")).to_be_focused()


async def test_the_newest_line_stays_in_sight_when_the_chat_shrinks_between_two_scrolls(
    browser: Browser, site: Site
) -> None:
    person = await visit(browser, site, DESK)
    page = person.page
    await person.enter("Mina")
    for number in range(30):
        await site.chat.say(viewer_of("bob", "viewer"), f"line {number}", private=False)
    newest = page.get_by_text("line 29")
    await expect(newest).to_be_in_viewport()
    # A browser tells of a scroll once a frame; by then a table above may have grown already.
    await page.evaluate(
        "document.querySelector('.speak').style.paddingTop = '150px';"
        "document.getElementById('chat').dispatchEvent(new Event('scroll'))"
    )
    await expect(newest).to_be_in_viewport()
    await site.chat.say(viewer_of("bob", "viewer"), "line 30", private=False)
    await expect(page.get_by_text("line 30")).to_be_in_viewport()
    await expect(page.locator("#newer")).to_be_hidden()


async def test_whoever_reads_further_up_is_left_there_and_told_of_what_is_new(
    browser: Browser, site: Site
) -> None:
    bob = viewer_of("bob", "viewer")
    for number in range(60):
        await site.chat.say(bob, f"line {number}", private=False)
    person = await visit(browser, site, PHONE)
    page = person.page
    await person.enter("Mina")
    await expect(page.get_by_text("line 59")).to_be_in_viewport()
    await page.get_by_role("log").hover()
    await page.mouse.wheel(0, -900)
    await expect(page.get_by_text("line 59")).not_to_be_in_viewport()
    place = await page.get_by_role("log").evaluate("each => each.scrollTop")
    await site.chat.say(bob, "something new", private=False)
    await expect(page.locator("#newer-count")).to_have_text("1")
    assert await page.get_by_role("log").evaluate("each => each.scrollTop") == place
    await page.locator("#newer").click()
    await expect(page.get_by_text("something new")).to_be_in_viewport()
    await expect(page.locator("#newer")).to_be_hidden()
