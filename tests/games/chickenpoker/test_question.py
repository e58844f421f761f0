"""`chatbot solve chicken`: what somebody at a terminal reads, and what a program does."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from arena.commands import solving
from chatbot.cli import entry
from chatbot.games.chickenpoker.solver import equilibrium
from chatbot.games.chickenpoker.solver.question import ChickenQuestion
from chatbot.games.highshow import KIT
from chatbot.kernel.kit import Programs

if TYPE_CHECKING:
    from collections.abc import Callable

ASKED = replace(KIT, name="chicken", programs=Programs({}, question=lambda: ChickenQuestion))


@dataclass(frozen=True, slots=True)
class Typed:
    """What came of a command."""

    code: object
    out: str
    err: str


@pytest.fixture
def solve(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[str], Typed]:
    monkeypatch.setattr(solving, "_kits_with_solver", lambda: {"chicken": ASKED})

    def run(line: str) -> Typed:
        monkeypatch.setattr(sys, "argv", ["chatbot", "solve", *line.split()])
        with pytest.raises(SystemExit) as end:
            entry.main()
        out, err = capsys.readouterr()
        return Typed(end.value.code, out, err)

    return run


def test_people_read_the_value_and_how_to_open(solve: Callable[[str], Typed]) -> None:
    assert solve("chicken --n 5") == Typed(
        0,
        "Two players hold the cards 1 to 5 each.\n"
        "The value is −1.200000 (−6/5): so much more the player with the lower id scores on average.\n"
        "The best play opens with any card, each with a probability of 1/5.\n"
        # 10! / (5! · 5!) pairs of hands, less that where nothing is left
        "Backward induction over all pairs of hands, 251 in number; this is exact.\n",
        "",
    )
    assert "The value is 1: so much" in solve("chicken --n 6").out


def test_programs_read_one_json_object(solve: Callable[[str], Typed]) -> None:
    typed = solve("chicken --n 4 --json")
    assert typed.code == 0
    assert json.loads(typed.out) == {
        "n": 4,
        "value": 1.0,
        "exact": "1",
        "opening": [0.25, 0.25, 0.25, 0.25],
        "method": "backward induction",
    }


@pytest.mark.parametrize("n", range(1, 9))
def test_values_are_told_to_the_last_digit(solve: Callable[[str], Typed], n: int) -> None:
    told = json.loads(solve(f"chicken --json --n={n}").out)
    assert told["value"] == pytest.approx(1 if n % 2 == 0 else -(n + 1) / n, rel=0, abs=1e-12)
    assert sum(told["opening"]) == pytest.approx(1, rel=0, abs=1e-12)


def test_what_is_too_large_to_go_through_is_answered_by_the_theorem(solve: Callable[[str], Typed]) -> None:
    told = json.loads(solve("chicken --n 15 --json").out)
    assert (told["exact"], told["opening"], told["method"]) == ("-16/15", [1 / 15] * 15, "theorem")
    assert solve("chicken --n 1000").out.splitlines()[1].startswith("The value is 1:")


def test_a_policy_is_printed_as_the_file_that_it_makes(solve: Callable[[str], Typed]) -> None:
    typed = solve("chicken --n 3 --policy")
    assert typed.code == 0
    assert typed.out.splitlines() == list(equilibrium.write(3))


def test_programs_read_a_policy_as_probabilities(solve: Callable[[str], Typed]) -> None:
    told = json.loads(solve("chicken --n 2 --policy --json").out)
    assert told["value"] == 1
    assert len(told["policy"]) == 5  # four pairs of one card each, and one of two
    assert told["policy"][-1] == {"hands": [[1, 2], [1, 2]], "value": 1.0, "mixes": [[0.5, 0.5], [0.5, 0.5]]}
    assert {"hands": [[2], [1]], "value": 3.0, "mixes": [[1.0], [1.0]]} in told["policy"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("chicken", "--n is missing: `chatbot solve chicken --n N`"),
        ("chicken --json", "--n is missing: `chatbot solve chicken --n N`"),
        ("chicken --n 0", "“0” is not possible for n: it takes a whole number from 1 to 1,000"),
        ("chicken --n -3", "“-3” is not possible for n"),
        ("chicken --n 1001", "“1001” is not possible for n"),
        ("chicken --n 6.0", "“6.0” is not possible for n"),
        ("chicken --n six", "“six” is not possible for n"),
        ("chicken --n 10 --policy", "A policy is written for at most 9 cards, not for 10."),
        ("chicken 6", "There is something too much: '6'."),
        ("chicken --n 6 7", "There is something too much: '7'."),
        ("chicken --n 6 --jsn", "There is something too much: '--jsn'."),
    ],
)
def test_wrong_input_is_one_sentence(solve: Callable[[str], Typed], line: str, sentence: str) -> None:
    typed = solve(line)
    assert (typed.code, typed.out) == (2, "")
    assert typed.err.startswith(sentence)
    assert typed.err.count("\n") == 1


def test_an_option_without_its_value_is_refused(solve: Callable[[str], Typed]) -> None:
    typed = solve("chicken --n")
    assert (typed.code, typed.out) == (2, "")
    assert "'--n' requires an argument" in typed.err


@pytest.mark.slow
def test_the_question_needs_no_numpy_before_it_is_answered() -> None:
    code = "import sys, chatbot.games.chickenpoker.solver.question; assert 'numpy' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
