"""The games of a tournament as loops over arrays, written so that they can be compiled as they stand.

The same games as the referee's, draw by draw, as long as all amounts fit into 64 bits: `bounded` says before
each game whether they do. `compilation.py` compiles `advance` and all that it calls; `tournament.py` beside
it calls it, asks strategies that are not compiled, and has other games played by that of the folder above.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chatbot.games.heist.contest.champion import champion_answer, champion_stake
from chatbot.games.heist.contest.compiled.arrays import (
    ACT,
    ASKED,
    BEGIN,
    CREW,
    DONE,
    DRAWS,
    FATES,
    FLED,
    HEISTERS,
    MOST_GUARDS,
    NEWS,
    NONE,
    ORDER,
    PLACES,
    PURSES,
    RECORDS,
    SLOT_NUMBERS,
    SLOT_PLACES,
    STAKE,
    STAKED,
    STAYS,
    TAKE_ACT,
    TAKE_STAKE,
    UNBOUNDED,
    contestants_in,
    game_in,
)
from chatbot.games.heist.contest.compiled.draws import come, shuffle, slots, uniform
from chatbot.games.heist.contest.compiled.settlement import CHANCES, end, settle
from chatbot.games.heist.contest.contestants import (
    climber_answer,
    climber_stake,
    gambler_answer,
    gambler_stake,
    guardsman_answer,
    guardsman_stake,
    kelly_answer,
    kelly_stake,
    lurker_answer,
    lurker_stake,
    passive_answer,
    passive_stake,
    saver_answer,
    saver_stake,
    snitch_answer,
    snitch_stake,
    spy_answer,
    spy_stake,
    turncoat_answer,
    turncoat_stake,
)
from chatbot.games.heist.contest.situation import (
    ACTING,
    ALL_IN,
    BACK_OUT,
    BANKS,
    EXACT,
    MOST_COMPILED,
    STAKING,
    Situation,
)
from chatbot.games.heist.rules.arithmetic import (
    COLD_FEET,
    CONTAGION,
    LOAN,
    ODDS_UNIT,
    cold_feet,
    heister_index,
)
from chatbot.games.heist.rules.rabble import STAKES

if TYPE_CHECKING:
    from chatbot.games.heist.contest.compiled.arrays import Doubles, Numbers, Records, Stream

LEVELS = (*(bank.level for bank in BANKS[1:]), 1 << 62)
COLDEST_FEET = COLD_FEET + CONTAGION
MOST_STAKE = max(STAKES)


def advance(memory: Numbers, work: Numbers, answer: int) -> int:
    """Play on from where the last call stopped; `answer` is what the contestant has answered who was asked.

    `work` are the rows of the memory.

    Returns the number of the contestant to ask, perhaps with `NEWS`, or `DONE` where `until` is reached, or
    `UNBOUNDED` before a game that 64 bits may not hold.
    """
    now = game_in(memory)[0]
    own = contestants_in(memory, now.contestants)
    purses, draws, records = work[PURSES], work[DRAWS].view(np.float64), work[RECORDS:]
    take_answer(now, own, work, records, answer)
    while True:
        if now.phase == BEGIN:
            if now.number >= now.until:
                return DONE
            if not bounded(own, now.rabble, now.asks):
                return UNBOUNDED
            remember(now, own)
            begin(now, own, now.rabble, draws, work)
            now.phase = STAKE
        elif now.phase == STAKE:
            who = stake_on(now, own, purses, draws, work, records)
            if who >= 0:
                now.phase = TAKE_STAKE
                return tell(now, own[who], who)
            line_up(now, draws, work)
            now.phase = ACT
        else:
            who = act_on(now, own, draws, work, records)
            if who >= 0:
                now.phase = TAKE_ACT
                return tell(now, own[who], who)
            if not now.asks and fortune(own, now.rabble) + winnable(now, own) >= MOST_COMPILED:
                take_back(now, own)
                return UNBOUNDED
            settle(now, own, purses, work, records)
            end(now, own, work, records)
            now.phase = BEGIN


def take_answer(now: Records, own: Records, work: Numbers, records: Numbers, answer: int) -> None:
    """Take what the contestant has answered who was asked, if anybody was."""
    if now.phase == TAKE_STAKE:
        take_stake(now, own, work, records, answer)
        now.phase = STAKE
    elif now.phase == TAKE_ACT:
        take_act(now, own, work, records, answer)
        now.phase = ACT


def bounded(own: Records, rabble: int, asks: int) -> bool:
    """Return whether the next game may be begun.

    Nobody may have more guards than the workspace has room for. Whatever anybody holds after a game was held,
    or is won by somebody in it. If somebody must be asked, who cannot be asked again, the sum of all that is
    held, and would be won if everybody won with all credits at their best odds, must fit. Otherwise what is
    held must; `winnable` looks at the rest.
    """
    total = fortune(own, rabble)
    for who in range(len(own)):
        if own[who].bribes >= MOST_GUARDS:
            return False
    if asks:
        for who in range(len(own)):
            me = own[who]
            best = 0
            for bank in range(5):
                best = max(best, me.odds[bank])
            total += (me.credits + 2.0 * LOAN) * (2 + best / ODDS_UNIT)
    return total < MOST_COMPILED


def fortune(own: Records, rabble: int) -> float:
    """Return a bound of all that is held, and that the rabble can win; interest takes 14 times an account."""
    total = 4.0 * MOST_STAKE * rabble
    for who in range(len(own)):
        me = own[who]
        total += me.credits + 2.0 * me.salary
        for bank in range(5):
            total += me.odds[bank] + 16.0 * me.accounts[bank]
    return total


def winnable(now: Records, own: Records) -> float:
    """Return a bound of what the contestants win if all succeed with what they have staked."""
    total = 0.0
    for who in range(len(own)):
        me = own[who]
        if me.act == ALL_IN:
            total += (me.credits + 2.0 * LOAN) * (2 + me.odds[now.bank] / ODDS_UNIT)
        elif me.stake > 0 and me.act != BACK_OUT:
            total += me.stake * (2 + me.odds[now.bank] / ODDS_UNIT)
    return total


def remember(now: Records, own: Records) -> None:
    """Keep the streams as they are before a game: their states, for their increments never change."""
    for each in range(2):
        now.before[each] = now.stream[each]
        for who in range(len(own)):
            own[who].before[each] = own[who].stream[each]


def take_back(now: Records, own: Records) -> None:
    """Take a game back that has not been settled."""
    now.phase = BEGIN
    for who in range(len(own)):
        own[who].stake, own[who].act = 0, NONE
    for each in range(2):
        now.stream[each] = now.before[each]
        for who in range(len(own)):
            own[who].stream[each] = own[who].before[each]


# Before a game


def begin(now: Records, own: Records, rabble: int, draws: Doubles, work: Numbers) -> None:
    rank(now, own)
    size = come(now.stream, rabble, draws, work)
    slots(now.stream, len(own), size, work)
    for turn in range(size):
        draws[turn] = uniform(now.stream)
    now.size = now.came = size
    now.players = len(own) + size
    now.round = STAKING
    now.heisters = now.staked = now.committed = now.bank = 0
    now.next = now.turn = now.crew = now.answers = 0


def rank(now: Records, own: Records) -> None:
    """Set ranks, and the mean, mean absolute deviation and maximum of credits, as `standing` gives them."""
    count = len(own)
    total = most = 0
    for who in range(count):
        total += own[who].credits
        most = max(most, own[who].credits)
    whole, rest = total // count, total % count
    apart = weight = 0  # count * credits - total is count * (credits - whole) - rest
    for who in range(count):
        mine = own[who].credits
        if mine > whole:
            apart += mine - whole
            weight -= rest
        else:
            apart += whole - mine
            weight += rest
        ahead = 0
        for other in range(count):  # contestants are few: to sort them takes longer
            ahead += int(own[other].credits > mine)
        own[who].rank = 1 + ahead
    over = apart % count * count + weight
    squared = count * count
    now.mean = nearest(whole, rest, count)
    now.deviation = nearest(apart // count + over // squared, over % squared, squared)
    now.total = total
    now.most = most


def nearest(whole: int, rest: int, divisor: int) -> float:
    """Return the double nearest to `whole + rest / divisor`, both from 0 on and `rest` below the divisor."""
    scale = 1.0
    if rest > 0:
        while (
            whole < 1 << 55
        ):  # then the last bit is far behind a double's, and only says whether more follows
            twice = 2 * rest
            more = int(twice >= divisor)
            whole = 2 * whole + more
            rest = twice - more * divisor
            scale *= 0.5
            if rest == 0:
                break
    return float(whole | int(rest > 0)) * scale


# Round 1


def stake_on(
    now: Records, own: Records, purses: Numbers, draws: Doubles, work: Numbers, records: Numbers
) -> int:
    """Let all stake until a contestant is to be asked; return its number, or `NONE` where all have."""
    while now.next < len(own):
        before, place = now.next, work[SLOT_PLACES, now.next]
        who = work[SLOT_NUMBERS, before]
        rabble_stakes(now, purses, draws, work, place - before)
        now.acted = place
        if own[who].strategy == ASKED:
            return int(who)
        situation = situation_of(now, own[who])
        take_stake(now, own, work, records, stake_of(own[who].strategy, situation, own[who].stream))
    rabble_stakes(now, purses, draws, work, now.size)
    return NONE


def rabble_stakes(now: Records, purses: Numbers, draws: Doubles, work: Numbers, end_turn: int) -> None:
    bank, heisters, staked = now.bank, now.heisters, now.staked
    for turn in range(now.turn, end_turn):
        stake = 0
        if draws[turn] < CHANCES[bank]:
            purse = purses[work[PLACES, turn]]
            for each in STAKES:
                if each <= purse:
                    stake = each
            heisters += 1
            staked += stake
            while heister_index(heisters, staked) >= LEVELS[bank]:
                bank += 1
        work[STAKED, turn] = stake
    now.bank, now.heisters, now.staked = bank, heisters, staked
    now.turn = max(now.turn, end_turn)


def take_stake(now: Records, own: Records, work: Numbers, records: Numbers, amount: int) -> None:
    """Take the stake of the contestant whose turn it is."""
    who = work[SLOT_NUMBERS, now.next]
    stake = max(min(amount, own[who].credits), 0)
    own[who].stake = stake
    records[now.record, 3 + 2 * now.next] = who
    records[now.record, 4 + 2 * now.next] = stake
    if stake > 0:
        work[CREW, now.crew] = who
        now.crew += 1
        now.heisters += 1
        now.staked += stake
        while heister_index(now.heisters, now.staked) >= LEVELS[now.bank]:
            now.bank += 1
    now.next += 1


# Round 2


def line_up(now: Records, draws: Doubles, work: Numbers) -> None:
    """Draw the order of round 2, and everybody's nerve."""
    heisters = 0
    for turn in range(now.size):
        if work[STAKED, turn] > 0:
            work[FATES, turn] = STAYS
            work[HEISTERS, heisters] = turn
            heisters += 1
        else:
            work[FATES, turn] = 0
    shuffle(now.stream, heisters, draws, work)
    slots(now.stream, now.crew, heisters, work)
    for turn in range(heisters):
        draws[turn] = uniform(now.stream)
    now.size = heisters
    now.round = ACTING
    now.next = now.turn = now.fled = 0


def act_on(now: Records, own: Records, draws: Doubles, work: Numbers, records: Numbers) -> int:
    """Let all act until a contestant is to be asked; return its number, or `NONE` where all have."""
    while now.next < now.crew:
        before, place = now.next, work[SLOT_PLACES, now.next]
        who = work[CREW, work[SLOT_NUMBERS, before]]
        rabble_acts(now, draws, work, place - before, before)
        now.acted = place
        now.committed = place - now.fled
        if own[who].strategy == ASKED:
            return int(who)
        situation = situation_of(now, own[who])
        take_act(now, own, work, records, answer_of(own[who].strategy, situation, own[who].stream))
    rabble_acts(now, draws, work, now.size, now.crew)
    return NONE


def rabble_acts(now: Records, draws: Doubles, work: Numbers, end_turn: int, before: int) -> None:
    """Let the rabble act up to a turn; `before` contestants have acted."""
    fled = now.fled
    for turn in range(now.turn, end_turn):
        if draws[turn] < COLDEST_FEET and draws[turn] < cold_feet(turn + before, fled):
            fled += 1
            work[FATES, work[HEISTERS, work[ORDER, turn]]] = FLED
    now.fled = fled
    now.turn = max(now.turn, end_turn)


def take_act(now: Records, own: Records, work: Numbers, records: Numbers, act: int) -> None:
    """Take the answer of the contestant whose turn it is."""
    who = work[CREW, work[SLOT_NUMBERS, now.next]]
    own[who].act = act
    at = 3 + 2 * len(own) + 2 * now.answers
    records[now.record, at] = who
    records[now.record, at + 1] = act
    now.answers += 1
    now.fled += int(act == BACK_OUT)
    now.next += 1


# What a contestant is told, and the built-in ones


def tell(now: Records, me: Records, who: int) -> int:
    """Lay out what a contestant who is asked is told; return its number, with `NEWS` if that is not all."""
    now.credits, now.stake, now.salary, now.employed, now.rank = (
        me.credits, me.stake, me.salary, me.employed, me.rank
    )  # fmt: skip
    if me.changed == 0 and now.total < EXACT:
        return who
    me.changed = 0
    return who + NEWS


def situation_of(now: Records, me: Records) -> Situation:
    a, c, o = me.accounts, me.chances, me.odds
    return Situation(
        now.number, now.round, now.players, now.acted, now.heisters, now.staked, now.committed, now.bank,
        me.credits, me.stake, me.salary, me.employed, me.rank, now.mean, now.deviation, now.most,
        (a[0], a[1], a[2], a[3], a[4]), (c[0], c[1], c[2], c[3], c[4]), (o[0], o[1], o[2], o[3], o[4]),
    )  # fmt: skip


def stake_of(strategy: int, situation: Situation, stream: Stream) -> int:  # noqa: C901, PLR0911
    """Return the stake of a built-in strategy, by its number in `CONTESTANTS`."""
    if strategy == 0:
        return lurker_stake(situation, stream)
    if strategy == 1:
        return passive_stake(situation, stream)
    if strategy == 2:
        return kelly_stake(situation, stream)
    if strategy == 3:
        return saver_stake(situation, stream)
    if strategy == 4:
        return snitch_stake(situation, stream)
    if strategy == 5:
        return turncoat_stake(situation, stream)
    if strategy == 6:
        return climber_stake(situation, stream)
    if strategy == 7:
        return guardsman_stake(situation, stream)
    if strategy == 8:
        return spy_stake(situation, stream)
    if strategy == 9:
        return gambler_stake(situation, stream)
    return champion_stake(situation, stream)


def answer_of(strategy: int, situation: Situation, stream: Stream) -> int:  # noqa: C901, PLR0911
    """Return the answer of a built-in strategy, by its number in `CONTESTANTS`."""
    if strategy == 0:
        return lurker_answer(situation, stream)
    if strategy == 1:
        return passive_answer(situation, stream)
    if strategy == 2:
        return kelly_answer(situation, stream)
    if strategy == 3:
        return saver_answer(situation, stream)
    if strategy == 4:
        return snitch_answer(situation, stream)
    if strategy == 5:
        return turncoat_answer(situation, stream)
    if strategy == 6:
        return climber_answer(situation, stream)
    if strategy == 7:
        return guardsman_answer(situation, stream)
    if strategy == 8:
        return spy_answer(situation, stream)
    if strategy == 9:
        return gambler_answer(situation, stream)
    return champion_answer(situation, stream)
