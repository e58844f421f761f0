"""How a market closes: places, points, the division of the pot, and the swap that nobody thought of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.pokermarket.contest.position import Deal, Position
from chatbot.games.pokermarket.rules.moves import Missed, Placing, Ranked
from chatbot.games.pokermarket.rules.states import row

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chatbot.games.pokermarket.rules.market import Market, Swap
    from chatbot.games.pokermarket.rules.states import Trading


def ranked(state: Trading) -> Ranked:
    """Rank the hands of a market that is over, and divide its pot."""
    market = state.market
    points = market.points
    shares = divided(state.pot, points)
    best_first = sorted(range(market.players), key=lambda seat: -points[seat])
    places = [
        Placing(state.order[seat], row(market.hands[seat]), place, points[seat], shares[seat])
        for place, seat in enumerate(best_first, 1)
    ]
    return Ranked(tuple(places), state.pot, missed(state))


def divided(pot: int, points: Sequence[int]) -> tuple[int, ...]:
    """Divide a pot in proportion to points; what is left over goes to the largest remainders first.

    Of equal remainders the one with more points comes first: no two seats have equal points.
    """
    total = sum(points)
    shares = [pot * each // total for each in points]
    rest = pot - sum(shares)
    by_remainder = sorted(
        range(len(points)), key=lambda seat: (pot * points[seat] % total, points[seat]), reverse=True
    )
    for seat in by_remainder[:rest]:
        shares[seat] += 1
    return tuple(shares)


def missed(state: Trading) -> Missed | None:
    """Find the best swap that nobody ever proposed, if one was worth proposing.

    It is one that would have made both hands better in somebody's turn; the best is the one by which the
    seat whose turn it was would have gained the most points, and of these the best hands.
    """
    proposed = {_cards(each.proposed) for each in state.done if each.proposed is not None}
    found, best = None, (0, 0, 0)
    for done in state.done:
        position, seat = Position.of(done.market), done.market.seat
        before = position.points(seat)
        for deal in _worth_it(position, seat):
            value = (position.points_after(deal)[0] - before, deal.own, deal.other)
            if value > best and value[0] and frozenset((deal.give, deal.take)) not in proposed:
                found, best = (done.market, deal), value
    return None if found is None else _named(state, *found)


def _worth_it(position: Position, seat: int) -> Iterable[Deal]:
    """List the trades of a seat that make both hands better."""
    own = position.holdings[seat]
    for partner, other in enumerate(position.holdings):
        if partner != seat:
            deals = (Deal(seat, partner, *each) for each in own.gains(other))
            yield from (each for each in deals if each.other > other.rank)


def _named(state: Trading, market: Market, deal: Deal) -> Missed:
    swap = deal.swap
    hands = market.swapped(swap).hands
    return Missed(state.offer(swap), market.round + 1, row(hands[swap.seat]), row(hands[swap.partner]))


def _cards(swap: Swap) -> frozenset[int]:
    return frozenset((swap.give, swap.take))
