"""Playing cards, and the ranking of five of them as poker has it.

A card is a number from 0 to 51: its rank times four and its suit. Ranks go from 0, a deuce, to 12, an ace;
suits are spades, hearts, diamonds and clubs, and none is worth more than another. Hands are ranked by
looking up what their ranks are worth; there are 7462 classes of hands that are equal to each other.
"""

from __future__ import annotations

import re
from collections import Counter
from enum import IntEnum
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

CardNumber: TypeAlias = int

RANKS = "23456789TJQKA"
SUITS = "SHDC"
SYMBOLS = "♠♥♦♣"
SUIT_COUNT = len(SUITS)
DECK: tuple[CardNumber, ...] = tuple(range(len(RANKS) * SUIT_COUNT))
HAND = 5
CLASSES = 7462

WEIGHTS = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
"""What a rank adds to the key of a hand.

Each is the smallest that keeps the sums of any five ranks apart, no rank coming more than four times: so
a key tells which ranks a hand has.
"""
KEYS = 4 * WEIGHTS[12] + WEIGHTS[11] + 1
"""Keys are below this."""

_HIDDEN = dict.fromkeys(map(ord, "\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}"))
_SUITS_AS_TYPED = {**dict(zip(SUITS, range(4), strict=True)), **dict(zip(SYMBOLS, range(4), strict=True))}
_SUITS_AS_TYPED |= dict(zip("♤♡♢♧", range(4), strict=True))
_RANK, _SUIT = "10|[2-9TJQKA]", "[SHDC♠♥♦♣♤♡♢♧]"
_CARD = re.compile(
    f"(?P<rank>{_RANK})(?P<suit>{_SUIT})|(?P<suit2>{_SUIT})(?P<rank2>{_RANK})", re.ASCII | re.IGNORECASE
)


class Category(IntEnum):
    """The kinds of hands, from the least; a royal flush is the best straight flush."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8


class Worth(NamedTuple):
    """What a hand is, such that the better one is larger.

    `ranks` are those that decide, in their order: those that come most often first, then the kickers; of a
    straight the highest alone.
    """

    category: Category
    ranks: tuple[int, ...]


def parse(text: str) -> CardNumber:
    """Read a card: `JS`, `js`, `J♠`, `10h`, `Th`, `♠J`.

    Raises:
        ValueError: it is none.
    """
    match = _CARD.fullmatch(text.translate(_HIDDEN))
    if match is None:
        raise ValueError(f"a card is a rank and a suit, such as JS, 10H or J♠, not {text[:40]!r}")
    rank, suit = (match["rank"] or match["rank2"]).upper(), (match["suit"] or match["suit2"]).upper()
    return RANKS.index("T" if rank == "10" else rank) * SUIT_COUNT + _SUITS_AS_TYPED[suit]


def written(card: CardNumber) -> str:
    """Write a card in letters, as it is typed: `JS`, `TH`."""
    return RANKS[card // SUIT_COUNT] + SUITS[card % SUIT_COUNT]


def shown(card: CardNumber) -> str:
    """Write a card as people read it: `J♠`, `10♥`."""
    return RANKS[card // SUIT_COUNT].replace("T", "10") + SYMBOLS[card % SUIT_COUNT]


def rank(hand: Iterable[CardNumber]) -> int:
    """Rank five cards: from 0, the worst, to 7461; higher is better and equal is equal."""
    first, *others = cards = tuple(hand)
    key = sum([WEIGHTS[card // SUIT_COUNT] for card in cards])
    suited = all(card % SUIT_COUNT == first % SUIT_COUNT for card in others)
    return tables()[suited][key]


def worth(hand: Iterable[CardNumber]) -> Worth:
    """Say what five cards are worth, in a way that can be put into words."""
    return classes()[rank(hand)]


@cache
def tables() -> tuple[Sequence[int], Sequence[int]]:
    """Give two tables of ranks by key: for hands of several suits, and of one; -1 is no hand."""
    places = {each: place for place, each in enumerate(classes())}
    plain, suited = [-1] * KEYS, [-1] * KEYS
    for ranks in _rank_sets():
        key = sum(WEIGHTS[each] for each in ranks)
        plain[key] = places[_worth(ranks, suited=False)]
        if len(set(ranks)) == HAND:
            suited[key] = places[_worth(ranks, suited=True)]
    return plain, suited


@cache
def classes() -> tuple[Worth, ...]:
    """List what hands can be worth, from the worst: 7462."""
    worths = {_worth(ranks, suited=False) for ranks in _rank_sets()}
    worths |= {_worth(ranks, suited=True) for ranks in combinations(range(len(RANKS)), HAND)}
    return tuple(sorted(worths))


def _rank_sets() -> Iterable[tuple[int, ...]]:
    """List what ranks five cards can have, ascending."""
    every = combinations_with_replacement(range(len(RANKS)), HAND)
    return (ranks for ranks in every if ranks[0] != ranks[4])


def _worth(ranks: Sequence[int], *, suited: bool) -> Worth:
    counts = Counter(ranks)
    ordered = tuple(sorted(counts, key=lambda each: (counts[each], each), reverse=True))
    top = _straight(ordered) if len(ordered) == HAND else None
    if top is not None:
        return Worth(Category.STRAIGHT_FLUSH if suited else Category.STRAIGHT, (top,))
    if suited:
        return Worth(Category.FLUSH, ordered)
    return Worth(_BY_COUNTS[tuple(sorted(counts.values(), reverse=True))], ordered)


def _straight(descending: tuple[int, ...]) -> int | None:
    """Give the highest rank of a straight; an ace may be its lowest, and then counts as one."""
    if descending == _WHEEL:
        return descending[1]
    return descending[0] if descending[0] - descending[-1] == HAND - 1 else None


_WHEEL = (12, 3, 2, 1, 0)
_BY_COUNTS = {
    (4, 1): Category.FOUR_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (3, 1, 1): Category.THREE_OF_A_KIND,
    (2, 2, 1): Category.TWO_PAIR,
    (2, 1, 1, 1): Category.PAIR,
    (1, 1, 1, 1, 1): Category.HIGH_CARD,
}
