"""The states of a game of Poker Market, and what a seat may know of them: all, for cards lie open."""

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
        """Everybody at the table, in the order of turns."""
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
        """The credits that all have staked."""
        return self.credits * len(self.order)

    @property
    def changed(self) -> bool:
        """Whether a round begins with other hands than the last one did."""
        if self.market.seat or not self.done:
            return False
        return self.done[-self.market.players].market.hands != self.market.hands

    def hands(self) -> dict[Seat, tuple[str, ...]]:
        """Return all hands as they are written, in the order of turns."""
        return {seat: row(hand) for seat, hand in zip(self.order, self.market.hands, strict=True)}

    def offer(self, swap: Swap) -> Offer:
        """Name a swap by seats and cards."""
        return offer_of(self.order, swap)


@dataclass(frozen=True, slots=True)
class Over:
    """The end of a game."""

    players: tuple[Seat, ...]
    rounds: int = 0
    credits: int = 0
    ranked: Ranked | None = None  # None: too few came


State: TypeAlias = Lobby | Trading | Over


def offer_of(order: Sequence[Seat], swap: Swap) -> Offer:
    """Name a swap by seats, in the order of turns, and cards."""
    return Offer(order[swap.seat], written(swap.give), written(swap.take), order[swap.partner])


def row(hand: tuple[int, ...]) -> tuple[str, ...]:
    """Write a hand, the highest card first."""
    return tuple(written(card) for card in sorted(hand, reverse=True))


# What a seat may know of a market: everything, for all cards lie open.


@dataclass(frozen=True, slots=True)
class View:
    """What one seat may know; without a seat, what everybody may."""

    phase: str  # lobby, turn, answer, over
    seat: Seat | None
    players: tuple[Seat, ...]  # in the order of turns, once cards are dealt
    rounds: int  # 0: nobody has said yet
    credits: int  # that each has staked
    market: Market | None = None
    proposed: Swap | None = None
    done: tuple[Done, ...] = ()
    ranked: Ranked | None = None

    @property
    def pot(self) -> int:
        """The credits that all have staked."""
        return self.credits * len(self.players)

    @property
    def hands(self) -> dict[Seat, tuple[str, ...]]:
        """Return the hands that lie open, in the order of turns."""
        if self.market is not None:
            return {seat: row(hand) for seat, hand in zip(self.players, self.market.hands, strict=True)}
        hands = {each.seat: each.hand for each in self.ranked.places} if self.ranked is not None else {}
        return {seat: hands[seat] for seat in self.players if seat in hands}

    @property
    def acting(self) -> Seat | None:
        """Who has to propose something, or to answer."""
        if self.market is None:
            return None
        return self.players[self.market.seat if self.proposed is None else self.proposed.partner]

    def offer(self, swap: Swap) -> Offer:
        """Name a swap by seats and cards."""
        return offer_of(self.players, swap)


def view(state: State, seat: Seat | None) -> View:
    match state:
        case Lobby():
            return View("lobby", seat, state.players, state.length, state.credits)
        case Trading():
            return View(
                "turn" if state.proposed is None else "answer",
                seat,
                state.order,
                state.market.rounds,
                state.credits,
                state.market,
                state.proposed,
                state.done,
            )
        case Over():
            return View("over", seat, state.players, state.rounds, state.credits, ranked=state.ranked)
