"""Words that open a table are read in any order, and once each."""

from __future__ import annotations

import pytest

from chatbot.kernel.game import Refusal
from chatbot.kernel.keyed import told
from chatbot.kernel.say import Message, Quote


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {}),
        ("6", {"cards": "6"}),
        ("6 50", {"cards": "6", "stake": "50"}),
        ("50% 6", {"cards": "6", "stake": "50%"}),
        ("stake=50 6", {"cards": "6", "stake": "50"}),
        ("cards=6 50", {"cards": "6", "stake": "50"}),
        ("CARDS=6 ALL", {"cards": "6", "stake": "ALL"}),
    ],
)
def test_a_number_without_a_key_is_the_games_own_and_the_next_one_the_stake(
    text: str, found: dict[str, str]
) -> None:
    assert told(text.split(), "cards", "chicken-word") == found


@pytest.mark.parametrize(
    ("text", "wrong"), [("6 50 70", "70"), ("half all", "all"), ("50 cards=6", "cards=6"), ("six", "six")]
)
def test_a_word_too_many_or_about_nothing_is_quoted(text: str, wrong: str) -> None:
    with pytest.raises(Refusal) as refused:
        told(text.split(), "cards", "chicken-word")
    assert refused.value.message == Message("chicken-word", {"text": Quote(wrong)})
