"""The line protocol that an external program of Chicken Poker speaks: what it is sent, and how it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.chickenpoker.contest.session import Forfeit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.games.chickenpoker.contest.session import Start

NAME_SECONDS, CARD_SECONDS = 10.0, 3.0
_LONGEST_NAME = 32  # characters
_LONGEST_CARD = 10  # digits
_SHOWN = 40  # characters of a wrong answer


def opening(start: Start) -> str:
    """Write the four lines before a game."""
    return f"RESET\n{start.player}\n{start.cards}\n{' '.join(map(str, start.players))}\n"


def shown(cards: Mapping[int, int]) -> str:
    """Write the line before a card: the previous round by id, ascending; an empty one in the first."""
    return " ".join(f"{player} {card}" for player, card in cards.items()) + "\n"


def name(text: str) -> str:
    """Make a label of what it says its name is."""
    return "".join(each for each in text if each.isprintable())[:_LONGEST_NAME].strip()


def card(text: str) -> int:
    """Read a card.

    Raises:
        Forfeit: it is no number.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST_CARD):
        raise Forfeit("unreadable", f"expected a card, got {text[:_SHOWN]!r}")
    return int(text)
