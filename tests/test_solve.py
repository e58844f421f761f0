"""`chatbot solve`: what somebody at a terminal reads, and what a program does."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from fractions import Fraction

import pytest

from chatbot.games.highshow.solver import estimate
from tests.typed import Typed, solve


def test_an_exact_value_is_printed_as_a_fraction() -> None:
    typed = solve("highshow 5 2 linear")
    assert typed == Typed(
        0,
        "5 cards, 2 to keep, penalty linear.\n"
        "Best play makes ≈ 20.77 (14951/720) on average; this is exact.\n",
        "",
    )


def test_programs_read_one_json_object() -> None:
    typed = solve("highshow 5 2 linear --json")
    assert typed.code == 0
    assert json.loads(typed.out) == {
        "cards": 5,
        "keep": 2,
        "penalty": "linear",
        "value": "14951/720",
        "exact": True,
        "method": "exact",
    }


@pytest.mark.parametrize("line", ["linear=1/2", "linear=0.5", "linear 0.5", "linear 1/2", "LINEAR 1/2"])
def test_a_parameter_stands_behind_the_penalty_or_in_it(line: str) -> None:
    told = json.loads(solve(f"highshow 5 2 {line} --json").out)
    assert told["penalty"] == "linear=1/2"
    assert told["value"] == "14951/720"  # N / 10 is 1/2 as well


def test_a_stake_is_told_par_span_and_what_the_best_reply_returns() -> None:
    told = json.loads(solve("highshow 5 2 linear --stake --json").out)
    # The least is to keep 1 and 2 and to reject the three others at 1/2 each.
    assert told["par"] == told["value"]
    assert Fraction(told["span"]) == Fraction(14951, 720) - (1 + 2 - Fraction(3, 2))
    assert told["return"] == "1"
    lines = solve("highshow 5 2 linear --stake").out.splitlines()
    assert lines[2] == "Par is ≈ 20.77 (14951/720): who makes it gets the stake back."
    assert lines[4] == "Whoever plays for the payout alone gets back at most 100% of the stake on average."


def test_large_decks_have_a_value_with_its_error_and_are_for_honour_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = "read in the stars"
    monkeypatch.setattr(estimate, "value", lambda terms, progress: (terms.cards + 0.25, 0.5, told))
    assert json.loads(solve("highshow 60 2 linear --stake --json").out) == {
        "cards": 60,
        "keep": 2,
        "penalty": "linear",
        "value": 60.25,
        "exact": False,
        "error": 0.5,
        "method": "read in the stars",
        "stakes": False,
    }
    lines = solve("highshow 60 2 linear --stake").out.splitlines()
    assert lines[1] == "Best play makes about 60.2500 on average, ± 0.5000: read in the stars."
    assert lines[2] == "These terms are for honour only: their par is not worked out exactly within a second."


def test_the_same_question_has_the_same_answer() -> None:
    assert solve("highshow 9 4 turn --json") == solve("highshow 9 4 turn --json")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("highshow", "N is missing: `chatbot solve highshow N M PENALTY [PARAM]`"),
        ("highshow 5 2", "PENALTY is missing: `chatbot solve highshow N M PENALTY [PARAM]`"),
        ("highshow 3 3 none", "Of 3 cards, at least 1 must be kept"),
        ("highshow 3 4 none", "Of 3 cards, at least 1 must be kept"),
        ("highshow 3 0 none", "“0” is not possible for keep: it takes a whole number from 1 to 999"),
        ("highshow 3 -1 none", "“-1” is not possible for keep"),
        ("highshow 1 1 none", "“1” is not possible for cards: it takes a whole number from 2 to 1,000"),
        ("highshow 1000000000 3 none", "“1000000000” is not possible for cards"),
        ("highshow ten 3 none", "“ten” is not possible for cards"),
        ("highshow 10 3 cubic", "“cubic” is no penalty"),
        ("highshow 10 3 linear=1/0", "“1/0” is no parameter"),
        ("highshow 10 3 linear 1/0", "“1/0” is no parameter"),
        ("highshow 10 3 linear -1", "“-1” is no parameter"),
        ("highshow 10 3 linear=-1", "“-1” is no parameter"),
        ("highshow 10 3 linear=", "“linear=” is no parameter"),
        ("highshow 10 3 linear 1e3", "“1e3” is no parameter"),
        ("highshow 10 3 none 3", "The penalty none costs nothing, so there is no number to choose for it."),
        ("highshow 10 3 linear=3 4", "Give the parameter once: linear=3, or linear 4."),
        ("highshow 10 3 linear 3 4", "There is something too much: '4'."),
        ("highshow 10 3 linear 3 --jsn", "There is something too much: '--jsn'."),
        ("heist", "There is no solver of 'heist'; there are: chickenpoker, highshow, sixcardpoker."),
        ("nothing", "There is no solver of 'nothing'; there are: chickenpoker, highshow, sixcardpoker."),
    ],
)
def test_wrong_input_is_one_sentence(line: str, sentence: str) -> None:
    typed = solve(line)
    assert typed.code == 2
    assert typed.out == ""
    assert typed.err.startswith(sentence)
    assert typed.err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows interrupts all programs of a console")
def test_who_waits_is_told_so_and_ctrl_c_stops_at_once() -> None:
    command = [sys.executable, "-m", "chatbot", "solve", "highshow", "25", "12", "linear=0.000001"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        assert started.stderr is not None
        assert "Ctrl-C stops it." in started.stderr.readline()
        started.send_signal(signal.SIGINT)
        assert started.stderr.read() == "Stopped before there was an answer.\n"
        assert started.stdout.read() == ""
    assert started.returncode == 130


@pytest.mark.slow
def test_help_needs_no_numpy() -> None:
    code = (
        "import sys\nsys.argv = ['chatbot', 'solve', 'highshow', '--help']\n"
        "from chatbot.cli.entry import main\n"
        "try:\n    main()\nexcept SystemExit:\n    assert 'numpy' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for told in ("PENALTY", "PARAM", "--stake", "--json"):
        assert told in done.stdout


@pytest.mark.slow
def test_an_answer_needs_no_words_no_log_and_no_client_of_a_platform() -> None:
    """They take longer to import than a small deck to work out."""
    code = (
        "import sys\nsys.argv = ['chatbot', 'solve', 'highshow', '5', '3', 'none']\n"
        "from chatbot.cli.entry import main\n"
        "try:\n    main()\nexcept SystemExit:\n"
        "    print(*{'aiohttp', 'structlog', 'fluent'} & set(sys.modules), 'end')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "end"
