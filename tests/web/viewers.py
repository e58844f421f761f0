"""Viewers of the page, as tests name them."""

from __future__ import annotations

from chatbot.kernel.game import Seat
from cogs.local.adapter import Viewer, entering


def viewer_of(name: str, role: str) -> Viewer:
    """Make a viewer whose seat is called by their account, as in a house that names people readably."""
    account, shown, level = entering(name, role)
    return Viewer(account, Seat(str(account)), shown, level)
