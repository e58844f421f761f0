"""What a seat may know of a game: all hands, all that was shown, and only its own choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chatbot.games.chickenpoker.rules.moves import Commitment, RoundShown
from chatbot.games.chickenpoker.rules.states import Over, Playing
from chatbot.kernel.game import Seat
from chatbot.kernel.lobby import Lobby

if TYPE_CHECKING:
    from chatbot.games.chickenpoker.rules.states import State


@dataclass(frozen=True, slots=True)
class View:
    phase: str  # lobby, round, over
    seat: Seat | None
    players: tuple[Seat, ...]  # in the order of their ids, once seats are drawn
    cards: int  # n; 0: nobody has said yet
    credits: int  # that each has staked
    hands: Mapping[Seat, tuple[int, ...]] = field(default_factory=dict)
    totals: Mapping[Seat, int] = field(default_factory=dict)
    history: tuple[RoundShown, ...] = ()
    ready: frozenset[Seat] = frozenset()  # who has chosen in this round
    committed: tuple[Commitment, ...] = ()
    own: int | None = None  # the seat's own choice in this round
    shares: Mapping[Seat, int] = field(default_factory=dict)  # of the pot, when it is over

    @property
    def pot(self) -> int:
        return self.credits * len(self.players)


def view(state: State, committed: tuple[Commitment, ...], seat: Seat | None) -> View:
    match state:
        case Lobby():
            return View("lobby", seat, state.players, state.length, state.credits)
        case Playing():
            return View(
                "round",
                seat,
                state.order,
                state.cards,
                state.credits,
                hands=state.hands,
                totals=state.totals,
                history=state.history,
                ready=frozenset({*state.chosen, *state.fixed}),
                committed=committed,
                own=None if seat is None else state.chosen.get(seat),
            )
        case Over():
            return View(
                "over",
                seat,
                state.players,
                state.cards,
                state.credits,
                totals=state.totals,
                history=state.history,
                shares=state.shares,
            )
