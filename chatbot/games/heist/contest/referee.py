"""A tournament by the rules themselves, one turn at a time: plain, slow, and what the fast one is held to.

No command plays by it: the tests do, and compare each game with that of `tournament.py`.

The luck of a game is drawn in this order, and `tournament.py` draws the same: who of the rabble
comes, in the order of their turns; where the contestants stand between them; each of the
rabble's stakes; for round 2 the order of the rabble's heisters, the places of the other heisters
between them (numbered as they staked), and each of the rabble's nerves; who gets away, of those who
go in, in the order of staking; then what `rules.py` draws, where the contestants sit in the order of
their numbers. Strategies have streams of their own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from chatbot.games.heist.contest.luck import Luck
from chatbot.games.heist.contest.situation import ACTING, MOST, STAKING, Played, Situation, standing
from chatbot.games.heist.rules.arithmetic import SALARY, cold_feet
from chatbot.games.heist.rules.banks import Bank, bank_at
from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import Act, Answer, Fate, Join, Outcome
from chatbot.games.heist.rules.rabble import RABBLE, Rabbler, affordable
from chatbot.games.heist.rules.rules import Heist, Input
from chatbot.games.heist.rules.states import Company, Getaway, Over, State, Storming
from chatbot.kernel.game import Moment, Seat, Sit, Timeout, TransferParty

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.kernel.contest import Entrant


class Unbounded(Heist):
    """The rules at banks that pay whatever is won, as those of the contest do."""

    __slots__ = ()

    def banks_for(self, active: int) -> tuple[Bank, ...]:
        """Return the banks as `Heist` makes them, without an end to what they pay."""
        return tuple(replace(each, vault=None) for each in super().banks_for(active))


class Referee:
    """Keeps what lasts from game to game."""

    def __init__(self, entrants: Sequence[Entrant], rabble: int, seed: str) -> None:
        self._rules = Unbounded(rabble=rabble)
        self._strategies = [each.strategy for each in entrants]
        self._seats = [Seat(f"contestant:{number}") for number in range(len(entrants))]
        self._luck = Luck(seed)
        self._lucks = [Luck(f"{seed}/contestant {number}") for number in range(len(entrants))]
        self._purses: Counter[TransferParty] = Counter(dict.fromkeys(self._seats, SALARY))
        self._records: dict[Seat, object] = dict.fromkeys(self._seats, Career())
        self._state: State = self._rules.start()
        self._game = 0

    def play(self, games: int) -> Iterator[Played]:
        """Play so many games, or until somebody has come to hold more than can be told."""
        for self._game in range(games):
            yield self._play()
            if self._beyond():
                return

    def _play(self) -> Played:
        self._before = self._balances()  # what ranks and statistics are made of
        self._state = self._rules.start()
        for seat in (RABBLE, *self._seats):
            self._do(Sit(seat, self._records.get(seat)))
        places: list[int] = self._luck.comers(self._rules.rabble).tolist()
        bets = self._stake(places)
        answers = self._act()
        results = self._settle()
        return Played(self._game, len(self._seats) + len(places), bets, answers, results, self._balances())

    # Round 1

    def _stake(self, places: Sequence[int]) -> list[tuple[int, int]]:
        rabblers, bets = list[Rabbler](), list[tuple[int, int]]()
        heisters = staked = 0
        comers = iter(places)
        row = self._row(len(self._seats), len(places))
        for turn, who in enumerate(row):
            bank = bank_at(self._rules.banks, heisters, staked)
            if who is None:
                rabblers.append(self._rabbler(next(comers), bank))
                stake = rabblers[-1].stake
            else:
                situation = self._situation(who, STAKING, len(row), (turn, heisters, staked, 0), bank)
                stake = self._bet(who, situation)
                bets.append((who, stake))
            heisters, staked = heisters + (stake > 0), staked + stake
        bank = bank_at(self._rules.banks, heisters, staked)
        self._state = Getaway(self._company, bank, tuple(rabblers), ())
        return bets

    def _rabbler(self, place: int, bank: int) -> Rabbler:
        purse = self._company.rabble.credits[place]
        staking = self._luck.chance(self._rules.banks[bank].chance)
        return Rabbler(place, affordable(purse) if staking else 0)

    def _bet(self, who: int, situation: Situation) -> int:
        answer = self._strategies[who](situation, range(situation.credits + 1), self._lucks[who])
        stake = min(answer or 0, situation.credits)
        if stake > 0:
            self._do(Join(self._seats[who], stake))
        return max(stake, 0)

    # Round 2

    def _act(self) -> list[tuple[int, Act]]:
        company, bank, rabblers = self._company, self._bank, cast("Getaway", self._state).rabblers
        rabble = [each for each in rabblers if each.stake]
        order = iter(self._luck.order(len(rabble)).tolist())
        heisters, staked = len(company.crew) + len(rabble), company.staked + sum(e.stake for e in rabble)
        players = len(self._seats) + len(rabblers)
        committed, runners, answers = 0, set[int](), list[tuple[int, Act]]()
        for turn, member in enumerate(self._row(len(company.crew), len(rabble))):
            if member is None:
                place = rabble[next(order)].place
                stays = not self._luck.chance(cold_feet(turn, turn - committed))
                runners |= set() if stays else {place}
            else:
                who = self._seats.index(company.crew[member].seat)
                situation = self._situation(who, ACTING, players, (turn, heisters, staked, committed), bank)
                act = self._strategies[who](situation, tuple(Act), self._lucks[who]) or Act.GUNCHECK
                self._do(Answer(self._seats[who], act))
                answers.append((who, act))
                stays = act is not Act.BACK_OUT
            committed += stays
        after = tuple(replace(each, backed_out=each.place in runners) for each in rabblers)
        luck = tuple(self._luck.uniform() if each.committed else 1.0 for each in self._company.crew)
        self._state = Storming(self._company, bank, after, luck)
        return answers

    # What follows

    def _settle(self) -> list[tuple[int, bool, int]]:
        before, clock = self._company, self._rules.clock(self._state)
        assert clock is not None  # noqa: S101  (it is storming)
        self._do(Timeout(clock))
        committed = [each for each in cast("Over", self._state).outcomes if each.fate is not Fate.RETURNED]
        return [
            (self._seats.index(each.seat), each.lucky, self._may_gain(before, each)) for each in committed
        ]

    def _may_gain(self, before: Company, outcome: Outcome) -> int:
        """Return what the log tells of a success: nothing that is spent, put by, or safe from the others."""
        if outcome.act in {Act.INTEL, Act.DEPOSIT, Act.ALL_IN}:
            return 0
        account = before.careers[outcome.seat].accounts[self._bank] if outcome.act is Act.WITHDRAW else 0
        return outcome.winnings + account if outcome.winnings else 0

    # The table

    def _do(self, action: Input) -> None:
        purses = {seat: self._purses[seat] for seat in self._rules.needs(self._state, action)}
        step = self._rules.apply(self._state, action, Moment(self._luck, purses))
        for each in step.transfers:
            self._purses[each.source] -= each.credits
            self._purses[each.target] += each.credits
        self._records.update(step.records)
        self._state = step.state

    def _beyond(self) -> bool:
        careers = [each for each in self._records.values() if isinstance(each, Career)]
        own_odds = [odds for career in careers for odds in career.odds if odds is not None]
        put_by = [account for career in careers for account in career.accounts]
        return max([*self._balances(), *own_odds, *put_by]) > MOST

    @property
    def _company(self) -> Company:
        return self._state.company

    @property
    def _bank(self) -> int:
        return cast("Getaway | Storming", self._state).bank

    def _balances(self) -> list[int]:
        return [self._purses[seat] for seat in self._seats]

    def _row(self, newcomers: int, others: int) -> list[int | None]:
        """Draw an order of turns: the number of a newcomer, or None for one of the others."""
        row: list[int | None] = [None] * (newcomers + others)
        for place, newcomer in self._luck.slots(newcomers, others):
            row[place] = newcomer
        return row

    def _situation(
        self, who: int, of_round: int, players: int, so_far: tuple[int, int, int, int], bank: int
    ) -> Situation:
        seat, banks = self._seats[who], self._rules.banks
        career = self._company.careers[seat]
        heister = self._company.heister(seat)
        stake = heister.stake if heister else 0
        acted, heisters, staked, committed = so_far
        mean, deviation, most = standing(self._before)
        return Situation(
            game=self._game,
            round=of_round,
            players=players,
            acted=acted,
            heisters=heisters,
            staked=staked,
            committed=committed,
            bank=bank,
            credits=self._purses[seat] + stake,
            stake=stake,
            salary=career.salary,
            employed=career.employed,
            rank=1 + sum(each > self._before[who] for each in self._before),
            mean=mean,
            deviation=deviation,
            most=most,
            accounts=career.accounts,
            chances=tuple(career.chance_at(number, banks) for number in range(len(banks))),
            odds=tuple(career.odds_at(number, banks) for number in range(len(banks))),
        )
