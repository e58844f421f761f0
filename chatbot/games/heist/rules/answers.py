"""What each answer of the getaway returns, exactly: every way the dice can fall is played by the rules.

The situation is a crew of newcomers who all stake the same in front of one bank, one of whom gives an answer
while the others stick, or all but one of them. Those who only stick are alike, so of them only how many get
away is told apart, and of the looks of a snitch only whether they met the double-crosser.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb, prod
from typing import TYPE_CHECKING, TypeVar

from chatbot.games.heist.rules.arithmetic import HIRING, LOOKS
from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.crew import Crew, Heister
from chatbot.games.heist.rules.moves import Act
from chatbot.games.heist.rules.states import Company, Over, Storming
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Clock, Moment, Seat, Timeout

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chatbot.games.heist.rules.rules import Heist

CREW = 10  # the smallest crew of which a double-crosser can be one in ten
MIDDLE = 2  # the bank of which the answers are told where none is named
PURSE = 3  # stakes that each of the others holds beside the one in the pot, at least

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CrewAtBank:
    """So many newcomers in front of a bank, by its number from 0, each with the same stake in credits."""

    crew: int
    bank: int
    stake: int


def enumerable(game: Heist) -> bool:
    """Whether all that decides an answer is known: no rabble comes, and fines and wages go by the stake."""
    wages_by_stake = game.bounds.staked_wages or not game.payday
    return bool(game.getaway and wages_by_stake and not game.rabble and game.finger_stakes)


@lru_cache(maxsize=512)
def comes_back(game: Heist, at: CrewAtBank, act: Act, other: Act = Act.GUNCHECK) -> Fraction:
    """Return what comes back on average of each credit that somebody risks with an answer.

    One of the others answers `other`. What is put by, or spent on intel, counts as what it cost, and what it
    brings later for nothing. Who goes all in has no more than the stake; a fine comes on top of it, so less
    than nothing may come back.
    """
    brings = sum((change * chance for change, chance in prospect(game, at, act, other).items()), Fraction(0))
    return 1 + brings / at.stake


def prospect(game: Heist, at: CrewAtBank, act: Act, other: Act = Act.GUNCHECK) -> Mapping[int, Fraction]:
    """Return how likely it is, for each number of credits, that a heist changes somebody's fortune by it.

    The cost is that of playing four to sixteen heists for each of the crew.
    """
    chances: dict[int, Fraction] = defaultdict(Fraction)
    for dice, chance in _falls(game, at, (act, other)):
        chances[_change(game, at, (act, other), dice)] += chance
    return dict(chances)


def _falls(game: Heist, at: CrewAtBank, acts: tuple[Act, Act]) -> Iterator[tuple[_Dice, Fraction]]:
    """List the ways in which the dice can fall, and how likely each is; what changes nothing is left out."""
    away = Fraction(game.chances[at.bank]) / 100
    apart = acts if acts[1] is not Act.GUNCHECK else acts[:1]
    alike = at.crew - len(apart)
    # Who backs out has no chance, rather than no place among those whose luck is told.
    lucks = [*product(*(_coin(Fraction(0) if act is Act.BACK_OUT else away) for act in apart))]
    for names, hired in product(_coin(_meeting(at, acts)), _coin(_hiring(acts[0]))):
        for luck, winners in product(lucks, range(alike + 1)):
            chance = prod((names[1], hired[1], *(each for _, each in luck)), start=Fraction(1))
            chance *= comb(alike, winners) * away**winners * (1 - away) ** (alike - winners)
            escapes = (*(each for each, _ in luck), *(place < winners for place in range(alike)))
            yield _Dice(escapes, names=names[0], hired=hired[0]), chance


def _coin(chance: Fraction) -> list[tuple[bool, Fraction]]:
    """List the sides that a coin of this weight can show."""
    return [side for side in ((True, chance), (False, 1 - chance)) if side[1]]


def _meeting(at: CrewAtBank, acts: tuple[Act, Act]) -> Fraction:
    """Return how likely a snitch is to meet the double-crosser, if there are both."""
    if {*acts} != {Act.FINGER, Act.DOUBLE_CROSS}:
        return Fraction(0)
    return 1 - Fraction(at.crew - 1, at.crew) ** LOOKS


def _hiring(act: Act) -> Fraction:
    """Return how likely a new job is at the end of the heist, where an answer can cost the old one."""
    return Fraction(str(HIRING)) if act in {Act.CHANGE_JOBS, Act.DOUBLE_CROSS} else Fraction(0)


def _change(game: Heist, at: CrewAtBank, acts: tuple[Act, Act], dice: _Dice) -> int:
    """Play one heist with dice that are told beforehand, and return what the first of the crew has of it."""
    own, *others = seats = [Seat(f"crew:{place}") for place in range(at.crew)]
    answers = dict(zip(seats, acts, strict=False))
    crew = Crew(Heister(seat, at.stake, answers.get(seat, Act.GUNCHECK)) for seat in seats)
    company = Company({seat: Career() for seat in seats}, crew, active=at.crew)
    purse = at.stake * max(PURSE, game.finger_stakes, game.cross_reserve)
    purses = {own: 0 if acts[0] is Act.ALL_IN else purse, **dict.fromkeys(others, purse)}
    state = Storming(company, at.bank, (), dice.luck)
    step = game.apply(state, Timeout(Clock("storming", game.suspense)), Moment(dice, purses))
    outcomes = step.state.outcomes if isinstance(step.state, Over) else ()
    change = sum(each.credits * ((each.target == own) - (each.source == own)) for each in step.transfers)
    put_by = next(each.put_by for each in outcomes if each.seat == own)
    return change + put_by - at.stake


class _Dice(Rng):
    """Draws that are told beforehand: whether a snitch meets the crosser, and who finds a job.

    `luck` is that of the crew in the order of joining: each below every probability, or above.
    """

    __slots__ = ("_hired", "_names", "luck")

    def __init__(self, away: Sequence[bool], *, names: bool, hired: bool) -> None:
        super().__init__(b"")
        self.luck = tuple(0.0 if each else 1.0 for each in away)
        self._names, self._hired = names, hired

    def bits(self, count: int) -> int:
        raise AssertionError(f"a draw of {count} bits is not among those that decide a heist")

    def chance(self, probability: float) -> bool:  # noqa: ARG002
        """Tell whether somebody is hired: nothing else is left to chance."""
        return self._hired

    def choice(self, items: Sequence[T]) -> T:
        """Let a snitch meet the double-crosser, or somebody else."""
        return next(each for each in items if _crosses(each) is self._names)

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        return list(items[:count])


def _crosses(heister: object) -> bool:
    return isinstance(heister, Heister) and heister.act is Act.DOUBLE_CROSS
