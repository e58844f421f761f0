"""A straightforward implementation of the heist's contest, with which the arena's speed is compared.

It uses nothing of the program: only the rules, and the first ten built-in players as plain functions.
All random numbers come from `dice`, so that both can be given the same draws.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

LEVELS, CHANCES = (0, 20, 40, 60, 80), (0.54, 0.488, 0.425, 0.387, 0.324)
ODDS = (80_000, 110_000, 130_000, 165_000, 195_000)
UNIT = 100_000  # odds are counted in 0.00001
STAKES = (80085, 6969, 420, 69)
SALARY = LOAN = 240
Situation: TypeAlias = dict[str, Any]  # what a player is situation: numbers, lists and flags, by name


class Game(NamedTuple):
    bets: list[tuple[int, int]]  # player and stake, in the order of turns
    answers: list[tuple[int, str]]
    credits: list[int]  # of each player, at the end


class Dice(random.Random):
    def comers(self, count: int) -> list[int]:
        """Draw which of the rabble play, in the order of their turns."""
        return self.sample(range(count), self.randint(0, count))

    def order(self, count: int) -> list[int]:
        return self.sample(range(count), count)

    def row(self, players: int, others: int) -> list[int | None]:
        """Draw an order of turns: the number of a player, or None for one of the others."""
        row = [*range(players), *[None] * others]
        self.shuffle(row)
        return row


@dataclass
class Player:
    strategy: Callable[[Situation], Any]
    credits: int = SALARY
    salary: int = SALARY
    employed: bool = True
    accounts: list[int] = field(default_factory=lambda: [0] * 5)
    guards: list[int] = field(default_factory=lambda: [0] * 5)
    chances: list[float] = field(default_factory=lambda: [*CHANCES])
    odds: list[int] = field(default_factory=lambda: [*ODDS])
    stake: int = 0
    answer: str = ""
    won: int = 0
    seen: bool = False  # named by a snitch in this game


def bank_at(heisters: int, staked: int) -> int:
    index = heisters + staked // 100_000
    return max(number for number, level in enumerate(LEVELS) if level <= index)


class Plain:
    def __init__(self, strategies: Sequence[Callable[[Situation], Any]], rabble: int, dice: Any) -> None:
        self.players = [Player(each) for each in strategies]
        self.rabble = [SALARY] * rabble
        self.dice = dice

    def play(self, games: int) -> Iterator[Game]:
        for number in range(games):
            yield self.game(number)

    def game(self, number: int) -> Game:
        purses = [each.credits for each in self.players]
        mean = sum(purses) / len(purses)
        self.stats = {"game": number, "mean": mean, "most": max(purses)}
        self.stats["deviation"] = sum(abs(each - mean) for each in purses) / len(purses)
        self.ranks = [1 + sum(other > each for other in purses) for each in purses]
        comers = self.dice.comers(len(self.rabble))
        bets, crew, gang, bank = self.round1(comers)
        answers, stayed = self.round2(crew, gang, bank, sum(stake for _, stake in bets), len(comers))
        pays = self.settle([self.players[who] for who in crew], gang, stayed, bank)
        for place in comers:
            self.rabble[place] += pays.get(place, SALARY)
        for each in self.players:
            self.payday(each)
        return Game(bets, answers, [each.credits for each in self.players])

    def round1(self, comers: list[int]) -> tuple[list[tuple[int, int]], list[int], dict[int, int], int]:
        """Return the bets, the players and the rabble with a stake, and the bank."""
        bets, crew, gang = list[tuple[int, int]](), list[int](), dict[int, int]()
        heisters = staked = bank = 0
        places = iter(comers)
        for turn, who in enumerate(self.dice.row(len(self.players), len(comers))):
            stake = 0
            if who is not None:
                situation = self.situation(who, 1, len(comers), turn, heisters, staked, 0, bank)
                stake = max(0, min(self.players[who].strategy(situation), self.players[who].credits))
                self.players[who].stake = stake
                bets.append((who, stake))
                crew += [who] if stake else []
            else:
                place = next(places)
                if self.dice.random() < CHANCES[bank]:
                    stake = gang[place] = next(each for each in STAKES if each <= self.rabble[place])
            if stake:
                heisters, staked = heisters + 1, staked + stake
                bank = bank_at(heisters, staked)
        return bets, crew, gang, bank

    def round2(
        self, crew: list[int], gang: dict[int, int], bank: int, bet: int, comers: int
    ) -> tuple[list[tuple[int, str]], set[int]]:
        heisters, staked = len(crew) + len(gang), bet + sum(gang.values())
        places, answers, stayed, committed = [*gang], list[tuple[int, str]](), set[int](), 0
        order = iter(self.dice.order(len(gang)))
        for turn, place_in_crew in enumerate(self.dice.row(len(crew), len(gang))):
            if place_in_crew is None:
                place = places[next(order)]
                fear = 0.05 + 0.5 * ((turn - committed) / turn if turn else 0)
                if self.dice.random() >= fear:
                    stayed.add(place)
                    committed += 1
            else:
                who = crew[place_in_crew]
                situation = self.situation(who, 2, comers, turn, heisters, staked, committed, bank)
                self.players[who].answer = answer = self.players[who].strategy(situation)
                answers.append((who, answer))
                committed += answer != "back out"
        return answers, stayed

    def situation(self, who: int, turn: int, comers: int, acted: int, *others: int) -> Situation:
        heisters, staked, committed, bank = others
        me = self.players[who]
        return self.stats | {
            "round": turn, "players": len(self.players) + comers, "acted": acted, "heisters": heisters,
            "staked": staked, "committed": committed, "bank": bank, "credits": me.credits, "stake": me.stake,
            "salary": me.salary, "employed": me.employed, "rank": self.ranks[who], "accounts": me.accounts,
            "chances": me.chances, "odds": me.odds,
        }  # fmt: skip

    def settle(self, crew: list[Player], gang: dict[int, int], stayed: set[int], bank: int) -> dict[int, int]:
        """Settle all but the payday; return the gains of the rabble with a stake, including the salary."""
        committed = [each for each in crew if each.answer != "back out"]
        heisters, going = len(crew) + len(gang), len(committed) + len(stayed)
        for each in committed:
            self.go(each, bank, going / heisters)
        chance, odds = CHANCES[bank], ODDS[bank]
        loot = {place: 0 for place in gang if place in stayed}
        for place in loot:
            if self.dice.random() < chance * going / heisters:
                loot[place] = gang[place] + gang[place] * odds // UNIT
        snitches = [each for each in committed if each.answer == "finger" and each.won]
        forfeits = sum([self.finger(each, committed, bank) for each in snitches])
        share = self.divide(committed, loot, forfeits)
        pays = dict.fromkeys(gang, 0)
        for place, winnings in loot.items():
            pays[place] = winnings + share + SALARY - gang[place]
        return pays

    def go(self, me: Player, bank: int, share: float) -> None:
        if me.answer == "all in":
            lucky = self.dice.random() < me.chances[bank]
            me.credits = (me.credits + LOAN) * me.odds[bank] // UNIT if lucky else 0
            return
        me.credits -= me.stake
        success = self.dice.random() < me.chances[bank] * share
        if me.answer == "buy guard":
            me.chances[bank] = min(1.0, me.chances[bank] + 0.01 * (1 - me.chances[bank]))
            me.guards[bank] += 1
        elif me.answer == "change jobs":
            me.employed = False
        if not success:
            return
        winnings = me.stake + me.stake * me.odds[bank] // UNIT
        if me.answer == "acquire intel":
            me.odds[bank] += winnings
        elif me.answer == "deposit":
            me.accounts[bank] += winnings
        elif me.answer == "withdraw":
            me.won, me.accounts[bank] = winnings + me.accounts[bank], 0
        else:
            me.won = winnings

    def finger(self, me: Player, committed: list[Player], bank: int) -> int:
        caught_any = False
        for _ in range(8):
            target = committed[int(self.dice.random() * len(committed))]
            if target.answer == "double cross" and not target.seen:
                target.seen = caught_any = True
                fine = target.credits // 4
                target.credits, me.credits = target.credits - fine, me.credits + fine
                target.employed, target.salary = False, target.salary // 2
                target.chances[bank] = max(0.0, target.chances[bank] - 0.05)
        if caught_any:
            return 0
        forfeit = me.won // 2
        me.won -= forfeit
        me.salary -= me.salary // 20
        me.odds[bank] = max(0, me.odds[bank] - UNIT // 20)
        return forfeit

    def divide(self, committed: list[Player], loot: dict[int, int], forfeits: int) -> int:
        """Let crossers take what they can; return the share of each regular of the rabble in a split."""
        crossers = [each for each in committed if each.answer == "double cross"]
        regulars = [each for each in committed if each.answer not in ("double cross", "all in")]
        pool = forfeits
        if crossers and (len(crossers) == 1 or len(crossers) <= len(committed) // 10):
            loss = sum(loot.values()) + sum(each.won for each in regulars)
            share, pool = (loss + forfeits) // len(crossers), 0
            for each in crossers:
                if each.seen:
                    each.won, pool = 0, pool + share
                else:
                    each.credits += share
            loot.update({place: pool * winnings // (loss or 1) for place, winnings in loot.items()})
            for each in regulars:
                each.won = pool * each.won // (loss or 1)
            return 0
        if crossers:
            pool += sum(each.won for each in crossers)
            for each in crossers:
                each.won = 0
                if not each.seen:
                    each.employed, each.salary = False, each.salary // 2
        receivers = len(regulars) + len(loot)
        share = pool // receivers if receivers else 0
        for each in regulars:
            each.credits += share
        return share

    def payday(self, me: Player) -> None:
        me.credits += me.won
        me.accounts = [each + each * 14 // 10_000 for each in me.accounts]
        if not me.employed and self.dice.random() < 0.05:
            me.employed, me.salary = True, me.salary + me.salary // 20
        if me.employed and me.answer not in ("back out", "all in"):
            me.credits += me.salary
        posts = [bank for bank, count in enumerate(me.guards) for _ in range(count)]
        paid_posts = min(len(posts), me.credits)
        me.credits -= paid_posts
        for bank in self.dice.sample(posts, len(posts) - paid_posts) if paid_posts < len(posts) else ():
            me.guards[bank] -= 1
            me.chances[bank] = max(0.0, (me.chances[bank] - 0.01) / 0.99)
        me.stake, me.answer, me.won, me.seen = 0, "", 0, False
