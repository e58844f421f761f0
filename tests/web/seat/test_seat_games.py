"""The other games on phones, at the chat of Twitch: what is secret is chosen there, and no word of it is public."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.web.axe import findings, needs_axe
from tests.web.chromium import CHROMIUM
from tests.web.seat.phones import Phone, phone, said
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.desk.site import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]


def public(site: Site) -> str:
    """Return all that the chat was told."""
    return " ".join(site.both.fake.sent("ada"))


async def time_passes(site: Site, game: str) -> None:
    """Let the time of the present phase of a table pass."""
    table = site.bot.rooms[site.twitch_room].tables[game]
    assert table.clock is not None
    await site.both.discord.turn(table.clock.seconds + 0.1)


async def phones(stack: AsyncExitStack, browser: Browser, site: Site, *users: str) -> list[Phone]:
    for user in users:
        await said(site, user, "hello")
    return [await stack.enter_async_context(phone(browser, site, user)) for user in users]


async def test_a_heist_has_a_secret_double_cross(site: Site, browser: Browser) -> None:
    async with AsyncExitStack() as stack:
        bob, cleo = await phones(stack, browser, site, "bob", "cleo")
        await said(site, "ada", "!set heist cross on", "broadcaster")
        for user in ("bob", "cleo"):
            await said(site, user, "!heist 50")
        await time_passes(site, "heist")
        before = len(site.both.fake.sent("ada"))
        await bob.seen("Double cross")
        await bob.picture("heist-getaway")
        await bob.press("!doublecross")
        await bob.picture("heist-crossed")
        told = " ".join(site.both.fake.sent("ada")[before:])
        assert "cross" not in told.lower()
        assert not any("doublecross" in each and "Bob" in each for each in cleo.frames)
        await time_passes(site, "heist")
        for _ in range(8):
            if site.bot.rooms[site.twitch_room].tables.get("heist") is None:
                break
            await site.both.discord.turn(20)
        await expect(bob.page.locator('[data-testid="finish"]')).not_to_be_empty()
        await bob.picture("heist-over")


async def test_chicken_poker_is_played_by_four(site: Site, browser: Browser) -> None:
    users = "bob", "cleo", "dora", "ed"
    async with AsyncExitStack() as stack:
        seats = await phones(stack, browser, site, *users)
        await said(site, "bob", "!chicken 3 20")
        for user in users[1:]:
            await said(site, user, "!chicken")
        await said(site, "bob", "!start")
        await site.both.discord.turn(2)
        for number, each in enumerate(seats):
            card = each.page.locator('[data-testid="table-button"]').nth(number)
            await expect(card).to_be_visible()
            await each.picture(f"chicken-{each.user}")
            if number < 3:
                before = public(site)
                await card.click()
                await site.both.discord.turn(1)
                assert public(site).count("chose") == before.count("chose")
        await seats[3].page.locator('[data-testid="table-button"]').first.click()
        await site.both.discord.turn(5)
        await bob_sees_round(seats[0])
