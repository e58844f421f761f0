"""The protocol of JSON lines is what the documentation says it is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from arena.programs.program import Program, command
from chatbot.games.heist.contest.situation import ACTING, WIRE_FORMAT
from chatbot.games.heist.rules.moves import Act
from chatbot.kernel.contest import WireFormat
from tests.arena.programs.stage import PATIENT, SPEAKS, Player, python, situation

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ECHO = """
sys.stderr.write(json.dumps(hello) + chr(10))
while q := asked():
    sys.stderr.write(json.dumps(q) + chr(10))
    answer(q, 'finger' if q['view']['round'] == 2 else 69)
"""


def test_a_program_is_greeted_once_and_asked_by_number(tmp_path: Path) -> None:
    with Player(tmp_path, ECHO, lines=True) as player:
        assert player(0) == 69
        assert player(0, ACTING) is Act.FINGER
        assert player(1) == 69
    # Lines of standard error are cut where they grow long; whole ones are in the next test.
    assert [each.split("standard error: ")[1][:90] for each in player.told] == [
        '{"type": "hello", "protocol": 1, "game": "heist", "player": "ann", "seconds": 30.0}\n',
        '{"type": "decide", "id": 1, "view": {"game": 0, "round": 1, "players": 16, "acted": 3, "he',
        '{"type": "decide", "id": 2, "view": {"game": 0, "round": 2, "players": 16, "acted": 3, "he',
        '{"type": "decide", "id": 3, "view": {"game": 1, "round": 1, "players": 16, "acted": 3, "he',
    ]


def test_a_program_is_told_the_whole_view(tmp_path: Path) -> None:
    script = "while q := asked(): answer(q, q['view'])"
    seen: list[object] = []

    def ask(view: Any, menu: Any) -> Mapping[str, object]:
        return {"game": 0, "name": "Zoë \u2028 \U0001f600", "deep": [[None, True, 1.5, 10**30]]}

    def read(view: Any, menu: Any, answer: object) -> object:
        seen.append(answer)
        return 1

    path = tmp_path / "bot.py"
    path.write_text(SPEAKS + script, encoding="utf-8")
    program = Program(
        "ann", command(python(path), tmp_path, False), WireFormat(ask, read), "any", PATIENT, seen.append
    )
    assert program(None, (), None) == 1
    program.close()
    assert seen == [ask(None, None)]


def test_an_answer_may_be_null_where_a_game_knows_it(tmp_path: Path) -> None:
    told: list[object] = []
    path = tmp_path / "bot.py"
    path.write_text(SPEAKS + "while q := asked(): answer(q, None)", encoding="utf-8")
    wire_format = WireFormat(lambda view, menu: {"game": 0}, lambda view, menu, answer: answer)
    program = Program("ann", command(python(path), tmp_path, False), wire_format, "any", PATIENT, told.append)
    assert program(None, (), None) is None
    program.close()
    assert (program.failures, told) == ({}, [])


def test_a_program_that_answers_only_what_was_asked_before_is_late_by_the_whole_deadline(
    tmp_path: Path,
) -> None:
    script = "q = asked(); answer(q, 5); asked()\nwhile True: answer(q, 5); time.sleep(0.01)"
    with Player(tmp_path, script, lines=True, limits=PATIENT._replace(seconds=1.5)) as player:
        assert [player(0), player(1)] == [5, None]
    assert player.told[0] == "ann, game 1: late: it gave no answer within 1.5 s\n"
    assert player.failures == {"late": 1}


@pytest.mark.parametrize(("number", "told"), [("'1'", "'1'"), ("True", "True"), ("[1]", "[1]")])
def test_a_number_of_the_wrong_kind_is_told_as_it_was_written(number: str, told: str, tmp_path: Path) -> None:
    script = f"asked(); say(json.dumps({{'id': {number}, 'answer': 5}}))"
    with Player(tmp_path, script, lines=True) as player:
        assert player() is None
    assert player.told == [f"ann, game 0: unreadable: expected an answer to 1, got one to {told}\n"]


def test_a_program_that_cannot_be_started_is_told_of_as_ended(tmp_path: Path) -> None:
    path = tmp_path / "bot"
    for prefix in ("", "json:"):
        told: list[object] = []
        path.write_text("#!/bin/sh\n", encoding="utf-8")
        path.chmod(0o755)
        words = command(f"{prefix}./bot", tmp_path, True)
        path.unlink()
        program = Program("ann", words, WIRE_FORMAT, "heist", PATIENT, told.append)
        assert program(situation(), range(241), None) is None
        program.close()
        assert dict(program.failures) == {"ended": 1}
        assert told[:-1] == ["ann, game 0: ended: it could not be started: No such file or directory\n"]


def test_a_view_longer_than_a_pipe_reaches_its_reader_and_nobody_waits_for_one_who_never_reads(
    tmp_path: Path,
) -> None:
    wire_format = WireFormat(
        lambda view, menu: {"game": view, "long": "x" * 300_000}, lambda view, menu, answer: answer
    )
    path = tmp_path / "bot.py"
    path.write_text(SPEAKS + "while q := asked(): answer(q, len(q['view']['long']))", encoding="utf-8")
    deaf = tmp_path / "deaf.py"
    deaf.write_text("import time; time.sleep(600)", encoding="utf-8")

    def failures(script: Path, expected: int | None, seconds: float) -> dict[str, int]:
        words = command(python(script), tmp_path, False)
        limits = PATIENT._replace(seconds=seconds)
        program = Program("ann", words, wire_format, "any", limits, lambda _: None)
        assert program(0, (), None) == expected
        program.close()
        return dict(program.failures)

    assert failures(path, 300_000, 30.0) == {}
    assert failures(deaf, None, 0.2) == {"late": 1}


@pytest.mark.skipif(sys.platform == "win32", reason="a shell's command")
def test_a_shell_s_pipe_is_one_program(tmp_path: Path) -> None:
    told: list[object] = []
    answer = """sed -u -n 's/.*"decide", "id": \\([0-9]*\\).*/{"id": \\1, "answer": 5}/p'"""
    words = command(f"json:{answer} | cat", tmp_path, True)
    program = Program("ann", words, WIRE_FORMAT, "heist", PATIENT, told.append)
    assert words.words[1] == "-c"
    assert [program(situation(game), range(241), None) for game in range(3)] == [5, 5, 5]
    program.close()
    assert told == []
