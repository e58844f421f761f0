"""Players of the house in a chat: `(view, menu, rng) -> action | None`, the contest's own among them.

A contestant is told the situation of its contest, made here of what its seat sees of the table.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chatbot.games.heist.contest.contestants import CONTESTANTS
from chatbot.games.heist.contest.situation import ACTING, STAKING, Situation, standing
from chatbot.games.heist.rules.moves import Act, Answer, Join

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.games.heist.rules.moves import Action
    from chatbot.games.heist.rules.states import Own, View
    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng

USUAL_GAMES = 1000  # of the contest that the strategies are made for

_TEMPERS = (
    (Act.GUNCHECK,) * 9
    + (Act.BACK_OUT, Act.DEPOSIT, Act.DEPOSIT, Act.INTEL, Act.GUARD, Act.WITHDRAW)
    + (Act.CHANGE_JOBS, Act.DOUBLE_CROSS, Act.FINGER, Act.FINGER, Act.ALL_IN)
)


def villager(view: View, menu: Sequence[Action], rng: Rng) -> Join | Answer | None:
    """Play as people in a chat do: small stakes mostly, sticking mostly, now and then a scheme."""
    joins = _joins(menu)
    if joins:
        return joins[0] if rng.chance(0.8) else rng.choice(joins)
    if view.own is None or not _asks(menu):
        return None
    return _possible(Answer(view.own.seat, rng.choice(_TEMPERS)), menu)


def adapted(contestant: Strategy, view: View, menu: Sequence[Action], rng: Rng) -> Join | Answer | None:
    """Let a contestant play at a table of the chat.

    Its stake becomes the largest on offer that is no larger, or else the least one, so that the limits of
    the room are kept; 0 stays out. Anything but an answer that is possible sticks.
    """
    if view.own is None or not (_joins(menu) or _asks(menu)):
        return None
    contest_situation = situation(view, view.own, rng.below(USUAL_GAMES))
    if contest_situation.round == STAKING:
        return _nearest(
            _joins(menu), contestant(contest_situation, range(contest_situation.credits + 1), rng)
        )
    act = contestant(contest_situation, tuple(Act), rng)
    return _possible(Answer(view.own.seat, act if isinstance(act, Act) else Act.GUNCHECK), menu)


def situation(view: View, own: Own, game: int) -> Situation:
    """Tell what a seat sees as the contest would.

    A chat's heists have no number and no end: `game` stands for any of the contest's. Of the rabble to
    come the half is expected. Nobody sees who backs out, so whoever has answered counts as committed.
    Nor does anybody see others' credits: whoever else is in the crew is taken to hold as much as oneself,
    and the stake besides.
    """
    lobby, numbers, wealth = view.phase == "lobby", range(len(view.banks)), own.credits + own.stake
    answers = sum(each.answered for each in view.crew)
    others = [wealth + each.stake for each in view.crew if each.seat != own.seat]
    mean, deviation, most = standing([wealth, *others])
    return Situation(
        game=game,
        round=STAKING if lobby else ACTING,
        players=view.players + view.to_come // 2,
        acted=len(view.crew) if lobby else answers,
        heisters=view.heisters,
        staked=view.staked,
        committed=0 if lobby else answers,
        bank=view.bank or 0,
        credits=wealth,
        stake=own.stake,
        salary=own.career.salary,
        employed=own.career.employed,
        rank=1 + len(others),
        mean=mean,
        deviation=deviation,
        most=most,
        accounts=own.career.accounts,
        chances=tuple(own.career.chance_at(number, view.banks) for number in numbers),
        odds=tuple(own.career.odds_at(number, view.banks) for number in numbers),
    )


def _possible(answer: Answer, menu: Sequence[Action]) -> Answer:
    """Stick where the room's bounds leave no room for an answer."""
    return answer if answer in menu else Answer(answer.seat, Act.GUNCHECK)


def _asks(menu: Sequence[Action]) -> bool:
    """Whether there is a question of the getaway to answer."""
    return any(isinstance(each, Answer) for each in menu)


def _joins(menu: Sequence[Action]) -> list[Join]:
    return sorted((each for each in menu if isinstance(each, Join)), key=_credits)


def _nearest(joins: Sequence[Join], stake: object) -> Join | None:
    if not joins or not isinstance(stake, int) or stake < 1:
        return None
    return max((each for each in joins if each.credits <= stake), key=_credits, default=joins[0])


def _credits(join: Join) -> int:
    return join.credits


STRATEGIES: dict[str, Strategy] = {
    "villager": villager,
    **{name: partial(adapted, contestant) for name, contestant in CONTESTANTS.items()},
}
