"""The types of Chicken Poker's settings that are its own."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from chatbot.games.chickenpoker.chat.strategies import PLANS
from chatbot.kernel import lineup
from chatbot.kernel.keyed import Lengths
from chatbot.kernel.settings import Unit, Whole

CARDS = Lengths("chicken", "cards", least=2, most=15)

Strategies = Annotated[lineup.Names, lineup.among(PLANS), lineup.expected(PLANS)]
Cards = Annotated[Whole, Field(ge=CARDS.least, le=CARDS.most), Unit("cards")]
