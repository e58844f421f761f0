"""What a contestant is told before each of its two decisions, and how its answer is read.

The order of the fields, and of the arguments that are made of them, is that of the contest which
Bank Heist comes from.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from math import ceil, frexp, log, prod
from typing import TYPE_CHECKING, NamedTuple

from chatbot.games.heist.rules.arithmetic import CREDITS_PER_HEISTER, GUARD_GAIN, ODDS_UNIT, gain
from chatbot.games.heist.rules.banks import Bank
from chatbot.games.heist.rules.moves import Act
from chatbot.kernel.contest import WireFormat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.kernel.fair import Rng

STAKING, ACTING = 1, 2  # the two rounds
MOST = 10**1000
"""No program can be told more: a tournament ends with the game in which somebody comes to hold it.

Odds grow by what is staked and credits by the odds, so that whoever feeds both doubles the digits of both
with every other success: what has a thousand digits now has a million ten successes later, and twenty
more fill any memory. Up to here all is counted to the last credit.
"""
ENDED = "somebody came to hold more than 10^1000, the most that a program can be told"
MOST_COMPILED = 2**61
"""Compiled games count to here: nobody can come to hold more in them, of anything."""
PARTS = 2**31  # of credits from `EXACT` on, of which a share is taken
LOG_2 = log(2)
EXACT = 2**53  # below it, the nearest double tells any number to the last credit
_DIGITS = re.compile(r"[0-9]+", re.ASCII)
_DECIMALS = 20  # that are written of a fraction which does not end

ANSWERS = {
    "!guncheck": Act.GUNCHECK,
    "back out": Act.BACK_OUT,
    "all in": Act.ALL_IN,
    "change jobs": Act.CHANGE_JOBS,
    "acquire intel": Act.INTEL,
    "buy guard": Act.GUARD,
    "deposit": Act.DEPOSIT,
    "withdraw": Act.WITHDRAW,
    "double cross": Act.DOUBLE_CROSS,
    "finger": Act.FINGER,
}
WORDS = {act: word for word, act in ANSWERS.items()}
(
    GUNCHECK, BACK_OUT, ALL_IN, CHANGE_JOBS, INTEL, GUARD, DEPOSIT, WITHDRAW, DOUBLE_CROSS, FINGER,
) = range(len(Act))  # fmt: skip
"""The answers by number, in the order of `Act`: compiled code knows numbers only."""


class Situation(NamedTuple):
    """All that a contestant knows. The rabble has no part in ranks and statistics."""

    game: int  # from 0
    round: int  # 1 or 2
    players: int  # in this game, rabble included
    acted: int  # of them, in this round, before this turn
    heisters: int  # so far; in round 2 all of round 1's
    staked: int  # by them
    committed: int  # of the heisters who have acted in round 2, how many did not back out
    bank: int  # 0..4; in round 1 the one that would be robbed if nobody else staked
    credits: int  # own, the stake included
    stake: int  # 0 in round 1
    salary: int
    employed: bool
    rank: int  # after the last game: 1 + the number of contestants with more credits
    mean: float | Fraction  # of all contestants' credits then
    deviation: float | Fraction  # the mean absolute one, around that mean
    most: int  # of all contestants' credits then
    accounts: tuple[int, ...]  # own, bank by bank
    chances: tuple[float, ...]  # own, 0..1
    odds: tuple[int, ...]  # own, in units of 0.00001


def standing(credits_held: Sequence[int]) -> tuple[float | Fraction, float | Fraction, int]:
    """Return mean, mean absolute deviation and maximum of all contestants' credits.

    Both means are the nearest doubles as long as those tell every credit, and then exact.
    """
    count, total, most = len(credits_held), sum(credits_held), max(credits_held)
    apart = sum([abs(each * count - total) for each in credits_held])
    if total < EXACT:
        return total / count, apart / (count * count), most
    return Fraction(total, count), Fraction(apart, count * count), most


def arguments(situation: Situation, menu: object = None) -> list[str]:  # noqa: ARG001  (a WireFormat's shape)
    """Write the 31 arguments of a program that is started for each decision."""
    return [
        *(str(int(each)) for each in situation[:13]),
        decimal(situation.mean),
        decimal(situation.deviation),
        str(situation.most),
        *(str(each) for each in situation.accounts),
        *(decimal(each) for each in situation.chances),
        *(decimal(Fraction(each, ODDS_UNIT)) for each in situation.odds),
    ]


def question(situation: Situation, menu: object = None) -> dict[str, object]:  # noqa: ARG001
    """Name everything for a program that reads JSON; odds are numbers such as 0.8.

    Where a double would lose a whole credit, means and odds are rounded down to whole numbers, which JSON
    can write with all their digits.
    """
    fields: dict[str, object] = dict(situation._asdict())
    odds = [Fraction(each, ODDS_UNIT) for each in situation.odds]
    return {
        **fields,
        "mean": _number(situation.mean),
        "deviation": _number(situation.deviation),
        "odds": [*map(_number, odds)],
    }


def read(situation: Situation, menu: object, answer: object) -> int | Act:  # noqa: ARG001
    """Read what a program answered: a stake in round 1, anything at all in round 2.

    Raises:
        ValueError: it is no stake.
    """
    text = str(answer).strip()
    if situation.round == ACTING:
        return ANSWERS.get(text.lower(), Act.GUNCHECK)
    if not _DIGITS.fullmatch(text):
        raise ValueError(f"expected a stake in digits, got {text[:40]!r}")
    digits, most = text.lstrip("0") or "0", situation.credits
    return most if len(digits) > len(str(most)) else min(int(digits), most)


def decimal(number: float | Fraction) -> str:
    """Write a number with a point and no exponent, as short as it is exact.

    A double has no more digits than tell it from every other, a fraction that does not end twenty decimals.
    """
    if isinstance(number, Fraction):
        whole, rest = divmod(round(number * 10**_DECIMALS), 10**_DECIMALS)
        text = f"{whole}.{rest:0{_DECIMALS}}"
    else:
        text = format(Decimal(repr(number)), "f")
    whole_digits, _, fraction = text.partition(".")
    return f"{whole_digits}.{fraction.rstrip('0') or '0'}"


def _number(value: float | Fraction) -> float | int:
    return float(value) if value < EXACT else int(value)


WIRE_FORMAT = WireFormat(ask=question, read=read, call=arguments)


# What a contestant can work out of its situation: the bank ahead, the stake that grows, what others hold.
BANKS = (
    Bank(0, 0.54, 80_000),
    Bank(20, 0.488, 110_000),
    Bank(40, 0.425, 130_000),
    Bank(60, 0.387, 165_000),
    Bank(80, 0.324, 195_000),
)
"""Those of the contest: what one's own chances and odds have grown from is not told."""

LAST = len(BANKS) - 1  # the number of the last one
LEVEL = 20  # heisters from each of the contest's banks to the next
COMMITTED = 0.9  # of the heisters: the rabble's fear feeds on itself, x = .05 + .5 x, so a tenth runs
LACKS = tuple(1 - bank.chance for bank in BANKS)
LACK = prod(LACKS)  # each guard, at whichever bank, takes 1% off this product
PLENTY = 10**12  # credits staked that make it the last bank, whoever comes; more do nothing else
EDGES = tuple(ODDS_UNIT + bank.odds for bank in BANKS)


def ahead(situation: Situation) -> int:
    """Number the bank that this round is heading for, if those to come stake like those before.

    As long as hardly anybody has staked, four in ten are supposed to.
    """
    sofar, acted = situation.heisters, situation.acted
    index = sofar + (situation.players - acted) * (sofar + 4) / (acted + 10)
    if sofar and situation.staked > CREDITS_PER_HEISTER // 10:
        index += min(situation.staked, PLENTY) * (index / sofar) // CREDITS_PER_HEISTER
    number = int(index // LEVEL)
    return number if situation.bank <= number <= LAST else situation.bank if number < situation.bank else LAST


def growing(chance: float, odds: int) -> float:
    """Return the share of the credits to stake for the fastest growth, 0..1 (Kelly, 1956).

    With odds from `EXACT` on it is the chance, to eleven digits.
    """
    if odds >= EXACT:
        return chance
    edge = chance * (odds + ODDS_UNIT) - ODDS_UNIT
    return edge / odds if edge > 0 else 0.0


def portion(credits_held: int, share: float) -> int:
    """Take a share, 0..1, of credits: by doubles where they tell every credit, or else of 2^31 parts."""
    if credits_held < EXACT:
        return int(credits_held * share)
    parts = int(share * PARTS)
    return credits_held // PARTS * parts + credits_held % PARTS * parts // PARTS


def reaches(stake: int, odds: int, winnings: int) -> bool:
    """Return whether a stake wins so much; no number on the way passes `winnings` and twice the stake."""
    return stake > 0 and (odds // ODDS_UNIT > winnings // stake or gain(stake, odds) >= winnings)


def lack(situation: Situation) -> float:
    """Multiply what the own chances lack to certainty."""
    first, second, third, fourth, fifth = situation.chances
    return (1 - first) * (1 - second) * (1 - third) * (1 - fourth) * (1 - fifth)


def left_by(guards: int) -> float:
    """Return what so many guards leave of what chances lack, 0..1.

    By products alone, unlike `**`, so that it is the same double wherever it is computed.
    """
    product, factor = 1.0, 1 - GUARD_GAIN
    while guards > 0:
        if guards % 2 == 1:
            product *= factor
        factor *= factor
        guards //= 2
    return product


def logarithm(number: int) -> float:
    """Return the natural logarithm of a number from 1 on, up to 0.06 too small.

    It is that of a power of 2, and rises in a straight line to the next: sums and products alone, so that it
    is the same double wherever it is computed.
    """
    shift = 0
    while number >= EXACT:
        number //= 2
        shift += 1
    mantissa, exponent = frexp(number)
    return (shift + exponent - 2 + 2 * mantissa) * LOG_2


def chance(rng: Rng, probability: float) -> bool:
    """Draw whether what has this probability happens."""
    return rng.chance(probability)


def others(situation: Situation) -> tuple[int, float | Fraction]:
    """Count the contestants and add up what the others hold, neither ever too high, as the richest sees it.

    Nobody says how many there are. Where only the richest is above the mean m, the mean absolute
    deviation is 2 (own - m) / n; where others are too, n is larger than that makes it. Nor can n m be
    less than the own credits. Doubles are as exact as it needs, as long as they hold all the numbers.
    """
    if situation.most >= MOST_COMPILED:
        return _others(situation.credits, situation.mean, situation.deviation)
    return _others(float(situation.credits), float(situation.mean), float(situation.deviation))


def _others(own: float, mean: float | Fraction, deviation: float | Fraction) -> tuple[int, float | Fraction]:
    if own <= mean or deviation == 0:
        return 2, 0.0
    count = max(2, ceil(max(own / mean, 2 * (own - mean) / deviation) - 1e-6))
    return count, count * mean - own


# One game of a tournament, as its log tells it.


class Played(NamedTuple):
    """Contestants are numbered; `may_gain` is what the dice gave, before anybody took anything away."""

    number: int  # from 0
    players: int  # rabble included
    bets: Sequence[tuple[int, int]]  # contestant and stake, in the order of turns
    answers: Sequence[tuple[int, Act]]  # contestant and answer, in the order of turns
    results: Sequence[tuple[int, bool, int]]  # contestant, success, may_gain, in the order of round 1
    credits: Sequence[int]  # of each contestant, when it was over
