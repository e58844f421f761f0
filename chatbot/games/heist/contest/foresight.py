"""What a contestant can work out of its situation: the bank ahead, the stake that grows, what others hold."""

from __future__ import annotations

from math import ceil, prod
from typing import TYPE_CHECKING

from chatbot.games.heist.contest.situation import EXACT
from chatbot.games.heist.rules.banks import CREDITS_PER_HEISTER, ODDS_UNIT, Bank

if TYPE_CHECKING:
    from fractions import Fraction

    from chatbot.games.heist.contest.situation import Situation

BANKS = (
    Bank(0, 0.54, 80_000),
    Bank(20, 0.488, 110_000),
    Bank(40, 0.425, 130_000),
    Bank(60, 0.387, 165_000),
    Bank(80, 0.324, 195_000),
)
"""Those of the contest: what one's own chances and odds have grown from is not told."""

LEVEL = 20  # heisters from each of the contest's banks to the next
COMMITTED = 0.9  # of the heisters: the rabble's fear feeds on itself, x = .05 + .5 x, so a tenth runs
LACKS = tuple(1 - bank.chance for bank in BANKS)
LACK = prod(LACKS)  # each guard, at whichever bank, takes 1 % off this product
PLENTY = 10**12  # credits staked that make it the last bank, whoever comes; more do nothing else
EDGES = tuple(ODDS_UNIT + bank.odds for bank in BANKS)


def ahead(told: Situation) -> int:
    """Number the bank that this round is heading for, if those to come stake like those before.

    As long as hardly anybody has staked, four in ten are supposed to.
    """
    sofar, acted = told.heisters, told.acted
    index = sofar + (told.players - acted) * (sofar + 4) / (acted + 10)
    if sofar and told.staked > CREDITS_PER_HEISTER // 10:
        index += min(told.staked, PLENTY) * (index / sofar) // CREDITS_PER_HEISTER
    number = int(index // LEVEL)
    last = len(BANKS) - 1
    return number if told.bank <= number <= last else told.bank if number < told.bank else last


def growing(chance: float, odds: int) -> float:
    """Give the share of the credits to stake for the fastest growth, 0..1 (Kelly, 1956)."""
    if odds >= EXACT:
        return max(chance - (1 - chance) * (ODDS_UNIT / odds), 0.0)
    edge = chance * (odds + ODDS_UNIT) - ODDS_UNIT
    return edge / odds if edge > 0 else 0.0


def portion(credits_held: int, share: float) -> int:
    """Take a share, 0..1, of credits: by doubles where they tell every credit, or else in whole numbers."""
    if credits_held < EXACT:
        return int(credits_held * share)
    return credits_held * int(share * EXACT) // EXACT


def lack(told: Situation) -> float:
    """Multiply what the own chances lack to certainty."""
    first, second, third, fourth, fifth = told.chances
    return (1 - first) * (1 - second) * (1 - third) * (1 - fourth) * (1 - fifth)


def others(told: Situation) -> tuple[int, float | Fraction]:
    """Count the contestants and add up what the others hold, neither ever too high, as the richest sees it.

    Nobody says how many there are. Where only the richest is above the mean m, the mean absolute
    deviation is 2 (own - m) / n; where others are too, n is larger than that makes it. Nor can n m be
    less than the own credits.
    """
    if told.credits <= told.mean or not told.deviation:
        return 2, 0.0
    over = told.credits - told.mean
    count = max(2, ceil(max(told.credits / told.mean, 2 * over / told.deviation) - 1e-6))
    return count, count * told.mean - told.credits
