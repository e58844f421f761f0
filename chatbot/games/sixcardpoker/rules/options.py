"""The types of Six Card Poker's settings that are its own."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from chatbot.kernel.settings import Unit, Whole

Tables = Annotated[Whole, Field(ge=1, le=1000), Unit("games")]
