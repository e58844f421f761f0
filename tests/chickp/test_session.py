"""What `chickp` prints of a session, worked out by hand, and what it never lets happen."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.commands.chickp.classic import summary
from arena.commands.chickp.players import Human
from chatbot.games.chickenpoker.contest.session import Forfeit, Start
from tests.arena.commands import PATIENCE, ROOT

if TYPE_CHECKING:
    from tests.chickp.conftest import Chickp

# Both play 1..3, one up and one from 2 on. Game 1: the first player has id 1.
#   1 meets 2: id 2 takes 3; 2 meets 3: id 2 takes 5; 3 meets 1: id 1 takes 4.
# Game 2: the first player has id 2, and the same cards meet.
GAMES = """\
game 1 player 1 id 1 points 4 total 4 average 4.000 failures 0 name linear 1 1
game 1 player 2 id 2 points 8 total 8 average 8.000 failures 0 name linear 2 1
game 2 player 1 id 2 points 4 total 8 average 4.000 failures 0 name linear 1 1
game 2 player 2 id 1 points 8 total 16 average 8.000 failures 0 name linear 2 1
"""
SUMMARY = """\
session games 2 cards 3 players 2 seed 1
session player 1 total 8 average 4.000 failures 0 name linear 1 1
session player 2 total 16 average 8.000 failures 0 name linear 2 1
session victory 2
"""
SESSION = ("-s", "1", "-n", "3", "--seed", "1", "linear 1 1", "linear  2 1")


# Recorded in the form of the original environment; the rounds are those at the top of this file.
TRANSCRIPTS = Path(__file__).parent / "transcripts"
CLASSIC_LINE = re.compile(r"Agent (\d+): total (\d+) , average ([\d.e+]+)")  # what scripts for it look for


@pytest.mark.parametrize(
    ("flags", "transcript"),
    [((), "classic.txt"), (("-q",), "classic_quiet.txt"), (("-v",), "classic_verbose.txt")],
)
def test_classic_prints_line_by_line_what_the_original_prints(
    flags: tuple[str, ...], transcript: str, chickp: Chickp
) -> None:
    recorded = (TRANSCRIPTS / transcript).read_text(encoding="utf-8")
    assert chickp("--classic", *flags, *SESSION).out == recorded


def test_scripts_that_parse_the_original_read_the_totals_of_each_game_and_the_session(chickp: Chickp) -> None:
    lines = CLASSIC_LINE.findall(chickp("--classic", "-v", *SESSION).out)
    assert lines == [
        ("2", "8", "2.66667"), ("1", "4", "1.33333"),
        ("2", "8", "2.66667"), ("1", "4", "1.33333"),
        ("2", "16", "8"), ("1", "8", "4"),
    ]  # fmt: skip


def test_a_classic_average_has_six_significant_digits_and_equal_totals_stay_in_order() -> None:
    assert list(summary("Session", [508, 592, 508, 10**7 + 5], 10)) == [
        "",
        "Session summary",
        "Agent 4: total 10000005 , average 1e+06",
        "Agent 2: total 592 , average 59.2",
        "Agent 1: total 508 , average 50.8",
        "Agent 3: total 508 , average 50.8",
    ]


def test_a_failure_leaves_the_classic_lines_as_scripts_expect_them(chickp: Chickp) -> None:
    cheat = chickp.program("cheat", "opening(); say('cheat'); line(); say(9); line()")
    typed = chickp("--classic", "-v", "-g", "1", "-n", "3", "linear 1 1", cheat)
    # The cheat is removed before its first card counts; the other adds the cards in its hand.
    assert typed.out.splitlines()[2:] == [
        "Starting 1 games, each with 3 rounds.",
        "Starting episode 1",
        "",
        "Episode 1 summary",
        "Agent 1: total 6 , average 2",
        "Agent 2: total 0 , average 0",
        "",
        "Session summary",
        "Agent 1: total 6 , average 6",
        "Agent 2: total 0 , average 0",
    ]
    assert typed.err.startswith("game 1 round 1 player 2 failed illegal")


def test_classic_exits_as_the_original_does(chickp: Chickp) -> None:
    wrong = ("-g", "1", "random", "random")
    assert chickp("--classic", *wrong).code == 1
    assert chickp(*wrong).code == 2
    assert chickp(*wrong, "--", "--classic").code == 2
    assert chickp("--classic", "--version").code == 0


def test_every_game_and_the_session_are_summed_up(chickp: Chickp) -> None:
    typed = chickp(*SESSION)
    assert (typed.code, typed.out, typed.err) == (0, GAMES + SUMMARY, "")


@pytest.mark.parametrize("quiet", ["-q", "-qv", "-qd"])
def test_quiet_leaves_only_the_summary_of_the_session(quiet: str, chickp: Chickp) -> None:
    assert chickp(quiet, *SESSION).out == SUMMARY


def test_verbose_adds_every_round(chickp: Chickp) -> None:
    lines = chickp("-v", *SESSION).out.splitlines()
    assert lines[:3] == [
        "game 1 round 1 shown 1 1 2 2 winner 2 points 3",
        "game 1 round 2 shown 1 2 2 3 winner 2 points 5",
        "game 1 round 3 shown 1 3 2 1 winner 1 points 4",
    ]
    assert lines[5:8] == [
        "game 2 round 1 shown 1 2 2 1 winner 1 points 3",
        "game 2 round 2 shown 1 3 2 2 winner 1 points 5",
        "game 2 round 3 shown 1 1 2 3 winner 2 points 4",
    ]


def test_equal_totals_share_the_victory(chickp: Chickp) -> None:
    # Each round is a tie; in two games each of them has either id once.
    assert chickp("-q", "-s", "1", "-n", "5", "linear 1 1", "linear 1 1").out.splitlines()[-1] == (
        "session victory 1 2"
    )


@pytest.mark.parametrize("players", [("random", "nash"), ("random", "adaptive", "linear 2 3")])
def test_the_same_seed_gives_the_same_session_however_much_is_shown(
    players: tuple[str, ...], chickp: Chickp
) -> None:
    words = ("-s", "5", "-n", "4", "--seed", "again", *players)
    quiet = chickp("-q", *words).out.splitlines()
    for shown in ("-v", "-d"):
        assert chickp(shown, *words).out.splitlines()[-len(quiet) :] == quiet


def test_a_human_is_asked_until_the_answer_is_a_card(chickp: Chickp) -> None:
    typed = chickp("-v", "-g", "1", "-n", "2", "human", "linear 1 1", types="3\nhello\n2\n2\n1\n")
    assert typed.code == 0
    assert typed.out.splitlines()[:2] == [
        "game 1 round 1 shown 1 2 2 1 winner 1 points 3",
        "game 1 round 2 shown 1 1 2 2 winner 2 points 3",
    ]
    assert typed.err.count("Which one?") == 5
    assert "Shown: player 1 2, player 2 1." in typed.err


def test_a_human_who_leaves_forfeits(chickp: Chickp) -> None:
    typed = chickp("-g", "1", "-n", "3", "human", "linear 1 1", types="3\n")
    # The other has lost its 1 to the 3, and adds the 2 and 3 that it still holds.
    assert typed.out.splitlines()[:3] == [
        "game 1 round 2 player 1 failed ended nobody is at the terminal any more",
        "game 1 player 1 id 1 points 0 total 0 average 0.000 failures 1 name human",
        "game 1 player 2 id 2 points 5 total 5 average 5.000 failures 0 name linear 1 1",
    ]


def test_where_there_is_no_terminal_a_human_forfeits(chickp: Chickp) -> None:
    chickp.monkeypatch.setattr(sys, "stdin", None)  # what Python makes of one that is closed
    human = Human()
    with pytest.raises(Forfeit, match="nobody is at the terminal"):
        human.choose({})


def test_what_is_no_text_is_no_card(chickp: Chickp) -> None:
    human = Human(io.StringIO(), io.TextIOWrapper(io.BytesIO(b"\xff\n\xfe2\n2\n"), encoding="utf-8"))
    human.begin(Start(1, 3, (1, 2)))
    assert human.choose({}) == 2


@pytest.mark.skipif(os.name != "posix", reason="signals are others there")
def test_ctrl_c_ends_with_130_and_tells_what_is_over() -> None:
    words = ("-g", "100000000", "-n", "5", "adaptive", "linear 1 1")
    with subprocess.Popen(
        [sys.executable, "-c", "from chatbot.cli.entry import chickp; chickp()", *words],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline().startswith("game 1 player 1 ")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err == "Stopped; the games that were over count.\n"
    head, first, second, _ = out.splitlines()[-4:]
    games = int(head.split()[2])
    totals = [int(line.split()[4]) for line in (first, second)]
    assert sum(totals) == games * 30  # n (n + 1) points are in every game
