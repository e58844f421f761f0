"""Finished tables on the page: a result is seen for a while, then it is a line below what is played."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.web.chromium import CHROMIUM
from tests.web.test_page import Person, browser, visit

if TYPE_CHECKING:
    from playwright.async_api import Browser, Locator

    from tests.web.conftest import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]

FOLDED = re.compile(r"\bfolded\b")
SEEN = 20_000  # milliseconds that a result stays large


async def begin(browser: Browser, site: Site) -> Person:
    """Enter with a clock that only the test moves."""
    person = Person(await browser.new_page(viewport={"width": 1280, "height": 800}))
    await person.page.clock.install()
    await person.page.goto(site.address)
    await person.enter("Mina")
    return person


async def finish_six_card(person: Person) -> Locator:
    """Play a game to its end; give its table."""
    await person.say("!sixcard")
    await person.say("!set auto")
    table = person.page.locator("[data-testid=table][data-game=sixcardpoker]")
    await expect(table).to_have_class(re.compile(r"\bis-over\b"))
    return table


async def test_a_result_folds_after_a_while_and_can_be_looked_at_again(browser: Browser, site: Site) -> None:
    person = await begin(browser, site)
    table = await finish_six_card(person)
    cards = table.get_by_role("region", name="Mina")
    await person.page.clock.run_for(SEEN - 5_000)
    await expect(cards).to_be_visible()
    await person.page.clock.run_for(10_000)
    await expect(table).to_have_class(FOLDED)
    await expect(cards).to_be_hidden()
    again = table.get_by_role("button", name="Look again", expanded=False)
    await again.click()
    await expect(cards).to_be_visible()
    await expect(table.get_by_role("button", name="Fold", expanded=True)).to_be_focused()
    await person.page.clock.run_for(2 * SEEN)
    await expect(cards).to_be_visible()
    assert person.complaints == []


async def test_a_result_stays_while_somebody_is_at_work_in_it(browser: Browser, site: Site) -> None:
    person = await begin(browser, site)
    table = await finish_six_card(person)
    await table.get_by_test_id("fold").focus()
    await person.page.clock.run_for(2 * SEEN)
    await expect(table).not_to_have_class(FOLDED)
    await person.page.get_by_test_id("composer").focus()
    await person.page.clock.run_for(2_000)
    await expect(table).to_have_class(FOLDED)


async def test_a_result_waits_for_whoever_is_at_another_page(browser: Browser, site: Site) -> None:
    person = await begin(browser, site)
    table = await finish_six_card(person)
    hide = "Object.defineProperty(document, 'hidden', {{ value: {}, configurable: true }})"
    await person.page.evaluate(hide.format("true"))
    await person.page.clock.run_for(2 * SEEN)
    await expect(table).not_to_have_class(FOLDED)
    await person.page.evaluate(hide.format("false"))
    await person.page.clock.run_for(SEEN + 5_000)
    await expect(table).to_have_class(FOLDED)


async def test_whoever_plays_on_has_the_new_table_first_and_the_old_result_folded(
    browser: Browser, site: Site
) -> None:
    person = await begin(browser, site)
    table = await finish_six_card(person)
    await person.say("!heist 69")
    first = person.page.get_by_test_id("table").first
    await expect(first).to_have_attribute("data-game", "heist")
    await expect(table).to_have_class(FOLDED)
    await expect(first).not_to_have_class(FOLDED)


async def test_when_all_is_folded_the_page_invites_to_a_game_as_at_the_start(
    browser: Browser, site: Site
) -> None:
    person = await begin(browser, site)
    table = await finish_six_card(person)
    invitation = person.page.get_by_role("heading", name="One command gathers the rabble.")
    await expect(invitation).to_be_hidden()
    await table.get_by_role("button", name="Fold").click()
    await expect(invitation).to_be_visible()


async def test_on_a_phone_nothing_covers_a_fresh_result_or_the_moves(browser: Browser, site: Site) -> None:
    person = await visit(browser, site, {"width": 390, "height": 664})
    page = person.page
    await person.enter("Mina")
    await expect(page.get_by_test_id("crowd-bring")).to_be_in_viewport(ratio=1)
    await person.say("!sixcard")
    await expect(page.get_by_test_id("table-button").first).to_be_visible()
    for each in await page.get_by_test_id("table-button").all():
        await each.scroll_into_view_if_needed()  # six cards may have more ways to set them than fit
        await expect(each).to_be_in_viewport(ratio=0.99)  # what is scrolled ends between two pixels
    await expect(page.get_by_test_id("crowd-bring")).to_be_hidden()
    await person.say("!set auto")
    await expect(page.get_by_test_id("hand")).to_have_count(6)
    for each in await page.get_by_test_id("hand").all():
        await expect(each).to_be_in_viewport(ratio=1)
    await page.get_by_role("button", name="Fold").click()
    await expect(page.get_by_test_id("crowd-bring")).to_be_in_viewport(ratio=1)
    assert person.complaints == []


@pytest.mark.parametrize("height", [664, 844])
async def test_on_a_phone_a_form_is_in_sight_with_its_button(
    browser: Browser, site: Site, height: int
) -> None:
    person = await visit(browser, site, {"width": 390, "height": height})
    page = person.page
    await person.enter("Mina")
    slot = page.locator(".game-slot[data-key=highshow]")
    await slot.get_by_test_id("choose-game").click()
    await expect(slot.get_by_test_id("form-send")).to_be_in_viewport(ratio=1)
    await expect(slot.get_by_test_id("field-cards")).to_be_in_viewport(ratio=1)
    await slot.get_by_test_id("field-keep").fill("1")
    await slot.get_by_test_id("form-send").click()
    await page.get_by_test_id("table-button").filter(has_text="Cash out").click()
    await expect(page.get_by_test_id("form-send")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [(1280, 800), (1024, 768)])
async def test_every_move_is_in_sight_beside_cards_that_fill_the_stage(
    browser: Browser, site: Site, size: tuple[int, int]
) -> None:
    person = await visit(browser, site, {"width": size[0], "height": size[1]})
    await person.enter("Mina")
    await person.say("!sixcard")
    await expect(person.page.get_by_test_id("table-button").first).to_be_visible()
    for each in await person.page.get_by_test_id("table-button").all():
        await expect(each).to_be_in_viewport(ratio=1)
