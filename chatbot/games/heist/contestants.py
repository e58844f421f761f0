"""The contest's players of the house: each asked for a stake in round 1, for an answer in round 2.

A contestant sees its situation and nothing else, and keeps no memory from call to call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.heist.banks import ODDS_UNIT
from chatbot.games.heist.moves import Act
from chatbot.games.heist.situation import STAKING, Situation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng

USUAL = 69


def lurker(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Live off the day job."""
    return 0


def passive(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Stake 69 every time, and stick."""
    return USUAL if told.round == STAKING else Act.GUNCHECK


def kelly(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Stake the share of the credits that lets them grow fastest, if the bank is worth it (Kelly, 1956)."""
    if told.round != STAKING:
        return Act.GUNCHECK
    chance, odds = told.chances[told.bank], told.odds[told.bank] / ODDS_UNIT
    return int(told.credits * max(0.0, chance - (1 - chance) / odds)) if odds else 0


def saver(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Put winnings by at the bank, and fetch them towards the end."""
    if told.round == STAKING:
        return USUAL
    return Act.WITHDRAW if told.game >= 900 and told.accounts[told.bank] else Act.DEPOSIT


def snitch(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Look for crossers, at the least stake."""
    return 1 if told.round == STAKING else Act.FINGER


def turncoat(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Steal from everybody else, at the least stake."""
    return 1 if told.round == STAKING else Act.DOUBLE_CROSS


def climber(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Change jobs as soon as there is one to leave: each new one pays more."""
    if told.round == STAKING:
        return int(told.employed)
    return Act.CHANGE_JOBS


def guardsman(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Buy a guard each time."""
    return USUAL if told.round == STAKING else Act.GUARD


def spy(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Spend every success on intel."""
    return USUAL if told.round == STAKING else Act.INTEL


def gambler(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Go all in, every time."""
    return 1 if told.round == STAKING else Act.ALL_IN


CONTESTANTS: Mapping[str, Strategy] = {
    each.__name__: each
    for each in (
        lurker, passive, kelly, saver, snitch, turncoat, climber, guardsman, spy, gambler,
    )
}  # fmt: skip
