"""Describe what a picture of a table shows: formatted texts, and as many cards as it can draw.

Equal scenes give equal pictures.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from chatbot.kernel.board import Card

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from chatbot.kernel.board import Board, Hand
    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Message

MOST_CARDS, MOST_BESIDE = 10, 5  # cards of a hand that are drawn, without and with a card that is turned up
MOST_ROWS = 12
SHOWN = "shown"  # the mark of the card that is turned up


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Cards that lie together; `earlier` and `later` count those before and after that are not drawn."""

    label: str = ""
    detail: str = ""
    cards: tuple[Card, ...] = ()
    earlier: int = 0
    later: int = 0
    hidden: int = 0
    mark: str = "plain"


@dataclass(frozen=True, slots=True)
class SceneRow:
    """The hands of one owner, or one hand without an owner."""

    name: str
    groups: tuple[CardGroup, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A table: its rows, and beside them the card that is turned up and the pile of cards to come."""

    rows: tuple[SceneRow, ...]
    upcard: CardGroup | None = None
    pile: CardGroup | None = None


def scene_of(board: Board, text: Callable[[Message], str], name: Callable[[Seat], str]) -> Scene | None:
    """Return the scene of a board, or None if there are no cards.

    `text` formats a message, and `name` returns the display name of a seat.
    """
    most = MOST_BESIDE if any(map(_is_shown, board.hands)) else MOST_CARDS
    hands = [(each, _group(each, text, most)) for each in board.hands]
    if not any(group.cards or group.hidden for _, group in hands):
        return None
    upcard = next((group for hand, group in hands if _is_shown(hand)), None)
    pile = next((group for hand, group in hands if _is_pile(hand)), None)
    apart = (upcard, pile) if upcard is not None else ()
    rows = [(hand, group) for hand, group in hands if group not in apart]
    # An empty place is for cards to come, and there are none once no card is turned up.
    rows = [each for each in rows if upcard is not None or each[1].cards or each[1].hidden]
    return Scene(tuple(_rows(rows, name))[:MOST_ROWS], upcard, pile if upcard is not None else None)


def _rows(hands: Iterable[tuple[Hand, CardGroup]], name: Callable[[Seat], str]) -> Iterable[SceneRow]:
    for owner, theirs in groupby(hands, key=lambda each: each[0].owner):
        groups = tuple(group for _, group in theirs)
        if owner is None:
            yield from (SceneRow("", (each,)) for each in groups)
        else:
            yield SceneRow(name(owner), groups)


def _group(hand: Hand, text: Callable[[Message], str], most: int) -> CardGroup:
    """Keep the latest cards of a hand, or the first if no card is marked, as in the rest of a deck."""
    over = max(len(hand.cards) - most, 0)
    unmarked = all(each.mark == "plain" for each in hand.cards)
    return CardGroup(
        label=text(hand.label),
        detail=text(hand.detail) if hand.detail else "",
        cards=tuple(hand.cards[:most] if unmarked else hand.cards[-most:]),
        earlier=0 if unmarked else over,
        later=over if unmarked else 0,
        hidden=hand.hidden,
        mark=hand.mark,
    )


def _is_shown(hand: Hand) -> bool:
    return hand.owner is None and [each.mark for each in hand.cards] == [SHOWN]


def _is_pile(hand: Hand) -> bool:
    return hand.owner is None and not hand.cards and hand.hidden > 0
