"""The types of Poker Market's settings that are its own."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from chatbot.games.pokermarket.chat.strategies import STRATEGIES
from chatbot.kernel import lineup
from chatbot.kernel.keyed import Lengths
from chatbot.kernel.settings import Unit, Whole

ROUNDS = Lengths("market", "rounds", least=1, most=5)  # in a chat; elsewhere there may be 20

Strategies = Annotated[lineup.Names, lineup.among(STRATEGIES), lineup.expected(STRATEGIES)]
Rounds = Annotated[Whole, Field(ge=ROUNDS.least, le=ROUNDS.most), Unit("rounds")]
