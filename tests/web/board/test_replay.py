"""Replays of finished tables: what they show, and to whom they are shown at all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.web.axe import findings, needs_axe
from tests.web.board.rooms import picture, play_chicken, play_duel, play_heist, turn_on
from tests.web.chromium import CHROMIUM
from tests.web.desk.pages import PHONE, opened
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.desk.site import Site

__all__ = ["browser"]

WIDE = (1280, 900)
in_browser = pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")


async def test_a_replay_is_there_while_the_board_is_on_and_for_whoever_has_its_address(site: Site) -> None:
    table = await play_heist(site, "bob", "cleo")
    path, visitor = site.bot.parts.replay_ids.path(table), site.elsewhere()
    assert (await visitor.get(path))[0] == 404
    await turn_on(site)
    assert (await visitor.get(path))[0] == 200
    status, document = await visitor.get(f"{path}/data")
    assert (status, document["format"]) == (200, "rabble.replay/1")
    assert json.loads(document["proof"])["table"] == table
    for wrong in (f"/replay/{table}", path[:-1], f"{path}0", "/replay/", f"{path[:-32]}{'0' * 32}"):
        assert (await visitor.get(wrong))[0] == 404, wrong
    await site.both.chat("ada", "!set room board no", "broadcaster")
    assert (await visitor.get(f"{path}/data"))[0] == 404


async def test_a_replay_shows_every_step_and_what_each_player_saw(site: Site) -> None:
    await turn_on(site)
    table = await play_duel(site)
    document = (await site.elsewhere().get(f"{site.bot.parts.replay_ids.path(table)}/data"))[1]
    bob, cleo = (each["seat"] for each in document["viewers"])
    assert [each["name"] for each in document["viewers"]] == ["Bob", "Cleo"]
    dealt = next(each for each in document["frames"] if bob in each["hands"])
    public, *_ = (_faces(dealt["hands"][seat]) for seat in ("", bob, cleo))
    assert public == {bob: 0, cleo: 0}
    assert _faces(dealt["hands"][bob]) == {bob: 6, cleo: 0}
    assert _faces(dealt["hands"][cleo]) == {bob: 0, cleo: 6}
    assert document["frames"][-1]["table"]["over"]


def _faces(rows: list[dict[str, object]]) -> dict[object, int]:
    counts: dict[object, int] = {}
    for each in rows:
        cards = each["cards"]
        assert isinstance(cards, list)
        counts[each["seat"]] = counts.get(each["seat"], 0) + len(cards)
    return counts


async def test_whoever_is_private_is_named_in_no_replay(site: Site) -> None:
    await turn_on(site)
    table = await play_heist(site, "bob", "cleo")
    path = f"{site.bot.parts.replay_ids.path(table)}/data"
    assert "Bob" in str((await site.elsewhere().get(path))[1])
    await site.both.chat("bob", "!private")
    await site.both.discord.turn(21)
    document = str((await site.elsewhere().get(path))[1])
    assert "Bob" not in document
    assert "Player 1" in document
    assert "Cleo" in document


@pytest.mark.browser
@in_browser
async def test_a_page_without_web_crypto_says_that_it_cannot_check(site: Site, browser: Browser) -> None:
    """As browsers have none on pages that come by plain HTTP from another machine."""
    await turn_on(site)
    table = await play_heist(site, "bob", "cleo")
    async with opened(browser, PHONE) as page:
        await page.add_init_script(
            "Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined })"
        )
        await page.goto(site.address + site.bot.parts.replay_ids.path(table))
        await expect(page.get_by_test_id("verdict")).to_have_attribute("data-kind", "none")
        await expect(page.get_by_test_id("verdict")).to_contain_text("plain http")
        await page.locator("#last").click()  # all else is there
        assert await page.locator(".replay-said li").count() > 0


@pytest.mark.browser
@in_browser
@needs_axe
async def test_a_replay_is_gone_through_by_buttons_and_keys_and_checks_itself(
    site: Site, browser: Browser
) -> None:
    await turn_on(site)
    tables = {
        "heist": await play_heist(site, "bob", "cleo", "dan"),
        "duel": await play_duel(site),
        "chicken": await play_chicken(site, "bob", "cleo"),
    }
    for name, table in tables.items():
        for size in (WIDE, PHONE):
            for scheme in ("light", "dark"):
                async with opened(browser, size, scheme) as page:
                    await page.goto(site.address + site.bot.parts.replay_ids.path(table))
                    await expect(page.locator("body")).to_have_attribute("data-state", "ready")
                    await expect(page.get_by_test_id("verdict")).to_have_attribute("data-kind", "holds")
                    await page.locator("#on").click()
                    await expect(page.locator("body")).to_have_attribute("data-at", "1")
                    await page.keyboard.press("ArrowRight")
                    await expect(page.locator("body")).to_have_attribute("data-at", "2")
                    await page.locator("#viewer").select_option(index=1)
                    await picture(page, f"replay-{name}-{size[0]}-{scheme}-play")
                    assert await findings(page) == []
                    await page.locator("#last").click()
                    await page.locator("#told").fill("Table x: link 1 of chain " + "0" * 64)
                    await expect(page.locator(".replay-told-result")).to_have_attribute("data-kind", "fails")
                    told = await page.locator(".replay-checks code").all_text_contents()
                    await page.locator("#told").fill(" ".join(told))
                    await expect(page.locator(".replay-told-result")).to_have_attribute("data-kind", "holds")
                    await page.wait_for_timeout(2_500)  # the outcome is drawn step by step
                    assert await findings(page) == []
                    await picture(page, f"replay-{name}-{size[0]}-{scheme}-end")
