"""Everything that moderators may do in the chat has a place at the desk, or a reason why it has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from chatbot.kernel.game import Role
from chatbot.settings.fields import PRESET, Fields
from tests.web.chromium import CHROMIUM
from tests.web.desk.pages import as_operator, opened
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

    from tests.web.desk.site import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]
ALSO = {"confirm", "season"}  # that everybody may use, and that belong to the evening of a moderator
ELSEWHERE = {
    "bridge": "its code is typed in both chats, whose platforms vouch for who types it",
    "desk": "it opens the desk",
}
"""Commands that have no place at the desk, with the reason."""

LISTS = {
    "games": "[data-key]",
    "texts": "[data-text]",
    "aliases": "[data-list='aliases']",
    "regulars": "[data-list='regulars']",
    "excluded": "[data-list='excluded']",
    "permissions": "[data-command]",
    "cooldowns": "[data-command]",
}
"""What stands for a group with open keys, in its section."""

SECTIONS = {
    "games": "switches",
    "aliases": "aliases",
    "texts": "texts",
    "regulars": "lists",
    "excluded": "lists",
    "permissions": "access",
    "cooldowns": "access",
}


async def go(page: Page, section: str) -> None:
    await page.locator(f".desk-list [data-section='{section}']").click()


async def test_every_command_of_moderators_has_a_place_or_a_reason(browser: Browser, site: Site) -> None:
    own = site.bot.command_index.bot_commands
    needed = {each.word for each in own if each.least.covers(Role.MODERATOR)} | ALSO
    async with opened(browser) as page:
        await as_operator(page, site, "commands")
        await expect(page.locator("[data-command]").first).to_be_visible()
        forms = set(
            await page.locator("[data-command]").evaluate_all("all => all.map(e => e.dataset.command)")
        )
        claims = await page.locator(".desk-list [data-section]").evaluate_all(
            "all => all.flatMap(e => e.dataset.commands.split(' ').filter(Boolean))"
        )
    assert needed - forms - set(claims) - set(ELSEWHERE) == set()
    assert set(claims) <= {each.word for each in own}, "a section claims a command that there is not"
    assert not set(ELSEWHERE) & (forms | set(claims)), "a reason is none any more"


async def test_every_setting_has_a_place(browser: Browser, site: Site) -> None:
    lacking = []
    async with opened(browser) as page:
        await as_operator(page, site, "room")
        for name, group in site.bot.parts.groups.items():
            section = name if isinstance(group, Fields) else SECTIONS[name]
            await go(page, section)
            if isinstance(group, Fields):
                await expect(page.locator(".desk-field").first).to_be_visible()
                shown = set(
                    await page.locator("[data-key]").evaluate_all("all => all.map(e => e.dataset.key)")
                )
                lacking += [f"{name} {key}" for key in group.keys if key not in shown and key != PRESET]
                if group.presets and await page.locator("[data-preset]").count() != len(group.presets):
                    lacking.append(f"{name} {PRESET}")
            else:
                await expect(page.locator(LISTS[name]).first).to_be_visible()
    assert lacking == []
