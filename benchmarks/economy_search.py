"""Searches the best response at a heist: over careers and answers, against crowds of several kinds.

A cell is one way to play in one situation. All cells are played a few times with the rules themselves;
of those that look best the mean is taken anew on other draws, so that what is best by luck does not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import product
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from benchmarks.economy_returns import best_career, stays, worth
from benchmarks.economy_tables import Part, raid, stream
from chatbot.games.heist.rules.banks import bank_at
from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import Act
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Seat

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from benchmarks.economy_tables import Mind, Raided
    from chatbot.games.heist.rules.rules import Heist

STICKS, MIXED, SNITCH = "a crowd that sticks", "a mixed crowd", "a snitch among ten"
CROWDS = STICKS, MIXED, SNITCH
CAREERS = "newcomer", "guards", "intel", "both"
STAKE = 200  # of each of the others
OWN_STAKES = 50, 200, 1000
SIZES = 2, 9, 29  # of the others
SPREADS = 20, 3, 1  # active members for each of the crew: the more, the lower the bank
TAKERS = frozenset({Act.DOUBLE_CROSS, Act.FINGER})  # answers by which one can gain of others
BEST = 8  # cells of each crowd that are looked at closely
TEMPERS = (
    (Act.GUNCHECK,) * 10
    + (Act.BACK_OUT, Act.DEPOSIT, Act.INTEL, Act.GUARD, Act.WITHDRAW, Act.CHANGE_JOBS)
    + (Act.DOUBLE_CROSS, Act.FINGER, Act.ALL_IN)
)
"""What a mixed crowd does: half of it sticks."""
RICH = 100  # stakes that everybody holds, so that no reserve is lacking


@dataclass(frozen=True, slots=True)
class Cell:
    crowd: str
    others: int
    spread: int
    own_stake: int
    career: str
    act: Act

    @property
    def active(self) -> int:
        return (self.others + 1) * self.spread

    @property
    def bank(self) -> int:
        """Number the bank that crews of this size rob."""
        return bank_at(stream().banks_for(self.active), self.others + 1, 0, 0)

    def __str__(self) -> str:
        return (
            f"{self.act.value} ({self.career}, stake {self.own_stake} beside {self.others} × {STAKE},"
            f" bank {self.bank + 1})"
        )


@dataclass(frozen=True, slots=True)
class Value:
    """What a heist brings on average for each credit at risk; `house` is what does not come from others."""

    cell: Cell
    gain: float
    error: float  # standard error of the gain
    house: float
    house_error: float


def search(seed: str, crowd: str, few: int, many: int) -> list[Value]:
    """Find the best cells against a crowd, best first: each screened `few` times, the best `many`."""
    screened = sorted((measure(seed, each, few) for each in cells(crowd)), key=lambda each: -each.gain)
    takers = [each for each in screened if each.cell.act in TAKERS]
    best_cells = dict.fromkeys(each.cell for each in (*screened[:BEST], *takers[:BEST]))
    values = [measure(f"{seed} again", each, many) for each in best_cells]
    return sorted(values, key=lambda each: -each.gain)


def cells(crowd: str) -> list[Cell]:
    sizes = SIZES if crowd != SNITCH else SIZES[1:]  # among three there is no tenth
    return [Cell(crowd, *each) for each in product(sizes, SPREADS, OWN_STAKES, CAREERS, Act)]


def measure(seed: str, cell: Cell, times: int) -> Value:
    """Play a cell so many times: the mean of what it brings."""
    game, rng, people = stream(), Rng.of(f"{seed} {cell}"), Random(f"{seed} {cell}")
    own = Seat("people:own")
    careers = {own: career(game, cell.career, cell.bank, cell.active)}
    gains, takings = [], []
    for _ in range(times):
        crew = [Part(own, cell.own_stake, RICH * cell.own_stake, partial(stays, act=cell.act))]
        crew += [
            Part(Seat(f"people:{each}"), STAKE, RICH * STAKE, _mind(cell.crowd, each, people))
            for each in range(cell.others)
        ]
        raided = raid(game, crew, careers, rng, cell.active)
        at_risk = risked(raided, own, cell.own_stake)
        gains.append(worth(raided, own) / at_risk)
        takings.append(raided.taken.get(own, 0) / at_risk)
    house = [gain - part for gain, part in zip(gains, takings, strict=True)]
    return Value(cell, fmean(gains), _error(gains), fmean(house), _error(house))


def career(game: Heist, name: str, bank: int, active: int) -> Career:
    """Make one that has all of what it is named after, for one bank."""
    best = best_career(game, bank, active)
    match name:
        case "newcomer":
            return Career()
        case "guards":
            return Career(guards=best.guards, chances=best.chances)
        case "intel":
            return best_spy(game, bank, active)
        case _:
            return best


def best_spy(game: Heist, bank: int, active: int) -> Career:
    """Buy all the intel that there is, without any guard."""
    return best_career(game, bank, active, guards=False)


def risked(raided: Raided, seat: Seat, stake: int) -> int:
    """Tell what a gain is to be held against: the stake, or all that went in with it."""
    if raided.acts[seat] is not Act.ALL_IN:
        return stake
    return next(each.cost for each in raided.outcomes if each.seat == seat)


def _mind(crowd: str, number: int, people: Random) -> Mind | None:
    if crowd == MIXED:
        act = people.choice(TEMPERS)
        return None if act is Act.GUNCHECK else partial(stays, act=act)
    if crowd == SNITCH and number % 10 == 0:
        return partial(stays, act=Act.FINGER)
    return None


def _error(values: list[float]) -> float:
    return stdev(values) / sqrt(len(values))


# What many who all look for the best come to

ANSWERS = Act.GUNCHECK, Act.DOUBLE_CROSS, Act.FINGER, Act.ALL_IN
"""The answers that differ in a heist; the others stick, and change what is personal."""

CREW, BANK, ACTIVE = 30, 2, 90  # a third of the active rob the third bank


def equilibrium(seed: str, share: float, snitches: float, rounds: int, times: int) -> Mapping[Act, float]:
    """Let as many of a crew look for the best response, all with a whole career, and find their mix.

    Fictitious play: each round plays the best answer to the mean of all before.
    """
    game, rng, people = (
        stream(),
        Rng.of(f"{seed} mix {share} {snitches}"),
        Random(f"{seed} {share} {snitches}"),
    )
    whole = best_career(game, BANK, ACTIVE)
    counts = dict.fromkeys(ANSWERS, 0.0) | {Act.DOUBLE_CROSS: 1.0}
    for _ in range(rounds):
        values = dict.fromkeys(ANSWERS, 0.0)
        for act, _ in product(ANSWERS, range(times)):
            roles = [people.random() for _ in range(CREW - 1)]
            minds = [_player(each, share, snitches, counts, people) for each in roles]
            seats = [Seat(f"people:{place}") for place in range(CREW)]
            careers = {seat: whole for seat, role in zip(seats[1:], roles, strict=True) if role < share} | {
                seats[0]: whole
            }
            crew = [
                Part(seat, STAKE, RICH * STAKE, mind)
                for seat, mind in zip(seats, [partial(stays, act=act), *minds], strict=True)
            ]
            raided = raid(game, crew, careers, rng, ACTIVE)
            values[act] += worth(raided, seats[0]) / risked(raided, seats[0], STAKE)
        best = max(values, key=lambda each: values[each])
        counts[best] += 1
    total = sum(counts.values())
    return {act: weight / total for act, weight in counts.items()}


def _player(
    role: float, share: float, snitches: float, mix: Mapping[Act, float], people: Random
) -> Mind | None:
    if role < share:
        return partial(stays, act=drawn(mix, people))
    return partial(stays, act=Act.FINGER) if role < share + snitches else None


def drawn(mix: Mapping[Act, float], people: Random) -> Act:
    """Draw an answer of a mix."""
    return people.choices([*mix], [*mix.values()])[0]


def taking(values: Collection[Value]) -> list[Value]:
    """Leave only answers that can take of others."""
    return [each for each in values if each.cell.act in TAKERS]
