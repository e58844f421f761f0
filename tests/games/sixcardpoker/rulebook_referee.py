"""A referee of Six Card Poker, written from docs/program/contest-sixcard.md and the pages it links to alone.

The luck is handed in: the cards of both, and the arrangement that is drawn for somebody who gives none.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, cast

from tests.games.characters import NoAnswer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.games.referees import Asked

HALF = Fraction(1, 2)
Arrangement = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]  # High, Middle, Low; descending


@dataclass(frozen=True, slots=True)
class Round:
    """The arrangements of both, the points of the first hand by hand, and the first one's score."""

    arrangements: tuple[Arrangement, Arrangement]
    points: tuple[Fraction, Fraction, Fraction]
    score: Fraction


def arrange(cards: Sequence[int]) -> Arrangement:
    """Return six cards in order as three hands: the first three, the next two, the last one."""
    descending = [tuple(sorted(hand, reverse=True)) for hand in (cards[:3], cards[3:5], cards[5:])]
    return descending[0], descending[1], descending[2]


def read(text: str) -> list[int] | None:
    """Return the six cards of an answer in text, in order; None for what is no arrangement of six."""
    hands = ["".join(hand.split()) for hand in text.split("|")] if "|" in text else text.split()
    if [len(hand) for hand in hands] != [3, 2, 1] or not set("".join(hands)) <= set("1234"):
        return None
    return [int(sign) for hand in hands for sign in hand]


def legal(answer: object, cards: Sequence[int]) -> Arrangement | None:
    """Return the arrangement that an answer is, of somebody who holds `cards`; None for what is none."""
    order: list[int] | None = None
    if isinstance(answer, str):
        order = read(answer)
    elif isinstance(answer, list) and [type(hand) for hand in answer] == [list] * 3:
        hands = cast("list[list[object]]", answer)
        if [len(hand) for hand in hands] == [3, 2, 1] and all(
            type(card) is int for hand in hands for card in hand
        ):
            order = [cast("int", card) for hand in hands for card in hand]
    return arrange(order) if order is not None and sorted(order) == sorted(cards) else None


def compare(first: object, second: object) -> Fraction:
    return Fraction(1) if first > second else Fraction(0) if first < second else HALF  # type: ignore[operator]


def settle(first: Arrangement, second: Arrangement) -> Round:
    """Compare two arrangements hand by hand."""
    high = compare(sum(first[0]), sum(second[0]))
    middle = compare(*((hand[1][0] == hand[1][1], hand[1]) for hand in (first, second)))
    low = compare(first[2], second[2])
    return Round((first, second), (high, middle, low), compare(high + middle + low, 3 * HALF))


def matches(games: int) -> list[int]:
    """Return of how many rounds each match of two players is."""
    deals = -(-games // 2)
    count = max(min(deals // 50, 32), -(-deals // 25_000))
    return [2 * (deals // count + (number < deals % count)) for number in range(count)]


def play(
    hands: Sequence[Sequence[int]],
    people: Sequence[Asked],
    texts: Sequence[bool],
    game: int,
    drawn: Callable[[int], Sequence[int]],
) -> Round:
    """Play a round; `texts` says who is asked in text, `drawn` the order drawn for one without an answer."""
    arrangements = []
    for place, (cards, player, in_text) in enumerate(zip(hands, people, texts, strict=True)):
        player.begin()
        held = sorted(cards)
        answer = (
            player.ask_in_text(" ".join(map(str, held)))
            if in_text
            else player.ask({"game": game, "cards": held})
        )
        arrangement = legal(answer, cards)
        if arrangement is None:
            if not isinstance(answer, NoAnswer):
                player.fail("illegal")
            order = drawn(place)
            assert sorted(order) == held, "what is drawn has the own cards"
            arrangement = arrange(order)
        arrangements.append(arrangement)
    return settle(arrangements[0], arrangements[1])
