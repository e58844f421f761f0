"""The contest's players of the house: each asked for a stake in round 1, for an answer in round 2.

A contestant sees its situation and nothing else, and keeps no memory from call to call. All but the
champion have one idea each, and play it as well as somebody would who has that idea and no other.

Each is two functions, `NAME_stake` and `NAME_answer`, which return credits and the number of an answer. They
are written so that they can be compiled as they stand: below 2^62 no product of them passes 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.games.heist.contest.champion import champion_answer, champion_stake
from chatbot.games.heist.contest.situation import (
    ALL_IN,
    BACK_OUT,
    CHANGE_JOBS,
    COMMITTED,
    DEPOSIT,
    DOUBLE_CROSS,
    EXACT,
    FINGER,
    GUARD,
    GUNCHECK,
    INTEL,
    LACK,
    STAKING,
    WITHDRAW,
    Situation,
    ahead,
    growing,
    lack,
    left_by,
    portion,
)
from chatbot.games.heist.rules.arithmetic import ODDS_UNIT, SALARY
from chatbot.games.heist.rules.moves import Act
from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.kernel.contest import Strategy

USUAL = 69
ACTS = tuple(Act)


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A strategy of two functions."""

    name: str
    stake: Callable[[Situation, Rng], int]
    answer: Callable[[Situation, Rng], int]

    def __call__(self, told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG002
        return self.stake(told, rng) if told.round == STAKING else ACTS[self.answer(told, rng)]


# The lurker lives off the day job.


def lurker_stake(told: Situation, rng: Rng) -> int:  # noqa: ARG001
    return 0


def lurker_answer(told: Situation, rng: Rng) -> int:  # noqa: ARG001
    return GUNCHECK


# The passive stake 69 every time, and stick.


def passive_stake(told: Situation, rng: Rng) -> int:  # noqa: ARG001
    return min(USUAL, told.credits)


def passive_answer(told: Situation, rng: Rng) -> int:  # noqa: ARG001
    return GUNCHECK


# Kelly stakes the share of the credits that lets them grow fastest, if the bank is worth it (Kelly, 1956).
# The bank is the one that this round is heading for. Where it turns out so badly that the stake is expected
# to lose more than a salary, a salary is what it costs to leave.


def kelly_stake(told: Situation, rng: Rng) -> int:  # noqa: ARG001
    return portion(told.credits, _share(told))


def kelly_answer(told: Situation, rng: Rng) -> int:  # noqa: ARG001
    due = told.committed + COMMITTED * (told.heisters - told.acted)
    chance, odds = told.chances[told.bank] * due / told.heisters, min(told.odds[told.bank], EXACT) / ODDS_UNIT
    return BACK_OUT if 1 - chance * (1 + odds) > told.salary / min(told.stake, EXACT) else GUNCHECK


# The saver stakes everything, puts what is won by at the bank, and fetches it towards the end. A stake of 1
# brings back .85 at the worst of banks, and interest makes 1.2 of that in 250 games: what is put by later is
# not worth it. Each bank must be robbed once more, by luck, to fetch it.

SAVING = 750  # games


def saver_stake(told: Situation, rng: Rng) -> int:  # noqa: ARG001
    return told.credits if told.game < SAVING else min(told.credits, int(max(told.accounts) > 0))


def saver_answer(told: Situation, rng: Rng) -> int:  # noqa: ARG001
    if told.game < SAVING:
        return DEPOSIT
    return WITHDRAW if told.accounts[told.bank] else GUNCHECK


# The snitch looks for crossers where somebody else has three times what wages explain, at the least stake.


def snitch_stake(told: Situation, rng: Rng) -> int:  # noqa: ARG001
    return min(1, told.credits)


def snitch_answer(told: Situation, rng: Rng) -> int:  # noqa: ARG001
    honest = 3 * SALARY * (told.game + 1)
    return FINGER if told.most > max(honest, told.credits) else GUNCHECK


# The turncoat steals from everybody else, at the least stake; once fired for it, it lies low until there is
# a job.


def turncoat_stake(told: Situation, rng: Rng) -> int:  # noqa: ARG001
    return min(told.credits, int(told.employed))


def turncoat_answer(told: Situation, rng: Rng) -> int:  # noqa: ARG001
    return DOUBLE_CROSS


# The climber changes jobs while it pays: a raise of 5% takes 20 games without wages, so 400 must follow.


def climber_stake(told: Situation, rng: Rng) -> int:  # noqa: ARG001
    return min(told.credits, int(told.employed and told.game < 600))


def climber_answer(told: Situation, rng: Rng) -> int:  # noqa: ARG001
    return CHANGE_JOBS


# The guardsman bribes guards with up to half of the salary, and stakes the other half where they make it
# worth it.


def guardsman_stake(told: Situation, rng: Rng) -> int:  # noqa: ARG001
    return min(told.credits, told.salary // 2 if _share(told) > 0 else 1)


def guardsman_answer(told: Situation, rng: Rng) -> int:  # noqa: ARG001
    return GUARD if lack(told) > LACK * left_by(told.salary // 2) else GUNCHECK


# The spy spends every salary on intel for 600 games, then stakes what the odds have become worth.

SPYING = 600  # games


def spy_stake(told: Situation, rng: Rng) -> int:  # noqa: ARG001
    if told.game < SPYING:
        return min(told.credits, told.salary)
    return portion(told.credits, _share(told))


def spy_answer(told: Situation, rng: Rng) -> int:  # noqa: ARG001
    return INTEL if told.game < SPYING else GUNCHECK


# The gambler goes all in, every time that somebody is richer.


def gambler_stake(told: Situation, rng: Rng) -> int:  # noqa: ARG001
    return min(told.credits, int(told.rank > 1))


def gambler_answer(told: Situation, rng: Rng) -> int:  # noqa: ARG001
    return ALL_IN


def _share(told: Situation) -> float:
    bank = ahead(told)
    return growing(told.chances[bank] * COMMITTED, told.odds[bank])


CONTESTANTS: Mapping[str, Strategy] = {
    each.name: each
    for each in (
        BuiltIn("lurker", lurker_stake, lurker_answer),
        BuiltIn("passive", passive_stake, passive_answer),
        BuiltIn("kelly", kelly_stake, kelly_answer),
        BuiltIn("saver", saver_stake, saver_answer),
        BuiltIn("snitch", snitch_stake, snitch_answer),
        BuiltIn("turncoat", turncoat_stake, turncoat_answer),
        BuiltIn("climber", climber_stake, climber_answer),
        BuiltIn("guardsman", guardsman_stake, guardsman_answer),
        BuiltIn("spy", spy_stake, spy_answer),
        BuiltIn("gambler", gambler_stake, gambler_answer),
        BuiltIn("champion", champion_stake, champion_answer),
    )
}
