"""The drawing above the tables of the page: moments of the overlay, reveals to skip, and a finish."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import aiohttp
import pytest
from playwright.async_api import expect

from tests.web.chromium import CHROMIUM
from tests.web.test_layout import say
from tests.web.test_page import browser, visit

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.conftest import Site

__all__ = ["browser"]


async def test_the_page_follows_the_events_of_its_room_and_no_page_of_another_server_does(
    site: Site, client: aiohttp.ClientSession
) -> None:
    address = f"{site.address}/socket/events"
    async with client.ws_connect(address, headers={"Origin": site.address}) as socket:
        event = await socket.receive_json(timeout=10)
        assert event["kind"] == "picture"
        assert event["labels"]["overlay-you-won"] == "You won {amount}"
    for headers in ({}, {"Origin": "http://elsewhere.example"}):
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await client.ws_connect(address, headers=headers)
        assert refused.value.status == 403


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
async def test_a_heist_is_drawn_to_its_end_and_says_what_it_was_for_the_viewer(
    browser: Browser, site: Site
) -> None:
    person = await visit(browser, site, {"width": 1440, "height": 900})
    page = person.page
    drawing = page.get_by_test_id("drawing")
    await person.enter("Mina")
    await expect(drawing).to_be_hidden()
    await person.say("!heist 69")
    await expect(drawing).to_have_attribute("data-moment", "gathering")
    await expect(drawing.locator(".figure-value")).to_have_text("69")
    await page.get_by_test_id("next-phase").click()
    await expect(drawing).to_have_attribute("data-moment", "play")
    await page.get_by_test_id("next-phase").click()
    await expect(drawing).to_have_attribute("data-moment", "beat")
    await page.get_by_test_id("next-phase").click()
    await expect(drawing).to_have_attribute("data-moment", "outcome")
    place = page.get_by_test_id("place").filter(has_text="Mina")
    await expect(place).to_be_hidden()  # while it is revealed
    await expect(page.get_by_test_id("finish")).to_be_empty()
    await page.get_by_test_id("skip-reveal").click()
    await expect(drawing).to_have_attribute("data-moment", "winner")
    await expect(place).to_be_visible()
    found = re.search(r"\(([+−±]?\d+)\)", await place.inner_text())
    assert found is not None
    net = int(found[1].replace("−", "-").replace("±", ""))
    said = await page.get_by_test_id("finish").inner_text()
    if net > 0:
        assert said == f"You won {net}"
    else:
        assert re.fullmatch(r"(Caught|You lost \d+|Stake is back)\. You keep \d+ credits", said)
    assert person.complaints == []


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
async def test_ones_own_table_is_drawn_before_a_livelier_one(browser: Browser, site: Site) -> None:
    person = await visit(browser, site, {"width": 1440, "height": 900})
    drawing = person.page.get_by_test_id("drawing")
    await person.enter("Mina")
    for name in ("ann", "bob", "cat"):
        await say(site, name, "!heist 20")
    await expect(drawing.locator(".plate")).to_have_attribute("data-game", "heist")
    await person.say("!highshow 6 2 linear=1 50")
    await expect(drawing.locator(".plate")).to_have_attribute("data-game", "highshow")
    assert person.complaints == []


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
async def test_the_finish_is_that_of_whoever_speaks_now(browser: Browser, site: Site) -> None:
    person = await visit(browser, site, {"width": 1440, "height": 900})
    page, finish = person.page, person.page.get_by_test_id("finish")
    await person.enter("Bibi")
    await page.get_by_test_id("add-viewer").click()
    await person.enter("Mina")
    await person.say("!heist 69")
    for moment in ("gathering", "play", "beat"):
        await expect(page.get_by_test_id("drawing")).to_have_attribute("data-moment", moment)
        await page.get_by_test_id("next-phase").click()
    await page.get_by_test_id("skip-reveal").click()
    await expect(finish).not_to_be_empty()
    said = await finish.inner_text()
    await page.get_by_test_id("viewer").filter(has_text="Bibi").click()
    await expect(finish).to_be_empty(timeout=5_000)
    await page.get_by_test_id("viewer").filter(has_text="Mina").click()
    await expect(finish).to_have_text(said)
    assert person.complaints == []


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
async def test_heads_keep_the_colours_of_their_names_when_somebody_leaves(
    browser: Browser, site: Site
) -> None:
    person = await visit(browser, site, {"width": 1440, "height": 900})
    page = person.page
    await person.enter("Mina")
    await say(site, "i", "!chicken")
    for name in ("a", "q", "y"):  # whose colours would be the same
        await say(site, name, "!chicken")
    heads = page.get_by_test_id("drawing").locator(".in-crowd .head")
    await expect(heads).to_have_count(4)
    await say(site, "i", "!chicken leave")
    await expect(heads).to_have_count(3)
    names = page.get_by_test_id("place").locator(".name")
    await expect(names).to_have_count(3)
    drawn = """all => Object.fromEntries(all.map((each) =>
        [each.querySelector(".tag").textContent, each.querySelector(".head").dataset.tint]))"""
    named = "all => Object.fromEntries(all.map((each) => [each.textContent, each.dataset.tint]))"
    crowd = page.get_by_test_id("drawing").locator(".in-crowd")
    before = await crowd.evaluate_all(drawn)
    assert await names.evaluate_all(named) == before
    await page.get_by_test_id("next-phase").click()
    await expect(page.get_by_test_id("drawing")).to_have_attribute("data-moment", "play")
    assert await crowd.evaluate_all(drawn) == before
    await expect(page.get_by_test_id("phase")).not_to_have_text("Lobby")
    assert await names.evaluate_all(named) == before
    assert person.complaints == []


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
async def test_a_connection_that_is_lost_and_back_tells_no_result_before_it_is_revealed(
    browser: Browser, site: Site
) -> None:
    person = await visit(browser, site, {"width": 1440, "height": 900})
    page, drawing = person.page, person.page.get_by_test_id("drawing")
    results = page.get_by_test_id("line").filter(has_text="Results: ")
    await person.enter("Mina")
    await person.say("!heist 69")
    for moment in ("gathering", "play", "beat"):
        await expect(drawing).to_have_attribute("data-moment", moment)
        await page.get_by_test_id("next-phase").click()
    await expect(drawing).to_have_attribute("data-moment", "outcome")
    assert site.server._sockets is not None
    for each in list(site.server._sockets):
        await each.close(code=1001)
    await expect(page.locator("body[data-wire=closed]")).to_have_count(1)
    await expect(page.locator("body[data-wire=open]")).to_have_count(1)
    await page.wait_for_timeout(400)
    shown = await drawing.get_attribute("data-moment"), await results.count()
    assert shown == ("outcome", 0)
    await page.get_by_test_id("skip-reveal").click()
    await expect(results).to_have_count(1)
