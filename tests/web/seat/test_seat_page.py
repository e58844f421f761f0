"""Hands on phones, at the tables of a chat that cannot tell anybody anything alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.web.chromium import CHROMIUM
from tests.web.seat.phones import phone, said
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.desk.site import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]


async def test_a_duel_is_played_between_two_phones_from_challenge_to_proof(
    site: Site, browser: Browser
) -> None:
    for user in ("bob", "cleo"):
        await said(site, user, "hello")
    async with phone(browser, site, "bob") as bob, phone(browser, site, "cleo") as cleo:
        told = await said(site, "bob", "!sixcard @cleo 50")
        assert "Bob challenges Cleo to a duel at Six Card Poker" in told
        assert "within 120 seconds" in told
        assert told.count("Your hand, for your eyes alone: https://games.example/seat") == 1
        await cleo.seen("You are challenged")
        await cleo.picture("duel-challenged")
        told = await said(site, "cleo", "!sixcard accept")
        assert "Cleo takes up the challenge of Bob" in told
        assert "Your hand" not in told
        await expect(bob.page.locator(".set-hand .hand-card")).to_have_count(6)
        await expect(cleo.page.locator(".set-hand .hand-card")).to_have_count(6)
        box = await bob.page.locator(".set-hand .hand-card").first.bounding_box()
        assert box is not None
        assert box["width"] >= 64
        await bob.picture("duel-hand")
        cards = {each.user: await _faces(each) for each in (bob, cleo)}
        for each in (bob, cleo):
            for _ in range(6):
                await each.page.locator(".set-hand .hand-card").first.click()
            await each.picture(f"duel-set-{each.user}")
            await each.page.locator('[data-testid="set-send"]').click()
        await site.both.discord.turn(3)
        await bob.seen("of 3 points")
        await expect(bob.page.locator('[data-testid="finish"]')).not_to_be_empty()
        await bob.picture("duel-over-bob")
        await cleo.picture("duel-over-cleo")
        public = " ".join(site.both.fake.sent("ada"))
        before = public[: public.index(" against ")]
        assert not re.search(r"\b[1-4] [1-4] [1-4] [1-4] [1-4] [1-4]\b", before), cards
        assert "Your cards" not in public
    proof = await said(site, "bob", "!fair sixcard")
    assert proof


async def _faces(each: object) -> list[str]:
    cards = each.page.locator(".set-hand .hand-card")  # type: ignore[attr-defined]
    return [
        str(face)
        for face in await cards.evaluate_all(
            "(all) => all.map((each) => each.dataset.face ?? each.textContent)"
        )
    ]
