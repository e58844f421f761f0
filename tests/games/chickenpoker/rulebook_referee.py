"""A referee of Chicken Poker, written from docs/program/contest-chickenpoker.md and its links alone.

Players are numbered from 0 in the order in which a session lists them; ids count from 1. There is no luck.
"""

from dataclasses import dataclass, field

from tests.games.referees import Desk, NoAnswer, View


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


def play(n: int, players: int, desk: Desk, game: int = 0) -> Game:
    """Play one game of n cards each."""
    desk.next_game()
    result = Game(ids_of(players, game))
    number_of = [result.ids.index(id_) for id_ in range(1, players + 1)]  # by id - 1
    hands = [list(range(1, n + 1)) for _ in range(players)]
    totals = [0] * players
    out = [False] * players
    for round_ in range(1, n + 1):
        chosen = [0] * players
        asked = [id_ for id_ in range(1, players + 1) if not out[id_ - 1]]
        for id_ in asked:
            view: View = {
                "game": game,
                "round": round_,
                "cards": n,
                "own": id_,
                "players": list(number_of),
                "hands": [list(hand) for hand in hands],
                "shown": [list(earlier.cards) for earlier in result.rounds],
                "totals": list(totals),
            }
            player = number_of[id_ - 1]
            answer = desk.answer(player, view)
            if type(answer) is int and answer in hands[id_ - 1]:
                chosen[id_ - 1] = answer
            elif not isinstance(answer, NoAnswer):
                desk.fail(player, "illegal")
        for id_ in asked:
            if chosen[id_ - 1]:
                hands[id_ - 1].remove(chosen[id_ - 1])
            else:
                out[id_ - 1], hands[id_ - 1], totals[id_ - 1] = True, [], 0
        if all(out):
            break
        won = Round(chosen, winner(chosen), sum(chosen))
        result.rounds.append(won)
        totals[won.winner - 1] += won.points
        if out.count(False) == 1:
            totals[won.winner - 1] += sum(hands[won.winner - 1])
            break
    result.points = [totals[id_ - 1] for id_ in result.ids]
    return result
