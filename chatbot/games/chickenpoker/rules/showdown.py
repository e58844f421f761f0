"""One round of Chicken Poker: who takes the cards that are shown, and who is who in the next game."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def winner(cards: Mapping[int, int]) -> int:
    """Return which player id takes all cards of a round; `cards` is the card of each id.

    Those k who show the highest card v are numbered 0..k-1 in ascending order of their ids; number
    v mod k wins.
    """
    highest = max(cards.values())
    tied = sorted(player for player, card in cards.items() if card == highest)
    return tied[highest % len(tied)]


def player_id(place: int, game: int, players: int) -> int:
    """Return the id, from 1, of the player listed `place`-th (from 0) in a game (from 0) of a session."""
    return (place + game) % players + 1
