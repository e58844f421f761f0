"""The four states of a heist, and what a seat may know of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from chatbot.games.heist.rules.banks import Bank, bank_at
from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.crew import Crew, Heister, Mate
from chatbot.games.heist.rules.moves import Act, Outcome
from chatbot.games.heist.rules.rabble import Purses, Rabbler
from chatbot.kernel.game import Seat


@dataclass(frozen=True, slots=True)
class Company:
    """Everybody at the table: careers by order of sitting down, the crew by order of joining.

    `active` is how many sat there when the first of the crew joined: banks go by it.
    """

    careers: Mapping[Seat, Career]
    crew: Crew = Crew()  # noqa: RUF009  (a frozen value)
    rabble: Purses = Purses()  # noqa: RUF009  (a frozen value)
    active: int = 0

    @property
    def staked(self) -> int:
        """The credits that the crew has staked."""
        return self.crew.staked

    @property
    def seats(self) -> list[Seat]:
        """The seats of the crew, by order of joining."""
        return [each.seat for each in self.crew]

    def heister(self, seat: Seat) -> Heister | None:
        """Return the one of the crew with this seat, or None."""
        return self.crew.find(seat)

    def joined(self, seat: Seat, stake: int, bonus: int = 0) -> Company:
        """Return the company with one more of the crew."""
        careers = self.careers if seat in self.careers else {**self.careers, seat: Career()}
        active = self.active or len(careers)
        crew = self.crew.joined(Heister(seat, stake, bonus=bonus))
        return Company(careers, crew, self.rabble, active)

    def left(self, seat: Seat) -> Company:
        """Return the company with one less of the crew, who stays at the table; its banks stay."""
        return replace(self, crew=Crew(each for each in self.crew if each.seat != seat))

    def answered(self, seat: Seat, act: Act) -> Company:
        """Return the company after an answer of the getaway."""
        crew = Crew(replace(each, act=act) if each.seat == seat else each for each in self.crew)
        return replace(self, crew=crew)

    def seated(self, seat: Seat, career: Career) -> Company:
        """Return the company with another member at the table, or a member with another career."""
        return Company({**self.careers, seat: career}, self.crew, self.rabble, self.active)


@dataclass(frozen=True, slots=True)
class Lobby:
    """People may stake."""

    company: Company
    started: Seat | None = None  # who was alone there, and waits for nobody else while they are


@dataclass(frozen=True, slots=True)
class Getaway:
    """The bank is named; each heister has one answer. `rabblers`: the rabble in this game, lookers-on too.

    `luck` decides who of the crew gets away: for each, by order of joining, a draw from 0 to 1, which is luck
    where it is below a probability. It is everybody's secret, and drawn before the first answer: what viewers
    bet on is made of it, and would otherwise depend on who answers, and in which order.
    """

    company: Company
    bank: int
    rabblers: tuple[Rabbler, ...]
    luck: tuple[float, ...]
    answered: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class Storming:
    """Nobody can change anything any more; the dice come next. `luck` is that of the getaway."""

    company: Company
    bank: int
    rabblers: tuple[Rabbler, ...]
    luck: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Over:
    """`bank` is None where too few came."""

    company: Company
    bank: int | None = None
    rabblers: tuple[Rabbler, ...] = ()
    outcomes: tuple[Outcome, ...] = ()


State: TypeAlias = Lobby | Getaway | Storming | Over


# What a seat may know of a heist: everybody's stake, nobody else's answer until it is over.


@dataclass(frozen=True, slots=True)
class Own:
    """What a seat knows of itself."""

    seat: Seat
    credits: int
    stake: int  # 0: not in the crew
    act: Act | None  # the answer given, if any
    career: Career


@dataclass(frozen=True, slots=True)
class View:
    """What one seat may know; without a seat, what everybody may."""

    phase: str  # lobby, getaway, storming, over
    banks: tuple[Bank, ...]
    bank: int | None  # in the lobby: the one that would be robbed if nobody else staked; None: no robbery
    crew: tuple[Mate, ...]
    heisters: int  # the rabble's included, as far as they are known
    staked: int  # by all heisters
    players: int  # everybody in the game, rabble included
    to_come: int  # of the rabble, at most, before the bank is named
    outcomes: tuple[Outcome, ...]  # empty until it is over
    own: Own | None


def view(
    state: State,
    banks: tuple[Bank, ...],
    level_credits: int,
    most_rabble: int,
    seat: Seat | None,
    purse: int,
) -> View:
    """Show a state to a seat, or to the public; `most_rabble` is how many of them may come."""
    company, rabble = state.company, _rabble(state)
    heisters = len(company.crew) + sum(each.stake > 0 for each in rabble)
    staked = company.staked + sum(each.stake for each in rabble)
    answered_seats = state.answered if isinstance(state, Getaway) else frozenset()
    return View(
        phase=type(state).__name__.lower(),
        banks=banks,
        bank=bank_at(banks, heisters, staked, level_credits) if isinstance(state, Lobby) else state.bank,
        crew=company.crew.mates(answered_seats),
        heisters=heisters,
        staked=staked,
        players=len(company.careers) + len(rabble),
        to_come=most_rabble if isinstance(state, Lobby) else 0,
        outcomes=state.outcomes if isinstance(state, Over) else (),
        own=None if seat is None else _own(state, seat, purse),
    )


def _rabble(state: State) -> tuple[Rabbler, ...]:
    return () if isinstance(state, Lobby) else state.rabblers


def _own(state: State, seat: Seat, purse: int) -> Own:
    heister = state.company.heister(seat)
    answered = isinstance(state, Getaway) and seat in state.answered
    return Own(
        seat=seat,
        credits=purse,
        stake=heister.stake if heister else 0,
        act=heister.act if heister and (answered or isinstance(state, Storming)) else None,
        career=state.company.careers.get(seat, Career()),
    )
