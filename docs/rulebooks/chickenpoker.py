"""The rulebook of Chicken Poker's contest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.chickenpoker.contest.contest import FEWEST_CARDS, MOST_CARDS, ChickenContest
from chatbot.games.chickenpoker.rules.showdown import player_id, winner

if TYPE_CHECKING:
    from collections.abc import Iterator

ROUNDS = (
    ("the highest card wins", (3, 9)),
    ("two tie at 4: 4 mod 2 = 0, the lower id wins", (4, 4)),
    ("two tie at 5: 5 mod 2 = 1, the higher id wins", (5, 5)),
    ("three tie at 5: 5 mod 3 = 2, the highest id wins", (5, 5, 5)),
    ("three of four tie at 7: numbers 0, 1, 2 go to the ids 1, 3, 4, and 7 mod 3 = 1", (7, 2, 7, 7)),
    ("id 2 has forfeited: 6 mod 2 = 0 among the ids 1 and 3", (6, 0, 6)),
    ("all of four tie at 10: 10 mod 4 = 2", (10, 10, 10, 10)),
)
"""Why, and the card of each id from 1 on; 0 of one who has forfeited."""


def page() -> Iterator[str]:
    """Yield the lines of the page."""
    own = ChickenContest()
    yield from f"""
These are the rules of `chatbot arena chickenpoker` and [chickp](chickp.md), complete enough to write a referee that
scores the same. [Chicken Poker](chickenpoker.md) is for whoever writes a program that plays.

## A game

1. P players, 2 or more, have the ids 1 to P, and each holds the cards 1 to n ({FEWEST_CARDS} to {MOST_CARDS}, `--cards`, {own.cards} if left out).
2. A game has n rounds. In each, everybody who has not forfeited chooses one of the cards that they hold, without seeing
   the others' choices; all are shown together and are gone from the hands.
3. Those k who show the highest card v are numbered 0 to k - 1 in ascending order of their ids. Number v mod k wins the
   round, and scores the sum of all cards that were shown in it.
4. Who gives no [card](chickenpoker.md#the-answer) that they hold forfeits the game: before the round is scored they are
   out, the points that they have in this game become 0, and they are asked again in the next game. All who fail in a
   round are out together, whoever was asked first. Their cards count for nobody.
5. When one player is left, the game ends at once: the round is not shown, and that one adds all cards that are still in
   the own hand, the one chosen for this round included. When nobody is left, nobody adds anything.

Without forfeits the points of a game add up to P n (n + 1) / 2.

## Ids

In game g of a session, from 0, the player listed p-th, from 0, has the id ((p + g) mod P) + 1. `chatbot arena` lists the
players of a session by their names, in the order of Unicode, and `chickp` as they are named. A *set* is P games, in
which everybody has each id once.

## A contest

Every two players meet in `--sessions` sessions, {own.sessions} if left out (`--format together`: all in one), of `--games` games each,
{own.usual_games} if left out, rounded up to whole sets. A player's score in a session is the mean of its points a game, and its mean
over all of its sessions ranks it. Equal means share a rank, which is one more than the number of players with a higher
mean. In each game whoever has more points than another is ahead of that one, which is what [ratings](arena.md#ratings) are
made of; a session is one draw of a [standard error](arena.md#standard-errors).

A session is a match: a program is started for each, and `game` counts in it from 0. In `players` it is told who has the
ids by the places in which a session lists them, from 0.

Luck is the players' own: the game itself has none.

## Worked settlements

Cards are those of the ids 1, 2, … in one round; – is who has forfeited.

| # | cards | winner | points | because |
| --- | --- | --: | --: | --- |
""".strip("\n").split("\n")
    for number, (why, cards) in enumerate(ROUNDS, 1):
        shown = {place: card for place, card in enumerate(cards, 1) if card}
        words = " ".join(str(card) if card else "–" for card in cards)
        yield f"| {number} | {words} | {winner(shown)} | {sum(shown.values())} | {why} |"
    yield ""
    yield "| game | ids of three players, in the order in which they are listed |"
    yield "| --- | --- |"
    for game in range(4):
        yield f"| {game} | {' '.join(str(player_id(place, game, 3)) for place in range(3))} |"
    yield from """
A game of n = 3 between ids 1 and 2: they show 3 and 1 (1 takes 4), then 2 gives no card. So 2 has 0 points, and 1
adds 1 + 2 to its 4: 7 to 0.

## Sentences of the source that can be read in two ways

| the source | decision | because |
| --- | --- | --- |
| tied players are "numbered 1 to k" in one place, and v mod k picks one | 0 to k - 1 | v mod k is 0 to k - 1; the source corrects itself |
| does who forfeits keep the points of the game | they are struck, and the cards of that round count for nobody | nobody gains by leaving early with a lead |
| what does the last player get | the cards still in the own hand | nobody wins by leaving, and nobody loses by others' leaving |
| who fails first where several do | all are out together | who was asked first must make no difference |
| in which order do ids rotate | by one place a game, as above | each has each id once in a set |
""".strip("\n").split("\n")
