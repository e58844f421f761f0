"""What a heist remembers of a member: job, accounts, guards, and what is personal in chance and odds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from chatbot.games.heist.banks import ODDS_UNIT, Bank

if TYPE_CHECKING:
    from chatbot.kernel.fair import Rng

SALARY = 240  # credits per payday, and what everybody starts with
BANKS = 5
GUARD_GAIN = 0.01  # of what the chance lacks to certainty
FINGERED_CHANCE = 0.05  # lost at that bank by an identified crosser
STITCHED_ODDS = ODDS_UNIT // 20  # 0.05, lost at that bank by a snitch who names nobody
RAISE = 20  # a twentieth: 5 % of the salary, up when hired, down when stitched
INTEREST = (14, 10_000)  # 0.14 % a game

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Career:
    """Per bank, None means that chance or odds are still the bank's own: they follow its settings."""

    salary: int = SALARY
    employed: bool = True
    accounts: tuple[int, ...] = (0,) * BANKS
    guards: tuple[int, ...] = (0,) * BANKS
    chances: tuple[float | None, ...] = (None,) * BANKS
    odds: tuple[int | None, ...] = (None,) * BANKS

    def chance_at(self, number: int, banks: tuple[Bank, ...]) -> float:
        own = self.chances[number]
        return banks[number].chance if own is None else own

    def odds_at(self, number: int, banks: tuple[Bank, ...]) -> int:
        own = self.odds[number]
        return banks[number].odds if own is None else own


def with_odds(career: Career, number: int, odds: int) -> Career:
    return replace(career, odds=_put(career.odds, number, max(odds, 0)))


def with_chance(career: Career, number: int, chance: float) -> Career:
    return replace(career, chances=_put(career.chances, number, min(max(chance, 0.0), 1.0)))


def with_account(career: Career, number: int, account: int) -> Career:
    return replace(career, accounts=_put(career.accounts, number, account))


def with_guard(career: Career, number: int, banks: tuple[Bank, ...]) -> Career:
    chance = career.chance_at(number, banks)
    guarded = replace(career, guards=_put(career.guards, number, career.guards[number] + 1))
    return with_chance(guarded, number, chance + GUARD_GAIN * (1 - chance))


def without_guards(career: Career, unpaid: int, banks: tuple[Bank, ...], rng: Rng) -> Career:
    """Let as many guards as went unpaid leave, drawn among all of the member's guards."""
    posts = [number for number, count in enumerate(career.guards) for _ in range(count)]
    for number in rng.sample(posts, unpaid):
        chance = career.chance_at(number, banks)
        career = replace(career, guards=_put(career.guards, number, career.guards[number] - 1))
        career = with_chance(career, number, (chance - GUARD_GAIN) / (1 - GUARD_GAIN))
    return career


def fired(career: Career) -> Career:
    return replace(career, employed=False, salary=career.salary // 2)


def fingered(career: Career, number: int, banks: tuple[Bank, ...]) -> Career:
    return with_chance(fired(career), number, career.chance_at(number, banks) - FINGERED_CHANCE)


def stitched(career: Career, number: int, banks: tuple[Bank, ...]) -> Career:
    docked = replace(career, salary=career.salary - career.salary // RAISE)
    return with_odds(docked, number, career.odds_at(number, banks) - STITCHED_ODDS)


def hired(career: Career) -> Career:
    return replace(career, employed=True, salary=career.salary + career.salary // RAISE)


def with_interest(career: Career) -> Career:
    numerator, denominator = INTEREST
    return replace(career, accounts=tuple(a + a * numerator // denominator for a in career.accounts))


def _put(row: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*row[:place], value, *row[place + 1 :])
