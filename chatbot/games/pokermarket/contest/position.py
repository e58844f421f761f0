"""Where all hands stand, what trades make of that, and what `greedy` does.

A hand's standing is one number, its rank times 16 and its seat: of equal hands the later turn is better, so
no two are the same, and points are how many are not above it.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from chatbot.games.pokermarket.rules.market import Swap
from chatbot.kernel.cards import CLASSES, HAND, SUIT_COUNT, WEIGHTS, CardNumber, rank, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from chatbot.games.pokermarket.rules.market import Market

_SEATS = 16  # more than there are


class Deal(NamedTuple):
    """A trade of one seat with another."""

    seat: int
    partner: int
    own: int  # what the seat's hand is worth then
    other: int  # and the partner's
    give: CardNumber
    take: CardNumber

    @property
    def swap(self) -> Swap:
        """The same trade as seats propose it."""
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
        """Return the position of the hands of a market."""
        return cls(tuple(holding(hand) for hand in market.hands))

    def points(self, seat: int) -> int:
        """Return what a seat scores if hands are ranked now."""
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
        """Return what the seat and the partner would score then."""
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
        """Return what `greedy` proposes.

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
        own, best_deal = self.holdings[seat], None
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
                    best_deal, best = deal, value
        return best_deal

    def _leaves_unhurt(self, deal: Deal) -> bool:
        """Whether the partner gets a better hand, or no worse a place."""
        seat, partner = deal.seat, deal.partner
        if deal.other > self.holdings[partner].rank:
            return True
        theirs = deal.other * _SEATS + partner
        if theirs < self._next_below(partner):
            return False
        return self.standings[seat] > self.standings[partner] or deal.own * _SEATS + seat < theirs

    def _next_below(self, seat: int) -> int:
        """Return the standing next below a seat's; below that its place is worse.

        Where it is that of the seat that deals, this is so too: a deal betters that one.
        """
        place = bisect_left(self._sorted, self.standings[seat]) - 1
        return self._sorted[place] if place >= 0 else -1

    def _place(self, standing: int, other: int, seat: int, partner: int) -> int:
        """Return what a seat scores with one hand, and its partner with another."""
        below = bisect_left(self._sorted, standing)
        for each in (self.standings[seat], self.standings[partner]):
            below -= each < standing
        return below + (other < standing) + 1


def deal_of(swap: Swap, position: Position) -> Deal:
    """Find what a swap makes of hands."""
    own, other = position.holdings[swap.seat], position.holdings[swap.partner]
    return Deal(swap.seat, swap.partner, *own.trade(other, swap.give, swap.take))


# Hands as whoever looks ahead needs them: what they are worth, and what trades with others make of them.
#
# Lists are quicker than arrays here: of two hands there are 25 trades, and most of the positions that are
# looked at share most of their hands. So hands are kept, and each keeps its trades with the others.


_MOST = 4_000  # hands that are kept, each with its trades


Trade: TypeAlias = "tuple[int, int, CardNumber, CardNumber]"
"""What both hands are worth after a swap, the own one first; and the card that is given, and the one taken.

They are plain tuples because there are many: Python's collection of garbage does not keep an eye on these.
"""


class Holding:
    """Five cards; there is only one such object for each five, unless too many are kept."""

    __slots__ = ("_drawing", "_gains", "_suits", "_weights", "_without", "cards", "rank")

    def __init__(self, cards: Sequence[CardNumber]) -> None:
        self.cards = tuple(cards)
        self.rank = rank(cards)
        self._weights = [WEIGHTS[card // SUIT_COUNT] for card in self.cards]
        whole = sum(self._weights)
        self._without = [whole - each for each in self._weights]
        self._suits = [_suit_without(self.cards, card) for card in self.cards]
        self._drawing = any(suit is not None for suit in self._suits)
        self._gains: dict[Holding, tuple[Trade, ...]] = {}

    def gains(self, other: Holding) -> tuple[Trade, ...]:
        """List the trades that make this hand better: the best first, for this one and then the other."""
        if other not in self._gains:
            own, theirs = self._after(other), other._after(self)
            self._gains[other] = self._better(other, own, [theirs[place] for place in _MIRRORED])
            other._gains[self] = other._better(self, theirs, [own[place] for place in _MIRRORED])
        return self._gains[other]

    def trade(self, other: Holding, give: CardNumber, take: CardNumber) -> Trade:
        """Return what a swap with another hand makes of both."""
        own, theirs = self.cards.index(give), other.cards.index(take)
        return self._with(own, other, theirs), other._with(theirs, self, own), give, take

    def _better(self, other: Holding, own: Sequence[int], theirs: Sequence[int]) -> tuple[Trade, ...]:
        trades = [
            (mine, yours, self.cards[give], other.cards[take])
            for mine, yours, (give, take) in zip(own, theirs, _PLACES, strict=True)
            if mine > self.rank
        ]
        trades.sort(reverse=True)
        return tuple(trades)

    def _after(self, other: Holding) -> list[int]:
        """Rank this hand with each of its cards replaced: the first by each of the other's, and so on."""
        if self._drawing:
            return [self._with(give, other, take) for give, take in _PLACES]
        plain = tables()[0]
        return [plain[key + weight] for key in self._without for weight in other._weights]

    def _with(self, give: int, other: Holding, take: int) -> int:
        """Rank this hand with one of its cards, by its place, replaced by one of another's."""
        suited = self._suits[give] == other.cards[take] % SUIT_COUNT
        return tables()[suited][self._without[give] + other._weights[take]]


def holding(cards: Iterable[CardNumber]) -> Holding:
    """Return the hand of these cards, in whatever order."""
    key = frozenset(cards)
    hand = _HOLDINGS.get(key)
    if hand is None:
        if len(_HOLDINGS) >= _MOST:
            _HOLDINGS.clear()
        hand = _HOLDINGS[key] = Holding(sorted(key))
    return hand


def _suit_without(cards: Sequence[CardNumber], give: CardNumber) -> int | None:
    """Return the suit of all cards but one, if it is the same."""
    suits = {card % SUIT_COUNT for card in cards if card != give}
    return suits.pop() if len(suits) == 1 else None


_PLACES = [(give, take) for give in range(HAND) for take in range(HAND)]  # as `_after` has them
_MIRRORED = [take * HAND + give for give, take in _PLACES]
_HOLDINGS: dict[frozenset[CardNumber], Holding] = {}
