"""The rulebook of High Show's contest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.games.highshow.contest.contest import LONGEST, MATCHES, HighShowContest, play
from chatbot.games.highshow.contest.contestants import ANOTHER, KEEP
from chatbot.games.highshow.rules.terms import FEWEST_CARDS, LOWEST_TIMES, MOST_CARDS, Terms, read_penalty
from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.games.highshow.contest.contestants import Situation
    from chatbot.kernel.contest import Strategy


@dataclass(frozen=True, slots=True)
class Show:
    """A deck and what somebody says to the cards that are offered."""

    why: str
    keep: int
    penalty: str
    deck: tuple[int, ...]
    says: str  # k: keep, a: another


SHOWS = (
    Show("two are kept at once; nothing is rejected", 2, "linear=5", (7, 9, 6, 8), "kk"),
    Show("two rejections at 5 each", 1, "linear=5", (6, 7, 9, 8), "aak"),
    Show("the default of linear is N / 10: 4 / 10 a rejection", 1, "linear", (6, 7, 9, 8), "aak"),
    Show("turn: the first and the second card cost 1 and 2 times 1/2", 1, "turn=1/2", (6, 7, 9, 8), "aak"),
    Show("the second card is the first that is rejected, and costs 2 times: cards that are kept count", 2, "turn=3", (9, 6, 8, 7), "kak"),
    Show("the default of turn: 2 (N + K) / (N + 4) = 2 (4 + 6) / 8 = 5/2", 1, "turn", (6, 7, 9, 8), "ak"),
    Show("value: a quarter of 6 and of 7", 1, "value", (6, 7, 9, 8), "aak"),
    Show("turnvalue: (1 × 6 + 2 × 7) / 8", 1, "turnvalue", (6, 7, 9, 8), "aak"),
    Show("after one rejection three are left and three are needed: they are taken without asking", 3, "linear=1", (9, 8, 7, 6), "a"),
    Show("the last card is taken without asking", 1, "none", (9, 8, 7, 6), "aaa"),
)  # fmt: skip


def page() -> Iterator[str]:
    """Yield the lines of the page."""
    own = HighShowContest()
    yield from f"""
These are the rules of `chatbot arena highshow`, complete enough to write a referee that scores the same.
[High Show](highshow.md) is for whoever writes a program that plays.

All scores are exact fractions; no number is rounded before a mean is printed.

## A deck

1. N cards are in a deck (`--cards`, {FEWEST_CARDS} to {MOST_CARDS}, {own.cards} if left out), and M are to be kept (`--keep`, 1 to N - 1, {own.keep}
   if left out). K is uniform on 1 to {LOWEST_TIMES} N; the cards are K, K + 1, …, K + N - 1 in uniformly random order.
2. Cards are shown one by one. The player keeps the card, or rejects it and sees another. As soon as the card that is
   shown and those behind it are as many as are still to be kept, all of them are kept without asking. The deck ends when
   M are kept.
3. No answer, a late one, or one that is [neither of both](highshow.md#the-answer) is a [failure](limits.md#when-a-program-fails):
   the card is kept, and so are the next ones of this deck until M are kept, without asking. The next deck is asked about
   again.
4. Rejecting the card with the value v that appeared i-th, from 1, cards that were kept included, costs:

   | penalty | cost | parameter, if none is given |
   | --- | --- | --- |
   | `none` | 0 | |
   | `linear` | the parameter | N / 10 |
   | `turn` | i × the parameter | 2 (N + K) / (N + 4) |
   | `value` | v × the parameter | 1 / 4 |
   | `turnvalue` | i × v × the parameter | 1 / 8 |

   A parameter is a number from 0 on such as `3`, `0.5` or `1/3`, of at most six digits before and behind the sign.
5. The profit is the sum of the kept cards less the cost of all rejections. It can be below 0.

The player is told N, M, the penalty, and the cards so far with which of them were kept. K is not told, nor a cost that would
tell it (the default of `turn`).

## A contest

All players play the same `--games` decks, {own.usual_games} if left out, each for itself, with one `--penalty`, `{own.penalty}` if left out.
A score is the mean profit a deck. Equal means share a rank, which is one more than the number of players with a higher mean.
`regret` is the mean of what the strategy `best` makes of the same deck, less the own profit.

G games are G matches if that is at most {MATCHES}, and otherwise {MATCHES} of them or as many as it takes for none to have more than {LONGEST} decks.
Their sizes differ by 1 at most, the larger ones first. A program is started for each match, and `game` is the number of a
deck in its match, from 0. Each deck is one draw of a [standard error](arena.md#standard-errors).

## Worked settlements

N is 4 and K is 6 in all of them; *k* keeps a card and *a* sees another.

| # | M | penalty | deck | answers | kept | cost | profit | because |
| --- | --: | --- | --- | --- | --- | --: | --: | --- |
""".strip("\n").split("\n")
    for number, each in enumerate(SHOWS, 1):
        terms = Terms(len(each.deck), each.keep, read_penalty(each.penalty))
        run = play(terms, each.deck, _says(each.says), 0, Rng.of("page"))
        kept, cards = " ".join(map(str, run.kept)), " ".join(map(str, each.deck))
        yield (
            f"| {number} | {each.keep} | `{each.penalty}` | {cards} | {' '.join(each.says)} | {kept} |"
            f" {run.penalty} | {run.profit} | {each.why} |"
        )
    yield ""
    yield from """
## Sentences of the source that can be read in two ways

| the source | decision | because |
| --- | --- | --- |
| K is "random" and at most 3N | uniform on 1 to 3N | nothing prefers one number |
| "quotient" | a true division | a penalty is no count |
| nothing is said of a deck that runs out | the cards that are all needed are kept without asking | there is nothing left to choose |
| does `turn` count cards or rejections | cards, those kept included | "the card that appeared i-th" |
| may M be N | no | there would be nothing to choose |
""".strip("\n").split("\n")


def _says(words: str) -> Strategy:
    answers = iter(words)

    def strategy(told: Situation, menu: Sequence[object], rng: Rng) -> object:  # noqa: ARG001
        return ANOTHER if next(answers) == "a" else KEEP

    return strategy
