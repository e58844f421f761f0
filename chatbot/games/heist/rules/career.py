"""What a heist remembers of a member: job, accounts, guards, and what is personal in chance and odds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from chatbot.games.heist.rules import arithmetic
from chatbot.games.heist.rules.arithmetic import SALARY

if TYPE_CHECKING:
    from chatbot.games.heist.rules.banks import Bank, Bounds
    from chatbot.kernel.fair import Rng

BANKS = 5

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
        """Return the own probability at a bank, by its number, or else the bank's."""
        own = self.chances[number]
        return banks[number].chance if own is None else own

    def odds_at(self, number: int, banks: tuple[Bank, ...]) -> int:
        """Return the own odds at a bank, by its number, or else the bank's, in units of 0.00001."""
        own = self.odds[number]
        return banks[number].odds if own is None else own


def with_odds(career: Career, number: int, odds: int) -> Career:
    """Return a career with own odds at a bank, which are never below 0."""
    return replace(career, odds=put(career.odds, number, max(odds, 0)))


def with_chance(career: Career, number: int, chance: float) -> Career:
    """Return a career with an own probability at a bank, brought within 0..1."""
    return replace(career, chances=put(career.chances, number, min(max(chance, 0.0), 1.0)))


def with_account(career: Career, number: int, account: int) -> Career:
    """Return a career with so many credits on the account at a bank."""
    return replace(career, accounts=put(career.accounts, number, account))


def with_guard(career: Career, number: int, banks: tuple[Bank, ...], bounds: Bounds) -> Career:
    """Bribe a guard, unless the probability is as high as guards can raise it."""
    chance = career.chance_at(number, banks)
    most = bounds.most_chance(banks[number], career.odds_at(number, banks))
    if chance >= most:
        return career
    improved = replace(career, guards=put(career.guards, number, career.guards[number] + 1))
    return with_chance(improved, number, min(arithmetic.guarded(chance), most))


def with_intel(
    career: Career, number: int, credits_to_spend: int, banks: tuple[Bank, ...], bounds: Bounds
) -> tuple[Career, int]:
    """Buy better odds, 0.00001 a credit, as far as intel can raise them; return the credits spent as well."""
    odds = career.odds_at(number, banks)
    most = bounds.most_odds(banks[number], career.chance_at(number, banks))
    outlay = max(int(min(odds + credits_to_spend, most)) - odds, 0)
    return (with_odds(career, number, odds + outlay) if outlay else career), outlay


def within(career: Career, banks: tuple[Bank, ...], bounds: Bounds) -> Career:
    """Bring what is personal within the bounds, which may have been others when it was earned."""
    if bounds.staked_wages and career.salary > SALARY:
        career = replace(career, salary=SALARY)
    # The probability first, beside odds of at most the bank's, and then the odds beside that probability:
    # each alone could use up what `return_most` leaves to both.
    for number, bank in enumerate(banks):
        chance, odds = career.chances[number], career.odds[number]
        if chance is not None:
            chance = max(chance, bounds.least_chance(bank))
            most = bounds.most_chance(bank, min(career.odds_at(number, banks), bank.odds))
            career = with_chance(career, number, min(chance, most))
        if odds is not None:
            top = bounds.most_odds(bank, career.chance_at(number, banks))
            career = with_odds(career, number, int(min(max(odds, bounds.least_odds(bank)), top)))
    return career


def without_guards(career: Career, unpaid: int, banks: tuple[Bank, ...], bounds: Bounds, rng: Rng) -> Career:
    """Let as many guards as went unpaid leave, drawn among all of the member's guards."""
    posts = [number for number, count in enumerate(career.guards) for _ in range(count)]
    for number in rng.sample(posts, unpaid):
        chance = career.chance_at(number, banks)
        career = replace(career, guards=put(career.guards, number, career.guards[number] - 1))
        least = banks[number].chance if bounds.bounds_guards else 0.0  # who was capped may have gained less
        career = with_chance(career, number, arithmetic.unguarded(chance, least))
    return career


def fired(career: Career) -> Career:
    """Return a career without a job, with half a salary to start from again."""
    return replace(career, employed=False, salary=arithmetic.halved(career.salary))


def fingered(career: Career, number: int, banks: tuple[Bank, ...], bounds: Bounds) -> Career:
    """Return the career of an identified crosser: fired, and less likely to succeed at that bank."""
    chance, least = career.chance_at(number, banks), bounds.least_chance(banks[number])
    return with_chance(fired(career), number, arithmetic.fingered(chance, least))


def stitched(career: Career, number: int, banks: tuple[Bank, ...], bounds: Bounds) -> Career:
    """Return the career of a snitch who named nobody: a lower salary, and lower odds at that bank."""
    docked = replace(career, salary=arithmetic.docked(career.salary))
    odds, least = career.odds_at(number, banks), bounds.least_odds(banks[number])
    return with_odds(docked, number, arithmetic.stitched(odds, least))


def hired(career: Career, bounds: Bounds) -> Career:
    """Find a job that pays a little more than the last one; a factor of a wage never passes 1."""
    salary = arithmetic.raised(career.salary)
    return replace(career, employed=True, salary=min(salary, SALARY) if bounds.staked_wages else salary)


def with_interest(career: Career, bounds: Bounds) -> Career:
    """Return a career whose accounts have had the interest of one heist."""
    hundredths = int(100 * bounds.interest)  # of a percent
    if not hundredths:
        return career
    accounts = tuple(arithmetic.with_interest(each, hundredths) for each in career.accounts)
    return replace(career, accounts=accounts)


def put(row: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """Return a row with another value in one place."""
    return (*row[:place], value, *row[place + 1 :])
