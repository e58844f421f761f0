"""The sections of the desk for words, streams and access, in a browser."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from chatbot.community.rewards import ShownReward
from tests.web.chromium import CHROMIUM
from tests.web.desk.pages import as_operator, opened, picture
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

    from chatbot.community.rewards import Offer
    from tests.web.desk.site import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]
SCRIPT = "<img src=x onerror='document.title=1'><script>document.title=2</script>"


@dataclass
class ShopOfPoints:
    """A shop of a platform that sells whatever it is asked to."""

    shown: dict[str, ShownReward] = field(default_factory=dict)

    async def all(self) -> list[ShownReward]:
        return list(self.shown.values())

    async def make(self, offer: Offer) -> ShownReward:
        return self._put(ShownReward(f"reward-{len(self.shown)}", "", 0, 0), offer)

    async def change(self, reward: str, offer: Offer) -> ShownReward:
        return self._put(self.shown[reward], offer)

    async def remove(self, reward: str) -> None:
        del self.shown[reward]

    async def awaited(self, reward: str) -> bool:
        return False

    async def give_back(self, reward: str) -> None:
        """Nothing is paid."""

    def _put(self, former: ShownReward, offer: Offer) -> ShownReward:
        self.shown[former.id] = ShownReward(
            former.id,
            former.title if offer.title is None else offer.title,
            former.cost if offer.cost is None else offer.cost,
            former.cooldown if offer.cooldown is None else offer.cooldown,
        )
        return self.shown[former.id]


def chosen(site: Site, group: str) -> dict[str, object]:
    return dict(site.bot.rooms[site.twitch_room].settings(group))


async def tell(page: Page, words: str) -> None:
    """Expect to be told something."""
    await expect(page.locator("#told")).to_contain_text(words)


async def test_a_text_is_read_while_it_is_typed_and_told_once_it_is_applied(
    browser: Browser, site: Site
) -> None:
    async with opened(browser) as page:
        await as_operator(page, site, "texts")
        row = page.locator("[data-text='entry']")
        await row.get_by_role("button").first.click()
        area = row.get_by_label("Your text")
        await expect(area).to_be_focused()
        await expect(row.locator(".desk-bubble").first).to_have_text(
            "operator joins with 69 credits; the crew is 7 now."
        )
        await area.fill("{whom} drops in.")
        await expect(row.get_by_role("alert")).to_contain_text("“whom”")
        await expect(row.get_by_role("button", name="Tell this", exact=True)).to_be_disabled()
        await area.fill("x" * 451)
        await expect(row.get_by_role("alert")).to_contain_text("450")
        await area.fill("{who} drops through the roof with .")
        await area.press("ArrowLeft")
        await row.get_by_role("button", name="Put in {stake}").click()
        await expect(row.locator(".desk-bubble").last).to_have_text(
            "operator drops through the roof with 69 credits."
        )
        await expect(row).to_contain_text("It leaves out {crew}.")
        await picture(page, "text-editor")
        assert chosen(site, "texts") == {}
        await area.press("Enter")
        await tell(page, "operator drops through the roof with 69 credits.")
        assert chosen(site, "texts") == {"entry": "{who} drops through the roof with {stake}."}
        await expect(row.locator(".desk-tag")).to_have_text("yours")
        await area.fill("{who} digs a tunnel.")
        await row.get_by_role("button", name="Tell this in turns with the others").click()
        await expect(row.get_by_role("button", name="Remove text 2")).to_be_visible()
        await row.get_by_role("button", name="Remove text 1").click()
        await tell(page, "Text 1 of entry is removed")
        assert chosen(site, "texts") == {"entry": "{who} digs a tunnel."}
        await row.get_by_role("button", name="Back to the usual text").click()
        await expect(row.locator(".desk-tag")).to_be_hidden()
        assert chosen(site, "texts") == {}


async def test_hostile_texts_are_letters(browser: Browser, site: Site) -> None:
    async with opened(browser) as page:
        await as_operator(page, site, "texts")
        row = page.locator("[data-text='entry']")
        await row.get_by_role("button").first.click()
        await row.get_by_label("Your text").fill(SCRIPT)
        await expect(row.locator(".desk-bubble").last).to_have_text(SCRIPT)
        await row.get_by_role("button", name="Tell this", exact=True).click()
        await tell(page, "onerror")
        await expect(row.locator(".desk-text-said")).to_have_text(SCRIPT)
        await page.get_by_role("button", name="Themes").click()
        await expect(page.locator("#main")).to_contain_text("Your own texts go before every theme: entry")
        assert await page.locator("#main img, #told img, script:not([src])").count() == 0
        assert await page.title() == "The desk · Rabble"


async def test_a_theme_is_chosen_after_its_lines_were_compared(browser: Browser, site: Site) -> None:
    async with opened(browser) as page:
        await as_operator(page, site, "themes")
        await page.get_by_role("button", name="What would be told: space").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.locator(".desk-old").first).to_contain_text("bank heist")
        await expect(dialog.locator(".desk-new").first).to_contain_text("somewhere rich")
        await picture(page, "theme-compared")
        assert chosen(site, "heist") == {}
        await dialog.get_by_role("button", name="Choose this theme").click()
        await expect(page.locator("[data-chosen=true] h4")).to_contain_text("space")
        assert chosen(site, "heist") == {"theme": "space"}


async def test_rewards_are_made_changed_and_removed(browser: Browser, site: Site) -> None:
    shop = site.bot.parts.rewards_command.shops[site.twitch_room] = ShopOfPoints()
    async with opened(browser) as page:
        await as_operator(page, site, "rewards")
        await expect(page.locator("#main")).to_contain_text("Nothing is sold")
        await page.get_by_label("Channel points").fill("500")
        await page.get_by_label("What it stakes").fill("100")
        await page.get_by_label("Title").fill(SCRIPT[:45])
        await page.get_by_role("button", name="Make it").click()
        row = page.locator("[data-reward]")
        await expect(row).to_contain_text("Bank Heist with 100 credits")
        assert [(each.title, each.cost) for each in shop.shown.values()] == [(SCRIPT[:45], 500)]
        await picture(page, "rewards-sold")
        await row.get_by_role("button", name="Change").click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_label("Channel points").fill("700")
        await dialog.get_by_label("Title").fill("A seat")
        await dialog.get_by_role("button", name="Change it").click()
        await expect(row).to_contain_text("A seat, 700 points")
        await row.get_by_role("button", name="Remove: A seat").click()
        await page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        await expect(row).to_have_count(0)
        assert shop.shown == {}


async def test_the_overlay_is_covered_copied_played_and_renewed(browser: Browser, site: Site) -> None:
    async with opened(browser) as page:
        await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await as_operator(page, site, "overlay")
        address = page.get_by_test_id("overlay-address")
        await expect(address).to_contain_text("••••")
        await page.get_by_label("Where").select_option("top")
        await page.get_by_role("button", name="Copy the address").click()
        await tell(page, "The address is copied.")
        former = await page.evaluate("navigator.clipboard.readText()")
        assert former.startswith("https://games.example/overlay/")
        assert former.endswith("?at=top")
        await page.get_by_role("button", name="Show it").click()
        await expect(address).to_have_text(former)
        await page.get_by_role("button", name="Play a sample").click()
        scene = page.frame_locator(".desk-scene-frame")
        await expect(scene.locator("svg").first).to_be_visible(timeout=20_000)
        await picture(page, "overlay-sample")
        await page.get_by_role("button", name="Make a new address").click()
        await page.get_by_role("dialog").get_by_label("Why").fill("it was on stream")
        await page.get_by_role("dialog").get_by_role("button", name="Make a new address").click()
        await tell(page, "The former address is dead.")
        await expect(address).not_to_have_text(former)
        assert await site.bot.parts.overlay_keys.room(former.split("/")[-1].split("?")[0]) is None
        await expect(page.locator("#told")).not_to_contain_text("/overlay/")


async def test_access_words_lists_and_switches_are_changed_as_chat_does(browser: Browser, site: Site) -> None:
    await site.both.chat("bob", "!credits")
    async with opened(browser) as page:
        await as_operator(page, site, "access")
        await page.get_by_label("Find a command").fill("!give")
        row = page.locator("[data-command='give']")
        await row.locator("summary").click()
        await row.locator("#set-permissions-give").select_option("regular")
        await row.locator("#set-cooldowns-give").fill("5/30")
        await row.locator("#set-cooldowns-give").press("Tab")
        await expect(page.locator("#bar")).to_contain_text("2 changes")
        await page.keyboard.press("Control+Enter")
        await picture(page, "access-compared")
        await page.get_by_test_id("go").click()
        await expect(row.locator(".desk-row-values")).to_have_text("regular · 5/30")
        assert chosen(site, "permissions") == {"give": "regular"}
        assert chosen(site, "cooldowns") == {"give": "5/30"}

        await page.get_by_role("button", name="Your own commands").click()
        await page.get_by_label("Your word").fill("rob")
        await page.get_by_label("What it stands for").fill("!heist 100")
        await page.get_by_label("What it stands for").press("Enter")
        await expect(page.locator("[data-list='aliases']")).to_contain_text("!rob → !heist 100")
        await page.get_by_role("button", name="Remove: rob").click()
        await page.get_by_test_id("go").click()
        await expect(page.locator("[data-list='aliases'] li")).to_have_count(0)

        await page.get_by_role("button", name="Regulars and excluded").click()
        await page.get_by_label("Member").first.fill("bob")
        await page.get_by_label("Member").first.press("Enter")
        await expect(page.locator("[data-list='regulars'] b")).to_have_text("Bob")
        await page.locator("[data-list='regulars']").get_by_role("button", name="Remove").click()
        await page.get_by_test_id("go").click()
        await expect(page.locator("[data-list='regulars'] b")).to_have_count(0)

        await page.get_by_role("button", name="What can be played").click()
        await page.locator("#set-games-heist").click()
        await page.locator("#apply").click()
        await page.get_by_test_id("go").click()
        await expect(page.locator("#bar")).to_be_hidden()
        assert chosen(site, "games") == {"heist": "no"}


async def test_every_command_is_a_form_and_what_only_reads_answers_in_its_place(
    browser: Browser, site: Site
) -> None:
    await site.both.chat("bob", "!credits")
    async with opened(browser) as page:
        await as_operator(page, site, "commands")
        await page.get_by_label("Find a command").fill("audit")
        row = page.locator("[data-command='grant']")
        await expect(row).to_be_hidden()
        await page.get_by_label("Find a command").fill("grant")
        await row.locator("summary").click()
        await row.locator("[data-option='member']").fill("bob")
        await row.locator("[data-option='amount']").fill("60")
        await row.get_by_role("button", name="Do it: !grant").click()
        await tell(page, "Bob")
        await page.get_by_label("Find a command").fill("audit")
        row = page.locator("[data-command='audit']")
        await row.locator("summary").click()
        await row.get_by_role("button", name="Ask: !audit").click()
        await expect(row.locator(".desk-bubble").first).to_contain_text("240 credits → 300 credits")
        await picture(page, "commands-audit")


async def test_a_setting_is_found_by_a_few_letters_and_gone_to(browser: Browser, site: Site) -> None:
    async with opened(browser) as page:
        await as_operator(page, site, "room")
        await page.locator("#main").focus()
        await page.keyboard.press("/")
        await page.keyboard.type("lobby")
        await expect(page.locator("#found li").first).to_contain_text("· lobby")
        await picture(page, "finder")
        await page.keyboard.press("Enter")
        await expect(page.locator("#set-heist-lobby")).to_be_focused()
        await page.keyboard.press("Control+a")
        await page.keyboard.type("/")
        await expect(page.locator("#set-heist-lobby")).to_have_value("/")
