"""A program may be asked in lines of text: it stays, and what it does wrong is counted and stops nothing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Self

import pytest

from arena.programs import client
from arena.programs.program import Program, command
from chatbot.kernel.contest import WireFormat
from tests.arena.programs.hostile import HOWEVER_ASKED, ILLEGAL, LATE, UNREADABLE, WELL, Hostile
from tests.arena.programs.stage import HASTY, PATIENT, left_behind, python

if TYPE_CHECKING:
    from pathlib import Path

    from arena.programs.program import Limits

START = """
import os, sys, time
def say(text, end="\\n"):
    sys.stdout.write(text + end)
    sys.stdout.flush()
asked = sys.stdin.readline
"""
GOOD = "while asked(): say('5')"
EVERY = (
    Hostile("hangs", LATE, "time.sleep(600)"),
    Hostile("reads and never answers", LATE, "while asked(): pass"),
    Hostile("writes half a line and hangs", LATE, "asked(); say('5', ''); time.sleep(600)"),
    Hostile("floods standard error", LATE, "while True: os.write(2, b'n' * 65536)"),
    *HOWEVER_ASKED,
    Hostile("writes one huge line", UNREADABLE, "asked(); say('9' * 1_000_000)"),
    Hostile("writes binary", UNREADABLE, "asked(); os.write(1, b'\\xff\\xfe\\0\\n')"),
    Hostile("says nothing", ILLEGAL, "asked(); say('')"),
    Hostile("says a word", ILLEGAL, "asked(); say('five')"),
    Hostile("says JSON", ILLEGAL, 'asked(); say(\'{"id": 1, "answer": 5}\')'),
    Hostile("answers twice", WELL, "while asked(): say('5\\n6')"),
    Hostile("answers for tomorrow too", WELL, "while asked(): say('5\\n6\\n7\\n8')"),
    Hostile("adds half a line", WELL, "asked(); say('5\\n6', '')\nwhile asked(): say('\\n5\\n6', '')"),
    Hostile("writes in pieces", WELL, "while asked():\n    for each in ' 5 ': say(each, '')\n    say('\\r')"),
    Hostile("talks to standard error", WELL, "while asked(): os.write(2, b'x' * 100_000); say('5')"),
    Hostile("does not end when it is over", WELL, GOOD + "\ntime.sleep(600)"),
)  # fmt: skip
ELSEWHERE = {
    "hangs",
    "exits with 3",
    "floods in one line",
    "says a word",
    "answers twice",
    "adds half a line",
}


class Player:
    """A program in Python that is asked in text, and what was said about it."""

    def __init__(self, folder: Path, script: str, limits: Limits = PATIENT) -> None:
        path = folder / "bot.py"
        path.write_text(START + script, encoding="utf-8")
        self.told: list[str] = []
        words = command(python(path), folder, per_call=False, in_text=True)
        self.program = Program(
            "ann", words, WIRE_FORMAT, "any", limits, lambda text: self.told.append(str(text))
        )

    def __call__(self, game: int, question: str = "how many") -> Any:
        return self.program((game, question), (), None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.program.close()


def number(view: Any, menu: Any, answer: object) -> int:
    if not (isinstance(answer, str) and answer.isdecimal()):
        raise ValueError(f"expected a number, got {str(answer)[:40]}")
    return int(answer)


WIRE_FORMAT = WireFormat(
    ask=lambda view, menu: {"game": view[0]}, read=number, line=lambda view, menu: f"{view[1]} in {view[0]}?"
)


def played(player: Player, hostile: Hostile) -> None:
    for game in range(2):
        assert player(game) == (5 if hostile.kind == WELL else None)
    assert dict(player.program.failures) == ({} if hostile.kind == WELL else {hostile.kind: 2})


@pytest.mark.parametrize("hostile", EVERY, ids=lambda each: each.name)
def test_a_program_is_counted_by_what_it_does(hostile: Hostile, tmp_path: Path) -> None:
    if hostile.linux and not sys.platform.startswith("linux"):
        pytest.skip("contained on Linux only")
    limits = HASTY if hostile.kind == LATE else PATIENT
    with Player(tmp_path, hostile.script, limits) as player:
        played(player, hostile)
    if sys.platform.startswith("linux"):
        assert left_behind(tmp_path) == []


@pytest.mark.parametrize(
    "hostile", [each for each in EVERY if each.name in ELSEWHERE], ids=lambda each: each.name
)
def test_the_same_is_counted_where_pipes_cannot_be_polled(
    hostile: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "THREADS", True)
    with Player(tmp_path, hostile.script, HASTY if hostile.kind == LATE else PATIENT) as player:
        played(player, hostile)


def test_a_program_reads_the_questions_and_nothing_else(tmp_path: Path) -> None:
    with Player(tmp_path, "while line := asked(): print(repr(line), file=sys.stderr); say('5')") as player:
        assert [player(0), player(0, "how\u2028much"), player(1)] == [5, 5, 5]
    heard = [each.split("standard error: ")[1] for each in player.told]
    assert heard == ["'how many in 0?\\n'\n", "'how\\u2028much in 0?\\n'\n", "'how many in 1?\\n'\n"]


def test_a_program_stays_until_it_fails_and_is_started_afresh_for_the_next_game(tmp_path: Path) -> None:
    script = "for count in range(1, 9):\n    line = asked()\n    say('no' if ' 1?' in line else str(count))"
    with Player(tmp_path, script) as player:
        assert [player(0), player(0)] == [1, 2]
        assert player(1) is None
        assert player(1) is None  # nobody asked: no second failure of the same game
        assert [player(2), player(3)] == [1, 2]
    assert dict(player.program.failures) == {"illegal": 1}
    assert player.told[:-1] == ["ann, game 1: illegal: expected a number, got no\n"]


def test_a_program_is_asked_in_text_if_the_game_is_so_and_nobody_says_otherwise(tmp_path: Path) -> None:
    words = python(tmp_path)
    protocols = [command(f"{prefix}{words}", tmp_path, False, True).protocol for prefix in ("", "json:")]
    assert protocols == ["text", "lines"]
