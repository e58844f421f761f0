"""A referee of Chicken Poker, written from docs/program/contest-chickenpoker.md and its links alone.

Players are numbered from 0 in the order in which a session lists them; ids count from 1. There is no luck.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.games.characters import NoAnswer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.games.referees import Asked, View


@dataclass(slots=True)
class Round:
    """The cards shown, by id in ascending order (0 for who is out), the id that won and its points."""

    cards: list[int]
    winner: int
    points: int


@dataclass(slots=True)
class Game:
    """A game: the ids of players by their numbers, the rounds, and the points by number."""

    ids: list[int]
    rounds: list[Round] = field(default_factory=list)
    forfeits: list[tuple[int, int]] = field(default_factory=list)  # in which round, who
    points: list[int] = field(default_factory=list)


def winner(cards: list[int]) -> int:
    """Return the id that wins a round, of the cards of the ids 1, 2, …, where 0 is somebody who is out."""
    highest = max(cards)
    tied = [index + 1 for index, card in enumerate(cards) if card == highest]
    return tied[highest % len(tied)]


def ids_of(players: int, game: int) -> list[int]:
    """Return the id of each player in a game of a session, which counts from 0."""
    return [(player + game) % players + 1 for player in range(players)]


def games_of_a_session(games: int, players: int) -> int:
    """Return the games that are played where `games` are asked for: whole sets."""
    return -(-games // players) * players


def card_of(answer: object) -> int:
    """Return the card that an answer is; 0 for what is none."""
    if type(answer) is int:
        return answer
    text = answer.strip() if isinstance(answer, str) else ""
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else 0


@dataclass(slots=True)
class Cards:
    """The cards of a game by id - 1: in the hands, shown so far, and the points for them; who is out."""

    hands: list[list[int]]
    totals: list[int]
    out: list[bool]
    rounds: list[Round] = field(default_factory=list)

    @classmethod
    def dealt(cls, n: int, players: int) -> Cards:
        return cls([list(range(1, n + 1)) for _ in range(players)], [0] * players, [False] * players)

    def forfeit(self, id_: int) -> None:
        self.out[id_ - 1], self.hands[id_ - 1], self.totals[id_ - 1] = True, [], 0

    def show(self, chosen: list[int]) -> None:
        won = Round(chosen, winner(chosen), sum(chosen))
        self.rounds.append(won)
        self.totals[won.winner - 1] += won.points
        for hand, card in zip(self.hands, chosen, strict=True):
            if card:
                hand.remove(card)

    def end(self) -> None:
        if self.out.count(False) == 1:
            last = self.out.index(False)
            self.totals[last] += sum(self.hands[last])


def play(n: int, people: Sequence[Asked], game: int = 0) -> Game:
    """Play one game of n cards each."""
    for each in people:
        each.begin()
    result, cards = Game(ids_of(len(people), game)), Cards.dealt(n, len(people))
    number_of = [result.ids.index(id_) for id_ in range(1, len(people) + 1)]  # by id - 1
    for round_ in range(1, n + 1):
        chosen = [0] * len(people)
        asked = [id_ for id_ in range(1, len(people) + 1) if not cards.out[id_ - 1]]
        for id_ in asked:
            view: View = {
                "game": game,
                "round": round_,
                "cards": n,
                "own": id_,
                "players": list(number_of),
                "hands": [list(hand) for hand in cards.hands],
                "shown": [list(earlier.cards) for earlier in cards.rounds],
                "totals": list(cards.totals),
            }
            chosen[id_ - 1] = chosen_card(people[number_of[id_ - 1]], view, cards.hands[id_ - 1])
        for id_ in asked:
            if not chosen[id_ - 1]:
                result.forfeits.append((round_, number_of[id_ - 1]))
                cards.forfeit(id_)
        if cards.out.count(False) < 2:
            break
        cards.show(chosen)
    cards.end()
    result.rounds, result.points = cards.rounds, [cards.totals[id_ - 1] for id_ in result.ids]
    return result


def chosen_card(player: Asked, view: View, hand: list[int]) -> int:
    """Return the card that somebody chooses, 0 for none."""
    answer = player.ask(view)
    card = card_of(answer)
    if card in hand:
        return card
    if not isinstance(answer, NoAnswer):
        player.fail("illegal")
    return 0
