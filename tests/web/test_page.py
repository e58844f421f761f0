"""A real person's evening in a real browser: from opening the page to reading the result."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import async_playwright, expect

from chatbot.web.server import Server
from tests.web.chromium import CHROMIUM

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser, Page, ViewportSize

    from tests.web.conftest import Site

expect.set_options(timeout=20_000)  # a busy machine is no fault of the page
HOSTILE = [
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "<script>alert(1)</script>\u202e",
    "W" * 20 + "z" + "\u0335" * 200,
]
FOREIGN = "[onerror], [onload], img:not([src^=\\'/static/\\']), script:not([src^=\\'/static/\\'])"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]


@pytest.fixture
async def browser(chromium: str) -> AsyncIterator[Browser]:
    """A browser that knows of no other test: what it opens has cookies and a store of its own."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.connect_over_cdp(chromium)
        yield browser
        await browser.close()


class Person:
    """Somebody at a browser, and everything that the browser complains of."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(f"a dialog: {dialog.message}"))

    async def enter(self, name: str, role: str = "viewer") -> None:
        await self.page.get_by_test_id("welcome-name").fill(name)
        await self.page.get_by_test_id("welcome-role").select_option(role)
        await self.page.get_by_test_id("welcome-enter").click()
        await expect(self.page.get_by_test_id("welcome-name")).to_be_hidden()

    async def say(self, text: str) -> None:
        await self.page.get_by_test_id("composer").fill(text)
        await self.page.get_by_test_id("composer").press("Enter")

    async def reads(self, text: str) -> None:
        await expect(self.page.get_by_test_id("line").filter(has_text=text).first).to_be_visible()


async def visit(browser: Browser, site: Site, viewport: ViewportSize | None = None) -> Person:
    page = await browser.new_page(viewport=viewport or {"width": 1280, "height": 800})
    person = Person(page)
    await page.goto(site.address)
    return person


async def test_a_newcomer_plays_a_heist_with_a_crowd_from_the_first_look_to_the_result(
    browser: Browser, site: Site
) -> None:
    person = await visit(browser, site)
    page = person.page
    await person.enter("Mina")
    await expect(page.get_by_test_id("credits")).to_contain_text("240 credits")
    await page.get_by_test_id("crowd-count").fill("6")
    await page.get_by_test_id("crowd-bring").click()
    await page.get_by_test_id("open-game").first.click()
    await person.reads("Mina is planning a bank heist and stakes 69 credits.")
    await expect(page.get_by_test_id("phase")).to_have_text("Lobby")
    await expect(page.get_by_test_id("countdown")).to_have_text(re.compile(r"^(1:00|0:\d\d)$"))
    await expect(page.get_by_test_id("place").filter(has_text="Mina")).to_contain_text("69 credits")
    await expect(page.get_by_test_id("place").nth(1)).to_be_visible(timeout=15_000)  # somebody of the crowd
    await page.get_by_test_id("next-phase").click()
    await person.reads("The target is")
    await page.get_by_test_id("table-button").filter(has_text="Deposit").click()
    await person.reads("You stick to the plan; a success goes to your account")
    await page.get_by_test_id("next-phase").click()
    await page.get_by_test_id("next-phase").click()
    await person.reads("Results: ")
    await expect(page.get_by_test_id("phase")).to_have_text("Finished")
    shown = await page.get_by_test_id("place").filter(has_text="Mina").inner_text()
    net = int(re.search(r"\(([+−]\d+)\)", shown)[1].replace("−", "-"))  # type: ignore[index]
    # 240 to begin with, the heist's net, and a wage of 3
    await expect(page.get_by_test_id("credits")).to_contain_text(f"{243 + net} credits")
    assert person.complaints == []


async def test_a_whisper_is_seen_by_the_viewer_who_is_speaking_and_hidden_from_the_other(
    browser: Browser, site: Site
) -> None:
    person = await visit(browser, site)
    page = person.page
    await person.enter("ann")
    await expect(page.get_by_test_id("viewer")).to_have_count(1)
    await page.get_by_test_id("add-viewer").click()
    await person.enter("bob")
    await expect(page.get_by_test_id("viewer")).to_have_count(2)
    await page.get_by_test_id("viewer").filter(has_text="ann").click()
    await person.say("/w !credits")
    private = page.get_by_test_id("line").filter(has_text="ann has 240 credits")
    await expect(private).to_be_visible()
    await page.get_by_test_id("viewer").filter(has_text="bob").click()
    await expect(private).to_be_hidden()
    assert person.complaints == []


async def test_it_can_be_played_with_the_keyboard_alone(browser: Browser, site: Site) -> None:
    person = await visit(browser, site)
    page = person.page
    await expect(page.get_by_test_id("welcome-name")).to_be_focused()
    await page.keyboard.type("Kay")
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("composer")).to_be_focused()
    await page.keyboard.type("!hei")
    await page.keyboard.press("Tab")  # takes the suggestion
    await page.keyboard.type("42")
    await page.keyboard.press("Enter")
    await person.reads("Kay is planning a bank heist and stakes 42 credits.")
    assert person.complaints == []


async def test_a_double_click_sends_one_line_and_goes_on_by_one_phase(browser: Browser, site: Site) -> None:
    """An empty field opens the first game: the second click of a double click must not send it so."""
    person = await visit(browser, site)
    await person.enter("Mina")
    await person.page.get_by_test_id("composer").fill("!heist 20")
    await person.page.get_by_test_id("send").dblclick()
    await person.reads("Mina is planning a bank heist")
    await person.page.get_by_test_id("next-phase").dblclick()
    await person.reads("The target is")
    await person.say("!credits")
    await person.reads("Mina has 220 credits")  # what a second click does would have come before it
    assert [each["text"] for each in site.chat.history if each["kind"] == "said"] == ["!heist 20", "!credits"]
    await expect(person.page.get_by_test_id("phase")).to_have_text("Getaway")
    assert person.complaints == []


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("!se", ["!season", "!settings", "!set", "!seasonend", "!seat", "!another", "!arrange"]),
        ("!set", ["!set", "!arrange", "!settings"]),  # Six Card Poker answers to exactly that, too
        ("!dai", ["!claim"]),
    ],
)
async def test_commands_that_begin_as_typed_are_suggested_before_those_with_such_another_name(
    browser: Browser, site: Site, typed: str, offered: list[str]
) -> None:
    person = await visit(browser, site)
    await person.enter("Kay", "broadcaster")
    await person.page.get_by_test_id("composer").press_sequentially(typed)
    words = person.page.get_by_test_id("suggestion").locator("code")
    await expect(words).to_have_text(offered)


async def test_a_hostile_name_runs_nothing_and_breaks_no_layout(browser: Browser, site: Site) -> None:
    for number, name in enumerate(HOSTILE, 1):
        person = await visit(browser, site, {"width": 360, "height": 740})
        page = person.page
        await person.enter(name)
        await person.say(f"!heist 25 {name}")
        await person.say(name)
        await person.say("!heist 25")
        await expect(page.get_by_test_id("place")).to_have_count(number)
        assert await page.evaluate(f"document.querySelectorAll('{FOREIGN}').length") == 0
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        assert person.complaints == []
        await page.close()


@pytest.mark.parametrize("height", [720, 900, 1100])
async def test_a_table_and_the_games_below_it_never_cover_each_other(
    browser: Browser, site: Site, height: int
) -> None:
    person = await visit(browser, site, {"width": 1440, "height": height})
    await person.enter("Mina")
    await person.say("!heist 69")
    await person.page.get_by_test_id("next-phase").click()
    await expect(person.page.get_by_test_id("table-button").first).to_be_visible()
    edge = "document.querySelector('{}').getBoundingClientRect().{}"
    inside = f"{edge.format('.crew', 'bottom')} <= {edge.format('.table', 'bottom')}"
    apart = f"{edge.format('.table', 'bottom')} <= {edge.format('#free', 'top')}"
    assert await person.page.evaluate(f"[{inside}, {apart}]") == [True, True]


@pytest.mark.parametrize("size", [(390, 844), (768, 1024)])
async def test_every_game_is_in_sight_with_its_terms_beside_it_before_the_first(
    browser: Browser, site: Site, size: tuple[int, int]
) -> None:
    person = await visit(browser, site, {"width": size[0], "height": size[1]})
    await person.enter("Mina")
    slots = await person.page.locator(".game-slot").all()
    assert len(slots) == len(site.chat.bot.kits)
    for slot in slots:
        await expect(slot).to_be_in_viewport(ratio=1)
        opened = await slot.get_by_test_id("open-game").bounding_box()
        chosen = await slot.get_by_test_id("choose-game").bounding_box()
        assert opened is not None
        assert chosen is not None
        assert opened["x"] + opened["width"] <= chosen["x"]
        assert opened["height"] < 60  # one line of words
        title = await slot.locator(".game-title").inner_text()
        await expect(slot.get_by_test_id("choose-game")).to_have_accessible_name(f"Choose… {title}")


async def test_a_reload_in_mid_heist_goes_on_where_it_was(browser: Browser, site: Site) -> None:
    person = await visit(browser, site)
    await person.enter("Mina")
    await person.say("!heist 69")
    await person.reads("is planning")
    await person.page.reload()
    await expect(person.page.get_by_test_id("viewer").filter(has_text="Mina")).to_be_visible()
    await expect(person.page.get_by_test_id("place").filter(has_text="Mina")).to_contain_text("69 credits")
    await expect(person.page.get_by_test_id("credits")).to_contain_text("171 credits")
    await person.reads("is planning")


async def test_dark_and_light_can_be_chosen_and_are_remembered(browser: Browser, site: Site) -> None:
    person = await visit(browser, site)
    page = person.page
    await person.enter("Mina")
    background = "getComputedStyle(document.body).backgroundColor"
    before = await page.evaluate(background)
    await page.get_by_test_id("theme").click()
    await page.wait_for_function(f"{background} !== '{before}'")
    after = await page.evaluate(background)
    await page.reload()
    assert await page.evaluate(background) == after


async def test_a_pause_that_is_ended_is_over_on_every_page_at_once(browser: Browser, site: Site) -> None:
    heist = site.chat.bot.kits["heist"]
    people = [await visit(browser, site) for _ in range(2)]
    for person, name in zip(people, ("Mina", "Joon"), strict=True):
        await person.enter(name)
    site.chat.bot.parts.pauses.begin(site.chat.room, heist, 300)
    for shown in site.chat.pages:
        shown.stale()
    slots = [each.page.locator('.game-slot[data-key="heist"]') for each in people]
    for slot in slots:
        await expect(slot.get_by_test_id("rest")).to_have_text(re.compile(r"^0[45]:\d\d$"))
    await slots[0].get_by_test_id("skip-rest").click()
    for slot in slots:
        await expect(slot.get_by_test_id("rest")).to_have_text("")
        await expect(slot.get_by_test_id("skip-rest")).to_be_hidden()
    await slots[1].get_by_test_id("open-game").click()
    await people[0].reads("Joon is planning a bank heist and stakes 69 credits.")
    assert [each.complaints for each in people] == [[], []]


async def test_a_refusal_is_read_where_it_was_asked(browser: Browser, site: Site) -> None:
    person = await visit(browser, site)
    await person.enter("Mina")
    await person.say("!heist 241")
    await person.reads("You have only 240 credits; choose less, or write all.")
    await person.say("!heist 1e3")
    await person.reads("“1e3” is no amount")
    assert person.complaints == []


async def test_a_lost_connection_is_told_and_what_was_typed_goes_out_when_it_is_back(
    browser: Browser, site: Site
) -> None:
    person = await visit(browser, site)
    page = person.page
    await person.enter("Mina")
    await person.say("!sixcard")
    await expect(page.get_by_test_id("table-button").first).to_be_visible()
    await site.server.stop()
    await expect(page.locator("#offline")).to_be_visible()
    await person.say("!credits")
    await expect(page.get_by_test_id("toast")).to_contain_text("Not sent")
    await expect(page.get_by_test_id("composer")).to_have_value("!credits")
    await page.locator("#retry").focus()
    again = Server(site.chat, site.crowd, "127.0.0.1", site.server.port)
    await again.start()
    try:
        await page.locator("#retry").dispatch_event("click")  # or it has come back by itself
        await expect(page.locator("#offline")).to_be_hidden()
        await expect(page.get_by_test_id("composer")).to_be_focused()
        await expect(page.get_by_test_id("toast")).to_be_empty()
        await page.get_by_test_id("composer").press("Enter")
        await person.reads("Mina has 240 credits")
        await expect(page.get_by_test_id("table-button").first).to_be_visible()
    finally:
        await again.stop()
