"""A whole tournament in one process, at speed: the same games as the referee's, draw by draw.

`referee.py` says in which order luck is drawn. What is quick here: the rabble is a row of arrays that
acts between the turns of the contestants, and contestants are changed in place.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import partial
from typing import TYPE_CHECKING, cast

from chatbot.games.heist.contest.crowd import CREDITS, HEISTERS, RabbleArrays
from chatbot.games.heist.contest.luck import Luck
from chatbot.games.heist.contest.played import Played
from chatbot.games.heist.contest.rival import Rival
from chatbot.games.heist.contest.situation import ACTING, STAKING, Situation, standing
from chatbot.games.heist.contest.spoils import settle
from chatbot.games.heist.rules.moves import Act
from chatbot.games.heist.rules.rules import Heist

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from chatbot.kernel.contest import Entrant

ACTS = tuple(Act)
GUNCHECK, BACK_OUT = Act.GUNCHECK, Act.BACK_OUT
situation_of = cast("Callable[[tuple[object, ...]], Situation]", partial(tuple.__new__, Situation))
"""Makes a situation of its fields in a third of the time that naming them takes."""


class Tournament:
    """Keeps what lasts from game to game."""

    def __init__(self, entrants: Sequence[Entrant], rabble: int, seed: str) -> None:
        banks = Heist(rabble=rabble).banks
        self._luck = Luck(seed)
        self._crowd = RabbleArrays(rabble, banks)
        self._rivals = [
            Rival(number, each.strategy, Luck(f"{seed}/contestant {number}"), banks)
            for number, each in enumerate(entrants)
        ]
        self._held = [each.credits for each in self._rivals]
        self._game = 0

    def play(self, games: int) -> Iterator[Played]:
        """Play so many games, or until somebody has come to hold more than can be told."""
        for self._game in range(games):
            yield self._play()
            if any(each.beyond for each in self._rivals):
                return

    def _play(self) -> Played:
        self._rank()
        size = self._crowd.gather(self._luck)
        self._players = size + len(self._rivals)
        bets = self._stake(size)
        crew = [self._rivals[who] for who, stake in bets if stake]
        answers = self._act(crew)
        results = settle(crew, self._crowd, self._luck)
        for each in self._rivals:
            each.end_game(self._luck)
        self._held = [each.credits for each in self._rivals]
        return Played(self._game, self._players, bets, answers, results, self._held)

    def _rank(self) -> None:
        self._standing = standing(self._held)
        rising = sorted(self._held)
        most = 1 + len(rising)
        for each in self._rivals:
            each.rank = most - bisect_right(rising, each.credits)

    def _stake(self, size: int) -> list[tuple[int, int]]:
        crowd, rivals = self._crowd, self._rivals
        bets: list[tuple[int, int]] = []
        row = self._luck.slots(len(rivals), size)
        crowd.get_ready(self._luck)
        for before, (turn, who) in enumerate(row):
            tally = crowd.stake_until(turn - before)
            rival = rivals[who]
            held = rival.credits
            told = self._told(rival, STAKING, turn, tally & HEISTERS, tally >> CREDITS, 0)
            wanted = rival.strategy(told, range(held + 1), rival.luck) or 0
            if wanted > 0 and held:
                rival.stake = min(wanted, held)
                crowd.join(rival.stake)
            bets.append((who, rival.stake))
        crowd.stake_until(size)
        return bets

    def _act(self, crew: Sequence[Rival]) -> list[tuple[int, Act]]:
        crowd = self._crowd
        answers: list[tuple[int, Act]] = []
        others = crowd.line_up(self._luck)
        row = self._luck.slots(len(crew), others)
        crowd.get_nervous(self._luck)
        heisters, staked = crowd.tally & HEISTERS, crowd.tally >> CREDITS
        for before, (turn, joined) in enumerate(row):
            crowd.flee_until(turn - before, before)
            rival = crew[joined]
            told = self._told(rival, ACTING, turn, heisters, staked, turn - crowd.fled)
            rival.act = act = rival.strategy(told, ACTS, rival.luck) or GUNCHECK
            answers.append((rival.number, act))
            crowd.fled += act is BACK_OUT
        crowd.flee_until(others, len(crew))
        return answers

    def _told(
        self, rival: Rival, of_round: int, acted: int, heisters: int, staked: int, committed: int
    ) -> Situation:
        mean, deviation, most = self._standing
        return situation_of((
            self._game, of_round, self._players, acted, heisters, staked, committed, self._crowd.bank,
            rival.credits, rival.stake, rival.salary, rival.employed, rival.rank, mean, deviation, most,
            rival.accounts, rival.chances, rival.odds,
        ))  # fmt: skip
