"""What Chicken Poker publishes of its odds: all that is staked goes to players, and the house has no part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.odds import Odds
from chatbot.kernel.say import Message

if TYPE_CHECKING:
    from chatbot.games.chickenpoker.rules.rules import ChickenPoker


def odds(game: ChickenPoker) -> Odds:
    """Publish that the pot is shared; a player of the house stakes what it was lent, like anybody."""
    lent = (Message("chicken-odds-house"),) if game.roster.players or game.roster.fills else ()
    return Odds((Message("chicken-odds"), *lent), None)
