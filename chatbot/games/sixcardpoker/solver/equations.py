"""Systems of linear equations, solved exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def solved(rows: Sequence[Sequence[int]], totals: Sequence[int]) -> list[Fraction]:
    """Solve as many equations as there are unknowns: the products of each row with them have its total.

    It eliminates (Gauss and Jordan) in fractions: some twenty unknowns take a few hundredths of a second.

    Raises:
        ArithmeticError: there is not exactly one solution.
    """
    left = [list(map(Fraction, (*row, total))) for row, total in zip(rows, totals, strict=True)]
    for column in range(len(left)):
        pivot = next((place for place in range(column, len(left)) if left[place][column]), None)
        if pivot is None:
            raise ArithmeticError(f"{len(left)} equations do not have exactly one solution")
        left[column], left[pivot] = left[pivot], left[column]
        _eliminate(left, column)
    return [row[-1] for row in left]


def _eliminate(rows: list[list[Fraction]], column: int) -> None:
    """Make the coefficient of an unknown 1 in the row of its number, and 0 in all others."""
    divisor = rows[column][column]
    rows[column] = [each / divisor for each in rows[column]]
    for place, row in enumerate(rows):
        if place != column and row[column]:
            factor = row[column]
            rows[place] = [each - factor * other for each, other in zip(row, rows[column], strict=True)]
