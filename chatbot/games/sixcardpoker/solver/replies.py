"""How good each way to set six cards is against a policy, for a review in chat: exact, and without NumPy."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

from chatbot.games.sixcardpoker.rules.cards import Arrangement, arrangements, compare, ways

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.games.sixcardpoker.rules.cards import Held
    from chatbot.games.sixcardpoker.solver.policies import Policy


class Reply(NamedTuple):
    arrangement: Arrangement
    score: Fraction  # expected, with 1 for a win and ½ for a draw


def replies(held: Held, policy: Policy) -> list[Reply]:
    """Score all ways to set these cards against a policy that is dealt any others, the best first.

    The other's six cards come out of the ten that are left, each deal as likely. Against the best play
    it takes some milliseconds.

    Raises:
        ValueError: nobody can hold these cards.
    """
    settings, met = arrangements(held), list(_met(held, policy))
    total = sum(weight for _, weight in met)
    scored = [Reply(own, _score(own, met, total)) for own in settings]
    return sorted(scored, key=lambda reply: (-reply.score, reply.arrangement))


def _met(held: Held, policy: Policy) -> Iterator[tuple[Arrangement, int]]:
    """Go through what can be met, each with a weight in proportion to its chance."""
    scale = lcm(*(sum(mix.values()) for mix in policy.values()))
    for other, mix in policy.items():
        deals = ways(held, other) * (scale // sum(mix.values()))
        if deals:
            yield from ((arrangement, deals * weight) for arrangement, weight in mix.items())


def _score(own: Arrangement, met: list[tuple[Arrangement, int]], total: int) -> Fraction:
    gained = sum(weight * compare(own, other).round for other, weight in met)
    return Fraction(total + gained, 2 * total)
