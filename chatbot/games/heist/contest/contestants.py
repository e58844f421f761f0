"""The contest's players of the house: each asked for a stake in round 1, for an answer in round 2.

A contestant sees its situation and nothing else, and keeps no memory from call to call. All but the
champion have one idea each, and play it as well as somebody would who has that idea and no other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.heist.contest.champion import champion
from chatbot.games.heist.contest.situation import (
    COMMITTED,
    EXACT,
    LACK,
    STAKING,
    Situation,
    ahead,
    growing,
    lack,
    portion,
)
from chatbot.games.heist.rules.arithmetic import ODDS_UNIT, SALARY
from chatbot.games.heist.rules.moves import Act

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng

USUAL = 69


def lurker(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Live off the day job."""
    return 0 if told.round == STAKING else Act.GUNCHECK


def passive(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Stake 69 every time, and stick."""
    return min(USUAL, told.credits) if told.round == STAKING else Act.GUNCHECK


def kelly(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Stake the share of the credits that lets them grow fastest, if the bank is worth it (Kelly, 1956).

    The bank is the one that this round is heading for. Where it turns out so badly that the stake
    is expected to lose more than a salary, a salary is what it costs to leave.
    """
    if told.round == STAKING:
        return portion(told.credits, _share(told))
    due = told.committed + COMMITTED * (told.heisters - told.acted)
    chance, odds = told.chances[told.bank] * due / told.heisters, min(told.odds[told.bank], EXACT) / ODDS_UNIT
    return Act.BACK_OUT if 1 - chance * (1 + odds) > told.salary / told.stake else Act.GUNCHECK


def saver(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Stake everything, put what is won by at the bank, and fetch it towards the end.

    A stake of 1 brings back .85 at the worst of banks, and interest makes 1.2 of that in 250 games:
    what is put by later is not worth it. Each bank must be robbed once more, by luck, to fetch it.
    """
    saving = told.game < 750
    if told.round == STAKING:
        return told.credits if saving else min(told.credits, int(any(told.accounts)))
    if saving:
        return Act.DEPOSIT
    return Act.WITHDRAW if told.accounts[told.bank] else Act.GUNCHECK


def snitch(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Look for crossers where somebody else has three times what wages can explain, at the least stake."""
    if told.round == STAKING:
        return min(1, told.credits)
    honest = 3 * SALARY * (told.game + 1)
    return Act.FINGER if told.most > max(honest, told.credits) else Act.GUNCHECK


def turncoat(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Steal from everybody else, at the least stake; once fired for it, lie low until there is a job."""
    if told.round == STAKING:
        return min(told.credits, int(told.employed))
    return Act.DOUBLE_CROSS


def climber(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Change jobs as long as it pays: a raise of 5 % takes 20 games without wages, so 400 must follow."""
    if told.round == STAKING:
        return min(told.credits, int(told.employed and told.game < 600))
    return Act.CHANGE_JOBS


def guardsman(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Bribe guards with up to half of the salary, and stake the other half where they make it worth it."""
    if told.round == STAKING:
        return min(told.credits, told.salary // 2 if _share(told) else 1)
    return Act.GUARD if lack(told) > LACK * 0.99 ** (told.salary // 2) else Act.GUNCHECK


def spy(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Spend every salary on intel for 600 games, then stake what the odds have become worth."""
    if told.round != STAKING:
        return Act.INTEL if told.game < 600 else Act.GUNCHECK
    if told.game < 600:
        return min(told.credits, told.salary)
    return portion(told.credits, _share(told))


def gambler(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Go all in, every time that somebody is richer."""
    if told.round == STAKING:
        return min(told.credits, int(told.rank > 1))
    return Act.ALL_IN


def _share(told: Situation) -> float:
    bank = ahead(told)
    return growing(told.chances[bank] * COMMITTED, told.odds[bank])


CONTESTANTS: Mapping[str, Strategy] = {
    each.__name__: each
    for each in (
        lurker, passive, kelly, saver, snitch, turncoat, climber, guardsman, spy, gambler, champion,
    )
}  # fmt: skip
