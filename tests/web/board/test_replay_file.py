"""A replay as one file: it needs nothing but itself, and `verify` finds its table in it again."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect
from typer.testing import CliRunner

from chatbot.cli import entry
from chatbot.web.replays import single_file
from tests.web.axe import findings, needs_axe
from tests.web.board.rooms import picture, play_duel, play_heist
from tests.web.chromium import CHROMIUM
from tests.web.desk.pages import PHONE, opened
from tests.web.test_page import browser

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.async_api import Browser, Request
    from typer.testing import Result

    from tests.web.desk.site import Site

__all__ = ["browser"]

pytestmark = pytest.mark.slow
WIDE = (1280, 900)
in_browser = pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")


def _note(asked: list[str], request: Request) -> None:
    asked.append(request.url)


async def run(*words: str) -> Result:
    """Run a command in a thread, as it begins a loop of its own."""
    return await asyncio.to_thread(partial(CliRunner().invoke, entry.app, list(words)))


async def exported(tmp_path: Path, table: str) -> Path:
    file = tmp_path / f"{table}.html"
    url = f"sqlite:///{tmp_path / 'rabble.db'}"
    result = await run("export", table, "--html", str(file), "--database", url)
    assert result.exit_code == 0, result.output
    assert "open it in a browser" in result.output
    return file


async def verdict(file: Path, *more: str) -> tuple[int, dict[str, bool]]:
    result = await run("verify", str(file), "--json", *more)
    found = json.loads(result.stdout)["findings"]
    return result.exit_code, {each["what"]: each["holds"] for each in found}


async def test_a_table_is_exported_as_a_file_that_verify_reads_again(site: Site, tmp_path: Path) -> None:
    file = await exported(tmp_path, await play_duel(site))
    code, holding = await verdict(file)
    assert (code, set(holding.values())) == (0, {True})
    assert set(holding) == {
        "page", "file", "chain", "terms", "record", "draws", "transfers", "end",
        "luck", "choices", "viewers", "pictures",
    }  # fmt: skip
    assert (await verdict(file, "--record", "0" * 64))[1]["told record"] is False


async def test_a_changed_file_does_not_check_out(site: Site, tmp_path: Path) -> None:
    file = await exported(tmp_path, await play_duel(site))
    whole = file.read_text(encoding="utf-8")
    for before, after, what in (
        ("rabble-turn-v1", "rabble-turn-v2", "page"),
        ('"face": "4"', '"face": "3"', "pictures"),
        ("everybody", "nobody", "file"),
    ):
        assert before in whole
        file.write_text(whole.replace(before, after, 1), encoding="utf-8", newline="\n")
        code, holding = await verdict(file)
        assert (code, holding[what]) == (1, False), what


async def test_what_cannot_be_exported_is_said_in_a_sentence(site: Site, tmp_path: Path) -> None:
    await site.both.chat("bob", "!heist 50")
    table = site.bot.rooms[site.twitch_room].tables["heist"].id
    url, file = f"sqlite:///{tmp_path / 'rabble.db'}", tmp_path / "none.html"
    for name, reason in ((table, "still being played"), ("nothing", "There is no table 'nothing'")):
        result = await run("export", name, "--html", str(file), "--database", url)
        assert result.exit_code != 0
        assert reason in str(result.exception or result.output)
        assert not file.exists()


def test_a_document_cannot_end_the_element_that_holds_it() -> None:
    document = json.dumps({"format": "rabble.replay/1", "words": {"a": "</script><script>alert(1)</script>"}})
    page = single_file.page(document)
    assert "alert(1)</script>" not in page
    held = single_file.document_in(page)
    assert held is not None
    assert json.loads(held) == json.loads(document)
    assert single_file.is_own(page, held)


@pytest.mark.browser
@in_browser
@needs_axe
async def test_a_file_checks_itself_without_any_network(site: Site, browser: Browser, tmp_path: Path) -> None:
    tables = {"heist": await play_heist(site, "bob", "cleo"), "duel": await play_duel(site)}
    for name, table in tables.items():
        file = await exported(tmp_path, table)
        for size, scheme in ((WIDE, "dark"), (PHONE, "light")):
            async with opened(browser, size, scheme) as page:
                asked: list[str] = []
                page.on("request", partial(_note, asked))
                await page.context.set_offline(True)
                await page.goto(file.as_uri())
                await expect(page.locator("body")).to_have_attribute("data-state", "ready")
                await expect(page.get_by_test_id("verdict")).to_have_attribute("data-kind", "holds")
                await page.keyboard.press("End")
                await page.wait_for_timeout(2_500)  # the outcome is drawn step by step
                assert await findings(page) == []
                assert {each.partition(":")[0] for each in asked} <= {"file", "data", "blob"}
                assert [each for each in asked if each.startswith("file")] == [file.as_uri()]
                await picture(page, f"file-{name}-{size[0]}-{scheme}")
                changed = tmp_path / "changed.html"
                changed.write_text(
                    file.read_text(encoding="utf-8").replace('\\"credits\\": 50', '\\"credits\\": 51'),
                    encoding="utf-8",
                )
                if name == "heist":
                    await page.goto(changed.as_uri())
                    await expect(page.get_by_test_id("verdict")).to_have_attribute("data-kind", "fails")
