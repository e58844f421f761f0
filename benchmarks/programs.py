"""What the arena adds to the cost of starting programs, where each decision of eleven players starts one.

The arena plays a tournament in which every player is a program. After each game the very same command
lines, argument by argument, are started by nothing but `subprocess.run`: both sides take turns in
fractions of a second, so that a machine that slows down slows down both. The arena's side has
everything: the game and its rabble, the limits, the deadlines, the folders, the killing of what may be
left, and the start of the eleven processes that watch, which weighs less the longer a tournament is.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console
from rich.table import Table

from chatbot.arena.programs import Limits, Program, command
from chatbot.games.heist.contest import HeistContest
from chatbot.games.heist.situation import TONGUE
from chatbot.kernel.contest import Entrant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.arena.programs import Command

PLAYERS = 11
STAKES = ("0", "69", "1", "credits // 10", "credits // 4")  # of the players in turn
ANSWERS = ("!guncheck", "deposit", "buy guard", "acquire intel", "finger", "change jobs", "back out")
PYTHON = """import sys
game, round_number, credits = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[9])
print({stake} if round_number == 1 else {answer!r})
"""
SHELL = """game=$1 round=$2 credits=$9
if [ "$round" = 1 ]; then echo $(({stake})); else echo '{answer}'; fi
"""
TARGET = 1.15


class Kind(NamedTuple):
    """A language that players are written in."""

    name: str
    start: tuple[str, ...]  # in front of the script's path
    script: str


KINDS = (
    Kind("python -I -S", (sys.executable, "-I", "-S"), PYTHON),
    Kind("sh", ("/bin/sh",), SHELL),
)


class Lap(NamedTuple):
    """Both sides, once."""

    calls: int
    arena: float  # seconds
    bare: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40, help="games of each tournament")
    parser.add_argument("--laps", type=int, default=5, help="tournaments of each kind")
    asked = parser.parse_args()
    table = Table("programs", "starts", "bare ms", "arena ms", "ratio", "least, median and most of laps")
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as folder:
            commands = players(kind, Path(folder))
            lap(commands, 2, 0)  # warms both up
            laps = [lap(commands, asked.games, number) for number in range(asked.laps)]
        table.add_row(kind.name, *row(laps))
    Console(width=100).print(table)
    print(f"The goal is a ratio of at most {TARGET} with programs in Python.")


def players(kind: Kind, folder: Path) -> list[Command]:
    """Write one script for each player."""
    found = []
    for number in range(PLAYERS):
        path = folder / f"player{number}"
        stake, answer = STAKES[number % len(STAKES)], ANSWERS[number % len(ANSWERS)]
        if kind.name == "sh":
            stake = stake.replace("//", "/")
        path.write_text(kind.script.format(stake=stake, answer=answer), encoding="utf-8")
        found.append(command(" ".join((*kind.start, path.as_posix())), folder, per_call=True))
    return found


def lap(commands: Sequence[Command], games: int, number: int) -> Lap:
    """Play from the first warden's start to the last one's end, and between games start the same commands."""
    started: list[list[str]] = []
    calls, arena, bare = 0, 0.0, 0.0
    began = time.perf_counter()
    with ExitStack() as programs:
        entrants = [
            Entrant(f"player{player}", programs.enter_context(closing(program(called, started))))
            for player, called in enumerate(commands)
        ]
        contest = HeistContest()
        (match,) = contest.matches(len(entrants), games, f"lap {number}")
        for _ in contest.play(match, entrants, None):
            between = time.perf_counter()
            for words in started:
                subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=True)
            calls, arena = calls + len(started), arena + between - began
            started.clear()
            began = time.perf_counter()
            bare += began - between
    return Lap(calls, arena + time.perf_counter() - began, bare)


def program(called: Command, started: list[list[str]]) -> Program:
    """Make a player of it, and take down each command line."""

    def noted(view: object, menu: object) -> Sequence[str]:
        assert TONGUE.call is not None
        arguments = TONGUE.call(view, menu)
        started.append([*called.words, *arguments])
        return arguments

    return Program("player", called, replace(TONGUE, call=noted), "heist", Limits(), failed)


def failed(what: object) -> None:
    raise SystemExit(f"a player failed: {what}")


def row(laps: Sequence[Lap]) -> tuple[str, ...]:
    calls = sum(each.calls for each in laps)
    bare, arena = sum(each.bare for each in laps), sum(each.arena for each in laps)
    ratios = [each.arena / each.bare for each in laps]
    return (
        f"{calls}",
        f"{bare / calls * 1000:.2f}",
        f"{arena / calls * 1000:.2f}",
        f"{arena / bare:.3f}",
        f"{min(ratios):.3f} … {median(ratios):.3f} … {max(ratios):.3f}",
    )


if __name__ == "__main__":
    main()
