"""Imports at the desk: seen before, brought in while the bot runs, taken back; never what was not shown."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from chatbot.community.imports.service import BalanceImports
from chatbot.ledger.audit.checks import breaches
from chatbot.rooms.channel import Channel
from chatbot.rooms.room import Room
from chatbot.web.api import imports
from tests.bot.stage import Notebook
from tests.web.axe import findings, needs_axe
from tests.web.chromium import CHROMIUM
from tests.web.desk.pages import PHONE, as_operator, linked, opened, picture
from tests.web.test_page import browser

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.async_api import Browser, Page

    from tests.web.desk.site import Browser as Person
    from tests.web.desk.site import Site

__all__ = ["browser"]

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
MESSY = "name;points\nbob;1.200\nann;2.500\ncarol;oops\nnobody_yet;700\n"


async def job(person: Person, room: str) -> Any:
    """Wait until the job of a room has ended, and return it."""
    while True:
        status, told = await person.get(f"/api/1/rooms/{room}/imports/job")
        assert status == 200
        if told["state"] != "running":
            return told
        await asyncio.sleep(0.02)


async def post(person: Person, site: Site, content: bytes, **more: object) -> tuple[int, Any]:
    wanted = {"act": "look", "file": "points.csv", "content": b64encode(content).decode(), **more}
    return await person.post(f"/api/1/rooms/{site.twitch_room}/imports", wanted)


async def credits_of(person: Person, site: Site) -> dict[str, int]:
    status, rows = await person.get(f"/api/1/rooms/{site.twitch_room}/desk/members")
    assert status == 200
    return {each["name"]: each["credits"] for each in rows}


async def test_a_file_is_looked_at_brought_in_and_taken_back_while_the_bot_runs(site: Site) -> None:
    person = await site.operator()
    await site.both.chat("bob", "!credits")
    assert (await post(person, site, b"name,points\nbob,100\n"))[0] == 200
    seen = await job(person, site.twitch_room)
    assert (seen["state"], seen["report"]["increase"], seen["report"]["done"]) == ("done", 100, False)
    assert await credits_of(person, site) == {"Bob": 240}
    await post(person, site, b"name,points\nbob,100\n", act="bring")
    brought = await job(person, site.twitch_room)
    assert (brought["state"], brought["report"]["done"]) == ("done", True)
    assert await credits_of(person, site) == {"Bob": 340}
    await site.both.discord.turn(10)
    assert "340" in " ".join(await site.both.chat("bob", "!credits"))
    await post(person, site, b"name,points\nbob,100\n", act="bring")
    again = await job(person, site.twitch_room)
    assert again["state"] == "failed"
    assert "imported before" in again["error"]
    status, listed = await person.get(f"/api/1/rooms/{site.twitch_room}/imports")
    assert (status, [each["state"] for each in listed]) == (200, ["done"])
    body = {"id": listed[0]["id"], "lines": None}
    assert (await person.post(f"/api/1/rooms/{site.twitch_room}/imports/undo", body))[0] == 200
    undone = await job(person, site.twitch_room)
    assert undone["undone"]["taken"] == 100
    assert await credits_of(person, site) == {"Bob": 240}
    status, audit = await person.get(f"/api/1/rooms/{site.twitch_room}/audit")
    assert [each["by"] for each in audit] == ["operator"] * 2
    told = " ".join(await site.both.chat("ada", f"!undo {audit[-1]['number']}", "broadcaster"))
    assert "was taken back already" in told
    assert await breaches(site.bot.parts.store) == []


async def test_what_is_no_file_is_a_sentence_and_changes_nothing(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = await site.operator()
    await post(person, site, b"\x89PNG\r\n\x1a\n" + b"\0" * 50)
    assert (await job(person, site.twitch_room))["state"] == "failed"
    wanted = {"act": "look", "file": "x.csv", "content": "no base64!"}
    status, told = await person.post(f"/api/1/rooms/{site.twitch_room}/imports", wanted)
    assert (status, told["id"]) == (422, "import-content")
    assert (await post(person, site, b"name,points\nbob,1\n", file="a\0b.csv"))[0] == 400
    for line in (0, 2**63):
        body = {"id": "x", "lines": [line]}
        assert (await person.post(f"/api/1/rooms/{site.twitch_room}/imports/undo", body))[0] == 400
    monkeypatch.setattr(imports, "LARGEST_FILE", 10)
    status, told = await post(person, site, b"name,points\nbob,100\n")
    assert (status, told["id"]) == (422, "import-large")


async def test_what_nobody_has_foreseen_is_told_in_the_language_of_the_room(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look(*_: object) -> None:
        raise ZeroDivisionError("a secret of the machine")

    monkeypatch.setattr(BalanceImports, "look", look)
    await site.both.chat("ada", "!set room language ko", "broadcaster")
    person = await site.operator()
    await post(person, site, b"name,points\nbob,1\n")
    assert (await job(person, site.twitch_room))["error"] == "문제가 생겼어요. 무엇인지는 봇의 로그에 있어요."


async def test_a_large_file_is_taken_and_nothing_larger(site: Site) -> None:
    person = await site.operator()
    rows = b"".join(b"member%07d,1\n" % number for number in range(70_000))
    assert 1_000_000 < len(rows) < imports.LARGEST_FILE
    assert (await post(person, site, b"name,points\n" + rows))[0] == 200
    seen = await job(person, site.twitch_room)
    assert (seen["report"]["rows"], seen["report"]["waiting"]) == (70_000, 70_000)
    status, _ = await post(person, site, b"x" * (imports.LARGEST_UPLOAD))
    assert status == 400


async def test_one_file_at_a_time(site: Site) -> None:
    person = await site.operator()
    rows = b"".join(b"member%07d,1\n" % number for number in range(5_000))
    (first, _), (second, _) = await asyncio.gather(
        *(post(person, site, b"name,points\n" + rows) for _ in range(2))
    )
    assert sorted((first, second)) == [200, 422]
    await job(person, site.twitch_room)


async def test_one_file_at_a_time_in_all_rooms_of_the_same_wallets(site: Site) -> None:
    """Read in another way the same file is another import: begun in two rooms at once it was paid twice."""
    person, first = await site.operator(), site.bot.rooms[site.twitch_room]
    channel = Channel("twitch:second", "twitch", Notebook())
    await site.bot.open(Room("second", first.community, (channel,)))
    await site.both.chat("bob", "!credits")
    wanted = {"act": "bring", "file": "x.csv", "content": b64encode(b"name,points\nbob,100\n").decode()}
    asked = [(first.id, wanted), ("second", {**wanted, "encoding": "utf-8"})]
    answers = await asyncio.gather(
        *(person.post(f"/api/1/rooms/{room}/imports", body) for room, body in asked)
    )
    assert sorted(status for status, _ in answers) == [200, 422]
    for room, _ in asked:
        await job(person, room)
    assert await credits_of(person, site) == {"Bob": 340}


async def test_only_whoever_owns_a_room_brings_files_in(site: Site) -> None:
    mona = site.both.discord.world.join("mona", manages=True)
    person = site.elsewhere()
    await person.enter(await linked(site, mona))
    wanted = {"act": "look", "file": "x.csv", "content": ""}
    assert (await person.post(f"/api/1/rooms/{site.discord_room}/imports", wanted))[0] == 403
    program = await site.program(await site.operator(), site.twitch_room)
    assert (await program.post("/imports", wanted))[0] == 403


async def choose(page: Page, folder: Path, content: str) -> None:
    file = folder / "points.csv"
    file.write_text(content, encoding="utf-8")
    await page.locator("#import-file").set_input_files(file)


@pytest.mark.parametrize("mark", [pytest.param("", marks=needs_browser)])
async def test_a_messy_file_is_mended_at_the_desk(
    browser: Browser, site: Site, tmp_path: Path, mark: str
) -> None:
    person = await site.operator()
    await site.both.chat("bob", "!credits")
    async with opened(browser) as page:
        await as_operator(page, site, "imports")
        await page.get_by_role("button", name="Look what it would do").click()
        await expect(page.locator("#told")).to_contain_text("Choose a file first.")
        await choose(page, tmp_path, MESSY)
        await page.get_by_role("button", name="Look what it would do").click()
        report = page.get_by_test_id("import-report")
        await expect(report).to_contain_text("Some numbers can be read in two ways")
        await page.get_by_label("--thousands").select_option(".")
        await page.get_by_role("button", name="Look what it would do").click()
        await expect(report).to_contain_text("4,400 credits would be brought, wallets: 3")
        await expect(report.get_by_test_id("faults")).to_contain_text("line 4")
        await expect(report.get_by_role("row", name="bob")).to_contain_text("1,440")
        await picture(page, "import-look")
        await report.get_by_role("button", name="Bring it in").click()
        await expect(page.locator("#told")).to_contain_text("tick that they are left out")
        await report.get_by_role("checkbox").check()
        await report.get_by_role("button", name="Bring it in").click()
        await page.get_by_role("dialog").get_by_role("button", name="Bring it in").click()
        await expect(report).to_contain_text("4,400 credits were brought, wallets: 3")
        assert (await credits_of(person, site))["Bob"] == 1440
        row = page.get_by_test_id("imports").locator("[data-run]")
        await expect(row).to_contain_text("brought in")
        await picture(page, "import-done")
        await row.get_by_role("button", name="Take back").click()
        await page.get_by_role("dialog").get_by_label("Only these lines").fill("2")
        await page.get_by_role("dialog").get_by_role("button", name="Take back").click()
        await expect(report).to_contain_text("1,200 credits were taken back")
        assert (await credits_of(person, site))["Bob"] == 240
        await row.get_by_role("button", name="Take back").click()
        await page.get_by_role("dialog").get_by_role("button", name="Take back").click()
        await expect(report).to_contain_text("4,400 credits were taken back")
        await expect(row).to_contain_text("taken back")


@pytest.mark.browser
@needs_browser
async def test_what_was_looked_at_is_brought_in_whatever_is_chosen_by_then(
    browser: Browser, site: Site, tmp_path: Path
) -> None:
    person = await site.operator()
    await site.both.chat("bob", "!credits")
    async with opened(browser) as page:
        await as_operator(page, site, "imports")
        await choose(page, tmp_path, "name,points\nbob,100\n")
        await page.get_by_role("button", name="Look what it would do").click()
        report = page.get_by_test_id("import-report")
        await expect(report).to_contain_text("100 credits would be brought")
        await choose(page, tmp_path, "name,points\nbob,99000\n")
        await page.locator("form.desk-card select").nth(1).select_option("set")
        await report.get_by_role("button", name="Bring it in").click()
        await page.get_by_role("dialog").get_by_role("button", name="Bring it in").click()
        await expect(report).to_contain_text("100 credits were brought")
    assert await credits_of(person, site) == {"Bob": 340}


@pytest.mark.browser
@needs_browser
@needs_axe
@pytest.mark.parametrize(
    ("language", "scheme", "size"),
    [("en", "dark", (1280, 800)), ("ko", "light", PHONE)],
)
async def test_nothing_is_found_by_axe_in_an_import(
    browser: Browser, site: Site, tmp_path: Path, language: str, scheme: str, size: tuple[int, int]
) -> None:
    if language != "en":
        await site.both.chat("ada", f"!set room language {language}", "broadcaster")
    async with opened(browser, size, scheme) as page:
        await as_operator(page, site, "imports")
        await choose(page, tmp_path, MESSY)
        await page.locator("form.desk-card details summary").click()
        await page.locator("form.desk-card select").nth(3).select_option(".")
        await page.locator("form.desk-card button[type=submit]").click()
        await expect(page.get_by_test_id("faults")).to_be_visible()
        await picture(page, f"import-{language}")
        assert await findings(page) == []
