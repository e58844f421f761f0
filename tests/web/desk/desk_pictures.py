"""What the desk looks like, and the command that paints it.

`python -m tests.web.desk.desk_pictures` paints the pictures of the documentation (`data/pictures`). With a
folder, `python -m tests.web.desk.desk_pictures look`, it paints every section there, on a desktop, in a dock
and on a phone, light and dark, in English and in Korean: look at them before you commit a change of the desk.
"""

from __future__ import annotations

import argparse
import asyncio
import io
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image
from playwright.async_api import expect

from tests.web.desk.pages import DOCK, PHONE, as_operator, opened
from tests.web.desk.staging import staged

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

    from tests.web.desk.site import Site

SHOWN = Path(__file__).parents[3] / "data" / "pictures"
WIDE, WIDE_SHOWN = (1280, 860), (960, 645)
DESKTOP = (1440, 900)
SETTLED = 500  # milliseconds after which nothing moves any more
GAP, GROUND = 24, "#767d8c"
LOOKS = (
    (DESKTOP, "dark", "en"),
    (DESKTOP, "light", "ko"),
    (PHONE, "light", "en"),
    (PHONE, "dark", "ko"),
    (DOCK, "dark", "en"),
)


async def _shot(page: Page) -> Image.Image:
    await page.wait_for_timeout(SETTLED)
    return Image.open(io.BytesIO(await page.screenshot())).convert("RGB")


async def _settings(page: Page, site: Site) -> Image.Image:
    """The settings of a game with two changes that are not applied yet."""
    await as_operator(page, site, "heist")
    for key, value in (("min_stake", "50"), ("lobby", "90")):
        await page.locator(f"#set-heist-{key}").fill(value)
        await page.locator(f"#set-heist-{key}").press("Tab")
    await expect(page.locator("#bar")).to_contain_text("2")
    await page.locator("#set-heist-lobby").scroll_into_view_if_needed()
    await page.evaluate("scrollBy(0, -140)")
    return await _shot(page)


async def _text(page: Page, site: Site) -> Image.Image:
    """A text while it is typed."""
    await as_operator(page, site, "texts")
    await page.locator("[data-text='entry'] button").first.click()
    await page.get_by_label("Your text").fill("{who} drops through the roof with {stake}.")
    await expect(page.locator(".desk-editor [role=status] .desk-bubble")).to_contain_text("roof")
    return await _shot(page)


async def _preset(page: Page, site: Site) -> Image.Image:
    """A preset with its difference."""
    await as_operator(page, site, "heist")
    await page.locator("[data-preset='contest']").click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    return await _shot(page)


async def _overlay(page: Page, site: Site) -> Image.Image:
    """The overlay over a scene."""
    await as_operator(page, site, "overlay")
    await page.get_by_role("button", name="Play a sample").click()
    await expect(page.frame_locator(".desk-scene-frame").locator("svg").first).to_be_visible()
    await page.evaluate("scrollTo(0, document.body.scrollHeight)")
    await page.wait_for_timeout(4_000)  # until people have gathered in it
    return await _shot(page)


SHEETS = {
    "desk.png": (WIDE_SHOWN, ((_settings, WIDE, "dark"), (_text, WIDE, "light"))),
    "desk-small.png": (
        (400, 800),
        ((_preset, DOCK, "dark"), (_text, DOCK, "light"), (_overlay, DOCK, "dark")),
    ),
}
"""Pictures of the documentation: the size of each part, and the parts beside each other."""


async def _paint_shown() -> None:
    async with staged() as (site, browser):
        for name, (shown, parts) in SHEETS.items():
            width = len(parts) * shown[0] + (len(parts) - 1) * GAP
            sheet = Image.new("RGB", (width, shown[1]), GROUND)
            for number, (part, size, scheme) in enumerate(parts):
                async with opened(browser, size, scheme) as page:
                    image = (await part(page, site)).resize(shown, Image.Resampling.LANCZOS)
                sheet.paste(image, (number * (shown[0] + GAP), 0))
            sheet.save(SHOWN / name, optimize=True)


async def look(folder: Path) -> None:
    """Paint every section into a folder."""
    async with staged() as (site, browser):
        for size, scheme, language in LOOKS:
            operator = await site.operator()
            await operator.use(site.twitch_room, "set", f"room language {language}")
            await _paint_sections(folder, site, browser, (size, scheme, language))


async def _paint_sections(
    folder: Path, site: Site, browser: Browser, look: tuple[tuple[int, int], str, str]
) -> None:
    size, scheme, language = look
    async with opened(browser, size, scheme) as page:
        await as_operator(page, site, "heist")
        buttons = page.locator(".desk-list [data-section]")
        for section in await buttons.evaluate_all("all => all.map(each => each.dataset.section)"):
            await page.evaluate(
                "id => document.querySelector(`.desk-list [data-section='${id}']`).click()", section
            )
            (await _shot(page)).save(folder / f"{section}-{size[0]}-{scheme}-{language}.png")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.web.desk.desk_pictures", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="where all sections are painted")
    asked = parser.parse_args()
    if not asked.folder:
        asyncio.run(_paint_shown())
        return
    asked.folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(look(asked.folder))


if __name__ == "__main__":
    main()
