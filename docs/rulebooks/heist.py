"""The rulebook of the heist's contest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.heist.contest.contest import HeistContest
from chatbot.games.heist.contest.situation import ANSWERS, BANKS
from chatbot.games.heist.rules import arithmetic as rules
from chatbot.games.heist.rules.rabble import STAKES
from docs.rulebooks.heist_settlements import SETTLEMENTS, page_of

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = ("Municipal", "City", "State", "National", "Federal Reserve")


def page() -> Iterator[str]:
    """Yield the lines of the page."""
    yield from _text().strip().split("\n")
    yield ""
    for number, each in enumerate(SETTLEMENTS, 1):
        yield from page_of(each, number)
    yield from _DECISIONS.strip().split("\n")


def _text() -> str:
    unit = rules.ODDS_UNIT
    banks = "\n".join(
        f"| {number} | {name} | {bank.level} | {bank.chance:g} | {bank.odds / unit:g} |"
        for number, (name, bank) in enumerate(zip(NAMES, BANKS, strict=True))
    )
    answers = ", ".join(f"`{each}`" for each in ANSWERS)
    stakes = ", ".join(f"{each}" for each in STAKES)
    raised = f"floor(salary / {rules.RAISE})"
    return f"""
These are the rules of `chatbot arena heist` and `bankheist`, complete enough to write a referee that plays the same
games. [Bank Heist](heist.md) is for whoever writes a program that plays.

Credits, stakes, salaries and accounts are whole numbers from 0 on, without an upper limit. *floor* rounds down.
Odds are whole multiples of 1/{unit} and are calculated with as such: floor(odds × stake) is
floor(o × stake / {unit}) of the whole number o. Probabilities are IEEE doubles, calculated as the formulas are
written. *Winnings* are floor(odds × stake) + stake.

## Who plays

*Contestants* are numbered from 0 as they were named. The *rabble* are N background players (`--rabble`,
{HeistContest().rabble} if left out) who have credits only. At the start everybody has {rules.SALARY} credits. A contestant also has
a salary ({rules.SALARY}), a job (yes), and for each bank an account (0), guards (0), a probability and odds (those of the
bank). All of it lasts from game to game, also for those of the rabble who were not in a game.

| bank | name | from index | probability | odds |
| --- | --- | --: | --: | --: |
{banks}

The index of a game is the number of heisters + floor(credits staked / {rules.CREDITS_PER_HEISTER}); the bank is the last one whose
index is reached. *Heisters* are those, rabble included, who staked at least 1 in round 1, whatever they do in round 2.

`--games` says how many games a tournament has; `bankheist N` has one of N to floor(11 N / 10) games, each length as
likely. The winner has the most credits after the last game; accounts do not count, and equal credits share the rank.
Means over `--tournaments` are those of the final credits.

## A game

1. How many of the rabble are in this game is uniform on 0 to N, and who is a uniform sample. Ranks and statistics are
   those of the contestants' credits now: a rank is 1 + the number of contestants with more credits, the deviation is
   the mean of |credits - mean|.
2. **Round 1**: contestants and those of the rabble who are in have their turns in an order that is drawn. Each turn
   sees the turns before it, and the bank that would be robbed if nobody else staked.
   - A contestant answers with a stake. More than the own credits is all of them; no answer, or one that is no
     whole number in ASCII digits, is 0.
   - One of the rabble stakes if its draw is below the *bank's* probability: the largest of {stakes} that its
     credits cover (at least the first is always covered).
   - The stake is reserved: credits still contain it until the dice.
3. **Round 2**: the heisters have their turns in an order that is drawn afresh. The bank is that of all of round 1.
   - A contestant answers with one of {answers}, compared without white space around it and without regard to
     case. Anything else, or nothing, is `!guncheck`.
   - One of the rabble backs out if its draw is below {rules.COLD_FEET:g} + {rules.CONTAGION:g} × (backed out / acted), counted over the
     heisters before it in this round, contestants too; for the first it is {rules.COLD_FEET:g}.
4. **Dice**. *Committed* are the heisters who did not back out; c is their number with the rabble, h that of the
   heisters. For each committed contestant in the order of joining (the turns of round 1):
   - `all in` succeeds if the draw is below the own probability at this bank. Then credits become
     floor(odds × (credits + {rules.LOAN})), else 0. Nothing else that follows but the payday touches it: it is in no split.
   - Everybody else loses the stake from the credits, and succeeds if the draw is below the own probability ×
     (c / h). Successful or not: `buy guard` raises the own probability p here to p + {rules.GUARD_GAIN:g} × (1 - p), at most 1, from
     the next game on, and adds a guard; `change jobs` takes the job away.
   - On success: `acquire intel` adds the winnings × 1/{unit} to the own odds here, `deposit` adds them to the
     account here, and neither has winnings any more; `withdraw` adds the account here to the winnings and empties it.
     Of the others the winnings are kept apart until the payday.

   Those of the rabble who are committed succeed if their draw is below the bank's probability × (c / h), at the
   bank's odds.
5. **Fingers**. Each contestant who answered `finger` and succeeded, in the order of joining, looks {rules.LOOKS} times at a
   committed contestant, uniform with replacement, the snitch included, and all {rules.LOOKS} looks are drawn. One who crosses and was not identified before in this game is
   identified: pays the snitch floor(credits / {rules.FINE}) of the present credits at once, loses the job, the salary becomes
   floor(salary / 2), and the own probability here falls by {rules.FINGERED_CHANCE:g}, at least to 0. A snitch who identifies nobody
   forfeits floor(winnings / 2), the salary falls by {raised}, and the own odds here fall by
   {rules.STITCHED_ODDS / unit:g}, at least to 0. (All who look have lost their stakes before, and have winnings of at least 1.)
6. **The double cross**. D is the number of crossers, S that of committed contestants, crossers and those all in included.
   *Regulars* are all committed heisters, rabble included, who neither cross nor are all in.
   - D = 1, or 1 ≤ D ≤ floor(S / {rules.SECRET}): the loot is the sum of the regulars' winnings, which they lose. Each crosser's
     share is floor((loot + forfeits) / D). One who was not identified gets it at once, and keeps the own winnings. The shares of those who
     were identified are a pool, they lose their own winnings, and each regular gets floor(pool × own former
     winnings / loot) of it back as winnings.
   - D larger: crossers lose their winnings, and each who was not identified loses the job and half of the salary as
     above. These winnings and the forfeits are split: each regular gets floor(sum / number of regulars) at once.
   - D = 0: the forfeits are split in the same way.

   What rounding leaves vanishes, and so does what nobody is there to receive.
7. **Payday**, for each contestant in the order of numbers: winnings are added to the credits. Each account grows by
   floor({rules.INTEREST} × account / 10000). Without a job a draw below {rules.HIRING:g} brings one: the salary grows by {raised}. Who has a job
   is paid the salary, unless the answer was `back out` or `all in`. Then each guard takes 1 credit. If they are more than
   the credits, credits become 0, and as many guards as were not paid leave, drawn among all of them: at each one's bank
   the probability p becomes (p - {rules.GUARD_GAIN:g}) / {1 - rules.GUARD_GAIN:g}, at least 0.

   Those of the rabble who are in this game get {rules.SALARY}, unless they backed out, also if they did not stake; with it
   winnings and shares, and a committed one has lost the stake.

A tournament ends before its last game with the one after which a contestant has more than 10^1000 credits, in an
account, or as odds of so many times 1/{unit}.

## Draws

For the very games that the arena plays from a seed, draws are taken in this order. The stream of tournament T, from 0, of a
run with the seed *s* is that of NumPy's `Generator(PCG64(k)).random()`, where k is the SHA-256 of the UTF-8 text
`s/tournament T` as a whole number, most significant byte first. Strategies have streams of their own. A *place* among n is
floor(draw × n). Doubles are *sorted* without the last ten of the 64 bits that hold them if there are at most 1024, else
in full; equal ones stay in the order in which they were drawn.

1. N + 1 draws: those of the rabble, by number, are in whose draw is below the last one (compared without the last ten
   bits if N is at most 1024); their turns come as their draws, sorted, rise.
2. Where contestants stand in the row of everybody: a place among all who are in, for each contestant. Then, if any two
   have the same place, each in the order of numbers who has a place that one before has (for good) draws again until it is free. The rabble
   fill the other places in their order.
3. A draw for each of the rabble who is in, in the order of turns: whether to stake.
4. A draw for each of the rabble's heisters, in the order of turns: sorted, they give their order in round 2.
5. The places of the contestants who are heisters, in the order of joining, among all heisters, as in 2.
6. A draw for each of the rabble's heisters in the order of round 2: whether to back out.
7. The dice of the committed contestants in the order of joining, then those of the committed rabble in the order
   of the turns of round 1.
8. {rules.LOOKS} draws for each snitch who succeeded: places among the committed contestants in the order of joining.
9. At the payday, contestant by contestant: whether there is a job, for one who has none; then, for each guard who
   leaves, a place among those left: guards stand in the order of banks, and whoever leaves changes places with the
   first who is left (so that the k-th draw takes from the k-th on).

## Worked settlements

All contestants have {rules.SALARY} credits and a salary of {rules.SALARY} unless the table says more, and join in its order; all of the rabble stake and
stay. *Draw* is that of success, *looks* those of a snitch.
"""


_DECISIONS = """
## Sentences of the source that can be read in two ways

The contest was published in English in 2017, with a controller, and came to us in a translation. Where text and
controller disagree, or both leave something open, this was decided:

| the source | decision | because |
| --- | --- | --- |
| the loot of an identified crosser is "redistributed back to the non-double-crossers" | in proportion to what was taken from each | "back" is to those it came from, and the controller does so; heads would give who staked 69 the mean of a rabble of 80085s |
| forfeits and the winnings of a conspiracy are "distributed", "divided by the number" of the others | equally by heads, rabble included | nothing was taken from those who receive it |
| the rabble of a game is "a random subset of 500" | its size is uniform, then who | the examples have 16, 231 and 300 players; subsets that are all as likely would nearly all have 250 |
| who backs out lowers the others' probability | × committed / heisters, as a fraction | the controller divides whole numbers, so that one who backs out makes it 0 |
| interest | 0.14 % a game | the text says so; the controller has 1.4 % |
| what an identified crosser pays | a quarter of the credits at that moment | the text says 25 %; the controller takes a sixth |
| the third argument in round 2 | players, as in round 1 | its name; the controller gives heisters |
| an all-in success | odds × (credits + 240), the stake not on top | the published log: 240 credits become 936 at odds of 1.95 |
| does the loan depend on a job or on the salary | it does not, it is 240 | nothing says that it does |
| are those all in counted in S | they are, and are in no split | S counts who is committed; nothing that others do touches them |
| does the threshold count identified crossers | it does | they crossed; "whatever their own dice" |
| a crosser who is identified in a conspiracy that fails | is fired and halved once | being fired twice means nothing |
| do the own dice of a crosser matter | for the own winnings only, not for the share | the share is others' success |
| salary after being hired | rises by 5 %, is paid at once | "is hired and paid" |
| a salary too small for 5 % to be a credit | stays | rounding down holds everywhere |
| which guards leave | drawn among all of a player's, whatever bank | the text names none |
| a guard who leaves after the probability has fallen | (p - 0.01) / 0.99, at least 0 | what the guard had added is taken back |
| what rounding leaves over | vanishes | the bank recovers it |
| equal credits at the end | share the victory | nothing ranks them |
"""
