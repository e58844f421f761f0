"""The policy of `nash`: how the best play mixes its cards at each pair of remaining hands.

`data/policies/chicken-7.txt` has it for all hands out of the cards 1..7, hence for every game of up to 7
cards; `chatbot solve chicken --n 7 --policy` prints that file. `FORMAT` describes its lines, which stand
at its beginning.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from chatbot.kernel import supplies

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from chatbot.kernel.fair import Rng

SHIPPED_CARDS = 7
MOST_CARDS = 9  # each card is one digit
FORMAT = (
    "# Chicken Poker for two: the best play at every pair of hands out of the cards 1..{cards}.",
    "# A line is a pair: the hand of the lower id, that of the higher id, the value, and a mix for each.",
    "# A hand is its cards, one digit each. The value is what the lower id scores beyond the other from here",
    "# on, on average. A mix has a digit for each card of the hand: its weight, in proportion to the others.",
)

Hands: TypeAlias = tuple[str, str]  # of the lower id and the higher, as the lines have them


@dataclass(frozen=True, slots=True)
class PolicyEntry:
    """What is known of a pair of hands."""

    value: Fraction
    mixes: tuple[tuple[int, ...], tuple[int, ...]]  # of the lower id and the higher: a weight for each card


def nash(own: Collection[int], other: Collection[int], lower: bool, rng: Rng) -> int:
    """Draw a card for one of two players; `lower`: it is the one with the lower id.

    It is the equilibrium for any hands: what the shipped policy does not have is drawn evenly.
    """
    hand = sorted(own)
    pair = (_digits(hand), _digits(sorted(other)))
    entry = shipped().get(pair if lower else (pair[1], pair[0])) if max(hand) <= SHIPPED_CARDS else None
    return evenly(hand, rng) if entry is None else _drawn(hand, entry.mixes[0 if lower else 1], rng)


def evenly(hand: Sequence[int], rng: Rng) -> int:
    """Draw a card as `nash` does among any number of players, and with any cards.

    `equilibrium` proves that it is the best play of two, and an equilibrium of expected points for more.
    """
    return rng.choice(hand)


@cache
def shipped() -> Mapping[Hands, PolicyEntry]:
    """Read the policy that ships; its 3431 pairs take about 3 MB."""
    return read(_file().read_text(encoding="utf-8").splitlines())


def read(lines: Iterable[str]) -> dict[Hands, PolicyEntry]:
    """Read the lines of a policy.

    Raises:
        ValueError: a line is not one.
    """
    return dict(_entry(line) for line in lines if line and not line.startswith("#"))


def write(cards: int) -> Iterator[str]:
    """Work a policy out, and write its lines.

    Raises:
        ValueError: there are no cards, or more than `MOST_CARDS`.
    """
    from chatbot.games.chickenpoker.solver.solver import levels  # noqa: PLC0415  (it loads NumPy; who plays does without)

    if not 1 <= cards <= MOST_CARDS:
        raise ValueError(f"a policy has from 1 to {MOST_CARDS} cards, not {cards}")
    yield from (line.format(cards=cards) for line in FORMAT)
    for level in levels(cards):
        hands = [_digits(hand) for hand in level.hands]
        even = "1" * len(hands[0])
        for row, lower in enumerate(hands):
            for column, higher in enumerate(hands):
                yield f"{lower} {higher} {level.value(row, column)} {even} {even}"


def _entry(line: str) -> tuple[Hands, PolicyEntry]:
    words = line.split()
    if len(words) != 5 or [len(each) for each in words[3:]] != [len(each) for each in words[:2]]:
        raise ValueError(f"a line of a policy is two hands, a value and two mixes, not {line[:80]!r}")
    lower, higher, value, *mixes = words
    weights = [tuple(map(int, mix)) for mix in mixes]
    return (lower, higher), PolicyEntry(Fraction(value), (weights[0], weights[1]))


def _drawn(hand: Sequence[int], weights: Sequence[int], rng: Rng) -> int:
    """Draw a card with a probability in proportion to its weight."""
    place = rng.below(sum(weights))
    cards = [card for card, weight in zip(hand, weights, strict=True) for _ in range(weight)]
    return cards[place]


def _digits(hand: Iterable[int]) -> str:
    return "".join(map(str, hand))


def _file() -> Path:
    return supplies.folder("policies") / f"chicken-{SHIPPED_CARDS}.txt"
