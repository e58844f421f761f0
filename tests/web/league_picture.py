"""The picture of a league in the documentation: a real ladder of ten programs on the overlay.

`python -m tests.web.league_picture` plays the ladder, and paints two moments of it over a scene that stands
in for a streamer's game.
"""

from __future__ import annotations

import asyncio
import io
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image
from playwright.async_api import async_playwright

from tests.web.chromium import running
from tests.web.conftest import opened
from tests.web.leagues import enter_programs, ladder_of_ten
from tests.web.overlay_pictures import FULL, SHOWN, SIZE, scene

if TYPE_CHECKING:
    from playwright.async_api import Page

MOMENTS = ("outcome", "final")
NAMES = {"patient": "patient", "hanbit": "한빛", "bold": "bold-one"}
SETTLED = 600  # milliseconds until all movements have ended


async def main() -> None:
    """Paint the picture."""
    with tempfile.TemporaryDirectory() as name, running() as address:
        folder = Path(name)
        programs, ladder = enter_programs(folder / "programs", NAMES), folder / "ladder"
        with ladder_of_ten(programs, ladder):
            async with async_playwright() as playwright, opened(folder, ladder=ladder) as site:
                browser = await playwright.chromium.connect_over_cdp(address)
                page = await browser.new_page(viewport={"width": FULL[0], "height": FULL[1]})
                key = await site.chat.bot.parts.overlay_keys.of("local")
                await page.goto(f"{site.address}/overlay/{key}?show=league&at=bottom")
                pictures = [await _paint(page, each) for each in MOMENTS]
                await page.close()
                await browser.close()
    sheet = Image.new("RGB", (SIZE[0] * len(MOMENTS), SIZE[1]))
    for number, picture in enumerate(pictures):
        sheet.paste(picture, (number * SIZE[0], 0))
    sheet.save(SHOWN / "league.png", optimize=True)


async def _paint(page: Page, moment: str) -> Image.Image:
    await page.locator(f".plate[data-moment={moment}]").wait_for(timeout=120_000)
    await page.wait_for_timeout(SETTLED)
    painted = Image.open(io.BytesIO(await page.screenshot(omit_background=True))).convert("RGBA")
    return Image.alpha_composite(scene(), painted).convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)


if __name__ == "__main__":
    asyncio.run(main())
