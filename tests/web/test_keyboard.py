"""What somebody needs who sees no screen or holds no mouse: names, focus, and few announcements."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from tests.bot.hostile import HOSTILE
from tests.web.chromium import CHROMIUM
from tests.web.conftest import opened
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

MOST_TABS = 60  # until what is looked for has the focus
JOINS = 30
TOGETHER = 20
QUIET = 500.0  # milliseconds in which nothing more is announced
FEW = 2  # announcements of a table's phases, the lobby's and the next one's

FOCUS = """() => {
  const at = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const ring = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  const { line = "", testid = at.id } = at.dataset;
  const row = at.closest(".fan") !== null;
  return { line, testid, lost: at === document.body, ring, row };
}"""

COUNT = """() => {
  window.told = [];
  for (const region of [document.getElementById("announce"), document.getElementById("finish")])
    new MutationObserver(() => region.textContent && window.told.push(region.textContent))
      .observe(region, { childList: true, characterData: true, subtree: true });
}"""

# How a table is opened, what is done at it, and how many phases pass before: a move is a line, or else the
# keys that lay one card after the other.
GAMES = [
    ("!heist 20", ["!deposit", "!withdraw"], 1),
    ("!highshow 6 2 none", ["!another", "!cashout", "!cashout"], 0),
    ("!sixcard", ["111223"], 0),
    ("!chicken 3", ["!play 3"], 1),
    ("!market 1 0", ["!pass"], 1),
]


async def tab_to(page: Page, wanted: str) -> None:
    """Press Tab until a move, or what has this test id, has the focus; wherever it stops, that is seen.

    Tab stops at one card of a row, and arrow keys go on from there.
    """
    key = "Tab"
    for _ in range(MOST_TABS):
        await page.keyboard.press(key)
        at: dict[str, Any] = await page.evaluate(FOCUS)
        assert at["lost"] or at["ring"], at
        if wanted in {at["line"], at["testid"]}:
            return
        key = "ArrowRight" if at["row"] else "Tab"
    raise AssertionError(f"Tab does not reach {wanted}")


async def hurry(site: Site) -> None:
    for table in list(site.chat.room.tables.values()):
        await site.chat.bot.hurry(site.chat.room, table.id)


async def play(page: Page, moves: list[str]) -> None:
    for move in moves:
        await (press(page, move) if move.startswith("!") else lay(page, move))
        assert not (await page.evaluate(FOCUS))["lost"], f"after {move} nothing has the focus"


async def press(page: Page, move: str) -> None:
    await expect(page.locator(f"[data-testid=table-button][data-line='{move}']").first).to_be_visible()
    await tab_to(page, move)
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("line").filter(has_text=move).last).to_be_visible()


async def lay(page: Page, keys: str) -> None:
    """Lay each card of a hand in the place of a key, and set them."""
    hand = page.get_by_test_id("set-hand").get_by_test_id("set-card")
    await expect(hand).to_have_count(len(keys))
    await tab_to(page, "set-card")
    for left, key in zip(reversed(range(len(keys))), keys, strict=True):
        await page.keyboard.press(key)
        await expect(hand).to_have_count(left)
        if left:
            await page.keyboard.press("ArrowRight")
    await tab_to(page, "set-send")
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("line").filter(has_text="!set").last).to_be_visible()
    await expect(page.get_by_test_id("setting")).to_be_hidden()


@pytest.mark.parametrize(
    ("opening", "moves", "phases"),
    [
        pytest.param(*each, marks=() if number == 0 else pytest.mark.nightly)
        for number, each in enumerate(GAMES)
    ],
)
async def test_every_game_is_played_by_keyboard_and_the_focus_is_seen_and_never_lost(
    browser: Browser, site: Site, opening: str, moves: list[str], phases: int
) -> None:
    person = await visit(browser, site)
    await person.enter("mina")
    await person.say(opening)
    if phases:
        await expect(person.page.get_by_test_id("table")).to_be_visible()
        await say(site, "bob", opening.split(maxsplit=1)[0])
        await hurry(site)
        await say(site, "bob", "!pass")  # in a game of turns, his may come first
    await play(person.page, moves)
    await hurry(site)  # the table is drawn anew below the focus
    await expect(person.page.get_by_test_id("phase").first).not_to_be_empty()
    assert not (await person.page.evaluate(FOCUS))["lost"]
    assert person.complaints == []


async def test_a_notice_does_not_take_the_focus_away_with_it(browser: Browser, site: Site) -> None:
    person = await visit(browser, site)
    page = person.page
    await person.enter("Mina")
    await page.clock.install()
    close = page.get_by_test_id("toast").get_by_role("button")
    show = "async (text) => (await import('/static/toast.js')).toast(text)"
    await page.evaluate(show, "The first")
    await close.focus()
    await page.evaluate(show, "The second")
    await expect(close).to_be_focused()
    await page.clock.run_for(60_000)  # it waits for whoever is about to close it
    await expect(page.get_by_test_id("toast")).to_have_text("The second")
    await expect(close).to_be_focused()
    await page.evaluate("async () => (await import('/static/toast.js')).hideToast()")
    await expect(page.get_by_test_id("composer")).to_be_focused()
    await page.evaluate(show, "The third")
    await page.clock.run_for(10_000)
    await expect(page.get_by_test_id("toast")).to_be_empty()
    assert person.complaints == []


async def test_a_crowd_that_joins_is_one_announcement_and_not_one_each(browser: Browser, site: Site) -> None:
    person = await visit(browser, site)
    page = person.page
    await person.enter("mina")
    await page.evaluate(COUNT)
    await person.say("!heist 20")
    for number in range(JOINS):
        await say(site, f"fan{number}", "!heist 20")
    await expect(page.get_by_test_id("place")).to_have_count(JOINS + 1)
    await hurry(site)
    await expect(page.get_by_test_id("table-button").first).to_be_visible()
    await page.wait_for_function(f"window.told.length >= {FEW}")  # a phase is told after it was drawn
    await page.wait_for_timeout(QUIET)
    told = await page.evaluate("window.told")
    assert len(told) == FEW, told
    own = await page.locator("#chat .line[data-kind=bot]:not(.fine):not([hidden])").count()
    assert own < JOINS / 2, "the log is a live region, too"


@pytest.mark.parametrize(
    ("language", "ten", "ace"),
    [("en", "10 of hearts", "ace of spades"), ("ko", "하트 10", "스페이드 에이스")],
)
async def test_cards_are_called_by_their_names(
    browser: Browser, tmp_path: Path, language: str, ten: str, ace: str
) -> None:
    async with opened(tmp_path, language) as site:
        person = await visit(browser, site)
        named = await person.page.evaluate(_NAMED)
        assert named == [ten, ace, None]
        await person.page.close()


_NAMED = """async () => {
  const { updateHands } = await import("/static/hands.js");
  while (document.body.dataset.state !== "ready") await new Promise(requestAnimationFrame);
  const node = document.createElement("div");
  const cards = ["10♥", "A♠", "12"].map((face) => ({ face, word: "", mark: "plain" }));
  const hand = { label: "x", cards, hidden: 0, count: 3, more: 0, mark: "", detail: "" };
  updateHands(node, [hand], () => false, null);
  return [...node.querySelectorAll(".face")].map((each) => each.getAttribute("aria-label"));
}"""


@pytest.mark.nightly
async def test_two_hundred_hostile_names_run_nothing_and_break_no_layout(
    browser: Browser, site: Site
) -> None:
    person = await visit(browser, site, {"width": 360, "height": 740})
    page = person.page
    await person.enter("mina")
    await person.say("!heist 20")
    names = [f"{number} {name}" for number, name in enumerate(HOSTILE[:200])]
    for first in range(0, len(names), TOGETHER):
        await asyncio.gather(*(say(site, each, "!heist 20") for each in names[first : first + TOGETHER]))
    # On a busy machine the lobby may close before the last of them.
    await page.wait_for_function("document.querySelectorAll('[data-testid=place]').length > 150")
    for width, height in ((360, 740), (1440, 900)):
        await page.set_viewport_size({"width": width, "height": height})
        await whole(person)
    for _ in range(3):
        await hurry(site)
        await whole(person)
    await page.close()


async def whole(person: Person) -> None:
    """Check that nothing foreign stands in the page, and that nothing is wider than it."""
    assert await person.page.evaluate(_FOREIGN) == 0
    assert await person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert person.complaints == []


_FOREIGN = """(() => {
  const found = "[onerror], [onload], img:not([src^='/static/']), script:not([src^='/static/'])";
  const within = document.getElementById("drawn").shadowRoot;
  return document.querySelectorAll(found).length + within.querySelectorAll(found).length;
})()"""


async def test_nothing_is_painted_while_nothing_is_played(browser: Browser, site: Site) -> None:
    person = await visit(browser, site)
    await person.enter("mina")
    page = person.page
    await page.evaluate("document.activeElement.blur()")  # the cursor of a text field blinks
    await page.evaluate("Promise.allSettled(document.getAnimations().map((each) => each.finished))")
    assert await frames(browser, page, 0.3, then="document.body.style.outline = '1px solid red'") > 0
    assert await frames(browser, page, 1.5) == 0


async def frames(browser: Browser, page: Page, seconds: float, then: str = "") -> int:
    """Count what the browser paints of a page in some seconds, after a change, if there is one."""
    await browser.start_tracing(page=page, categories=["devtools.timeline"])
    if then:
        await page.evaluate(f"() => {{ {then} }}")
    await page.wait_for_timeout(1000 * seconds)
    trace = json.loads(await browser.stop_tracing())
    return [each["name"] for each in trace["traceEvents"]].count("Paint")
