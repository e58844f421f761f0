"""The four states of a heist."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import Act, Outcome
from chatbot.games.heist.rules.rabble import Purses, Rabbler
from chatbot.games.heist.rules.raid import Heister
from chatbot.kernel.game import Seat


@dataclass(frozen=True, slots=True)
class Company:
    """Everybody at the table: careers by order of sitting down, the crew by order of joining.

    `active` is how many sat there when the first of the crew joined: banks go by it.
    """

    careers: Mapping[Seat, Career]
    crew: tuple[Heister, ...] = ()
    rabble: Purses = Purses()  # noqa: RUF009  (a frozen value)
    active: int = 0

    @property
    def staked(self) -> int:
        return sum([each.stake for each in self.crew])

    def heister(self, seat: Seat) -> Heister | None:
        for each in self.crew:  # a loop takes half the time of a generator, and crews can be thousands
            if each.seat == seat:
                return each
        return None

    def joined(self, seat: Seat, stake: int) -> Company:
        careers = self.careers if seat in self.careers else {**self.careers, seat: Career()}
        active = self.active or len(careers)
        return replace(self, careers=careers, crew=(*self.crew, Heister(seat, stake)), active=active)

    def answered(self, seat: Seat, act: Act) -> Company:
        crew = tuple(replace(each, act=act) if each.seat == seat else each for each in self.crew)
        return replace(self, crew=crew)

    def seated(self, seat: Seat, career: Career) -> Company:
        return replace(self, careers={**self.careers, seat: career})


@dataclass(frozen=True, slots=True)
class Lobby:
    company: Company


@dataclass(frozen=True, slots=True)
class Getaway:
    """The bank is named; each heister has one answer. `drawn`: the rabble in this game, lookers-on too."""

    company: Company
    bank: int
    drawn: tuple[Rabbler, ...]
    answered: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class Storming:
    """Nobody can change anything any more; the dice come next."""

    company: Company
    bank: int
    drawn: tuple[Rabbler, ...]


@dataclass(frozen=True, slots=True)
class Over:
    """`bank` is None where too few came."""

    company: Company
    bank: int | None = None
    drawn: tuple[Rabbler, ...] = ()
    outcomes: tuple[Outcome, ...] = ()


State: TypeAlias = Lobby | Getaway | Storming | Over
