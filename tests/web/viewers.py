"""Viewers of the page, as tests name them."""

from __future__ import annotations

from chatbot.kernel.game import Seat
from cogs.local.adapter import LocalChat, Viewer, entering


async def want_proofs(chat: LocalChat) -> None:
    """Have what proves the draws shown at every table."""
    await chat.say(viewer_of("Mo", "moderator"), "!set room proofs yes", private=False)


def viewer_of(name: str, role: str) -> Viewer:
    """Make a viewer whose seat is called by their account, as in a house that names people readably."""
    account, shown, level = entering(name, role)
    return Viewer(account, Seat(str(account)), shown, level)
