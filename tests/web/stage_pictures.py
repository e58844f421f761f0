"""What the local page looks like at each moment of each game, and the command that paints it.

`python -m tests.web.stage_pictures` paints the pictures of the documentation (`data/pictures`). With a
folder, `python -m tests.web.stage_pictures look`, it paints every moment of every game there, on a desktop
and on a phone, light and dark, in English and in Korean: look at them before you commit a change of the page.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import tempfile
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from PIL import Image
from playwright.async_api import Page, async_playwright, expect

from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.kernel.fair import Rng
from chatbot.runtime.clock import LoopWatch
from chatbot.speech.words import Words
from chatbot.web.crowd import Crowd
from chatbot.web.server import Server
from cogs.local.adapter import LocalChat
from tests.bot.sources import sources_of
from tests.template import store_at
from tests.web.chromium import running
from tests.web.viewers import viewer_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from playwright.async_api import Browser

    from chatbot.rooms.table_protocol import Table

SHOWN = Path(__file__).parents[2] / "data" / "pictures"
ME = "Mina"
OTHERS = ("joon", "Bibi_", "Rook", "캔디", "otto")
DESKTOP, PHONE = (1440, 900), (390, 844)
SETTLED = 700  # milliseconds after which nothing moves any more
PATIENCE = 20_000


@dataclass
class Theatre:
    """A running page with the viewer who is looked over the shoulder."""

    chat: LocalChat
    page: Page

    async def say(self, name: str, *texts: str, private: bool = False) -> None:
        for text in texts:
            await self.chat.say(viewer_of(name, "viewer"), text, private=private)

    async def type(self, text: str) -> None:
        await self.page.get_by_test_id("composer").fill(text)
        await self.page.get_by_test_id("composer").press("Enter")

    @property
    def table(self) -> Table:
        return next(each for each in self.chat.room.tables.values() if not each.over)

    async def hurry(self) -> None:
        await self.chat.bot.hurry(self.chat.room, self.table.id)

    async def until(self, moment: str) -> None:
        drawing = self.page.get_by_test_id("drawing")
        await expect(drawing).to_have_attribute("data-moment", moment, timeout=PATIENCE)

    async def rest(self, milliseconds: float = SETTLED) -> None:
        await self.page.wait_for_timeout(milliseconds)

    async def skip_one(self) -> None:
        """Skip what is being revealed, if anything is."""
        skip = self.page.get_by_test_id("skip-reveal")
        if await skip.is_visible():
            await skip.click()
        await self.rest(200)

    async def skip(self) -> None:
        """Go on to the finish."""
        for _ in range(3):
            if await self.page.get_by_test_id("drawing").get_attribute("data-moment") == "winner":
                break
            await self.skip_one()
        await self.until("winner")
        await self.rest()


Play: TypeAlias = "Callable[[Theatre], AsyncIterator[str]]"
"""Plays a game, and stops at each moment that is painted, whose name it gives."""


async def _nothing(theatre: Theatre) -> AsyncIterator[str]:
    await theatre.rest()
    yield "empty"


async def _heist(theatre: Theatre) -> AsyncIterator[str]:
    for place, name in enumerate(OTHERS[:4]):
        await theatre.say(name, f"!heist {60 + 20 * place}")
    await theatre.rest()
    yield "invited"
    await theatre.type("!heist 120")
    await theatre.until("gathering")
    await theatre.rest()
    yield "lobby"
    await theatre.hurry()
    await theatre.rest()
    yield "play"
    await theatre.say(OTHERS[1], "!backout", private=True)
    await theatre.hurry()
    await theatre.hurry()
    await theatre.until("outcome")
    await theatre.rest(3_000)
    yield "reveal"
    await theatre.skip()
    yield "finish"


async def _chickenpoker(theatre: Theatre) -> AsyncIterator[str]:
    await theatre.type("!chicken 4 50")
    await theatre.rest(200)
    for name in OTHERS[:2]:
        await theatre.say(name, "!chicken")
    await theatre.rest()
    yield "lobby"
    await theatre.hurry()
    await theatre.rest()
    yield "play"
    for number in range(4):
        cards = zip((ME, *OTHERS[:2]), ((4, 4, 2), (3, 1, 4), (2, 3, 3), (1, 2, 1))[number], strict=True)
        for name, card in cards:
            await theatre.say(name, f"!play {card}", private=True)
        if number == 0:
            await theatre.rest(1_500)
            yield "reveal"
        await theatre.rest(300)
        await theatre.skip_one()
    await theatre.skip()
    yield "finish"


async def _sixcardpoker(theatre: Theatre) -> AsyncIterator[str]:
    await theatre.say("joon", "hello")
    await theatre.type("!sixcard @joon 50")
    await theatre.rest()
    yield "lobby"
    await theatre.say("joon", "!sixcard accept")
    await theatre.rest()
    yield "play"
    for _ in range(4):
        await theatre.page.get_by_test_id("set-hand").get_by_test_id("set-card").first.click()
        await theatre.rest(300)  # until it lies
    await theatre.rest()
    yield "laying"
    await theatre.say("joon", "!set auto", private=True)
    await theatre.type("!set auto")
    await theatre.until("outcome")
    await theatre.rest(2_300)
    yield "reveal"
    await theatre.skip()
    yield "finish"


async def _highshow(theatre: Theatre) -> AsyncIterator[str]:
    await theatre.type("!highshow 20 3 linear=2 50")
    await theatre.until("play")  # once its par is computed
    await theatre.rest()
    yield "lobby"
    for line in ("!another", "!cashout", "!another", "!cashout"):
        await theatre.type(line)
        await theatre.rest(250)
    await theatre.rest()
    yield "play"
    await theatre.type("!cashout")
    await theatre.rest()
    yield "guess"
    await theatre.type("!guess 5 20")
    await theatre.until("outcome")
    await theatre.rest(2_300)
    yield "reveal"
    await theatre.skip()
    yield "finish"


async def _pokermarket(theatre: Theatre) -> AsyncIterator[str]:
    await theatre.type("!market 1 50")
    await theatre.rest(200)
    for name in OTHERS[:2]:
        await theatre.say(name, "!market")
    await theatre.rest()
    yield "lobby"
    await theatre.hurry()
    for _ in range(30):
        if (acting := theatre.table.view(None).acting) == "local:mina":
            break
        await (theatre.say(acting.removeprefix("local:"), "!pass") if "local" in acting else theatre.hurry())
    await theatre.rest()
    yield "play"
    for each in (theatre.page.get_by_test_id("pick").first, theatre.page.get_by_test_id("pick").last):
        await each.click()
    await theatre.rest()
    yield "choosing"
    await theatre.type("!pass")
    await theatre.rest(200)
    while any(not each.over for each in theatre.chat.room.tables.values()):
        await theatre.hurry()
    await theatre.until("outcome")
    await theatre.rest(2_300)
    yield "reveal"
    await theatre.skip()
    yield "finish"


PLAYS: dict[str, Play] = {
    "nothing": _nothing,
    "heist": _heist,
    "chickenpoker": _chickenpoker,
    "sixcardpoker": _sixcardpoker,
    "highshow": _highshow,
    "pokermarket": _pokermarket,
}


@asynccontextmanager
async def played(
    browser: Browser, size: tuple[int, int], scheme: str = "dark", language: str = "en"
) -> AsyncIterator[Theatre]:
    """Open a page of this size, on which Mina has entered; luck is the same each time."""
    with tempfile.TemporaryDirectory() as folder:
        store, watch = await store_at(Path(folder) / "rabble.db"), LoopWatch()
        bot = Bot(kits(), store, Words(language), watch, sources_of("a"))
        chat = LocalChat(bot, "run")
        await bot.open(chat.room)
        server = Server(chat, Crowd(chat, Rng.of("crowd")), "127.0.0.1", 0)
        address = await server.start()
        context = await browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        try:
            page = await context.new_page()
            await page.goto(address)
            await page.get_by_test_id("welcome-name").fill(ME)
            await page.get_by_test_id("welcome-enter").click()
            await expect(page.get_by_test_id("welcome-name")).to_be_hidden()
            yield Theatre(chat, page)
        finally:
            await context.close()
            await server.stop()
            await watch.settle()
            await store.close()


async def painted(
    browser: Browser, game: str, moments: Sequence[str], size: tuple[int, int], *look: str
) -> dict[str, Image.Image]:
    """Return a picture of each of these moments of a game, or of all for none."""
    found = {}
    async with played(browser, size, *look) as theatre:
        async for moment in PLAYS[game](theatre):
            if not moments or moment in moments:
                found[moment] = Image.open(io.BytesIO(await theatre.page.screenshot())).convert("RGB")
    return found


async def look(folder: Path, game: str, size: tuple[int, int], scheme: str, language: str) -> None:
    """Paint every moment of a game for somebody who looks at them."""
    async with browsing() as browser:
        for moment, picture in (await painted(browser, game, (), size, scheme, language)).items():
            picture.save(folder / f"{game}-{moment}-{size[0]}-{scheme}-{language}.png")


LOOKS = ((DESKTOP, "dark", "en"), (PHONE, "light", "en"), (DESKTOP, "light", "ko"), (PHONE, "dark", "ko"))
SHEETS: dict[str, tuple[tuple[int, int], tuple[int, int], tuple[tuple[str, str], ...]]] = {
    "page.png": (DESKTOP, (960, 600), (("heist", "reveal"), ("sixcardpoker", "laying"))),
    "page-phone.png": (
        PHONE,
        PHONE,
        (("heist", "play"), ("sixcardpoker", "laying"), ("chickenpoker", "play")),
    ),
}
"""Pictures of the documentation: the size of the page, the size on show, and moments beside each other."""


async def _paint_cell(game: str, moment: str, size: tuple[int, int]) -> Image.Image:
    async with browsing() as browser:
        return (await painted(browser, game, [moment], size))[moment]


def _paint_shown() -> None:
    for name, (size, shown, cells) in SHEETS.items():
        sheet = Image.new("RGB", (shown[0] * len(cells), shown[1]))
        for number, (game, moment) in enumerate(cells):
            picture = asyncio.run(_paint_cell(game, moment, size))
            sheet.paste(picture.resize(shown, Image.Resampling.LANCZOS), (number * shown[0], 0))
        sheet.save(SHOWN / name, optimize=True)


@asynccontextmanager
async def browsing() -> AsyncIterator[Browser]:
    with running() as address:
        async with async_playwright() as playwright:
            yield await playwright.chromium.connect_over_cdp(address)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.web.stage_pictures", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="where all moments are painted")
    parser.add_argument("games", nargs="*", help="of which they are painted; all by default")
    asked = parser.parse_args()
    if not asked.folder:
        _paint_shown()
        return
    asked.folder.mkdir(parents=True, exist_ok=True)
    for game, chosen in product(asked.games or PLAYS, LOOKS):  # each with clocks and loops of its own
        asyncio.run(look(asked.folder, game, *chosen))


if __name__ == "__main__":
    main()
