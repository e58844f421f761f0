"""What the house's strategies return: the most that one person can get back of a stake, on average.

A strategy of the house may be met with stakes only where nobody gains by meeting it. For each game, strategy
and length of a game `data/policies/returns.txt` has a figure; `chatbot solve returns --write` works them out.
`FORMAT` describes its lines, which stand at its beginning. Reading it needs no solver, and takes no time.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from chatbot.kernel import supplies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

FORMAT = (
    "# What the best reply to each strategy of the house returns, of each credit that one person stakes",
    "# against it, on average over the deals and both seats.",
    "# A line is the game, the strategy, the length of a game (0: it has none), `exact` or `searched`, what",
    "# the best reply returns, the standard error of that, and how it was found.",
)
COLUMNS = 7

CERTAINTY = 3.09
"""Standard errors above a sampled figure within which the true one lies in 999 of 1000 cases (one-sided)."""
TOLERANCE = Fraction(1, 1000)
"""How far above the stake a sampled figure may reach.

A sample never proves "at most 1" of a strategy whose return is 1 exactly, however large it is. A thousandth
is less than a credit of every stake up to 1,000.
"""
NO_LENGTH = 0
DECIMALS = 6  # of a figure that was sampled


class Method(StrEnum):
    """How a figure is known."""

    EXACT = "exact"  # proved, or worked out of all that can happen
    SEARCHED = "searched"  # of deals that were drawn


@dataclass(frozen=True, slots=True)
class BestReply:
    """What the best reply to a strategy returns, of each credit staked."""

    returns: Fraction
    method: Method
    error: float  # the standard error of `returns`, by the deals that were drawn; exact: 0
    how: str  # it was found: a word of `METHODS`

    @property
    def fair(self) -> bool:
        """Whether nobody gains by meeting the strategy.

        An exact figure must not be above 1. One that was searched must not be above 1 by more than
        `TOLERANCE`, with `CERTAINTY` times its error added: what is not known well counts as unfair.
        """
        if self.method is Method.EXACT:
            return self.returns <= 1
        return self.returns + Fraction(CERTAINTY * self.error) <= 1 + TOLERANCE


METHODS: Mapping[str, str] = {
    "even": "it draws evenly, so no reply changes how likely any result is",
    "induction": "backwards over all hands and margins of points",
    "orders": "all orders that it can play, with the best reply to what was seen of them",
    "ahead": "it never lets its place become worse, so the deal decides",
    "response": "the best reply with each hand, over all deals",
    "deals": "the best reply to each deal that was drawn, over all that can happen in it",
}
"""How figures are found, as the file names it and as people read it."""

ReturnsKey: TypeAlias = tuple[str, str, int]  # the game, the strategy, and the length of the game
Returns: TypeAlias = "Mapping[ReturnsKey, BestReply]"
Solver: TypeAlias = "Callable[[], Iterator[tuple[str, int, BestReply]]]"
"""Works out the figures of a game's strategies at each length, which take some seconds and NumPy."""


def exactly(returns: Fraction, how: str) -> BestReply:
    """State a figure that is proved."""
    return BestReply(returns, Method.EXACT, 0.0, how)


def searched(returns: float, error: float, how: str) -> BestReply:
    """State a figure of deals that were drawn, with the decimals that are kept of it.

    Of each deal it has to be what no reply exceeds: a reply that is merely good proves nothing of the others.
    """
    return BestReply(Fraction(_decimals(returns)), Method.SEARCHED, float(_decimals(error)), how)


def may_take_stakes(game: str, strategy: str, length: int) -> bool:
    """Whether a strategy may be met with stakes: one without a figure may not."""
    figure = best_reply(game, strategy, length)
    return figure is not None and figure.fair


def best_reply(game: str, strategy: str, length: int = NO_LENGTH) -> BestReply | None:
    """Return the figure of a strategy, such as `nash` for 6 cards; None where there is none."""
    return known().get((game, strategy, length))


def worst(game: str, strategy: str, lengths: Iterable[int]) -> BestReply | None:
    """Return the figure of the length at which most can be gained; None where a length has none."""
    replies = [best_reply(game, strategy, each) for each in lengths]
    figures = [each for each in replies if each is not None]
    if not figures or len(figures) < len(replies):
        return None
    return max(figures, key=lambda each: each.returns)


@cache
def known() -> Returns:
    """Read the figures that ship."""
    return read(file().read_text(encoding="utf-8").splitlines())


def read(lines: Iterable[str]) -> Returns:
    """Read the lines of figures.

    Raises:
        ValueError: a line is none, or one strategy has two figures of one length.
    """
    entries = [_entry(line) for line in lines if line and not line.startswith("#")]
    figures = dict(entries)
    if len(figures) < len(entries):
        raise ValueError("a strategy has two figures of the same length of a game")
    return figures


def write(figures: Returns) -> Iterator[str]:
    """Write the lines of figures."""
    yield from FORMAT
    for (game, strategy, length), each in figures.items():
        exact = each.method is Method.EXACT
        returns = str(each.returns) if exact else _decimals(float(each.returns))
        error = "0" if exact else _decimals(each.error)
        yield " ".join([game, strategy, str(length), each.method, returns, error, each.how])


def file() -> Path:
    """Return the file that ships."""
    return supplies.folder("policies") / "returns.txt"


def _entry(line: str) -> tuple[ReturnsKey, BestReply]:
    words = line.split()
    if len(words) != COLUMNS or words[-1] not in METHODS:
        raise ValueError(
            f"a figure has {COLUMNS} words, the last out of {sorted(METHODS)}, not {line[:80]!r}"
        )
    game, strategy, length, method, returns, error, how = words
    reply = BestReply(Fraction(returns), Method(method), float(error), how)
    if reply.returns < 0 or reply.error < 0 or (reply.method is Method.EXACT) != (error == "0"):
        raise ValueError(f"a figure is not negative, and has an error if it was searched, not {line[:80]!r}")
    return (game, strategy, int(length)), reply


def _decimals(number: float) -> str:
    return f"{number:.{DECIMALS}f}"
