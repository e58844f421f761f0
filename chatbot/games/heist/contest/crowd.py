"""The rabble of a fast tournament, as arrays: what `rabble.py` says, for hundreds at once.

Nobody of a tournament's rabble ever holds less than a salary: a stake is covered by what they hold,
and whoever loses it is paid. So all of them can afford the least stake, and no turn asks for it.
"""

from __future__ import annotations

from bisect import bisect_left
from math import inf
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from chatbot.games.heist.rules.arithmetic import (
    COLD_FEET,
    CONTAGION,
    CREDITS_PER_HEISTER,
    SALARY,
    cold_feet,
    courage,
    gain,
    heister_index,
    proportional_share,
)
from chatbot.games.heist.rules.rabble import STAKES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chatbot.games.heist.contest.luck import Luck
    from chatbot.games.heist.rules.banks import Bank

    Places: TypeAlias = NDArray[np.int64]

COLDEST_FEET = COLD_FEET + CONTAGION  # nobody is likelier to back out
RAN = len(STAKES) + 1  # the row of those who backed out: they have no level any more
RICH = 1 << 61
"""Credits beyond which a purse of the rabble is not counted, so that no sum passes 64 bits.

No game is another for it: nobody is told what the rabble hold, their largest stake is 80085, and no
tournament is so long that such stakes wear a purse like that down to it. What contestants take from the
rabble is what these won in that very game, and what they hold themselves has no bound.
"""
CREDITS = 20  # bits of a tally below the credits staked: they count the heisters, so one sum has both
HEISTERS = (1 << CREDITS) - 1


class RabbleArrays:
    """Who of the rabble is in this game, and what they do, between the turns of the contestants.

    `tally` sums up the heisters so far, contestants too: 1 for each and, above `CREDITS` bits, their stakes.
    """

    __slots__ = (
        "_at", "_chances", "_comer_purses", "_each_chance", "_fled", "_heisters", "_in", "_levels",
        "_limits", "_lucky", "_nerves", "_order", "_pays", "_places", "_regulars", "_reigns",
        "_runners", "_steps", "_subtotal", "_sums", "_tallies", "_winnings", "_wins", "_would",
        "bank", "fled", "purses", "regulars", "tally",
    )  # fmt: skip

    def __init__(self, count: int, banks: Sequence[Bank]) -> None:
        self.purses = np.full(count, SALARY, np.int64)
        self._steps = np.array(STAKES, np.int64)
        # By level: what they can afford, from nothing at all
        stakes = np.array((0, *STAKES), np.int64)
        self._pays = np.array((*(SALARY - stakes), 0), np.int64)  # to those who win nothing
        self._tallies = (stakes << CREDITS) + (stakes > 0)
        self._wins = [np.array([each + gain(each, bank.odds) for each in (0, *STAKES)]) for bank in banks]
        # By bank
        self._chances = [bank.chance for bank in banks]
        self._each_chance = np.array([[each] for each in self._chances])
        self._limits = [*(bank.level for bank in banks[1:]), inf]

    # Round 1

    def gather(self, luck: Luck) -> int:
        """Draw how many of them are in this game, and who, in the order of their turns."""
        self._places: Places = luck.comers(len(self.purses))
        return len(self._places)

    def get_ready(self, luck: Luck) -> None:
        """Draw for each turn; work out for each bank who would stake, and the tally of the turns so far."""
        self._comer_purses = self.purses[self._places]
        self._levels: Places = self._steps.searchsorted(self._comer_purses, "right")
        self._would = luck.uniforms(len(self._places)) < self._each_chance
        self._sums = (self._would * self._tallies[self._levels]).cumsum(1)
        self.tally = self.bank = 0
        self._at = self._subtotal = 0  # turns that are over, and the sum at the bank of now over all of them
        self._reigns: list[tuple[int, int]] = []  # from which turn on it was which bank

    def stake_until(self, turn: int) -> int:
        """Let them stake whose turn among the rabble comes before this one; give the tally then."""
        if turn > self._at:
            subtotal = self._sums.item(self.bank, turn - 1)
            tally = self.tally + subtotal - self._subtotal
            if (tally & HEISTERS) + (tally >> CREDITS) // CREDITS_PER_HEISTER < self._limits[self.bank]:
                self.tally, self._subtotal, self._at = tally, subtotal, turn
            else:
                self._climb(turn)
        return self.tally

    def _climb(self, end: int) -> None:
        """Let them stake as if one by one: each sees the bank that those before have reached."""
        at, bank, tally, subtotal, sums = self._at, self.bank, self.tally, self._subtotal, self._sums
        while at < end:
            before = tally - subtotal
            turn = self._crossing(bank, tally, at, end, before)
            at = turn + 1
            tally = before + sums.item(bank, turn)
            new_bank = self._bank_of(tally, bank)
            if new_bank != bank:
                bank = new_bank
                self._reigns.append((at, bank))
            subtotal = sums.item(bank, turn)
        self._at, self.bank, self.tally, self._subtotal = at, bank, tally, subtotal

    def _crossing(self, bank: int, tally: int, at: int, end: int, before: int) -> int:
        """Find the turn from `at` on that takes them to another bank, or else the last before `end`.

        `before` is the tally without all who would have staked at this bank since the first turn.
        """
        limit, hundreds = self._limits[bank], (tally >> CREDITS) // CREDITS_PER_HEISTER
        if limit == inf:
            return end - 1
        # If the stakes on the way do not count, the heister is known who is one too many.
        would = self._would[bank, at:end].nonzero()[0]
        heads = int(limit) - hundreds - (tally & HEISTERS)
        turn: int = at + would.item(heads - 1) if heads <= len(would) else end - 1
        if (before + self._sums.item(bank, turn) >> CREDITS) // CREDITS_PER_HEISTER == hundreds:
            return turn

        def crosses(turn: int) -> bool:
            tally: int = before + self._sums.item(bank, turn)
            return (tally & HEISTERS) + (tally >> CREDITS) // CREDITS_PER_HEISTER >= limit

        return at + bisect_left(range(at, turn), True, key=crosses)

    def join(self, stake: int) -> None:
        """Count a contestant in, who stakes in between."""
        self.tally = tally = self.tally + (stake << CREDITS) + 1
        bank = self._bank_of(tally, self.bank)
        if bank != self.bank:
            self.bank = bank
            self._subtotal = self._sums.item(bank, self._at - 1) if self._at else 0
            self._reigns.append((self._at, bank))

    def _bank_of(self, tally: int, bank: int) -> int:
        index = heister_index(tally & HEISTERS, tally >> CREDITS)
        while index >= self._limits[bank]:
            bank += 1
        return bank

    # Round 2

    def line_up(self, luck: Luck) -> int:
        """Return how many of them are heisters, and draw the order of their turns."""
        self._in = self._would[0]
        for start, bank in self._reigns:
            self._in[start:] = self._would[bank, start:]
        self._heisters = self._in.nonzero()[0]
        self._order: Places = luck.order(len(self._heisters))
        return len(self._heisters)

    def get_nervous(self, luck: Luck) -> None:
        """Draw everybody's nerve."""
        self._nerves: list[float] = luck.uniforms(len(self._heisters)).tolist()
        self._at = self.fled = 0
        self._fled: list[int] = []  # turns of those of the rabble who backed out

    def flee_until(self, turn: int, before: int) -> None:
        """Let them stay or run whose turn among the rabble comes before this one.

        `before` contestants have acted before; `fled` counts those who backed out too.
        """
        fled, fear = self.fled, COLDEST_FEET
        for acted, nerve in enumerate(self._nerves[self._at : turn], self._at + before):
            if nerve < fear:  # until the next one runs, it only falls
                fear = cold_feet(acted, fled)
                if nerve < fear:
                    fled, fear = fled + 1, COLDEST_FEET
                    self._fled.append(acted - before)
        self._at, self.fled = turn, fled

    # What follows

    def storm(self, luck: Luck, committed: int, heisters: int) -> None:
        """Throw the dice of those who go in."""
        stays = self._in
        self._runners = self._heisters[self._order[self._fled]]
        stays[self._runners] = False
        self._regulars = stays.nonzero()[0]
        self.regulars = len(self._regulars)
        chance = self._chances[self.bank] * courage(committed, heisters)
        self._lucky = self._regulars[luck.uniforms(self.regulars) < chance]
        self._winnings: Places = self._wins[self.bank][self._levels[self._lucky]]

    def loot(self) -> int:
        """Take from all of them what they won."""
        loot = int(np.add.reduce(self._winnings))
        self._winnings = np.zeros_like(self._winnings)
        return loot

    def recover(self, pool: int, loss: int) -> None:
        """Divide a pool among those who won, in proportion to it; `loss` is what everybody had won."""
        by_level = self._wins[self.bank].tolist()
        backs = np.array([min(proportional_share(pool, each, loss), RICH) for each in by_level])
        self._winnings = backs[self._levels[self._lucky]]

    def settle(self, share: int) -> None:
        """Settle the purses; each of those who went in has a share of a spoil."""
        levels = self._levels * self._in  # 0 for those who were not there, or ran
        levels[self._runners] = RAN
        purses = self._comer_purses + self._pays[levels]
        purses[self._lucky] += self._winnings
        if share:
            purses[self._regulars] += min(share, RICH)
        np.minimum(purses, RICH, out=purses)
        self.purses[self._places] = purses
