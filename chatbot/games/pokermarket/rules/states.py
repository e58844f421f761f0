"""The states of a game of Poker Market."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from chatbot.games.pokermarket.rules.market import Market, Swap
from chatbot.games.pokermarket.rules.moves import Offer, Ranked
from chatbot.kernel.cards import written
from chatbot.kernel.game import Seat
from chatbot.kernel.lobby import Lobby

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Done:
    """A turn that is over: how the market was before it, what was proposed, and whether it was accepted."""

    market: Market
    proposed: Swap | None
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class Trading:
    """A turn, and what was proposed in it, if anything."""

    order: tuple[Seat, ...]
    credits: int
    market: Market
    proposed: Swap | None = None
    done: tuple[Done, ...] = ()

    @property
    def players(self) -> tuple[Seat, ...]:
        return self.order

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        return self.order[self.market.seat]

    @property
    def answering(self) -> Seat | None:
        """Who has to answer a proposal."""
        return None if self.proposed is None else self.order[self.proposed.partner]

    @property
    def pot(self) -> int:
        return self.credits * len(self.order)

    @property
    def changed(self) -> bool:
        """Whether a round begins with other hands than the last one did."""
        if self.market.seat or not self.done:
            return False
        return self.done[-self.market.players].market.hands != self.market.hands

    def hands(self) -> dict[Seat, tuple[str, ...]]:
        return {seat: row(hand) for seat, hand in zip(self.order, self.market.hands, strict=True)}

    def offer(self, swap: Swap) -> Offer:
        """Name a swap by seats and cards."""
        return named(self.order, swap)


@dataclass(frozen=True, slots=True)
class Over:
    players: tuple[Seat, ...]
    rounds: int = 0
    credits: int = 0
    ranked: Ranked | None = None  # None: too few came


State: TypeAlias = Lobby | Trading | Over


def named(order: Sequence[Seat], swap: Swap) -> Offer:
    """Name a swap by seats, in the order of turns, and cards."""
    return Offer(order[swap.seat], written(swap.give), written(swap.take), order[swap.partner])


def row(hand: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(written(card) for card in sorted(hand, reverse=True))
