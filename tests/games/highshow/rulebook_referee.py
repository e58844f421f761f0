"""A referee of High Show, written from docs/program/contest-highshow.md and its links alone.

The luck is handed in: the cards of a deck, of which those behind the last that is shown may be unknown.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from tests.games.characters import NoAnswer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.games.referees import Asked, View


@dataclass(frozen=True, slots=True)
class Rules:
    """A deck of `cards` cards of which `keep` are kept; no `parameter` is the default of the penalty."""

    cards: int
    keep: int
    penalty: str = "none"
    parameter: Fraction | None = None

    def text(self) -> str:
        """Return the parameter as players are told it."""
        if self.penalty == "turn" and self.parameter is None:
            return f"2*({self.cards}+K)/{self.cards + 4}"
        return str(self.cost_parameter(lowest=0))

    def cost_parameter(self, lowest: int) -> Fraction:
        """Return the parameter, by default what rule 4's table says; `lowest` is K."""
        if self.parameter is not None:
            return self.parameter
        return {
            "none": Fraction(0),
            "linear": Fraction(self.cards, 10),
            "turn": Fraction(2 * (self.cards + lowest), self.cards + 4),
            "value": Fraction(1, 4),
            "turnvalue": Fraction(1, 8),
        }[self.penalty]

    def cost(self, position: int, value: int, lowest: int) -> Fraction:
        """Return what it costs to reject the card of `value` that was shown as the `position`-th, from 1."""
        factor = {"none": 0, "linear": 1, "turn": position, "value": value, "turnvalue": position * value}[
            self.penalty
        ]
        return factor * self.cost_parameter(lowest)


@dataclass(slots=True)
class Settlement:
    """What became of one deck of one player."""

    kept: list[int] = field(default_factory=list)
    rejected: list[int] = field(default_factory=list)
    cost: Fraction = Fraction(0)

    @property
    def profit(self) -> Fraction:
        return sum(self.kept) - self.cost


MEANT = {"keep": "keep", "cashout": "keep", "cash out": "keep"}
MEANT |= {"another": "another", "see another": "another"}


def meant(answer: object) -> str | None:
    """Return which of both an answer means."""
    return MEANT.get(answer.strip().lower().lstrip("!")) if isinstance(answer, str) else None


def matches(games: int) -> list[int]:
    """Return of how many decks each match is."""
    count = max(min(games, 32), -(-games // 500))
    return [games // count + (number < games % count) for number in range(count)]


def play(rules: Rules, deck: Sequence[int], player: Asked, game: int = 0) -> Settlement:
    """Play one deck with one player; `game` is its number in the match, from 0."""
    player.begin()
    lowest, result = min(deck), Settlement()
    for position, value in enumerate(deck, 1):
        needed = rules.keep - len(result.kept)
        if not needed:
            break
        left = rules.cards - position
        if left + 1 == needed:
            result.kept.append(value)
            continue
        view: View = {
            "game": game,
            "cards": rules.cards,
            "keep": rules.keep,
            "penalty": rules.penalty,
            "parameter": rules.text(),
            "kept": list(result.kept),
            "rejected": list(result.rejected),
            "shown": value,
            "needed": needed,
            "left": left,
        }
        answer = player.ask(view)
        if meant(answer) == "another":
            result.rejected.append(value)
            result.cost += rules.cost(position, value, lowest)
            continue
        if meant(answer) != "keep" and not isinstance(answer, NoAnswer):
            player.fail("illegal")
        result.kept.append(value)
    return result
