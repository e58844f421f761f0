"""Worked settlements of heists, which the program's own rules have settled with given draws."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from chatbot.games.heist.contest.crowd import RabbleArrays
from chatbot.games.heist.contest.situation import ANSWERS, BANKS
from chatbot.games.heist.contest.tournament import Rival, settle
from chatbot.games.heist.rules.arithmetic import ODDS_UNIT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.games.heist.contest.luck import Luck


@dataclass(frozen=True, slots=True)
class Contestant:
    """Somebody before a game."""

    name: str
    stake: int
    answer: str
    draw: float  # of round 2; of somebody who backs out: none
    credits: int = 240
    account: int = 0  # at the bank that is robbed
    guards: int = 0  # of that bank
    looks: tuple[float, ...] = ()  # the eight draws of a snitch


@dataclass(frozen=True, slots=True)
class Settlement:
    """A game whose draws are given."""

    title: str
    text: str
    crew: Sequence[Contestant]  # in the order of joining
    rabble: Sequence[float] = ()  # those of the rabble, who all stake 69 and stay: their draws of success
    paydays: Sequence[float] = field(default=())  # draws of jobs and of guards who leave, in their order


SETTLEMENTS = (
    Settlement(
        "Success and failure, and somebody who backs out",
        "Two of three heisters go in, so each succeeds with two thirds of the own probability, 0.36. A wins"
        " 100 + floor(0.8 × 100) = 180. C gets the stake back, and no salary.",
        (
            Contestant("A", 100, "!guncheck", 0.30),
            Contestant("B", 100, "!guncheck", 0.40),
            Contestant("C", 50, "back out", 0.0),
        ),
    ),
    Settlement(
        "All in",
        "A ends with floor(0.8 × (240 + 240)) = 384 and B with nothing; neither is paid a salary. C wins 69 +"
        " floor(55.2) = 124.",
        (
            Contestant("A", 5, "all in", 0.53),
            Contestant("B", 240, "all in", 0.54),
            Contestant("C", 69, "!guncheck", 0.5399),
        ),
    ),
    Settlement(
        "Intel, deposit, withdraw, guards and a change of jobs",
        "A's winnings of 124 raise the odds by 0.00124. B's 180 go to the account, whose interest of 0.14 % is"
        " rounded down to 0. C wins 18 and takes the account of 10,000 along. D's guard raises the probability to"
        " 0.54 + 0.01 × 0.46 although D fails, and takes 1 credit at the payday. E leaves the job, and the draw"
        " of 0.5 brings no other.",
        (
            Contestant("A", 69, "acquire intel", 0.1),
            Contestant("B", 100, "deposit", 0.1),
            Contestant("C", 10, "withdraw", 0.1, account=10_000),
            Contestant("D", 40, "buy guard", 0.9),
            Contestant("E", 69, "change jobs", 0.1),
        ),
        paydays=(0.5,),
    ),
    Settlement(
        "A double cross of one",
        "S is 2 and D is 1, so it succeeds. B's winnings of 180 and the 124 of the one of the rabble who"
        " succeeds are the loot, 304. A's own draw fails and does not matter for the share.",
        (
            Contestant("A", 1, "double cross", 0.99),
            Contestant("B", 100, "!guncheck", 0.2),
        ),
        rabble=(0.1, 0.9),
    ),
    Settlement(
        "A double cross of one who is identified",
        "B looks at A by the first draw, floor(0.1 × 3) = 0, and at nobody new by the others. A pays floor(339 /"
        " 4) = 84 at once, is fired, has the salary halved, and 0.05 less probability here. The double cross succeeds:"
        " the loot of 90 + 180 is taken, and A's share of it goes back in proportion, so B has 90 and C 180 again."
        " A keeps no winnings; the draw of 0.5 brings no job.",
        (
            Contestant("A", 1, "double cross", 0.2, credits=340),
            Contestant("B", 50, "finger", 0.2, looks=(0.1, *(0.5,) * 7)),
            Contestant("C", 100, "!guncheck", 0.2),
        ),
        paydays=(0.5,),
    ),
    Settlement(
        "A snitch who names nobody",
        "B's winnings are 124: half of them, 62, is forfeited, the salary falls by floor(240 / 20) = 12, and the"
        " odds here by 0.05. Nobody crosses, so the 62 are split equally among the four who went in, B and both of"
        " the rabble too: 15 each, and 2 vanish.",
        (
            Contestant("A", 100, "!guncheck", 0.9),
            Contestant("B", 69, "finger", 0.2, looks=(0.3,) * 8),
        ),
        rabble=(0.9, 0.9),
    ),
    Settlement(
        "A conspiracy that is too large",
        "D is 2 and S is 4, so at most floor(4 / 10) = 0 crossers would succeed. Both are fired and have the salary"
        " halved; B's winnings of 180 and what E forfeits, floor(18 / 2) = 9, are split equally among C, E and"
        " the one of the rabble: 63 each. The first draw brings A a job at 120 + floor(120 / 20) = 126, which"
        " is paid at once; B has none.",
        (
            Contestant("A", 100, "double cross", 0.9),
            Contestant("B", 100, "double cross", 0.2),
            Contestant("C", 100, "!guncheck", 0.9),
            Contestant("E", 10, "finger", 0.2, looks=(0.6,) * 8),
        ),
        rabble=(0.9,),
        paydays=(0.04, 0.05),
    ),
    Settlement(
        "Guards who are not paid",
        "A loses all, has no salary to be paid from after the change of jobs, and so pays no guard. Three guards leave"
        " by the draws 0.9, 0.5 and 0.1, each by floor(draw × guards left) among those in the order of the banks; here"
        " all are of one bank. The first draw of 0.5 brings no job.",
        (Contestant("A", 240, "change jobs", 0.99, guards=3),),
        paydays=(0.5, 0.9, 0.5, 0.1),
    ),
    Settlement(
        "A bank that is reached by credits",
        "The index is 1 + floor(2,000,000 / 100,000) = 21, so City is robbed. A wins 2,000,000 + floor(1.1 × 2,000,000).",
        (Contestant("A", 2_000_000, "!guncheck", 0.48, credits=2_000_001),),
    ),
)


class Draws:
    """Stands for `Luck`, and gives the draws that were written down."""

    def __init__(self, draws: Sequence[float]) -> None:
        self._draws = deque(draws)

    def comers(self, count: int) -> Any:
        return np.arange(count)

    order = comers

    def uniforms(self, count: int) -> Any:
        return np.array([self._draws.popleft() for _ in range(count)])

    def uniform(self) -> float:
        return self._draws.popleft()

    def sample(self, posts: Sequence[int], count: int) -> list[int]:
        """Draw without replacement, as `Rng.sample`."""
        left = list(posts)
        for place in range(count):
            other = place + int(self._draws.popleft() * (len(left) - place))
            left[place], left[other] = left[other], left[place]
        return left[:count]

    @property
    def is_used_up(self) -> bool:
        return not self._draws


def settled(settlement: Settlement) -> tuple[int, Sequence[Rival], Sequence[int]]:
    """Settle a game; return the bank, the contestants and the credits of the rabble after it."""
    crowd, draws = RabbleArrays(len(settlement.rabble), BANKS), Draws(list(_draws(settlement)))
    luck = cast("Luck", draws)
    crew = [_rival(number, each) for number, each in enumerate(settlement.crew)]
    size = crowd.gather(luck)
    crowd.get_ready(luck)
    for each in crew:
        crowd.join(each.stake)
    crowd.stake_until(size)
    for each, contestant in zip(crew, settlement.crew, strict=True):
        each.put_by(crowd.bank, contestant.account)
        for _ in range(contestant.guards):
            each.buy_guard(crowd.bank)
    others = crowd.line_up(luck)
    crowd.get_nervous(luck)
    crowd.fled = sum(each.answer == "back out" for each in settlement.crew)
    crowd.flee_until(others, len(crew))
    settle(crew, crowd, luck)
    for each in crew:
        each.end_game(luck)
    assert draws.is_used_up, settlement.title  # noqa: S101
    return crowd.bank, crew, crowd.purses.tolist()


def page_of(settlement: Settlement, number: int) -> Iterator[str]:
    """Yield the lines of a settlement: who plays with which draws, and what everybody has after it."""
    bank, crew, purses = settled(settlement)
    yield f"### {number}. {settlement.title}"
    yield ""
    yield settlement.text
    yield ""
    yield "| joins | credits | account | guards | stake | answer | draw | looks |"
    yield "| --- | --: | --: | --: | --: | --- | --: | --- |"
    for each in settlement.crew:
        draw = "" if each.answer == "back out" else f"{each.draw:g}"
        looks = " ".join(f"{look:g}" for look in each.looks)
        yield (
            f"| {each.name} | {each.credits} | {each.account} | {each.guards} | {each.stake} | `{each.answer}` |"
            f" {draw} | {looks} |"
        )
    for draw_of_rabble in settlement.rabble:
        yield f"| rabble | 240 | | | 69 | | {draw_of_rabble:g} | |"
    yield ""
    if settlement.paydays:
        yield f"Draws at the payday: {' '.join(f'{each:g}' for each in settlement.paydays)}."
        yield ""
    yield f"| after, bank {bank} | credits | salary | job | account | guards | probability | odds |"
    yield "| --- | --: | --: | --- | --: | --: | --: | --: |"
    for contestant, rival in zip(settlement.crew, crew, strict=True):
        yield (
            f"| {contestant.name} | {rival.credits} | {rival.salary} | {'yes' if rival.employed else 'no'} |"
            f" {rival.accounts[bank]} | {rival.guards[bank]} | {rival.chances[bank]!r} |"
            f" {rival.odds[bank] / ODDS_UNIT!r} |"
        )
    for purse in purses:
        yield f"| rabble | {purse} | | | | | | |"
    yield ""


def _draws(settlement: Settlement) -> Iterator[float]:
    """Yield the draws of a game in their order."""
    yield from (0.0 for _ in settlement.rabble)  # all stake
    yield from (0.99 for _ in settlement.rabble)  # all stay
    yield from (each.draw for each in settlement.crew if each.answer != "back out")
    yield from settlement.rabble
    for each in settlement.crew:
        yield from each.looks
    yield from settlement.paydays


def _rival(number: int, contestant: Contestant) -> Rival:
    rival = Rival(number, cast("Any", None), cast("Any", None), BANKS)
    rival.credits, rival.stake, rival.act = contestant.credits, contestant.stake, ANSWERS[contestant.answer]
    return rival
