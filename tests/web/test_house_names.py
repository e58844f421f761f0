"""On the page, too, players of the house are marked, and nobody can pass for one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from tests.web.chromium import CHROMIUM
from tests.web.test_page import browser, visit

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.conftest import Page, Site

__all__ = ["browser"]


async def test_a_viewer_enters_without_the_mark(page: Page) -> None:
    await page.tell(type="enter", name="Kelly (house)", role="viewer")
    entered = await page.until(lambda m: m["type"] == "entered")
    assert (entered["name"], entered["seat"]) == ("Kelly", "local:kelly")
    await page.tell(type="enter", name="(house)", role="viewer")
    refused = await page.until(lambda m: m["type"] in {"entered", "refused"})
    assert refused["type"] == "refused"


async def test_the_table_shows_players_of_the_house_with_their_mark(page: Page) -> None:
    mo = await page.enter("mo", "moderator")
    for line in ("!set heist lobby 5", "!set heist house_players 1", "!set heist house_strategies passive"):
        await page.say(mo, line)
    await page.say(mo, "!heist 69")

    def full(message: dict[str, Any]) -> bool:
        tables = message.get("tables", []) if message["type"] == "tables" else []
        return any(len(table["places"]) == 2 for table in tables)

    shown = await page.until(full)
    assert [place["name"] for place in shown["tables"][0]["places"]] == ["mo", "Passive (house)"]
    assert [place["house"] for place in shown["tables"][0]["places"]] == [False, True]


@pytest.mark.parametrize(
    "name",
    [
        "rabble",
        "R\u0430bble",
        "ra\u0432\u0432l\u0435",
        "Rabb1e",
        "Rabble.",
        "\uff32abble",
        "R a b b l e",
        "RabbIe",
        "rabb\u0406e",
    ],
)
async def test_nobody_enters_under_a_name_that_reads_as_the_bots(page: Page, name: str) -> None:
    await page.tell(type="enter", name=name, role="viewer")
    refused = await page.until(lambda m: m["type"] in {"entered", "refused"})
    assert refused["type"] == "refused"


@pytest.mark.parametrize("name", ["", "\u200b", "\N{FOX FACE}", "\N{BLACK STAR}!"])
async def test_a_name_without_a_letter_is_refused_with_what_it_lacks(page: Page, name: str) -> None:
    await page.tell(type="enter", name=name, role="viewer")
    refused = await page.until(lambda m: m["type"] in {"entered", "refused"})
    assert refused == {
        "type": "refused",
        "text": "A name needs at least one letter or digit; please choose another.",
    }


@pytest.mark.parametrize("name", ["!heist 20", " !", "!x"])
async def test_nobody_enters_under_a_command_that_was_typed_where_the_name_belongs(
    page: Page, name: str
) -> None:
    await page.tell(type="enter", name=name, role="viewer")
    refused = await page.until(lambda m: m["type"] in {"entered", "refused"})
    assert refused["type"] == "refused"
    await page.tell(type="enter", name="mo!", role="viewer")
    assert (await page.until(lambda m: m["type"] in {"entered", "refused"}))["type"] == "entered"


@pytest.mark.parametrize(
    "name", ["Rabbie", "RABBIE", "rabbler", "Rabble Rouser", "\u0420\u0430\u0431\u0431\u043b"]
)
async def test_a_name_that_only_begins_like_the_bots_may_enter(page: Page, name: str) -> None:
    await page.tell(type="enter", name=name, role="viewer")
    assert (await page.until(lambda m: m["type"] in {"entered", "refused"}))["type"] == "entered"


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
async def test_no_browser_cuts_the_mark_off(browser: Browser, site: Site) -> None:
    person = await visit(browser, site)
    await person.enter("mo", "moderator")
    for line in ("!set heist lobby 5", "!set heist house_players 2", "!set heist house_strategies guardsman"):
        await person.say(line)
    await person.say("!heist 69")
    for name in ("Guardsman (house)", "Guardsman 2 (house)"):
        shown = person.page.get_by_test_id("place").filter(has_text=name).locator(".name")
        await expect(shown).to_be_visible(timeout=15_000)
        assert await shown.evaluate("each => each.scrollWidth <= each.clientWidth")
