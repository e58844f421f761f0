"""On which scale a picture's axes stand, where a number stands on it, and how it is written there."""

from __future__ import annotations

from math import isfinite, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.arena.engine.tally import Number

HUGE = 10**300  # from here on, the powers of ten are drawn: doubles have no room for the numbers
_WIDE = 100  # times: where scores differ by more, the scale is logarithmic
_UNITS = ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k"))


def scale_of(values: Sequence[float]) -> str:
    """Choose a scale on which all of them can be told apart."""
    sizes = [abs(each) for each in values if each and isfinite(each)]
    if min(values, default=0) < 0:  # averages around 0: they are wide only if most of them are small
        return (
            "symlog" if sizes and max(sizes) > _WIDE * max(1.0, sorted(sizes)[len(sizes) // 2]) else "linear"
        )
    if not sizes or max(sizes) <= _WIDE * max(1.0, min(sizes)):
        return "linear"
    return "log" if len(sizes) == len(values) and min(sizes) >= 1 else "symlog"


def huge(values: Sequence[Number]) -> bool:
    return max(map(abs, values), default=0) >= HUGE


def at(value: Number, powers: bool) -> float:
    """Say where on an axis a number stands, of which it may have the powers of ten."""
    return log10(max(value, 1)) if powers else float(value)


def in_powers(mean: int, error: int) -> tuple[float, float, float]:
    """Give the power of ten of a mean, and how far its error reaches below (to a tenth at most) and above."""
    middle = at(mean, powers=True)
    least = max(mean - error, mean // 10)
    return middle, middle - at(least, powers=True), at(mean + error, powers=True) - middle


def short(value: float, powers: bool = False) -> str:
    """Write a number on an axis."""
    if powers:
        return f"1e{value:g}"
    size = abs(value)
    if size >= 10**15:
        return f"{value:.0e}".replace("e+", "e")
    for unit, sign in _UNITS:
        if size >= unit:
            return f"{value / unit:g}{sign}"
    return f"{value:g}"
