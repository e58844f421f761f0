"""Ladders for tests: a game in which everybody says a number, programs in folders, and files to compare."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from arena.engine.players import Lineup
from arena.ladder.entrants import LadderFolder, house_entries, read_folder
from arena.ladder.ladder import LadderOrder, climb
from arena.ladder.rules import DuelRules
from arena.programs.program import Limits
from tests.arena.contests import Counting
from tests.arena.programs.stage import SPEAKS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from arena.ladder.book import LadderBook
    from chatbot.kernel.contest import Contest

SAYS = "while q := asked(): answer(q, {})"
NOBODY = LadderFolder([], {})
PYTHON = f"{shlex.quote(sys.executable.replace(chr(92), '/'))} -I -S"


def rules(contest: Contest | None = None, game: str = "heist", games: int = 2) -> DuelRules:
    """Give the rules of a game that is called so, but played as the contest says."""
    return DuelRules(game, contest or Counting(), games, Limits(seconds=30.0, farewell=0.2, sandbox=False))


def order(site: Path, *house: str, programs: Path | None = None, seed: str | None = "s") -> LadderOrder:
    """Order a ladder of strategies that say a number, and of the programs in a folder."""
    own = rules()
    folder = NOBODY if programs is None else read_folder(programs, own.game, own.contest)
    entries = house_entries(house, Lineup(own.game, own.contest, site))
    return LadderOrder(own, folder, entries, site, seed, error=150.0, most=8)


def climbed(ordered: LadderOrder, told: list[str] | None = None) -> LadderBook:
    return climb(ordered, lambda: "fresh", (told if told is not None else []).append)


def program(folder: Path, place: str, script: str = SAYS.format(3), /, **metadata: str) -> Path:
    """Write a program that speaks JSON in lines, with what it says of itself."""
    own = folder / place
    own.mkdir(parents=True, exist_ok=True)
    (own / "bot.py").write_text(SPEAKS + script, encoding="utf-8")
    told = {"name": place, "author": "Ann", "game": "heist", "command": "json:python3 -I -S bot.py"}
    lines = [f'{key} = "{value}"\n' for key, value in {**told, **metadata}.items() if value]
    (own / "program.toml").write_text("".join(lines), encoding="utf-8")
    return own


def contents(folder: Path) -> Mapping[str, bytes]:
    found = (each for each in folder.rglob("*") if each.is_file())
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in found}


def names(book: LadderBook, keys: Sequence[str]) -> list[str]:
    return [book.entrants[key].name for key in keys]


def with_house(ordered: LadderOrder, *house: str) -> LadderOrder:
    own = ordered.rules
    return replace(ordered, house=house_entries(house, Lineup(own.game, own.contest, ordered.site)))
