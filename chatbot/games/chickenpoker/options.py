"""The types of Chicken Poker's settings that are its own."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from chatbot.games.chickenpoker.strategies import PLANS
from chatbot.kernel import lineup
from chatbot.kernel.settings import Unit, Whole

FEWEST_CARDS, MOST_CARDS = 2, 15


Strategies = Annotated[lineup.Names, lineup.among(PLANS), lineup.expected(PLANS)]
Cards = Annotated[Whole, Field(ge=FEWEST_CARDS, le=MOST_CARDS), Unit("cards")]
Players = Annotated[Whole, Field(ge=2, le=10), Unit("people")]
HousePlayers = Annotated[Whole, Field(ge=0, le=9), Unit("people")]
Fills = Annotated[Whole, Field(ge=0, le=10), Unit("people")]
