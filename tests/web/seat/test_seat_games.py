"""The other games on phones, in a chat of Twitch: what is secret is chosen there, and none of it is told."""

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
        await bob.seen("Double-cross")
        await bob.picture("heist-getaway")
        await bob.press("!doublecross")
        await expect(bob.page.locator(".note")).to_contain_text("You can still change it")
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
        await expect(bob.page.locator("#told")).to_be_hidden(timeout=1_000)  # it cannot be changed any more
        await bob.picture("heist-over")


async def opened_by(site: Site, game: str, word: str, *users: str) -> None:
    """Let several open a table in the chat, and its lobby end."""
    first, *others = users
    await said(site, first, word)
    for user in others:
        await said(site, user, word.split(" ", 1)[0])
    await time_passes(site, game)
    await site.both.discord.turn(2)


async def over(site: Site, game: str, most: int = 12) -> None:
    """Let time pass until a table is over."""
    tables = site.bot.rooms[site.twitch_room].tables
    for _ in range(most):
        table = tables.get(game)
        if table is None or table.over or table.clock is None:
            return
        await site.both.discord.turn(table.clock.seconds + 0.1)
    pytest.fail(f"{game} does not end")


async def test_chicken_poker_is_played_by_four(site: Site, browser: Browser) -> None:
    users = "bob", "cleo", "dora", "ed"
    async with AsyncExitStack() as stack:
        seats = await phones(stack, browser, site, *users)
        await opened_by(site, "chickenpoker", "!chicken 3 20", *users)
        before = len(site.both.fake.sent("ada"))
        for number, each in enumerate(seats[:3]):
            await each.press(f"!play {number + 1}")
            await expect(each.page.locator("#main")).to_contain_text(f"{number + 1}")
        await seats[0].picture("chicken-chosen")
        told = " ".join(site.both.fake.sent("ada")[before:])
        assert "plays" not in told
        assert not any("!play" in each for each in seats[3].frames if '"type":"answer"' in each)
        await seats[3].press("!play 2")
        await site.both.discord.turn(2)
        for each in seats:
            await each.seen(
                "Round 2" if "Round 2" in await each.page.locator("#main").inner_text() else "2 of 3"
            )
        await over(site, "chickenpoker")
        for each in seats:
            await expect(each.page.locator('[data-testid="finish"]')).not_to_be_empty()
        await seats[0].picture("chicken-over")


async def test_a_swap_of_the_market_is_made_by_two_taps(site: Site, browser: Browser) -> None:
    async with AsyncExitStack() as stack:
        seats = await phones(stack, browser, site, "bob", "cleo")
        await opened_by(site, "pokermarket", "!market 1 20", "bob", "cleo")
        for each in seats:
            await each.seen("is on turn")
        turn = 0 if await seats[0].page.locator('[data-line="!pass"]').count() else 1
        proposer, other = seats[turn], seats[1 - turn]
        for part in (0, 1):
            await proposer.page.locator(f'.pick[data-part="{part}"]').first.click()
        await proposer.picture("market-chosen")
        await proposer.page.locator('[data-testid="propose"]').click()
        await site.both.discord.turn(1)
        await expect(other.page.locator('[data-line^="!accept"]')).to_be_visible()
        await other.picture("market-offered")
        await other.page.locator('[data-line^="!accept"]').click()
        await site.both.discord.turn(1)
        await over(site, "pokermarket")
        for each in seats:
            await expect(each.page.locator('[data-testid="finish"]')).not_to_be_empty()


async def test_high_show_is_played_beside_a_heist(site: Site, browser: Browser) -> None:
    async with AsyncExitStack() as stack:
        (bob,) = await phones(stack, browser, site, "bob")
        await said(site, "bob", "!highshow 5 1 20")
        await said(site, "bob", "!heist 50")
        await site.both.discord.turn(1)
        await expect(bob.page.locator("#tables > *")).to_have_count(2)
        await bob.press("!another")
        await site.both.discord.turn(1)
        await expect(bob.page.locator("#main")).to_contain_text("Rejected")
        await bob.press("!cashout")
        await site.both.discord.turn(1)
        await bob.picture("highshow-kept")
        await over(site, f"highshow/{site.both.twitch.seat('bob')}")


@needs_axe
async def test_nothing_is_found_by_axe_on_a_seat(site: Site, browser: Browser) -> None:
    async with AsyncExitStack() as stack:
        bob, cleo = await phones(stack, browser, site, "bob", "cleo")
        await opened_by(site, "chickenpoker", "!chicken 3 20", "bob", "cleo")
        await opened_by(site, "pokermarket", "!market 1 20", "bob", "cleo")
        await said(site, "bob", "!highshow 5 1")
        for user in ("bob", "cleo"):
            await said(site, user, "!heist 20")
        for each in (bob, cleo):
            await expect(each.page.locator("#tables > *").first).to_be_visible()
            assert await findings(each.page) == []
