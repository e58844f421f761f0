"""The pages of Set up in a browser: by keys alone, in any look and language, with nothing that axe finds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.fakes.twitch_authority import CLIENT_ID
from tests.keys.portal import TOKEN
from tests.web.axe import findings, needs_axe
from tests.web.chromium import CHROMIUM
from tests.web.test_page import browser
from tests.web.test_setup import approving, operator, started, store

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

    from chatbot.ledger.store.store import Store
    from tests.web.test_setup import Operator

__all__ = ["browser", "operator", "store"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]

CARRIES_CODE = re.compile(r"device-code=ABCD-")
DESKTOP, PHONE = (1440, 900), (390, 844)
LOOKS = [("en", "dark", DESKTOP), ("ko", "dark", PHONE), ("en", "light", PHONE), ("ko", "light", DESKTOP)]


async def arrived(browser: Browser, operator: Operator, scheme: str, size: tuple[int, int]) -> Page:
    page = await browser.new_page(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    await page.goto(f"{operator.address}/enter/{await operator.link()}")
    await expect(page.locator("#enter")).to_be_focused()
    return page


async def test_by_keyboard_alone_from_the_link_to_a_chat_that_is_connected(
    browser: Browser, operator: Operator
) -> None:
    ada = operator.twitch.world.user("ada")
    operator.twitch.authority.accounts |= {ada.id: "ada"}
    page = await arrived(browser, operator, "dark", DESKTOP)
    await page.keyboard.press("Enter")
    card = page.locator("#card-twitch")
    await expect(card).to_be_visible()
    for each in await page.locator(".setup-mark").all_inner_texts():
        assert each == "Not connected"
    await expect(page.locator(".setup-mark")).to_have_count(3)  # Twitch, Discord and phones
    await tab_to(page, "client_id")
    await page.keyboard.type("another")
    await page.keyboard.press("Enter")
    await expect(card.get_by_role("alert")).to_contain_text("Twitch does not know this client id")
    await page.keyboard.press("ControlOrMeta+A")
    await page.keyboard.type(CLIENT_ID)
    await page.keyboard.press("Enter")
    await expect(card.get_by_role("button").first).to_have_text("Connect my channel")
    await expect(card.get_by_role("button").first).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(card.get_by_role("link", name="Open Twitch's page")).to_have_attribute("href", CARRIES_CODE)
    await expect(card.locator(".setup-code")).not_to_be_visible()  # it might be read on a stream
    approving(operator.twitch.authority, "ada")
    await expect(card.locator(".setup-mark")).to_have_text("Connected", timeout=10_000)


async def test_what_to_type_is_shown_as_a_command(browser: Browser, operator: Operator) -> None:
    page = await browser.new_page()
    await page.goto(f"{operator.address}/setup")
    await expect(page.locator(".setup-card code")).to_contain_text("desk")
    assert "`" not in await page.locator(".setup-card").inner_text()


async def tab_to(page: Page, field: str) -> None:
    for _ in range(20):
        await page.keyboard.press("Tab")
        if await page.evaluate("document.activeElement.name") == field:
            return
    raise AssertionError(f"{field} cannot be reached")


async def test_set_up_and_the_desk_lead_to_each_other(browser: Browser, operator: Operator) -> None:
    page = await arrived(browser, operator, "dark", DESKTOP)
    await page.keyboard.press("Enter")
    await expect(page).to_have_title("Set up · Rabble")
    await page.get_by_role("link", name="To the desk").click()
    await page.locator("#me").click()
    await page.get_by_role("link", name="Set up platforms, overlay and phones").click()
    await expect(page.locator("#card-twitch")).to_be_visible()


async def test_overlays_have_the_names_of_rooms_and_are_copied_or_at_least_selected(
    browser: Browser, operator: Operator
) -> None:
    page = await arrived(browser, operator, "dark", DESKTOP)
    await page.keyboard.press("Enter")
    row = page.locator("#card-overlay .setup-row").first
    await expect(row.locator("b")).to_have_text("Local chat")
    await page.evaluate(
        "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('denied')); }"
    )
    await row.get_by_role("button").click()
    address = await row.locator("code").text_content()
    assert await page.evaluate("getSelection().toString()") == address
    await expect(row.get_by_role("button")).to_have_text("Copy")


async def test_the_sample_plays_in_the_preview(browser: Browser, operator: Operator) -> None:
    page = await arrived(browser, operator, "dark", DESKTOP)
    await page.keyboard.press("Enter")
    await page.get_by_role("button", name="Play a sample").click()
    preview = page.frame_locator(".setup-preview")
    await expect(preview.locator("#screen")).to_contain_text("Mina", timeout=10_000)


@needs_axe
@pytest.mark.parametrize(("language", "scheme", "size"), LOOKS)
async def test_axe_finds_nothing(
    browser: Browser, operator: Operator, store: Store, language: str, scheme: str, size: tuple[int, int]
) -> None:
    async with started(store, operator.settings, operator.twitch, language) as here:
        page = await arrived(browser, here, scheme, size)
        found = {"the link": await findings(page)}
        await page.keyboard.press("Enter")
        await expect(page.locator("#card-overlay")).to_be_visible()
        await page.locator("summary").click()
        found["empty cards"] = await findings(page)
        await page.locator("[name=token]").fill("not a token")
        await page.locator("#card-discord .primary").click()
        await expect(page.locator("#card-discord").get_by_role("alert")).not_to_be_empty()
        found["a refusal"] = await findings(page)
        await page.locator("[name=token]").fill(TOKEN)
        await page.locator("#card-discord .primary").click()
        await page.locator("[name=client_id]").fill(CLIENT_ID)
        await page.locator("#card-twitch .primary").click()
        await expect(page.locator("[name=client_id]")).to_be_hidden()  # the card is another one now
        await page.locator("#card-twitch button").first.click()
        await expect(page.locator(".setup-code")).to_have_count(1)
        await page.locator("#card-twitch summary").click()
        await expect(page.locator(".setup-code")).to_contain_text("ABCD-")
        found["a code"] = await findings(page)
        assert {station: wrong for station, wrong in found.items() if wrong} == {}
        wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, "it must not be scrolled sideways"
        await page.close()
