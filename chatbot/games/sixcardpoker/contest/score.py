"""What a match has come to: each deal is played from both sides, and the two games of it are one draw."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from chatbot.games.sixcardpoker.rules.cards import Outcome
from chatbot.kernel.contest import Measure, Standing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

GAMES = 2  # of a deal
OUTCOMES = 27  # of a game: three of each hand
_ROUNDS, _POINTS = "% of rounds", "points a round"
_SCORE, _WON, _DRAWN, _LOST, _HIGH, _MIDDLE, _LOW = range(7)
_SHARED = (_SCORE, _HIGH, _MIDDLE, _LOW)  # of which the other has what is missing to the most
_MOST = 2 * GAMES  # of these: 2 for each win and 1 for each draw
_UNITS = (Fraction(100, _MOST), *[Fraction(100, GAMES)] * 3, *[Fraction(1, _MOST)] * 3)  # that are told


def code(outcome: Outcome) -> int:
    """Number what may come of a game."""
    return ((outcome.high + 1) * 3 + outcome.middle + 1) * 3 + outcome.low + 1


@cache
def rows() -> Sequence[Sequence[int]]:
    """Give what each outcome of a deal's two games counts for, in the order of `27 · first + second`.

    These are, for the first player, the score and what is won, drawn and lost, then High, Middle and Low;
    a score and a hand count 2 for a win and 1 for a draw. Then come the squares of all these.
    """
    counted = [_counted(Outcome(*hands)) for hands in product((-1, 0, 1), repeat=3)]
    sums = [[a + b for a, b in zip(*games, strict=True)] for games in product(counted, repeat=GAMES)]
    return [(*each, *(number * number for number in each)) for each in sums]


@dataclass(slots=True)
class Score:
    """Sums over all deals so far: whole numbers, of the first player."""

    deals: int = 0
    totals: list[int] = field(default_factory=lambda: [0] * (2 * len(_UNITS)))

    def add(self, first: int, second: int) -> None:
        """Count a deal by the outcomes of its two games."""
        self.add_all(1, rows()[first * OUTCOMES + second])

    def add_all(self, deals: int, totals: Sequence[int]) -> None:
        """Count so many deals by the sums of their rows."""
        self.deals += deals
        self.totals = [total + more for total, more in zip(self.totals, totals, strict=True)]

    def standing(self, first: int) -> Standing:
        """Tell how it stands; the first player sits on seat `first`, which is 0 or 1."""
        sides = (self.totals, self._other())
        scores, won, drawn, lost, high, middle, low = self._told(sides if first == 0 else sides[::-1])
        measures = (
            Measure("won", *won, _ROUNDS),
            Measure("drawn", *drawn, _ROUNDS),
            Measure("lost", *lost, _ROUNDS),
            Measure("High", *high, _POINTS),
            Measure("Middle", *middle, _POINTS),
            Measure("Low", *low, _POINTS),
        )
        return Standing(GAMES * self.deals, scores[0], measures, scores[1], draws=self.deals)

    def _other(self) -> Sequence[int]:
        """Give the sums of the other player."""
        sums, squares = list(self.totals[: len(_UNITS)]), list(self.totals[len(_UNITS) :])
        for each in _SHARED:
            squares[each] += _MOST * _MOST * self.deals - 2 * _MOST * sums[each]
            sums[each] = _MOST * self.deals - sums[each]
        for numbers in (sums, squares):
            numbers[_WON], numbers[_LOST] = numbers[_LOST], numbers[_WON]
        return [*sums, *squares]

    def _told(self, sides: Sequence[Sequence[int]]) -> Iterator[tuple[list[Fraction], list[Fraction]]]:
        """Give the means of a deal's means, and those of their squares, side by side."""
        for place, unit in enumerate(_UNITS):
            yield (
                [unit * Fraction(side[place], self.deals) for side in sides],
                [unit * unit * Fraction(side[len(_UNITS) + place], self.deals) for side in sides],
            )


def _counted(outcome: Outcome) -> Sequence[int]:
    won = outcome.round
    return (won + 1, int(won > 0), int(won == 0), int(won < 0), *(hand + 1 for hand in outcome.hands))
