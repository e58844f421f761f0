"""What axe-core finds in the pages: nothing, at any moment, in any look and language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from tests.web.axe import findings, needs_axe
from tests.web.chromium import CHROMIUM
from tests.web.conftest import opened
from tests.web.overlay_server import over_at, viewing
from tests.web.recording import SCRIPTS, kept, record
from tests.web.test_layout import say
from tests.web.test_page import Person, browser

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.async_api import Browser

    from tests.web.conftest import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
    needs_axe,
]

DESKTOP, PHONE = (1440, 900), (390, 844)
LOOKS = [
    (language, scheme, size)
    for language in ("en", "ko")
    for scheme in ("dark", "light")
    for size in (DESKTOP, PHONE)
]


class Walk:
    """A person whose page is looked through at each station; `found` is what was wrong, by station."""

    def __init__(self, person: Person, site: Site) -> None:
        self.person, self.page, self.site = person, person.page, site
        self.found: dict[str, list[str]] = {}

    async def look(self, station: str) -> None:
        wrong = await findings(self.page)
        if wrong:
            self.found[station] = wrong

    async def hurry(self) -> None:
        """End the phase of each table."""
        for table in list(self.site.chat.room.tables.values()):
            await self.site.chat.bot.hurry(self.site.chat.room, table.id)

    async def moment(self, moment: str) -> None:
        await expect(self.page.get_by_test_id("drawing")).to_have_attribute("data-moment", moment)

    async def close(self) -> None:
        """End all games, so that the next one stands alone."""
        for _ in range(40):
            await self.hurry()
        self.site.chat.room.tables.clear()
        self.site.chat.refresh()


async def arrive(browser: Browser, site: Site, scheme: str, size: tuple[int, int]) -> Walk:
    page = await browser.new_page(
        viewport={"width": size[0], "height": size[1]},
        reduced_motion="reduce",
        color_scheme="dark" if scheme == "dark" else "light",
    )
    await page.goto(site.address)
    return Walk(Person(page), site)


async def at_the_door(walk: Walk) -> None:
    await walk.look("welcome")
    await walk.page.get_by_test_id("welcome-enter").click()
    await walk.page.get_by_test_id("help").click()
    await walk.look("commands")
    await walk.page.keyboard.press("Escape")
    await walk.page.get_by_test_id("edit-viewer").click()
    await walk.look("editing")
    await walk.page.keyboard.press("Escape")


async def before_a_game(walk: Walk) -> None:
    await walk.page.get_by_test_id("composer").fill("!he")
    await expect(walk.page.get_by_test_id("suggestion").first).to_be_visible()
    await walk.look("suggestions")
    await walk.page.get_by_test_id("composer").fill("")
    await walk.page.get_by_test_id("sound").click()
    await walk.look("the games, and sounds that are on")
    await walk.page.get_by_test_id("to-moves").focus()
    await walk.look("the way to the moves")
    await walk.page.get_by_test_id("choose-game").first.click()
    await walk.look("a form")
    await walk.person.say("!heist nonsense")
    await walk.look("a refusal")


async def heist(walk: Walk, name: str) -> None:
    await walk.person.say("!heist 20")
    for number in range(3):
        await say(walk.site, f"fan{number}", "!heist 20")
    await walk.moment("gathering")
    await walk.look("a lobby")
    await walk.hurry()
    await expect(walk.page.get_by_test_id("table-button").first).to_be_visible()
    await walk.page.get_by_test_id("explain-moves").click()
    await walk.look("moves of a heist")
    await say(walk.site, name, "!deposit")
    await walk.hurry()
    await walk.moment("beat")
    await walk.look("the beat")
    await walk.hurry()
    await walk.moment("outcome")
    await walk.look("the outcome")
    await walk.page.get_by_test_id("skip-reveal").click()
    await walk.moment("winner")
    await walk.look("the finish")


async def crowd(walk: Walk, name: str) -> None:
    """A heist of so many that they roll by, one's own name among them."""
    await walk.close()
    await walk.site.chat.bot.parts.pauses.wake(walk.site.chat.room, "heist")
    await say(walk.site, name, "!heist 20")
    for number in range(11):
        await say(walk.site, f"QuietQuokka{number}", "!heist 20")
    await walk.moment("gathering")
    await walk.look("a lobby of twelve")
    for _ in range(3):
        await walk.hurry()
    await expect(walk.page.locator(".roll-row").first).to_be_visible()
    await walk.look("names that roll by")


async def cards(walk: Walk, name: str) -> None:
    for lines in (
        ("!highshow 40 1 none", "!another", "!another"),
        ("!sixcard",),
        ("!chicken 6",),
        ("!market 1 0",),
    ):
        await walk.close()
        await say(walk.site, name, *lines)
        if lines[0].startswith(("!chicken", "!market")):
            await say(walk.site, "bob", lines[0].split(" ", 1)[0])
            await walk.hurry()
            await say(walk.site, "bob", "!pass")  # in a game of turns, his may come first
        moves = walk.page.locator(".action, .pick, .hand-card").locator("visible=true")
        await expect(moves.first).to_be_visible()
        await walk.look(lines[0])


@pytest.mark.nightly
@pytest.mark.parametrize(("language", "scheme", "size"), LOOKS)
async def test_the_page_has_no_finding(
    browser: Browser, tmp_path: Path, language: str, scheme: str, size: tuple[int, int]
) -> None:
    async with opened(tmp_path, language) as site:
        walk = await arrive(browser, site, scheme, size)
        await expect(walk.page.get_by_test_id("welcome-name")).to_be_visible()
        name = await walk.page.get_by_test_id("welcome-name").input_value()
        await at_the_door(walk)
        await before_a_game(walk)
        await heist(walk, name)
        await cards(walk, name)
        await crowd(walk, name)
        await walk.page.close()
    assert walk.found == {}


SHOWN = [
    (game, language, theme)
    for game in ("heist", "crowd", "chickenpoker", "sixcardpoker", "highshow", "pokermarket")
    for language in ("en", "ko")
    for theme in ("bank", "space")
]


async def wrong_at(
    browser: Browser, events: list[dict[str, Any]], theme: str, moments: list[float]
) -> dict[float, list[str]]:
    """Return what is wrong with the overlay so many seconds after the first event, where something is."""
    async with viewing(browser, events, f"?theme={theme}") as view:
        found = {}
        for seconds in moments:
            await view.reach(seconds)
            found[seconds] = await findings(view.page)
    return {seconds: wrong for seconds, wrong in found.items() if wrong}


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "language", "theme"), SHOWN)
async def test_the_overlay_has_no_finding(browser: Browser, game: str, language: str, theme: str) -> None:
    events: list[dict[str, Any]] = kept(game) if language == "en" else await record(SCRIPTS[game], language)
    end = over_at(events)
    moments = [2, end * 0.7, end - 2, end + 1, end + 2, end + 4, end + 7, end + 11, end + 40]
    assert await wrong_at(browser, events, theme, moments) == {}


async def test_a_heist_that_gathers_and_one_that_is_over_have_no_finding(browser: Browser) -> None:
    events = kept("heist")
    assert await wrong_at(browser, events, "bank", [2, over_at(events) + 11]) == {}


PLANTED = """<html lang="en"><title>x</title><style>@keyframes turn { to { rotate: 1turn } }</style>
<main><h1>x</h1><p style="color: #888; background: #999">x</p>
<button style="animation: turn 1s infinite"></button></main>"""


@pytest.mark.parametrize("stopped", [False, True])
async def test_a_text_that_cannot_be_read_and_a_button_without_a_name_are_found_whether_time_goes_on_or_not(
    browser: Browser, stopped: bool
) -> None:
    page = await browser.new_page()
    if stopped:
        await page.clock.install(time=0)
        await page.clock.pause_at(1)
    await page.goto("about:blank")
    await page.set_content(PLANTED)
    wrong = await findings(page)
    await page.close()
    assert [each.partition(":")[0] for each in wrong] == ["button-name", "color-contrast"]
