"""What may be staked at a table: the settings that games share, and how they are kept."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from chatbot.kernel.amounts import MOST
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Credits, Message
from chatbot.kernel.settings import Unit, Whole

Stake = Annotated[Whole, Field(ge=1, le=MOST), Unit("credits")]
Cap = Annotated[Whole, Field(ge=0, le=MOST), Unit("credits")]
"""A limit, of which 0 is none; as a usual stake, 0 is for honour."""


def require_order(least: int, most: int) -> None:
    """Demand limits that leave room between them.

    Raises:
        Refusal: the smallest stake would be above the largest.
    """
    if most and most < least:
        raise Refusal(Message("stakes-crossed", {"least": Credits(least), "most": Credits(most)}))


def within(stake: int, least: int, most: int) -> int:
    """Bring a stake within the limits."""
    return max(min(stake, most or stake), least)


def check(stake: int, least: int, most: int) -> None:
    """Let pass what may be staked.

    Raises:
        Refusal: it is outside the limits.
    """
    if stake < least:
        raise Refusal(Message("stake-too-small", {"least": Credits(least)}))
    if most and stake > most:
        raise Refusal(Message("stake-too-large", {"most": Credits(most)}))
