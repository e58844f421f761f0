"""The evening of a moderator: by keyboard alone, in seconds, in a dock, on a phone, and read aloud."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.web.axe import findings, needs_axe
from tests.web.chromium import CHROMIUM
from tests.web.desk.pages import DESKTOP, DOCK, PHONE, as_operator, linked, opened, picture
from tests.web.desk.persons import Person
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

    from tests.web.desk.site import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]
NOW = "tables", "members", "audit", "minted", "seasons"  # at which `test_desk_axe.py` looks
LEAST_TARGET = 44  # pixels
# Whatever can be pressed and is less than 44 pixels high or wide; of a small box, its label counts.
SMALL = """least => [...document.querySelectorAll("button, input, select, textarea, summary, a")]
  .filter(each => each.checkVisibility() && !each.closest(".skip"))
  .map(each => [each, (each.type === "checkbox" && each.closest("label") || each).getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.height < least - 0.5 || box.width < least - 0.5))
  .map(([each, box]) => `${each.outerHTML.slice(0, 120)}: ${box.width} × ${box.height}`)"""


async def sections(page: Page) -> list[str]:
    """List the sections of the desk."""
    listed = await page.locator(".desk-list [data-section]").evaluate_all(
        "all => all.map(e => e.dataset.section)"
    )
    return [str(each) for each in listed]


async def go(page: Page, section: str) -> None:
    """Open a section, and what opens in it, and wait until it is drawn."""
    await page.evaluate("id => document.querySelector(`.desk-list [data-section='${id}']`).click()", section)
    await expect(page.locator("#main h2").first).to_be_visible()
    first = page.locator("#main details > summary, #main .desk-row-button").first
    if section in {"texts", "access", "commands"}:
        await first.click()
        await expect(page.locator("#main form, #main .desk-editor, #main .desk-field").first).to_be_visible()


async def find(person: Person, sought: str) -> None:
    """Go to something by the field that finds it."""
    await expect(person.page.get_by_role("dialog")).to_have_count(0)
    await person.press("Escape")
    await person.press("/")
    await person.type(sought)
    await expect(person.page.locator("#found li").first).to_be_visible()
    await person.press("Enter")


async def test_four_wishes_take_less_than_half_a_minute_by_keyboard(browser: Browser, site: Site) -> None:
    async with opened(browser) as page:
        await as_operator(page, site, "room")
        person = Person(page)
        await find(person, "min_stake")
        await person.type("50")
        await person.press("Tab")
        await find(person, "lobby")
        await person.type("90")
        await person.press("Tab")
        await find(person, "only_live")
        await person.press(" ")
        await find(person, "language")
        await person.type("ko")
        await expect(page.locator("#bar")).to_contain_text("4 changes")
        await person.press("Control+Enter")
        await expect(page.locator("#why")).to_be_focused()
        await picture(page, "four-wishes")
        await person.press("Enter")
        await expect(page.locator("html")).to_have_attribute("lang", "ko")
        room = site.bot.rooms[site.twitch_room]
        assert dict(room.settings("heist")) == {"min_stake": "50", "lobby": "90"}
        assert (room.habits.only_live, room.habits.language) == (True, "ko")
        assert person.clicks == 0
        assert person.keys <= 70
        assert person.seconds < 30


async def test_four_wishes_take_less_than_half_a_minute_by_mouse(browser: Browser, site: Site) -> None:
    async with opened(browser) as page:
        await as_operator(page, site, "room")
        person = Person(page)
        await person.click(page.get_by_role("button", name="Bank Heist"))
        for key, value in (("lobby", "90"), ("min_stake", "50")):
            await person.click(page.locator(f"#set-heist-{key}"))
            await person.press("Control+a")
            await person.type(value)
        await person.click(page.get_by_role("button", name="The room"))
        await person.click(page.locator("#set-room-only_live"))
        await person.choose(page.locator("#set-room-language"), "ko")
        await expect(page.locator("#bar")).to_contain_text("4 changes")
        await person.click(page.locator("#apply"))
        await person.click(page.get_by_test_id("go"))
        await expect(page.locator("html")).to_have_attribute("lang", "ko")
        assert dict(site.bot.rooms[site.twitch_room].settings("heist")) == {"min_stake": "50", "lobby": "90"}
        assert person.clicks <= 10
        assert person.seconds < 30


async def test_a_value_that_was_typed_a_moment_ago_is_among_what_is_applied(
    browser: Browser, site: Site
) -> None:
    async with opened(browser) as page:
        await as_operator(page, site, "heist")
        await page.locator("#set-heist-lobby").fill("90")
        await page.locator("#set-heist-lobby").press("Control+Enter")
        await expect(page.get_by_role("dialog")).to_contain_text("lobby")


async def test_an_evening_is_moderated_by_keyboard_alone_from_login_to_undo(
    browser: Browser, site: Site
) -> None:
    owner = site.both.discord.world.owner
    async with opened(browser) as page:
        await page.goto(site.address + await linked(site, owner))
        person = Person(page)
        await person.tab_to("#enter")
        await person.press("Enter")
        await page.wait_for_url("**/desk*")
        await expect(page.locator("#finder")).to_be_visible()

        await find(person, "lobby")
        await person.type("45")
        await person.press("Control+Enter")
        await expect(page.locator("#why")).to_be_focused()
        await person.type("a slow night")
        await person.press("Enter")
        await expect(page.locator("#told")).to_contain_text("lobby")
        assert site.bot.rooms[site.discord_room].settings("heist") == {"lobby": "45"}

        await find(person, "high show")
        await person.tab_to("[data-preset='short']")
        await person.press("Enter")
        await expect(page.locator("#why")).to_be_focused()
        await person.press("Enter")
        await expect(page.locator("#told")).to_contain_text("short")
        await expect(page.locator("[data-chosen=true] h4")).to_contain_text("short")

        await find(person, "texts")
        await person.tab_to("[data-text='opening'] button")
        await person.press("Enter")
        await expect(page.locator("textarea")).to_be_focused()
        await person.press("Control+a")
        await person.type("{who} calls the crew: {stake}, {seconds} seconds!")
        await expect(page.locator(".desk-editor [role=status] .desk-bubble")).to_contain_text(
            "calls the crew"
        )
        await person.press("Enter")
        await expect(page.locator("#told")).to_contain_text("calls the crew")

        await find(person, "running")
        await person.tab_to("[data-testid='opening'] button")
        await person.press("Enter")
        await person.type("pizza")
        await person.press("Enter")
        await expect(page.get_by_test_id("opening")).to_have_attribute("data-paused", "true")

        await find(person, "what was")
        await person.tab_to("[data-act='undo']")
        await person.press("Enter")
        await expect(page.get_by_role("dialog")).to_contain_text("paused")
        await person.press("Enter")
        await expect(page.get_by_role("dialog")).to_have_count(0)
        assert not site.bot.rooms[site.discord_room].habits.paused
        assert person.clicks == 0


@pytest.mark.parametrize("size", [DOCK, PHONE])
async def test_in_a_dock_and_on_a_phone_nothing_is_too_wide_or_too_small_to_press(
    browser: Browser, site: Site, size: tuple[int, int]
) -> None:
    wrong: dict[str, list[str]] = {}
    async with opened(browser, size) as page:
        await as_operator(page, site, "room")
        for section in await sections(page):
            await go(page, section)
            if small := await page.evaluate(SMALL, LEAST_TARGET):
                wrong[section] = small
            await picture(page, f"{section}-{size[0]}")
        await go(page, "heist")
        await page.locator("#set-heist-lobby").fill("90")
        await page.locator("#set-heist-lobby").press("Control+Enter")
        await expect(page.get_by_role("dialog")).to_be_visible()
        if small := await page.evaluate(SMALL, LEAST_TARGET):
            wrong["dialog"] = small
        await picture(page, f"dialog-{size[0]}")
    assert wrong == {}


@needs_axe
@pytest.mark.parametrize(
    ("language", "scheme", "size"),
    [("en", "dark", DESKTOP), ("en", "light", PHONE), ("ko", "dark", PHONE), ("ko", "light", DESKTOP)],
)
async def test_nobody_is_kept_out_of_any_section(
    browser: Browser, site: Site, language: str, scheme: str, size: tuple[int, int]
) -> None:
    wrong: dict[str, list[str]] = {}
    async with opened(browser, size, scheme) as page:
        await as_operator(page, site, "room")
        operator = await site.operator()
        await operator.use(site.twitch_room, "alias", "rob heist 100")
        await operator.use(site.twitch_room, "set", f"room language {language}")
        await expect(page.locator("html")).to_have_attribute("lang", language)
        for section in (await sections(page))[len(NOW) :]:
            await go(page, section)
            if section == "themes":
                await page.locator("[data-theme='space']").click()
                await expect(page.get_by_role("dialog")).to_be_visible()
            if found := await findings(page):
                wrong[section] = found
            await picture(page, f"{section}-{language}-{scheme}")
            await page.keyboard.press("Escape")
        await page.locator("#finder").fill("lobby")
        await expect(page.locator("#found li").first).to_be_visible()
        wrong |= {"finder": found} if (found := await findings(page)) else {}
    assert wrong == {}
