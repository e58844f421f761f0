"""The five banks, and what a room bounds in a heist.

The contest has no bounds. The preset `stream` has them all: a chat plays for years with the same credits, so
nobody may win from the house in the long run, and what one takes another had won.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from chatbot.games.heist.rules import arithmetic
from chatbot.games.heist.rules.arithmetic import CREDITS_PER_HEISTER, ODDS_UNIT
from chatbot.games.heist.rules.moves import Act

if TYPE_CHECKING:
    from collections.abc import Sequence

VAULT = 10**15
"""The most that a bank of a chat pays one heister, for wallets are bounded; in the contest nothing is."""


@dataclass(frozen=True, slots=True)
class Bank:
    """A bank as a room has it, before anything personal."""

    level: int  # index from which it is robbed
    chance: float  # win probability before anything personal, 0..1
    odds: int  # winnings on top of the stake, in units of 0.00001 of it
    vault: int | None = VAULT  # the most it pays one heister on top of the stake; None: all that is won


def levels_for(levels: Sequence[int | str], active: int) -> list[int]:
    """Return from how many heisters on each bank is robbed, where so many members are active.

    A level is a number of heads, or a share of the active such as `15%`, rounded up; shares come to
    different numbers of at least 1, whatever they are of.
    """
    heads: list[int] = []
    for level in levels:
        if isinstance(level, int):
            heads.append(level)
        else:
            share = -(-active * int(level.removesuffix("%")) // 100)
            heads.append(max(share, heads[-1] + 1 if heads else 1))
    return heads


def bank_at(
    banks: tuple[Bank, ...], heisters: int, staked: int, credits_per_heister: int = CREDITS_PER_HEISTER
) -> int:
    """Return the number of the bank that so many heisters with so many credits rob: the highest they reach.

    With 0 credits a heister, heads alone count.
    """
    index = arithmetic.heister_index(heisters, staked, credits_per_heister)
    return max([number for number, bank in enumerate(banks) if bank.level <= index], default=0)


@dataclass(frozen=True, slots=True)
class Bounds:
    """All that bounds the answers of a getaway and a career; the defaults are the contest's.

    Methods apply `arithmetic` with these settings.
    """

    all_in_most: int = 0  # credits that somebody can go all in with
    all_in_gross: bool = False  # whether the stake comes back on top of the winnings
    wage_percent: int = 0  # of the own stake; 0: the contest's salary and loan
    wage_most: int = 0  # credits
    interest: Decimal = Decimal("0.14")  # percent a heist
    cross_loyal: int = 0  # other committed heisters that a double cross takes; else it is sticking
    cross_escape: bool = False  # whether only crossers who get away take anything
    cross_reserve: int = 0  # own stakes that a crosser must hold beside the one in the pot
    cross_percent: int = 0  # of a regular's winnings, that all crossers together take
    cross_stakes: Decimal = Decimal(0)  # own stakes that a crosser's share is worth at most
    finger_stakes: int = 0  # a crosser's stakes that the fine is worth; 0: the contest's fine
    snitch_stakes: int = 0  # own stakes that a snitch takes at most
    taken_most: int = 0  # credits that one heister gets at most in a heist of what others had; 0: no limit
    split_stakes: int = 0  # own stakes that somebody gets out of splits; 0: equal shares
    penalty_most: Decimal = Decimal(0)  # how far penalties lower a probability, or odds
    odds_most: Decimal = Decimal(0)  # how far intel raises odds
    chance_most: Decimal = Decimal(0)  # percentage points by which guards raise a probability
    return_most: Decimal = Decimal(0)  # percent: of probability × gross payout, as far as it is personal

    # Pay

    @property
    def staked_wages(self) -> bool:
        """Whether salaries go by the stake, to those who stayed, rather than to all who are awake."""
        return self.wage_percent > 0

    def salary(self, own: int, stake: int) -> int:
        """Return what somebody with a job is paid for a heist."""
        return arithmetic.salary(own, stake, self.wage_percent, self.wage_most)

    def loan(self, stake: int) -> int:
        """Return what the house lends to somebody who goes all in with so many credits."""
        return arithmetic.loan(stake, self.wage_percent, self.wage_most)

    def all_in(self, stake: int, purse: int) -> int:
        """Return what goes in with somebody's stake, of the purse."""
        return arithmetic.all_in(stake, purse, self.all_in_most)

    # Fines and shares

    def takes(self, act: Act, stake: int) -> int:
        """Return the most that an answer can bring of what others had; 0 also where nothing bounds it."""
        splits = self.split_stakes * stake
        match act:
            case Act.BACK_OUT | Act.ALL_IN:
                return 0
            case Act.DOUBLE_CROSS:
                ways = [arithmetic.hundredths_of(stake, self._cross_hundredths), splits]
                most = max(ways) if all(ways) else 0  # without enough others it is sticking
            case Act.FINGER:
                most = self.snitch_stakes * stake + splits if self.snitch_stakes and splits else 0
            case _:
                most = splits
        return min(most or self.taken_most, self.taken_most or most)

    def left(self, amount: int, takings: int) -> int:
        """Return what a heister gets of an amount; `takings` are what they have of others in this heist."""
        return arithmetic.within_most(amount, takings, self.taken_most)

    def fine(self, crosser_stake: int, purse: int, snitch_stake: int, takings: int) -> int:
        """Return what an identified crosser pays; `takings` are what that snitch has had in this heist."""
        room = self.snitch_stakes * snitch_stake - takings
        fine = arithmetic.fine(purse, crosser_stake, self.finger_stakes, room, self.snitch_stakes > 0)
        return self.left(fine, takings)

    def reserve(self, stake: int) -> int:
        """Return what a crosser must still hold when choosing: enough for the fine."""
        return self.cross_reserve * stake

    @property
    def bounds_crossers(self) -> bool:
        """Whether crossers take a part of what others won, rather than all of it whatever their own dice."""
        return bool(self.cross_percent or self.cross_stakes or self.cross_escape)

    def within_reach(self, winnings: int) -> int:
        """Return what crossers can take of a regular's winnings."""
        return arithmetic.within_reach(winnings, self.cross_percent)

    def share(self, share: int, stake: int) -> int:
        """Return what a crosser takes of a share."""
        return self.left(arithmetic.crosser_share(share, stake, self._cross_hundredths), 0)

    @property
    def _cross_hundredths(self) -> int:
        return int(100 * self.cross_stakes)

    def split(
        self, pool: int, stakes: Sequence[int], takings: Sequence[int], losses: Sequence[int]
    ) -> list[int]:
        """Divide a pool: in equal shares, or by stakes as far as nobody gets more than the bound.

        `takings` are what each got out of earlier splits. Without a bound, a pool that was taken from them
        goes back in proportion to the `losses`. What rounding and the bound leave over vanishes.
        """
        if not self.split_stakes:
            if total_loss := sum(losses):
                return [arithmetic.proportional_share(pool, each, total_loss) for each in losses]
            return [arithmetic.equal_share(pool, len(stakes))] * len(stakes)
        total, most = sum(stakes), self.split_stakes
        rows = zip(stakes, takings, strict=True)
        return [arithmetic.split_share(pool, stake, before, total, most) for stake, before in rows]

    # Careers

    def most_chance(self, bank: Bank, odds: int) -> float:
        """Return how high guards can raise a probability at a bank, beside these odds; it may be infinite."""
        return arithmetic.most_chance(bank.chance, odds, float(self.chance_most), float(self.return_most))

    def most_odds(self, bank: Bank, chance: float) -> float:
        """Return how high intel can raise odds at a bank, beside this probability; it may be infinite."""
        more = int(self.odds_most * ODDS_UNIT)
        return arithmetic.most_odds(bank.odds, chance, more, float(self.return_most))

    @property
    def bounds_guards(self) -> bool:
        """Whether guards can raise a probability only so far."""
        return bool(self.chance_most or self.return_most)

    def least_chance(self, bank: Bank) -> float:
        """Return how low penalties can bring a probability at a bank, 0..1."""
        return max(bank.chance - float(self.penalty_most), 0.0) if self.penalty_most else 0.0

    def least_odds(self, bank: Bank) -> int:
        """Return how low penalties can bring odds at a bank, in units of 0.00001."""
        return max(bank.odds - int(self.penalty_most * ODDS_UNIT), 0) if self.penalty_most else 0
