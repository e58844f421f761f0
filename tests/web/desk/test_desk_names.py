"""Two hundred names that somebody might choose to do harm with, in every section that shows names."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Seat
from chatbot.ledger.changes import MONEY, Change, ChangeSet, Work
from chatbot.ledger.people import Account
from chatbot.rooms.line import as_read
from tests.bot.hostile import HOSTILE
from tests.web.chromium import CHROMIUM
from tests.web.desk.pages import PHONE, as_operator, opened, picture
from tests.web.desk.test_desk_axe import go
from tests.web.test_page import FOREIGN, browser
from tests.web.test_page import HOSTILE as MARKUP

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

    from tests.web.desk.site import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]

NAMES = 200


def drawn_names() -> list[str]:
    """Draw names from hostile ones, each with its number, so that no two are the same."""
    rng, parts = Rng.of("names at the desk"), [*HOSTILE, *MARKUP]
    names = [*MARKUP, *(rng.choice(parts) for _ in range(NAMES - len(MARKUP)))]
    return [f"{name}{number}" for number, name in enumerate(names)]


async def name_all(site: Site, names: list[str]) -> None:
    """Let members of these names be here, each of whom did something to the next."""
    bot, room = site.bot, site.bot.rooms[site.twitch_room]
    accounts = [Account("twitch", str(9_000_000 + number)) for number in range(len(names))]
    await bot.people.settle(accounts)
    seats = [bot.people.home(each) for each in accounts]
    changes = bot.parts.settings_changes.changes
    for number, (seat, name) in enumerate(zip(seats, names, strict=True)):
        at = bot.watch.date() + timedelta(seconds=number)
        await bot.members._member_store.note(room.community, seat, name, at)
        bot.members.meet(seat, name)
        change = Change(MONEY, seats[number - 1], old="0", new="1")
        why = as_read(name.encode("utf-8", "replace").decode())  # as of a line: no halves of letters
        made = ChangeSet(f"h{number}", room.id, room.community, at, seat, name, (change,), why=why)
        await changes.make(made, Work())


async def unharmed(page: Page) -> None:
    assert await page.evaluate(f"document.querySelectorAll('{FOREIGN}').length") == 0
    assert await page.evaluate("document.querySelectorAll('#main a[href]').length") == 0
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("size", [(1280, 800), PHONE])
async def test_two_hundred_hostile_names_run_nothing_and_break_no_layout(
    browser: Browser, site: Site, size: tuple[int, int]
) -> None:
    await name_all(site, drawn_names())
    async with opened(browser, size) as page:
        told: list[str] = []
        page.on("dialog", lambda dialog: told.append(dialog.message))
        await as_operator(page, site, "members")
        for section in ("members", "audit"):
            await go(page, section)
            rows = page.get_by_test_id(section).locator("li")
            await expect(rows.first).to_be_visible()
            while await page.get_by_role("button", name="Show more").first.is_visible():
                await page.get_by_role("button", name="Show more").first.click()
                await expect(page.locator("[aria-busy]")).to_have_count(0)
            assert await rows.count() >= NAMES
            await unharmed(page)
            await picture(page, f"names-{section}-{size[0]}")
        await go(page, "members")
        for markup in MARKUP[:3]:
            await page.locator("#member-search").fill(markup[:4])
            row = page.get_by_test_id("members").locator("li").first
            await expect(row).to_contain_text(markup[:10])
            await row.locator("button").click()
            await expect(page.get_by_test_id("wallet")).to_be_visible()
            await page.locator("#amount").fill("5")
            await page.locator("#moving-why").fill(markup)
            await page.locator("[data-act=grant]").click()
            await unharmed(page)
            await page.get_by_test_id("go").click()
            await expect(page.get_by_role("dialog")).to_have_count(0)
            await expect(page.get_by_test_id("wallet")).to_contain_text("5")
            await unharmed(page)
            await page.get_by_role("button", name="Back to all members").click()
        assert told == []


async def test_hostile_names_at_tables_run_nothing(browser: Browser, site: Site) -> None:
    room = site.bot.rooms[site.twitch_room]
    async with opened(browser) as page:
        await as_operator(page, site, "tables")
        for number, each in enumerate(("bob", "carol", "dave", "erin")):
            await site.both.chat(each, "!heist 20")
            seat = site.bot.people.home(Account("twitch", site.both.fake.world.user(each).id))
            site.bot.members.meet(Seat(seat), MARKUP[number])
            await site.bot.members._member_store.note(
                room.community, Seat(seat), MARKUP[number], site.bot.watch.date()
            )
        await page.reload()
        await expect(page.locator(".desk-players li")).to_have_count(4)
        await page.locator(".desk-table .danger").click()
        await expect(page.get_by_role("dialog").get_by_role("row")).to_have_count(4)
        await unharmed(page)
        await picture(page, "names-tables")
