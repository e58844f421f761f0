"""Words that open a table are read in any order, and once each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Refusal
from chatbot.kernel.keyed import Lengths, length, read_options, twice
from chatbot.kernel.say import Arguments, Message, Quote
from chatbot.speech.words import Words, languages

if TYPE_CHECKING:
    from collections.abc import Callable

CARDS = Lengths("chicken", "cards", least=2, most=15)


def refusal(of: Callable[[], object]) -> Message:
    with pytest.raises(Refusal) as refused:
        of()
    return refused.value.message


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
    assert read_options(text.split(), CARDS) == found


@pytest.mark.parametrize(("text", "wrong"), [("six", "six"), ("6 fifty", "fifty"), ("rounds=2", "rounds=2")])
def test_a_word_about_nothing_is_quoted_in_the_words_of_the_game(text: str, wrong: str) -> None:
    assert refusal(lambda: read_options(text.split(), CARDS)) == Message(
        "chicken-word", {"text": Quote(wrong)}
    )


@pytest.mark.parametrize(
    ("text", "wrong", "about", "first"),
    [
        ("6 50 70", "70", "stake", "50"),
        ("half all", "all", "stake", "half"),
        ("50 cards=6", "cards=6", "cards", "50"),
        ("stake=50 STAKE=60", "STAKE=60", "stake", "50"),
    ],
)
def test_a_word_too_many_is_quoted_with_what_was_said_first(
    text: str, wrong: str, about: str, first: str
) -> None:
    args: Arguments = {"text": Quote(wrong), "about": Message(f"twice-{about}"), "first": Quote(first)}
    assert refusal(lambda: read_options(text.split(), CARDS)) == Message("twice", args)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("about", ["cards", "rounds", "stake", "keep", "penalty", "parameter"])
def test_what_was_said_first_has_words_in_every_language(language: str, about: str) -> None:
    text = Words(language).text(twice("7", about, "6").message, str)
    assert "7" in text
    assert "6" in text


def test_a_length_is_read_within_its_limits_or_was_not_told() -> None:
    assert length({"cards": "2"}, CARDS) == 2
    assert length({"cards": "15"}, CARDS) == 15
    assert length({}, CARDS) is None


@pytest.mark.parametrize("text", ["1", "16", "0", "-3", "x", "", "٣", "9" * 17])
def test_any_other_length_is_refused_with_its_limits(text: str) -> None:
    limits = Message("chicken-length", {"least": 2, "most": 15})
    assert refusal(lambda: length({"cards": text}, CARDS)) == limits
