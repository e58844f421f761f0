"""Situations made by hand, for contestants to answer."""

from __future__ import annotations

from chatbot.games.heist.contest.situation import ACTING, STAKING, Situation
from chatbot.games.heist.rules.rules import Heist

BANKS = Heist().banks

EARLY = Situation(
    game=0,
    round=STAKING,
    players=250,
    acted=0,
    heisters=0,
    staked=0,
    committed=0,
    bank=0,
    credits=240,
    stake=0,
    salary=240,
    employed=True,
    rank=1,
    mean=240.0,
    deviation=0.0,
    most=240,
    accounts=(0,) * 5,
    chances=tuple(bank.chance for bank in BANKS),
    odds=tuple(bank.odds for bank in BANKS),
)
"""The first turn of a tournament."""


def acting(told: Situation, stake: int = 1, bank: int = 0) -> Situation:
    """Turn to round 2: a bank with the fewest heisters that it takes, and nobody has acted yet."""
    heisters = max(1, BANKS[bank].level)
    return told._replace(round=ACTING, heisters=heisters, staked=stake, stake=stake, bank=bank)


def put(row: tuple[float, ...], place: int, value: float) -> tuple[float, ...]:
    return (*row[:place], value, *row[place + 1 :])


def among(told: Situation, held: list[int]) -> Situation:
    """Let the contestants hold so much, the first of them the one who is told."""
    mean = sum(held) / len(held)
    return told._replace(
        credits=held[0],
        rank=1 + sum(each > held[0] for each in held),
        mean=mean,
        deviation=sum(abs(each - mean) for each in held) / len(held),
        most=max(held),
    )
