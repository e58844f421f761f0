"""The dice of a compiled game and what follows: what `settle` and `end_game` of `tournament.py` do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.heist.contest.compiled.arrays import (
    CREW,
    FATES,
    FLED,
    KEYS,
    NONE,
    PLACES,
    STAKED,
    STAYS,
    WON,
)
from chatbot.games.heist.contest.compiled.draws import below, uniform
from chatbot.games.heist.contest.situation import (
    ALL_IN,
    BACK_OUT,
    BANKS,
    CHANGE_JOBS,
    DEPOSIT,
    DOUBLE_CROSS,
    FINGER,
    GUARD,
    INTEL,
    WITHDRAW,
)
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

if TYPE_CHECKING:
    from chatbot.games.heist.contest.compiled.arrays import Numbers, Records, Stream

CHANCES = tuple(bank.chance for bank in BANKS)
ODDS = tuple(bank.odds for bank in BANKS)
RICH = 1 << 61  # as in `crowd.py`


def settle(now: Records, own: Records, purses: Numbers, work: Numbers, records: Numbers) -> None:
    bank, everybody = now.bank, now.heisters - now.fled
    share_in = courage(everybody, now.heisters)
    committed = 0
    for number in range(now.crew):
        who = work[CREW, number]
        if own[who].act != BACK_OUT:
            work[CREW, committed] = who
            committed += 1
    at = 3 + 4 * len(own)
    for number in range(committed):
        who = work[CREW, number]
        draw = uniform(now.stream)
        success, may_gain = throw(own[who], bank, share_in, draw)
        records[now.record, at + 3 * number] = who
        records[now.record, at + 3 * number + 1] = success
        records[now.record, at + 3 * number + 2] = may_gain
    records[now.record, 0] = now.players
    records[now.record, 1] = now.answers
    records[now.record, 2] = committed
    regulars = storm(now, work, CHANCES[bank] * share_in)
    forfeits = crossers = 0
    for number in range(committed):
        me = own[work[CREW, number]]
        if me.act == FINGER and me.winnings > 0:
            forfeits += look_around(now.stream, own, me, work, committed, bank)
    for number in range(committed):
        crossers += int(own[work[CREW, number]].act == DOUBLE_CROSS)
    share = 0
    if crossers > 0 or forfeits > 0:
        share = divide(now, own, work, committed, crossers, regulars, forfeits)
    pay_rabble(now, purses, work, share)


def throw(me: Records, bank: int, share_in: float, draw: float) -> tuple[int, int]:
    """Settle what the dice gave; return success and what may be gained."""
    act = me.act
    if act == ALL_IN:
        success = draw < me.chances[bank]
        me.credits = gain(me.credits + LOAN, me.odds[bank]) if success else 0
        return int(success), 0
    success = draw < me.chances[bank] * share_in
    me.credits -= me.stake
    if act == GUARD:
        set_chance(me, bank, guarded(me.chances[bank]))
        me.guards[bank] += 1
        me.bribes += 1
    elif act == CHANGE_JOBS:
        me.employed = False
    if not success:
        return 0, 0
    winnings = me.stake + gain(me.stake, me.odds[bank])
    if act == INTEL:
        me.odds[bank] += winnings  # 0.00001 a credit
        me.changed = 1
        return 1, 0
    if act == DEPOSIT:
        me.accounts[bank] += winnings
        me.changed = 1
        return 1, 0
    if act == WITHDRAW:
        winnings += me.accounts[bank]
        me.accounts[bank] = 0
        me.changed = 1
    me.winnings = winnings
    return 1, winnings


def set_chance(me: Records, bank: int, chance: float) -> None:
    me.chances[bank] = min(max(chance, 0.0), 1.0)
    me.changed = 1


def storm(now: Records, work: Numbers, chance: float) -> int:
    """Throw the dice of the rabble; return how many went in."""
    regulars, odds = 0, ODDS[now.bank]
    for turn in range(now.came):
        work[WON, turn] = 0
        if work[FATES, turn] == STAYS:
            regulars += 1
            if uniform(now.stream) < chance:
                work[WON, turn] = work[STAKED, turn] + gain(work[STAKED, turn], odds)
    return regulars


def look_around(stream: Stream, own: Records, me: Records, work: Numbers, committed: int, bank: int) -> int:
    """Let a snitch name crossers; return what is forfeited by one who finds none."""
    found = False
    for _ in range(LOOKS):
        suspect = own[work[CREW, int(uniform(stream) * committed)]]
        if suspect.act == DOUBLE_CROSS and suspect.exposed == 0:
            found = True
            suspect.exposed = 1
            amount = fine(suspect.credits)
            suspect.credits -= amount
            me.credits += amount
            lose_job(suspect)
            set_chance(suspect, bank, fingered(suspect.chances[bank], 0.0))
    if found:
        return 0
    loss = forfeit(me.winnings)
    me.winnings -= loss
    me.salary = docked(me.salary)
    me.odds[bank] = max(stitched(me.odds[bank], 0), 0)
    me.changed = 1
    return int(loss)


def lose_job(me: Records) -> None:
    me.employed = False
    me.salary = halved(me.salary)


def divide(
    now: Records, own: Records, work: Numbers, committed: int, crossers: int, regulars: int, forfeits: int
) -> int:
    """Give crossers what they take, and the others their shares; return that of each of the rabble."""
    if crossers > 0 and stays_secret(crossers, committed):
        steal(now, own, work, committed, crossers, forfeits)
        return 0
    pool = forfeits
    if crossers > 0:
        for number in range(committed):
            me = own[work[CREW, number]]
            if me.act == DOUBLE_CROSS:
                pool += me.winnings
                me.winnings = 0
                if me.exposed == 0:
                    lose_job(me)
    receivers = regulars
    for number in range(committed):
        receivers += int(regular(own[work[CREW, number]]))
    share = equal_share(pool, receivers)
    for number in range(committed):
        me = own[work[CREW, number]]
        if regular(me):
            me.credits += share
    return share


def steal(now: Records, own: Records, work: Numbers, committed: int, crossers: int, forfeits: int) -> None:
    """Give crossers what the regulars won, and the forfeits; the shares of the exposed go back."""
    loss = 0
    for turn in range(now.came):
        loss += work[WON, turn]
    for number in range(committed):
        me = own[work[CREW, number]]
        if regular(me):
            loss += me.winnings
    share, pool = equal_share(loss + forfeits, crossers), 0
    for number in range(committed):
        me = own[work[CREW, number]]
        if me.act == DOUBLE_CROSS:
            if me.exposed == 1:
                me.winnings = 0
                pool += share
            else:
                me.credits += share
    for turn in range(now.came):
        work[WON, turn] = recovered(pool, work[WON, turn], loss)
    for number in range(committed):
        me = own[work[CREW, number]]
        if regular(me):
            me.winnings = recovered(pool, me.winnings, loss)


def recovered(pool: int, winnings: int, loss: int) -> int:
    return proportional_share(pool, winnings, loss) if pool > 0 and winnings > 0 else 0


def regular(me: Records) -> bool:
    return bool(me.act not in (DOUBLE_CROSS, ALL_IN))


def pay_rabble(now: Records, purses: Numbers, work: Numbers, share: int) -> None:
    for turn in range(now.came):
        place, fate = work[PLACES, turn], work[FATES, turn]
        if fate == FLED:
            continue
        purse = purses[place] + SALARY
        if fate == STAYS:
            purse += work[WON, turn] - work[STAKED, turn]
            purse += min(share, RICH)
        purses[place] = min(purse, RICH)


# The payday


def end(now: Records, own: Records, work: Numbers, records: Numbers) -> None:
    at = 3 + 7 * len(own)
    for who in range(len(own)):
        pay(now.stream, own[who], work)
        records[now.record, at + who] = own[who].credits
    now.record += 1
    now.number += 1


def pay(stream: Stream, me: Records, work: Numbers) -> None:
    me.credits += me.winnings
    for bank in range(5):
        account = me.accounts[bank]
        if account > 0:
            me.accounts[bank] = with_interest(account)
            me.changed = 1
    if not me.employed and uniform(stream) < HIRING:
        me.employed = True
        me.salary = raised(me.salary)
    if me.employed and me.act not in (BACK_OUT, ALL_IN):
        me.credits += me.salary
    if me.bribes > 0:
        payment = min(me.bribes, me.credits)
        me.credits -= payment
        if payment < me.bribes:
            dismiss(stream, me, me.bribes - payment, work[KEYS])
    me.stake, me.act, me.winnings, me.exposed = 0, NONE, 0, 0


def dismiss(stream: Stream, me: Records, unpaid: int, posts: Numbers) -> None:
    """Let so many guards go, drawn as `Rng.sample` does."""
    count = 0
    for bank in range(5):
        for _ in range(me.guards[bank]):
            posts[count] = bank
            count += 1
    for place in range(unpaid):
        other = place + below(stream, count - place)
        bank = posts[other]
        posts[other] = posts[place]
        me.guards[bank] -= 1
        set_chance(me, bank, unguarded(me.chances[bank], 0.0))
    me.bribes -= unpaid
