"""The cards of Six Card Poker: what can be held, how it can be set, and which of two settings wins.

The deck has four cards each of 1 to 4. A player holds six of them and sets High (three cards, the larger
sum wins), Middle (two: a pair beats no pair, then the higher card, then the other) and Low (one). A hand
that wins counts one point and a draw half of one; more than half of the three points win the round.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from math import comb, prod
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

FACES = (1, 2, 3, 4)
COPIES = 4  # of each face
SIZES = (3, 2, 1)  # of High, Middle and Low
HELD = sum(SIZES)
DECK = tuple(face for face in FACES for _ in range(COPIES))
DEALS = comb(len(DECK), HELD) * comb(len(DECK) - HELD, HELD)
"""How many ways there are to deal two players their cards, each as likely: 8008 for the first alone."""

SixCards: TypeAlias = tuple[int, ...]
"""Six cards, ascending: a type of the game."""


class Arrangement(NamedTuple):
    """Three hands, the cards of each descending. Arrangements are in order as tuples are."""

    high: tuple[int, int, int]
    middle: tuple[int, int]
    low: tuple[int]

    @property
    def held(self) -> SixCards:
        """The six cards, in ascending order."""
        return tuple(sorted((*self.high, *self.middle, *self.low)))

    def __str__(self) -> str:
        """Write it as somebody would type it: `441 32 1`."""
        return " ".join("".join(map(str, hand)) for hand in self)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one arrangement against another: 1, 0 or -1 for each hand, and for the round."""

    high: int
    middle: int
    low: int

    @property
    def hands(self) -> tuple[int, int, int]:
        """The result of each hand: 1 for a win, 0 for a draw, -1 for a loss."""
        return self.high, self.middle, self.low

    @property
    def round(self) -> int:
        """Who has won more of the hands: that is who has more than half of the points."""
        total = sum(self.hands)
        return (total > 0) - (total < 0)

    @property
    def turned(self) -> Outcome:
        """Return the result as the other arrangement has it."""
        return Outcome(-self.high, -self.middle, -self.low)


def arrange(high: Iterable[int], middle: Iterable[int], low: Iterable[int]) -> Arrangement:
    """Put the cards of each hand in their order.

    Raises:
        ValueError: a hand has another number of cards.
    """
    first, second, third = (tuple(sorted(hand, reverse=True)) for hand in (high, middle, low))
    if (len(first), len(second), len(third)) != SIZES:
        raise ValueError(f"hands have three, two and one card, not {len(first)}, {len(second)}, {len(third)}")
    return Arrangement((first[0], first[1], first[2]), (second[0], second[1]), (third[0],))


def compare(own: Arrangement, other: Arrangement) -> Outcome:
    """Return the result of an arrangement against another, hand by hand."""
    return Outcome(*((a > b) - (a < b) for a, b in zip(_ranks(own), _ranks(other), strict=True)))


@cache
def types() -> tuple[SixCards, ...]:
    """List all that can be held, in order: 68."""
    counts = product(range(COPIES + 1), repeat=len(FACES))
    return tuple(sorted(_cards(each) for each in counts if sum(each) == HELD))


@cache
def arrangements(cards: SixCards) -> tuple[Arrangement, ...]:
    """List the distinct ways to set these cards, in order; all types have 760 together.

    Raises:
        ValueError: nobody can hold them.
    """
    if tuple(sorted(cards)) not in types():
        raise ValueError(f"nobody can hold {' '.join(map(str, cards))}")
    return tuple(sorted(set(_settings(cards))))


@cache
def sensible(cards: SixCards) -> tuple[Arrangement, ...]:
    """List the ways to set these cards of which no other is better in a hand and worse in none."""
    ranked = {each: _ranks(each) for each in arrangements(cards)}
    return tuple(
        each for each, ranks in ranked.items() if not any(_beats(other, ranks) for other in ranked.values())
    )


def setting_of(cards: SixCards, text: str) -> Arrangement | None:
    """Read how these cards are set, as `Arrangement` writes it; None: it is no setting of them."""
    return next((each for each in arrangements(cards) if str(each) == text), None)


def ways(own: SixCards, other: SixCards) -> int:
    """Count the deals that give these cards to one player and those to the other."""
    first, second = Counter(own), Counter(other)
    return prod(comb(COPIES, first[face]) * comb(COPIES - first[face], second[face]) for face in FACES)


def read(text: str) -> SixCards:
    """Read six cards, ascending or not, with or without blanks.

    Raises:
        ValueError: nobody can hold them.
    """
    cards = tuple(sorted(int(each) for each in re.findall("[1-4]", text)))
    if not re.fullmatch(r"[1-4\s]*", text) or cards not in types():
        raise ValueError(f"six cards out of four each of 1 to 4, such as 112344, not {text[:40]!r}")
    return cards


def _settings(cards: SixCards) -> Iterable[Arrangement]:
    places = set(range(HELD))
    for high in combinations(sorted(places), 3):
        for middle in combinations(sorted(places - set(high)), 2):
            low = places - set(high) - set(middle)
            yield arrange(*([cards[place] for place in hand] for hand in (high, middle, low)))


def _ranks(arrangement: Arrangement) -> tuple[tuple[int, ...], ...]:
    """Return what decides each hand: the larger wins."""
    higher, lower = arrangement.middle
    return (sum(arrangement.high),), (higher == lower, higher, lower), arrangement.low


def _beats(ranks: tuple[tuple[int, ...], ...], others: tuple[tuple[int, ...], ...]) -> bool:
    """Whether some hand is better and none is worse."""
    return ranks != others and all(own >= other for own, other in zip(ranks, others, strict=True))


def _cards(counts: tuple[int, ...]) -> SixCards:
    return tuple(face for face, count in zip(FACES, counts, strict=True) for _ in range(count))
