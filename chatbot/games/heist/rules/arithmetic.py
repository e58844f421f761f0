"""The arithmetic of a heist: shares, fines, salaries, loot and bounds, as functions of plain numbers.

The rules, the published odds and fast tournaments call the same functions; only the loops around them
differ. Credits, stakes and salaries are whole numbers from 0 on, odds whole multiples of `1 / ODDS_UNIT` of a
stake on top of it, chances go from 0 to 1, and percentages from 0 to 100. A setting of 0 bounds nothing. No
function looks anything up, keeps anything or raises, so each can be compiled as it stands.

The constants are those of the rules of the programming contest that the game comes from.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import TypeVar

Real = TypeVar("Real", float, Fraction)

ODDS_UNIT = 100_000
"""Odds are whole multiples of 0.00001, so that no stake ever loses a credit to a binary fraction."""

CREDITS_PER_HEISTER = 100_000
"""Staked credits that count as one more heister when the bank is chosen."""

SALARY = 240  # credits per payday, and what everybody starts with
LOAN = 240  # of those who go all in, whatever their salary
RAISE = 20  # a twentieth: 5% of the salary, up when hired, down when stitched
HIRING = 0.05  # probability that an unemployed player finds a job at the end of a heist
INTEREST = 14  # hundredths of a percent a heist
FINE = 4  # a quarter of an identified crosser's credits goes to the snitch
LOOKS = 8  # draws of a snitch
SECRET = 10  # one crosser in ten committed players stays a secret
GUARD_GAIN = 0.01  # of what the chance lacks to certainty
FINGERED_CHANCE = 0.05  # lost at that bank by an identified crosser
STITCHED_ODDS = ODDS_UNIT // 20  # 0.05, lost at that bank by a snitch who names nobody
_SAFE = 2**31  # products of numbers below it are exact in 64 bits
COLD_FEET = 0.05  # least probability of the rabble to back out
CONTAGION = 0.5  # added in proportion to those who have backed out before


# The bank


def heister_index(heisters: int, staked: int, per_heister: int = CREDITS_PER_HEISTER) -> int:
    """Return what decides the bank: heads, and one for every so many credits staked (0: heads alone)."""
    return heisters + (staked // per_heister if per_heister else 0)


def cold_feet(acted: int, backed_out: int) -> float:
    """Return the probability of the next of the rabble to back out, where so many of those before did."""
    return COLD_FEET + CONTAGION * (backed_out / acted if acted else 0)


def courage(committed: int, heisters: int) -> float:
    """Return the factor of everybody's chance where not all heisters go in, 0 to 1."""
    return committed / heisters if heisters else 1.0


def gain(stake: int, odds: int) -> int:
    """Return the winnings on top of a stake, rounded down exactly.

    No number on the way is larger than they are, or than 10^10.
    """
    whole, rest = odds // ODDS_UNIT, odds % ODDS_UNIT
    return stake * whole + stake // ODDS_UNIT * rest + stake % ODDS_UNIT * rest // ODDS_UNIT


# Chances and odds of one's own


def guarded(chance: float) -> float:
    """Return a chance with one guard more."""
    return chance + GUARD_GAIN * (1 - chance)


def unguarded(chance: float, least: float) -> float:
    """Return a chance with one guard less: it falls to `least` at most, and never rises."""
    return max((chance - GUARD_GAIN) / (1 - GUARD_GAIN), min(least, chance))


def fingered(chance: float, least: float) -> float:
    """Return the chance of an identified crosser: it falls to `least` at most, and never rises."""
    return max(chance - FINGERED_CHANCE, min(least, chance))


def stitched(odds: int, least: int) -> int:
    """Return the odds of a snitch who named nobody: they fall to `least` at most, and never rise."""
    return max(odds - STITCHED_ODDS, min(least, odds))


def most_chance(bank_chance: float, odds: int, points: float, return_percent: float) -> float:
    """Return how high guards raise a chance beside these odds; infinity if nothing bounds it.

    `points` are percentage points above the chance of the bank; `return_percent` is the most that chance
    times gross payout may be.
    """
    by_points = bank_chance + points / 100 if points else inf
    by_return = return_percent / 100 * ODDS_UNIT / (ODDS_UNIT + odds) if return_percent else inf
    return max(min(by_points, by_return), bank_chance)


def most_odds(bank_odds: int, chance: float, more: int, return_percent: float) -> float:
    """Return how high intel raises odds beside this chance, a whole number; infinity if nothing bounds them.

    `more` are odds above those of the bank; `return_percent` is as in `most_chance`.
    """
    by_odds = bank_odds + more if more else inf
    by_return = int((return_percent / 100 / chance - 1) * ODDS_UNIT) if return_percent and chance else inf
    return max(min(by_odds, by_return), bank_odds)


def most_return(chance: Real, gross: Real, points: Real, more: Real, return_percent: Real) -> Real:
    """Return the highest product of chance and gross payout that guards and intel can come to at a bank.

    `points` and `return_percent` are as in `most_chance`, `more` is added to the gross payout. Where nothing
    bounds it, it is that of a newcomer.
    """
    own = chance * gross
    if points and more:
        best = (chance + points / 100) * (gross + more)
        return max(min(best, return_percent / 100) if return_percent else best, own)
    return max(return_percent / 100, own) if return_percent else own


# Pay


def wage(stake: int, percent: int, most: int) -> int:
    """Return the wage of a stake in hundredths of a credit; `most` is in credits."""
    hundredths = stake * percent
    return min(hundredths, 100 * most) if most else hundredths


def salary(own: int, stake: int, percent: int, most: int) -> int:
    """Return what a heist pays somebody with a job: the own salary or, where wages go by stakes, a wage.

    What has raised or halved the own salary is then a factor of the wage, of at most 1.
    """
    return wage(stake, percent, most) * min(own, SALARY) // (100 * SALARY) if percent else own


def loan(stake: int, percent: int, most: int) -> int:
    """Return what the house lends to somebody who goes all in with so many credits."""
    return wage(stake, percent, most) // 100 if percent else LOAN


def raised(own: int) -> int:
    """Return the salary of a new job."""
    return own + own // RAISE


def docked(own: int) -> int:
    """Return the salary of a snitch who named nobody."""
    return own - own // RAISE


def halved(own: int) -> int:
    """Return the salary to which the next job of somebody fired goes back."""
    return own // 2


def with_interest(account: int, hundredths: int = INTEREST) -> int:
    """Return an account after a heist, at so many hundredths of a percent."""
    return account + account * hundredths // 10_000


def all_in(stake: int, purse: int, most: int) -> int:
    """Return what goes in from the purse beside the stake, where both together are bounded."""
    return max(min(purse, most - stake), 0) if most else purse


# Fines and shares


def fine(purse: int, stake: int = 0, stakes: int = 0, room: int = 0, bounded: bool = False) -> int:
    """Return what an identified crosser pays: a quarter of the purse, or so many times the own stake.

    It is at most the purse, and at most `room` where that is `bounded`.
    """
    amount = min(stakes * stake if stakes else purse // FINE, purse)
    return max(min(amount, room) if bounded else amount, 0)


def forfeit(winnings: int) -> int:
    """Return what a snitch who named nobody loses of the winnings."""
    return winnings // 2


def stays_secret(crossers: int, committed: int) -> bool:
    """Whether so many crossers among the committed, themselves included, get away with it."""
    return crossers == 1 or crossers <= committed // SECRET


def equal_share(amount: int, receivers: int) -> int:
    """Return what each receives of an amount; the rest vanishes, and all of it if nobody receives."""
    return amount // receivers if receivers else 0


def proportional_share(pool: int, part: int, whole: int) -> int:
    """Return what somebody receives of a pool who had a part of a whole; the rest of the division vanishes.

    The part is at most the whole, from which `pool` may be larger. No number on the way is larger than the
    share, than four times the whole, or than 2^62.
    """
    share, pool = pool // whole * part, pool % whole
    if pool < _SAFE and part < _SAFE:
        return share + pool * part // whole
    quotient = remainder = 0  # of the pool times the bits of the part so far, from the highest
    bit = 1
    while bit <= part // 2:
        bit *= 2
    while bit > 0:
        remainder = 2 * remainder + (pool if part // bit % 2 else 0)
        quotient = 2 * quotient + remainder // whole
        remainder, bit = remainder % whole, bit // 2
    return share + quotient


def split_share(pool: int, stake: int, takings: int, stakes: int, most: int) -> int:
    """Return a share of a pool in proportion to the stake among `stakes`, the sum of all.

    Together with the `takings` before, it comes to at most so many own stakes.
    """
    return min(pool * stake // stakes, most * stake - takings) if stakes else 0


def within_reach(winnings: int, percent: int) -> int:
    """Return what crossers can take of somebody's winnings."""
    return winnings * percent // 100 if percent else winnings


def crosser_share(share: int, stake: int, hundredths: int) -> int:
    """Return what a crosser takes of an equal share: at most so many hundredths of the own stake."""
    return min(share, hundredths_of(stake, hundredths)) if hundredths else share


def hundredths_of(stake: int, hundredths: int) -> int:
    """Return so many hundredths of a stake, rounded down."""
    return hundredths * stake // 100


def within_most(amount: int, takings: int, most: int) -> int:
    """Return the part of an amount that brings the `takings` so far to at most so many credits."""
    return min(amount, max(most - takings, 0)) if most else amount
