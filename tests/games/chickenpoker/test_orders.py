"""What people type: terms in any form, one card, and everything else refused in a sentence."""

from __future__ import annotations

import pytest

from chatbot.games.chickenpoker import KIT
from chatbot.games.chickenpoker.rules.moves import Join, Play
from tests.games.chickenpoker.table import ANN, not_read, typed


@pytest.mark.parametrize(
    ("line", "cards", "stake"),
    [
        ("!chicken", None, None),
        ("!chickenpoker", None, None),
        ("!chicken poker", None, None),
        ("!chicken Poker 8", 8, None),
        ("!chicken 8", 8, None),
        ("!chicken 8 50", 8, 50),
        ("!chicken 2 0", 2, 0),
        ("!chicken 15 1k", 15, 1000),
        ("!chicken half", None, 500),
        ("!chicken 25%", None, 250),
        ("!chicken ALL 5", 5, 1000),
        ("!chicken 1k 5", 5, 1000),
        ("!chicken stake=50", None, 50),
        ("!chicken stake=0", None, 0),
        ("!chicken cards=8", 8, None),
        ("!chicken Stake=50 8", 8, 50),
        ("!chicken 8 stake=half", 8, 500),
        ("!chicken cards=8 50", 8, 50),
        ("!chicken stake=50 cards=8", 8, 50),
    ],
)
def test_the_first_number_is_that_of_the_cards_and_anything_may_have_its_key(
    line: str, cards: int | None, stake: int | None
) -> None:
    assert typed(line) == Join(ANN, cards, stake)


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        ("!chicken 1", "chicken-length"),
        ("!chicken 16", "chicken-length"),
        ("!chicken 50", "chicken-length"),
        ("!chicken cards=many", "chicken-length"),
        ("!chicken cards=-3", "chicken-length"),
        ("!chicken 999999999999999999999999", "chicken-word"),
        ("!chicken 6 50 70", "twice"),
        ("!chicken 6 half all", "twice"),
        ("!chicken cards=6 cards=7", "twice"),
        ("!chicken -6", "amount-signed"),
        ("!chicken six", "chicken-word"),
        ("!chicken \N{DEVANAGARI DIGIT SIX}", "chicken-word"),
        ("!chicken poker poker", "chicken-word"),
        ("!chicken stake=", "not-an-amount"),
        ("!chicken stake=-1", "amount-signed"),
        ("!chicken 6 9999999999999999", "amount-out-of-range"),
        ("!chicken 200%", "not-an-amount"),
    ],
)
def test_what_cannot_be_read_is_refused(line: str, refusal: str) -> None:
    assert not_read(line).id == refusal


def test_a_card_is_read_with_whether_others_could_read_it_too() -> None:
    assert typed("!play 7") == Play(ANN, 7)
    assert typed("!play 7", public=True) == Play(ANN, 7, public=True)


@pytest.mark.parametrize(
    "line",
    [
        "!play",
        "!play seven",
        "!play 7 8",
        "!play -7",
        "!play 7!",
        "!play \N{ARABIC-INDIC DIGIT SEVEN}",
        "!play 7.0",
    ],
)
def test_what_is_no_card_is_refused_without_repeating_it(line: str) -> None:
    refusal = not_read(line)
    assert refusal.id == "chicken-play-usage"
    assert not refusal.args


@pytest.mark.parametrize(
    "action",
    [Join(ANN), Join(ANN, 6), Join(ANN, 6, 0), Join(ANN, 15, 10**15), Join(ANN, None, 50), Play(ANN, 15)],
)
def test_an_action_is_written_as_somebody_would_type_it(action: Join | Play) -> None:
    assert typed(KIT.chat.line(action)) == action
