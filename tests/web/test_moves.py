"""Moves made with the things on the table: cards laid by dragging or keys, cards pressed, stakes, risks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from chatbot.games import kits
from chatbot.games.heist.rules.moves import Act, Answer
from chatbot.games.sixcardpoker.rules.cards import HELD
from chatbot.games.sixcardpoker.rules.moves import Arrange
from chatbot.kernel.game import Seat
from tests.web.chromium import CHROMIUM
from tests.web.test_layout import say
from tests.web.test_page import Person, browser, visit

if TYPE_CHECKING:
    from playwright.async_api import Browser, Locator

    from tests.web.conftest import Page, Site

__all__ = ["browser"]

in_browser = pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
MINA = Seat("local:mina")
PHONE = (390, 844)


# What the page is told


def test_every_answer_of_the_getaway_says_what_it_risks() -> None:
    risks = {act: kits()["heist"].display.gesture(Answer(MINA, act)).risk for act in Act}
    assert None not in risks.values()
    bold = {act.value for act, risk in risks.items() if risk is not None and risk.value == "bold"}
    assert bold == {"withdraw", "allin", "doublecross", "finger"}


def test_a_setting_says_which_cards_lie_where() -> None:
    lay = kits()["sixcardpoker"].display.gesture(Arrange(MINA, "441 32 1")).lay
    assert [each.label.id for each in lay] == [f"sixcard-hand-{each}" for each in ("high", "middle", "low")]
    assert [each.faces for each in lay] == [("4", "4", "1"), ("3", "2"), ("1",)]


async def test_the_page_is_told_which_cards_are_pressed_and_where_any_stake_is_taken(
    site: Site, page: Page
) -> None:
    seat = await page.enter("Mina")
    await say(site, "ann", "!heist 20", "!chicken 3")
    told = await page.until(lambda m: m["type"] == "tables" and len(m["tables"]) == 2)
    heist, chicken = told["tables"]
    assert told["own"][seat]["joins"] == [{"table": heist["id"], "line": "!heist"}]
    await page.say(seat, "!chicken")
    await page.until(lambda m: m["type"] == "tables" and len(m["tables"][1]["places"]) == 2)
    await page.tell(type="hurry", table=chicken["id"])
    told = await page.until(lambda m: m["type"] == "tables" and len(m["own"][seat]["buttons"]) > 3)
    pressed = [each["press"] for each in told["own"][seat]["buttons"] if each["table"] == chicken["id"]]
    assert pressed == ["1", "2", "3"]


# In a browser


async def box(thing: Locator) -> tuple[float, float]:
    """Return the middle of an element."""
    found = await thing.bounding_box()
    assert found is not None
    return found["x"] + found["width"] / 2, found["y"] + found["height"] / 2


async def drag(person: Person, card: Locator, target: Locator) -> None:
    mouse = person.page.mouse
    await mouse.move(*await box(card))
    await mouse.down()
    await mouse.move(*await box(target), steps=4)
    await mouse.up()


async def open_table(browser: Browser, site: Site, line: str, size: tuple[int, int]) -> Person:
    person = await visit(browser, site, {"width": size[0], "height": size[1]})
    await person.page.emulate_media(reduced_motion="reduce")
    await person.enter("Mina")
    await person.say(line)
    return person


@pytest.mark.browser
@in_browser
async def test_a_card_that_is_dragged_while_another_viewer_begins_to_speak_lies_nowhere(
    browser: Browser, site: Site
) -> None:
    """They hold other cards at the same table."""
    person = await visit(browser, site)
    page = person.page
    await person.enter("Mina")
    await person.say("hello")
    await page.get_by_test_id("add-viewer").click()
    await person.enter("Bob")
    await person.say("!sixcard @Mina 10")
    await person.reads("Bob challenges Mina")
    await page.get_by_test_id("viewer").first.click()
    await person.say("!sixcard accept")
    hand = page.get_by_test_id("set-hand").get_by_test_id("set-card")
    await expect(hand).to_have_count(HELD)
    await page.mouse.move(*await box(hand.first))
    await page.mouse.down()
    await page.mouse.move(*await box(page.get_by_test_id("slot").nth(1)), steps=4)
    await page.get_by_test_id("viewer").last.dispatch_event("click")
    await expect(page.locator(".dragged")).to_have_count(0)
    await page.mouse.up()
    await page.get_by_test_id("set-hand").hover()
    await expect(hand).to_have_count(HELD)
    assert person.complaints == []


@pytest.mark.browser
@in_browser
@pytest.mark.parametrize("size", [(1280, 800), PHONE])
async def test_cards_are_dragged_into_their_places_tapped_and_laid_by_keys(
    browser: Browser, site: Site, size: tuple[int, int]
) -> None:
    person = await open_table(browser, site, "!sixcard", size)
    page = person.page
    hand, slots = page.get_by_test_id("set-hand").get_by_test_id("set-card"), page.get_by_test_id("slot")
    laid = [slots.nth(number).get_by_test_id("set-card") for number in range(3)]
    send = page.get_by_test_id("set-send")
    await expect(hand).to_have_count(HELD)
    cards = await hand.evaluate_all("(all) => all.map((each) => each.dataset.face)")
    await drag(person, hand.nth(5), slots.nth(2))
    await expect(laid[2]).to_have_text([cards[5]])
    await drag(person, hand.first, slots.nth(2))  # where there is no room, cards change places
    await expect(laid[2]).to_have_text([cards[0]])
    await drag(person, laid[2].first, page.get_by_test_id("set-hand"))
    await expect(hand).to_have_count(HELD)
    await hand.nth(5).click()
    await expect(laid[0]).to_have_text([cards[5]])
    await laid[0].first.click()
    await expect(hand).to_have_count(HELD)
    await slots.nth(1).get_by_role("button").first.click()
    await hand.nth(5).click()
    await expect(laid[1]).to_have_text([cards[5]])
    await page.keyboard.press("Escape")
    await expect(hand).to_have_count(HELD)
    for key in ("1", "1", "1", "2", "2", "3"):
        await hand.first.focus()
        await page.keyboard.press(key)
    await expect(send).to_have_text(f"Set the cards {''.join(cards[:3])} {''.join(cards[3:5])} {cards[5]}")
    await expect(laid[2].first).to_be_focused()
    await expect(laid[2].first).to_have_accessible_name(f"{cards[5]}, Low")
    await send.focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("phase")).to_have_text("Finished")
    (table,) = site.chat.room.tables.values()
    assert str(table.view(None).revealed.first.arrangement).replace(" ", "") == "".join(cards)
    assert person.complaints == []


@pytest.mark.browser
@in_browser
async def test_a_card_is_played_by_pressing_it_and_reached_by_arrow_keys(
    browser: Browser, site: Site
) -> None:
    await say(site, "ann", "!chicken 5")
    person = await open_table(browser, site, "!chicken", PHONE)
    page = person.page
    await page.get_by_test_id("next-phase").click()
    fan = page.get_by_test_id("fan").get_by_role("button")
    await expect(fan).to_have_count(5)
    await expect(fan.nth(2)).to_have_accessible_name("Play 3")
    await fan.first.focus()
    await page.keyboard.press("ArrowRight")
    await expect(fan.nth(1)).to_be_focused()
    await page.keyboard.press("Enter")
    await person.reads("!play 2")
    await fan.nth(3).click()
    await person.reads("!play 4")
    assert person.complaints == []


@pytest.mark.browser
@in_browser
async def test_a_heist_is_joined_by_a_chip_or_any_amount_and_its_answers_stand_apart_by_risk(
    browser: Browser, site: Site
) -> None:
    await say(site, "ann", "!heist 20")
    person = await open_table(browser, site, "hello", (1280, 800))
    page = person.page
    table = page.get_by_test_id("table")
    chips = table.get_by_test_id("table-button")
    await expect(chips).to_have_text(
        ["Join with 69 credits", "Join with 120 credits", "Join with 240 credits"]
    )
    await table.get_by_test_id("field-stake").fill("33")
    await table.get_by_test_id("form-send").click()
    await expect(table.get_by_test_id("place").filter(has_text="Mina")).to_contain_text("33 credits")
    await page.get_by_test_id("next-phase").click()
    await expect(table.locator(".groups").get_by_role("heading", level=4)).to_have_text(
        ["Play it straight", "For later", "Bold"]
    )
    bold = table.locator(".group[data-risk=bold]").get_by_test_id("table-button")
    await expect(bold.filter(has_text="All in")).to_be_visible()
    await expect(bold.filter(has_text="Check gun")).to_have_count(0)
    assert person.complaints == []


@pytest.mark.browser
@in_browser
async def test_a_form_offers_amounts_and_counts_numbers_within_what_is_taken(
    browser: Browser, site: Site
) -> None:
    person = await open_table(browser, site, "hello", (1280, 800))
    page = person.page
    await page.locator(".game-slot[data-key=chickenpoker]").get_by_test_id("choose-game").click()
    form = page.get_by_test_id("command-form")
    await form.get_by_test_id("more").click()
    await expect(form.get_by_test_id("field-cards")).to_have_value("2")  # the fewest
    await form.get_by_test_id("less").click()
    await expect(form.get_by_test_id("field-cards")).to_have_value("2")
    half = form.get_by_role("button", name="Half")
    await half.click()
    await expect(half).to_have_attribute("aria-pressed", "true")
    await expect(form.get_by_test_id("form-line")).to_have_text("!chicken cards=2 stake=half")
    await half.click()
    await expect(form.get_by_test_id("form-line")).to_have_text("!chicken cards=2")
    assert person.complaints == []


# What is revealed


@pytest.mark.browser
@in_browser
async def test_the_chat_and_the_credits_tell_no_result_before_it_is_drawn(
    browser: Browser, site: Site
) -> None:
    person = await open_table(browser, site, "!highshow 6 2 linear=1 50", (1280, 800))
    page = person.page
    owned, drawing = page.get_by_test_id("credits"), page.get_by_test_id("drawing")
    await expect(owned).to_have_text("190 credits")
    for _ in range(2):
        await person.say("!cashout")
    await person.reads("what is K")
    await person.say("!guess skip skip")
    await expect(drawing).to_have_attribute("data-moment", "outcome")
    await expect(page.get_by_test_id("phase")).to_have_text("Finished")
    await say(site, "ann", "what now?")
    await person.reads("what now?")
    result = page.get_by_test_id("line").filter(has_text="K was")
    assert any("K was" in each["text"] for each in site.chat.history), "it has been said"
    await expect(result).to_have_count(0)
    await expect(owned).to_have_text("190 credits")
    await page.get_by_test_id("skip-reveal").click()
    await expect(drawing).to_have_attribute("data-moment", "winner")
    await expect(result.first).to_be_visible()
    await expect(owned).not_to_have_text("190 credits")
    assert person.complaints == []


@pytest.mark.browser
@in_browser
async def test_names_have_different_colours_and_those_of_the_drawing(browser: Browser, site: Site) -> None:
    names = ["joon", "Rook", "Mina"]  # whose own colours are the same
    await say(site, "joon", "!heist 20")
    await say(site, "Rook", "!heist 20")
    person = await open_table(browser, site, "!heist 20", (1440, 900))
    drawing = person.page.get_by_test_id("drawing")
    await expect(drawing.locator(".in-crowd")).to_have_count(3)
    drawn = await drawing.locator(".in-crowd").evaluate_all(
        "(all) => all.map((each) => [each.querySelector('.tag').textContent,"
        " each.querySelector('.head').dataset.tint])"
    )
    tints = dict(drawn)
    assert sorted(tints) == sorted(names)
    assert len(set(tints.values())) == 3
    for name in names:
        for shown in await person.page.locator(f".name[data-named={name}]").all():
            await expect(shown).to_have_attribute("data-tint", tints[name])
    assert person.complaints == []
