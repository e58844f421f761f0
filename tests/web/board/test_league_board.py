"""A board has a section for the league of the bot, if there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from chatbot.web import league_file
from tests.web.axe import findings, needs_axe
from tests.web.board.rooms import picture
from tests.web.chromium import CHROMIUM
from tests.web.conftest import Site, opened
from tests.web.desk.pages import PHONE
from tests.web.desk.pages import opened as opened_page
from tests.web.leagues import IMAGE, LONG, TURNED, content, house, player, write
from tests.web.test_overlay import say
from tests.web.test_page import FOREIGN, HOSTILE, browser

if TYPE_CHECKING:
    from pathlib import Path

    from aiohttp import ClientSession
    from playwright.async_api import Browser

__all__ = ["browser"]

WIDE = (1280, 900)
ROOM = "local"


@pytest.fixture(autouse=True)
def _eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(league_file, "INTERVAL", 0.0)


async def board_of(site: Site, client: ClientSession) -> dict[str, Any]:
    """Let the broadcaster turn the board on, and return what it shows."""
    await say(site, "ada", "!set room board yes", role="broadcaster")
    async with client.get(f"{site.address}/board/{ROOM}/data") as answer:
        board: dict[str, Any] = await answer.json()
        return board


async def test_a_board_tells_of_the_league_in_the_language_of_its_room(
    tmp_path: Path, client: ClientSession
) -> None:
    write(tmp_path / "ladder", content("steady", "rising"))
    async with opened(tmp_path, "ko", tmp_path / "ladder") as site:
        league = (await board_of(site, client))["league"]
    assert [each["name"] for each in league["playing"]] == ["steady", "rising"]
    assert [each["name"] for each in league["ratings"]] == ["steady", "rising", "random"]
    assert (league["title"], league["labels"]["title"]) == ("치킨 포커", "리그")


async def test_without_a_ladder_a_board_has_no_league(tmp_path: Path, client: ClientSession) -> None:
    async with opened(tmp_path) as site:
        assert (await board_of(site, client))["league"] is None


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
@needs_axe
async def test_the_league_is_readable_on_every_screen_whatever_programs_are_called(
    tmp_path: Path, client: ClientSession, browser: Browser
) -> None:
    names = ["steady", *HOSTILE[:3], "W" * 60, LONG, TURNED]
    league = content(*names)
    for each in league["ratings"]:
        each["author"] = each["author"] and HOSTILE[0]
    league["playing"] = [player("steady", IMAGE), house("random")]
    write(tmp_path / "ladder", league)
    async with opened(tmp_path, ladder=tmp_path / "ladder") as site:
        await board_of(site, client)
        for size in (WIDE, PHONE):
            for scheme in ("light", "dark"):
                async with opened_page(browser, size, scheme) as page:
                    await page.goto(f"{site.address}/board/{ROOM}")
                    card = page.get_by_test_id("league")
                    await expect(card.locator("h2")).to_have_text("League")
                    await expect(card.locator(".board-duel .name")).to_have_text(["steady", "random"])
                    rows = card.locator(".board-ratings .name")
                    assert (await rows.all_inner_texts())[:3] == names[:3]
                    assert await page.locator(FOREIGN.replace("\\'", "'")).count() == 0
                    assert await findings(page) == []
                    await picture(page, f"league-{size[0]}-{scheme}")
