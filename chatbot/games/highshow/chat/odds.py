"""What High Show publishes of its odds: par returns the stake, and nobody makes more than par on average."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from chatbot.games.highshow.chat.figures import roughly
from chatbot.games.highshow.rules.par import par
from chatbot.kernel.odds import Odds
from chatbot.kernel.say import Message

if TYPE_CHECKING:
    from chatbot.games.highshow.rules.rules import HighShow
    from chatbot.kernel.say import Arguments

BACK = Fraction(1)
"""Par is the mean of the best play on any terms; what is paid is linear around it: see `par.py`."""


def odds(game: HighShow) -> Odds:
    """Publish par and span of the usual terms; the first time it takes up to a second."""
    cards = game.usual_cards
    terms = game.terms(cards, game.usual_keep(cards), game.penalty)
    agreed, args = par(terms), _named(game)
    if agreed is None:
        return Odds((Message("highshow-odds-honour", args),), BACK)
    figures: Arguments = {"par": roughly(agreed.value), "span": roughly(agreed.span)}
    return Odds((Message("highshow-odds", {**args, **figures}),), BACK)


def _named(game: HighShow) -> Arguments:
    cards = game.usual_cards
    return {"cards": cards, "keep": game.usual_keep(cards), "penalty": game.penalty}
