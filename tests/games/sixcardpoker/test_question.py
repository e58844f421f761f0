"""`chatbot solve sixcard`: what somebody at a terminal reads, and what a program does."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from chatbot.games.sixcardpoker.rules.cards import types
from chatbot.games.sixcardpoker.solver import policies, solver
from chatbot.games.sixcardpoker.solver.question import SixCardQuestion
from tests.typed import Typed, solve

if TYPE_CHECKING:
    from chatbot.kernel.contest import SolverAnswer


@pytest.fixture(scope="module")
def everything() -> SolverAnswer:
    return SixCardQuestion().answer()


# All hands


@pytest.mark.slow
def test_people_read_the_proof_and_which_hands_need_mixing(everything: SolverAnswer) -> None:
    assert everything.lines[:5] == [
        "68 types of hands can be dealt, with 760 distinct arrangements in all.",
        "The value is 1/2: so much each player scores a round, on average, when both play best.",
        "The exploitability is 0: a best response to the policy that was found",
        "scores so much more than 1/2 against it. This is exact.",
        "13 hands need mixing, in every equilibrium and with these chances:",
    ]
    assert everything.lines[5] == "  111244: 111 44 2 (86.36%), 421 11 4 (13.64%)"  # 55571 of 64350
    told = [line.split(":")[0].strip() for line in everything.lines[5:18]]
    mixed = ["".join(map(str, held)) for held, mix in policies.shipped().items() if len(mix) > 1]
    assert told == mixed


@pytest.mark.slow
def test_people_read_what_the_built_in_players_score(everything: SolverAnswer) -> None:
    heading, *rows = [line.split() for line in everything.lines[19:26]]
    assert heading == ["random", "greedy", "nash"]
    assert [row[0] for row in rows] == [
        "random", "greedy", "nash", "best-response:random", "best-response:greedy", "best-response:nash",
    ]  # fmt: skip
    # 172047 of 200200 is 85.9376%, which a simulation is compared with.
    assert rows[3][1] == "85.94"
    assert [rows[0][1], rows[1][2], rows[2][3], rows[5][3]] == ["50.00"] * 4
    assert everything.lines[26] == (
        "Nothing scores more against random than best-response:random: 172047/200200."
    )
    assert len(everything.lines) == 29


def test_programs_read_numbers(everything: SolverAnswer) -> None:
    plain = json.loads(json.dumps(everything.plain))
    assert {key: plain[key] for key in ("value", "exact", "exploitability", "types", "arrangements")} == {
        "value": 0.5,
        "exact": "1/2",
        "exploitability": 0.0,
        "types": 68,
        "arrangements": 760,
    }
    assert len(plain["mixed"]) == 13
    assert plain["mixed"]["111333"] == {
        "111 33 3": {"chance": pytest.approx(833 / 1430), "exact": "833/1430"},
        "331 11 3": {"chance": pytest.approx(597 / 1430), "exact": "597/1430"},
    }


def test_programs_read_how_each_player_fares_against_each_policy(everything: SolverAnswer) -> None:
    players = json.loads(json.dumps(everything.plain))["players"]
    assert len(players) == 6
    for name, against in players.items():
        assert list(against) == ["random", "greedy", "nash"]
        for each in against.values():
            assert each["score"] == pytest.approx(float(Fraction(each["exact"])))
            assert each["score"] == pytest.approx(each["win"] + each["draw"] / 2)
            assert each["win"] + each["draw"] + each["loss"] == pytest.approx(1)
        assert Fraction(against["nash"]["exact"]) <= Fraction(1, 2), name
    random = policies.random()
    best = solver.prospects(solver.best_response(random), random)
    found = players["best-response:random"]["random"]
    assert Fraction(found["exact"]) == best.round.score
    assert [found["high"], found["middle"], found["low"]] == [float(each.score) for each in best.hands]


@pytest.mark.slow
def test_the_policy_is_printed_as_the_file_that_ships() -> None:
    typed = solve("sixcard --policy")
    assert typed.out == policies._file().read_text(encoding="utf-8"), typed.err


@pytest.mark.slow
def test_programs_read_the_policy_of_every_hand() -> None:
    plain = SixCardQuestion(policy=True).answer().plain
    told = json.loads(json.dumps(plain))["policy"]
    assert list(told) == ["".join(map(str, held)) for held in types()]
    assert told["112344"] == {"432 11 4": {"chance": 1.0, "exact": "1"}}
    for mix in told.values():
        assert sum(Fraction(each["exact"]) for each in mix.values()) == 1


# One hand


@pytest.mark.parametrize("typed_as", ["112344", "441321", "1 1 2 3 4 4"])
def test_a_hand_is_told_its_best_arrangement_and_what_the_others_score(typed_as: str) -> None:
    typed = solve(f"sixcard '{typed_as}'")
    assert (typed.code, typed.err) == (0, "")
    assert typed.out.splitlines() == [
        "Best play always sets 112344 as 432 11 4: High, Middle and Low.",
        "What each arrangement scores against best play on average, in percent:",
        "  432 11 4   54.66",
        "  321 44 1   47.18",
        "  311 44 2   38.94",
        "  442 11 3   26.37",
        "  211 44 3   26.25",
        "  443 11 2   24.92",
        "Any other is beaten or equalled by one of these in all three hands.",
    ]


def test_a_hand_that_is_mixed_is_told_its_chances_the_likeliest_first() -> None:
    lines = solve("sixcard 122344").out.splitlines()
    # 145861 and 8579 of 154440
    assert lines[0] == "Best play sets 122344 in several ways: 431 22 4 (94.45%), 322 44 1 (5.55%)."
    assert lines[2].split()[-1] == lines[3].split()[-1] == "60.12"


def test_programs_read_a_hand() -> None:
    told = json.loads(solve("sixcard 113344 --json").out)
    assert told["hand"] == "113344"
    assert told["best"] == {
        "411 33 4": {"chance": pytest.approx(181 / 715), "exact": "181/715"},
        "441 33 1": {"chance": pytest.approx(534 / 715), "exact": "534/715"},
    }
    best = [told["scores"][arrangement]["exact"] for arrangement in told["best"]]
    assert best[0] == best[1]
    assert all(Fraction(each["exact"]) <= Fraction(best[0]) for each in told["scores"].values())


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("11234", "A hand is six cards out of four each of 1 to 4, such as 112344, not '11234'."),
        ("1123444", "A hand is six cards out of four each of 1 to 4, such as 112344, not '1123444'."),
        ("111112", "A hand is six cards out of four each of 1 to 4, such as 112344, not '111112'."),
        ("aces", "A hand is six cards out of four each of 1 to 4, such as 112344, not 'aces'."),
        ("١١٢٣٤٤", "A hand is six cards out of four each of 1 to 4, such as 112344, not '١١٢٣٤٤'."),
        ("144 23 1", "There is something too much: '23 1'."),
        ("112344 --policy", "--policy prints the best play with every hand: leave it out, or the hand."),
        ("112344 --jsn", "There is something too much: '--jsn'."),
    ],
)
def test_wrong_input_is_one_sentence(line: str, sentence: str) -> None:
    assert solve(f"sixcard {line}") == Typed(2, "", f"{sentence}\n")


def test_a_hand_of_nothing_is_none() -> None:
    assert solve("sixcardpoker ''").err.startswith("A hand is six cards")


@pytest.mark.slow
def test_a_hand_is_worked_out_without_numpy() -> None:
    code = (
        "import sys\nfrom chatbot.games.sixcardpoker.solver.question import SixCardQuestion\n"
        "SixCardQuestion('112344').answer()\nassert not {'numpy', 'scipy'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
