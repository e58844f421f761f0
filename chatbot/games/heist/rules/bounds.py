"""What a room bounds in a heist: small functions of plain numbers, where 0 is always “no bound”.

The contest has no bounds. The preset `stream` has them all: a chat plays for years with the same
credits, so nobody may win from the house in the long run, and what one takes another had won.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from chatbot.games.heist.rules.banks import ODDS_UNIT, Bank
from chatbot.games.heist.rules.career import FINGERED_CHANCE, SALARY, STITCHED_ODDS, Career

if TYPE_CHECKING:
    from collections.abc import Sequence

LOAN = 240  # of those who go all in by the contest's rules, whatever their salary
FINE = 4  # by the contest's rules a quarter of an identified crosser's credits goes to the snitch


@dataclass(frozen=True, slots=True)
class Bounds:
    """All that bounds the answers of a getaway and a career; the defaults are the contest's."""

    all_in_most: int = 0  # credits that somebody can go all in with
    all_in_gross: bool = False  # whether the stake comes back on top of the winnings
    wage_percent: int = 0  # of the own stake; 0: the contest's salary and loan
    wage_most: int = 0  # credits
    interest: Decimal = Decimal("0.14")  # percent a heist
    cross_loyal: int = 0  # others of the committed without whom a double cross counts as sticking
    cross_escape: bool = False  # whether only crossers who get away take anything
    cross_reserve: int = 0  # own stakes that a crosser must hold beside the one in the pot
    cross_percent: int = 0  # of a regular's winnings, that all crossers together take
    cross_stakes: Decimal = Decimal(0)  # own stakes that a crosser's share is worth at most
    finger_stakes: int = 0  # a crosser's stakes that the fine is worth; 0: the contest's fine
    snitch_stakes: int = 0  # own stakes that a snitch takes at most
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

    def salary(self, career: Career, stake: int) -> int:
        """Give what somebody with a job is paid for a heist; what raises and halves acts as a factor."""
        if not self.staked_wages:
            return career.salary
        return self._hundredths(stake) * min(career.salary, SALARY) // (100 * SALARY)

    def loan(self, credits_in: int) -> int:
        """Give what the house lends to somebody who goes all in with so many credits."""
        return self._hundredths(credits_in) // 100 if self.staked_wages else LOAN

    def _hundredths(self, stake: int) -> int:
        """Give the wage of a stake, in hundredths of a credit."""
        wage = stake * self.wage_percent
        return min(wage, 100 * self.wage_most) if self.wage_most else wage

    def all_in(self, stake: int, purse: int) -> int:
        """Give what goes in with somebody's stake, of the purse."""
        return max(min(purse, self.all_in_most - stake), 0) if self.all_in_most else purse

    # Fines and shares

    def fine(self, crosser_stake: int, purse: int, snitch_stake: int, taken: int) -> int:
        """Give what an identified crosser pays; `taken` is what that snitch has had in this heist."""
        fine = self.finger_stakes * crosser_stake if self.finger_stakes else purse // FINE
        room = self.snitch_stakes * snitch_stake - taken if self.snitch_stakes else fine
        return max(min(fine, purse, room), 0)

    def reserve(self, stake: int) -> int:
        """Give what a crosser must still hold when choosing: enough for the fine."""
        return self.cross_reserve * stake

    @property
    def bounds_crossers(self) -> bool:
        """Whether crossers take a part of what others won, rather than all of it whatever their own dice."""
        return bool(self.cross_percent or self.cross_stakes or self.cross_escape)

    def within_reach(self, winnings: int) -> int:
        """Give what crossers can take of a regular's winnings."""
        return winnings * self.cross_percent // 100 if self.cross_percent else winnings

    def share(self, share: int, stake: int) -> int:
        """Give what a crosser takes of a share."""
        return min(share, int(self.cross_stakes * stake)) if self.cross_stakes else share

    def split(self, pool: int, stakes: Sequence[int], had: Sequence[int]) -> list[int]:
        """Divide a pool: in equal shares, or by stakes as far as nobody gets more than the bound.

        `had` is what each got out of earlier splits. What rounding and the bound leave over vanishes.
        """
        total = sum(stakes) if self.split_stakes else len(stakes)
        if not total:
            return [0] * len(stakes)
        if not self.split_stakes:
            return [pool // total] * len(stakes)
        rows = zip(stakes, had, strict=True)
        return [min(pool * stake // total, self.split_stakes * stake - before) for stake, before in rows]

    # Careers

    def most_chance(self, bank: Bank, odds: int) -> float | None:
        """Give how high guards can raise a probability at a bank, beside these odds; None: without end."""
        caps = []
        if self.chance_most:
            caps.append(bank.chance + float(self.chance_most) / 100)
        if self.return_most:
            caps.append(float(self.return_most) / 100 * ODDS_UNIT / (ODDS_UNIT + odds))
        return max(min(caps), bank.chance) if caps else None

    def most_odds(self, bank: Bank, chance: float) -> int | None:
        """Give how high intel can raise odds at a bank, beside this probability; None: without end."""
        caps = []
        if self.odds_most:
            caps.append(bank.odds + int(self.odds_most * ODDS_UNIT))
        if self.return_most and chance:
            caps.append(int((float(self.return_most) / 100 / chance - 1) * ODDS_UNIT))
        return max(min(caps), bank.odds) if caps else None

    @property
    def bounds_guards(self) -> bool:
        return bool(self.chance_most or self.return_most)

    def least_chance(self, bank: Bank) -> float:
        return max(bank.chance - float(self.penalty_most), 0.0) if self.penalty_most else 0.0

    def least_odds(self, bank: Bank) -> int:
        return max(bank.odds - int(self.penalty_most * ODDS_UNIT), 0) if self.penalty_most else 0

    def fingered(self, bank: Bank, chance: float) -> float:
        """Lower the probability of an identified crosser."""
        return max(chance - FINGERED_CHANCE, min(self.least_chance(bank), chance))

    def stitched(self, bank: Bank, odds: int) -> int:
        """Lower the odds of a snitch who named nobody."""
        return max(odds - STITCHED_ODDS, min(self.least_odds(bank), odds))
