"""All that luck can bring: goes through every way in which draws can turn out, with its probability."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")


class Draws(Rng):
    """Luck that turns out as it is told, and as 0 where nothing is told; what hides a choice is always 0."""

    def __init__(self, told: list[int]) -> None:
        super().__init__(b"")
        self.drawn = told
        self.limits: list[int] = []

    def bits(self, count: int) -> int:
        return 0

    def below(self, limit: int) -> int:
        if len(self.limits) == len(self.drawn):
            self.drawn.append(0)
        self.limits.append(limit)
        return self.drawn[len(self.limits) - 1]

    def chance(self, probability: float) -> bool:
        assert probability == 0.5
        return bool(self.below(2))


def outcomes(play: Callable[[Rng], T]) -> Iterator[tuple[Fraction, T]]:
    """Play it with each way in which its draws can turn out; the probabilities add up to 1."""
    told: list[int] = []
    while True:
        draws = Draws(told)
        came = play(draws)
        probability = Fraction(1)
        for limit in draws.limits:
            probability /= limit
        yield probability, came
        while told and told[-1] == draws.limits[len(told) - 1] - 1:
            told.pop()
        if not told:
            return
        told[-1] += 1
