"""What two hands of Chicken Poker are worth, and why drawing evenly is the best play.

Two players hold hands A and B of m cards each, and M(a, b) is the margin of a round: what the player with
the lower id scores beyond the other where a meets b. By the end of the game every card of A has met one of
B, and the margin of the game is the sum over these m pairs.

**Drawing evenly decides everything.** Let one of the two draw each card evenly from what is left of the own
hand. Then any a meets any b with probability 1/m, whatever the other does and however that depends on
what was shown. For the first card of the other's, b, this is plain; the rest follows by induction: another
card a' is still there with probability (m − 1)/m, and then meets any b' other than b with probability
1/(m − 1). So the expected margin is

    V(A, B) = Σ M(a, b) / m, over all a of A and all b of B.

More than that: all m! ways to pair A with B are equally likely, by the same induction. So whoever meets even
draws cannot change how likely any result is: neither the mean, nor the chance to have the most points after
a game.

Either player can have it so, hence V is the value of the game (von Neumann 1928), and to draw evenly is
optimal for both at every pair of hands. It gains nothing from an opponent's mistakes either: *whoever*
plays against it gets the value exactly, on average.

**The opening.** Of the cards 1..n against 1..n, M(a, b) and M(b, a) cancel where a and b differ. The tie at
v brings 2v, to the lower id for even v and to the higher one for odd v: together n for even n and −(n + 1)
for odd n. So the value is 1 for even n and −(n + 1)/n for odd n.

**More players.** If all others draw evenly, every combination of their cards meets any card of the own with
the same probability, by the same induction; so all ways to play score the same points on average, with
any number of players. All drawing evenly is hence an equilibrium of expected points. But three or
more have no value that one alone can guarantee: drawing evenly is no shield where several others do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from chatbot.games.chickenpoker.rules.showdown import winner
from chatbot.kernel import supplies

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from chatbot.kernel.fair import Rng

LOWER, HIGHER = 1, 2  # the ids of two players


def margin(lower: int, higher: int) -> int:
    """Return what the player with the lower id scores in a round beyond the other, from the card of each."""
    cards = {LOWER: lower, HIGHER: higher}
    points = sum(cards.values())
    return points if winner(cards) == LOWER else -points


def value(lower: Collection[int], higher: Collection[int]) -> Fraction:
    """Return the expected margin of the player with the lower id from here on, if both play their best.

    Raises:
        ValueError: the hands are not of one size.
    """
    if len(lower) != len(higher):
        raise ValueError(f"hands are of one size, not of {len(lower)} and {len(higher)} cards")
    if not lower:
        return Fraction(0)
    return Fraction(sum(margin(own, other) for own in lower for other in higher), len(lower))


def opening(cards: int) -> Fraction:
    """Return the value of a game with the cards 1..n, as `value` does; see above."""
    return Fraction(1) if cards % 2 == 0 else Fraction(-(cards + 1), cards)


# The policy of `nash`: how the best play mixes its cards at each pair of remaining hands.
#
# `data/policies/chicken-7.txt` has it for all hands out of the cards 1..7, hence for every game of up to 7
# cards; `chatbot solve chicken --n 7 --policy` prints that file. `FORMAT` describes its lines, which stand
# at its beginning.
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
    return _drawn(hand, weights(hand, sorted(other), lower), rng)


def weights(hand: Sequence[int], other: Sequence[int], lower: bool) -> Sequence[int]:
    """Return how `nash` mixes the cards of a hand against another, both ascending; see `nash`."""
    pair = (_digits(hand), _digits(other))
    entry = shipped().get(pair if lower else (pair[1], pair[0])) if max(hand) <= SHIPPED_CARDS else None
    return (1,) * len(hand) if entry is None else entry.mixes[0 if lower else 1]


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
