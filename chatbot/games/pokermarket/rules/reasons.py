"""Why a swap is declined, as far as the hands tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.pokermarket.rules.moves import Reason
from chatbot.kernel.cards import rank

if TYPE_CHECKING:
    from chatbot.games.pokermarket.rules.market import Market, Swap


def reason(market: Market, swap: Swap) -> Reason:
    """Find the plainest reason against a swap for who is asked."""
    after = market.swapped(swap)
    before, then = rank(market.hands[swap.partner]), rank(after.hands[swap.partner])
    if then < before:
        return Reason.WORSE
    ahead = market.points[swap.partner] > market.points[swap.seat]
    if ahead and after.points[swap.partner] < after.points[swap.seat]:
        return Reason.OVERTAKEN
    return Reason.NOTHING if then == before else Reason.PATIENT
