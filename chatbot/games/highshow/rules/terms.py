"""The terms of a game of High Show: how many cards, how many to keep, and what a rejection costs.

Everything is exact: no float decides a score.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message, Quote

FEWEST_CARDS, MOST_CARDS = 2, 1000
LOWEST_TIMES = 3  # the lowest card K is one of 1..3N, each as likely

_READABLE = 10**6  # what has at most six digits is less
_PARAMETER = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6}|/[0-9]{1,6})?", re.ASCII)


class PenaltyKind(Enum):
    """What a rejection costs."""

    NONE = "none"  # nothing
    LINEAR = "linear"  # the parameter
    TURN = "turn"  # i times the parameter for the card that appeared i-th
    VALUE = "value"  # the card's value times the parameter
    TURNVALUE = "turnvalue"  # both


@dataclass(frozen=True, slots=True)
class Penalty:
    """A kind, and its parameter where one was chosen; None is the default, which N and K may decide."""

    kind: PenaltyKind
    parameter: Fraction | None = None

    def __str__(self) -> str:
        """Write it as somebody would type it: `linear=5`, `turn`."""
        return (
            self.kind.value if self.parameter is None else f"{self.kind.value}={number_text(self.parameter)}"
        )

    def with_parameter(self, text: str) -> Penalty:
        """Choose the parameter.

        Raises:
            Refusal: it takes none, or this is none.
        """
        if self.kind is PenaltyKind.NONE:
            raise Refusal(Message("highshow-no-parameter"))
        return Penalty(self.kind, read_parameter(text))

    def rate(self, cards: int, lowest: int) -> Fraction:
        """Return the parameter that counts for N `cards` from `lowest` on."""
        if self.parameter is not None:
            return self.parameter
        match self.kind:
            case PenaltyKind.NONE:
                return Fraction(0)
            case PenaltyKind.LINEAR:
                return Fraction(cards, 10)
            case PenaltyKind.TURN:
                return Fraction(2 * (cards + lowest), cards + 4)
            case PenaltyKind.VALUE:
                return Fraction(1, 4)
            case PenaltyKind.TURNVALUE:
                return Fraction(1, 8)

    def times(self, turn: int, value: int) -> int:
        """Return what the rate is taken times for the card of that value that appeared `turn`-th, from 1."""
        match self.kind:
            case PenaltyKind.NONE:
                return 0
            case PenaltyKind.LINEAR:
                return 1
            case PenaltyKind.TURN:
                return turn
            case PenaltyKind.VALUE:
                return value
            case PenaltyKind.TURNVALUE:
                return turn * value


@dataclass(frozen=True, slots=True)
class Terms:
    """N `cards` of which M are to be kept."""

    cards: int
    keep: int
    penalty: Penalty

    def __post_init__(self) -> None:
        """Refuse what cannot be played.

        Raises:
            Refusal: there are too few or too many cards, or not fewer to keep than there are.
        """
        if not FEWEST_CARDS <= self.cards <= MOST_CARDS:
            raise Refusal(
                Message("highshow-cards", {"cards": self.cards, "least": FEWEST_CARDS, "most": MOST_CARDS})
            )
        if not 1 <= self.keep < self.cards:
            raise Refusal(Message("highshow-keep", {"keep": self.keep, "cards": self.cards}))

    @property
    def highest_start(self) -> int:
        """The largest K that there can be."""
        return LOWEST_TIMES * self.cards

    def cost(self, lowest: int, turn: int, value: int) -> Fraction:
        """Return what rejecting a card costs that appeared `turn`-th, from 1, in a deck from `lowest` on."""
        return self.penalty.rate(self.cards, lowest) * self.penalty.times(turn, value)


def read_penalty(text: str) -> Penalty:
    """Read `none`, `linear`, `linear=5`, `turn=0.5`, `value=1/3`…

    Raises:
        Refusal: there is no such penalty, or it takes no parameter, or that is no number from 0 on.
    """
    name, mark, parameter = text.lower().partition("=")
    kinds = {each.value: each for each in PenaltyKind}
    if name not in kinds:
        raise Refusal(Message("highshow-penalty", {"text": Quote(text), "known": ", ".join(kinds)}))
    penalty = Penalty(kinds[name])
    if mark and not parameter and penalty.kind is not PenaltyKind.NONE:
        raise _no_parameter(text)
    return penalty.with_parameter(parameter) if mark else penalty


def read_parameter(text: str) -> Fraction:
    """Read `3`, `0.5` or `1/2`, with at most six digits on either side.

    Raises:
        Refusal: it is something else.
    """
    if not _PARAMETER.fullmatch(text) or re.search("/0+$", text):
        raise _no_parameter(text)
    return Fraction(text)


def _no_parameter(text: str) -> Refusal:
    return Refusal(Message("highshow-parameter", {"text": Quote(text)}))


def number_text(number: Fraction) -> str:
    """Write a number such that it can be read again: what has too many digits as a fraction was a decimal."""
    parts = max(abs(number.numerator), number.denominator)
    if number.denominator == 1 or parts < _READABLE or _READABLE % number.denominator:
        return str(number)
    whole, rest = divmod(abs(number.numerator) * (_READABLE // number.denominator), _READABLE)
    return f"{'-' if number < 0 else ''}{whole}.{rest:06d}".rstrip("0")
