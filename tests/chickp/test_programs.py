"""A program is sent what the documentation says and nothing else, and whatever it does costs only itself."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest

from arena.commands.chickp import players
from tests.arena.commands import PATIENCE, ROOT
from tests.arena.programs.stage import eventually, left_behind

if TYPE_CHECKING:
    from tests.chickp.conftest import Chickp

LINUX = sys.platform.startswith("linux")
# Plays 1, 2, 3 … and writes all that it is sent to standard error.
NOTES = """
while True:
    text = line()
    sys.stderr.write(text + "|\\n")
    if text == "RESET":
        rest = [line() for _ in range(3)]
        sys.stderr.write("|".join(rest) + "|\\n")
        card = 0
        say("notes")
    else:
        card += 1
        say(card)
"""
UP = """
while True:
    own, n, players = opening()
    say("up")
    for card in range(1, n + 1):
        line()
        say(card)
"""


class Bad(NamedTuple):
    """What it does, what it is told to have done, and in which round."""

    name: str
    kind: str
    number: int
    script: str
    linux: bool = False


BAD = (
    Bad("hangs", "late", 0, "time.sleep(600)"),
    Bad("hangs in a round", "late", 2, "opening(); say('x'); line(); say(1); line(); time.sleep(600)"),
    Bad("answers late", "late", 1, "opening(); say('x'); line(); time.sleep(1.5); say(1); time.sleep(600)"),
    Bad("half a card", "late", 1, "opening(); say('x'); line(); os.write(1, b'1'); time.sleep(600)"),
    Bad("dies at once", "ended", 0, "sys.exit(3)"),
    Bad("dies in a round", "ended", 1, "opening(); say('x'); line(); sys.exit()"),
    Bad("kills its group", "ended", 1, "opening(); say('x'); line(); os.killpg(0, 9)"),
    Bad("kills its warden", "ended", 1, "opening(); say('x'); line(); os.kill(os.getppid(), 9)", linux=True),
    Bad("closes its output", "ended", 1, "opening(); say('x'); line(); os.close(1); time.sleep(600)"),
    Bad("plays what nobody holds", "illegal", 1, "opening(); say('x'); line(); say(4); line()"),
    Bad("plays nought", "illegal", 1, "opening(); say('x'); line(); say(0); line()"),
    Bad("plays a card twice", "illegal", 2, "opening(); say('x'); line(); say(3); line(); say(3); line()"),
    Bad("says a word", "unreadable", 1, "opening(); say('x'); line(); say('three'); line()"),
    Bad("says two cards", "unreadable", 1, "opening(); say('x'); line(); say('1 2'); line()"),
    Bad("says less than nothing", "unreadable", 1, "opening(); say('x'); line(); say(-1); line()"),
    Bad("says nothing", "unreadable", 1, "opening(); say('x'); line(); say(''); line()"),
    Bad("says no UTF-8", "unreadable", 1, "opening(); say('x'); line(); os.write(1, b'\\xff\\n'); line()"),
    Bad("floods", "unreadable", 0, "while True: os.write(1, b'5' * 65536)"),
    Bad(
        "floods with lines",
        "unreadable",
        1,
        "opening(); say('x'); line()\nwhile True: os.write(1, b'x' * 9999)",
    ),
)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the deadlines short; nobody who is to be in time needs longer, and a machine may be busy."""
    monkeypatch.setattr(players, "CARD_SECONDS", 1.0)
    monkeypatch.setattr(players, "NAME_SECONDS", 5.0)


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.name.replace(" ", "-"))
@pytest.mark.usefixtures("hasty")
def test_a_program_that_fails_forfeits_the_game_and_the_session_goes_on(bad: Bad, chickp: Chickp) -> None:
    if bad.linux and not LINUX:
        pytest.skip("contained on Linux only")
    games = 1 if bad.kind == "late" and not bad.number else 2
    typed = chickp("-g", str(games), "-n", "3", "linear 3 2", chickp.program("bad", bad.script))
    assert typed.code == 0
    failed = [each for each in typed.out.splitlines() if " failed " in each]
    assert [each.split()[:8] for each in failed] == [
        f"game {game} round {bad.number} player 2 failed {bad.kind}".split() for game in range(1, games + 1)
    ]
    first, second = (each for each in typed.out.splitlines() if each.startswith("session player"))
    assert f"total 0 average 0.000 failures {games} " in second
    if bad.number < 2:  # nothing was scored, so the other adds its 1, 2 and 3
        assert f"total {6 * games} average 6.000 failures 0 " in first
    if LINUX:
        assert eventually(lambda: not left_behind(chickp.folder / "bad.py"))


def test_points_of_a_forfeited_game_are_struck_and_whoever_is_left_adds_its_cards(chickp: Chickp) -> None:
    # Round 1: 3 beats 1 and 2, and takes 6; then it cheats. Left are 2 3 and 3 1 (linear 1 1 and linear 2 1):
    # round 2 is 2 against 3, so the latter takes 5; round 3 is 3 against 1, so the former takes 4.
    cheat = chickp.program("cheat", "opening(); say('cheat'); line(); say(3); line(); say(3); line()")
    typed = chickp("-v", "-g", "1", "-n", "3", "--seed", "1", "linear 1 1", cheat, "linear 2 1")
    assert typed.out.splitlines()[:7] == [
        "game 1 round 1 shown 1 1 2 3 3 2 winner 2 points 6",
        "game 1 round 2 player 2 failed illegal it does not hold the card 3",
        "game 1 round 2 shown 1 2 3 3 winner 3 points 5",
        "game 1 round 3 shown 1 3 3 1 winner 1 points 4",
        "game 1 player 1 id 1 points 4 total 4 average 4.000 failures 0 name linear 1 1",
        "game 1 player 2 id 2 points 0 total 0 average 0.000 failures 1 name cheat",
        "game 1 player 3 id 3 points 5 total 5 average 5.000 failures 0 name linear 2 1",
    ]


def test_a_program_is_sent_what_the_protocol_says_and_nothing_else(chickp: Chickp) -> None:
    typed = chickp("-g", "2", "-n", "3", chickp.program("notes", NOTES), "linear 3 2")
    # linear 3 2 plays 3, 2, 1. In game 1 the program's id is 1, in game 2 it is 2.
    noted = "".join(re.findall(r"^player 1: (.*)\n", typed.err, re.MULTILINE))
    assert noted == "RESET|1|3|1 2||1 1 2 3|1 2 2 2|RESET|2|3|1 2||1 3 2 1|1 2 2 2|"
    assert "name notes" in typed.out


def test_after_a_forfeit_only_those_still_in_are_shown(chickp: Chickp) -> None:
    cheat = chickp.program("cheat", "opening(); say('cheat'); line(); say(2); line(); say(2); line()")
    typed = chickp("-g", "1", "-n", "3", "linear 3 2", cheat, chickp.program("notes", NOTES))
    # Round 2: the program is told of the cheat's 2 before that cheats; round 3 leaves it out.
    noted = "".join(re.findall(r"^player 3: (.*)\n", typed.err, re.MULTILINE))
    assert noted == "RESET|3|3|1 2 3||1 3 2 2 3 1|1 2 3 2|"


def test_who_fails_together_leaves_nothing_to_the_one_who_is_asked_later(chickp: Chickp) -> None:
    cheats = [
        chickp.program(f"cheat{number}", "opening(); say('cheat'); line(); say(9); line()")
        for number in (1, 2)
    ]
    lines = chickp("-g", "1", "-n", "3", *cheats).out.splitlines()
    assert [each.split()[6] for each in lines if each.startswith("game 1 player")] == ["points"] * 2
    assert [each.split()[7] for each in lines if each.startswith("game 1 player")] == ["0", "0"]


def test_surplus_lines_are_discarded_and_standard_error_never_mixes(chickp: Chickp) -> None:
    script = UP.replace("say(card)", "os.write(2, b'9\\n'); say(f'{card}\\n9\\n9')")
    typed = chickp("-g", "20", "-n", "3", "linear 2 1", chickp.program("talks", script))
    assert " failed " not in typed.out
    assert typed.err.count("player 2: 9\n") == 60  # a line a round


def test_a_program_runs_from_game_to_game_and_starts_afresh_after_a_failure(chickp: Chickp) -> None:
    script = """
games = 0
while True:
    own, n, players = opening()
    games += 1
    say(f"game {games}")
    for card in range(1, n + 1):
        line()
        say(99 if games == 3 else card)
"""
    typed = chickp("-g", "5", "-n", "2", chickp.program("counts", script), "linear 2 1")
    names = [
        each.split(" name ")[1] for each in typed.out.splitlines() if re.match(r"game \d player 1 id", each)
    ]
    assert names == ["game 1", "game 2", "game 3", "game 1", "game 2"]


def test_a_name_is_at_most_32_printable_characters(chickp: Chickp) -> None:
    script = UP.replace('say("up")', "say('\\x1b[31m\\tred' + 'x' * 99)")
    out = chickp("-q", "-g", "1", "-n", "2", "random", chickp.program("red", script)).out
    assert "name [31mred" + "x" * 25 + "\n" in out


def test_with_no_timeouts_a_program_may_think_as_long_as_it_likes(
    chickp: Chickp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "CARD_SECONDS", 0.05)
    monkeypatch.setattr(players, "NAME_SECONDS", 0.05)
    slow = chickp.program("slow", UP.replace("say(card)", "time.sleep(0.2); say(card)"))
    assert "failures 0 name up" in chickp("-q", "-t", "-g", "1", "-n", "2", "random", slow).out
    assert "failures 1 name " in chickp("-q", "-g", "1", "-n", "2", "random", slow).out


def test_debug_shows_the_lines_of_the_protocol(chickp: Chickp) -> None:
    lines = chickp("-d", "-g", "1", "-n", "1", "linear 1 1", chickp.program("up", UP)).out.splitlines()
    assert lines[:7] == [
        "debug player 2 sent RESET",
        "debug player 2 sent 2",
        "debug player 2 sent 1",
        "debug player 2 sent 1 2",
        "debug player 2 said up",
        "debug player 2 sent",
        "debug player 2 said 1",
    ]
    assert lines[7] == "game 1 round 1 shown 1 1 2 1 winner 2 points 2"  # odd: number 1 of 0 and 1


def test_the_example_takes_nearly_everything_from_whoever_repeats_itself(chickp: Chickp) -> None:
    example = f"{sys.executable} {ROOT / 'data' / 'examples' / 'chicken.py'}"
    out = chickp("-q", "-g", "100", "-n", "10", "linear 3 7", example).out.splitlines()
    assert "failures 0 name example" in out[2]
    # From the second game on it shows one more than the other, and its 1 against the 10, which takes 11 of
    # the 110 points. In the first it plays blind.
    assert int(out[2].split()[4]) >= 99 * 99


@pytest.mark.skipif(os.name != "posix", reason="signals are others there")
def test_ctrl_c_does_not_wait_for_a_program_and_leaves_none_behind(chickp: Chickp) -> None:
    slow = chickp.program("slow", "opening(); say('slow'); line(); say(1); line(); time.sleep(600)")
    code = "from chatbot.cli.entry import chickp; chickp()"
    with subprocess.Popen(
        [sys.executable, "-c", code, "-v", "-t", "-g", "5", "-n", "3", "linear 3 2", slow],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline().startswith("game 1 round 1 shown 1 3 2 1 ")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert out.startswith("session games 0 ")
    assert "victory" not in out
    if LINUX:
        assert eventually(lambda: not left_behind(chickp.folder / "slow.py"))
