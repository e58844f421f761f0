"""The states of a game of Six Card Poker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from chatbot.games.sixcardpoker.rules.cards import Held
from chatbot.games.sixcardpoker.rules.moves import Revealed, Setting
from chatbot.kernel.game import Seat
from chatbot.kernel.kit import HOUSE

THE_HOUSE = Seat(f"{HOUSE}:nash")
"""Who sits opposite where nobody was challenged."""


@dataclass(frozen=True, slots=True)
class Empty:
    """A table at which nothing has been chosen yet; whoever sits down first is its player."""

    player: Seat | None = None


@dataclass(frozen=True, slots=True)
class Invited:
    """A rival has been challenged, and has yet to answer."""

    player: Seat
    rival: Seat
    credits: int


@dataclass(frozen=True, slots=True)
class Playing:
    """Cards are dealt, and to be set. What the house has set stands from the beginning."""

    player: Seat
    rival: Seat  # or the house
    credits: int
    held: Mapping[Seat, Held]  # of both
    settings: Mapping[Seat, Setting] = field(default_factory=dict)
    warned: frozenset[Seat] = frozenset()  # who has been told that others can read how they set

    @property
    def seats(self) -> tuple[Seat, Seat]:
        return self.player, self.rival

    @property
    def duel(self) -> bool:
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


State: TypeAlias = Empty | Invited | Playing | Over
