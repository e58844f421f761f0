"""What a contestant is told before each of its two decisions, and how its answer is read.

The order of the fields, and of the arguments that are made of them, is that of the contest which
Bank Heist comes from.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from chatbot.games.heist.banks import ODDS_UNIT
from chatbot.games.heist.moves import Act
from chatbot.kernel.contest import Tongue

if TYPE_CHECKING:
    from collections.abc import Sequence

STAKING, ACTING = 1, 2  # the two rounds
_DIGITS = re.compile(r"[0-9]+", re.ASCII)
_LONGEST = 30  # digits: nobody holds more credits than that

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
    mean: float  # of all contestants' credits then
    deviation: float  # the mean absolute one, around that mean
    most: int  # of all contestants' credits then
    accounts: tuple[int, ...]  # own, bank by bank
    chances: tuple[float, ...]  # own, 0..1
    odds: tuple[int, ...]  # own, in units of 0.00001


def standing(credits_held: Sequence[int]) -> tuple[float, float, int]:
    """Give mean, mean absolute deviation and maximum of all contestants' credits."""
    count = len(credits_held)
    mean = sum(credits_held) / count
    return mean, sum([abs(each - mean) for each in credits_held]) / count, max(credits_held)


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
        *(decimal(Decimal(each) / ODDS_UNIT) for each in told.odds),
    ]


def question(situation: Situation, menu: object = None) -> dict[str, object]:  # noqa: ARG001
    """Name everything for a program that reads JSON; odds are numbers such as 0.8."""
    told: dict[str, object] = dict(situation._asdict())
    return {**told, "odds": [each / ODDS_UNIT for each in situation.odds]}


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
    stake = int(text) if len(text) <= _LONGEST else situation.credits
    return min(stake, situation.credits)


def decimal(number: float | Decimal) -> str:
    """Write a number with a point, no exponent, and no more digits than tell it from every other double."""
    text = format(Decimal(repr(number)) if isinstance(number, float) else number, "f")
    whole, _, fraction = text.partition(".")
    return f"{whole}.{fraction.rstrip('0') or '0'}"


TONGUE = Tongue(ask=question, read=read, call=arguments)
