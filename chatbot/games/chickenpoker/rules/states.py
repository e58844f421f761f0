"""The states of a game of Chicken Poker, and what a seat may know of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from chatbot.games.chickenpoker.rules.moves import Chosen, Commitment, Play, RoundShown
from chatbot.kernel.game import Seat
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.lobby import Lobby


@dataclass(frozen=True, slots=True)
class Fixed:
    """A choice of the house, made before anybody else chooses, and the nonce that hides it."""

    card: int
    nonce: str


@dataclass(frozen=True, slots=True)
class Playing:
    """A round: choices are hidden until all are in or the time is up."""

    order: tuple[Seat, ...]  # of the ids 1, 2, …
    cards: int
    credits: int
    hands: Mapping[Seat, tuple[int, ...]]  # everybody knows them
    totals: Mapping[Seat, int]
    history: tuple[RoundShown, ...] = ()
    fixed: Mapping[Seat, Fixed] = field(default_factory=dict)
    chosen: Mapping[Seat, int] = field(default_factory=dict)
    warned: frozenset[Seat] = frozenset()  # who has been told that others can read what they choose

    @property
    def players(self) -> tuple[Seat, ...]:
        """Everybody at the table, in the order of ids."""
        return self.order

    @property
    def forced(self) -> bool:
        """Whether everybody has one card left, so that there is nothing to choose."""
        return self.number == self.cards

    @property
    def alone(self) -> bool:
        """Whether only one of them is not the house's own."""
        return sum(not of_house(seat) for seat in self.order) == 1

    @property
    def number(self) -> int:
        """The round that is being played, from 1."""
        return len(self.history) + 1

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """Those who have not chosen yet, in their order."""
        return tuple(seat for seat in self.order if seat not in self.chosen and seat not in self.fixed)

    def card(self, seat: Seat) -> int:
        """Return the card that a seat shows if the round closes now: without a choice the lowest left."""
        if seat in self.fixed:
            return self.fixed[seat].card
        return self.chosen.get(seat, min(self.hands[seat]))

    def choose(self, play: Play) -> tuple[Playing, Chosen]:
        """Take a choice. Who makes it in public is told once; whoever chooses last exposes nothing."""
        seat = play.seat
        playing = replace(self, chosen={**self.chosen, seat: play.card})
        waiting = playing.waiting
        exposed = play.public and bool(waiting) and not self.alone and seat not in self.warned
        if exposed:
            playing = replace(playing, warned=self.warned | {seat})
        again, choosers = seat in self.chosen, len(self.order) - len(self.fixed)
        return playing, Chosen(seat, play.card, play.public, exposed, again, waiting, choosers)

    def after(self, event: RoundShown) -> Playing:
        """Return what is left when a round has been shown."""
        cards = {each.seat: each.card for each in event.shown}
        hands = {
            seat: tuple(card for card in hand if card != cards[seat]) for seat, hand in self.hands.items()
        }
        history = (*self.history, event)
        return replace(self, hands=hands, totals=event.totals, history=history, fixed={}, chosen={})


@dataclass(frozen=True, slots=True)
class Over:
    """The end; without `totals` too few came."""

    players: tuple[Seat, ...]
    cards: int = 0
    credits: int = 0
    totals: Mapping[Seat, int] = field(default_factory=dict)
    history: tuple[RoundShown, ...] = ()
    shares: Mapping[Seat, int] = field(default_factory=dict)


State: TypeAlias = Lobby | Playing | Over


# What a seat may know of a game: all hands, all that was shown, and only its own choice.


@dataclass(frozen=True, slots=True)
class View:
    """What one seat may know; without a seat, what everybody may."""

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
        """The credits that all have staked."""
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
