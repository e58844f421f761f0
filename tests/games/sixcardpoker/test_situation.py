"""What a contestant's program is told, in either protocol, and what it may answer."""

from __future__ import annotations

from typing import Any

import pytest

from chatbot.games.sixcardpoker.contest.contestants import WIRE_FORMAT, Situation
from chatbot.games.sixcardpoker.rules.cards import arrange

TOLD = Situation(7, (1, 1, 2, 3, 4, 4))


def test_a_program_reads_its_six_cards_and_nothing_else() -> None:
    assert WIRE_FORMAT.line is not None
    assert WIRE_FORMAT.line(TOLD, ()) == "1 1 2 3 4 4"
    assert WIRE_FORMAT.ask(TOLD, ()) == {"game": 7, "cards": (1, 1, 2, 3, 4, 4)}
    assert WIRE_FORMAT.seconds == 3


@pytest.mark.parametrize(
    "answer",
    [
        "1 4 4 | 2 3 | 1", "4 1 4|3 2|1", "144 23 1", "414  32\t1", "144|23|1", " 1 4 4 | 2 3 | 1 \r",
        [[1, 4, 4], [2, 3], [1]], [[4, 4, 1], [3, 2], [1]],
    ],
)  # fmt: skip
def test_the_order_within_hands_does_not_matter(answer: object) -> None:
    assert WIRE_FORMAT.read(TOLD, (), answer) == arrange((1, 4, 4), (2, 3), (1,))


@pytest.mark.parametrize(
    "answer",
    [
        "", "144", "144 23", "14 423 1", "1 4 4 2 3 1", "144 23 1 1", "144 23 1 junk", "144 2x 1",
        "1 4 4 | 2 3 |", "|", "||", "144, 23, 1", "144 2\N{ARABIC-INDIC DIGIT THREE} 1",
        "1 4 4 | 2 3 | 1 |", "0 4 4 | 2 3 | 1",
        "5" * 70_000, None, True, 144231, {"high": [1, 4, 4]}, [],
        [[1, 4, 4], [2, 3], 1], [[1, 4, 4], [2, 3]],
        ["144", "23", "1"], [[1, 4, 4], [2, 3], [True]], [[1, 4, 4], [2, 3], [1.0]],
        [[1, 4, 4], [2, 3], [None]], [[1, 4, 4], [2, 3], [[1]]], [[1, 4, 4], [2, 3], [1], []],
    ],
)  # fmt: skip
def test_what_are_no_three_hands_is_answered_with_how_they_look(answer: Any) -> None:
    with pytest.raises(ValueError, match=r"^expected three hands such as 1 4 4 \| 2 3 \| 1, got .{0,42}$"):
        WIRE_FORMAT.read(TOLD, (), answer)


@pytest.mark.parametrize(
    "answer",
    ["144 23 4", "444 23 1", "1 1 1 | 1 1 1", [[1, 4, 4], [2, 3], [10**400]], [[9, 4, 4], [2, 3], [1]]],
)
def test_hands_of_other_cards_are_answered_with_those_that_there_are(answer: object) -> None:
    with pytest.raises(ValueError, match=r"^expected .{0,90}$"):
        WIRE_FORMAT.read(TOLD, (), answer)
