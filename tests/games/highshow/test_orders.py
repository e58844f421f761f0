"""Words to actions and back, in all the ways in which people type them."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from chatbot.games.highshow import KIT
from chatbot.games.highshow.rules.moves import AskHint, CashOut, Guess, Open, SeeAnother
from chatbot.games.highshow.rules.rules import HighShow
from chatbot.games.highshow.rules.terms import PenaltyKind
from chatbot.kernel.say import Message, Quote
from chatbot.speech.words import Words, languages
from tests.games.highshow.table import ANN, not_read, typed

WORDS = {language: Words(language) for language in languages()}
STAKED = HighShow(default_stake=50, max_stake=0)
LONGEST = 500  # characters of a line


# Opening


@pytest.mark.parametrize(
    ("line", "opened"),
    [
        ("!highshow", (12, 3, "linear", 0)),
        ("!hs", (12, 3, "linear", 0)),
        ("!highshow 20 3 linear=5 50", (20, 3, "linear=5", 50)),
        ("!highshow 15", (15, 3, "linear", 0)),
        ("!highshow 3", (3, 2, "linear", 0)),  # of three cards three cannot be kept
        ("!highshow 30 4", (30, 4, "linear", 0)),
        ("!highshow 10 3 50", (10, 3, "linear", 50)),
        ("!highshow 10 half", (10, 3, "linear", 500)),
        ("!highshow linear 25%", (12, 3, "linear", 250)),
        ("!highshow linear 7", (12, 3, "linear", 7)),
        ("!highshow 10 2 VALUE=1/3 1K", (10, 2, "value=1/3", 1000)),
        ("!highshow 10 2 turn=0.50", (10, 2, "turn=1/2", 0)),
        ("!highshow 10 2 linear=0.000001", (10, 2, "linear=0.000001", 0)),
        ("!highshow 10 2 parameter=999999.999990 turn", (10, 2, "turn=999999.99999", 0)),
        ("!highshow turn", (12, 3, "turn", 0)),
        ("!highshow cards=10 keep=4 penalty=turn parameter=5 stake=50", (10, 4, "turn=5", 50)),
        ("!highshow stake=50 parameter=5 keep=4 cards=10", (10, 4, "linear=5", 50)),
        ("!highshow keep=2 10", (10, 2, "linear", 0)),
        ("!highshow 10 stake=5", (10, 3, "linear", 5)),
        ("!highshow penalty=linear=4", (12, 3, "linear=4", 0)),
        ("!highshow 20 3 0", (20, 3, "linear", 0)),
    ],
)
def test_a_game_is_opened_in_all_the_ways_people_type_it(
    line: str, opened: tuple[int, int, str, int]
) -> None:
    assert typed(line) == Open(ANN, *opened)


def test_what_is_left_out_is_as_the_room_has_set() -> None:
    assert typed("!highshow", game=HighShow()) == Open(ANN, 20, 3, "linear", 0)
    game = HighShow(cards=10, keep=4, penalty="value=1/2", default_stake=20)
    assert typed("!highshow", game=game) == Open(ANN, 10, 4, "value=1/2", 20)
    assert typed("!highshow parameter=3", game=game) == Open(ANN, 10, 4, "value=3", 20)
    assert typed("!highshow linear", game=game) == Open(ANN, 10, 4, "linear", 20)


def test_the_usual_stake_is_left_away_where_none_is_taken_and_nobody_asked_for_it() -> None:
    assert typed("!highshow 1000", game=STAKED).credits == 0
    assert not_read("!highshow 1000 3 50", game=STAKED) == Message("highshow-honour-only")
    assert typed("!highshow 10 3 0", game=STAKED).credits == 0


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        ("!highshow 1", "highshow-cards"),
        ("!highshow 1000000000", "highshow-cards"),
        ("!highshow 99999999999999999999", "not-a-number"),
        ("!highshow 5 5", "highshow-keep"),
        ("!highshow 5 6", "highshow-keep"),
        ("!highshow 20 0", "highshow-keep"),
        ("!highshow keep=x", "not-a-number"),
        ("!highshow cards=-5", "not-a-number"),
        ("!highshow 20 3 linear=1/0", "highshow-parameter"),
        ("!highshow 20 3 linear=-5", "highshow-parameter"),
        ("!highshow 20 3 linear=", "highshow-parameter"),
        ("!highshow parameter=-1", "highshow-parameter"),
        ("!highshow 20 3 1/0", "highshow-word"),
        ("!highshow -5", "amount-signed"),
        ("!highshow ٣", "highshow-word"),
        ("!highshow 20 3 square", "highshow-penalty"),
        ("!highshow hint", "highshow-elsewhere"),
        ("!highshow Odds 20", "highshow-elsewhere"),
        ("!highshow 20 cashout", "highshow-elsewhere"),
        ("!highshow speed=3", "highshow-penalty"),
        ("!highshow penalty=", "highshow-word"),
        ("!highshow cards= 5", "highshow-word"),
        ("!highshow none=3", "highshow-no-parameter"),
        ("!highshow none parameter=3", "highshow-no-parameter"),
        ("!highshow linear turn", "twice"),
        ("!highshow cards=5 cards=6", "twice"),
        ("!highshow 20 3 linear=5 parameter=3", "twice"),
        ("!highshow 20 3 linear 5 50", "twice"),
        ("!highshow 10 3 stake=x", "not-an-amount"),
        ("!highshow 10 3 101%", "not-an-amount"),
    ],
)
def test_what_cannot_be_opened_is_refused_with_the_reason(line: str, refusal: str) -> None:
    message = not_read(line)
    assert message.id == refusal
    for words in WORDS.values():
        assert len(words.text(message, str)) <= LONGEST


def test_a_word_too_many_is_quoted_with_what_was_said_first() -> None:
    assert not_read("!highshow 10 3 50 60").args == {
        "text": Quote("60"),
        "about": Message("twice-stake"),
        "first": Quote("50"),
    }


def test_a_parameter_that_is_missing_is_quoted_with_its_penalty() -> None:
    assert not_read("!highshow 20 3 linear=").args == {"text": Quote("linear=")}


@pytest.mark.slow
def test_the_solver_is_loaded_when_a_game_is_opened_so_that_its_first_hint_is_quick() -> None:
    script = (
        "import sys\n"
        "from tests.games.highshow.table import typed\n"
        "assert 'numpy' not in sys.modules, 'a chat in which nobody plays does without'\n"
        "typed('!highshow')\n"
        "assert 'chatbot.games.highshow.solver.estimate' in sys.modules\n"
        "assert 'chatbot.games.highshow.solver.exact' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


# Answers


@pytest.mark.parametrize(
    ("line", "guess"),
    [
        ("!guess 12 40", Guess(ANN, 12, "40")),
        ("!guess 12 -12", Guess(ANN, 12, "-12")),
        ("!guess 12 −12", Guess(ANN, 12, "-12")),
        ("!guess 12 +40.5", Guess(ANN, 12, "81/2")),
        ("!guess 12 81/4", Guess(ANN, 12, "81/4")),
        ("!guess 12", Guess(ANN, 12)),
        ("!guess 12 skip", Guess(ANN, 12)),
        ("!guess - 40", Guess(ANN, None, "40")),
        ("!guess ? SKIP", Guess(ANN)),
        ("!guess skip", Guess(ANN)),
    ],
)
def test_guesses_in_all_the_ways_people_type_them(line: str, guess: Guess) -> None:
    assert typed(line) == guess


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        ("!guess", "highshow-guess-usage"),
        ("!guess 1 2 3", "highshow-guess-usage"),
        ("!guess x", "highshow-guess-lowest"),
        ("!guess -3", "highshow-guess-lowest"),
        ("!guess 1.5", "highshow-guess-lowest"),
        ("!guess 99999999999999999999", "highshow-guess-lowest"),
        ("!guess 12 x", "highshow-guess-profit"),
        ("!guess 12 1/0", "highshow-guess-profit"),
        ("!guess 12 --1", "highshow-guess-profit"),
        ("!guess 12 1e9", "highshow-guess-profit"),
        ("!guess 12 nan", "highshow-guess-profit"),
    ],
)
def test_what_is_no_guess_is_refused(line: str, refusal: str) -> None:
    assert not_read(line).id == refusal


@pytest.mark.parametrize(
    ("line", "action"),
    [("!cashout", CashOut), ("!another", SeeAnother), ("!seeanother", SeeAnother), ("!hint", AskHint)],
)
def test_answers_stand_alone(line: str, action: type) -> None:
    assert typed(line) == action(ANN)
    assert not_read(f"{line} now").id == "highshow-alone"


ACTIONS = [
    Open(ANN, 20, 3, "linear", 0),
    Open(ANN, 12, 11, "turnvalue=999999/999998", 10**15),
    Open(ANN, 12, 2, "value=123456.654321", 0),
    CashOut(ANN),
    SeeAnother(ANN),
    AskHint(ANN),
    Guess(ANN),
    Guess(ANN, 12),
    Guess(ANN, None, "-81/4"),
    Guess(ANN, 60, "40"),
    Guess(ANN, 60, "-0.000001"),
    Guess(ANN, 60, "999999999999.999999"),
    Guess(ANN, 60, "-999999999999/999983"),
]


@pytest.mark.parametrize("action", ACTIONS)
def test_every_action_reads_back_from_its_line_and_from_the_journal(action: Any) -> None:
    assert typed(KIT.chat.line(action), purse=10**15, game=STAKED) == action
    assert KIT.codec.load(KIT.codec.dump(action)) == action


def test_a_form_offers_every_argument_under_its_key() -> None:
    (command,) = [each for each in KIT.chat.commands if each.opens]
    assert command.slow
    words = ["9", "4", "turn", "2", "5"]
    line = " ".join(f"{each.key}{value}" for each, value in zip(command.options, words, strict=True))
    assert typed(f"!highshow {line}") == Open(ANN, 9, 4, "turn=2", 5)
    assert {each.name: each.choices for each in command.options}["penalty"] == tuple(
        each.value for each in PenaltyKind
    )


def test_suggestions_can_be_typed() -> None:
    (command,) = [each for each in KIT.chat.commands if each.opens]
    for option in command.options:
        for kind in PenaltyKind:
            for value in option.suggest(STAKED, {"penalty": kind.value}) if option.suggest else ():
                assert typed(f"!highshow cards=8 penalty={kind.value} {option.key}{value}")
