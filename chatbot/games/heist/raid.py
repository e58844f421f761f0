"""The dice of a heist and what follows, in this order: success, fingers, the double cross.

Accounts, intel and guards act on the winnings at the draw; what they improve counts from the next
heist on. Winnings reach the purses when all three are done. What rounding leaves over, and what has
nobody to receive it, vanishes: the bank recovers it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from chatbot.games.heist import career as careers_of
from chatbot.games.heist.banks import Bank, gain
from chatbot.games.heist.moves import (
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
from chatbot.games.heist.rabble import Rabbler
from chatbot.kernel.game import Seat, Till

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.games.heist.books import Books
    from chatbot.games.heist.career import Career
    from chatbot.kernel.fair import Rng

LOAN = 240  # of those who go all in, whatever their salary
LOOKS = 8  # draws of a snitch
FINE = 4  # a quarter of an identified crosser's credits goes to the snitch
SECRET = 10  # one crosser in ten committed players stays a secret

Who: TypeAlias = Seat | int
"""A seat, or a place in the rabble."""


@dataclass(frozen=True, slots=True)
class Heister:
    seat: Seat
    stake: int
    act: Act = Act.GUNCHECK

    @property
    def committed(self) -> bool:
        return self.act is not Act.BACK_OUT


@dataclass(frozen=True, slots=True)
class Scene:
    """Everybody in front of the bank, in the order of joining; the rabble last."""

    banks: tuple[Bank, ...]
    bank: int
    heisters: tuple[Heister, ...]
    rabble: tuple[Rabbler, ...]  # those with a stake

    @property
    def share(self) -> tuple[int, int]:
        """Committed heisters out of all."""
        committed = sum(each.committed for each in self.heisters)
        committed += sum(not each.backed_out for each in self.rabble)
        return committed, len(self.heisters) + len(self.rabble)


class Raid:
    """One heist as it is settled: `careers`, `winnings` and `events` change step by step."""

    def __init__(self, scene: Scene, careers: Mapping[Seat, Career], books: Books, rng: Rng) -> None:
        self.scene, self.books, self.rng = scene, books, rng
        self.careers = dict(careers)
        self.events: list[object] = []
        self.winnings: dict[Who, int] = {}  # of those who succeeded
        self.received: dict[Seat, int] = {}
        self.outcomes: tuple[Outcome, ...] = ()
        self._cost: dict[Seat, int] = {}
        self._drawn: dict[Seat, int] = {}  # the winnings that the dice gave
        self._identified: set[Seat] = set()
        self._forfeits = 0
        self._rabble_won = 0

    def run(self) -> None:
        self._dice()
        self._fingers()
        self._crossing()
        for seat in [each for each in self.winnings if not isinstance(each, int)]:
            self._receive(seat, self.winnings[seat], "winnings")
        self.outcomes = tuple(self._outcome(each) for each in self.scene.heisters)
        self.events = [self._settled(), *self.events, BroughtHome(self.outcomes)]

    # 1. Success

    def _dice(self) -> None:
        committed, heisters = self.scene.share
        for each in self.scene.heisters:
            if each.act is Act.BACK_OUT:
                self.books.move(Till.POT, each.seat, each.stake, "stake returned")
            elif each.act is Act.ALL_IN:
                self._go_alone(each)
            else:
                self._go_along(each, committed / heisters)
        for rabbler in self.scene.rabble:
            bank = self.scene.banks[self.scene.bank]
            if not rabbler.backed_out and self.rng.chance(bank.chance * committed / heisters):
                self.winnings[rabbler.place] = rabbler.stake + gain(rabbler.stake, bank.odds)
                self._rabble_won += 1

    def _go_alone(self, heister: Heister) -> None:
        seat, career = heister.seat, self.careers[heister.seat]
        purse = self.books.purse(seat)
        self.books.move(Till.POT, Till.HOUSE, heister.stake, "all in")
        self.books.move(seat, Till.HOUSE, purse, "all in")
        self._cost[seat] = heister.stake + purse
        if self.rng.chance(career.chance_at(self.scene.bank, self.scene.banks)):
            odds = career.odds_at(self.scene.bank, self.scene.banks)
            self._drawn[seat] = gain(heister.stake + purse + LOAN, odds)
            self._receive(seat, self._drawn[seat], "all in won")

    def _go_along(self, heister: Heister, share: float) -> None:
        seat, number, banks = heister.seat, self.scene.bank, self.scene.banks
        career = self.careers[seat]
        self.books.move(Till.POT, Till.HOUSE, heister.stake, "stake")
        self._cost[seat] = heister.stake
        if self.rng.chance(career.chance_at(number, banks) * share):
            self._drawn[seat] = heister.stake + gain(heister.stake, career.odds_at(number, banks))
            self.winnings[seat] = self._drawn[seat]
        self._act(heister)

    def _act(self, heister: Heister) -> None:
        seat, number, banks = heister.seat, self.scene.bank, self.scene.banks
        career = self.careers[seat]
        if heister.act is Act.GUARD:
            self.careers[seat] = careers_of.with_guard(career, number, banks)
        elif heister.act is Act.CHANGE_JOBS:
            self.careers[seat] = replace(career, employed=False)
        elif seat in self.winnings:
            self._spend(seat, heister.act)

    def _spend(self, seat: Seat, act: Act) -> None:
        number, career = self.scene.bank, self.careers[seat]
        won, account = self.winnings[seat], career.accounts[number]
        if act is Act.INTEL:
            odds = career.odds_at(number, self.scene.banks) + won  # 0.00001 a credit
            self.careers[seat], self.winnings[seat] = careers_of.with_odds(career, number, odds), 0
        elif act is Act.DEPOSIT:
            self.careers[seat] = careers_of.with_account(career, number, account + won)
            self.winnings[seat] = 0
        elif act is Act.WITHDRAW:
            self.careers[seat] = careers_of.with_account(career, number, 0)
            self.winnings[seat] = won + account

    # 2. Fingers

    def _fingers(self) -> None:
        committed = [each for each in self.scene.heisters if each.committed]
        for each in committed:
            if each.act is Act.FINGER and each.seat in self.winnings:
                self._look_around(each.seat, committed)

    def _look_around(self, snitch: Seat, committed: Sequence[Heister]) -> None:
        named = [self.rng.choice(committed) for _ in range(LOOKS)]
        found = [each.seat for each in named if each.act is Act.DOUBLE_CROSS]
        fresh = [seat for seat in dict.fromkeys(found) if seat not in self._identified]
        for crosser in fresh:
            self._identify(snitch, crosser)
        if not fresh:
            self._stitch(snitch)

    def _identify(self, snitch: Seat, crosser: Seat) -> None:
        number, banks = self.scene.bank, self.scene.banks
        fine = self.books.purse(crosser) // FINE
        self.books.move(crosser, snitch, fine, "finger")
        self._cost[crosser] += fine
        self.received[snitch] = self.received.get(snitch, 0) + fine
        self.careers[crosser] = careers_of.fingered(self.careers[crosser], number, banks)
        self._identified.add(crosser)
        self.events.append(Identified(snitch, crosser, fine))

    def _stitch(self, snitch: Seat) -> None:
        number, banks = self.scene.bank, self.scene.banks
        forfeit = self.winnings[snitch] // 2
        self.winnings[snitch] -= forfeit
        self._forfeits += forfeit
        self.careers[snitch] = careers_of.stitched(self.careers[snitch], number, banks)
        self.events.append(Stitched(snitch, forfeit))

    # 3. The double cross

    def _crossing(self) -> None:
        committed = [each for each in self.scene.heisters if each.committed]
        crossers = [each.seat for each in committed if each.act is Act.DOUBLE_CROSS]
        if not crossers:
            self._split(self._forfeits, self._regulars(), "stitches")
        elif len(crossers) == 1 or len(crossers) <= len(committed) // SECRET:
            self._steal(crossers)
        else:
            self._spring(crossers)

    def _steal(self, crossers: Sequence[Seat]) -> None:
        regulars = self._regulars()
        loot = sum(self.winnings.pop(each, 0) for each in regulars) + self._forfeits
        share = loot // len(crossers)
        confiscated = 0
        for crosser in crossers:
            if crosser in self._identified:
                self.winnings.pop(crosser, None)
                confiscated += share
            else:
                self._receive(crosser, share, "double cross")
        back = self._split(confiscated, regulars, "double cross undone")
        undone = tuple(each for each in crossers if each in self._identified)
        ran = tuple(each for each in crossers if each not in self._identified)
        self.events.append(Crossed(ran, share, undone, back))

    def _spring(self, crossers: Sequence[Seat]) -> None:
        pool = sum(self.winnings.pop(each, 0) for each in crossers) + self._forfeits
        for crosser in crossers:
            if crosser not in self._identified:
                self.careers[crosser] = careers_of.fired(self.careers[crosser])
        share = self._split(pool, self._regulars(), "double cross sprung")
        self.events.append(Sprung(tuple(crossers), share))

    def _regulars(self) -> list[Who]:
        apart = (Act.BACK_OUT, Act.ALL_IN, Act.DOUBLE_CROSS)
        seats: list[Who] = [each.seat for each in self.scene.heisters if each.act not in apart]
        return seats + [each.place for each in self.scene.rabble if not each.backed_out]

    def _split(self, pool: int, receivers: Sequence[Who], why: str) -> int:
        share = pool // len(receivers) if receivers else 0
        for each in receivers:
            if isinstance(each, int):
                self.winnings[each] = self.winnings.get(each, 0) + share
            else:
                self._receive(each, share, why)
        return share

    def _receive(self, seat: Seat, amount: int, why: str) -> None:
        self.books.move(Till.HOUSE, seat, amount, why)
        self.received[seat] = self.received.get(seat, 0) + amount

    def _settled(self) -> Settled:
        return Settled(
            bank=self.scene.bank,
            outcomes=self.outcomes,
            rabble_in=sum(not each.backed_out for each in self.scene.rabble),
            rabble_won=self._rabble_won,
        )

    def _outcome(self, heister: Heister) -> Outcome:
        seat = heister.seat
        fate = Fate.SUCCEEDED if seat in self._drawn else Fate.FAILED if heister.committed else Fate.RETURNED
        cost, drawn = self._cost.get(seat, 0), self._drawn.get(seat, 0)
        return Outcome(seat, heister.act, fate, cost, drawn, self.received.get(seat, 0))
