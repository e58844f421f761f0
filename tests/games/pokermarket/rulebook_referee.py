"""A referee of Poker Market, written from docs/program/contest-market.md and the pages it links to alone.

The luck is handed in: the hands of the seats, and the order in which the players of a deal were drawn.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.games.referees import Desk, NoAnswer, View

FACES = "23456789TJQKA"
SUITS = "CDHS"  # for the order in which cards are told; suits are never ranked
KINDS = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as players are told it: a swap that was proposed, or None for a pass."""

    seat: int
    swap: tuple[str, str] | None = None
    partner: int | None = None
    accepted: bool = False

    def view(self) -> View:
        swap = None if self.swap is None else list(self.swap)
        return {"seat": self.seat, "swap": swap, "partner": self.partner, "accepted": self.accepted}


@dataclass(slots=True)
class Replay:
    """A deal that was played: who sat where, the turns, the hands at the end and the points, by seats."""

    players: list[int]
    turns: list[Turn] = field(default_factory=list)
    hands: list[list[str]] = field(default_factory=list)
    points: list[int] = field(default_factory=list)


def told(hand: Sequence[str]) -> list[str]:
    """Return a hand in the order in which it is told."""
    return sorted(hand, key=lambda card: (FACES.index(card[0]), SUITS.index(card[1])), reverse=True)


def strength(hand: Sequence[str]) -> tuple[int, list[int]]:
    """Return the rank of five cards, higher is better."""
    times = Counter(FACES.index(card[0]) for card in hand)
    faces = sorted(times, key=lambda face: (times[face], face), reverse=True)
    kind = KINDS[tuple(times[face] for face in faces)]
    flush = len({card[1] for card in hand}) == 1
    straight = len(faces) == 5 and faces[0] - faces[4] == 4
    if faces == [12, 3, 2, 1, 0]:  # the ace is low: a straight to the five
        straight, faces = True, [3, 2, 1, 0, -1]
    if straight and flush:
        kind = 8
    elif flush:
        kind = 5
    elif straight:
        kind = 4
    return kind, faces


def points_of(hands: Sequence[Sequence[str]]) -> list[int]:
    """Return the points by seats: as many as there are seats for the best hand, 1 for the worst."""
    worst_first = sorted(range(len(hands)), key=lambda seat: (strength(hands[seat]), seat))
    return [1 + worst_first.index(seat) for seat in range(len(hands))]


def seated(order: Sequence[int], rotation: int) -> list[int]:
    """Return the player of each seat in a rotation, from 0, of the drawn order of the players of a deal."""
    seats = len(order)
    players = [0] * seats
    for place, player in enumerate(order):
        players[(place - rotation) % seats] = player
    return players


def possible(answer: object, hands: Sequence[Sequence[str]], seat: int) -> tuple[str, str] | None:
    """Return the cards of a swap that an answer proposes, None for what is none that is possible."""
    if not isinstance(answer, dict) or "swap" not in answer:
        return None
    swap = answer["swap"]
    if not isinstance(swap, list) or len(swap) != 2 or not all(isinstance(card, str) for card in swap):
        return None
    give, take = swap
    others = [card for other, hand in enumerate(hands) if other != seat for card in hand]
    return (give, take) if give in hands[seat] and take in others else None


def play(
    hands: Sequence[Sequence[str]], players: Sequence[int], rounds: int, desk: Desk, game: int
) -> Replay:
    """Play a deal once: `hands` and `players` are by seats."""
    desk.next_game()
    held = [list(hand) for hand in hands]
    result = Replay(list(players))
    seats = len(held)

    def view(own: int, round_: int, seat: int, proposal: tuple[str, str] | None) -> View:
        return {
            "game": game,
            "own": own,
            "players": list(players),
            "hands": [told(hand) for hand in held],
            "round": round_,
            "rounds": rounds,
            "seat": seat,
            "left": rounds * seats - len(result.turns),
            "proposal": None if proposal is None else list(proposal),
            "history": [turn.view() for turn in result.turns],
        }

    for round_ in range(1, rounds + 1):
        for seat in range(seats):
            answer = desk.answer(players[seat], view(seat, round_, seat, None))
            swap = possible(answer, held, seat)
            if swap is None:
                if answer != "pass" and not isinstance(answer, NoAnswer):
                    desk.fail(players[seat], "illegal")
                result.turns.append(Turn(seat))
                continue
            give, take = swap
            partner = next(other for other, hand in enumerate(held) if take in hand)
            answer = desk.answer(players[partner], view(partner, round_, seat, swap))
            if answer not in ("accept", "decline") and not isinstance(answer, NoAnswer):
                desk.fail(players[partner], "illegal")
            if answer == "accept":
                held[seat][held[seat].index(give)] = take
                held[partner][held[partner].index(take)] = give
            result.turns.append(Turn(seat, swap, partner, answer == "accept"))
    result.hands = held
    result.points = points_of(held)
    return result
