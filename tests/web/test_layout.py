"""The page at the sizes of screens: moves below one's cards, one's own table first, and even rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from chatbot.games.sixcardpoker.rules import rules
from tests.web.chromium import CHROMIUM
from tests.web.test_page import Person, browser, visit
from tests.web.viewers import viewer_of

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

    from tests.web.conftest import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]

SIZES = [(1920, 1080), (1440, 900), (1280, 720), (1024, 768), (768, 1024), (390, 844), (360, 640)]
EACH_SIZE = [
    pytest.param(each, marks=() if each in {SIZES[0], SIZES[-1]} else pytest.mark.nightly) for each in SIZES
]
MOST_WAYS = (1, 2, 3, 4, 4, 4)
"""Of all six cards that can be held, those with the most ways to set them: 18, and best play besides."""

LAYOUT = """
() => {
  const table = document.querySelector("[data-testid=table]");
  const shown = (node) => {
    let { left, top, right, bottom } = node.getBoundingClientRect();
    for (let each = node.parentElement; each; each = each.parentElement) {
      if (getComputedStyle(each).overflowY === "visible") continue;
      const frame = each.getBoundingClientRect();
      [left, top] = [Math.max(left, frame.left), Math.max(top, frame.top)];
      [right, bottom] = [Math.min(right, frame.right), Math.min(bottom, frame.bottom)];
    }
    return { left, top, right, bottom };
  };
  const meet = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
  const whole = (thing) => {
    const { left, top, width, height } = thing.getBoundingClientRect();
    const at = (x, y) => document.elementFromPoint(left + x * width, top + y * height);
    const points = [[0.5, 0.5], [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]];
    return points.every(([x, y]) => thing.contains(at(x, y)));
  };
  const held = table.querySelectorAll(".mine .card, .hand:not(.pile) .card, .hand-card");
  const cards = [...held].filter((each) => each.offsetWidth);
  const buttons = [...table.querySelectorAll(".action, [data-testid=propose], [data-testid=set-send]")];
  const moves = buttons.filter((each) => each.offsetWidth);
  return {
    moves: moves.length,
    over: moves.filter((move) => cards.some((card) => meet(shown(move), shown(card)))).length,
    reached: moves.map(whole),
    whole: cards.filter(whole).length,
    cards: cards.length,
    above: Math.max(...cards.map((card) => card.getBoundingClientRect().bottom))
      <= Math.min(...moves.map((move) => move.getBoundingClientRect().top)),
  };
}
"""

SCROLLED = """
(part) => {
  const scroll = document.querySelector(".stage-scroll");
  scroll.scrollTo({ top: part * (scroll.scrollHeight - scroll.clientHeight), behavior: "instant" });
}
"""

ROWS = """
() => [...document.querySelectorAll(".buttons, .games")].filter((each) => each.offsetWidth).map((each) => {
  const rows = new Map();
  for (const child of [...each.children].filter(({ offsetWidth }) => offsetWidth)) {
    const middle = Math.round(child.offsetTop + child.offsetHeight / 2);
    rows.set(middle, [...(rows.get(middle) ?? []), child.offsetWidth / each.clientWidth]);
  }
  return [...rows.values()];
})
"""


@pytest.fixture
def many_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everybody be dealt the cards that make for the most buttons."""
    monkeypatch.setattr(rules, "_deal_cards", lambda _: (MOST_WAYS, (1, 1, 2, 2, 3, 3)))


async def say(site: Site, name: str, *texts: str) -> None:
    for text in texts:
        await site.chat.say(viewer_of(name, "viewer"), text, private=False)


async def at_size(browser: Browser, site: Site, size: tuple[int, int]) -> Person:
    person = await visit(browser, site, {"width": size[0], "height": size[1]})
    await person.page.emulate_media(reduced_motion="reduce")  # so that what is measured stands where it will
    await person.enter("Mina")
    return person


async def resize(page: Page, size: tuple[int, int]) -> None:
    """Change the size of the window, and wait until what follows it has."""
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await page.evaluate(f"async () => {{ {'await new Promise(requestAnimationFrame); ' * 2} }}")


async def layout(page: Page) -> dict[str, Any]:
    """Measure the first table."""
    found: dict[str, Any] = await page.evaluate(LAYOUT)
    return found


@pytest.mark.parametrize("size", EACH_SIZE)
@pytest.mark.usefixtures("many_ways")
async def test_no_move_lies_over_ones_cards_and_these_stay_in_sight_while_one_chooses(
    browser: Browser, site: Site, size: tuple[int, int]
) -> None:
    await say(site, "ann", "!sixcard", "!heist 25")
    await say(site, "bob", "!highshow")
    person = await at_size(browser, site, size)
    page = person.page
    await person.say("!sixcard")
    table = page.get_by_test_id("table").first
    await expect(table.get_by_test_id("set-card")).to_have_count(6)
    for laid in range(7):
        found = await layout(page)
        assert (found["moves"], found["cards"], found["above"]) == (2, 6, True)
        assert (found["over"], found["whole"], found["reached"]) == (0, 6, [True, True]), laid
        if laid < 6:
            await table.get_by_test_id("set-hand").get_by_test_id("set-card").first.click()
    for part in (0.05, 0.1, 0.2, 0.3, 0.5, 1.0):
        await page.evaluate(SCROLLED, part)
        assert (await layout(page))["over"] == 0
    assert person.complaints == []


async def test_all_of_the_most_cards_are_in_sight_at_once_at_any_size(browser: Browser, site: Site) -> None:
    person = await at_size(browser, site, SIZES[0])
    page = person.page
    await say(site, "ann", "!chicken 15")
    await person.say("!chicken")
    await person.reads("Mina")
    await page.get_by_test_id("next-phase").first.click()
    cards = page.get_by_test_id("fan").get_by_test_id("table-button")
    await expect(cards).to_have_count(15)
    for size in SIZES:
        await resize(page, size)
        for card in await cards.all():
            await expect(card).to_be_in_viewport(ratio=1)
        assert (await layout(page))["over"] == 0, size


@pytest.mark.parametrize("size", EACH_SIZE[1:])
async def test_moves_lie_below_the_cards_of_high_show_with_many_rejected_and_below_its_form(
    browser: Browser, site: Site, size: tuple[int, int]
) -> None:
    person = await at_size(browser, site, size)
    page = person.page
    await say(site, "Mina", "!highshow 40 1 none", *["!another"] * 12)
    await expect(page.get_by_role("list", name="Rejected").get_by_role("listitem")).to_have_count(12)
    assert (await layout(page))["over"] == 0
    for move in await page.get_by_test_id("table-button").all():
        await expect(move).to_be_in_viewport(ratio=1)
    await expect(page.get_by_role("list", name="Shown").get_by_role("listitem")).to_be_in_viewport(ratio=1)
    await say(site, "Mina", "!cashout")
    await expect(page.get_by_test_id("form-send")).to_be_in_viewport(ratio=1)
    await expect(page.get_by_role("list", name="Kept").get_by_role("listitem")).to_be_in_viewport(ratio=1)
    assert (await layout(page))["over"] == 0


@pytest.mark.parametrize("size", EACH_SIZE[3:])
async def test_ones_own_hand_stays_in_sight_while_a_card_of_a_far_one_is_chosen(
    browser: Browser, site: Site, size: tuple[int, int]
) -> None:
    others = [f"other{number}" for number in range(9)]
    person = await at_size(browser, site, size)
    page = person.page
    await person.say("!market 1 0")
    await person.reads("opens a table of Poker Market")
    for name in others:  # a full table starts at once
        await say(site, name, "!market")
    while not await page.get_by_test_id("pick").count():
        acting = site.chat.room.tables["pokermarket"].view(None).acting
        if acting and acting != "local:mina":
            await say(site, acting.removeprefix("local:"), "!pass")
        await page.evaluate("() => new Promise(requestAnimationFrame)")
    hands = page.get_by_test_id("table").first.get_by_test_id("owned")
    await hands.first.get_by_test_id("pick").first.click()
    await hands.last.get_by_test_id("pick").last.click()
    propose = page.get_by_test_id("propose").locator("visible=true")
    await expect(propose).to_be_in_viewport(ratio=1)
    for card in await hands.first.get_by_test_id("card").all():
        await expect(card).to_be_in_viewport(ratio=1)
    await expect(hands.last.get_by_test_id("card").last).to_be_in_viewport(ratio=1)
    assert (await layout(page))["over"] == 0
    await propose.click()
    await person.reads("Mina offers")
    await expect(page.get_by_test_id("pick")).to_have_count(0)
    assert person.complaints == []


PHONES = [((390, 844), 63), ((360, 640), 57)]
"""Sizes of phones, and how many pixels wide cards are there at least."""

TOUCHED = """
() => [...document.querySelectorAll(".hand-card, .pick, .hand.row .card, .action, .set-send, .propose")]
  .filter((each) => each.offsetWidth && !each.closest(".aside"))
  .map((each) => [each.matches(".action, .set-send, .propose"), each.offsetWidth, each.offsetHeight])
"""


async def touched(page: Page) -> tuple[list[float], list[float]]:
    """Measure what a thumb is to hit: the widths of cards, and the heights of all but those of High Show."""
    found = await page.evaluate(TOUCHED)
    pressed = await page.locator(".hand-card, .pick").count()
    heights = [height for button, _, height in found if button or pressed]
    return [width for button, width, _ in found if not button], heights


@pytest.mark.parametrize(("size", "width"), PHONES)
async def test_cards_and_moves_on_a_phone_are_as_large_as_a_thumb(
    browser: Browser, site: Site, size: tuple[int, int], width: float
) -> None:
    person = await at_size(browser, site, size)
    page = person.page

    async def measure(cards: int) -> None:
        widths, heights = await touched(page)
        assert len(widths) == cards
        assert min(widths) >= width
        assert min(heights) >= 44

    await person.say("!sixcard")
    await expect(page.get_by_test_id("set-card")).to_have_count(6)
    await measure(6)
    await say(site, "Mina", "!set auto", "!highshow 40 4 none", *["!another"] * 9, *["!cashout"] * 2)
    await expect(page.get_by_role("list", name="Kept").get_by_role("listitem")).to_have_count(2)
    await measure(11)
    rejected = page.get_by_role("list", name="Rejected")
    await expect(rejected.get_by_role("listitem").last).to_be_in_viewport(ratio=1)  # the newest
    await rejected.evaluate("(each) => each.scrollTo({ left: 0, behavior: 'instant' })")
    await expect(rejected.get_by_role("listitem").first).to_be_in_viewport(ratio=1)
    await say(site, "Mina", *["!cashout"] * 2, "!guess skip")
    show = page.locator("[data-testid=table][data-game=highshow]")
    await expect(show.get_by_test_id("phase")).to_have_text("Finished")  # it folds for what begins after that
    await say(site, "Mina", "!market 1 0")
    for name in ("ann", "bob", "cat"):
        await say(site, name, "!market")
    await page.get_by_test_id("table").first.get_by_test_id("next-phase").click()
    while not await page.get_by_test_id("pick").count():
        acting = site.chat.room.tables["pokermarket"].view(None).acting
        if acting and acting != "local:mina":
            await say(site, acting.removeprefix("local:"), "!pass")
        await page.evaluate("() => new Promise(requestAnimationFrame)")
    await measure(20)
    await page.get_by_test_id("table-button").filter(has_text="Pass").click()
    await say(site, "Mina", "!chicken 15")
    await say(site, "ann", "!chicken")
    await page.locator("[data-game=chickenpoker]").get_by_test_id("next-phase").click()
    fan = page.get_by_test_id("fan").get_by_test_id("table-button")
    await expect(fan).to_have_count(15)
    assert min(await fan.evaluate_all("(all) => all.map((each) => each.offsetWidth)")) >= width
    assert person.complaints == []


async def games_shown(page: Page) -> list[str]:
    """Name the games of the tables in their order in the page, which is that on the screen from above."""
    tables = await page.get_by_test_id("table").evaluate_all(
        "(all) => all.map((each) => [each.dataset.game, each.getBoundingClientRect().top])"
    )
    heights = [top for _, top in tables]
    assert heights == sorted(heights)
    return [game for game, _ in tables]


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
async def test_ones_own_table_stands_before_those_of_others_whenever_these_are_opened(
    browser: Browser, site: Site, size: tuple[int, int]
) -> None:
    await say(site, "ann", "!chicken 3")
    await say(site, "bob", "!sixcard")
    person = await at_size(browser, site, size)
    page, first = person.page, person.page.get_by_test_id("table").first
    await person.say("!heist 20")
    await expect(first).to_have_attribute("data-game", "heist")
    await say(site, "cat", "!market 1", "!sixcard")
    await expect(page.get_by_test_id("table")).to_have_count(5)
    assert await games_shown(page) == ["heist", "chickenpoker", "pokermarket", "sixcardpoker", "sixcardpoker"]
    await first.get_by_test_id("next-phase").click()
    await first.get_by_test_id("table-button").first.click()
    await first.get_by_test_id("next-phase").click()
    await expect(first.get_by_test_id("phase")).to_have_text("Finished")
    assert (await games_shown(page))[0] == "heist", "what one has just played is the news"
    await say(site, "Mina", "!market")
    await expect(first).to_have_attribute("data-game", "pokermarket")
    assert person.complaints == []


async def test_a_table_that_one_joins_comes_first_and_the_keyboard_stays_where_it_was(
    browser: Browser, site: Site
) -> None:
    await say(site, "ann", "!chicken 3")
    await say(site, "bob", "!heist 20")
    person = await at_size(browser, site, (1440, 900))
    page = person.page
    await expect(page.get_by_test_id("table")).to_have_count(2)
    assert await games_shown(page) == ["chickenpoker", "heist"]
    heist = page.locator("[data-testid=table][data-game=heist]")
    await heist.get_by_test_id("next-phase").focus()
    await say(site, "Mina", "!heist 25")
    await expect(page.get_by_test_id("table").first).to_have_attribute("data-game", "heist")
    await expect(heist.get_by_test_id("next-phase")).to_be_focused()
    assert await games_shown(page) == ["heist", "chickenpoker"]
    assert person.complaints == []


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
@pytest.mark.usefixtures("many_ways")
async def test_what_is_read_aloud_comes_in_the_order_in_which_it_is_seen(
    browser: Browser, site: Site, size: tuple[int, int]
) -> None:
    await say(site, "ann", "!heist 20")
    person = await at_size(browser, site, size)
    page = person.page
    await say(site, "Mina", "!heist 20", "!sixcard", "!highshow 20 1 none", *["!another"] * 3)
    await expect(page.get_by_role("list", name="Rejected").get_by_role("listitem")).to_have_count(3)
    parts = ".head, .hands, .action-slot, .note, .facts, .crew"
    for table in await page.get_by_test_id("table").all():
        tops = await table.locator(parts).evaluate_all(
            "(all) => all.filter((each) => each.offsetHeight).map((each) => each.getBoundingClientRect().top)"
        )
        assert len(tops) > 2
        assert tops == sorted(tops)
    rejected = page.get_by_role("list", name="Rejected").get_by_role("listitem")
    lefts = await rejected.evaluate_all("(all) => all.map((each) => each.getBoundingClientRect().left)")
    assert lefts == sorted(lefts)
    crew = page.locator("[data-testid=table][data-game=heist]").get_by_test_id("place")
    await expect(crew.first).to_contain_text("Mina")
    boxes = await crew.evaluate_all("(all) => all.map((each) => [each.offsetTop, each.offsetLeft])")
    assert boxes == sorted(boxes)


@pytest.mark.usefixtures("many_ways")
async def test_no_button_stands_alone_in_a_row_that_it_does_not_fill(browser: Browser, site: Site) -> None:
    await say(site, "ann", "!highshow")
    person = await at_size(browser, site, SIZES[0])
    page = person.page
    await expect(page.get_by_test_id("table")).to_have_count(1)
    for lines in ((), ("!sixcard",), ("!highshow",), ("!heist 20",), ("!chicken 15",)):
        await say(site, "Mina", *lines)
        for each in await page.get_by_test_id("table").all():
            if lines == ("!heist 20",) and await each.get_attribute("data-game") == "heist":
                await each.get_by_test_id("next-phase").click()
        if lines == ("!chicken 15",):
            await say(site, "bob", "!chicken")
            await page.locator("[data-game=chickenpoker]").get_by_test_id("next-phase").click()
            await expect(page.get_by_test_id("table-button").filter(has_text="Play 15")).to_be_visible()
        for size in SIZES:
            await resize(page, size)
            for rows in await page.evaluate(ROWS):
                alone = [row for row in rows if len(row) == 1 and row[0] < 0.9]
                assert not alone or all(len(row) == 1 for row in rows), (lines, size, rows)


async def test_rows_are_as_few_as_they_can_be_and_nobody_stands_alone_in_one(
    browser: Browser, site: Site
) -> None:
    person = await visit(browser, site)
    told = await person.page.evaluate(
        """async () => {
          const { shared } = await import("/static/rows.js");
          const told = [];
          for (let count = 1; count <= 40; count++)
            for (let most = 1; most <= 20; most++)
              for (const wide of [1, 2]) told.push([count, most, wide, shared(count, most, wide)]);
          return told;
        }"""
    )
    assert len(told) == 40 * 20 * 2
    for count, most, wide, found in told:
        columns = found["columns"]
        spans = [found["first"], *[1] * (count - 2), found["last"]] if count > 1 else [found["first"]]
        rows: list[list[int]] = []
        for span in spans:
            if not rows or sum(rows[-1]) + span > columns:
                rows.append([])
            rows[-1].append(span)
        assert columns <= most
        assert spans[0] >= min(wide, most)
        assert len(rows) == -(-(count - 1 + min(wide, most)) // most), (count, most, wide)
        for row in rows:
            lone = len(row) == 1 and len(rows) > 1
            assert not lone or row[0] == columns, (count, most, wide, found)
