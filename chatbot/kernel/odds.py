"""What a game publishes of its odds, which `!odds` says and warnings about settings are based on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from chatbot.kernel.say import Message


@dataclass(frozen=True, slots=True)
class Odds:
    """The odds of a game under some settings.

    `rows` say for each way to play what is likely, what it pays, and how much of a stake comes back.
    `back` is the most that the house pays back on average for each credit that is staked, to whoever plays
    best: 1 is fair, and with more the credits lose their worth. None: the house has no part in it.
    `exact` gives rows that take up to a second to work out; `more` are told where the game's own topic
    `odds` is asked for. `short` says the most important of it in one line, where `rows` are long.
    """

    rows: tuple[Message, ...]
    back: Fraction | None
    exact: Callable[[], Sequence[Message]] | None = None
    more: tuple[Message, ...] = ()
    short: Message | None = None


def percent(back: Fraction) -> float:
    """Give what comes back as people read it, to a tenth of a percent."""
    return float(round(100 * back, 1))


def generous(back: Fraction | None) -> bool:
    """Whether more comes back than was staked."""
    return back is not None and back > 1
