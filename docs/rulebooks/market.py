"""The rulebook of Poker Market's contest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.pokermarket.contest.contest import MOST_ROUNDS, MarketContest
from chatbot.games.pokermarket.rules.market import Market, Swap
from chatbot.kernel.cards import HAND, parse
from chatbot.kernel.lobby import FEWEST, MOST

if TYPE_CHECKING:
    from collections.abc import Iterator

DEALS = (
    ("a straight flush beats four of a kind", ("5H 4H 3H 2H AH", "9S 9H 9D 9C KS"), ""),
    ("a full house beats a flush, and a flush a straight", ("8S 8H 8D 2C 2S", "AH JH 9H 5H 3H", "6C 5D 4S 3C 2D"), ""),
    ("an ace is low in a straight to the five, which is the lowest", ("AC 2D 3S 4H 5C", "2C 3D 4S 5H 6C"), ""),
    ("three of a kind, two pair, a pair", ("7S 7H 7D 2C 3S", "KS KH QD QC 4S", "AS AH JD TC 9S"), ""),
    ("kickers count: the nine beats the eight", ("AS AH JD TC 9S", "AD AC JS TH 8C"), ""),
    ("equal hands: the later turn is better", ("AS KH QD JC 9S", "AD KC QS JH 9C"), ""),
    ("round 1: seat 0 gives 3D for the 9D of seat 1, who accepts", ("9S 9H 3D 5C KS", "3S 3H 9D 6C QS"), "0 3D 1 9D"),
)  # fmt: skip
"""Why, hands by seats, and a swap that is accepted: seat, card, partner, card."""


def page() -> Iterator[str]:
    """Yield the lines of the page."""
    own = MarketContest()
    yield from f"""
These are the rules of `chatbot arena pokermarket`, complete enough to write a referee that scores the same.
[Poker Market](pokermarket.md) is for whoever writes a program that plays.

## A deal

1. P players, {FEWEST} to {MOST}, sit in the seats 0 to P - 1 and get {HAND} cards each of one deck of 52, every deal as likely. All cards
   are open. A deal has r rounds (`--rounds`, 1 to {MOST_ROUNDS}, {own.rounds} if left out), which everybody knows.
2. In each round the seats have their turns in ascending order. In a turn a player passes, or proposes one swap: a card of
   the own for a certain card of another player. That one accepts, and the two cards change hands, or declines. Then it is
   the next seat's turn. A card can be swapped again in later turns.
3. No answer, a late one, or [one that is not possible](pokermarket.md#the-answer) is a [failure](limits.md#when-a-program-fails):
   it passes, or declines. A program that failed is not asked for the rest of this replay of the deal: it passes and
   declines.
4. After the last turn hands are ranked as in poker: straight flush (an ace high is royal), four of a kind, full
   house, flush, straight, three of a kind, two pair, pair, high card; then by the faces that decide, the most frequent first,
   each group from high to low. An ace is high, and low in the straight to the five only. Suits are never ranked.
5. The best hand scores P points, the next P - 1, … the worst 1. Of equal hands the one in the later seat is better.

## A contest

A table of `--table` players (all, if left out), or every table of so many, plays `--deals` deals, {own.deals} if left out, in
matches of `--games` deals in which players can learn about each other, {own.usual_games} if left out. For each deal the order of the players is
drawn, and the deal is replayed for every rotation of them through the seats: in rotation t, from 0, the p-th of that order,
from 0, sits in seat (p - t) mod P, so that everybody has every hand and every turn once. A score is the mean points a replay. Equal
means share a rank, which is one more than the number of players with a higher mean. The mean of the rotations of a deal is one
draw of a [standard error](arena.md#standard-errors). For [ratings](arena.md#ratings) whoever has more points in all rotations of a deal together is ahead in it.

If deals are left over, the last match has these. A program is started for each match. `game` is the number of a replay in its match, from 0: P times the number of
the deal, plus t. In `players` it is told who has the seats by their places among those at the table, in the order of their names
(that of Unicode), from 0. `proposes` is the share of a player's turns in which it proposed something possible, `is accepted` the share
of these proposals that were accepted, and `accepts` the share of those to the player that it accepted, each in a match and 0 where there is
none to count; what is reported is the mean over matches.

## Worked settlements

| # | hands by seats | points by seats | because |
| --- | --- | --- | --- |
""".strip("\n").split("\n")
    for number, (why, hands, swap) in enumerate(DEALS, 1):
        market = Market(tuple(tuple(_card(word) for word in hand.split()) for hand in hands), 1)
        if swap:
            seat, give, partner, take = swap.split()
            market = market.swapped(Swap(int(seat), _card(give), int(partner), _card(take)))
        yield f"| {number} | {'; '.join(hands)} | {' '.join(map(str, market.points))} | {why} |"
    yield ""
    yield from """
## Sentences of the source that can be read in two ways

| the source | decision | because |
| --- | --- | --- |
| whose hand is better of two that are equal | that of the later turn | who comes first has had the first choice of swaps, every round |
| is the order of turns another one in each round | the same in all rounds of a deal | the rule above needs one later turn |
| does a proposal name a card of the other | it does | "my card for your card", and all cards are open |
| is a royal flush a rank of its own | it is the straight flush with an ace | nothing comes between them |
| how is the luck of the cards taken out | every deal is replayed for every rotation | each player has each hand and each turn |
""".strip("\n").split("\n")


def _card(word: str) -> int:
    return parse(word)
