"""What Six Card Poker publishes of its odds: those against the house, which plays the equilibrium."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from chatbot.kernel.odds import Odds, percent
from chatbot.kernel.say import Message

if TYPE_CHECKING:
    from chatbot.games.sixcardpoker.rules.rules import SixCardPoker

WIN = Fraction(195_620_058_522_773, 580_308_879_150_000)
"""How likely the best play beats the best play. It is worked out by `evaluation.py`, as a test does."""

BACK = Fraction(1)
"""Nobody scores more than half against the house on average, and by the same play nobody scores less."""


def odds(game: SixCardPoker) -> Odds:
    """Publish how a round against the house ends where both play best, and what a duel is."""
    figures = {"win": percent(WIN), "draw": percent(1 - 2 * WIN), "loss": percent(WIN)}
    duels = (Message("sixcard-odds-duel"),) if game.duels else ()
    return Odds((Message("sixcard-odds", figures), *duels), BACK)
