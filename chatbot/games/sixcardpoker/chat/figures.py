"""Cards, points and scores as players read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.sixcardpoker.solver import policies
from chatbot.kernel.say import Message

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from chatbot.games.sixcardpoker.rules.cards import Arrangement, Held

HANDS = ("high", "middle", "low")
HALF = "\N{VULGAR FRACTION ONE HALF}"


def row(cards: Sequence[int]) -> str:
    return " ".join(map(str, cards))


def example(held: Held) -> str:
    """Show how a setting of these cards is typed, with one that is not bad."""
    return str(next(iter(policies.greedy()[held])))


def points(results: Sequence[int]) -> str:
    """Write the points of three hands, of which a drawn one counts half: `2½`."""
    halves = sum(1 + each for each in results)
    whole = str(halves // 2) if halves > 1 or not halves else ""
    return f"{whole}{HALF if halves % 2 else ''}"


def percent(score: Fraction) -> str:
    """Write an expected score to a tenth of a percent: `48.3%`."""
    tenths = round(score * 1000)
    return f"{tenths // 10}.{tenths % 10}%"


def worded(arrangement: Arrangement) -> tuple[Message, Message, Message]:
    """Say what decides each hand: `4 4 1 (9)`, `a pair of 3s`, `2`."""
    total = {"cards": row(arrangement.high), "sum": str(sum(arrangement.high))}
    return (
        Message("sixcard-sum", total),
        pair(arrangement) or word(row(arrangement.middle)),
        word(row(arrangement.low)),
    )


def pair(arrangement: Arrangement) -> Message | None:
    """Name the pair in the middle; None: there is none."""
    higher, lower = arrangement.middle
    return Message("sixcard-pair", {"face": str(higher)}) if higher == lower else None


def word(text: str) -> Message:
    return Message("word", {"word": text})
