"""The types of Chicken Poker's settings that are its own."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from chatbot.games.chickenpoker.strategies import PLANS
from chatbot.kernel.say import Message
from chatbot.kernel.settings import Unit, Whole

ANY = "any"
MOST_NAMES = 50
FEWEST_CARDS, MOST_CARDS = 2, 15


def _names(value: object) -> object:
    return tuple(re.split("[/,]", value)) if isinstance(value, str) else value


def _known(names: tuple[str, ...]) -> tuple[str, ...]:
    if names != (ANY,) and not set(names) <= set(PLANS):
        raise ValueError(f"expected {ANY}, or names out of {sorted(PLANS)}, got {names!r}")
    return names


Strategies = Annotated[
    tuple[str, ...],
    Field(min_length=1, max_length=MOST_NAMES),
    BeforeValidator(_names),
    AfterValidator(_known),
    Message("expects-strategies", {"names": ", ".join(PLANS)}),
]
Cards = Annotated[Whole, Field(ge=FEWEST_CARDS, le=MOST_CARDS), Unit("cards")]
Players = Annotated[Whole, Field(ge=2, le=10), Unit("people")]
HousePlayers = Annotated[Whole, Field(ge=0, le=9), Unit("people")]
Fills = Annotated[Whole, Field(ge=0, le=10), Unit("people")]
