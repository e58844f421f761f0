"""The rabble: background players that the house simulates. They stake, run and are paid, and never rank.

Their credits are the heist's own record, not the ledger's: nobody can spend them elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chatbot.games.heist.rules.arithmetic import CREDITS_PER_HEISTER, SALARY, cold_feet
from chatbot.games.heist.rules.banks import Bank, bank_at
from chatbot.kernel.game import Seat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chatbot.kernel.fair import Rng

RABBLE = Seat("house:rabble")
STAKES = (69, 420, 6969, 80085)


@dataclass(frozen=True, slots=True)
class Purses:
    """The credits of everybody in the rabble, as they stand between heists."""

    credits: tuple[int, ...] = ()

    def enough_for(self, count: int) -> Purses:
        """Let newcomers in, with a first salary, until there are so many; nobody loses a purse."""
        newcomers = max(count - len(self.credits), 0)
        return Purses((*self.credits, *(SALARY,) * newcomers))


@dataclass(frozen=True, slots=True)
class Rabbler:
    """One of the rabble who was drawn into this game; stake 0 looks on."""

    place: int  # in Purses.credits
    stake: int = 0
    backed_out: bool = False


def draw_rabble(count: int, rng: Rng) -> list[int]:
    """Draw who of a rabble of `count` is in this game: a uniform sample of a size uniform on 0..count."""
    return rng.sample(range(count), rng.below(count + 1))


def stake_in_turn(
    places: Iterable[int],
    purses: Purses,
    banks: tuple[Bank, ...],
    crew: tuple[int, int],
    rng: Rng,
    level_credits: int = CREDITS_PER_HEISTER,
) -> tuple[Rabbler, ...]:
    """Let each stake in turn; `crew` is how many heisters with how many credits went before."""
    heisters, staked = crew
    rabble = []
    for place in places:
        bank = banks[bank_at(banks, heisters, staked, level_credits)]
        stake = affordable(purses.credits[place]) if rng.chance(bank.chance) else 0
        rabble.append(Rabbler(place, stake))
        heisters, staked = heisters + (stake > 0), staked + stake
    return tuple(rabble)


def run_in_turn(rabble: tuple[Rabbler, ...], acted: int, backed_out: int, rng: Rng) -> tuple[Rabbler, ...]:
    """Let each heister of the rabble, in an order drawn anew, stay or back out.

    `acted` heisters have acted before, `backed_out` of them backed out.
    """
    runners = set()
    heisters = [each for each in rabble if each.stake]
    for each in rng.shuffled(heisters):
        if rng.chance(cold_feet(acted, backed_out)):
            runners.add(each.place)
            backed_out += 1
        acted += 1
    return tuple(replace(each, backed_out=each.place in runners) for each in rabble)


def affordable(credits_held: int) -> int:
    """Return the largest of the rabble's stakes that so many credits cover; 0: none."""
    return max((stake for stake in STAKES if stake <= credits_held), default=0)
