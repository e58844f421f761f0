"""What a game publishes of its odds: the chance, the payout, and what comes back in the long run."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from chatbot.kernel.say import Message


@dataclass(frozen=True, slots=True)
class Odds:
    """The odds of a game under some settings.

    `rows` say for each way to play what is likely, what it pays, and how much of a stake comes back.
    `back` is the most that the house pays back on average for each credit that is staked, to whoever plays
    best: 1 is fair, and with more the credits lose their worth. None: the house has no part in it.
    """

    rows: tuple[Message, ...]
    back: Fraction | None


def percent(back: Fraction) -> float:
    """Give what comes back as people read it, to a tenth of a percent."""
    return float(round(100 * back, 1))


def generous(back: Fraction | None) -> bool:
    """Whether more comes back than was staked."""
    return back is not None and back > 1
