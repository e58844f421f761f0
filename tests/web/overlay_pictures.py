"""What the overlay looks like: the moments of which pictures are kept, and the command that paints them.

`python -m tests.web.overlay_pictures` paints the pictures of the tests (`tests/web/golden`), and with
`--readme` those of the documentation (`data/pictures`), over a scene that stands in for a streamer's game.
"""

from __future__ import annotations

import argparse
import asyncio
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageDraw, ImageFilter
from playwright.async_api import async_playwright

from tests.web.chromium import running
from tests.web.overlay_server import PATIENCE, OverlayServer, time_of, viewing
from tests.web.recording import THEMES, kept, over

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.async_api import Browser

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden"
SHOWN = ROOT / "data" / "pictures"
SIZE = (960, 540)
FULL = (1920, 1080)
COLOURS = 96  # of a picture that is kept


@dataclass(frozen=True)
class Moment:
    """A moment of a recording, in seconds after its first event, or after the end of its table."""

    name: str
    seconds: float
    after_end: bool = False


MOMENTS = {
    "heist": (
        Moment("gathering", 8),
        Moment("getaway", 69),
        Moment("storming", -2, after_end=True),
        Moment("outcome", 3.6, after_end=True),
        Moment("cross", 6.9, after_end=True),
        Moment("crossed", 8.9, after_end=True),
        Moment("winner", 12, after_end=True),
        Moment("best", 15, after_end=True),
    ),
    "crowd": (Moment("gathering", 20), Moment("credits", 4, after_end=True)),
    "chickenpoker": (
        Moment("gathering", 8),
        Moment("play", 64),
        Moment("round", 67.9),
        Moment("winner", 10, after_end=True),
    ),
    "sixcardpoker": (
        Moment("play", 8),
        Moment("outcome", 2.2, after_end=True),
        Moment("winner", 6, after_end=True),
    ),
    "duel": (Moment("gathering", 3.5), Moment("play", 8)),
    "highshow": (
        Moment("play", 8),
        Moment("dark", 2.4, after_end=True),
        Moment("outcome", 5, after_end=True),
        Moment("winner", 8, after_end=True),
    ),
    "pokermarket": (
        Moment("gathering", 8),
        Moment("play", 66),
        Moment("outcome", 3.2, after_end=True),
        Moment("winner", 6, after_end=True),
    ),
}


LEAGUE = "league"
LEAGUE_MOMENTS = (Moment("play", 1), Moment("outcome", 6), Moment("final", 27))  # of the sample


def seconds_of(moment: Moment, events: Sequence[dict[str, Any]]) -> float:
    """Return when a moment is, in seconds after the first event."""
    if not moment.after_end:
        return moment.seconds
    return time_of(over(events)) - time_of(events[0]) + moment.seconds


async def paint(
    browser: Browser,
    events: Sequence[dict[str, Any]],
    moments: Sequence[Moment],
    query: str,
    size: tuple[int, int] = SIZE,
) -> dict[str, Image.Image]:
    """Return a transparent picture of each moment, by its name."""
    pictures = {}
    async with viewing(browser, events, query, size) as view:
        for moment in moments:
            await view.reach(seconds_of(moment, events))
            painted = await view.page.screenshot(omit_background=True)
            pictures[moment.name] = Image.open(io.BytesIO(painted)).convert("RGBA")
    return pictures


def themes_of(game: str) -> Sequence[str]:
    """Return the themes of which pictures are kept; a league looks the same in all."""
    return THEMES[:1] if game == LEAGUE else THEMES


async def paint_kept(browser: Browser, game: str, theme: str) -> dict[str, Image.Image]:
    """Return a transparent picture of each moment that is kept of a game, or of a league, by its name."""
    if game == LEAGUE:
        return await paint_league(browser)
    return await paint(browser, kept(game, theme), MOMENTS[game], f"?theme={theme}")


async def paint_league(browser: Browser) -> dict[str, Image.Image]:
    """Return a transparent picture of each moment of the sample of a league, by its name."""
    server, pictures = OverlayServer(), {}
    address = await server.start()
    page = await browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
    try:
        await page.clock.install(time=0)
        await page.clock.pause_at(1)
        await page.goto(f"{address.rpartition('/')[0]}/sample?show=league")
        async with asyncio.timeout(PATIENCE):
            while not await page.locator(".plate").count():  # its timers stand still until they are made
                await page.clock.run_for(1)
        await page.evaluate("document.fonts.ready.then(() => null)")
        now = 0.0
        for moment in LEAGUE_MOMENTS:
            await page.clock.run_for(round((moment.seconds - now) * 1000))
            now = moment.seconds
            await page.evaluate("Promise.allSettled(document.getAnimations().map((each) => each.finished))")
            painted = await page.screenshot(omit_background=True)
            pictures[moment.name] = Image.open(io.BytesIO(painted)).convert("RGBA")
    finally:
        await page.close()
        await server.stop()
    return pictures


def path_of(game: str, moment: str, theme: str) -> Path:
    """Return where the picture of a moment is kept."""
    return GOLDEN / f"{game}-{moment}-{theme}.png"


def scene(size: tuple[int, int] = FULL) -> Image.Image:
    """Draw a busy scene that stands in for the game of a streamer: hills, towers and a sun at dusk."""
    width, height = size
    picture = Image.new("RGBA", size)
    pen = ImageDraw.Draw(picture)
    for row in range(height):
        part = row / height
        pen.line(
            ((0, row), (width, row)), fill=(int(60 + 180 * part), int(90 + 60 * part), int(150 - 60 * part))
        )
    pen.ellipse((1250, 180, 1530, 460), fill=(255, 214, 150))
    for layer, (base, step, colour) in enumerate(
        ((560, 170, (110, 92, 120)), (690, 130, (78, 88, 84)), (830, 110, (52, 74, 56)))
    ):
        ridge = [(x, base + (x * 37 + layer * 61) % step - step // 2) for x in range(0, width + 200, 100)]
        pen.polygon([(0, height), *ridge, (width, height)], fill=colour)
    for number in range(16):
        x, tall = 40 + number * 122, 90 + (number * 53) % 170
        pen.rectangle((x, 850 - tall, x + 62, 900), fill=(38, 46, 48))
        for window in range(3):
            pen.rectangle(
                (x + 12, 866 - tall + window * 30, x + 24, 880 - tall + window * 30), fill=(255, 200, 90)
            )
    picture = picture.filter(ImageFilter.GaussianBlur(3))
    pen = ImageDraw.Draw(picture)
    pen.rounded_rectangle((54, 54, 420, 96), 12, fill=(20, 20, 20, 255))
    pen.rounded_rectangle((60, 60, 330, 90), 9, fill=(206, 62, 62))
    pen.ellipse((1650, 60, 1860, 270), fill=(30, 40, 36), outline=(220, 220, 220), width=5)
    pen.polygon(((1755, 130), (1775, 190), (1735, 190)), fill=(255, 255, 255))
    return picture


async def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.web.overlay_pictures", description=__doc__)
    parser.add_argument("games", nargs="*", help="of which pictures of the tests are painted; all by default")
    parser.add_argument(
        "--readme", action="store_true", help="paint the pictures of the documentation instead"
    )
    asked = parser.parse_args()
    with running() as address:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.connect_over_cdp(address)
            await (
                _paint_shown(browser)
                if asked.readme
                else _paint_golden(browser, asked.games or [*MOMENTS, LEAGUE])
            )


async def _paint_golden(browser: Browser, games: Sequence[str]) -> None:
    GOLDEN.mkdir(exist_ok=True)
    for game in games:
        for theme in themes_of(game):
            for name, picture in (await paint_kept(browser, game, theme)).items():
                picture.quantize(COLOURS, method=Image.Quantize.FASTOCTREE).save(
                    path_of(game, name, theme), optimize=True
                )


async def _paint_shown(browser: Browser) -> None:
    """Paint four moments of a heist in one picture, and of other tables in another one."""
    behind = scene()

    async def shown(game: str, moment: str, query: str) -> Image.Image:
        chosen = [each for each in MOMENTS[game] if each.name == moment]
        events = kept(game, "space" if "space" in query else "bank")
        painted = await paint(browser, events, chosen, query, FULL)
        return Image.alpha_composite(behind, painted[moment])

    for name, cells in SHEETS.items():
        pictures = [(await shown(*cell)).resize(SIZE, Image.Resampling.LANCZOS) for cell in cells]
        sheet = Image.new("RGB", (SIZE[0] * 2, SIZE[1] * (len(cells) // 2)))
        for number, picture in enumerate(pictures):
            sheet.paste(picture.convert("RGB"), (number % 2 * SIZE[0], number // 2 * SIZE[1]))
        sheet.save(SHOWN / name, optimize=True)


SHEETS = {
    "overlay.png": (
        ("heist", "gathering", "?at=bottom"),
        ("heist", "storming", "?at=bottom"),
        ("heist", "crossed", "?at=bottom"),
        ("heist", "winner", "?at=bottom"),
    ),
    "overlay-games.png": (
        ("crowd", "credits", "?at=bottom&theme=space"),
        ("chickenpoker", "round", "?at=bottom"),
        ("sixcardpoker", "outcome", "?at=bottom"),
        ("pokermarket", "outcome", "?at=bottom"),
    ),
}


if __name__ == "__main__":
    asyncio.run(main())
