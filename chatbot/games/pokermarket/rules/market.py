"""A market in play: open hands in a circle, whose turn it is, and what they come to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from chatbot.kernel.cards import CardNumber, rank

if TYPE_CHECKING:
    from collections.abc import Sequence

FiveCards: TypeAlias = tuple[CardNumber, ...]


@dataclass(frozen=True, slots=True)
class Swap:
    """`seat` gives a card to `partner` for another; seats are numbers in the order of turns, from 0."""

    seat: int
    give: CardNumber
    partner: int
    take: CardNumber


@dataclass(frozen=True, slots=True)
class Market:
    """Hands by seats, in the order of turns; `turn` counts those that are done, over all rounds."""

    hands: tuple[FiveCards, ...]
    rounds: int
    turn: int = 0

    @property
    def players(self) -> int:
        """How many sit in the circle."""
        return len(self.hands)

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return self.turn % self.players

    @property
    def round(self) -> int:
        """Which round it is, from 0."""
        return self.turn // self.players

    @property
    def over(self) -> bool:
        """Whether all turns have been taken."""
        return self.turn >= self.rounds * self.players

    @property
    def left(self) -> int:
        """How many turns are left, the present one included."""
        return self.rounds * self.players - self.turn

    def next(self) -> Market:
        """Return the market at the next turn."""
        return replace(self, turn=self.turn + 1)

    def swapped(self, swap: Swap) -> Market:
        """Let cards change hands; each takes the place of the other."""
        hands = list(self.hands)
        hands[swap.seat] = _exchange(hands[swap.seat], swap.give, swap.take)
        hands[swap.partner] = _exchange(hands[swap.partner], swap.take, swap.give)
        return replace(self, hands=tuple(hands))

    def holder(self, card: CardNumber) -> int | None:
        """Return the seat that holds a card, or None."""
        return next((seat for seat, hand in enumerate(self.hands) if card in hand), None)

    def swaps(self, seat: int) -> tuple[Swap, ...]:
        """List all that a seat could propose."""
        return tuple(
            Swap(seat, give, partner, take)
            for partner, hand in enumerate(self.hands)
            if partner != seat
            for give in self.hands[seat]
            for take in hand
        )

    @property
    def points(self) -> tuple[int, ...]:
        """Return what each seat scores if hands are ranked now."""
        return points([rank(hand) for hand in self.hands])


def points(ranks: Sequence[int]) -> tuple[int, ...]:
    """Score hands by their ranks: as many points as there are players for the best, 1 for the worst.

    Of equal hands the one with the later turn is better.
    """
    order = sorted(range(len(ranks)), key=lambda seat: (ranks[seat], seat))
    scores = [0] * len(ranks)
    for place, seat in enumerate(order, 1):
        scores[seat] = place
    return tuple(scores)


def _exchange(hand: FiveCards, give: CardNumber, take: CardNumber) -> FiveCards:
    return tuple(take if card == give else card for card in hand)
