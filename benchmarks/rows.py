"""What a benchmark finds, as values: ours, the other side, and their ratio.

A benchmark is a module with the `MEASURES` of its rows, in order, and `rows`, which takes them. What has no
other side is told by the benchmark's own command alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Benchmark(Protocol):
    @property
    def MEASURES(self) -> Sequence[Measure]: ...  # noqa: N802  (a constant of a module)

    def rows(self, *, quick: bool) -> Iterable[Row]:
        """Measure; with `quick` just enough to see that it runs."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What is measured, its unit included, and what stands on the other side."""

    what: str
    beside: str

    def found(self, ours: float, theirs: float) -> Row:
        return Row(self, ours, theirs)

    def lacking(self, why: str) -> Row:
        """Say why it could not be measured here."""
        return Row(self, lack=why)


@dataclass(frozen=True, slots=True)
class Row:
    measure: Measure
    ours: float = nan
    theirs: float = nan
    lack: str = ""  # what it needs and has not

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """Write what, ours, the other side, and ours divided by it."""
        if self.lack:
            return self.measure.what, f"not measured: {self.lack}", self.measure.beside, ""
        ratio = written(self.ours / self.theirs) if self.theirs else ""
        other = f"{written(self.theirs)} ({self.measure.beside})"
        return self.measure.what, written(self.ours), other, ratio


def written(value: float) -> str:
    """Write three digits, and more only of whole numbers that can be read."""
    return f"{value:,.0f}" if 100 <= abs(value) < 1e9 else f"{value:.3g}"
