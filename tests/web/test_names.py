"""Everybody finds themselves: whatever the number of people, names are whole, or else tell them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.web.chromium import CHROMIUM
from tests.web.crowded import crowded, names, renamed, rolling
from tests.web.overlay_server import over_at, plate, viewing
from tests.web.recording import kept, over
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.overlay_server import Viewing

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]

# All names that are drawn, what is written of each, which other texts they touch, and which leave the plate.
NAMES = """() => {
  const plate = document.querySelector(".plate");
  const edge = plate.getBoundingClientRect();
  // As high as its letters: the box of a line has room for accents that are not there.
  const rectOf = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right, top, bottom, height } = range.getBoundingClientRect();
    const [element, zoom] = [node.offsetWidth ? node : node.parentElement, 1];
    const letters = parseFloat(getComputedStyle(element).fontSize) * (element.currentCSSZoom ?? zoom);
    const size = Math.min(height, letters);
    const lines = Math.max(0, height - 1.8 * size);
    const [middle, half] = [(top + bottom) / 2, (lines + size) / 2];
    return { left, right, top: middle - half, bottom: middle + half };
  };
  const seen = (node) => node.getClientRects().length && getComputedStyle(node).visibility !== "hidden"
    && !node.closest(".frozen :is(.cells, .credits-roll)");
  const called = [...plate.querySelectorAll("[data-name]")].filter(seen);
  const lines = called.flatMap((node) => [...node.children].map((line) => ({ node, rect: rectOf(line) })));
  const leaves = [...plate.querySelectorAll("*")].filter((each) => seen(each) && !each.children.length
    && each.textContent.trim() && !each.closest("svg, .card, [data-name]"));
  const others = leaves.map((node) => ({ node, rect: rectOf(node) }));
  const touch = (one, other) => one.left < other.right - 0.5 && other.left < one.right - 0.5
    && one.top < other.bottom - 0.5 && other.top < one.bottom - 0.5;
  const text = ({ node }) => node.dataset.name ?? node.textContent;
  const apart = (one) => [...lines.slice(lines.indexOf(one) + 1), ...others]
    .filter((other) => other.node !== one.node && touch(one.rect, other.rect));
  const isBeyond = ({ rect }) => rect.left < edge.left - 0.5 || rect.right > edge.right + 0.5
    || rect.bottom > edge.bottom + 0.5;
  return {
    names: called.map((node) => [node.dataset.name, node.textContent]),
    touching: lines.flatMap((one) => apart(one).map((other) => [text(one), text(other)])),
    beyond: lines.filter(isBeyond).map(text),
  };
}"""


async def _look(view: Viewing, seconds: float) -> list[tuple[str, str]]:
    """Return the names that are drawn at a time, with what is written of each: apart, and on the plate."""
    await view.reach(seconds)
    found = await view.page.evaluate(NAMES)
    assert found["touching"] == [], seconds
    assert found["beyond"] == [], seconds
    written = {text: name for name, text in found["names"]}
    assert len(written) == len(set(written.values())), (seconds, written)
    for name, text in found["names"]:
        head, cut, tail = text.partition("…")
        assert text == name or (cut and name.startswith(head) and name.endswith(tail)), (name, text)
    return [(name, text) for name, text in found["names"]]


@pytest.mark.parametrize("size", ["", pytest.param("?size=stage", marks=pytest.mark.slow)])
@pytest.mark.parametrize("count", [1, 3, 9, 12, 50, pytest.param(500, marks=pytest.mark.nightly)])
async def test_everybody_is_named_once_when_it_is_told_what_became_of_them(
    browser: Browser, count: int, size: str
) -> None:
    called = names(count)
    events = crowded(kept("crowd"), called)
    outcomes = over(events)["table"]["view"]["outcomes"]
    end = over_at(events)
    async with viewing(browser, events, size) as view:
        lobby = await _look(view, 25)
        assert [name for name, _ in lobby] == (called if count <= 12 else called[-1:])
        if count <= 9 or count > 12:
            assert all(name == text for name, text in lobby)
        await _look(view, 70)
        await _look(view, end - 2)
        shown: list[tuple[str, str]] = []
        if count <= 8:
            times, winner = (
                [FIRST_OF_FEW + EACH_OF_FEW * count],
                FIRST_OF_FEW + EACH_OF_FEW * (count - 1) + 1.6,
            )
        else:
            times, winner = rolling(outcomes)
        for seconds in times:
            shown += await _look(view, end + seconds + 0.1)
        assert sorted(shown) == sorted((name, name) for name in called)
        await _look(view, end + winner + 0.5)
        assert (await plate(view))["moment"] == "winner"
        await _look(view, end + winner + 3.5)
        assert view.complaints == []


FIRST_OF_FEW, EACH_OF_FEW = 0.6, 0.7  # seconds before the first of a few is revealed, and between them


@pytest.mark.parametrize("size", ["card", "bar"])
async def test_a_drawing_that_may_not_grow_names_people_too(browser: Browser, size: str) -> None:
    called = names(9)
    events = crowded(kept("crowd"), called)
    async with viewing(browser, events, f"?size={size}") as view:
        for seconds in (25, 70, over_at(events) - 2, over_at(events) + 1, over_at(events) + 4):
            shown = await _look(view, seconds)
            assert {name for name, _ in shown} <= set(called)
            assert shown, seconds


ALIKE = ["EagerQuokkaOfTheNorthPole", "EagerQuokkaOfTheNorthSea_", "W" * 24 + "1", "W" * 24 + "2"]


@pytest.mark.parametrize("game", ["heist", "chickenpoker", "sixcardpoker", "duel", "highshow", "pokermarket"])
async def test_in_every_game_names_that_are_cut_tell_people_apart(browser: Browser, game: str) -> None:
    others = names(12)[3:]
    events = renamed(kept(game), [*ALIKE, *others])
    end = over_at(events)
    seen = set()
    async with viewing(browser, events) as view:
        for seconds in (3, 8, 30, 66, end - 1, *(end + number / 2 for number in range(1, 30))):
            await view.reach(seconds)
            if not await plate(view):
                continue
            seen |= {name for name, _ in await _look(view, seconds)}
    assert seen >= set(dict.fromkeys(each["name"] for each in over(events)["table"]["seats"]))


async def test_who_looks_at_the_page_finds_their_own_name_lit(browser: Browser) -> None:
    """The overlay knows nobody: there no name is lit."""
    events = crowded(kept("crowd"), names(50))
    async with viewing(browser, events) as view:
        await view.reach(over_at(events) + 2)
        assert await view.page.locator(".roll-row").count() > 0
        assert await view.page.locator(".mine").count() == 0


def test_names_of_the_tests_are_as_different_as_they_say() -> None:
    called = names(500)
    assert len(set(called)) == 500
    assert {len(each) for each in called} == set(range(1, 26))


def test_a_crowd_has_all_its_people_when_the_lobby_closes() -> None:
    tables: list[Any] = [each["table"] for each in crowded(kept("crowd"), names(3)) if each.get("table")]
    assert [each["name"] for each in over(crowded(kept("crowd"), names(3)))["table"]["seats"]] == names(3)
    assert all(isinstance(each, dict | str) for each in tables)


async def test_a_crew_of_eight_with_names_as_they_are_is_named_whole_above_the_card(browser: Browser) -> None:
    """Names without room right above their heads were cut to three letters, beside an empty screen."""
    crew = ["QuietIbis", "LuckyHeron", "EagerDingo", "DustyRaven"]
    crew += ["CleverDingo", "IcyCobra", "OddJackal", "SlyPanda"]
    async with viewing(browser, crowded(kept("crowd"), crew)) as view:
        assert await _look(view, 70) == [(name, name) for name in crew]
