"""A small stage for programs: situations to ask about, players made of a script, and who is left behind."""

from __future__ import annotations

import itertools
import shlex
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from arena.programs.program import Limits, Program, command
from chatbot.games.heist.contest.situation import ACTING, STAKING, WIRE_FORMAT, Situation

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENT = Limits(seconds=30.0, memory=1 << 28, farewell=0.2, sandbox=False)
HASTY = PATIENT._replace(seconds=0.2)
_SCRIPTS = itertools.count(1)
# What a script of the persistent protocol needs: questions as they come, and a way to answer.
SPEAKS = """
import json, os, sys, time
hello = json.loads(sys.stdin.readline())
def asked():
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    return json.loads(line)
def say(text, end="\\n"):
    sys.stdout.write(text + end)
    sys.stdout.flush()
def answer(question, value):
    say(json.dumps({"id": question["id"], "answer": value}))
"""


def situation(game: int = 0, of_round: int = STAKING) -> Situation:
    """Somebody with 240 credits, in either round of a game."""
    stake = 69 if of_round == ACTING else 0
    return Situation(
        game, of_round, 16, 3, 2, 138, 0, 0, 240, stake, 240, True, 1, 240.0, 0.0, 240,
        (0,) * 5, (0.54, 0.488, 0.425, 0.387, 0.324), (80_000, 110_000, 130_000, 165_000, 195_000),
    )  # fmt: skip


class Player:
    """A program in Python, in one of the two protocols, and what was said about it."""

    def __init__(self, folder: Path, script: str, *, lines: bool, limits: Limits = PATIENT) -> None:
        self.path = folder / f"bot{next(_SCRIPTS)}.py"
        self.path.write_text(SPEAKS + script if lines else script, encoding="utf-8")
        self.told: list[str] = []
        self.reproductions: list[str] = []  # lines of a shell
        words = command(("json:" if lines else "") + python(self.path), folder, per_call=True)
        self.program = Program("ann", words, WIRE_FORMAT, "heist", limits, self._hear)

    def __call__(self, game: int = 0, of_round: int = STAKING) -> Any:
        return self.program(situation(game, of_round), range(241), None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.program.close()

    @property
    def failures(self) -> dict[str, int]:
        return dict(self.program.failures)

    def _hear(self, text: object) -> None:
        (self.told if str(text).startswith("ann") else self.reproductions).append(str(text))


def python(path: Path) -> str:
    """Give the command that starts a script quickly, whatever is installed."""
    return f"{shlex.quote(sys.executable)} -I -S {shlex.quote(str(path))}"


def left_behind(folder: Path) -> list[str]:
    """Find every process with this folder's path in its command line or its environment."""
    mark, found = str(folder).encode(), []
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            words = _read(each / "cmdline") + b" " + _read(each / "environ")
            if mark in words:
                found.append(words.replace(b"\0", b" ").decode(errors="replace")[:200])
    return found


def eventually(true: Callable[[], bool]) -> bool:
    """Wait for something that another process does; give up after half a minute."""
    pause, until = threading.Event(), time.monotonic() + 30
    while not true() and time.monotonic() < until:
        pause.wait(0.01)
    return true()


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
