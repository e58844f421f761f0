"""The page of a seat goes from a room of one process to that of another, and follows one that moves."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from chatbot.web.login import SEAT_COOKIE
from chatbot.web.seat_session import ElsewhereError
from tests.cluster.processes import eventually, home_of
from tests.cluster.sites import sites
from tests.web.chromium import CHROMIUM
from tests.web.conftest import chromium
from tests.web.desk.pages import PHONE, opened
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.cluster.sites import SharedSite

__all__ = ["browser", "chromium"]
pytestmark = [
    pytest.mark.postgres,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]


async def test_a_seat_in_a_browser_changes_rooms_and_outlives_a_process(
    own_url: str, browser: Browser
) -> None:
    async with sites(own_url, 2) as (first, second):
        here, there = home_of(first.process), home_of(second.process)
        for room in (here, there):
            await first.process.open(room)
            await first.process.say(room, "bob", "!heist 50")
        sitter = await first.sitter("bob")
        (cookie,) = sitter.cookies.values()
        port = first.address.rpartition(":")[2]
        async with opened(browser, PHONE, "dark") as page:
            await page.context.add_cookies(
                [{"name": f"{SEAT_COOKIE}-{port}", "value": cookie, "url": first.address}]
            )
            await page.goto(f"{first.address}/seat")
            await page.evaluate("window.loadedOnce = true")
            rooms, crew = page.locator("#where select"), page.locator(".crew h4 b")
            await expect(rooms).to_have_value(there)
            await expect(crew).to_have_text("1")
            for room in (here, there):
                await rooms.select_option(room)
                await expect(rooms).to_have_value(room)
                await eventually(partial(_is_shown, first, second, room))
            for who in ("ann", "eve"):
                await first.process.say(there, who, "!heist 50")
            await expect(crew).to_have_text("3")
            await second.leave()
            await eventually(lambda: first.process.runs(there))
            await first.process.say(there, "late", "!heist 50")
            await expect(crew).to_have_text("4", timeout=15_000)
            await expect(rooms).to_have_value(there)
            await expect(page.locator("#offline")).to_be_hidden()
            assert await page.evaluate("window.loadedOnce")


async def test_a_seat_that_is_sent_to_and_fro_asks_a_few_times_a_second(
    own_url: str, browser: Browser
) -> None:
    async with sites(own_url, 1) as (only,):
        room = home_of(only.process)
        await only.process.open(room)
        await only.process.say(room, "bob", "!heist 50")
        sitter = await only.sitter("bob")
        (cookie,) = sitter.cookies.values()
        port, sent = only.address.rpartition(":")[2], 0

        async def send_away(*_: object) -> None:
            nonlocal sent
            sent += 1
            raise ElsewhereError(room)

        only.server.seats.enter = send_away  # type: ignore[method-assign,assignment]
        async with opened(browser, PHONE, "dark") as page:
            await page.context.add_cookies(
                [{"name": f"{SEAT_COOKIE}-{port}", "value": cookie, "url": only.address}]
            )
            await page.goto(f"{only.address}/seat")
            await eventually(lambda: sent >= 2)
            await asyncio.sleep(2.0)
            assert sent <= 8


def _is_shown(first: SharedSite, second: SharedSite, room: str) -> bool:
    """Whether the process that runs a room has an open seat there."""
    owners = [each for each in (first, second) if room in each.bot.rooms and each.process.runs(room)]
    return any(room in each.server.seats._by_room for each in owners)
