"""Which strategies play for the house at a table: a setting that games share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from chatbot.kernel import returns
from chatbot.kernel.game import Refusal
from chatbot.kernel.house_seats import Roster
from chatbot.kernel.odds import percent
from chatbot.kernel.say import Arguments, Message

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from chatbot.kernel.keyed import Lengths

ANY = "any"
MOST_NAMES = 50


def _names(value: object) -> object:
    return tuple(re.split("[/,]", value)) if isinstance(value, str) else value


Names = Annotated[tuple[str, ...], Field(min_length=1, max_length=MOST_NAMES), BeforeValidator(_names)]
"""Names with / or , between them. A name twice is drawn twice as often."""


def among(strategies: Collection[str]) -> AfterValidator:
    """Let pass names out of these, or `any` alone."""

    def check(names: tuple[str, ...]) -> tuple[str, ...]:
        if names != (ANY,) and not set(names) <= set(strategies):
            raise ValueError(f"expected {ANY}, or names out of {sorted(strategies)}, got {names!r}")
        return names

    return AfterValidator(check)


def expected(strategies: Collection[str]) -> Message:
    return Message("expects-strategies", {"names": ", ".join(strategies)})


def roster(strategies: tuple[str, ...], *, players: int, fills: int, most: int) -> Roster:
    """Say who of the house joins a table for `most`: somebody has opened it, who has a place there."""
    return Roster(strategies, min(players, most - 1), fills=min(fills, most))


def drawn_from(names: tuple[str, ...], strategies: Collection[str]) -> tuple[str, ...]:
    """Tell which names are meant."""
    return tuple(strategies) if names == (ANY,) else names


def require_unbeatable(game: str, strategies: Iterable[str], lengths: Lengths) -> None:
    """Require of each strategy that nobody gains credits by meeting it alone, in a game of any length.

    One without a figure, as in a game of another distribution, passes: it never plays for credits.

    Raises:
        Refusal: the figure of one is above the stake.
    """
    for strategy in dict.fromkeys(strategies):
        figure = returns.worst(game, strategy, range(lengths.least, lengths.most + 1))
        if figure is not None and not figure.fair:
            args: Arguments = {"strategy": strategy, "word": lengths.word, "back": percent(figure.returns)}
            raise Refusal(Message(f"house-strategy-{figure.method}", args))
