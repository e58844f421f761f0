"""One sheet of all that people see of the program, and the command that makes it.

`python -m tests.web.sheet look` writes each picture at its full size into the folder `look`, a page that
shows them beside each other (`sheet.html`), and a picture of that page (`sheet.png`): overlay, local page,
seats, boards, replays, desk, pictures in Discord, command line, plot of a tournament, site of a ladder, and
the site of the documentation where it has been built into `site`. Look at it after a change of what any of
them looks like: they are one product, and are to look like one.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from chatbot.pictures.painting import png
from tests.pictures.boards import MARKET, REVEALED, scene
from tests.web import overlay_pictures, stage_pictures
from tests.web.desk import desk_pictures
from tests.web.recording import kept
from tests.web.seat import seat_pictures
from tests.web.stage_pictures import DESKTOP, PHONE, browsing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ROOT = Path(__file__).parents[2]
OVERLAY = (
    ("heist", "gathering", "bank"),
    ("heist", "getaway", "bank"),
    ("heist", "crossed", "bank"),
    ("heist", "winner", "space"),
    ("crowd", "credits", "space"),
    ("chickenpoker", "round", "bank"),
    ("sixcardpoker", "outcome", "bank"),
    ("highshow", "play", "bank"),
    ("pokermarket", "outcome", "bank"),
)
STAGE = (
    ("nothing", "empty", DESKTOP, "dark", "en"),
    ("heist", "lobby", DESKTOP, "dark", "en"),
    ("heist", "play", DESKTOP, "light", "ko"),
    ("heist", "finish", DESKTOP, "dark", "en"),
    ("chickenpoker", "reveal", DESKTOP, "light", "en"),
    ("highshow", "play", DESKTOP, "dark", "ko"),
    ("sixcardpoker", "laying", DESKTOP, "dark", "en"),
    ("pokermarket", "choosing", DESKTOP, "light", "en"),
    ("heist", "play", PHONE, "dark", "en"),
    ("chickenpoker", "play", PHONE, "light", "ko"),
    ("sixcardpoker", "laying", PHONE, "dark", "ko"),
    ("pokermarket", "play", PHONE, "light", "en"),
    ("highshow", "finish", PHONE, "dark", "en"),
)
STORY = "ann: !heist 69\nbob: !heist half\n+200\nann: !credits\nmo (moderator): !settings heist\n"
SPOKEN = (
    ("--help",),
    ("doctor",),
    ("rehearse", "--seed", "1"),
    ("arena", "chicken", "nash", "linear", "random", "--games", "20", "--seed", "1"),
)
_TERMINAL = """body{margin:0;width:1048px;background:#14161f;color:#f4f4f6}
pre{margin:0;padding:24px;font:16px/1.45 monospace;white-space:pre-wrap}"""
_SHEET = """body{margin:0;padding:32px;width:1856px;background:#0d0e13;color:#f4f4f6;font:600 20px sans-serif}
section{display:flex;flex-wrap:wrap;gap:20px;align-items:flex-start}h2{margin:36px 0 16px}figure{margin:0}
img{display:block;height:340px;max-width:1856px;border-radius:8px}figcaption{font-size:15px;padding-top:6px}"""


def overlays(folder: Path) -> Iterator[Path]:
    """Paint the overlay over a scene that stands in for a game."""
    for game, moment, theme in OVERLAY:
        file = folder / f"overlay-{game}-{moment}-{theme}.png"
        asyncio.run(_overlay(file, game, moment, theme))
        yield file


async def _overlay(file: Path, game: str, name: str, theme: str) -> None:
    moments = [each for each in overlay_pictures.MOMENTS[game] if each.name == name]
    query = f"?at=bottom&theme={theme}"
    async with browsing() as browser:
        painted = await overlay_pictures.paint(
            browser, kept(game, theme), moments, query, overlay_pictures.FULL
        )
    behind = overlay_pictures.scene()
    behind.alpha_composite(painted[name])
    behind.convert("RGB").save(file)


def pages(folder: Path) -> Iterator[Path]:
    """Paint the local page, on a desktop and on a phone, dark and light, in English and in Korean."""
    for game, moment, size, scheme, language in STAGE:
        file = folder / f"page-{game}-{moment}-{size[0]}-{scheme}-{language}.png"
        asyncio.run(_page(file, game, moment, size, scheme, language))
        yield file


async def _page(
    file: Path, game: str, moment: str, size: tuple[int, int], scheme: str, language: str
) -> None:
    async with browsing() as browser:
        painted = await stage_pictures.painted(browser, game, [moment], size, scheme, language)
    painted[moment].save(file)


def seats(folder: Path) -> Iterator[Path]:
    """Paint seats on phones, boards and replays, on desktops and phones, light and dark."""
    yield from _kept(folder, "seat", seat_pictures.keep)


def desk(folder: Path) -> Iterator[Path]:
    """Paint each section of the desk, on a desktop, a phone and in a dock, in English and in Korean."""
    yield from _kept(folder, "desk", lambda new: asyncio.run(desk_pictures.look(new)))


def _kept(folder: Path, name: str, paint: Callable[[Path], object]) -> Iterator[Path]:
    """Yield the pictures that are painted into a folder of their own, with a name before theirs."""
    with tempfile.TemporaryDirectory() as new:
        paint(Path(new))
        for each in sorted(Path(new).glob("*.png")):
            yield Path(shutil.move(each, folder / f"{name}-{each.name}"))


def discord(folder: Path) -> Iterator[Path]:
    """Paint what tables send to Discord; a heist's result is the one of the documentation."""
    for name, hands in (("sixcardpoker", REVEALED), ("pokermarket", MARKET)):
        file = folder / f"discord-{name}.png"
        file.write_bytes(png(scene(*hands)))
        yield file
    file = folder / "discord-heist.png"
    file.write_bytes((stage_pictures.SHOWN / file.name).read_bytes())
    yield file


def commands(folder: Path) -> Iterator[Path]:
    """Paint what the command line prints, a tournament's plot, and a ladder's site."""
    with tempfile.TemporaryDirectory() as work:
        for words in SPOKEN:
            file = folder / f"terminal-{words[0].strip('-')}.png"
            said = _said(Path(work), words, STORY if words[0] == "rehearse" else "")
            asyncio.run(_photograph(file, content=_terminal(words, said)))
            yield file
        plot = folder / "plot-heist.png"
        _said(Path(work), ("arena", "heist", "--games", "50", "--seed", "1", "--plot", str(plot)))
        yield plot
        programs, ladder = ROOT / "data" / "examples" / "ladder", Path(work) / "ladder"
        rated = (
            "--house",
            "linear,random",
            "--seed",
            "1",
            "--error",
            "120",
            "--games",
            "4",
            "--to",
            str(ladder),
        )
        _said(Path(work), ("ladder", str(programs), *rated))
        yield from _photographed(folder, "ladder", ladder, ("index.html",))


def _said(work: Path, words: Sequence[str], script: str = "") -> str:
    """Run a command in a folder of its own, with the settings that a new user has."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name == "CHATBOT_HOME" or not name.startswith("CHATBOT_")
    }
    done = subprocess.run(
        [sys.executable, "-m", "chatbot", *words],
        input=script, cwd=work, capture_output=True, encoding="utf-8", check=False,
        env={**inherited, "COLUMNS": "100", "PYTHONUTF8": "1", "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    return done.stdout + done.stderr


def _terminal(words: Sequence[str], said: str) -> str:
    line = escape(f"$ uv run chatbot {' '.join(words)}\n{said}")
    return f"<meta charset='utf-8'><style>{_TERMINAL}</style><pre>{line}</pre>"


def documents(folder: Path) -> Iterator[Path]:
    """Paint pages of the documentation's site, if it has been built."""
    yield from _photographed(folder, "docs", ROOT / "site", ("index.html", "play/heist.html"))


def _photographed(folder: Path, name: str, site: Path, pages: Sequence[str]) -> Iterator[Path]:
    for page in pages:
        if (site / page).exists():
            file = folder / f"{name}-{page.replace('/', '-').removesuffix('.html')}.png"
            asyncio.run(_photograph(file, (site / page).as_uri()))
            yield file


async def _photograph(file: Path, address: str = "", content: str = "", *, whole: bool = False) -> None:
    async with browsing() as browser:
        context = await browser.new_context(viewport={"width": DESKTOP[0], "height": DESKTOP[1]})
        page = await context.new_page()
        await (page.goto(address) if address else page.set_content(content))
        if content:
            await page.locator("pre").screenshot(path=file)
        else:
            await page.screenshot(path=file, full_page=whole)
        await context.close()


def _figure(file: Path) -> str:
    picture = f"<a href='{file.name}'><img src='{file.name}' alt=''></a>"
    return f"<figure>{picture}<figcaption>{file.stem}</figcaption></figure>"


SECTIONS = (
    ("On stream", overlays),
    ("The local page", pages),
    ("Seats, boards and replays", seats),
    ("The desk", desk),
    ("In Discord", discord),
    ("Command line, plots and ladders", commands),
    ("Documentation", documents),
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.web.sheet", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures and the sheet are written")
    folder = parser.parse_args().folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    sheet = [f"<!doctype html><meta charset='utf-8'><title>Rabble</title><style>{_SHEET}</style>"]
    for title, painted in SECTIONS:
        figures = "".join(map(_figure, painted(folder)))
        sheet.append(f"<h2>{title}</h2><section>{figures}</section>")
    (folder / "sheet.html").write_text("\n".join(sheet), encoding="utf-8")
    asyncio.run(_photograph(folder / "sheet.png", (folder / "sheet.html").as_uri(), whole=True))


if __name__ == "__main__":
    main()
