"""What a farm can bring to one of its accounts: by pots, heists and gifts, on every day as much as goes.

All accounts are under one hand: at pots they lose to the main account, at heists they cross so that it may
split what they won, or let it name them. The limits are the program's; the tables are played by its rules.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.economy_returns import stays
from benchmarks.economy_tables import Part, raid, stream
from chatbot.community.earning.settings import Earnings
from chatbot.games.heist.rules.moves import Act
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Seat
from chatbot.kernel.lobby import Lobby, winnable
from chatbot.settings.community import CreditSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

DAYS, HEISTS = 14, 36  # that a farm is watched for, and heists of a day
OLD = 90  # days for which an old farm has saved what it earned
STREAM = 240  # minutes a day
PLANS = (
    (Act.GUNCHECK, Act.DOUBLE_CROSS),  # all the others but one cross, in vain, and the main account splits
    (Act.DOUBLE_CROSS, Act.GUNCHECK),
    (Act.FINGER, Act.DOUBLE_CROSS),
    (Act.GUNCHECK, Act.FINGER),
)
"""What the main account answers, and the others."""
MAIN = Seat("people:main")


@dataclass(frozen=True, slots=True)
class Farm:
    size: int  # accounts, the main one among them
    age: int  # days
    received: int  # by the main account of the others, on the best of its days
    limit: int
    staked: int  # at heists, by all of them
    back: float  # what came back of that

    def __str__(self) -> str:
        return f"{self.size} accounts, {self.age} days old"


def daily(earnings: Earnings) -> int:
    """Tell what an account earns on a day on which a script does all that pays."""
    watched = STREAM // earnings.watch_minutes * earnings.watch
    talked = STREAM * 60 // max(earnings.talk_gap, 1) // earnings.talk_messages * earnings.talk
    return min(watched + talked, earnings.daily_most) + 24 // earnings.claim_hours * earnings.claim


def farmed(seed: str, size: int, age: int) -> Farm:
    """Let a farm play for some days, by the plan that brings its main account most."""
    runs = [_run(f"{seed} {plan}", size, age, *plan) for plan in PLANS]
    best = max(runs, key=lambda each: each.received)
    staked = sum(each.staked for each in runs)
    return Farm(size, age, best.received, best.limit, staked, sum(e.back * e.staked for e in runs) / staked)


def _run(seed: str, size: int, age: int, own: Act, others: Act) -> Farm:
    earnings, terms, game, rng = Earnings(), CreditSettings(), stream(), Rng.of(f"{seed} {size} {age}")
    seats = [MAIN, *(Seat(f"people:alt{number}") for number in range(1, size))]
    wallets = Counter(dict.fromkeys(seats, terms.start + earnings.follow + age * daily(earnings)))
    staked = change = best = 0
    for _ in range(DAYS):
        for seat in seats:
            wallets[seat] += daily(earnings)
            wallets[seat] -= earnings.upkeep_of(wallets[seat])
        got = 0
        for _ in range(HEISTS):
            stake = min(min(wallets.values()) // (1 + game.cross_reserve), game.max_stake)
            if stake < game.min_stake or got + game.bounds.takes(own, stake) > terms.taken_daily:
                continue
            crew = [
                Part(seat, stake, wallets[seat], _mind(seat, number, own, others))
                for number, seat in enumerate(seats)
            ]
            raided = raid(game, crew, {}, rng)
            for seat in seats:
                wallets[seat] += raided.changed[seat]
            got += raided.taken.get(MAIN, 0)
            staked += stake * size
            change += sum(raided.changed.values())
        got += _pots(wallets, seats, terms.taken_daily - got)
        spare = sum(min(max(wallets[seat] - terms.start, 0), terms.give_daily) for seat in seats[1:])
        got += min(spare, terms.taken_daily - got)
        best = max(best, got)
    return Farm(size, age, best, terms.taken_daily, staked, 1 + change / staked if staked else 1.0)


def _mind(seat: Seat, number: int, own: Act, others: Act) -> partial[Act] | None:
    """Give the answer of an account; the first beside the main one sticks, or no cross would be one."""
    if seat == MAIN:
        return partial(stays, act=own)
    return partial(stays, act=others) if number > 1 else None


def _pots(wallets: Counter[Seat], seats: Sequence[Seat], left: int) -> int:
    """Lose a pot to the main account, with the largest stake by which the limit lets all of them join."""
    table = tuple(seats[:10])
    stake = left // (len(table) - 1)
    winnings = (
        winnable(None, Lobby(table, 1, stake))[MAIN] if min(wallets[each] for each in table) >= stake else 0
    )
    for each in table[1:]:
        wallets[each] -= stake if winnings else 0
    wallets[MAIN] += winnings
    return winnings
