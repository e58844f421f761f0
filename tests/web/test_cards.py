"""High Show on the local page in a real browser: its cards, tables of one's own, and forms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.web.chromium import CHROMIUM
from tests.web.test_page import Person, browser, visit
from tests.web.viewers import viewer_of

if TYPE_CHECKING:
    from playwright.async_api import Browser, Locator, Page

    from chatbot.rooms.table_protocol import Table
    from tests.web.conftest import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]

TABLE = "[data-testid=table][data-game=highshow]"


def cards(table: Locator, label: str) -> Locator:
    """Find the cards of a hand as a screen reader does: the items of the list of that name."""
    return table.get_by_role("list", name=label).get_by_role("listitem")


async def faces(table: Locator, label: str) -> list[int]:
    """Read the cards of a hand."""
    return [int((await each.inner_text()).split()[0]) for each in await cards(table, label).all()]


def button(table: Locator, name: str) -> Locator:
    return table.get_by_test_id("table-button").filter(has_text=name)


async def fact(table: Locator, label: str) -> str:
    found = table.get_by_test_id("fact").filter(has=table.page.get_by_text(label, exact=True))
    return await found.locator("dd").inner_text()


async def choose(page: Page, **values: str) -> Locator:
    """Fill in the form of High Show and send it; give the form."""
    form = page.locator("[data-testid=command-form][data-word=highshow]")
    if not await form.count():
        await page.locator(".game-slot[data-key=highshow]").get_by_test_id("choose-game").click()
    for name, value in values.items():
        field = form.get_by_test_id(f"field-{name}")
        await (field.select_option(value) if name == "penalty" else field.fill(value))
    await form.get_by_test_id("form-send").click()
    return form


def table_of(site: Site, seat: str) -> Table:
    return site.chat.room.tables[f"highshow {seat}"]


async def others_play(site: Site, *names: str) -> None:
    for name in names:
        await site.chat.say(viewer_of(name, "viewer"), "!highshow", private=False)


async def test_a_whole_game_by_clicking_shows_every_card_where_it_lies(browser: Browser, site: Site) -> None:
    person = await visit(browser, site)
    page = person.page
    await person.enter("Mina")
    await choose(page, cards="5", keep="2", penalty="linear", parameter="3", stake="0")
    await person.reads("Mina plays High Show")
    table = page.locator(TABLE)
    await expect(cards(table, "Shown")).to_have_count(1)
    (rejected,) = await faces(table, "Shown")
    await expect(cards(table, "Kept")).to_have_count(0)
    await button(table, "See another").click()
    await expect(cards(table, "Rejected")).to_have_count(1)
    assert await faces(table, "Rejected") == [rejected]
    await expect(cards(table, "Rejected")).to_have_attribute("title", "rejected")
    await expect(cards(table, "Rejected").locator(".unseen")).to_have_text("rejected")
    kept = []
    for number in (1, 2):
        kept += await faces(table, "Shown")
        await button(table, "Cash out").click()
        await expect(cards(table, "Kept")).to_have_count(number)
    assert await faces(table, "Kept") == kept
    await expect(table.get_by_test_id("phase")).to_have_text("Estimates")
    await table.get_by_test_id("field-k").fill("1")
    await table.get_by_test_id("form-send").click()
    await expect(table.get_by_test_id("phase")).to_have_text("Finished")
    await page.get_by_test_id("skip-reveal").click()
    await person.reads("K was")
    await expect(cards(table, "Left").first).to_be_visible()
    rest = await faces(table, "Left")
    deck = sorted([rejected, *kept, *rest])
    assert deck == list(range(deck[0], deck[0] + 5))
    assert await fact(table, "K") == str(deck[0])
    assert await fact(table, "Gain") == str(sum(kept))
    assert await fact(table, "Profit") == str(sum(kept) - 3)  # one rejection at 3
    await expect(page.locator("[data-testid=open-game][data-game=highshow]")).to_be_visible()
    assert person.complaints == []


async def test_a_whole_game_with_the_keyboard_alone(browser: Browser, site: Site) -> None:
    person = await visit(browser, site)
    page = person.page
    await expect(page.get_by_test_id("welcome-name")).to_be_focused()
    await page.keyboard.type("Kay")
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("composer")).to_be_focused()
    await page.keyboard.type("!highshow 5 2 none")
    await page.keyboard.press("Enter")
    table = page.locator(TABLE)
    another = button(table, "See another")
    await expect(another).to_be_visible()
    await walk_to(page, "!another")
    await page.keyboard.press("Enter")
    await expect(cards(table, "Rejected")).to_have_count(1)
    await expect(another).to_be_focused()  # so that it can be pressed again
    await walk_to(page, "!cashout")
    for number in (1, 2):
        await page.keyboard.press("Enter")
        await expect(cards(table, "Kept")).to_have_count(number)
    await expect(page.get_by_test_id("composer")).to_be_focused()  # the button is gone
    await page.keyboard.type("!guess 3 -12")
    await page.keyboard.press("Enter")
    await person.reads("K was")
    assert person.complaints == []


async def walk_to(page: Page, line: str) -> None:
    """Go back with the tab key until the button that says this line has the focus."""
    for _ in range(40):
        if await page.evaluate("document.activeElement.dataset.line") == line:
            return
        await page.keyboard.press("Shift+Tab")
    raise AssertionError(f"no way to {line}")


async def test_two_viewers_of_one_browser_play_at_once_each_at_the_own_table(
    browser: Browser, site: Site
) -> None:
    person = await visit(browser, site)
    page = person.page
    await person.enter("ann")
    await page.locator("[data-testid=open-game][data-game=highshow]").click()
    await person.reads("ann plays High Show")
    await page.get_by_test_id("add-viewer").click()
    await person.enter("bob")
    await expect(page.get_by_test_id("table-button")).to_have_count(0)  # nothing to press at ann's
    await page.locator("[data-testid=open-game][data-game=highshow]").click()
    await person.reads("bob plays High Show")
    await expect(page.locator(TABLE)).to_have_count(2)
    await leads(page, "bob", aside="ann")
    await button(page.locator(TABLE).first, "See another").click()
    await expect(cards(page.locator(TABLE).first, "Rejected")).to_have_count(1)
    await page.get_by_test_id("viewer").filter(has_text="ann").click()
    await leads(page, "ann", aside="bob")
    await expect(cards(page.locator(TABLE).first, "Rejected")).to_have_count(0)
    await button(page.locator(TABLE).first, "Cash out").click()
    await expect(cards(page.locator(TABLE).first, "Kept")).to_have_count(1)
    ann, bob = (table_of(site, f"local:{each}").view(None).progress for each in ("ann", "bob"))
    assert (len(ann.kept), len(ann.rejected)) == (1, 0)
    assert (len(bob.kept), len(bob.rejected)) == (0, 1)
    assert person.complaints == []


async def leads(page: Page, name: str, aside: str) -> None:
    """Expect one viewer's table first, with buttons, and the other's small below."""
    first, second = page.locator(TABLE).nth(0), page.locator(TABLE).nth(1)
    await expect(first).to_have_accessible_name(f"High Show · {name}")
    await expect(first.get_by_test_id("place")).to_contain_text(name)
    await expect(second.get_by_test_id("place")).to_contain_text(aside)
    await expect(second).to_have_class(re.compile(r"\baside\b"))
    await expect(first).not_to_have_class(re.compile(r"\baside\b"))
    await expect(first.get_by_test_id("table-button").first).to_be_visible()
    await expect(second.get_by_test_id("table-button")).to_have_count(0)


async def test_wrong_input_in_a_form_gets_one_sentence_and_changes_nothing(
    browser: Browser, site: Site
) -> None:
    person = await visit(browser, site)
    page = person.page
    await person.enter("Mina")
    form = await choose(page, cards="5", keep="9")
    await person.reads("Of 5 cards, at least 1 must be kept and at least 1 left over")
    await choose(page, cards="1000000000", keep="2")
    await person.reads("A deck has from 2 to 1000 cards")
    await choose(page, cards="5", penalty="linear", parameter="1/0")
    await person.reads("“1/0” is no parameter")
    await choose(page, parameter="two and a half")
    await person.reads("“two_and_a_half” is no parameter")
    assert site.chat.room.tables == {}
    await expect(form.get_by_test_id("form-line")).to_contain_text("!highshow cards=5 keep=2 penalty=linear")
    await choose(page, parameter="2.5")
    table = page.locator(TABLE)
    await expect(form).to_have_count(0)
    for number in (1, 2):
        await button(table, "Cash out").click()
        await expect(cards(table, "Kept")).to_have_count(number)
    await table.get_by_test_id("form-send").click()
    await expect(table.get_by_test_id("form-error")).to_have_text("Please fill in the field that is empty.")
    await table.get_by_test_id("field-k").fill("many")
    await table.get_by_test_id("form-send").click()
    await person.reads("“many”")
    await expect(table.get_by_test_id("phase")).to_have_text("Estimates")
    assert person.complaints == []


async def test_a_double_click_makes_one_move(browser: Browser, site: Site) -> None:
    person = await visit(browser, site)
    await person.enter("Mina")
    await person.say("!highshow 9 2")
    table = person.page.locator(TABLE)
    await button(table, "See another").dblclick()
    await expect(cards(table, "Rejected")).to_have_count(1)
    await person.say("!credits")
    await person.reads("Mina has 240 credits")  # a second move would have come before it
    await expect(cards(table, "Rejected")).to_have_count(1)


async def test_what_was_opened_last_stands_first(browser: Browser, site: Site) -> None:
    person = await visit(browser, site)
    await person.enter("Mina")
    first = person.page.get_by_test_id("table").first
    await person.say("!highshow 9 1")
    await expect(first).to_have_attribute("data-game", "highshow")
    await person.say("!sixcard")
    await expect(first).to_have_attribute("data-game", "sixcardpoker")
    await button(person.page.locator(TABLE), "Cash out").click()
    await person.say("!guess skip")
    await expect(person.page.locator(f"{TABLE}.is-over")).to_be_visible()
    await person.say("!set auto")
    await expect(person.page.locator(".is-over")).to_have_count(2)
    await expect(first).to_have_attribute("data-game", "sixcardpoker")


async def test_games_of_others_stand_aside_and_bury_no_heist(browser: Browser, site: Site) -> None:
    await others_play(site, *(f"other{number}" for number in range(9)))
    person = await visit(browser, site, {"width": 360, "height": 740})
    page = person.page
    await person.enter("Mina")
    await expect(page.get_by_test_id("table")).to_have_count(9)
    await page.get_by_test_id("composer").press("Enter")  # opens what nobody plays, whatever others do alone
    await person.reads("Mina is planning")
    first = page.get_by_test_id("table").first
    await expect(first).to_have_attribute("data-game", "heist")
    await expect(page.locator(f"{TABLE}.aside")).to_have_count(9)
    await expect(page.locator("[data-testid=open-game][data-game=highshow]")).to_be_visible()
    await expect(page.locator("[data-testid=open-game][data-game=heist]")).to_have_count(0)
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await others_play(site, "Mina")
    await expect(first).to_have_attribute("data-game", "highshow")
    await expect(first.get_by_test_id("place")).to_contain_text("Mina")
    await expect(page.get_by_test_id("table").nth(1)).to_have_attribute("data-game", "heist")
    assert person.complaints == []


async def test_motion_is_left_out_for_whoever_wants_none(browser: Browser, site: Site) -> None:
    page = await browser.new_page(reduced_motion="reduce")
    person = Person(page)
    await page.goto(site.address)
    await person.enter("Mina")
    await person.say("!highshow")
    card = cards(page.locator(TABLE), "Shown")
    await expect(card).to_be_visible()
    assert await card.evaluate("each => getComputedStyle(each).animationName") == "none"
