"""The dice of a heist and what follows, in this order: success, fingers, the double cross.

Accounts, intel and guards act on the winnings at the draw; what they improve counts from the next
heist on. Winnings reach the purses when all three are done. What rounding leaves over, and what has
nobody to receive it, vanishes: the bank recovers it. What became of each heister is decided once, in
`Raid._fate`; everything that is told of it is made of that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from chatbot.games.heist.rules import arithmetic
from chatbot.games.heist.rules import career as careers_of
from chatbot.games.heist.rules.arithmetic import ODDS_UNIT
from chatbot.games.heist.rules.banks import Bank
from chatbot.games.heist.rules.crew import Heister
from chatbot.games.heist.rules.moves import (
    Act,
    BroughtHome,
    Crossed,
    Fate,
    Identified,
    Outcome,
    Settled,
    Sprung,
    Stitched,
)
from chatbot.games.heist.rules.rabble import Rabbler
from chatbot.kernel.game import Seat, SystemPurse
from chatbot.kernel.house_seats import of_house

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.games.heist.rules.banks import Bounds
    from chatbot.games.heist.rules.career import Career
    from chatbot.games.heist.rules.step_ledger import StepLedger
    from chatbot.kernel.fair import Rng

WINNING_REASONS = frozenset({"double cross", "double cross undone", "double cross sprung", "stitches"})
"""The reasons for which the house pays what others had won; a fine comes from a wallet."""

Who: TypeAlias = Seat | int
"""A seat, or a place in the rabble."""


@dataclass(frozen=True, slots=True)
class RaidScene:
    """Everybody in front of the bank, in the order of joining; the rabble last.

    `daunted`: those who back out lower the chances of those who stay. `luck` has one draw from 0 to 1 for
    each heister: who gets away has one below their probability.
    """

    banks: tuple[Bank, ...]
    bank: int
    heisters: tuple[Heister, ...]
    rabble: tuple[Rabbler, ...]  # those with a stake
    luck: tuple[float, ...]
    daunted: bool = True

    @property
    def share(self) -> tuple[int, int]:
        """Committed heisters out of all."""
        committed = sum(each.committed for each in self.heisters)
        committed += sum(not each.backed_out for each in self.rabble)
        return committed, len(self.heisters) + len(self.rabble)

    @property
    def courage(self) -> float:
        """What the probability of each is multiplied with."""
        return arithmetic.courage(*self.share) if self.daunted else 1.0


class Raid:
    """One heist as it is settled: `careers`, `winnings` and `events` change step by step."""

    def __init__(
        self, scene: RaidScene, careers: Mapping[Seat, Career], books: StepLedger, rng: Rng, bounds: Bounds
    ) -> None:
        self.scene, self.books, self.rng, self.bounds = scene, books, rng, bounds
        self.careers = dict(careers)
        self.events: list[object] = []
        self.winnings: dict[Who, int] = {}  # of those who succeeded
        self.received: dict[Seat, int] = {}
        self.outcomes: tuple[Outcome, ...] = ()
        self._stakes: dict[Who, int] = {each.seat: each.stake for each in scene.heisters}
        self._stakes.update((each.place, each.stake) for each in scene.rabble)
        self._crossers = self._double_crossers()
        self._cost: dict[Seat, int] = {}
        self._dice_winnings: dict[Seat, int] = {}  # the winnings that the dice gave
        self._put_by: dict[Seat, int] = {}  # of them, what was spent on intel or deposited
        self._losses: dict[Seat, int] = {}  # of them, what others took
        self._fines: dict[Seat, int] = {}  # to snitches
        self._splits: dict[Who, int] = {}  # what somebody has had out of splits
        self._shares: dict[Seat, int] = {}  # what crossers ran off with
        self._identified: set[Seat] = set()
        self._sprung: frozenset[Seat] = frozenset()
        self._forfeits = 0
        self._rabble_won = 0

    def run(self) -> None:
        """Settle everything; what has come of it is in the attributes then."""
        self._dice()
        self._fingers()
        self._crossing()
        for seat in [each for each in self.winnings if not isinstance(each, int)]:
            self._receive(seat, self.winnings[seat], "winnings")
        self.outcomes = tuple(self._outcome(each) for each in self.scene.heisters)
        self.events = [self._settlement(), *self.events, BroughtHome(self.outcomes)]

    def _double_crossers(self) -> tuple[Seat, ...]:
        """List whose double cross is one; without the reserve, or enough loyal others, it counts as sticking.

        Who has spent the reserve after choosing would have no fine to fear.
        """
        committed = self._committed()
        crossers = tuple(each.seat for each in committed if self._crosses(each))
        return crossers if len(committed) - len(crossers) >= self.bounds.cross_loyal else ()

    def _crosses(self, heister: Heister) -> bool:
        if heister.act is not Act.DOUBLE_CROSS or not heister.stake:
            return False
        reserve = self.bounds.reserve(heister.stake)
        return not reserve or self.books.purse(heister.seat) >= reserve

    def _committed(self) -> list[Heister]:
        return [each for each in self.scene.heisters if each.committed]

    # 1. Success

    def _dice(self) -> None:
        courage = self.scene.courage
        for each, draw in zip(self.scene.heisters, self.scene.luck, strict=True):
            if each.act is Act.BACK_OUT:
                self.books.move(SystemPurse.POT, each.seat, each.stake, "stake returned")
            elif each.act is Act.ALL_IN:
                self._go_alone(each, draw)
            else:
                self._go_along(each, draw, courage)
        for rabbler in self.scene.rabble:
            bank = self.scene.banks[self.scene.bank]
            if not rabbler.backed_out and self.rng.chance(bank.chance * courage):
                self.winnings[rabbler.place] = rabbler.stake + self._gain(rabbler.stake, bank.odds)
                self._rabble_won += 1

    def _gain(self, stake: int, odds: int) -> int:
        winnings, vault = arithmetic.gain(stake, odds), self.scene.banks[self.scene.bank].vault
        return winnings if vault is None else min(winnings, vault)

    def _go_alone(self, heister: Heister, draw: float) -> None:
        seat, career = heister.seat, self.careers[heister.seat]
        more = self.bounds.all_in(heister.stake, self.books.purse(seat))
        self.books.move(SystemPurse.POT, SystemPurse.HOUSE, heister.stake, "all in")
        self.books.move(seat, SystemPurse.HOUSE, more, "all in")
        self._cost[seat] = total = heister.stake + more
        if draw < career.chance_at(self.scene.bank, self.scene.banks):
            odds = career.odds_at(self.scene.bank, self.scene.banks)
            odds += ODDS_UNIT if self.bounds.all_in_gross else 0
            self._dice_winnings[seat] = self._gain(total + self.bounds.loan(total), odds + heister.bonus)
            self._receive(seat, self._dice_winnings[seat], "all in won")

    def _go_along(self, heister: Heister, draw: float, courage: float) -> None:
        seat, number, banks = heister.seat, self.scene.bank, self.scene.banks
        career = self.careers[seat]
        self.books.move(SystemPurse.POT, SystemPurse.HOUSE, heister.stake, "stake")
        self._cost[seat] = heister.stake
        if draw < career.chance_at(number, banks) * courage:
            odds = career.odds_at(number, banks) + heister.bonus
            self._dice_winnings[seat] = heister.stake + self._gain(heister.stake, odds)
            self.winnings[seat] = self._dice_winnings[seat]
        self._act(heister)

    def _act(self, heister: Heister) -> None:
        seat, number, banks = heister.seat, self.scene.bank, self.scene.banks
        career = self.careers[seat]
        if heister.act is Act.GUARD:
            self.careers[seat] = careers_of.with_guard(career, number, banks, self.bounds)
        elif heister.act is Act.CHANGE_JOBS:
            self.careers[seat] = replace(career, employed=False)
        elif seat in self.winnings:
            self._spend(seat, heister.act)

    def _spend(self, seat: Seat, act: Act) -> None:
        number, banks, career = self.scene.bank, self.scene.banks, self.careers[seat]
        winnings, account, outlay = self.winnings[seat], career.accounts[number], 0
        if act is Act.INTEL:
            self.careers[seat], outlay = careers_of.with_intel(career, number, winnings, banks, self.bounds)
        elif act is Act.DEPOSIT:
            self.careers[seat], outlay = careers_of.with_account(career, number, account + winnings), winnings
        elif act is Act.WITHDRAW:
            self.careers[seat] = careers_of.with_account(career, number, 0)
            winnings += account
        self.winnings[seat] = winnings - outlay
        self._put_by[seat] = outlay

    # 2. Fingers

    def _fingers(self) -> None:
        committed = self._committed()
        for each in committed:
            if each.act is Act.FINGER and each.seat in self.winnings:
                self._look_around(each.seat, committed)

    def _look_around(self, snitch: Seat, committed: Sequence[Heister]) -> None:
        suspects = [self.rng.choice(committed) for _ in range(arithmetic.LOOKS)]
        crossers = [each.seat for each in suspects if each.seat in self._crossers]
        new_crossers = [seat for seat in dict.fromkeys(crossers) if seat not in self._identified]
        for crosser in new_crossers:
            self._identify(snitch, crosser)
        if not new_crossers:
            self._stitch(snitch)

    def _identify(self, snitch: Seat, crosser: Seat) -> None:
        number, banks, takings = self.scene.bank, self.scene.banks, self._fines.get(snitch, 0)
        purse = self.books.purse(crosser)
        stake = self._stakes[snitch]
        fine = self.bounds.fine(self._stakes[crosser], purse, stake, takings) if stake else 0
        self.books.move(crosser, snitch, fine, "finger")
        self._cost[crosser] += fine
        self._fines[snitch] = takings + fine
        self.received[snitch] = self.received.get(snitch, 0) + fine
        self.careers[crosser] = careers_of.fingered(self.careers[crosser], number, banks, self.bounds)
        self._identified.add(crosser)
        self.events.append(Identified(snitch, crosser, fine, before=len(self.events)))

    def _stitch(self, snitch: Seat) -> None:
        number, banks = self.scene.bank, self.scene.banks
        forfeit = arithmetic.forfeit(self.winnings[snitch])
        self._take(snitch, forfeit)
        self._forfeits += forfeit
        self.careers[snitch] = careers_of.stitched(self.careers[snitch], number, banks, self.bounds)
        self.events.append(Stitched(snitch, forfeit, before=len(self.events)))

    # 3. The double cross

    def _crossing(self) -> None:
        crossers = self._crossers
        if not crossers:
            self._split(self._forfeits, self._regulars(), "stitches")
        elif arithmetic.stays_secret(len(crossers), len(self._committed())):
            self._steal(crossers)
        else:
            self._spring(crossers)

    def _steal(self, crossers: Sequence[Seat]) -> None:
        regulars = self._regulars()
        bounded = self.bounds.bounds_crossers
        before = dict(self.winnings)
        shares = self._skim(crossers, regulars) if bounded else self._rob(crossers)
        losses = {each: before.get(each, 0) - self.winnings.get(each, 0) for each in regulars}
        for crosser, share in shares.items():
            if crosser in self._identified:
                continue
            self._receive(crosser, share, "double cross")
            if share:
                self._shares[crosser] = share
        for crosser in crossers:
            if crosser in self._identified:
                self._lose(crosser)
        confiscated = sum(share for crosser, share in shares.items() if crosser in self._identified)
        back = self._split(confiscated, regulars, "double cross undone", losses=losses)
        if bounded:
            self._split(self._forfeits, regulars, "stitches")
        undone = tuple(each for each in crossers if each in self._identified)
        self.events.append(Crossed(tuple(self._shares), sum(self._shares.values()), undone, back))

    def _rob(self, crossers: Sequence[Seat]) -> dict[Seat, int]:
        """Take all that the regulars won, and the forfeits, and give each crosser an equal share of it."""
        victims = [each for each in self._regulars() if each in self.winnings]
        loot = sum(self.winnings[each] for each in victims) + self._forfeits
        for each in victims:
            self._lose(each)
        return dict.fromkeys(crossers, arithmetic.equal_share(loot, len(crossers)))

    def _skim(self, crossers: Sequence[Seat], regulars: Sequence[Who]) -> dict[Seat, int]:
        """Take a part of what each person won, for those who got away, and no more than they may take."""
        reach = {
            each: self.bounds.within_reach(self.winnings.get(each, 0))
            for each in regulars
            if not isinstance(each, int) and not of_house(each)  # nothing is taken from the house
        }
        share = arithmetic.equal_share(sum(reach.values()), len(crossers))
        takers = [each for each in crossers if each in self.winnings or not self.bounds.cross_escape]
        shares = {each: self.bounds.share(share, self._stakes[each]) for each in takers}
        for each, part in _divide(sum(shares.values()), reach).items():
            self._take(each, part)
        return shares

    def _spring(self, crossers: Sequence[Seat]) -> None:
        pool = sum(self.winnings.get(each, 0) for each in crossers) + self._forfeits
        self._sprung = frozenset(crossers)
        for crosser in crossers:
            self._lose(crosser)
            if crosser not in self._identified:
                self.careers[crosser] = careers_of.fired(self.careers[crosser])
        share = self._split(pool, self._regulars(), "double cross sprung")
        self.events.append(Sprung(tuple(crossers), share))

    def _regulars(self) -> list[Who]:
        """List who shares in what is split: the loyal, but for those who play for honour."""
        seats: list[Who] = [
            each.seat
            for each in self.scene.heisters
            if each.stake and each.act not in {Act.BACK_OUT, Act.ALL_IN} and each.seat not in self._crossers
        ]
        return seats + [each.place for each in self.scene.rabble if not each.backed_out]

    def _take(self, who: Who, amount: int) -> None:
        """Take a part of somebody's winnings."""
        if not amount:
            return
        self.winnings[who] -= amount
        if not isinstance(who, int):
            self._losses[who] = self._losses.get(who, 0) + amount

    def _lose(self, who: Who) -> None:
        """Take all that somebody won, if anything."""
        self._take(who, self.winnings.get(who, 0))
        self.winnings.pop(who, None)

    def _split(
        self, pool: int, receivers: Sequence[Who], why: str, losses: Mapping[Who, int] | None = None
    ) -> int:
        """Divide a pool among those who stayed loyal; give what they get of it together.

        `losses` are what was taken from each, if the pool was made of that.
        """
        stakes = [self._stakes[each] for each in receivers]
        takings = [self._splits.get(each, 0) for each in receivers]
        fines = [0 if isinstance(each, int) else self._fines.get(each, 0) for each in receivers]
        shares = [
            self.bounds.left(share, before + fine)
            for share, before, fine in zip(
                self.bounds.split(pool, stakes, takings, [(losses or {}).get(each, 0) for each in receivers]),
                takings,
                fines,
                strict=True,
            )
        ]
        for each, share in zip(receivers, shares, strict=True):
            self._splits[each] = self._splits.get(each, 0) + share
            if isinstance(each, int):
                self.winnings[each] = self.winnings.get(each, 0) + share
            else:
                self._receive(each, share, why)
        return sum(shares)

    def _receive(self, seat: Seat, amount: int, why: str) -> None:
        self.books.move(SystemPurse.HOUSE, seat, amount, why)
        self.received[seat] = self.received.get(seat, 0) + amount

    # What became of everybody

    def _settlement(self) -> Settled:
        return Settled(
            bank=self.scene.bank,
            outcomes=self.outcomes,
            rabble_in=sum(not each.backed_out for each in self.scene.rabble),
            rabble_won=self._rabble_won,
        )

    def _outcome(self, heister: Heister) -> Outcome:
        seat = heister.seat
        return Outcome(
            seat=seat,
            act=heister.act,
            fate=self._fate(heister),
            cost=self._cost.get(seat, 0),
            winnings=self._dice_winnings.get(seat, 0),
            received=self.received.get(seat, 0),
            lucky=seat in self._dice_winnings,
            put_by=self._put_by.get(seat, 0),
            lost=max(self._losses.get(seat, 0) - self._splits.get(seat, 0), 0),
            loot=self._shares.get(seat, 0),
        )

    def _fate(self, heister: Heister) -> Fate:
        """Decide what became of a heister, when all is over."""
        seat = heister.seat
        if not heister.committed:
            return Fate.RETURNED
        if seat in self._sprung:
            return Fate.TRAPPED
        if seat in self._identified:
            return Fate.FINGERED
        if seat in self._shares:
            return Fate.RAN
        return Fate.ESCAPED if seat in self._dice_winnings else Fate.CAUGHT


def _divide(amount: int, reach: Mapping[Seat, int]) -> dict[Seat, int]:
    """Take an amount from several in proportion to what is in reach of each, largest remainders first."""
    total = sum(reach.values())
    parts = {who: amount * each // total for who, each in reach.items()} if total else {}
    ranked = sorted(parts, key=lambda who: amount * reach[who] % total, reverse=True)
    for who in ranked[: amount - sum(parts.values())]:
        parts[who] += 1
    return parts
