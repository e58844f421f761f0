"""Programs at the desk, in a browser: tokens that work until they are revoked, and webhooks that deliver."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiohttp
import pytest
from playwright.async_api import expect

from tests.web.axe import findings, needs_axe
from tests.web.chromium import CHROMIUM
from tests.web.desk.pages import PHONE, as_operator, enter, linked, opened, picture
from tests.web.desk.test_webhooks import Receiver, receiver
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, Route

    from tests.web.desk.site import Site

__all__ = ["browser", "receiver"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]
SCRIPT = "<img src=x onerror='document.title=1'>"


async def status(site: Site, token: str, path: str) -> int:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{site.address}/api/1{path}", headers=headers) as answer,
    ):
        return answer.status


async def token_of(page: Page) -> str:
    """Show the token that was made, and put it away."""
    code = page.get_by_test_id("token")
    await expect(code).to_contain_text("••••")
    await page.get_by_role("button", name="Show it").click()
    token = await code.inner_text()
    await page.get_by_role("button", name="I have it").click()
    await expect(code).to_have_count(0)
    return token


async def test_a_token_is_made_used_and_revoked(browser: Browser, site: Site) -> None:
    top = f"/rooms/{site.twitch_room}/top"
    async with opened(browser) as page:
        await as_operator(page, site, "programs")
        await expect(page.get_by_test_id("tokens")).to_contain_text("No program has a token yet.")
        await page.get_by_label("What it is for").fill(SCRIPT)
        await page.get_by_role("checkbox", name="Hear what happens").uncheck()
        await page.get_by_role("button", name="Make it").first.click()
        token = await token_of(page)
        assert token.startswith("rabble_")
        row = page.get_by_test_id("tokens").locator("li")
        await expect(row.locator("strong")).to_have_text(SCRIPT)
        await expect(row.locator(".desk-tag")).to_have_text(["read"])
        await expect(row).to_contain_text("Not used yet")
        assert await page.locator("#main img").count() == 0
        assert await status(site, token, top) == 200
        assert await status(site, token, f"/rooms/{site.twitch_room}/tokens") == 403
        await page.reload()
        await expect(row).to_contain_text("Last used")
        assert token not in await page.content()
        await row.get_by_role("button", name="Revoke").click()
        await page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
        await expect(row).to_have_count(0)
        assert await status(site, token, top) == 401


async def test_a_token_without_a_scope_is_refused_in_a_sentence(browser: Browser, site: Site) -> None:
    async with opened(browser) as page:
        await as_operator(page, site, "programs")
        await page.get_by_label("What it is for").fill("OBS")
        for each in ("Hear what happens", "Read tables"):
            await page.get_by_role("checkbox", name=each).uncheck()
        await page.get_by_role("button", name="Make it").first.click()
        await expect(page.locator("#told")).to_contain_text("moderate, own")
        await expect(page.get_by_test_id("tokens").locator("li")).to_have_count(0)


async def test_a_webhook_is_made_tried_and_removed(browser: Browser, site: Site, receiver: Receiver) -> None:
    site.server.webhooks.allows_local = True
    async with opened(browser) as page:
        await as_operator(page, site, "programs")
        await page.get_by_label("Where events are sent").fill("ftp://example.com/hook")
        await page.get_by_role("button", name="Make it").last.click()
        await expect(page.locator("#told .desk-box[data-kind=refused]")).to_have_count(1)
        await page.get_by_label("Where events are sent").fill(receiver.url)
        await page.get_by_role("button", name="Make it").last.click()
        await expect(page.get_by_test_id("webhook-secret")).to_contain_text("••••")
        row = page.get_by_test_id("webhooks").locator("[data-webhook]")
        await expect(row).to_contain_text("It works.")
        await row.get_by_role("button", name="Send a test").click()
        await site.both.discord.until(lambda: bool(receiver.events))
        assert receiver.events[0]["type"] == "rabble.test"
        await row.get_by_role("button", name="What was sent").click()
        await expect(row.get_by_test_id("deliveries").locator("li")).to_contain_text("taken (200")
        await picture(page, "programs")
        await row.get_by_role("button", name="Remove").click()
        await page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        await expect(row).to_have_count(0)


async def test_who_moderates_only_sees_no_programs(browser: Browser, site: Site) -> None:
    mona = site.both.discord.world.join("mona", manages=True)
    async with opened(browser) as page:
        await enter(page, site, await linked(site, mona))
        await expect(page.locator(".desk-list [data-section=members]")).to_have_count(1)
        await expect(page.locator(".desk-list [data-section=programs]")).to_have_count(0)
        await expect(page.locator(".desk-list [data-section=processes]")).to_have_count(0)


@needs_axe
@pytest.mark.parametrize(
    ("language", "scheme", "size"), [("en", "dark", (1280, 800)), ("ko", "light", PHONE)]
)
async def test_nothing_is_found_by_axe_among_programs(
    browser: Browser, site: Site, receiver: Receiver, language: str, scheme: str, size: tuple[int, int]
) -> None:
    site.server.webhooks.allows_local = True
    if language != "en":
        await site.both.chat("ada", f"!set room language {language}", "broadcaster")
    async with opened(browser, size, scheme) as page:
        await as_operator(page, site, "programs")
        forms = page.locator("form.desk-card")
        await forms.first.locator("input.field").fill("OBS")
        await forms.first.locator("button[type=submit]").click()
        await expect(page.get_by_test_id("tokens").locator("li")).to_have_count(1)
        await forms.last.locator("input.field").fill(receiver.url)
        await forms.last.locator("button[type=submit]").click()
        await expect(page.get_by_test_id("webhooks").locator("[data-webhook]")).to_have_count(1)
        await picture(page, f"programs-{language}")
        assert await findings(page) == []


@pytest.mark.parametrize("language", ["en", "ko"])
@needs_axe
async def test_who_runs_the_program_sees_its_processes_also_on_a_phone(
    browser: Browser, site: Site, language: str
) -> None:
    if language != "en":
        await site.both.chat("ada", f"!set room language {language}", "broadcaster")
    async with opened(browser, (400, 800), "dark") as page:
        await as_operator(page, site, "processes")
        row = page.get_by_test_id("processes").locator("[data-process]")
        await expect(row).to_have_count(1)
        await expect(row).to_contain_text({"en": "serves this page", "ko": "이 페이지를 제공함"}[language])
        assert await page.evaluate("document.documentElement.scrollWidth") <= 400
        await picture(page, f"processes-{language}")
        assert await findings(page) == []


async def test_what_a_process_says_of_itself_is_shown(browser: Browser, site: Site) -> None:
    async with opened(browser, (400, 800), "dark") as page:
        await page.route("**/api/1/processes", _with_trouble)
        await as_operator(page, site, "processes")
        row = page.get_by_test_id("processes").locator("[data-process]")
        await expect(row).to_contain_text("Cannot do its part: NATS is not connected; it is stopping")
        await expect(row).to_contain_text("Lines that wait: 7")


async def _with_trouble(route: Route) -> None:
    answer = await (await route.fetch()).json()
    answer["processes"][0] |= {"troubles": ["NATS is not connected", "it is stopping"], "waiting": 7}
    await route.fulfill(json=answer)
