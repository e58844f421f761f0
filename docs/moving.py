"""Writes docs/operate/moving.md: a whole move from another bot, with the commands and what they answer.

`python -m docs.moving` writes it, and `--check` only says whether it is out of date. The commands and the bot
are the program's own, on a database that is made for it; the people are invented.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shlex
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from datetime import UTC, datetime
from io import StringIO
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from unittest.mock import patch

from chatbot.bot.bot import Bot
from chatbot.cli import entry
from chatbot.cli.rehearsal import sources_of
from chatbot.invocation import STARTED_AS
from chatbot.kernel.game import Role
from chatbot.ledger.people import Account
from chatbot.ledger.store.store import Store
from chatbot.rooms.channel import Channel
from chatbot.rooms.line import Line
from chatbot.rooms.room import Room
from chatbot.runtime.clock import HandWatch
from chatbot.speech.words import Words
from cogs.twitch.channels import MANNER
from docs.evening import wrapped
from docs.generate import own_games

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.rooms.channel import Delivery

PAGE = Path(__file__).parent / "operate" / "moving.md"
SEED = "moving in"
START = datetime(2026, 1, 9, 20, tzinfo=UTC)
ROOM = "twitch:1"
COMMUNITY = "twitch-1"
IDS = {"ada": "1", "Mina": "2002", "otto_k": "2003", "zed": "2005"}
FILE = """\
username;points;minutes
Mina;1.200;4310
otto_k;3.450;9020
Otto_K;350;60
rook;-40;15
zed;2.500;801
;75;3
lena_h;910;377
"""
INTRODUCTION = """\
# A move, from the old file to `!top`

Ada's old bot leaves `points.csv`, and three things are wrong with it: nobody can tell from it whether
`1.200` is a thousand or one, somebody stands in it twice, and two rows are no balance. [Balances from another
bot](import.md) has all options; the [desk](../moderate/desk.md) shows the same under *Moving in*.

<!-- Written by `python -m docs.moving`. -->
"""


def main() -> None:
    """Write the page, or say whether it is old."""
    parser = argparse.ArgumentParser(prog="python -m docs.moving", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the page is old")
    asked = parser.parse_args()
    text = page()
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return
    print(f"docs/operate/{PAGE.name} {'is out of date' if asked.check else 'is written'}")
    if asked.check:
        sys.exit(1)
    PAGE.write_text(text, encoding="utf-8", newline="\n")


def page() -> str:
    """Move, and return the page."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "points.csv").write_text(FILE, encoding="utf-8")
        return "\n".join(_moved(folder)) + "\n"


def _moved(folder: Path) -> Iterator[str]:
    yield INTRODUCTION
    yield from ("```text", *FILE.splitlines(), "```", "")
    yield from ("## The plan", "", "A dry run says first what cannot be known, then what is wrong.", "")
    asyncio.run(_chat(folder, (("ada", "!credits"), ("Mina", "hello"))))
    bring = f"import points.csv --community {COMMUNITY} --thousands ."
    yield from _typed(folder, f"import points.csv --community {COMMUNITY} --dry-run")
    yield from _typed(folder, f"{bring} --dry-run")
    yield "Ada decides: of two rows of one person the larger counts, debts are forgiven, and a row of nobody"
    yield "is left out."
    yield ""
    decided = f"{bring} --same most --negative zero --skip-bad"
    yield from _typed(folder, f"{decided} --dry-run")
    yield from ("## The import", "")
    yield from _typed(folder, decided)
    yield from ("## In the chat", "")
    yield "Mina was here before the move. Otto and Zed were not: what is theirs waits until they speak."
    yield ""
    first = ("Mina", "!top"), ("ada", "!credits @zed"), ("zed", "hello"), ("otto_k", "!credits")
    yield from _told(asyncio.run(_chat(folder, (*first, ("Mina", "!top")))))
    yield from (
        "## One row back",
        "",
        "Lena's old account was not hers. Her row, line 8 of the file, is taken back.",
        "",
    )
    yield from _typed(folder, "import --undo points.csv --row 8")
    yield from _typed(folder, "audit")


def _typed(folder: Path, line: str) -> Iterator[str]:
    """Type a command; yield it with what it answers."""
    out = StringIO()
    environment = {"CHATBOT_DATABASE": "sqlite:///rabble.db", STARTED_AS: "uv run chatbot", "COLUMNS": "100"}
    given = ["chatbot", *shlex.split(line)]
    with chdir(folder), patch.dict(os.environ, environment), patch.object(sys, "argv", given):
        try:
            with redirect_stdout(out), redirect_stderr(out):
                entry.main()
        except SystemExit:
            pass  # what it has said stands below
    yield from ("```console", f"$ uv run chatbot {line}")
    for each in out.getvalue().rstrip().splitlines():
        yield from [""] if not each.strip() else wrapped(each.rstrip())
    yield from ("```", "")


def _told(lines: list[tuple[str, str]]) -> Iterator[str]:
    """Yield what was said in the chat."""
    yield "```text"
    for who, text in lines:
        yield from wrapped(f"{who}: {text}")
    yield from ("```", "")


async def _chat(folder: Path, lines: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    """Let people say something in the room of the database; return all that is said."""
    heard = _Heard()
    store = await Store.open(f"sqlite:///{(folder / 'rabble.db').as_posix()}", alone=True)
    try:
        watch, ids = HandWatch(START), count()
        bot = Bot(own_games(), store, Words("en"), watch, sources_of(SEED, SEED))
        await bot.open(Room(ROOM, COMMUNITY, (Channel(ROOM, "twitch", heard, MANNER),)))
        for who, text in lines:
            heard.said.append((who, text))
            role = Role.BROADCASTER if who == "ada" else Role.VIEWER
            line = Line(
                f"{len(text)}:{next(ids)}",
                ROOM,
                Account("twitch", IDS[who]),
                who,
                role,
                text,
                login=who.lower(),
            )
            await bot.converse(line)
            await watch.turn(20)
        await bot.close()
    finally:
        await store.close()
    return heard.said


class _Heard:
    """The platform of the room, which keeps what is said."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str]] = []

    async def send(self, delivery: Delivery) -> None:
        """Note what the bot says."""
        self.said.append(("Rabble", delivery.text))


if __name__ == "__main__":
    main()
