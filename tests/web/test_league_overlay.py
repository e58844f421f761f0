"""An overlay shows a league: a real ladder of ten programs while it is played, and each moment of it."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.web import league_recording
from tests.web.chromium import CHROMIUM
from tests.web.conftest import opened
from tests.web.leagues import (
    HOUSE,
    IMAGE,
    LONG,
    TURNED,
    content,
    enter_programs,
    ladder_of_ten,
    player,
    write,
)
from tests.web.test_page import FOREIGN, HOSTILE, browser

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.async_api import Browser, Page

    from tests.web.conftest import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]

FULL = {"width": 1920, "height": 1080}
PATIENCE = 60.0  # seconds for which a real ladder may be played
# The texts that are outside of their plate, names that are clipped, and letters below 32 pixels.
FITS = """() => {
  const plate = document.querySelector(".plate");
  const box = plate.getBoundingClientRect();
  const texts = [...plate.querySelectorAll("p, .rank, .league-rating, .name-line")].filter((each) => each.textContent && each.getClientRects().length);
  return {
    outside: texts.filter((each) => {
      const range = document.createRange();
      range.selectNodeContents(each);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      const clipped = getComputedStyle(each).textOverflow === "ellipsis";
      return left < box.left || top < box.top - 1 || bottom > box.bottom + 1 || (right > box.right && !clipped);
    }).map((each) => each.className),
    cut: [...plate.querySelectorAll(".league-row-name")].filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.dataset.name),
    small: texts.filter((each) => parseFloat(getComputedStyle(each).fontSize) < 32).map((each) => each.className),
  };
}"""  # noqa: E501


async def show(browser: Browser, site: Site, query: str = "") -> tuple[Page, list[str]]:
    """Open the overlay, and return with it what the browser complains of from then on."""
    key = await site.chat.bot.parts.overlay_keys.of("local")
    page = await browser.new_page(viewport={"width": FULL["width"], "height": FULL["height"]})
    complaints = list[str]()
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    await page.goto(f"{site.address}/overlay/{key}?show=league{query}")
    return page, complaints


async def moment(page: Page, name: str) -> None:
    await page.locator(f".plate[data-moment={name}]").wait_for()


async def read(page: Page, selector: str) -> list[str]:
    return [each.strip() for each in await page.locator(selector).all_inner_texts()]


@pytest.mark.slow
async def test_a_real_ladder_of_ten_programs_is_followed_to_its_end(tmp_path: Path, browser: Browser) -> None:
    site_of_ladder = tmp_path / "ladder"
    with ladder_of_ten(enter_programs(tmp_path / "programs"), site_of_ladder) as process:
        async with opened(tmp_path, ladder=site_of_ladder) as site, asyncio.timeout(PATIENCE):
            page, complaints = await show(browser, site)
            await moment(page, "play")
            assert await page.locator(".league-side").count() == 2
            assert process.poll() is None  # it is seen while it is played
            await moment(page, "outcome")
            scores = await read(page, ".league-number")
            assert len(scores) == 2
            assert await page.locator(".league-side.won").count() == (0 if scores[0] == scores[1] else 1)
            await moment(page, "final")
            fits = await page.evaluate(FITS)
            table = [await read(page, f".league-table {each}") for each in (".rank", ".league-rating")]
            names = await page.locator(".league-row-name").evaluate_all(
                "(all) => all.map((each) => each.dataset.name)"
            )
            foreign = await page.locator(FOREIGN.replace("\\'", "'")).count()
            await page.close()
        assert process.wait(PATIENCE) == 0
    written: dict[str, Any] = json.loads((site_of_ladder / "live.json").read_text(encoding="utf-8"))
    assert written["over"]
    assert names == [each["name"].removeprefix("builtin:") for each in written["ratings"]]
    assert set(names) == {*HOUSE, "steady", "rising", IMAGE, TURNED, LONG}
    assert table[0] == [str(each["rank"]) for each in written["ratings"]]
    assert table[1] == [str(each["rating"]) for each in written["ratings"]]
    assert fits == {"outside": [], "cut": [], "small": []}
    assert (foreign, complaints) == (0, [])


async def test_a_result_is_told_once_and_gives_nothing_away_before(tmp_path: Path, browser: Browser) -> None:
    folder = tmp_path / "ladder"
    before = content("steady", "rising", "late")
    write(folder, before)
    async with opened(tmp_path, ladder=folder) as site:
        page, complaints = await show(browser, site)
        await moment(page, "play")
        assert await read(page, ".league-name") == ["steady", "rising"]
        assert await read(page, ".league-number") == ["1650", "1600"]
        assert await read(page, ".league-table .lit .league-row-name") == ["steady", "rising"]
        assert (await read(page, ".league-next"))[0].endswith("late\u2069 – \u2068random\u2069")
        # Two duels have ended since: the newest is told, and its two are seen before, rated as then.
        late, rising = player("late"), player("rising")
        result = {
            "duel": 6,
            "players": [late, rising],
            "scores": ["10", "100.000"],
            "winner": 1,
            "failures": [0, 0],
        }
        after = content("rising", "steady", "late", playing=[player("steady"), late], duels=6, next=[])
        write(folder, after | {"results": [result, *before["results"]]})
        await page.locator(".league-name[data-name=late]").wait_for()
        assert await read(page, ".league-number") == ["1550", "1600"]
        assert (await read(page, ".league-table .league-row-name"))[:2] == ["steady", "rising"]
        await moment(page, "outcome")
        assert await read(page, ".league-side.won") == ["rising\n\n100\n\nwins"]
        assert (await read(page, ".league-table .league-row-name"))[:2] == ["rising", "steady"]
        assert "rising wins" in await page.locator("#announcement").inner_text()
        await moment(page, "play")
        assert await read(page, ".league-name") == ["steady", "late"]
        await page.close()
    assert complaints == []


@pytest.mark.parametrize("size", ["stage", "card", "bar"])
async def test_hostile_names_are_text_and_stay_on_the_plate(
    tmp_path: Path, browser: Browser, size: str
) -> None:
    names = ["W" * 60, *HOSTILE[:3], "가" * 60, TURNED]
    league = content(*names)
    for each in league["ratings"]:
        each["author"] = each["author"] and HOSTILE[0]
    league["playing"] = [player(names[0], "W" * 80), player(names[1], HOSTILE[2])]
    write(tmp_path / "ladder", league)
    async with opened(tmp_path, ladder=tmp_path / "ladder") as site:
        page, complaints = await show(browser, site, f"&size={size}")
        await moment(page, "play")
        await page.evaluate("document.fonts.ready.then(() => null)")
        assert await page.evaluate(FITS) == {"outside": [], "cut": [], "small": []}
        assert await page.locator(FOREIGN.replace("\\'", "'")).count() == 0
        assert await page.locator(".plate").get_attribute("data-size") == size
        write(tmp_path / "ladder", league | {"over": True, "playing": None, "next": []})
        await moment(page, "final")
        assert await page.evaluate(FITS) == {"outside": [], "cut": [], "small": []}
        await page.close()
    assert complaints == []


async def test_nothing_is_drawn_without_a_league_nor_when_its_file_breaks(
    tmp_path: Path, browser: Browser
) -> None:
    folder = tmp_path / "ladder"
    async with opened(tmp_path, ladder=folder) as site:
        page, _ = await show(browser, site)
        await page.wait_for_load_state("networkidle")
        assert await page.locator(".plate").count() == 0
        write(folder, content("steady", "rising"))
        await moment(page, "play")
        write(folder, "{")
        await page.locator(".plate").wait_for(state="detached")
        await page.close()


async def test_the_sample_of_a_league_shows_its_duels_and_its_end(tmp_path: Path, browser: Browser) -> None:
    async with opened(tmp_path) as site:
        page = await browser.new_page(viewport={"width": FULL["width"], "height": FULL["height"]})
        await page.clock.install()
        await page.goto(f"{site.address}/overlay/sample?show=league&language=ko")
        await moment(page, "play")
        assert await page.locator("html").get_attribute("lang") == "ko"
        assert await page.evaluate(FITS) == {"outside": [], "cut": [], "small": []}
        await page.clock.fast_forward(6_000)
        await moment(page, "outcome")
        await page.clock.run_for(21_000)
        await moment(page, "final")
        assert await page.locator(".league-row-name").count() == 10
        await page.close()


@pytest.mark.parametrize("language", league_recording.LANGUAGES)
async def test_the_samples_of_a_league_have_the_texts_of_today(language: str) -> None:
    kept = json.loads(league_recording.path_of(language).read_text(encoding="utf-8"))
    assert kept == await league_recording.sample(language), "python -m tests.web.league_recording"


async def test_a_key_that_was_replaced_shows_no_league(tmp_path: Path, browser: Browser) -> None:
    from tests.web.test_overlay import replace_key  # noqa: PLC0415

    write(tmp_path / "ladder", content("steady", "rising"))
    async with opened(tmp_path, ladder=tmp_path / "ladder") as site:
        page, _ = await show(browser, site)
        await moment(page, "play")
        await replace_key(site)
        await page.locator("#screen").wait_for(state="detached")
        await page.close()
