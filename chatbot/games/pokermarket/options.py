"""The types of Poker Market's settings that are its own."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from chatbot.games.pokermarket.strategies import STRATEGIES
from chatbot.kernel import lineup
from chatbot.kernel.settings import Unit, Whole

FEWEST_PLAYERS, MOST_PLAYERS = 2, 10
MOST_ROUNDS = 5  # in a chat; elsewhere there may be 20


Strategies = Annotated[lineup.Names, lineup.among(STRATEGIES), lineup.expected(STRATEGIES)]
Rounds = Annotated[Whole, Field(ge=1, le=MOST_ROUNDS), Unit("rounds")]
Players = Annotated[Whole, Field(ge=FEWEST_PLAYERS, le=MOST_PLAYERS), Unit("people")]
HousePlayers = Annotated[Whole, Field(ge=0, le=MOST_PLAYERS - 1), Unit("people")]
Fills = Annotated[Whole, Field(ge=0, le=MOST_PLAYERS), Unit("people")]
