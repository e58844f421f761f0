"""Hands as whoever looks ahead needs them: what they are worth, and what trades with others make of them.

Lists are quicker than arrays here: of two hands there are 25 trades, and most of the positions that are
looked at share most of their hands. So hands are kept, and each keeps its trades with the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from chatbot.kernel.cards import HAND, SUIT_COUNT, WEIGHTS, Card, rank, tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MOST = 4_000  # hands that are kept, each with its trades


Trade: TypeAlias = "tuple[int, int, Card, Card]"
"""What both hands are worth after a swap, the own one first; and the card that is given, and the one taken.

They are plain tuples because there are many: Python's collection of garbage does not keep an eye on these.
"""


class Holding:
    """Five cards; there is only one such object for each five, unless too many are kept."""

    __slots__ = ("_drawing", "_gains", "_suits", "_weights", "_without", "cards", "rank")

    def __init__(self, cards: Sequence[Card]) -> None:
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

    def trade(self, other: Holding, give: Card, take: Card) -> Trade:
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

    def _with(self, gone: int, other: Holding, come: int) -> int:
        """Rank this hand with one of its cards, by its place, replaced by one of another's."""
        suited = self._suits[gone] == other.cards[come] % SUIT_COUNT
        return tables()[suited][self._without[gone] + other._weights[come]]


def holding(cards: Iterable[Card]) -> Holding:
    """Give the hand of these cards, in whatever order."""
    key = frozenset(cards)
    found = _HOLDINGS.get(key)
    if found is None:
        if len(_HOLDINGS) >= _MOST:
            _HOLDINGS.clear()
        found = _HOLDINGS[key] = Holding(sorted(key))
    return found


def _suit_without(cards: Sequence[Card], gone: Card) -> int | None:
    """Give the suit of all cards but one, if it is the same."""
    suits = {card % SUIT_COUNT for card in cards if card != gone}
    return suits.pop() if len(suits) == 1 else None


_PLACES = [(give, take) for give in range(HAND) for take in range(HAND)]  # as `_after` has them
_MIRRORED = [take * HAND + give for give, take in _PLACES]
_HOLDINGS: dict[frozenset[Card], Holding] = {}
