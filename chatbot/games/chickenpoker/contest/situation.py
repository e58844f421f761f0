"""What a contestant is told before each card, and how a program's answer is read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from chatbot.kernel.contest import Tongue

if TYPE_CHECKING:
    from collections.abc import Sequence

_DIGITS = re.compile(r"[0-9]{1,9}", re.ASCII)


class Situation(NamedTuple):
    """All that a contestant knows; rows have an entry for each of the ids 1, 2, … in this order."""

    game: int  # from 0
    round: int  # from 1
    cards: int  # n
    own: int  # the contestant's id
    players: tuple[int, ...]  # who has each id, as numbers from 0 that last as long as the match
    hands: tuple[tuple[int, ...], ...]  # ascending; of who has forfeited the game none
    shown: tuple[tuple[int, ...], ...]  # round by round of this game; 0: forfeited
    totals: tuple[int, ...]  # points of this game

    @property
    def hand(self) -> tuple[int, ...]:
        """The contestant's own."""
        return self.hands[self.own - 1]

    @property
    def opponents(self) -> Sequence[int]:
        """The other ids that have not forfeited."""
        return [each for each, hand in enumerate(self.hands, 1) if hand and each != self.own]


def question(told: Situation, menu: object = None) -> dict[str, object]:  # noqa: ARG001  (a Tongue's shape)
    """Name everything for a program that reads JSON."""
    return told._asdict()


def read(told: Situation, menu: object, answer: object) -> int:  # noqa: ARG001
    """Read what a program answered.

    Raises:
        ValueError: it is no card of its hand.
    """
    text = str(answer).strip()
    card = int(text) if _DIGITS.fullmatch(text) else 0
    if card not in told.hand:
        raise ValueError(f"expected one of the cards {_listed(told.hand)}, got {text[:40]!r}")
    return card


def _listed(hand: Sequence[int]) -> str:
    return " ".join(map(str, hand))


TONGUE = Tongue(ask=question, read=read)
