"""A failure carries a line of a shell that reproduces it, and is told by the line that says why."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from arena.programs.program import Program, command
from arena.programs.reproduction import MOST_CHARACTERS, SentLines
from arena.programs.telling_line import telling_line
from chatbot.games.heist.contest.situation import ACTING, WIRE_FORMAT
from tests.arena.programs.stage import HASTY, PATIENT, Player, python, situation

if TYPE_CHECKING:
    from pathlib import Path

SH = shutil.which("sh")
pytestmark = pytest.mark.skipif(SH is None, reason="there is no shell sh here")


def line_of(told: list[str]) -> str:
    """Give the line behind the sentence on a failure."""
    lines = [each.rstrip("\n") for each in told]
    places = [at for at, each in enumerate(lines) if not each.startswith("ann")]
    assert len(places) == 1, told
    return lines[places[0]]


def run(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SH or "", "-c", line], cwd=folder, capture_output=True, text=True, timeout=30, check=False
    )


def test_a_program_that_stays_is_given_its_lines_again(tmp_path: Path) -> None:
    script = "while q := asked(): answer(q, 7 if q['view']['game'] < 2 else 'it\\'s %s')"
    with Player(tmp_path, script, lines=True) as player:
        for game in range(3):
            assert player(game) == (7 if game < 2 else None)
    done = run(line_of(player.reproductions), tmp_path)
    answers = done.stdout.splitlines()
    assert len(answers) == 3
    assert answers[2] == '{"id": 3, "answer": "it\'s %s"}'


def test_a_program_that_is_started_for_each_decision_is_given_its_arguments(tmp_path: Path) -> None:
    with Player(tmp_path, "import sys\nprint('no stake', *sys.argv[1:])", lines=False) as player:
        assert player(3) is None
    done = run(line_of(player.reproductions), tmp_path)
    assert done.stdout.split()[:4] == ["no", "stake", "3", "1"]
    assert len(done.stdout.split()) == 2 + 31


def test_quotes_blanks_and_signs_of_a_shell_in_names_and_answers_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / 'it\'s $HOME; a `b` & "c"'
    folder.mkdir()
    script = folder / "the bot.py"
    script.write_text("import sys\nprint(sys.argv[0])", encoding="utf-8")
    told = list[str]()
    program = Program(
        "ann", command(python(script), tmp_path, per_call=True), WIRE_FORMAT, "heist", PATIENT, told.append
    )
    assert program(situation(), range(241)) is None
    program.close()
    assert run(line_of(told), tmp_path).stdout.strip() == str(script)


def test_a_command_of_a_shell_is_given_its_arguments(tmp_path: Path) -> None:
    told = list[str]()
    words = command('echo "$1 it\'s" | tr 1 x', tmp_path, per_call=True)
    program = Program("ann", words, WIRE_FORMAT, "heist", PATIENT, told.append)
    assert program(situation(11), range(241)) is None
    program.close()
    assert run(line_of(told), tmp_path).stdout == "xx it's\n"


def test_the_first_late_answer_of_a_program_that_stays_asks_whether_it_flushes(tmp_path: Path) -> None:
    script = "while q := asked(): sys.stdout.write(json.dumps({'id': q['id'], 'answer': 5}) + '\\n')"
    with Player(tmp_path, script, lines=True, limits=HASTY) as player:
        assert player(0) is None
        assert player(1) is None
    assert player.failures == {"late": 2}
    assert sum("does it flush its output after each line?" in each for each in player.told) == 1
    line = player.reproductions[0]
    assert "; sleep 0.2) | " in line
    # While its input is open nothing comes; at the end of its input a program writes what it has kept.
    assert run(line, tmp_path).stdout.startswith('{"id": 1, "answer": 5}')


def test_a_program_of_calls_that_is_late_is_not_asked_whether_it_flushes(tmp_path: Path) -> None:
    with Player(tmp_path, "import time\ntime.sleep(9)", lines=False, limits=HASTY) as player:
        assert player(0, ACTING) is None
    assert player.failures == {"late": 1}
    assert not any("flush" in each for each in player.told)


def test_of_a_long_talk_the_first_line_and_the_last_are_kept() -> None:
    sent = SentLines(["cat"])
    sent.begin("hello\n")
    for number in range(1000):
        sent.add(f"{number} {'x' * 1000}\n")
    words = shlex.split(sent.reproduction(0))
    assert words[:3] == ["printf", "%s\\n", "hello"]
    assert words[-3].startswith("999 ")
    assert MOST_CHARACTERS - 1010 < len("".join(words[2:-2])) <= MOST_CHARACTERS
    assert words[-2:] == ["|", "cat"]


def test_a_single_line_that_is_too_long_is_whole() -> None:
    sent = SentLines(["cat"])
    sent.begin("")
    sent.add("y" * (2 * MOST_CHARACTERS))
    assert "y" * (2 * MOST_CHARACTERS) in sent.reproduction(0)


ERRORS = """
Traceback (most recent call last):
  File "a.py", line 1
KeyError: 'view'
=> KeyError: 'view'

Exception in thread "main" java.lang.IllegalStateException: no view
\tat Bot.main(Bot.java:3)
=> Exception in thread "main" java.lang.IllegalStateException: no view

Error: Could not find or load main class Bot
Caused by: java.lang.ClassNotFoundException: Bot
=> Error: Could not find or load main class Bot

Bot.java:1: error: ';' expected
int x
     ^
1 error
error: compilation failed
=> Bot.java:1: error: ';' expected

/b/bot.js:1
throw new TypeError('no')
^
TypeError: no
    at Object.<anonymous> (/b/bot.js:1:7)
Node.js v20.20.2
=> TypeError: no

thread 'main' panicked at bot.rs:2:5:
no view
note: run with `RUST_BACKTRACE=1`
=> thread 'main' panicked at bot.rs:2:5: no view

panic: no view
goroutine 1 [running]:
main.main()
\t/b/bot.go:4 +0x2
exit status 2
=> panic: no view

bot.rb:1:in `go': no view (RuntimeError)
\tfrom bot.rb:2:in `<main>'
=> bot.rb:1:in `go': no view (RuntimeError)

terminate called after throwing an instance of 'std::runtime_error'
  what():  no view
=> terminate called after throwing an instance of 'std::runtime_error' what():  no view

bot.sh: 1: jq: not found
bot.sh: leaving
=> bot.sh: 1: jq: not found

starting
I give up
  at line 3
=> I give up
"""


@pytest.mark.parametrize("case", ERRORS.strip().split("\n\n"))
def test_the_line_that_says_why_is_told(case: str) -> None:
    errors, _, line = case.partition("\n=> ")
    assert telling_line(errors.splitlines()) == line


def test_of_no_lines_none_is_told() -> None:
    assert telling_line(["", "  "]) == ""
