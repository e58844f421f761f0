"""A contestant of a fast tournament: credits and career, changed in place.

`career.py` and `payday.py` say the same of careers that are values; the tests hold both to each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.heist.contest.situation import MOST
from chatbot.games.heist.rules.career import (
    BANKS,
    FINGERED_CHANCE,
    GUARD_GAIN,
    INTEREST,
    RAISE,
    SALARY,
    STITCHED_ODDS,
)
from chatbot.games.heist.rules.moves import Act
from chatbot.games.heist.rules.payday import HIRING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeVar

    from chatbot.games.heist.contest.luck import Luck
    from chatbot.games.heist.rules.banks import Bank
    from chatbot.kernel.contest import Strategy

    T = TypeVar("T")

NUMERATOR, DENOMINATOR = INTEREST
BACK_OUT, ALL_IN = Act.BACK_OUT, Act.ALL_IN


class Rival:
    """Tuples are replaced when they change, so that a situation may keep them."""

    __slots__ = (
        "accounts", "act", "beyond", "bribes", "chances", "credits", "employed", "exposed", "guards",
        "luck", "number", "odds", "rank", "salary", "saving", "stake", "strategy", "won",
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
        self.won = 0  # in this game, and not yet brought home
        self.exposed = False  # identified as a crosser in this game
        self.beyond = False  # whether it has come to hold more of anything than can be told

    def buy_guard(self, bank: int) -> None:
        chance = self.chances[bank]
        self._set_chance(bank, chance + GUARD_GAIN * (1 - chance))
        self.guards[bank] += 1
        self.bribes += 1

    def put_by(self, bank: int, account: int) -> None:
        self.accounts = _put(self.accounts, bank, account)
        self.saving = any(self.accounts)

    def learn(self, bank: int, odds: int) -> None:
        self.odds = _put(self.odds, bank, max(odds, 0))
        self.beyond |= odds > MOST

    def lose_job(self) -> None:
        self.employed, self.salary = False, self.salary // 2

    def be_fingered(self, bank: int) -> None:
        self.lose_job()
        self._set_chance(bank, self.chances[bank] - FINGERED_CHANCE)

    def get_stitches(self, bank: int) -> None:
        self.salary -= self.salary // RAISE
        self.learn(bank, self.odds[bank] - STITCHED_ODDS)

    def end_game(self, luck: Luck) -> None:
        """Bring winnings home, then have the payday."""
        act, self.credits = self.act, self.credits + self.won
        if self.saving:
            self.accounts = tuple([each + each * NUMERATOR // DENOMINATOR for each in self.accounts])
            self.beyond |= max(self.accounts) > MOST
        if not self.employed and luck.uniform() < HIRING:
            self.employed = True
            self.salary += self.salary // RAISE
        if self.employed and act is not BACK_OUT and act is not ALL_IN:
            self.credits += self.salary
        if self.bribes:
            self._bribe(luck)
        self.beyond |= self.credits > MOST
        self.stake, self.act, self.won, self.exposed = 0, None, 0, False

    def _bribe(self, luck: Luck) -> None:
        paid = min(self.bribes, self.credits)
        self.credits -= paid
        if paid < self.bribes:
            self._dismiss(self.bribes - paid, luck)

    def _dismiss(self, unpaid: int, luck: Luck) -> None:
        posts: list[int] = []
        for bank, count in enumerate(self.guards):
            posts += [bank] * count
        for bank in luck.sample(posts, unpaid):
            self.guards[bank] -= 1
            self._set_chance(bank, (self.chances[bank] - GUARD_GAIN) / (1 - GUARD_GAIN))
        self.bribes -= unpaid

    def _set_chance(self, bank: int, chance: float) -> None:
        self.chances = _put(self.chances, bank, min(max(chance, 0.0), 1.0))


def _put(row: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*row[:place], value, *row[place + 1 :])
