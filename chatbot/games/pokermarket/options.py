"""The types of Poker Market's settings that are its own."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from chatbot.games.pokermarket.strategies import STRATEGIES
from chatbot.kernel.say import Message
from chatbot.kernel.settings import Unit, Whole

ANY = "any"
MOST_NAMES = 50
FEWEST_PLAYERS, MOST_PLAYERS = 2, 10
MOST_ROUNDS = 5  # in a chat; elsewhere there may be 20


def _names(value: object) -> object:
    return tuple(re.split("[/,]", value)) if isinstance(value, str) else value


def _known(names: tuple[str, ...]) -> tuple[str, ...]:
    if names != (ANY,) and not set(names) <= set(STRATEGIES):
        raise ValueError(f"expected {ANY}, or names out of {sorted(STRATEGIES)}, got {names!r}")
    return names


Strategies = Annotated[
    tuple[str, ...],
    Field(min_length=1, max_length=MOST_NAMES),
    BeforeValidator(_names),
    AfterValidator(_known),
    Message("expects-strategies", {"names": ", ".join(STRATEGIES)}),
]
Rounds = Annotated[Whole, Field(ge=1, le=MOST_ROUNDS), Unit("rounds")]
Players = Annotated[Whole, Field(ge=FEWEST_PLAYERS, le=MOST_PLAYERS), Unit("people")]
HousePlayers = Annotated[Whole, Field(ge=0, le=MOST_PLAYERS - 1), Unit("people")]
Fills = Annotated[Whole, Field(ge=0, le=MOST_PLAYERS), Unit("people")]
