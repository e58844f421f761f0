"""Six Card Poker in a real browser: alone and in a duel by clicking, and what is whispered by itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from chatbot.kernel.game import Seat
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

FACE = re.compile("^[1-4]$")
TABLE = "[data-testid=table][data-game=sixcardpoker]"


def button(table: Locator, name: str) -> Locator:
    return table.get_by_test_id("table-button").filter(has_text=name)


async def speak_as(person: Person, name: str) -> None:
    await person.page.get_by_test_id("viewer").filter(has_text=name).click()


async def sees(person: Person, text: str) -> None:
    """Expect a line that is for the one who speaks."""
    mine = person.page.locator("[data-testid=line]:visible").filter(has_text=text)
    await expect(mine).to_have_count(1)


async def faces(table: Locator) -> list[str]:
    """Read the cards that lie open, in ascending order."""
    cards = table.get_by_test_id("set-card").or_(table.get_by_role("listitem")).filter(has_text=FACE)
    return sorted([(await each.inner_text()).strip() for each in await cards.all()])


async def test_a_game_against_the_house_by_clicking(browser: Browser, site: Site) -> None:
    person = await visit(browser, site)
    page = person.page
    await person.enter("Mina")
    await page.locator("[data-testid=open-game][data-game=sixcardpoker]").click()
    await person.reads("Mina plays the house at Six Card Poker")
    table = page.locator(TABLE)
    await expect(table.get_by_test_id("phase")).to_have_text("Set the cards")
    for _ in range(6):
        await table.get_by_test_id("set-hand").get_by_test_id("set-card").first.click()
    chosen = await table.get_by_test_id("set-send").inner_text()
    await table.get_by_test_id("set-send").click()
    await page.get_by_test_id("skip-reveal").click()
    await person.reads("Mina against Nash (house): High ")
    view = site.chat.room.tables["sixcardpoker local:mina"].view(None)
    assert chosen == f"Set the cards {view.revealed.first.arrangement}"
    await expect(table.get_by_test_id("phase")).to_have_text("Finished")
    assert person.complaints == []


async def test_a_duel_of_two_viewers_whose_settings_are_whispered_by_themselves(
    browser: Browser, site: Site
) -> None:
    person = await visit(browser, site)
    page = person.page
    await person.enter("ann")
    await page.get_by_test_id("add-viewer").click()
    await person.enter("Big Bob")
    await speak_as(person, "ann")
    await page.locator(".game-slot[data-key=sixcardpoker]").get_by_test_id("choose-game").click()
    form = page.locator("[data-testid=command-form][data-word=sixcard]")
    await expect(form.get_by_test_id("field-answer")).to_have_count(0)
    names = form.locator("datalist option")
    await expect(names).to_have_count(1)
    await expect(names).to_have_attribute("value", "Big Bob")
    await form.get_by_test_id("field-opponent").fill("Big Bob")
    await form.get_by_test_id("field-stake").fill("50")
    await expect(form.get_by_test_id("form-line")).to_have_text("!sixcard @Big Bob 50")
    await form.get_by_test_id("form-send").click()
    await person.reads("ann challenges Big Bob to a duel")
    table = page.locator(TABLE)
    await expect(button(table, "Accept")).to_have_count(0)
    await speak_as(person, "Big Bob")
    await button(table, "Accept").click()
    await sees(person, "Your cards: ")
    await expect(button(table, "Auto (best")).to_be_visible()
    view = site.chat.room.tables["sixcardpoker local:ann"].view(Seat("local:big bob"))
    assert await faces(table) == [str(card) for card in view.held[view.seat]], "one's own cards, and no other"
    field, whisper = page.get_by_test_id("composer"), page.locator("#whisper")
    await field.press_sequentially("!set")
    await expect(whisper).to_have_attribute("aria-pressed", "true")
    await field.press_sequentially("tings ")
    await expect(whisper).to_have_attribute("aria-pressed", "false")
    await field.fill("\uff01set")  # as an input method writes the sign
    await expect(page.get_by_test_id("suggestion").first).to_contain_text("!set")
    await person.say("\uff01set auto")
    await sees(person, "You have set ")
    await expect(whisper).to_have_attribute("aria-pressed", "false")
    assert [each["text"] for each in site.chat.history if each["text"][1:].startswith("set")] == []
    await speak_as(person, "ann")
    await expect(page.get_by_test_id("line").filter(has_text="You have set")).to_be_hidden()
    view = site.chat.room.tables["sixcardpoker local:ann"].view(Seat("local:ann"))
    assert await faces(table) == [str(card) for card in view.held[view.seat]]
    await button(table, "Auto (best").click()
    await page.get_by_test_id("skip-reveal").click()
    await person.reads("ann against Big Bob: High ")
    assert person.complaints == []


async def test_who_wants_to_says_it_to_all(browser: Browser, site: Site) -> None:
    person = await visit(browser, site)
    page = person.page
    await person.enter("ann")
    await page.get_by_test_id("add-viewer").click()
    await person.enter("bob")
    await person.say("!sixcard @ann 0")
    await speak_as(person, "ann")
    await person.say("!sixcard accept")
    await sees(person, "Your cards: ")
    field, whisper = page.get_by_test_id("composer"), page.locator("#whisper")
    await field.fill("!set ")
    await expect(whisper).to_have_attribute("aria-pressed", "true")
    await whisper.click()
    await field.press_sequentially("auto")
    await field.press("Enter")
    await person.reads("ann has set the cards.")
    assert "!set auto" in [each["text"] for each in site.chat.history]
    assert person.complaints == []


async def test_what_is_to_be_said_of_all_settings_alike_is_said_once(browser: Browser, site: Site) -> None:
    person = await visit(browser, site, {"width": 390, "height": 844})
    await person.enter("ann")
    await person.say("!sixcard")
    table = person.page.locator(TABLE)
    told = table.get_by_text("set your six cards as High, Middle and Low").locator("visible=true")
    await expect(button(table, "Auto (best")).to_be_visible()
    await expect(told).to_have_count(0)
    await table.get_by_test_id("explain-moves").click()
    await expect(told).to_have_count(1)
    for each in await table.get_by_test_id("table-button").all():
        await each.scroll_into_view_if_needed()
        await expect(each).to_be_in_viewport(ratio=1)
