"""Policies of Six Card Poker: for each six cards, with what weight each arrangement is played.

`data/policies/sixcard.txt` has the best play, which `chatbot solve sixcard --policy` works out and prints.
`FORMAT` describes its lines, which stand at its beginning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import accumulate, permutations
from math import lcm
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from chatbot.games.sixcardpoker.rules.cards import (
    Arrangement,
    SixCards,
    arrange,
    arrangements,
    compare,
    types,
    ways,
)
from chatbot.games.sixcardpoker.rules.cards import read as read_held
from chatbot.kernel import supplies

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from chatbot.kernel.fair import Rng

FORMAT = (
    "# Six Card Poker: the best play with each of the 68 hands of six cards.",
    "# A line is the six cards, then the arrangements that are played, as High-Middle-Low=WEIGHT.",
    "# An arrangement is as likely as its weight is large beside the others of its line; this is exact.",
)

Mix: TypeAlias = Mapping[Arrangement, int]
"""Whole weights, of which none is negative: an arrangement is as likely as its part of their sum."""

ArrangementPolicy: TypeAlias = Mapping[SixCards, Mix]
"""One mix for each of the 68 types."""


def draw(mix: Mix, rng: Rng) -> Arrangement:
    """Draw an arrangement."""
    place = rng.below(sum(mix.values()))
    ends = zip(mix, accumulate(mix.values()), strict=True)
    return next(arrangement for arrangement, end in ends if place < end)


@cache
def random() -> ArrangementPolicy:
    """Set the cards in uniformly random order."""
    return {cards: _shuffled(cards) for cards in types()}


@cache
def greedy() -> ArrangementPolicy:
    """Put the best pair in the middle, and of the others the three largest in front and the best Low."""
    return {cards: {_greedily(cards): 1} for cards in types()}


def nash() -> ArrangementPolicy:
    """Play the equilibrium that ships: nobody scores more than half against it, on average."""
    return shipped()


@cache
def shipped() -> ArrangementPolicy:
    """Read the policy that ships."""
    return read(_file().read_text(encoding="utf-8").splitlines())


def read(lines: Iterable[str]) -> ArrangementPolicy:
    """Read the lines of a policy.

    Raises:
        ValueError: a line is none, or they are not one for each type.
    """
    entries = [_entry(line) for line in lines if line and not line.startswith("#")]
    policy = dict(entries)
    if len(entries) != len(types()) or len(policy) != len(types()):
        raise ValueError(f"a policy has {len(types())} hands, not {len(policy)} in {len(entries)} lines")
    return policy


def write(policy: ArrangementPolicy) -> Iterator[str]:
    """Write the lines of a policy."""
    yield from FORMAT
    for cards, mix in policy.items():
        entries = [f"{str(each).replace(' ', '-')}={weight}" for each, weight in mix.items() if weight]
        yield " ".join(["".join(map(str, cards)), *entries])


PLANS: Mapping[str, Callable[[], ArrangementPolicy]] = {"random": random, "greedy": greedy, "nash": nash}
"""The policies that are built in, by the names of those who play them."""


def _shuffled(cards: SixCards) -> Mix:
    return dict(
        sorted(Counter(arrange(each[:3], each[3:5], each[5:]) for each in permutations(cards)).items())
    )


def _greedily(cards: SixCards) -> Arrangement:
    pair = max(face for face, count in Counter(cards).items() if count > 1)  # of four faces, one comes twice
    *low, first, second, third = sorted((Counter(cards) - Counter({pair: 2})).elements())
    return arrange((first, second, third), (pair, pair), low)


def _entry(line: str) -> tuple[SixCards, Mix]:
    word, *entries = line.split()
    cards, mix = read_held(word), dict(map(_weighed, entries))
    if not mix or len(mix) != len(entries) or any(each.held != cards for each in mix):
        raise ValueError(f"a line of a policy has different arrangements of its six cards, not {line[:80]!r}")
    return cards, mix


def _weighed(word: str) -> tuple[Arrangement, int]:
    cards, _, weight = word.partition("=")
    if not (weight.isdecimal() and int(weight)):
        raise ValueError(f"an arrangement of a policy is High-Middle-Low=WEIGHT, not {word[:80]!r}")
    high, middle, low = (map(int, hand) for hand in f"{cards}--".split("-")[:3])
    return arrange(high, middle, low), int(weight)


def _file() -> Path:
    return supplies.folder("policies") / "sixcard.txt"


# How good each way to set six cards is against a policy, for a review in chat: exact, and without NumPy.


class Reply(NamedTuple):
    arrangement: Arrangement
    score: Fraction  # expected, with 1 for a win and ½ for a draw


def replies(cards: SixCards, policy: ArrangementPolicy) -> list[Reply]:
    """Score all ways to set these cards against a policy that is dealt any others, the best first.

    The other's six cards come out of the ten that are left, each deal as likely. Against the best play
    it takes some milliseconds.

    Raises:
        ValueError: nobody can hold these cards.
    """
    settings, opponents = arrangements(cards), list(_opponents(cards, policy))
    total = sum(weight for _, weight in opponents)
    scored = [Reply(own, _score(own, opponents, total)) for own in settings]
    return sorted(scored, key=lambda reply: (-reply.score, reply.arrangement))


def _opponents(cards: SixCards, policy: ArrangementPolicy) -> Iterator[tuple[Arrangement, int]]:
    """Go through what can be met, each with a weight in proportion to its chance."""
    scale = lcm(*(sum(mix.values()) for mix in policy.values()))
    for other, mix in policy.items():
        deals = ways(cards, other) * (scale // sum(mix.values()))
        if deals:
            yield from ((arrangement, deals * weight) for arrangement, weight in mix.items())


def _score(own: Arrangement, opponents: list[tuple[Arrangement, int]], total: int) -> Fraction:
    gained = sum(weight * compare(own, other).round for other, weight in opponents)
    return Fraction(total + gained, 2 * total)
