"""A referee of the heist's contest, written from `docs/program/contest-heist.md` alone.

It imports nothing of the program. What it needs to know is on that page; where it is not, the page is wrong.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FROM_INDEX = [0, 20, 40, 60, 80]
PROBABILITY = [0.54, 0.488, 0.425, 0.387, 0.324]
ODDS = [80_000, 110_000, 130_000, 165_000, 195_000]
ODDS_ONE = 100_000
RABBLE_STAKES = [69, 420, 6969, 80085]
ANSWERS = {
    "!guncheck", "back out", "all in", "change jobs", "acquire intel", "buy guard", "deposit", "withdraw",
    "double cross", "finger",
}  # fmt: skip

Asked = dict[str, Any]  # what a contestant is told


@dataclass
class Someone:
    """A contestant."""

    number: int
    credits: int = 240
    salary: int = 240
    job: bool = True
    accounts: list[int] = field(default_factory=lambda: [0] * 5)
    guards: list[int] = field(default_factory=lambda: [0] * 5)
    probabilities: list[float] = field(default_factory=lambda: list(PROBABILITY))
    odds: list[int] = field(default_factory=lambda: list(ODDS))
    stake: int = 0
    answer: str = ""
    winnings: int = 0
    identified: bool = False

    def lose_job(self) -> None:
        self.job = False
        self.salary //= 2


@dataclass
class Follower:
    """One of the rabble in a game."""

    number: int
    stake: int = 0
    back_out: bool = False
    winnings: int = 0
    share: int = 0


@dataclass(frozen=True)
class Record:
    """What happened in a game."""

    players: int
    stakes: list[tuple[int, int]]  # contestant and stake, in the order of turns
    answers: list[tuple[int, str]]
    credits: list[int]


class Draws:
    def __init__(self, text: str) -> None:
        key = int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
        self._generator = np.random.Generator(np.random.PCG64(key))

    def one(self) -> float:
        return float(self._generator.random())

    def several(self, count: int) -> list[float]:
        return [self.one() for _ in range(count)]

    def place(self, count: int) -> int:
        return int(self.one() * count)

    def places(self, newcomers: int, everybody: int) -> dict[int, int]:
        """Draw the places of newcomers in a row of everybody: the newcomer, by place."""
        wanted = [self.place(everybody) for _ in range(newcomers)]
        if len(set(wanted)) == newcomers:
            return {place: newcomer for newcomer, place in enumerate(wanted)}
        final: dict[int, int] = {}
        for newcomer, place in enumerate(wanted):
            free = place
            while free in final:
                free = self.place(everybody)
            final[free] = newcomer
        return final


def compared(draw: float) -> int:
    """Return the 64 bits of a double without the last ten."""
    return int(np.float64(draw).view(np.uint64)) >> 10


def rising(draws: Sequence[float]) -> list[int]:
    """Return the places of draws as they rise, equal ones in their order."""
    few = len(draws) <= 1024
    return sorted(range(len(draws)), key=lambda at: compared(draws[at]) if few else draws[at])


def won(stake: int, odds: int) -> int:
    return stake + odds * stake // ODDS_ONE


def bank_of(heisters: int, staked: int) -> int:
    index = heisters + staked // 100_000
    return sum(index >= each for each in FROM_INDEX) - 1


class RulebookReferee:
    def __init__(self, strategies: Sequence[Callable[[Asked], Any]], rabble: int, seed: str) -> None:
        self.strategies = strategies
        self.people = [Someone(number) for number in range(len(strategies))]
        self.rabble = [240] * rabble
        self.draws = Draws(seed)
        self.number = 0

    def play(self) -> Record:
        """Play the next game."""
        balances = [each.credits for each in self.people]
        mean = sum(balances) / len(balances)
        self.common = {
            "game": self.number,
            "mean": mean,
            "most": max(balances),
        }
        self.ranks = [1 + sum(other > each for other in balances) for each in balances]
        followers = self._who_comes()
        stakes, bank = self._round_1(followers)
        joined = [self.people[number] for number, stake in stakes if stake > 0]
        players = len(self.people) + len(followers)
        answers = self._round_2(joined, followers, bank, players)
        self._settle(joined, followers, bank)
        for someone in self.people:
            self._payday(someone)
        self.number += 1
        return Record(players, stakes, answers, [each.credits for each in self.people])

    def _who_comes(self) -> list[Follower]:
        size = len(self.rabble)
        *draws, door = self.draws.several(size + 1)
        short = size <= 1024
        inside = [
            at for at in range(size) if (compared(draws[at]) < compared(door) if short else draws[at] < door)
        ]
        inside.sort(key=lambda at: compared(draws[at]) if short else draws[at])
        return [Follower(at) for at in inside]

    def _ask(self, someone: Someone, **more: object) -> Any:
        return self.strategies[someone.number](
            {
                **self.common,
                "rank": self.ranks[someone.number],
                "credits": someone.credits,
                "stake": someone.stake,
                "salary": someone.salary,
                "employed": someone.job,
                "accounts": tuple(someone.accounts),
                "chances": tuple(someone.probabilities),
                "odds": tuple(someone.odds),
                **more,
            }
        )

    def _round_1(self, followers: Sequence[Follower]) -> tuple[list[tuple[int, int]], int]:
        everybody = len(self.people) + len(followers)
        at = self.draws.places(len(self.people), everybody)
        whims = iter(self.draws.several(len(followers)))
        others = iter(followers)
        stakes: list[tuple[int, int]] = []
        heisters = staked = 0
        for turn in range(everybody):
            bank = bank_of(heisters, staked)
            if turn in at:
                someone = self.people[at[turn]]
                answer = self._ask(
                    someone, round=1, players=everybody, acted=turn, heisters=heisters, staked=staked,
                    committed=0, bank=bank,
                )  # fmt: skip
                stake = min(answer, someone.credits) if isinstance(answer, int) and answer > 0 else 0
                someone.stake = stake
                stakes.append((someone.number, stake))
            else:
                follower = next(others)
                stake = 0
                if next(whims) < PROBABILITY[bank]:
                    stake = max(each for each in RABBLE_STAKES if each <= self.rabble[follower.number])
                follower.stake = stake
            heisters += stake > 0
            staked += stake
        return stakes, bank_of(heisters, staked)

    def _round_2(
        self, joined: Sequence[Someone], followers: Sequence[Follower], bank: int, players: int
    ) -> list[tuple[int, str]]:
        staking = [each for each in followers if each.stake > 0]
        order = iter([staking[at] for at in rising(self.draws.several(len(staking)))])
        everybody = len(joined) + len(staking)
        at = self.draws.places(len(joined), everybody)
        nerves = iter(self.draws.several(len(staking)))
        staked = sum(each.stake for each in joined) + sum(each.stake for each in staking)
        answers: list[tuple[int, str]] = []
        backed_out = 0
        for turn in range(everybody):
            if turn in at:
                someone = joined[at[turn]]
                answer = self._ask(
                    someone, round=2, players=players, acted=turn, heisters=everybody, staked=staked,
                    committed=turn - backed_out, bank=bank,
                )  # fmt: skip
                word = answer.strip().lower() if isinstance(answer, str) else ""
                someone.answer = word if word in ANSWERS else "!guncheck"
                answers.append((someone.number, someone.answer))
                backed_out += someone.answer == "back out"
            else:
                follower = next(order)
                follower.back_out = next(nerves) < 0.05 + 0.5 * (backed_out / turn if turn else 0)
                backed_out += follower.back_out
        return answers

    def _settle(self, joined: Sequence[Someone], followers: Sequence[Follower], bank: int) -> None:
        committed = [each for each in joined if each.answer != "back out"]
        going = [each for each in followers if each.stake > 0 and not each.back_out]
        heisters = len(joined) + sum(each.stake > 0 for each in followers)
        courage = (len(committed) + len(going)) / heisters if heisters else 1.0
        for someone in committed:
            self._dice(someone, bank, courage)
        for follower in going:
            if self.draws.one() < PROBABILITY[bank] * courage:
                follower.winnings = won(follower.stake, ODDS[bank])
        forfeits = 0
        for someone in committed:
            if someone.answer == "finger" and someone.winnings > 0:
                forfeits += self._finger(someone, committed, bank)
        self._cross(committed, going, forfeits)
        for follower in followers:
            if not follower.back_out:
                gains = follower.winnings + follower.share - follower.stake
                self.rabble[follower.number] += 240 + gains

    def _dice(self, someone: Someone, bank: int, courage: float) -> None:
        draw = self.draws.one()
        own = someone.probabilities[bank]
        if someone.answer == "all in":
            lucky = draw < own
            someone.credits = someone.odds[bank] * (someone.credits + 240) // ODDS_ONE if lucky else 0
            return
        someone.credits -= someone.stake
        lucky = draw < own * courage
        if someone.answer == "buy guard":
            someone.probabilities[bank] = min(own + 0.01 * (1 - own), 1.0)
            someone.guards[bank] += 1
        if someone.answer == "change jobs":
            someone.job = False
        if not lucky:
            return
        winnings = won(someone.stake, someone.odds[bank])
        if someone.answer == "acquire intel":
            someone.odds[bank] += winnings
        elif someone.answer == "deposit":
            someone.accounts[bank] += winnings
        else:
            someone.winnings = winnings
            if someone.answer == "withdraw":
                someone.winnings += someone.accounts[bank]
                someone.accounts[bank] = 0

    def _finger(self, snitch: Someone, committed: Sequence[Someone], bank: int) -> int:
        looks = [self.draws.place(len(committed)) for _ in range(8)]
        success = False
        for look in looks:
            other = committed[look]
            if other.answer == "double cross" and not other.identified:
                success = other.identified = True
                amount = other.credits // 4
                other.credits -= amount
                snitch.credits += amount
                other.lose_job()
                other.probabilities[bank] = max(other.probabilities[bank] - 0.05, 0.0)
        if success:
            return 0
        forfeit = snitch.winnings // 2
        snitch.winnings -= forfeit
        snitch.salary -= snitch.salary // 20
        snitch.odds[bank] = max(snitch.odds[bank] - 5000, 0)
        return forfeit

    def _cross(self, committed: Sequence[Someone], going: Sequence[Follower], forfeits: int) -> None:
        crossers = [each for each in committed if each.answer == "double cross"]
        regulars = [each for each in committed if each.answer not in {"double cross", "all in"}]
        takers: list[Someone | Follower] = [*regulars, *going]
        count = len(crossers)
        if count == 1 or 1 <= count <= len(committed) // 10:
            former = [each.winnings for each in takers]
            loot = sum(former)
            share = (loot + forfeits) // count
            pool = 0
            for crosser in crossers:
                if crosser.identified:
                    pool += share
                    crosser.winnings = 0
                else:
                    crosser.credits += share
            for taker, part in zip(takers, former, strict=True):
                taker.winnings = pool * part // loot if loot else 0
            return
        total = forfeits
        for crosser in crossers:
            total += crosser.winnings
            crosser.winnings = 0
            if not crosser.identified:
                crosser.lose_job()
        each_gets = total // len(takers) if takers else 0
        for taker in takers:
            if isinstance(taker, Someone):
                taker.credits += each_gets
            else:
                taker.share = each_gets

    def _payday(self, someone: Someone) -> None:
        someone.credits += someone.winnings
        someone.accounts = [each + 14 * each // 10_000 for each in someone.accounts]
        if not someone.job and self.draws.one() < 0.05:
            someone.job = True
            someone.salary += someone.salary // 20
        if someone.job and someone.answer not in {"back out", "all in"}:
            someone.credits += someone.salary
        posts = [bank for bank, count in enumerate(someone.guards) for _ in range(count)]
        payment = min(len(posts), someone.credits)
        someone.credits -= payment
        for first in range(len(posts) - payment):
            at = first + self.draws.place(len(posts) - first)
            posts[first], posts[at] = posts[at], posts[first]
            bank = posts[first]
            someone.guards[bank] -= 1
            someone.probabilities[bank] = max((someone.probabilities[bank] - 0.01) / 0.99, 0.0)
        someone.stake = someone.winnings = 0
        someone.answer, someone.identified = "", False
