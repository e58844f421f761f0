"""The players of Chicken Poker that are built in, as sessions ask them."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import gcd
from typing import TYPE_CHECKING

from chatbot.games.chickenpoker.solver.policies import evenly, nash
from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.games.chickenpoker.contest.session import Start


@dataclass(frozen=True, slots=True)
class StepPlayer:
    """The order of `linear`: START first, then STEP further each time, wrapping within 1..n."""

    start: int
    step: int

    def fits(self, cards: int) -> bool:
        """Say whether it plays every card of 1..n once."""
        return 1 <= self.start <= cards and gcd(self.step, cards) == 1

    def order(self, cards: int) -> list[int]:
        return [(self.start - 1 + number * self.step) % cards + 1 for number in range(cards)]


@dataclass(slots=True)
class Linear:
    """Plays the same order in every game."""

    steps: StepPlayer
    _left: list[int] = field(default_factory=list)  # the next card last

    def begin(self, start: Start) -> None:
        self._left = self.steps.order(start.cards)[::-1]

    def choose(self, shown: Mapping[int, int]) -> int:  # noqa: ARG002
        return self._left.pop()

    def forfeited(self) -> None:
        """Nothing is left to do: it begins afresh with each game."""


@dataclass(slots=True)
class Even:
    """`random`: plays every card that it still holds with the same probability."""

    rng: Rng
    _left: list[int] = field(default_factory=list)

    def begin(self, start: Start) -> None:
        self._left = self.rng.shuffled(range(1, start.cards + 1))

    def choose(self, shown: Mapping[int, int]) -> int:  # noqa: ARG002
        return self._left.pop()

    def forfeited(self) -> None:
        """Nothing is left to do: it begins afresh with each game."""


@dataclass(slots=True)
class Nash:
    """`nash`: plays the equilibrium, between two from the policy that ships."""

    rng: Rng
    _own: int = 0
    _hands: dict[int, set[int]] = field(default_factory=dict)

    def begin(self, start: Start) -> None:
        self._own = start.player
        self._hands = {each: set(range(1, start.cards + 1)) for each in start.players}

    def choose(self, shown: Mapping[int, int]) -> int:
        for player, card in shown.items():
            self._hands[player].discard(card)
        own = self._hands[self._own]
        if len(self._hands) != 2:
            return evenly(sorted(own), self.rng)
        (other,) = self._hands.keys() - {self._own}
        return nash(own, self._hands[other], self._own < other, self.rng)

    def forfeited(self) -> None:
        """Nothing is left to do: it begins afresh with each game."""
