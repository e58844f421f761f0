"""A referee of Poker Market, written from docs/program/contest-market.md and the pages it links to alone.

The luck is handed in: the hands of the seats, and the order in which the players of a deal were drawn.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from tests.games.characters import NoAnswer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.games.referees import Asked, View

FACES = "23456789TJQKA"
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


def word(answer: object) -> str:
    """Return an answer in text without what makes no difference; "" for what is no text."""
    return " ".join(answer.lower().split()).removeprefix("!") if isinstance(answer, str) else ""


def card(text: str) -> str:
    """Return a card as it is told, of one that is written in another way."""
    return text.upper().replace("10", "T").translate(str.maketrans("♠♥♦♣", "SHDC"))


def possible(answer: object, hands: Sequence[Sequence[str]], seat: int) -> tuple[str, str] | None:
    """Return the cards of a swap that an answer proposes, None for what is none that is possible."""
    words: object = None
    if isinstance(answer, dict) and list(answer) == ["swap"]:
        words = answer["swap"]
    elif word(answer).startswith("swap "):
        words = word(answer).split()[1:]
    if not isinstance(words, list) or len(words) != 2 or not all(isinstance(each, str) for each in words):
        return None
    give, take = map(card, words)
    others = [card for other, hand in enumerate(hands) if other != seat for card in hand]
    return (give, take) if give in hands[seat] and take in others else None


def matches(deals: int, games: int) -> list[int]:
    """Return of how many deals each match of a table is."""
    whole, rest = divmod(deals, games)
    return [games] * whole + ([rest] if rest else [])


def measures(replays: Sequence[Replay], player: int) -> dict[str, Fraction]:
    """Return how often a player proposes, is accepted, and accepts, in the replays of a match."""
    turns, proposals, answers = 0, list[bool](), list[bool]()
    for replay in replays:
        seat = replay.players.index(player)
        turns += sum(turn.seat == seat for turn in replay.turns)
        proposals += [turn.accepted for turn in replay.turns if turn.seat == seat and turn.swap]
        answers += [turn.accepted for turn in replay.turns if turn.partner == seat]
    return {
        "proposes": Fraction(len(proposals), turns),
        "is accepted": Fraction(sum(proposals), len(proposals) or 1),
        "accepts": Fraction(sum(answers), len(answers) or 1),
    }


def play(
    hands: Sequence[Sequence[str]], people: Sequence[tuple[int, Asked]], rounds: int, game: int
) -> Replay:
    """Play a deal once: `hands` and `people` are by seats, people with their numbers."""
    players = [number for number, _ in people]
    for _, each in people:
        each.begin()
    held = [list(hand) for hand in hands]
    result = Replay(list(players))
    seats = len(held)

    def view(own: int, round_: int, seat: int, proposal: tuple[str, str] | None) -> View:
        return {
            "game": game,
            "own": own,
            "players": list(players),
            "hands": [list(hand) for hand in held],
            "round": round_,
            "rounds": rounds,
            "seat": seat,
            "left": rounds * seats - len(result.turns),
            "proposal": None if proposal is None else list(proposal),
            "history": [turn.view() for turn in result.turns],
        }

    for round_ in range(1, rounds + 1):
        for seat in range(seats):
            answer = people[seat][1].ask(view(seat, round_, seat, None))
            swap = possible(answer, held, seat)
            if swap is None:
                if word(answer) != "pass" and not isinstance(answer, NoAnswer):
                    people[seat][1].fail("illegal")
                result.turns.append(Turn(seat))
                continue
            give, take = swap
            partner = next(other for other, hand in enumerate(held) if take in hand)
            answer = people[partner][1].ask(view(partner, round_, seat, swap))
            if word(answer) not in ("accept", "decline") and not isinstance(answer, NoAnswer):
                people[partner][1].fail("illegal")
            accepts = word(answer) == "accept"
            if accepts:
                held[seat][held[seat].index(give)] = take
                held[partner][held[partner].index(take)] = give
            result.turns.append(Turn(seat, swap, partner, accepts))
    result.hands = held
    result.points = points_of(held)
    return result
