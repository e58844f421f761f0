"""The states of a game of Six Card Poker, and what a seat may know of them before it is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from chatbot.games.sixcardpoker.rules.cards import Arrangement, SixCards
from chatbot.games.sixcardpoker.rules.moves import Commitment, Revealed, Setting
from chatbot.kernel.fair import commitment
from chatbot.kernel.game import Seat
from chatbot.kernel.house_seats import HOUSE
from chatbot.kernel.kit import HiddenChoice

if TYPE_CHECKING:
    from collections.abc import Sequence

THE_HOUSE = Seat(f"{HOUSE}:nash")
"""Who sits opposite where nobody was challenged."""


@dataclass(frozen=True, slots=True)
class Empty:
    """A table at which nothing has been chosen yet; whoever sits down first is its player."""

    player: Seat | None = None


@dataclass(frozen=True, slots=True)
class Invited:
    """A rival has been challenged, and has yet to answer.

    In a duel `by_seat` the cards are dealt once both are in `arrived`: have their hands open.
    """

    player: Seat
    rival: Seat
    credits: int
    by_seat: bool = False
    arrived: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class Awaited:
    """A duel by seats is on, both stakes lie in the pot, and not everybody's hand is open yet."""

    player: Seat
    rival: Seat
    credits: int
    arrived: frozenset[Seat] = frozenset()

    @property
    def missing(self) -> tuple[Seat, ...]:
        """Who has still to open their seat."""
        return tuple(seat for seat in (self.player, self.rival) if seat not in self.arrived)


@dataclass(frozen=True, slots=True)
class Playing:
    """Cards are dealt, and to be set. What the house has set stands from the beginning."""

    player: Seat
    rival: Seat  # or the house
    credits: int
    held: Mapping[Seat, SixCards]  # of both
    settings: Mapping[Seat, Setting] = field(default_factory=dict)
    warned: frozenset[Seat] = frozenset()  # who has been told that others can read how they set

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """Both players, or the player and the house."""
        return self.player, self.rival

    @property
    def duel(self) -> bool:
        """Whether two members play, and not the house."""
        return self.rival != THE_HOUSE

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """Those who have not set their cards yet."""
        return tuple(seat for seat in self.seats if seat not in self.settings)

    def set(self, setting: Setting) -> Playing:
        return replace(self, settings={**self.settings, setting.seat: setting})


@dataclass(frozen=True, slots=True)
class Over:
    """`revealed` is None where no cards were dealt."""

    player: Seat | None = None
    revealed: Revealed | None = None


State: TypeAlias = Empty | Invited | Awaited | Playing | Over


# What a seat may know of a game: its own cards, those of who plays the house, and in the end all.


@dataclass(frozen=True, slots=True)
class View:
    """What one seat may know; without a seat, what everybody may."""

    phase: str  # opening, challenge, seats, arrangement, over
    seat: Seat | None
    player: Seat | None = None
    rival: Seat | None = None
    credits: int = 0
    held: Mapping[Seat, SixCards] = field(default_factory=dict)  # that the seat may see
    own: Arrangement | None = None  # as the seat has set its cards so far
    ready: frozenset[Seat] = frozenset()  # who has set
    committed: Commitment | None = None
    revealed: Revealed | None = None

    @property
    def duel(self) -> bool:
        """Whether two members play, and not the house."""
        return self.rival not in {None, THE_HOUSE}


def view(state: State, seat: Seat | None) -> View:
    match state:
        case Empty():
            return View("opening", seat, state.player)
        case Invited():
            return View("challenge", seat, state.player, state.rival, state.credits)
        case Awaited():
            arrived = state.arrived
            return View("seats", seat, state.player, state.rival, state.credits, ready=arrived)
        case Playing():
            return _playing(state, seat)
        case Over():
            return _over(state, seat)


def committed(state: Playing) -> Commitment | None:
    """Publish what the house has set, hidden."""
    setting = state.settings.get(THE_HOUSE)
    if setting is None:
        return None
    return Commitment(THE_HOUSE, commitment(setting.nonce, str(setting.arrangement)))


def hidden_choices(state: State) -> Sequence[HiddenChoice]:
    """Return what the house has set, if it plays."""
    if isinstance(state, Playing):
        settings, shown = [*state.settings.values()], False
    elif isinstance(state, Over) and state.revealed is not None:
        settings, shown = [state.revealed.first, state.revealed.second], True
    else:
        return []
    return [
        HiddenChoice(1, each.seat, each.nonce, str(each.arrangement), shown)
        for each in settings
        if each.nonce
    ]


def _playing(state: Playing, seat: Seat | None) -> View:
    open_seats = {seat} if state.duel else {state.player}
    own = state.settings.get(seat) if seat is not None else None
    return View(
        "arrangement",
        seat,
        state.player,
        state.rival,
        state.credits,
        held={each: cards for each, cards in state.held.items() if each in open_seats},
        own=own.arrangement if own is not None else None,
        ready=frozenset(state.settings),
        committed=committed(state),
    )


def _over(state: Over, seat: Seat | None) -> View:
    revealed = state.revealed
    if revealed is None:
        return View("over", seat, state.player)
    both = revealed.first, revealed.second
    return View(
        "over",
        seat,
        revealed.first.seat,
        revealed.second.seat,
        revealed.credits,
        held={each.seat: each.held for each in both},
        ready=frozenset(each.seat for each in both),
        revealed=revealed,
    )
