"""The best of the house's players: what it knows about the heist, and what that is worth.

What decides a tournament. Growth does: intel and guards last, so whoever has a hundred guards at one
bank (chance .324 → .75 for 100 of a salary of 240) has stakes that grow by a quarter a game, and with a
million credits intel multiplies odds. And theft does: a lone crosser takes all plain winnings of everybody,
every game, whatever its own dice say.

What the champion does about it:

1. It buys guards at a stake of 1, as many as its salary pays, mostly where it is most often.
2. It looks whether somebody robs. There is no memory, but there is arithmetic: more is held than wages
   explain (seen from the top, mean and deviation give away what the others hold together), or it is
   poor itself in spite of its guards. The salary, 5 % less for each stitch, tells how often a look
   around found nobody.
3. Unrobbed, it stakes .7 of what Kelly would. Robbed, it stakes little, looks around once its chance
   is good and the richest has ten times its own, and lives on the fines.
4. From 20 000 credits on it buys intel with a quarter of them at a time, as long as the odds are small
   beside the credits: it is spent at the draw, before anybody can steal it. Robbed, it then
   goes all in as soon as chance × log odds outweighs what a failure costs.
5. With a fortune of 10^15 it stops growing, and shows robbers nothing. Where nobody seems to be one it
   first wins a hundredth of a fortune at a time, which would show a robber; when that has doubled what it
   holds, it carries home a fortune a game, for stakes that are next to nothing, and buys a guard each
   time. Whoever else gets a fortune then is looked for, three times in ten.

The last point was made for banks that pay nobody more than 10^15, and no rule has such a bound: whoever
goes on growing passes it by.

Measured by `python -m benchmarks.champion`, 40 tournaments of 1000 to 1100 games for each of 42 line-ups:
it has the highest mean in 40 of them. Beside the ten others of the house once, with a rabble of 500, it
had most credits in all 40; the medians are 7 × 10^17 and, of the best of the others, 2 × 10^16. Means say
less, since a few tournaments make nearly all of them: 4 × 10^19 and 6 × 10^16, two standard errors apart, and
between one and four in the other line-ups. With a rabble of 50 or none it won all 40 as well, except
against three of each without a rabble: 33. With any one of the others five- or tenfold it won 38 to 40, with
20 snitches 33. Among three champions the means are 10^22. It loses to whoever buys guards and stakes as
Kelly would without an end: beside one such `compounder` it won 7, beside five 5.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from chatbot.games.heist.contest.situation import (
    BANKS,
    COMMITTED,
    EDGES,
    LACK,
    LACKS,
    STAKING,
    Situation,
    ahead,
    growing,
    lack,
    others,
    portion,
)
from chatbot.games.heist.rules.arithmetic import CREDITS_PER_HEISTER, LOAN, ODDS_UNIT, SALARY
from chatbot.games.heist.rules.moves import Act

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.kernel.fair import Rng

LAST = len(BANKS) - 1
NUMBERS = range(len(BANKS))
SURE = 0.999  # a chance that no further guard is worth a thought
SPARE = 10_000  # credits: what intel is first worth
RICH, BIG = 10**9, 10**10
FORTUNE = 10**15  # credits with which it stops growing and carries home as much again, game by game
WHOLE = FORTUNE * ODDS_UNIT
TOP = FORTUNE * 9 // 10  # bribes and stakes nibble at a fortune: so much still counts as one
PROVEN = 2 * FORTUNE  # so much came home plainly, a hundred canaries in a row
CANARY = FORTUNE // 100  # winnings that would show a robber without making one rich
RIVAL = FORTUNE // 10  # whoever has this much did not get it from canaries
FORCE = 80 * CREDITS_PER_HEISTER  # credits staked that make it the last bank, whoever comes
MEEK = 3 * CREDITS_PER_HEISTER  # credits staked that seldom change the bank
HONEST = 1.05  # times the wages so far: what contestants hold on average where nobody robs
MOST_GUARDS = 3000  # it takes 690 a bank to bring what it lacks from 1 to 0.001


def champion(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Guard, invest, and take no more home than robbers may see."""
    if told.credits >= TOP:
        return _keep(told, rng)
    return _stake(told, rng) if told.round == STAKING else _act(told, rng)


# With less than a fortune


def _stake(told: Situation, rng: Rng) -> int:
    held = told.credits
    forced = held >= RICH and _home(told) == LAST
    bank = LAST if forced else ahead(told)
    wary = _wary(told, bank)
    if _invests(told, bank, wary):
        return max(FORCE if forced else 1, _investment(told, bank))
    if _gambles(told, bank, wary):
        return FORCE if forced else min(held, 1)
    if _settled(told, bank, wary) or (wary and _hunts(told, bank, rng)):
        return min(held, 1)
    return min(held, max(1, _bet(told, bank, wary)))


def _act(told: Situation, rng: Rng) -> Act:
    held, bank, stake = told.credits, told.bank, told.stake
    wary = _wary(told, bank)
    if _invests(told, bank, wary) and 10 * stake >= 9 * _investment(told, bank):
        return Act.INTEL
    if _gambles(told, bank, wary):
        return Act.ALL_IN
    if wary and (stake == 1 or stake * 20 <= held) and _hunts(told, bank, rng):
        return Act.FINGER
    if wary and stake > SPARE and stake * (ODDS_UNIT + told.odds[bank]) > held * ODDS_UNIT // 1000:
        return Act.INTEL
    return Act.GUARD if _guards(told) else Act.GUNCHECK


def _wary(told: Situation, bank: int) -> bool:
    """Return whether somebody seems to rob the others: more is held, or less, than wages can explain."""
    wages, held = SALARY * (told.game + 1), told.credits
    if held >= told.most:
        count, rest = others(told)
        return rest > HONEST * count * wages
    return told.most > 3 * wages or (told.most > 4 * held and 10 * held < wages and told.chances[bank] > 0.7)


def _invests(told: Situation, bank: int, wary: bool) -> bool:
    """Return whether intel is worth more than credits: the odds are small beside the credits."""
    held, odds = told.credits, told.odds[bank]
    if held <= 2 * SPARE or odds + ODDS_UNIT >= (30 if wary else 3) * held or held * odds >= WHOLE:
        return False
    return bank == _home(told)


def _investment(told: Situation, bank: int) -> int:
    return min(told.credits // 4, FORTUNE if bank == LAST else MEEK)


def _gambles(told: Situation, bank: int, wary: bool) -> bool:
    """Return whether to go all in: where plain winnings would be stolen, or where it makes a fortune.

    What a failure costs is how far it is, in logarithms, from what the next success of all would give
    to what is held now; the 3.5 are the guards who go unpaid.
    """
    held, odds, chance = told.credits, told.odds[bank], told.chances[bank]
    if odds <= ODDS_UNIT or not (wary or held * odds >= WHOLE) or (held >= BIG and chance < 0.8):
        return False
    if told.game > 900 and held > RICH and held >= told.most and held > 10 * others(told)[1]:
        return False
    again = max(0.0, log((held + 1) * ODDS_UNIT) - log(2 * LOAN * odds))
    return chance * (log(odds) - log(ODDS_UNIT)) > (1 - chance) * (3.5 + again)


def _settled(told: Situation, bank: int, wary: bool) -> bool:
    odds = told.odds[bank]
    return told.credits * odds >= WHOLE or (wary and odds > 8 * ODDS_UNIT)


def _hunts(told: Situation, bank: int, rng: Rng) -> bool:
    """Return whether to look for the robber: the fine is worth it, and success likely.

    The salary remembers how often that found nobody, 5 % less each time.
    """
    if told.most <= 10 * told.credits or told.odds[bank] < 0.7 * BANKS[bank].odds:
        return False
    zeal = min(1.0, told.salary / SALARY)
    return told.chances[bank] * COMMITTED >= 0.55 and rng.chance(0.3 * zeal * zeal)


def _bet(told: Situation, bank: int, wary: bool) -> int:
    chance = told.chances[bank] * COMMITTED
    if wary:
        chance *= 1 - 0.4 * min(1.0, told.salary / SALARY)
    bet = portion(told.credits, 0.7 * growing(chance, told.odds[bank]))
    return bet if bet <= MEEK or _home(told) == LAST else MEEK


def _guards(told: Situation) -> bool:
    bank, held = told.bank, told.credits
    if told.chances[bank] >= SURE:
        return False
    paid = max(told.salary * 0.6, min(held, BIG) * 0.001)
    if paid < MOST_GUARDS and lack(told) <= LACK * 0.99 ** (paid - 1):
        return False
    return told.game < 20 or held > 1_000_000 or bank == _home(told)


def _home(told: Situation) -> int:
    """Number the bank where most has been put into guards and intel: that is the one most often met."""
    best, home = 0.0, 0
    for number, lacked, edge, chance, odds in zip(
        NUMBERS, LACKS, EDGES, told.chances, told.odds, strict=True
    ):
        gained = min(20, (ODDS_UNIT + min(odds, BIG)) / edge)
        worth = lacked / (1.0000001 - chance) * gained
        if worth > best:
            best, home = worth + 1e-4, number
    return home


# With a fortune


def _keep(told: Situation, rng: Rng) -> int | Act:
    held, staking = told.credits, told.round == STAKING
    count, rest = others(told) if held >= told.most else (0, told.most)
    alone = rest < RIVAL
    if held < PROVEN and alone and rest > HONEST * count * SALARY * (told.game + 1):
        return 0 if staking else Act.GUNCHECK
    aim = CANARY if held < PROVEN and alone else FORTUNE
    return _order(told, aim) if staking else _harvest(told, aim, alone, rng)


def _order(told: Situation, aim: int) -> int:
    """Stake what wins so much, and no more; at the last bank enough for that to be the one."""
    last = _home(told) == LAST
    odds = told.odds[LAST if last else ahead(told)]
    need = aim * ODDS_UNIT // odds + 1 if odds else FORTUNE
    return max(FORCE, min(need, told.credits // 50)) if last else min(need, MEEK)


def _harvest(told: Situation, aim: int, alone: bool, rng: Rng) -> Act:
    if (told.stake + 1) * told.odds[told.bank] < aim * ODDS_UNIT * 99 // 100:
        return Act.INTEL
    if not alone and rng.chance(0.3):
        return Act.FINGER
    return Act.GUARD if told.chances[told.bank] < SURE else Act.GUNCHECK
