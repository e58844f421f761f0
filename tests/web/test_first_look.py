"""What the page says of games, and once; moves within five keys; and sounds that are off unless asked for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from tests.web.chromium import CHROMIUM
from tests.web.conftest import opened
from tests.web.test_keyboard import FOCUS, GAMES, hurry
from tests.web.test_layout import say
from tests.web.test_page import Person, browser, visit

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.async_api import Browser, Page

    from tests.web.conftest import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]

CLOCK = {f"0:{seconds:02}" for seconds in range(5, 61)}
MOST_KEYS = 5  # from the message field to the first move, the one that makes it included
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}

# What the page and its drawing show of a table: texts that can be seen, outside of the chat.
SHOWN = """() => {
  const roots = [document.getElementById("stage"), document.getElementById("drawn").shadowRoot];
  const seen = (each) => each.getBoundingClientRect().width > 1 && each.getBoundingClientRect().height > 1;
  return roots.flatMap((root) => [...root.querySelectorAll("*")])
    .filter((each) => !each.children.length && each.textContent.trim() && seen(each)
      && getComputedStyle(each).visibility !== "hidden" && !each.closest("style, symbol"))
    .map((each) => each.textContent.trim());
}"""


@pytest.mark.parametrize("language", ["en", "ko"])
async def test_the_page_says_what_each_game_is_beside_its_button(
    browser: Browser, tmp_path: Path, language: str
) -> None:
    async with opened(tmp_path, language) as site:
        for size in (DESKTOP, PHONE):
            person = await visit(browser, site, size)  # type: ignore[arg-type]
            await person.enter("Mina")
            slots = await person.page.locator(".game-slot").all()
            assert len(slots) == len(site.chat.bot.kits)
            for slot in slots:
                said = await slot.locator(".game-about").inner_text()
                assert said
                await expect(slot.get_by_test_id("open-game")).to_have_accessible_description(said)
                box = await slot.locator(".game-about").bounding_box()
                assert box is not None
                assert box["height"] < 30  # one line
                picture = await slot.locator(".game > svg").bounding_box()
                assert picture is not None
                assert min(picture["width"], picture["height"]) >= 24
            await person.page.close()


async def test_title_clock_and_stakes_of_a_table_are_seen_once(browser: Browser, site: Site) -> None:
    person = await visit(browser, site, DESKTOP)  # type: ignore[arg-type]
    await person.enter("Mina")
    await person.say("!heist 123")
    await expect(person.page.get_by_test_id("drawing")).to_have_attribute("data-moment", "gathering")
    await person.page.wait_for_timeout(500)
    shown = await person.page.evaluate(SHOWN)
    assert shown.count("Bank Heist") == 1
    assert sum(each.isdigit() and 10 <= int(each) <= 15 for each in shown) == 1  # the first lobby is short
    assert not CLOCK & set(shown)
    # What all have staked, and what oneself has.
    assert sorted(each for each in shown if "123" in each) == ["123", "You are in with 123 credits."]
    # Where there is no room for the drawing the card says it.
    await person.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    await expect(person.page.get_by_test_id("countdown")).to_be_in_viewport()
    await person.page.wait_for_timeout(500)
    shown = await person.page.evaluate(SHOWN)
    assert shown.count("Bank Heist") == 1
    assert len(CLOCK & set(shown)) == 1
    assert sorted(each for each in shown if "123" in each) == ["123 credits", "You are in with 123 credits."]


async def test_a_round_that_is_drawn_is_not_written_again(browser: Browser, site: Site) -> None:
    person = await visit(browser, site, DESKTOP)  # type: ignore[arg-type]
    await person.enter("Mina")
    await person.say("!chicken 4 10")
    for name in ("bob", "joon"):  # the cards of two lie on the table, instead of a drawing
        await say(site, name, "!chicken")
    await hurry(site)
    await expect(person.page.get_by_test_id("drawing")).to_have_attribute("data-moment", "play")
    await person.page.wait_for_timeout(500)
    assert [each for each in await person.page.evaluate(SHOWN) if "1 of 4" in each] == ["Round 1 of 4"]


async def test_a_game_and_its_choices_are_in_one_row_beside_a_table_on_a_phone(
    browser: Browser, site: Site
) -> None:
    for width in (360, 390):
        person = await visit(browser, site, {"width": width, "height": 844})
        await person.enter("Mina")
        if not site.chat.room.tables:
            await person.say("!chicken 4 10")
            await say(site, "bob", "!chicken")
        await expect(person.page.locator(".stage:not(.alone)")).to_be_visible()
        slots = await person.page.locator(".game-slot").all()
        assert len(slots) >= 4
        for slot in slots:
            game = await slot.get_by_test_id("open-game").bounding_box()
            choose = await slot.get_by_test_id("choose-game").bounding_box()
            assert game is not None
            assert choose is not None
            assert abs(game["y"] + game["height"] / 2 - choose["y"] - choose["height"] / 2) < 8, width
        await person.page.close()


async def test_a_lone_move_is_not_explained_by_words_about_pointing(browser: Browser, site: Site) -> None:
    person = await visit(browser, site)
    await person.enter("Mina")
    await person.say("!heist 20")
    await say(site, "bob", "!heist 20")  # alone one could also start
    moves = person.page.get_by_test_id("table-button")
    await expect(moves).to_have_count(1)
    await expect(person.page.locator(".move-hint")).to_be_hidden()
    await expect(person.page.get_by_test_id("explain-moves")).to_be_hidden()
    await hurry(site)
    await expect(person.page.locator(".move-hint")).to_be_visible()


async def test_explanations_begin_with_a_capital_letter(browser: Browser, site: Site) -> None:
    person = await visit(browser, site)
    await person.enter("Mina")
    await person.say("!heist 20")
    await expect(person.page.get_by_test_id("table-button")).to_have_count(2)  # to leave, and to start
    await hurry(site)
    await expect(person.page.get_by_test_id("table-button").nth(3)).to_be_visible()
    await person.page.get_by_test_id("explain-moves").click()
    told = await person.page.locator(".move-help").all_inner_texts()
    await person.page.get_by_test_id("help").click()
    told += await person.page.locator("#command-list .help").all_inner_texts()
    assert len(told) > 20
    assert [each for each in told if not each[0].isupper()] == []


async def test_a_field_for_a_stake_is_wide_enough_to_type_into(browser: Browser, site: Site) -> None:
    for width in (320, 360, 390, 768):
        person = await visit(browser, site, {"width": width, "height": 844})
        await person.enter("Mina")
        await person.page.get_by_test_id("choose-game").first.click()
        field = await person.page.get_by_test_id("field-stake").bounding_box()
        form = await person.page.get_by_test_id("command-form").bounding_box()
        assert field is not None
        assert form is not None
        assert field["width"] >= 96
        chips = [await each.bounding_box() for each in await person.page.get_by_test_id("stake-chip").all()]
        assert all(each and each["x"] + each["width"] <= form["x"] + form["width"] for each in chips)
        await person.page.close()


async def test_no_technical_line_comes_before_the_first_for_people(browser: Browser, site: Site) -> None:
    person = await visit(browser, site)
    await person.enter("Mina")
    assert [each for each in site.chat.history if each["fine"]] == []
    await expect(person.page.get_by_test_id("line")).to_have_count(0)
    await person.say("hello")
    await expect(person.page.get_by_test_id("line")).to_have_count(1)


async def _keys_to_a_move(page: Page) -> int:
    """Press keys from the message field on until a move has the focus; return how many it took."""
    await page.get_by_test_id("composer").focus()
    for pressed in range(1, MOST_KEYS + 1):
        await page.keyboard.press("Tab")
        at: dict[str, Any] = await page.evaluate(FOCUS)
        assert at["ring"], at
        if at["testid"] == "to-moves":
            await page.keyboard.press("Enter")
            inside = "document.activeElement.closest('.action-slot:not([hidden])') !== null"
            assert await page.evaluate(inside)
            assert (await page.evaluate(FOCUS))["ring"]
            return pressed + 1
    raise AssertionError("Tab does not reach the way to the moves")


@pytest.mark.parametrize(
    ("opening", "phases"),
    [
        pytest.param(opening, phases, marks=() if number == 0 else pytest.mark.nightly)
        for number, (opening, _, phases) in enumerate(GAMES)
    ],
)
async def test_the_first_move_is_at_most_five_keys_from_the_message_field(
    browser: Browser, site: Site, opening: str, phases: int
) -> None:
    person = await visit(browser, site)
    await person.enter("mina")
    await person.say(opening)
    if phases:
        await expect(person.page.get_by_test_id("table")).to_be_visible()
        await say(site, "bob", opening.split(maxsplit=1)[0])
        await hurry(site)
        await say(site, "bob", "!pass")  # in a game of turns, his may come first
    moves = person.page.locator(".action-slot:not([hidden])")
    await expect(moves.locator("button, input").locator("visible=true").first).to_be_visible()
    assert await _keys_to_a_move(person.page) + 1 <= MOST_KEYS
    assert person.complaints == []


async def _press(page: Page, key: str, times: int = 1) -> None:
    for _ in range(times):
        await page.keyboard.press(key)


async def _to(page: Page, wanted: str) -> None:
    """Press Tab until what has a test id, or is a move of this line, has the focus."""
    for _ in range(40):
        at = await page.evaluate(FOCUS)
        if wanted in {at["testid"], at["line"]}:
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {wanted}")


async def test_a_whole_heist_is_played_by_keys_alone(browser: Browser, site: Site) -> None:
    """From the first look at the page to the end of the table no button of a mouse is pressed."""
    person = await visit(browser, site)
    page = person.page
    await expect(page.get_by_test_id("welcome-name")).to_be_focused()
    await page.keyboard.type("Mina")
    await _press(page, "Enter")
    await expect(page.get_by_test_id("composer")).to_be_focused()
    await _press(page, "Enter")  # opens the first game
    await expect(page.get_by_test_id("drawing")).to_have_attribute("data-moment", "gathering")
    await _keys_to_a_move(page)
    assert (await page.evaluate(FOCUS))["line"] == "!heist leave"
    await _press(page, "Shift+Tab")
    await _to(page, "next-phase")
    await _press(page, "Enter")
    await expect(page.get_by_test_id("drawing")).to_have_attribute("data-moment", "play")
    await _keys_to_a_move(page)
    await _to(page, "!guncheck")
    await _press(page, "Enter")
    await person.reads("gun")
    # All have acted: the getaway ends by itself two seconds later.
    await expect(page.get_by_test_id("drawing")).to_have_attribute("data-moment", "beat")
    await page.get_by_test_id("composer").focus()
    await page.evaluate("document.activeElement.blur()")
    await _to(page, "next-phase")
    await _press(page, "Enter")
    await expect(page.get_by_test_id("drawing")).to_have_attribute("data-moment", "outcome")
    await page.evaluate("document.activeElement.blur()")
    await _to(page, "skip-reveal")
    await _press(page, "Enter")
    await expect(page.get_by_test_id("drawing")).to_have_attribute("data-moment", "winner")
    await expect(page.get_by_test_id("finish")).not_to_be_empty()
    assert not (await page.evaluate(FOCUS))["lost"]
    assert person.complaints == []


LISTEN = """
  window.tones = 0; window.made = 0;
  const [Tone, Audio] = [OscillatorNode, AudioContext];
  window.OscillatorNode = class extends Tone { constructor(...all) { super(...all); window.tones += 1; } };
  window.AudioContext = class extends Audio { constructor(...all) { super(...all); window.made += 1; } };
"""


async def test_sounds_are_off_unless_asked_for_and_the_switch_remembers(browser: Browser, site: Site) -> None:
    context = await browser.new_context(viewport={"width": 1280, "height": 800})
    await context.add_init_script(LISTEN)
    page = await context.new_page()
    person = Person(page)
    await page.goto(site.address)
    await person.enter("Mina")
    switch = page.get_by_test_id("sound")
    await expect(switch).to_have_attribute("aria-pressed", "false")
    await expect(switch).to_have_accessible_name("Sounds")
    await person.say("!heist 20")
    await expect(page.get_by_test_id("drawing")).to_have_attribute("data-moment", "gathering")
    await say(site, "bob", "!heist 20")
    await hurry(site)
    await expect(page.get_by_test_id("drawing")).to_have_attribute("data-moment", "play")
    assert await page.evaluate("[made, tones]") == [0, 0]
    await switch.click()
    await expect(switch).to_have_attribute("aria-pressed", "true")
    await hurry(site)
    await expect(page.get_by_test_id("drawing")).to_have_attribute("data-moment", "beat")
    await page.wait_for_function("tones > 0")
    await page.reload()
    await expect(switch).to_have_attribute("aria-pressed", "true")
    await switch.click()
    await expect(switch).to_have_attribute("aria-pressed", "false")
    await page.evaluate("tones = 0")
    await hurry(site)
    await expect(page.get_by_test_id("drawing")).to_have_attribute("data-moment", "winner", timeout=15_000)
    assert await page.evaluate("tones") == 0
    await page.reload()
    await expect(switch).to_have_attribute("aria-pressed", "false")
    assert await page.evaluate("made") == 0
    assert person.complaints == []
    await context.close()


async def test_names_on_the_page_are_whole_and_ones_own_is_lit(browser: Browser, site: Site) -> None:
    """From nine heisters on they roll by; on a desktop and on a phone everybody is named once."""
    people = [f"QuietQuokka{number}OfTheSea" for number in range(11)]
    pages = [await visit(browser, site, size) for size in (DESKTOP, PHONE)]  # type: ignore[arg-type]
    for person in pages:
        await person.enter("Mina")
    await say(site, "Mina", "!heist 20")
    for name in people:
        await say(site, name, "!heist 20")
    for person in pages:
        seated = person.page.locator(".who-sits .name")
        await expect(seated).to_have_count(len(people) + 1)
        whole = "(all) => all.every((each) => each.scrollWidth <= each.clientWidth + 1)"
        assert await seated.evaluate_all(whole)
    for _ in range(3):
        await hurry(site)
    for found in await asyncio.gather(*[_rolled(person.page, len(people) + 1) for person in pages]):
        assert found == {**dict.fromkeys(people, False), "Mina": True}


async def _rolled(page: Page, count: int) -> dict[str, bool]:
    """Return the names that roll by, and which are lit."""
    rows = page.locator(".roll-row")
    found: dict[str, bool] = {}
    while len(found) < count:
        await expect(rows.first).to_be_visible()
        found |= await rows.evaluate_all(
            "(all) => Object.fromEntries(all.map((each) =>"
            " [each.querySelector('.roll-name').textContent, each.classList.contains('mine')]))"
        )
        await page.wait_for_timeout(100)
    return found
