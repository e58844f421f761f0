"""Boards as games make them, for pictures to be drawn of."""

from __future__ import annotations

from chatbot.kernel.board import Board, Card, Hand
from chatbot.kernel.game import Seat
from chatbot.kernel.say import Message
from chatbot.pictures.scene import Scene, scene_of

ANN, BOB = Seat("test:ann"), Seat("test:bob")


def hand(
    label: str,
    faces: str = "",
    owner: Seat | None = None,
    mark: str = "plain",
    detail: str = "",
    hidden: int = 0,
) -> Hand:
    """Make a hand of faces such as `A♠ 10♥`."""
    cards = tuple(Card(each) for each in faces.split())
    return Hand(Message(label), cards, hidden, owner, mark, Message(detail) if detail else None)


def marked(label: str, faces: str, mark: str) -> Hand:
    """Make a hand that nobody owns, of cards that are all marked alike."""
    return Hand(Message(label), tuple(Card(each, mark) for each in faces.split()))


def scene(*hands: Hand) -> Scene:
    """See a board whose labels stand for themselves, and whose seats are called by their ids."""
    seen = scene_of(Board(Message("title"), hands=hands), lambda each: each.id, lambda seat: seat[5:])
    assert seen is not None
    return seen


REVEALED = (
    hand("High", "4 4 1", ANN, "won", "9"),
    hand("Middle", "3 2", ANN, "lost", "no pair"),
    hand("Low", "1", ANN, "drawn"),
    hand("High", "4 3 1", BOB, "lost", "8"),
    hand("Middle", "2 2", BOB, "won", "pair"),
    hand("Low", "1", BOB, "drawn"),
)
SHOW = (
    marked("Shown", "27", "shown"),
    marked("Kept", "12 44", "kept"),
    hand("Rejected"),
    hand("Left", hidden=20),
)
MARKET = tuple(hand("Hand", "J♠ 10♥ Q♦ K♣ A♠", Seat(f"test:p{number}")) for number in range(10))
