"""The dice of a fast tournament's game and what follows: `raid.py`, with contestants changed in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.heist.contest.crowd import HEISTERS
from chatbot.games.heist.rules.banks import gain
from chatbot.games.heist.rules.bounds import FINE, LOAN
from chatbot.games.heist.rules.moves import Act
from chatbot.games.heist.rules.raid import LOOKS, SECRET

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.games.heist.contest.crowd import RabbleArrays
    from chatbot.games.heist.contest.luck import Luck
    from chatbot.games.heist.contest.rival import Rival

# Looking up a member of an Enum takes longer than all else that is done with it.
BACK_OUT, ALL_IN, CHANGE_JOBS, INTEL, GUARD = Act.BACK_OUT, Act.ALL_IN, Act.CHANGE_JOBS, Act.INTEL, Act.GUARD
DEPOSIT, WITHDRAW, DOUBLE_CROSS, FINGER = Act.DEPOSIT, Act.WITHDRAW, Act.DOUBLE_CROSS, Act.FINGER


def settle(crew: Sequence[Rival], crowd: RabbleArrays, luck: Luck) -> list[tuple[int, bool, int]]:
    """Settle all but the payday; give who of the committed succeeded, and what each may gain.

    The crew is in the order of joining. What they win waits in `won` for the payday.
    """
    committed = [each for each in crew if each.act is not BACK_OUT]
    heisters = crowd.tally & HEISTERS
    everybody = heisters - crowd.fled
    results = _dice(committed, crowd.bank, everybody / heisters if heisters else 0, luck)
    crowd.storm(luck, everybody, heisters)
    forfeits = 0
    for each in committed:
        if each.act is FINGER and each.won:
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
    for each, drawn in zip(committed, luck.uniforms(len(committed)).tolist(), strict=True):
        if each.act is ALL_IN:
            success, may_gain = _go_alone(each, bank, drawn), 0
        else:
            success = drawn < each.chances[bank] * share
            may_gain = _go_along(each, bank, success)
        results.append((each.number, success, may_gain))
    return results


def _go_alone(rival: Rival, bank: int, drawn: float) -> bool:
    success = drawn < rival.chances[bank]
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
    won = stake + gain(stake, rival.odds[bank])
    if act is INTEL:
        rival.learn(bank, rival.odds[bank] + won)  # 0.00001 a credit
        return 0
    if act is DEPOSIT:
        rival.put_by(bank, rival.accounts[bank] + won)
        return 0
    if act is WITHDRAW:
        won += rival.accounts[bank]
        rival.put_by(bank, 0)
    rival.won = won
    return won


# 2. Fingers


def _look_around(snitch: Rival, committed: Sequence[Rival], bank: int, luck: Luck) -> int:
    """Let a snitch name crossers; give what is forfeited by one who finds none."""
    count, found = len(committed), False
    for drawn in luck.uniforms(LOOKS).tolist():
        named = committed[int(drawn * count)]
        if named.act is DOUBLE_CROSS and not named.exposed:
            found = named.exposed = True
            fine = named.credits // FINE
            named.credits -= fine
            snitch.credits += fine
            named.be_fingered(bank)
    if found:
        return 0
    forfeit = snitch.won // 2
    snitch.won -= forfeit
    snitch.get_stitches(bank)
    return forfeit


# 3. The double cross


def _divide(
    committed: Sequence[Rival], crossers: Sequence[Rival], crowd: RabbleArrays, forfeits: int
) -> None:
    regulars = [each for each in committed if each.act is not DOUBLE_CROSS and each.act is not ALL_IN]
    if not crossers:
        pool = forfeits
    elif len(crossers) == 1 or len(crossers) <= len(committed) // SECRET:
        pool = _steal(crossers, regulars, crowd.loot() + forfeits)
    else:
        pool = _spring(crossers) + forfeits
    receivers = len(regulars) + crowd.regulars
    share = pool // receivers if receivers else 0
    for each in regulars:
        each.credits += share
    crowd.settle(share)


def _steal(crossers: Sequence[Rival], regulars: Sequence[Rival], loot: int) -> int:
    """Give crossers the loot, and all that the regulars won; what is taken from the exposed comes back."""
    loot += sum([each.won for each in regulars])
    for each in regulars:
        each.won = 0
    share, confiscated = loot // len(crossers), 0
    for each in crossers:
        if each.exposed:
            each.won = 0
            confiscated += share
        else:
            each.credits += share
    return confiscated


def _spring(crossers: Sequence[Rival]) -> int:
    """Fire crossers, and give what they won."""
    pool = sum([each.won for each in crossers])
    for each in crossers:
        each.won = 0
        if not each.exposed:
            each.lose_job()
    return pool
