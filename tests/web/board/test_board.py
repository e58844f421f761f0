"""The board of a room: off until its broadcaster turns it on, and it names only whoever wants to be named."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from chatbot.keys.replay_ids import ReplayIds
from chatbot.settings import sites
from tests.web.axe import findings, needs_axe
from tests.web.board.rooms import picture, play_chicken, play_heist, play_out, turn_on
from tests.web.chromium import CHROMIUM
from tests.web.desk.pages import PHONE, opened
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.desk.site import Site

__all__ = ["browser"]

WIDE = (1280, 900)
in_browser = pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")


async def test_a_board_is_not_there_until_the_broadcaster_turns_it_on(site: Site) -> None:
    visitor, path = site.elsewhere(), f"/board/{site.twitch_room}"
    await site.both.chat("bob", "!heist 50")
    for each in (path, f"{path}/data", "/board/twitch:404"):
        assert (await visitor.get(each))[0] == 404
    assert "no board" in " ".join(await site.both.chat("bob", "!board"))
    await site.both.discord.turn(61)  # a refusal is told once a minute
    assert "no board" in " ".join(await site.both.chat("bob", "!replay"))
    refused = " ".join(await site.both.chat("mia", "!set room board yes", "moderator"))
    assert (await visitor.get(path))[0] == 404, refused
    await turn_on(site)
    assert (await visitor.get(path))[0] == 200
    assert (await site.here().get(path))[0] == 200
    told = " ".join(await site.both.chat("bob", "!board"))
    assert f"https://games.example/board/{site.twitch_room}" in told
    await site.both.chat("ada", "!set room board no", "broadcaster")
    assert (await visitor.get(f"{path}/data"))[0] == 404


async def test_only_sites_that_the_broadcaster_names_may_frame_a_board(site: Site) -> None:
    await turn_on(site)
    assert await _framed(site) == "'none'"
    await site.both.chat("ada", "!set room board_sites ada.example, *.fans.example:8443", "broadcaster")
    assert await _framed(site) == "https://ada.example https://*.fans.example:8443"
    refused = await site.both.chat("ada", "!set room board_sites http://ada.example", "broadcaster")
    assert "at most 5 web sites" in " ".join(refused)
    assert await _framed(site) == "https://ada.example https://*.fans.example:8443"


async def _framed(site: Site) -> str:
    browser = site.elsewhere()
    url = f"{browser.address}/board/{site.twitch_room}"
    async with browser.session.get(url, headers=browser.headers) as answer:
        policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'self'; ")
    return policy.partition("frame-ancestors ")[2]


@pytest.mark.slow
@pytest.mark.browser
@in_browser
async def test_a_site_that_is_named_shows_a_board_in_a_frame_and_no_other_does(
    site: Site, browser: Browser
) -> None:
    await turn_on(site)
    await play_heist(site, "bob", "cleo")
    await site.both.chat("ada", "!set room board_sites ada.example", "broadcaster")
    board = f"{site.address}/board/{site.twitch_room}"
    context = await browser.new_context()
    # A browser asks its user before a site elsewhere may show what is on this machine.
    await context.grant_permissions(["local-network-access"])
    page, refused = await context.new_page(), list[str]()
    page.on("console", lambda message: refused.append(message.text))
    for host, framed in (("ada.example", True), ("eve.example", False), ("www.ada.example", False)):
        await page.route(
            f"https://{host}/",
            lambda route: route.fulfill(
                body=f"<iframe src='{board}' width='900' height='700'></iframe>", content_type="text/html"
            ),
        )
        await page.goto(f"https://{host}/")
        await page.wait_for_load_state("networkidle")
        shown = page.frame_locator("iframe").locator(".board-ranks li")
        if framed:
            await expect(shown).not_to_have_count(0)
            await page.frame_locator("iframe").locator(".board-tabs button").nth(1).click()
        else:
            await expect(shown).to_have_count(0)
        assert any("frame-ancestors https://ada.example" in each for each in refused) != framed
        refused.clear()
    await context.close()


async def test_a_board_shows_leaders_tables_odds_and_commitments(site: Site) -> None:
    await turn_on(site)
    table = await play_heist(site, "bob", "cleo")
    board = (await site.elsewhere().get(f"/board/{site.twitch_room}/data"))[1]
    assert board["title"] == "ada"
    assert {each["name"] for each in board["tops"][0]["rows"]} == {"Ada", "Bob", "Cleo"}
    assert [each["id"] for each in board["tables"]] == [table]
    assert board["tables"][0]["players"] >= 2
    assert {each["game"] for each in board["odds"]} >= {"heist", "highshow"}
    (following,) = board["commitments"]
    head = re.findall(r"\b[0-9a-f]{64}\b", following)
    assert head, following
    assert " ".join(await site.both.chat("bob", "!fair")).count(head[0]) == 1


async def test_a_board_tells_no_secret_of_a_running_table(site: Site) -> None:
    await turn_on(site)
    for user in ("bob", "cleo"):
        await site.both.chat(user, "!heist 50")
    table = site.bot.rooms[site.twitch_room].tables["heist"]
    status, text = await site.elsewhere().get(f"/board/{site.twitch_room}/data")
    assert status == 200
    assert text["playing"] == [{"game": "heist", "title": "Bank Heist", "players": 2}]
    seed = site.bot.parts.chains.seed(table.id)
    assert seed is not None
    assert seed.hex() not in str(text)
    assert text["tables"] == []
    replay = site.bot.parts.replay_ids.path(table.id)
    assert (await site.elsewhere().get(replay))[0] == 404
    assert "still" in " ".join(await site.both.chat("bob", f"!replay {table.id}"))
    await play_out(site, table)


async def test_whoever_is_private_is_in_no_ranking_and_named_nowhere(site: Site) -> None:
    await turn_on(site)
    await play_heist(site, "bob", "cleo")
    path = f"/board/{site.twitch_room}/data"
    assert "Bob" in str((await site.elsewhere().get(path))[1])
    assert "do not name you" in " ".join(await site.both.chat("bob", "!private"))
    assert "do not name you" in " ".join(await site.both.chat("bob", "!private"))
    await site.both.discord.turn(6)
    board = (await site.elsewhere().get(path))[1]
    assert "Bob" not in str(board)
    assert [each["name"] for each in board["tops"][0]["rows"]] == ["Cleo", "Ada"]
    assert "Bob" in " ".join(await site.both.chat("cleo", "!top")), "the chat names everybody as before"
    await site.both.chat("bob", "!private off")
    await site.both.discord.turn(6)
    assert "Bob" in str((await site.elsewhere().get(path))[1])


async def test_replays_have_addresses_that_nobody_guesses(site: Site) -> None:
    await turn_on(site)
    table = await play_heist(site, "bob", "cleo")
    ids = site.bot.parts.replay_ids
    for said in (await site.both.chat("bob", "!replay"), await site.both.chat("cleo", f"!replay {table}")):
        assert f"https://games.example{ids.path(table)}" in " ".join(said)
    assert "no table" in " ".join(await site.both.chat("dan", "!replay nothing")).lower()


def test_the_id_of_a_replay_is_its_tables_alone() -> None:
    ids, others = ReplayIds(b"k" * 32), ReplayIds(b"l" * 32)
    replay = ids.path("3f9a0c27b1").removeprefix("/replay/")
    assert ids.table(replay) == "3f9a0c27b1"
    forged = [replay[:-1] + ("0" if replay[-1] != "0" else "1"), "3f9a0c27b2" + replay[10:], "3f9a0c27b1"]
    assert [ids.table(each) for each in (*forged, replay.upper(), "", replay + "\n")] == [None] * 6
    assert others.table(replay) is None


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("none", "none"),
        ("", "none"),
        ("Example.com", "https://example.com"),
        ("https://example.com/, example.com:443", "https://example.com"),
        ("*.example.com b.example:8443", "https://*.example.com, https://b.example:8443"),
    ],
)
def test_sites_are_origins_that_are_reached_by_https(typed: str, value: str) -> None:
    assert sites.checked(typed) == value
    assert sites.checked(value) == value


@pytest.mark.parametrize(
    "typed",
    ["http://example.com", "*", "example", "https://example.com/path", "a.b 'none'", "a.b;script-src",
     "a@b.example", "a.example:99999", "a.example b.example c.example d.example e.example f.example"],
)  # fmt: skip
def test_what_is_no_site_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        sites.checked(typed)


@pytest.mark.browser
@in_browser
@needs_axe
async def test_a_board_is_readable_on_every_screen(site: Site, browser: Browser) -> None:
    await turn_on(site)
    for _ in range(2):
        await play_heist(site, "bob", "cleo", "dan")
    await play_chicken(site, "bob", "cleo")
    await site.both.chat("bob", "!heist 10")
    for size in (WIDE, PHONE):
        for scheme in ("light", "dark"):
            async with opened(browser, size, scheme) as page:
                await page.clock.set_fixed_time(site.bot.watch.date())
                await page.goto(f"{site.address}/board/{site.twitch_room}")
                await expect(page.locator("#main")).to_have_attribute("data-state", "ready")
                await page.locator(".board-tabs button").nth(1).click()
                await page.keyboard.press("ArrowLeft")
                await expect(page.locator(".board-ranks li")).to_have_count(4)
                await page.locator(".board-fair summary").click()
                assert await findings(page) == []
                await picture(page, f"board-{size[0]}-{scheme}")
