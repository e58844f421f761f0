"""The site of a ladder: pages made from its book alone, which need no server and load nothing else."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from arena.ladder.entrants import FRONT
from arena.ladder.pages import front_page, player_page
from arena.ladder.standings import standings
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from arena.ladder.book import LadderBook

_STATIC = files("arena.ladder") / "static"
_FONTS = files("chatbot.web") / "static" / "fonts"
_DIGITS = 6  # of a duel's number in the name of its log


def log_path(number: int) -> str:
    """Return the path of the log of a duel in the folder of its ladder."""
    return f"logs/{number:0{_DIGITS}}.txt.gz"


def write_site(folder: Path, book: LadderBook) -> None:
    """Write the pages; one that is as it was is left alone.

    Raises:
        Failure: one of them cannot be written.
    """
    for name, content in _pages(book):
        try:
            _write(folder / name, content)
        except OSError as error:
            raise Failure(f"{folder / name} cannot be written: {error.strerror}.") from None


def _pages(book: LadderBook) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the content of each file."""
    table = standings(book)
    yield FRONT, front_page(book, table).encode()
    for place in (*table.active, *table.former):
        yield f"players/{place.entrant.key}.html", player_page(book, table, place).encode()
    yield "ladder.css", (_STATIC / "ladder.css").read_bytes()
    for each in sorted(_FONTS.iterdir(), key=lambda each: each.name):
        if not each.name.endswith(".md"):
            yield f"fonts/{each.name}", each.read_bytes()


def _write(file: Path, content: bytes) -> None:
    if file.exists() and file.read_bytes() == content:
        return
    file.parent.mkdir(exist_ok=True)
    part = file.with_name(f"{file.name}.part")
    part.write_bytes(content)
    part.replace(file)
