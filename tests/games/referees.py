"""What referees written from the rulebooks share: answers that did not come, ranks, standard errors."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

View = dict[str, object]
Ask = Callable[[int, View], object]  # a player's number in the match and what it is told; the answer in JSON


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Stands in the place of an answer: why there is none, one of `late`, `ended`, `unreadable`."""

    kind: str


class Desk:
    """Asks players as docs/program/limits.md says: who fails is not asked for the rest of that game."""

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.failed: set[int] = set()
        self.failures: dict[int, Counter[str]] = {}

    def next_game(self) -> None:
        self.failed.clear()

    def answer(self, player: int, view: View) -> object:
        """Return what a player answers, or `NoAnswer` for one that fails here or has failed in this game."""
        if player in self.failed:
            return NoAnswer("failed before")
        answer = self.ask(player, view)
        if isinstance(answer, NoAnswer):
            self.fail(player, answer.kind)
        return answer

    def fail(self, player: int, kind: str) -> None:
        self.failed.add(player)
        self.failures.setdefault(player, Counter())[kind] += 1


def ranks(means: Sequence[Fraction]) -> list[int]:
    """Return the rank of each: one more than how many are better, so that equal means share one."""
    return [1 + sum(other > mean for other in means) for mean in means]


def standard_error(draws: Sequence[Fraction]) -> float | None:
    """Return the standard error of the mean of independent draws, None of a single one."""
    if len(draws) < 2:
        return None
    mean = sum(draws, Fraction(0)) / len(draws)
    return math.sqrt(sum((draw - mean) ** 2 for draw in draws) / (len(draws) - 1) / len(draws))
