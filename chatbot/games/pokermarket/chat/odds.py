"""What Poker Market publishes of its odds: all that is staked goes to players, and the house has no part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.odds import Odds
from chatbot.kernel.say import Message

if TYPE_CHECKING:
    from chatbot.games.pokermarket.rules.rules import PokerMarket


def odds(game: PokerMarket) -> Odds:
    """Publish how the pot is divided; a player of the house stakes what it was lent, like anybody."""
    lent = (Message("market-odds-house"),) if game.roster.players or game.roster.fills else ()
    return Odds((Message("market-odds"), *lent), None)
