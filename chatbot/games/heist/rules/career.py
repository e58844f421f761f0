"""What a heist remembers of a member: job, accounts, guards, and what is personal in chance and odds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from chatbot.games.heist.rules.banks import ODDS_UNIT, Bank

if TYPE_CHECKING:
    from chatbot.games.heist.rules.bounds import Bounds
    from chatbot.kernel.fair import Rng

SALARY = 240  # credits per payday, and what everybody starts with
BANKS = 5
GUARD_GAIN = 0.01  # of what the chance lacks to certainty
FINGERED_CHANCE = 0.05  # lost at that bank by an identified crosser
STITCHED_ODDS = ODDS_UNIT // 20  # 0.05, lost at that bank by a snitch who names nobody
INTEREST = (14, 10_000)  # the contest's: 0.14 % a game
RAISE = 20  # a twentieth: 5 % of the salary, up when hired, down when stitched

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


def with_guard(career: Career, number: int, banks: tuple[Bank, ...], bounds: Bounds) -> Career:
    """Bribe a guard, unless the probability is as high as guards can raise it."""
    chance = career.chance_at(number, banks)
    most = bounds.most_chance(banks[number], career.odds_at(number, banks))
    if most is not None and chance >= most:
        return career
    guarded = replace(career, guards=_put(career.guards, number, career.guards[number] + 1))
    raised = chance + GUARD_GAIN * (1 - chance)
    return with_chance(guarded, number, raised if most is None else min(raised, most))


def with_intel(
    career: Career, number: int, credits_to_spend: int, banks: tuple[Bank, ...], bounds: Bounds
) -> tuple[Career, int]:
    """Buy better odds, 0.00001 a credit, as far as intel can raise them; give the credits spent as well."""
    odds = career.odds_at(number, banks)
    most = bounds.most_odds(banks[number], career.chance_at(number, banks))
    spent = credits_to_spend if most is None else min(credits_to_spend, max(most - odds, 0))
    return (with_odds(career, number, odds + spent) if spent else career), spent


def within(career: Career, banks: tuple[Bank, ...], bounds: Bounds) -> Career:
    """Bring what is personal within the bounds, which may have been others when it was earned."""
    if bounds.staked_wages and career.salary > SALARY:
        career = replace(career, salary=SALARY)
    for number, bank in enumerate(banks):
        chance, odds = career.chances[number], career.odds[number]
        if chance is not None:
            chance = max(chance, bounds.least_chance(bank))
            most = bounds.most_chance(bank, min(career.odds_at(number, banks), bank.odds))
            career = with_chance(career, number, chance if most is None else min(chance, most))
        if odds is not None:
            top = bounds.most_odds(bank, career.chance_at(number, banks))
            odds = max(odds, bounds.least_odds(bank))
            career = with_odds(career, number, odds if top is None else min(odds, top))
    return career


def without_guards(career: Career, unpaid: int, banks: tuple[Bank, ...], bounds: Bounds, rng: Rng) -> Career:
    """Let as many guards as went unpaid leave, drawn among all of the member's guards."""
    posts = [number for number, count in enumerate(career.guards) for _ in range(count)]
    for number in rng.sample(posts, unpaid):
        chance = career.chance_at(number, banks)
        career = replace(career, guards=_put(career.guards, number, career.guards[number] - 1))
        alone = (chance - GUARD_GAIN) / (1 - GUARD_GAIN)
        floor = banks[number].chance if bounds.bounds_guards else 0.0  # who was capped may have gained less
        career = with_chance(career, number, max(alone, min(floor, chance)))
    return career


def fired(career: Career) -> Career:
    return replace(career, employed=False, salary=career.salary // 2)


def fingered(career: Career, number: int, banks: tuple[Bank, ...], bounds: Bounds) -> Career:
    return with_chance(fired(career), number, bounds.fingered(banks[number], career.chance_at(number, banks)))


def stitched(career: Career, number: int, banks: tuple[Bank, ...], bounds: Bounds) -> Career:
    docked = replace(career, salary=career.salary - career.salary // RAISE)
    return with_odds(docked, number, bounds.stitched(banks[number], career.odds_at(number, banks)))


def hired(career: Career, bounds: Bounds) -> Career:
    """Find a job that pays a little more than the last one; a factor of a wage never passes 1."""
    salary = career.salary + career.salary // RAISE
    return replace(career, employed=True, salary=min(salary, SALARY) if bounds.staked_wages else salary)


def with_interest(career: Career, bounds: Bounds) -> Career:
    hundredths = int(100 * bounds.interest)  # of a percent
    if not hundredths:
        return career
    accounts = tuple(each + each * hundredths // 10_000 for each in career.accounts)
    return replace(career, accounts=accounts)


def _put(row: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*row[:place], value, *row[place + 1 :])
