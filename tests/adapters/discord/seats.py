"""What people of the fake Discord are called at tables."""

from __future__ import annotations

from chatbot.kernel.game import Seat
from cogs.discord.lines import account_of


def seat_of(user: int) -> Seat:
    """Give the seat of a user, as in a house that names people readably."""
    return Seat(str(account_of(user)))
