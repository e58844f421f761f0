"""Whoever reads what the documentation says of `chickp` finds all of it, and it is true."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from arena.commands.chickp.options import USAGE
from chatbot.games.chickenpoker.contest.session import StepPlayer
from tests.arena.commands import ROOT
from tests.documentation import page

if TYPE_CHECKING:
    from tests.chickp.conftest import Chickp

PAGE = page("program/chickp")
# Written from the words of that page alone: plays its cards in a row, which begins elsewhere in each game.
STRANGER = """
games = 0
while True:
    text = line()
    if text == "RESET":
        own, n, players = int(line()), int(line()), [int(word) for word in line().split()]
        assert own in players and players == sorted(players)
        hand = [(games + card) % n + 1 for card in range(n)]
        games += 1
        say("stranger")
    else:
        words = text.split()
        assert len(words) in (0, 2 * len(players))
        say(hand.pop(0))
"""


def test_every_option_is_documented() -> None:
    for flag in set(re.findall(r"(?<![\w-])--?[a-z_]+", USAGE)):
        assert f"`{flag}" in PAGE, flag


def test_the_program_that_is_printed_is_the_one_that_ships() -> None:
    assert (ROOT / "data" / "examples" / "chicken.py").read_text(encoding="utf-8") in PAGE


def test_every_line_that_is_printed_is_of_a_documented_kind(chickp: Chickp) -> None:
    kinds = re.findall(r"^((?:debug|game|session) .*?)(?:   +.*)?$", PAGE, re.MULTILINE)
    patterns = [re.compile(_pattern(kind)) for kind in kinds]
    assert len(patterns) == 9
    cheat = chickp.program("cheat", "opening(); say('a name'); line(); say(5); line()")
    out = chickp("-d", "-g", "2", "-n", "3", "random", "linear 1 1", cheat).out
    for line in out.splitlines():
        assert any(each.fullmatch(line) for each in patterns), line


def test_a_program_written_from_the_protocol_alone_plays_a_thousand_games(chickp: Chickp) -> None:
    stranger = f"{chickp.program('stranger', STRANGER)}"
    typed = chickp("-q", "-g", "1000", "-n", "5", "random", stranger, "linear 2 3")
    head, *players, _, _ = typed.out.splitlines()
    assert head.startswith("session games 1000 ")
    assert "failures 0 name stranger" in players[1]
    assert sum(int(each.split()[4]) for each in players) == 1000 * 3 * sum(StepPlayer(1, 1).order(5))


@pytest.mark.skipif(os.name != "posix", reason="it is typed in a shell")
def test_readers_who_have_heard_enough_are_no_failure(chickp: Chickp) -> None:
    code = "from chatbot.cli.entry import chickp; chickp()"
    command = f"{shlex.quote(sys.executable)} -c {shlex.quote(code)} -g 20000 -n 3 random random | head -1"
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("game 1 player 1 ")
    assert done.stderr == ""


def _pattern(kind: str) -> str:
    """Make a pattern of a documented line: words in capitals stand for values."""
    words = {
        "LINE": r"?.*", "WHY": r".+", "NAME": r".+", "KIND": r"(late|ended|unreadable|illegal)",
        "SEED": r"\S+", "CONTAINMENT": r"(bubblewrap|limits|deadlines)", "AVERAGE": r"\d+\.\d{3}",
        "…": r"?(\d+ ?)*",
    }  # fmt: skip
    found = [words.get(each, r"\d+" if each.isupper() else re.escape(each)) for each in kind.split()]
    return " ".join(found)
