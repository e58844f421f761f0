"""The types of High Show's settings that are its own."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from chatbot.games.highshow.rules.terms import FEWEST_CARDS, MOST_CARDS, read_penalty
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message
from chatbot.kernel.settings import Unit, Whole


def _penalty(text: str) -> str:
    try:
        return str(read_penalty(text))
    except Refusal as refusal:
        raise ValueError(refusal.message.id) from None


def _text(value: object) -> object:
    if not isinstance(value, str):
        raise ValueError(f"expected a penalty, got {value!r}")  # noqa: TRY004  (pydantic listens for ValueError)
    return value


Penalty = Annotated[str, BeforeValidator(_text), AfterValidator(_penalty), Message("expects-penalty")]
Cards = Annotated[Whole, Field(ge=FEWEST_CARDS, le=MOST_CARDS), Unit("cards")]
Keep = Annotated[Whole, Field(ge=1, le=MOST_CARDS - 1), Unit("cards")]
Tables = Annotated[Whole, Field(ge=1, le=1000), Unit("games")]
