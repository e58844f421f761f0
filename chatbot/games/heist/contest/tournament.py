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
from chatbot.games.heist.contest.situation import ACTING, MOST, STAKING, Played, Situation, standing
from chatbot.games.heist.rules.arithmetic import (
    HIRING,
    LOAN,
    LOOKS,
    SALARY,
    courage,
    docked,
    equal_share,
    fine,
    fingered,
    forfeit,
    gain,
    guarded,
    halved,
    proportional_share,
    raised,
    stays_secret,
    stitched,
    unguarded,
    with_interest,
)
from chatbot.games.heist.rules.career import BANKS, put
from chatbot.games.heist.rules.moves import Act
from chatbot.games.heist.rules.rules import Heist

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from chatbot.games.heist.contest.crowd import Places
    from chatbot.games.heist.rules.banks import Bank
    from chatbot.kernel.contest import Entrant, Strategy


# Looking up a member of an Enum takes longer than all else that is done with it.
GUNCHECK, BACK_OUT, ALL_IN, CHANGE_JOBS, INTEL = (
    Act.GUNCHECK, Act.BACK_OUT, Act.ALL_IN, Act.CHANGE_JOBS, Act.INTEL
)  # fmt: skip
GUARD, DEPOSIT, WITHDRAW, DOUBLE_CROSS, FINGER = (
    Act.GUARD, Act.DEPOSIT, Act.WITHDRAW, Act.DOUBLE_CROSS, Act.FINGER
)  # fmt: skip


ACTS = tuple(Act)
situation_of = cast("Callable[[tuple[object, ...]], Situation]", partial(tuple.__new__, Situation))
"""Makes a situation of its fields in a third of the time that naming them takes."""


class Tournament:
    """Keeps what lasts from game to game."""

    def __init__(self, entrants: Sequence[Entrant], rabble: int, seed: str) -> None:
        banks = Heist(rabble=rabble).banks
        self.luck = Luck(seed)
        self._crowd = RabbleArrays(rabble, banks)
        self.rivals = [
            Rival(number, each.strategy, Luck(f"{seed}/contestant {number}"), banks)
            for number, each in enumerate(entrants)
        ]
        self.balances = [each.credits for each in self.rivals]
        self._game = 0

    @property
    def purses(self) -> Places:
        """The credits of the rabble, which may be written."""
        return self._crowd.purses

    @property
    def ended(self) -> bool:
        """Whether somebody has come to hold more than can be told."""
        return any(each.beyond for each in self.rivals)

    def play(self, games: int) -> Iterator[Played]:
        """Play so many games, or until it has ended."""
        for number in range(games):
            yield self.play_one(number)
            if self.ended:
                return

    def play_one(self, number: int) -> Played:
        """Play a game; they are numbered from 0."""
        self._game = number
        self._rank()
        size = self._crowd.gather(self.luck)
        self._players = size + len(self.rivals)
        bets = self._stake(size)
        crew = [self.rivals[who] for who, stake in bets if stake]
        answers = self._act(crew)
        results = settle(crew, self._crowd, self.luck)
        for each in self.rivals:
            each.end_game(self.luck)
        self.balances = [each.credits for each in self.rivals]
        return Played(self._game, self._players, bets, answers, results, self.balances)

    def _rank(self) -> None:
        self._standing = standing(self.balances)
        rising = sorted(self.balances)
        most = 1 + len(rising)
        for each in self.rivals:
            each.rank = most - bisect_right(rising, each.credits)

    def _stake(self, size: int) -> list[tuple[int, int]]:
        crowd, rivals = self._crowd, self.rivals
        bets: list[tuple[int, int]] = []
        row = self.luck.slots(len(rivals), size)
        crowd.get_ready(self.luck)
        for before, (turn, who) in enumerate(row):
            tally = crowd.stake_until(turn - before)
            rival = rivals[who]
            wealth = rival.credits
            situation = self._situation(rival, STAKING, turn, tally & HEISTERS, tally >> CREDITS, 0)
            stake = rival.strategy(situation, range(wealth + 1), rival.luck) or 0
            if stake > 0 and wealth:
                rival.stake = min(stake, wealth)
                crowd.join(rival.stake)
            bets.append((who, rival.stake))
        crowd.stake_until(size)
        return bets

    def _act(self, crew: Sequence[Rival]) -> list[tuple[int, Act]]:
        crowd = self._crowd
        answers: list[tuple[int, Act]] = []
        others = crowd.line_up(self.luck)
        row = self.luck.slots(len(crew), others)
        crowd.get_nervous(self.luck)
        heisters, staked = crowd.tally & HEISTERS, crowd.tally >> CREDITS
        for before, (turn, member) in enumerate(row):
            crowd.flee_until(turn - before, before)
            rival = crew[member]
            situation = self._situation(rival, ACTING, turn, heisters, staked, turn - crowd.fled)
            rival.act = act = rival.strategy(situation, ACTS, rival.luck) or GUNCHECK
            answers.append((rival.number, act))
            crowd.fled += act is BACK_OUT
        crowd.flee_until(others, len(crew))
        return answers

    def _situation(
        self, rival: Rival, of_round: int, acted: int, heisters: int, staked: int, committed: int
    ) -> Situation:
        mean, deviation, most = self._standing
        return situation_of((
            self._game, of_round, self._players, acted, heisters, staked, committed, self._crowd.bank,
            rival.credits, rival.stake, rival.salary, rival.employed, rival.rank, mean, deviation, most,
            rival.accounts, rival.chances, rival.odds,
        ))  # fmt: skip


# The dice of a game and what follows: what `Raid` does, with contestants changed in place.


def settle(crew: Sequence[Rival], crowd: RabbleArrays, luck: Luck) -> list[tuple[int, bool, int]]:
    """Settle all but the payday; give who of the committed succeeded, and what each may gain.

    The crew is in the order of joining. What they win waits in `winnings` for the payday.
    """
    committed = [each for each in crew if each.act is not BACK_OUT]
    heisters = crowd.tally & HEISTERS
    everybody = heisters - crowd.fled
    results = _dice(committed, crowd.bank, courage(everybody, heisters), luck)
    crowd.storm(luck, everybody, heisters)
    forfeits = 0
    for each in committed:
        if each.act is FINGER and each.winnings:
            forfeits += _look_around(each, committed, crowd.bank, luck)
    crossers = [each for each in committed if each.act is DOUBLE_CROSS]
    if crossers or forfeits:
        _divide(committed, crossers, crowd, forfeits)
    else:
        crowd.settle(share=0)
    return results


# 1. Success


def _dice(committed: Sequence[Rival], bank: int, share: float, luck: Luck) -> list[tuple[int, bool, int]]:
    results = []
    for each, draw in zip(committed, luck.uniforms(len(committed)).tolist(), strict=True):
        if each.act is ALL_IN:
            success, may_gain = _go_alone(each, bank, draw), 0
        else:
            success = draw < each.chances[bank] * share
            may_gain = _go_along(each, bank, success)
        results.append((each.number, success, may_gain))
    return results


def _go_alone(rival: Rival, bank: int, draw: float) -> bool:
    success = draw < rival.chances[bank]
    rival.credits = gain(rival.credits + LOAN, rival.odds[bank]) if success else 0
    return success


def _go_along(rival: Rival, bank: int, success: bool) -> int:
    act, stake = rival.act, rival.stake
    rival.credits -= stake
    if act is GUARD:
        rival.buy_guard(bank)
    elif act is CHANGE_JOBS:
        rival.employed = False
    if not success:
        return 0
    winnings = stake + gain(stake, rival.odds[bank])
    if act is INTEL:
        rival.learn(bank, rival.odds[bank] + winnings)  # 0.00001 a credit
        return 0
    if act is DEPOSIT:
        rival.put_by(bank, rival.accounts[bank] + winnings)
        return 0
    if act is WITHDRAW:
        winnings += rival.accounts[bank]
        rival.put_by(bank, 0)
    rival.winnings = winnings
    return winnings


# 2. Fingers


def _look_around(snitch: Rival, committed: Sequence[Rival], bank: int, luck: Luck) -> int:
    """Let a snitch name crossers; give what is forfeited by one who finds none."""
    count, found = len(committed), False
    for draw in luck.uniforms(LOOKS).tolist():
        suspect = committed[int(draw * count)]
        if suspect.act is DOUBLE_CROSS and not suspect.exposed:
            found = suspect.exposed = True
            amount = fine(suspect.credits)
            suspect.credits -= amount
            snitch.credits += amount
            suspect.be_fingered(bank)
    if found:
        return 0
    loss = forfeit(snitch.winnings)
    snitch.winnings -= loss
    snitch.get_stitches(bank)
    return loss


# 3. The double cross


def _divide(
    committed: Sequence[Rival], crossers: Sequence[Rival], crowd: RabbleArrays, forfeits: int
) -> None:
    regulars = [each for each in committed if each.act is not DOUBLE_CROSS and each.act is not ALL_IN]
    if crossers and stays_secret(len(crossers), len(committed)):
        _steal(crossers, regulars, crowd, forfeits)
        crowd.settle(share=0)
        return
    pool = _spring(crossers) + forfeits
    share = equal_share(pool, len(regulars) + crowd.regulars)
    for each in regulars:
        each.credits += share
    crowd.settle(share)


def _steal(crossers: Sequence[Rival], regulars: Sequence[Rival], crowd: RabbleArrays, forfeits: int) -> None:
    """Give crossers what the regulars won, and the forfeits; the shares of the exposed go back."""
    loss = crowd.loot() + sum([each.winnings for each in regulars])
    share, pool = equal_share(loss + forfeits, len(crossers)), 0
    for each in crossers:
        if each.exposed:
            each.winnings = 0
            pool += share
        else:
            each.credits += share
    for each in regulars:
        each.winnings = proportional_share(pool, each.winnings, loss) if pool else 0
    if pool:
        crowd.recover(pool, loss)


def _spring(crossers: Sequence[Rival]) -> int:
    """Fire crossers, and give what they won."""
    pool = sum([each.winnings for each in crossers])
    for each in crossers:
        each.winnings = 0
        if not each.exposed:
            each.lose_job()
    return pool


class Rival:
    """A contestant: credits and career, changed in place.

    It does to them what `Career` and `pay` do to values, by the same arithmetic; the tests hold both to each
    other. Tuples are replaced when they change, so that a situation may keep them.
    """

    __slots__ = (
        "accounts", "act", "beyond", "bribes", "chances", "credits", "employed", "exposed", "guards",
        "luck", "number", "odds", "rank", "salary", "saving", "stake", "strategy", "winnings",
    )  # fmt: skip

    def __init__(self, number: int, strategy: Strategy, luck: Luck, banks: Sequence[Bank]) -> None:
        self.number, self.strategy, self.luck = number, strategy, luck
        self.credits, self.salary, self.employed = SALARY, SALARY, True
        self.accounts: tuple[int, ...] = (0,) * BANKS
        self.saving = False  # whether any account holds anything
        self.chances = tuple(each.chance for each in banks)
        self.odds = tuple(each.odds for each in banks)
        self.guards = [0] * BANKS
        self.bribes = 0  # guards of all banks
        self.rank = 1  # when the last game was over
        self.stake = 0
        self.act: Act | None = None  # of this game, if in it
        self.winnings = 0  # in this game, and not yet brought home
        self.exposed = False  # identified as a crosser in this game
        self.beyond = False  # whether it has come to hold more of anything than can be told

    def buy_guard(self, bank: int) -> None:
        """Bribe a guard of this bank."""
        self._set_chance(bank, guarded(self.chances[bank]))
        self.guards[bank] += 1
        self.bribes += 1

    def put_by(self, bank: int, account: int) -> None:
        """Set the account at this bank."""
        self.accounts = put(self.accounts, bank, account)
        self.saving = any(self.accounts)

    def learn(self, bank: int, odds: int) -> None:
        self.odds = put(self.odds, bank, max(odds, 0))
        self.beyond |= odds > MOST

    def lose_job(self) -> None:
        """Become unemployed, with half a salary to start from again."""
        self.employed, self.salary = False, halved(self.salary)

    def be_fingered(self, bank: int) -> None:
        """Bear what being identified as a crosser costs beside the fine."""
        self.lose_job()
        self._set_chance(bank, fingered(self.chances[bank], 0.0))

    def get_stitches(self, bank: int) -> None:
        """Bear what naming nobody costs beside the forfeit."""
        self.salary = docked(self.salary)
        self.learn(bank, stitched(self.odds[bank], 0))

    def end_game(self, luck: Luck) -> None:
        """Bring winnings home, then have the payday."""
        act, self.credits = self.act, self.credits + self.winnings
        if self.saving:
            self.accounts = tuple([with_interest(each) for each in self.accounts])
            self.beyond |= max(self.accounts) > MOST
        if not self.employed and luck.uniform() < HIRING:
            self.employed = True
            self.salary = raised(self.salary)
        if self.employed and act is not BACK_OUT and act is not ALL_IN:
            self.credits += self.salary
        if self.bribes:
            self._bribe(luck)
        self.beyond |= self.credits > MOST
        self.stake, self.act, self.winnings, self.exposed = 0, None, 0, False

    def _bribe(self, luck: Luck) -> None:
        payment = min(self.bribes, self.credits)
        self.credits -= payment
        if payment < self.bribes:
            self._dismiss(self.bribes - payment, luck)

    def _dismiss(self, unpaid: int, luck: Luck) -> None:
        posts: list[int] = []
        for bank, count in enumerate(self.guards):
            posts += [bank] * count
        for bank in luck.sample(posts, unpaid):
            self.guards[bank] -= 1
            self._set_chance(bank, unguarded(self.chances[bank], 0.0))
        self.bribes -= unpaid

    def _set_chance(self, bank: int, chance: float) -> None:
        self.chances = put(self.chances, bank, min(max(chance, 0.0), 1.0))
