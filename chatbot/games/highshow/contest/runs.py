"""A strategy plays a deck where nobody watches, by the rules of the chat, and profits are added up."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from chatbot.games.highshow.contest.situation import ANOTHER, CHOICES, Situation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.games.highshow.rules.terms import Terms
    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng


@dataclass(frozen=True, slots=True)
class Run:
    """What became of a deck."""

    kept: tuple[int, ...]
    penalty: Fraction

    @property
    def profit(self) -> Fraction:
        return sum(self.kept) - self.penalty


def deck(terms: Terms, rng: Rng) -> tuple[int, ...]:
    """Draw K, and then the order of the cards."""
    lowest = 1 + rng.below(terms.highest_start)
    return tuple(rng.shuffled(range(lowest, lowest + terms.cards)))


def play(terms: Terms, cards: Sequence[int], strategy: Strategy, game: int, rng: Rng) -> Run:
    """Have a strategy choose until all are kept that are needed; no answer keeps the card, as in a chat."""
    kept: tuple[int, ...] = ()
    rejected: tuple[int, ...] = ()
    times = 0
    for place, card in enumerate(cards):
        if len(kept) == terms.keep:
            break
        if terms.keep - len(kept) == terms.cards - place:  # every card that is left is needed
            kept += tuple(cards[place:])
            break
        if strategy(Situation(game, terms, kept, rejected, card), CHOICES, rng) == ANOTHER:
            rejected += (card,)
            times += terms.penalty.times(place + 1, card)
        else:
            kept += (card,)
    return Run(kept, terms.penalty.rate(terms.cards, min(cards)) * times)


class Samples:
    """Numbers of each player, one a game, added up exactly."""

    def __init__(self, players: int) -> None:
        self.count = 0
        self._sums = [Fraction(0)] * players
        self._squares = [Fraction(0)] * players

    def add(self, values: Sequence[Fraction]) -> None:
        """Take the numbers of a game, player by player."""
        self.count += 1
        for place, each in enumerate(values):
            self._sums[place] += each
            self._squares[place] += each * each

    @property
    def means(self) -> Sequence[Fraction]:
        return [each / self.count for each in self._sums]

    @property
    def squares(self) -> Sequence[Fraction]:
        """The means of the squares."""
        return [each / self.count for each in self._squares]


def written(number: int, cards: Sequence[int], runs: Sequence[tuple[str, Run]]) -> str:
    """Write down a deck in the order of its cards, and what everybody made of it."""
    told = [f"#####GAME {number}: K {min(cards)}, {_listed(cards)}######"]
    told += [
        f"{name}: keeps {_listed(run.kept)}, penalty {run.penalty}, profit {run.profit}" for name, run in runs
    ]
    return "".join(f"{line}\n" for line in told)


def _listed(cards: Sequence[int]) -> str:
    return " ".join(map(str, cards))
