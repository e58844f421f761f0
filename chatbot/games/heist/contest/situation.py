"""What a contestant is told before each of its two decisions, and how its answer is read.

The order of the fields, and of the arguments that are made of them, is that of the contest which
Bank Heist comes from.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from chatbot.games.heist.rules.banks import ODDS_UNIT
from chatbot.games.heist.rules.moves import Act
from chatbot.kernel.contest import Tongue

if TYPE_CHECKING:
    from collections.abc import Sequence

STAKING, ACTING = 1, 2  # the two rounds
MOST = 10**1000
"""No program can be told more: a tournament ends with the game in which somebody comes to hold it.

Odds grow by what is staked and credits by the odds, so that whoever feeds both doubles the digits of both
with every other success: what has a thousand digits now has a million ten successes later, and twenty
more fill any memory. Up to here all is counted to the last credit.
"""
ENDED = "somebody came to hold more than 10^1000, the most that a program can be told"
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
    """Give mean, mean absolute deviation and maximum of all contestants' credits.

    Both means are the nearest doubles as long as those tell every credit, and then exact.
    """
    count, total, most = len(credits_held), sum(credits_held), max(credits_held)
    apart = sum([abs(each * count - total) for each in credits_held])
    if total < EXACT:
        return total / count, apart / (count * count), most
    return Fraction(total, count), Fraction(apart, count * count), most


def arguments(situation: Situation, menu: object = None) -> list[str]:  # noqa: ARG001  (a Tongue's shape)
    """Write the 31 arguments of a program that is started for each decision."""
    told = situation
    return [
        *(str(int(each)) for each in told[:13]),
        decimal(told.mean),
        decimal(told.deviation),
        str(told.most),
        *(str(each) for each in told.accounts),
        *(decimal(each) for each in told.chances),
        *(decimal(Fraction(each, ODDS_UNIT)) for each in told.odds),
    ]


def question(situation: Situation, menu: object = None) -> dict[str, object]:  # noqa: ARG001
    """Name everything for a program that reads JSON; odds are numbers such as 0.8.

    Where a double would lose a whole credit, means and odds are rounded down to whole numbers, which JSON
    can write with all their digits.
    """
    told: dict[str, object] = dict(situation._asdict())
    odds = [Fraction(each, ODDS_UNIT) for each in situation.odds]
    return {
        **told,
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
    digits, held = text.lstrip("0") or "0", situation.credits
    return held if len(digits) > len(str(held)) else min(int(digits), held)


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


TONGUE = Tongue(ask=question, read=read, call=arguments)
