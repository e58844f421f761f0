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

    def __call__(self, situation: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG002
        return self.stake(situation, rng) if situation.round == STAKING else ACTS[self.answer(situation, rng)]


# The lurker lives off the day job.


def lurker_stake(situation: Situation, rng: Rng) -> int:  # noqa: ARG001
    return 0


def lurker_answer(situation: Situation, rng: Rng) -> int:  # noqa: ARG001
    return GUNCHECK


# The passive stake 69 every time, and stick.


def passive_stake(situation: Situation, rng: Rng) -> int:  # noqa: ARG001
    return min(USUAL, situation.credits)


def passive_answer(situation: Situation, rng: Rng) -> int:  # noqa: ARG001
    return GUNCHECK


# Kelly stakes the share of the credits that lets them grow fastest, if the bank is worth it (Kelly, 1956).
# The bank is the one that this round is heading for. Where it turns out so badly that the stake is expected
# to lose more than a salary, a salary is what it costs to leave.


def kelly_stake(situation: Situation, rng: Rng) -> int:  # noqa: ARG001
    return portion(situation.credits, _share(situation))


def kelly_answer(situation: Situation, rng: Rng) -> int:  # noqa: ARG001
    raiders = situation.committed + COMMITTED * (situation.heisters - situation.acted)
    chance, odds = (
        situation.chances[situation.bank] * raiders / situation.heisters,
        min(situation.odds[situation.bank], EXACT) / ODDS_UNIT,
    )
    return BACK_OUT if 1 - chance * (1 + odds) > situation.salary / min(situation.stake, EXACT) else GUNCHECK


# The saver stakes everything, puts what is won by at the bank, and fetches it towards the end. A stake of 1
# brings back .85 at the worst of banks, and interest makes 1.2 of that in 250 games: what is put by later is
# not worth it. Each bank must be robbed once more, by luck, to fetch it.

SAVING = 750  # games


def saver_stake(situation: Situation, rng: Rng) -> int:  # noqa: ARG001
    return (
        situation.credits
        if situation.game < SAVING
        else min(situation.credits, int(max(situation.accounts) > 0))
    )


def saver_answer(situation: Situation, rng: Rng) -> int:  # noqa: ARG001
    if situation.game < SAVING:
        return DEPOSIT
    return WITHDRAW if situation.accounts[situation.bank] else GUNCHECK


# The snitch looks for crossers where somebody else has three times what wages explain, at the least stake.


def snitch_stake(situation: Situation, rng: Rng) -> int:  # noqa: ARG001
    return min(1, situation.credits)


def snitch_answer(situation: Situation, rng: Rng) -> int:  # noqa: ARG001
    honest = 3 * SALARY * (situation.game + 1)
    return FINGER if situation.most > max(honest, situation.credits) else GUNCHECK


# The turncoat steals from everybody else, at the least stake; once fired for it, it lies low until there is
# a job.


def turncoat_stake(situation: Situation, rng: Rng) -> int:  # noqa: ARG001
    return min(situation.credits, int(situation.employed))


def turncoat_answer(situation: Situation, rng: Rng) -> int:  # noqa: ARG001
    return DOUBLE_CROSS


# The climber changes jobs while it pays: a raise of 5% takes 20 games without wages, so 400 must follow.


def climber_stake(situation: Situation, rng: Rng) -> int:  # noqa: ARG001
    return min(situation.credits, int(situation.employed and situation.game < 600))


def climber_answer(situation: Situation, rng: Rng) -> int:  # noqa: ARG001
    return CHANGE_JOBS


# The guardsman bribes guards with up to half of the salary, and stakes the other half where they make it
# worth it.


def guardsman_stake(situation: Situation, rng: Rng) -> int:  # noqa: ARG001
    return min(situation.credits, situation.salary // 2 if _share(situation) > 0 else 1)


def guardsman_answer(situation: Situation, rng: Rng) -> int:  # noqa: ARG001
    return GUARD if lack(situation) > LACK * left_by(situation.salary // 2) else GUNCHECK


# The spy spends every salary on intel for 600 games, then stakes what the odds have become worth.

SPYING = 600  # games


def spy_stake(situation: Situation, rng: Rng) -> int:  # noqa: ARG001
    if situation.game < SPYING:
        return min(situation.credits, situation.salary)
    return portion(situation.credits, _share(situation))


def spy_answer(situation: Situation, rng: Rng) -> int:  # noqa: ARG001
    return INTEL if situation.game < SPYING else GUNCHECK


# The gambler goes all in, every time that somebody is richer.


def gambler_stake(situation: Situation, rng: Rng) -> int:  # noqa: ARG001
    return min(situation.credits, int(situation.rank > 1))


def gambler_answer(situation: Situation, rng: Rng) -> int:  # noqa: ARG001
    return ALL_IN


def _share(situation: Situation) -> float:
    bank = ahead(situation)
    return growing(situation.chances[bank] * COMMITTED, situation.odds[bank])


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
