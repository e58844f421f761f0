"""What a seat may know of a market: everything, for all cards lie open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.games.pokermarket.rules.market import Market, Swap
from chatbot.games.pokermarket.rules.moves import Offer, Ranked
from chatbot.games.pokermarket.rules.states import Done, Over, Trading, named, row
from chatbot.kernel.game import Seat
from chatbot.kernel.lobby import Lobby

if TYPE_CHECKING:
    from chatbot.games.pokermarket.rules.states import State


@dataclass(frozen=True, slots=True)
class View:
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
        return self.credits * len(self.players)

    @property
    def hands(self) -> dict[Seat, tuple[str, ...]]:
        """Give the hands that lie open, in the order of turns."""
        if self.market is not None:
            return {seat: row(hand) for seat, hand in zip(self.players, self.market.hands, strict=True)}
        ended = {each.seat: each.hand for each in self.ranked.places} if self.ranked is not None else {}
        return {seat: ended[seat] for seat in self.players if seat in ended}

    @property
    def acting(self) -> Seat | None:
        """Who has to propose something, or to answer."""
        if self.market is None:
            return None
        return self.players[self.market.seat if self.proposed is None else self.proposed.partner]

    def offer(self, swap: Swap) -> Offer:
        """Name a swap by seats and cards."""
        return named(self.players, swap)


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
