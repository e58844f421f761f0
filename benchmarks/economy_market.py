"""How a coalition trades at Poker Market: as if all its hands were one, against whoever else sits there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.pokermarket.contest.contestants import CONTESTANTS
from chatbot.games.pokermarket.contest.position import Position, deal_of
from chatbot.games.pokermarket.rules.moves import Accept, Decline, Pass, Propose
from chatbot.games.pokermarket.strategies import adapted
from chatbot.kernel.cards import written

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from chatbot.games.pokermarket.rules.moves import Action
    from chatbot.games.pokermarket.rules.states import View
    from chatbot.kernel.fair import Rng
    from chatbot.kernel.game import Seat

STRATEGIES = tuple(CONTESTANTS)


def by_strategy(name: str, view: View, menu: Sequence[Action], rng: Rng) -> Action | None:
    """Play as somebody of the contest does; it knows this deal only."""
    return adapted(CONTESTANTS[name], view, menu, rng)


def together(view: View, own: Sequence[Seat], seat: Seat) -> Action | None:
    """Propose and answer what brings the coalition the most points, and then the house the worst hand."""
    market = view.market
    if market is None:
        return None
    mine = frozenset(place for place, each in enumerate(view.players) if each in own)
    position = Position.of(market)
    if view.proposed is not None:
        trade = position.after(deal_of(view.proposed, position))
        return Accept(seat) if value(trade, mine) >= value(position, mine) else Decline(seat)
    best, best_value = None, value(position, mine)
    for swap in market.swaps(market.seat):
        deal = deal_of(swap, position)
        if swap.partner in mine or position.accepts(deal):
            points = value(position.after(deal), mine)
            if points > best_value:
                best, best_value = swap, points
    return Pass(seat) if best is None else Propose(seat, written(best.give), written(best.take))


def value(position: Position, mine: Collection[int]) -> tuple[int, int, int]:
    """Tell how well a coalition stands: in points, by its worst hand, and by the best hand of the others."""
    others = [each for place, each in enumerate(position.standings) if place not in mine]
    points = sum(position.points(place) for place in mine)
    return points, min(position.standings[place] for place in mine), -max(others, default=0)
