"""The results of a benchmark as values: ours, the other side, and their ratio.

A benchmark is a module with the `MEASURES` of its rows, in order, and `rows`, which measures them. Figures
without another side are printed only by the command of the benchmark itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Benchmark(Protocol):
    """A module of this package that measures."""

    @property
    def MEASURES(self) -> Sequence[Measure]: ...  # noqa: N802  (a constant of a module)

    def rows(self, *, quick: bool) -> Iterable[Row]:
        """Measure; with `quick` only as much as shows that the benchmark runs."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What is measured, with its unit, and what it is compared with."""

    what: str
    beside: str

    def row(self, ours: float, theirs: float) -> Row:
        """Return the row of both figures."""
        return Row(self, ours, theirs)

    def lacking(self, why: str) -> Row:
        """Return a row that says why it could not be measured here."""
        return Row(self, lack=why)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: both figures, or what was missing to measure them."""

    measure: Measure
    ours: float = nan
    theirs: float = nan
    lack: str = ""  # what was missing

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """The cells of the table: what, ours, the other side, and ours divided by it."""
        if self.lack:
            return self.measure.what, f"not measured: {self.lack}", self.measure.beside, ""
        ratio = written(self.ours / self.theirs) if self.theirs else ""
        other = f"{written(self.theirs)} ({self.measure.beside})"
        return self.measure.what, written(self.ours), other, ratio


def written(value: float) -> str:
    """Format a number with three digits, or all digits before the decimal point from 100 to below 10⁹."""
    return f"{value:,.0f}" if 100 <= abs(value) < 1e9 else f"{value:.3g}"
