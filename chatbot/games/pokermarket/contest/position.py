"""Where all hands stand, what trades make of that, and what `greedy` does.

A hand's standing is one number, its rank times 16 and its seat: of equal hands the later turn is better, so
no two are the same, and points are how many are not above it.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from chatbot.games.pokermarket.contest.holding import Holding, holding
from chatbot.games.pokermarket.rules.market import Swap
from chatbot.kernel.cards import CLASSES, Card

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.games.pokermarket.rules.market import Market

_SEATS = 16  # more than there are


class Deal(NamedTuple):
    """A trade of one seat with another."""

    seat: int
    partner: int
    own: int  # what the seat's hand is worth then
    other: int  # and the partner's
    give: Card
    take: Card

    @property
    def swap(self) -> Swap:
        return Swap(self.seat, self.give, self.partner, self.take)


class Position:
    """The hands of a market by seats."""

    __slots__ = ("_bargains", "_choices", "_sorted", "holdings", "standings")

    def __init__(self, holdings: tuple[Holding, ...]) -> None:
        self.holdings = holdings
        self.standings = [each.rank * _SEATS + seat for seat, each in enumerate(holdings)]
        self._sorted = sorted(self.standings)
        self._choices: dict[int, Deal | None] = {}
        self._bargains: dict[int, Deal | None] = {}

    @classmethod
    def of(cls, market: Market) -> Position:
        return cls(tuple(holding(hand) for hand in market.hands))

    def points(self, seat: int) -> int:
        """Give what a seat scores if hands are ranked now."""
        return bisect_left(self._sorted, self.standings[seat]) + 1

    def after(self, deal: Deal) -> Position:
        """Let cards change hands."""
        holdings = list(self.holdings)
        own, other = holdings[deal.seat], holdings[deal.partner]
        give, take = deal.give, deal.take
        holdings[deal.seat] = holding(take if card == give else card for card in own.cards)
        holdings[deal.partner] = holding(give if card == take else card for card in other.cards)
        return Position(tuple(holdings))

    def points_after(self, deal: Deal) -> tuple[int, int]:
        """Give what the seat and the partner would score then."""
        own, other = deal.own * _SEATS + deal.seat, deal.other * _SEATS + deal.partner
        return self._place(own, other, deal.seat, deal.partner), self._place(
            other, own, deal.partner, deal.seat
        )

    def accepts(self, deal: Deal) -> bool:
        """Whether `greedy` would as the partner: for a better place, or a better hand in the same one."""
        place, before = self.points_after(deal)[1], self.points(deal.partner)
        improved = deal.other > self.holdings[deal.partner].rank
        return place > before or (place == before and improved)

    def choice(self, seat: int) -> Deal | None:
        """Say what `greedy` proposes.

        It is the trade after which its place, and then its hand, are best, of those that make them better,
        and leave the partner a better hand or no worse a place. Of equals it is the best for the partner.
        """
        if seat not in self._choices:
            self._choices[seat] = self._best(seat, self._leaves_unhurt)
        return self._choices[seat]

    def bargain(self, seat: int) -> Deal | None:
        """Find the trade that is best for a seat, of those that `greedy` accepts."""
        if seat not in self._bargains:
            self._bargains[seat] = self._best(seat, self.accepts)
        return self._bargains[seat]

    def _best(self, seat: int, allowed: Callable[[Deal], bool]) -> Deal | None:
        """Look at trades from the best for the hand down: without a better hand there is no better place."""
        own, found = self.holdings[seat], None
        best = (self.points(seat), own.rank, CLASSES)
        for partner, other in enumerate(self.holdings):
            if partner == seat:
                continue
            now = self.standings[partner]
            for trade in own.gains(other):
                mine, theirs = trade[0] * _SEATS + seat, trade[1] * _SEATS + partner
                below = bisect_left(self._sorted, mine) - (now < mine)
                if (below + 1, *trade[:2]) <= best:
                    break  # the others are no better
                value = (below + (theirs < mine), *trade[:2])
                if value > best and allowed(deal := Deal(seat, partner, *trade)):
                    found, best = deal, value
        return found

    def _leaves_unhurt(self, deal: Deal) -> bool:
        """Whether the partner gets a better hand, or no worse a place."""
        seat, partner = deal.seat, deal.partner
        if deal.other > self.holdings[partner].rank:
            return True
        theirs = deal.other * _SEATS + partner
        if theirs < self._next_below(partner, seat):
            return False
        return self.standings[seat] > self.standings[partner] or deal.own * _SEATS + seat < theirs

    def _next_below(self, seat: int, without: int) -> int:
        """Give the standing that is next below a seat's, but for another's; below that its place is worse."""
        place = bisect_left(self._sorted, self.standings[seat]) - 1
        if place >= 0 and self._sorted[place] == self.standings[without]:
            place -= 1
        return self._sorted[place] if place >= 0 else -1

    def _place(self, standing: int, other: int, seat: int, partner: int) -> int:
        """Give what a seat scores with one hand, and its partner with another."""
        below = bisect_left(self._sorted, standing)
        for each in (self.standings[seat], self.standings[partner]):
            below -= each < standing
        return below + (other < standing) + 1


def deal_of(swap: Swap, position: Position) -> Deal:
    """Find what a swap makes of hands."""
    own, other = position.holdings[swap.seat], position.holdings[swap.partner]
    return Deal(swap.seat, swap.partner, *own.trade(other, swap.give, swap.take))
