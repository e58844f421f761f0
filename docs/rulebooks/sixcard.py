"""The rulebook of Six Card Poker's contest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.sixcardpoker.contest.contest import LONGEST, MATCHES, SHORTEST, SixCardContest
from chatbot.games.sixcardpoker.rules.cards import COPIES, DEALS, FACES, arrange, compare

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTINGS = (
    ("High, Middle and Low are won", "444 33 4", "321 21 1"),
    ("two pairs: the higher one", "321 22 4", "321 33 4"),
    ("a pair beats no pair, however high", "221 11 3", "222 43 3"),
    ("no pairs: the higher card, then the other", "311 42 1", "311 43 1"),
    ("equal sums are a draw, also of other cards: 4 + 1 + 1 and 2 + 2 + 2", "411 32 3", "222 32 3"),
    ("one hand each and a draw: the round is a draw", "432 11 2", "321 44 2"),
    ("a win and two draws win the round", "431 22 1", "421 22 1"),
    ("two of three are lost, and so is the round", "444 21 1", "331 43 2"),
)
_POINTS, _SCORES = {1: "1", 0: "½", -1: "0"}, {1: "1", 0: "½", -1: "0"}


def page() -> Iterator[str]:
    """Yield the lines of the page."""
    yield from f"""
These are the rules of `chatbot arena sixcardpoker`, complete enough to write a referee that scores the same.
[Six Card Poker](sixcardpoker.md) is for whoever writes a program that plays.

## A round

1. The deck has {len(FACES) * COPIES} cards: {COPIES} each of {", ".join(map(str, FACES))}. Two players get six each, every deal as likely
   ({DEALS:,} of them, cards of a face told apart); four stay unseen.
2. Each sets the own six cards as three hands, without seeing the other's: High has three cards, Middle two and Low one.
3. Hands are compared one by one:
   - High: the larger sum wins.
   - Middle: a pair beats two different cards; of two pairs the higher wins; otherwise the higher card of each decides,
     then the other card.
   - Low: the higher card wins.

   Equal hands are a draw. A win is 1 point, a draw ½, a loss 0.
4. Who has more than 1½ of the 3 points wins the round (score 1); 1½ is a draw (½), less a loss (0).

Who gives no answer, a late one, or one that is [no arrangement](sixcardpoker.md#the-answer) of the own cards plays an
arrangement at random: the six cards in uniformly random order, the first three High, the next two Middle, the last one
Low. The failure is counted.

## A contest

Every two players play `--games` rounds, {SixCardContest().usual_games:,} if left out, rounded up to an even number: each deal is two
rounds, the second with the cards exchanged. A player's score is 100 × (sum of the scores) / rounds, over all of its
pairings. Equal scores share a rank, which is one more than the number of players with a higher score. The mean of the two
rounds of a deal is one draw of a [standard error](arena.md#standard-errors).

D deals of two players are one match if D is less than {2 * SHORTEST}, otherwise ⌊D / {SHORTEST}⌋ matches, but at most {MATCHES}; if that leaves more
than {LONGEST:,} deals to a match, there are as many more as it takes. Their sizes differ by 1 deal at most, the larger ones first.
A program is started for each match, and `game` is the number of a round in its match, from 0: of a deal that of the first
round is even.

## Worked settlements

Hands are written as High, Middle, Low; points are those of the first player, hand by hand.

| # | first | second | points | score | because |
| --- | --- | --- | --- | --- | --- |
""".strip("\n").split("\n")
    for number, (why, *texts) in enumerate(SETTINGS, 1):
        first, second = (arrange(*([int(card) for card in hand] for hand in text.split())) for text in texts)
        outcome = compare(first, second)
        points = " ".join(_POINTS[each] for each in outcome.hands)
        yield f"| {number} | {first} | {second} | {points} | {_SCORES[outcome.round]} | {why} |"
    yield ""
    yield from """
## Sentences of the source that can be read in two ways

| the source | decision | because |
| --- | --- | --- |
| High is "the larger" | the larger sum, whatever the cards | the source adds them up in its example |
| "more than half of the points" | more than 1½ of 3; exactly 1½ is a draw | half is not more than half |
| what becomes of a program that gives no arrangement | a random one is played for it, from a stream of its own | the round has to be scored, and nobody should win by the other's absence for certain |
| is luck the same for both | each deal is played from both sides | what remains of a difference is how the cards were set |
""".strip("\n").split("\n")
