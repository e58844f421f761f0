"""What a seat may know of a heist: everybody's stake, nobody else's answer until it is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.games.heist.rules.banks import Bank, bank_at
from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import Act, Outcome
from chatbot.games.heist.rules.states import Getaway, Lobby, Over, State, Storming
from chatbot.kernel.game import Seat

if TYPE_CHECKING:
    from chatbot.games.heist.rules.rabble import Rabbler


@dataclass(frozen=True, slots=True)
class Mate:
    """One of the crew, as everybody sees them."""

    seat: Seat
    stake: int
    answered: bool


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
    answered = state.answered if isinstance(state, Getaway) else frozenset()
    return View(
        phase=type(state).__name__.lower(),
        banks=banks,
        bank=bank_at(banks, heisters, staked, level_credits) if isinstance(state, Lobby) else state.bank,
        crew=tuple(Mate(each.seat, each.stake, each.seat in answered) for each in company.crew),
        heisters=heisters,
        staked=staked,
        players=len(company.careers) + len(rabble),
        to_come=most_rabble if isinstance(state, Lobby) else 0,
        outcomes=state.outcomes if isinstance(state, Over) else (),
        own=None if seat is None else _own(state, seat, purse),
    )


def _rabble(state: State) -> tuple[Rabbler, ...]:
    return () if isinstance(state, Lobby) else state.drawn


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
