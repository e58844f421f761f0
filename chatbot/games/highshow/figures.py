"""Numbers as players read them: exact where that is short, and marked where it is not exact."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

ExactOrFloat: TypeAlias = Fraction | float

MINUS = "\N{MINUS SIGN}"
ABOUT = "\N{ALMOST EQUAL TO}"
MOST_PLACES = 4  # decimals up to which an exact number is written with them
MOST_CHOSEN = 6  # decimals of a number that somebody chose
MOST_PARTS = 99  # the denominator up to which a fraction is read at a glance
MOST_LETTERS = 24  # of a fraction beside its rounded value
FEW, MANY = 8, 24  # cards that are listed in a line


def exactly(value: Fraction | int) -> str:
    """Write a number that nothing is lost of: `12`, `20.25`, `6 2/3`, `19.999997`, `≈ 20.77 (14951/720)`."""
    number = Fraction(value)
    places = _places(number.denominator)
    if places is not None and places <= MOST_PLACES:
        return _decimal(number, places)
    if number.denominator <= MOST_PARTS:
        return _mixed(number)
    if places is not None and places <= MOST_CHOSEN:
        return _decimal(number, places)
    return f"{roughly(number)} ({_sign(number)}{abs(number)})"


def in_full(value: Fraction) -> str:
    """Write a number as somebody chose it, never rounded: `0.5`, `0.000001`, `1/3`."""
    places = _places(value.denominator)
    return str(value) if places is None or places > MOST_CHOSEN else _decimal(value, places)


def shortly(value: Fraction) -> str:
    """Write a number exactly where there is room for it, else rounded."""
    return exactly(value) if len(str(value)) <= MOST_LETTERS else roughly(value)


def roughly(value: ExactOrFloat, *, exact: bool = True) -> str:
    """Write a number to two decimals, small ones to four; ≈ marks what is rounded, or was before."""
    number = Fraction(value)
    places = 2 if abs(number) >= 1 else 4
    rounded = Fraction(round(number * 10**places), 10**places)
    text = _decimal(rounded, places)
    return text if exact and rounded == number else f"{ABOUT} {text}"


def signed(value: int) -> str:
    """Write a change of credits."""
    return f"{value:+,d}".replace("-", MINUS)


def row(cards: Sequence[int], most: int = FEW) -> str:
    """List cards, of many the last few only."""
    text = ", ".join(map(str, cards[-most:]))
    return text if len(cards) <= most else f"\N{HORIZONTAL ELLIPSIS} {text}"


def _places(denominator: int) -> int | None:
    """Count the decimals that a fraction takes; None: they never end."""
    twos, rest = _factors(denominator, 2)
    fives, rest = _factors(rest, 5)
    return max(twos, fives) if rest == 1 else None


def _factors(number: int, prime: int) -> tuple[int, int]:
    count = 0
    while number % prime == 0:
        number, count = number // prime, count + 1
    return count, number


def _decimal(value: Fraction, places: int) -> str:
    whole, rest = divmod(abs(value.numerator) * 10**places // value.denominator, 10**places)
    decimals = f"{rest:0{places}d}".rstrip("0") if rest else ""
    return f"{_sign(value)}{whole:,d}{'.' if decimals else ''}{decimals}"


def _mixed(value: Fraction) -> str:
    whole, rest = divmod(abs(value), 1)
    return f"{_sign(value)}{f'{whole:,d} ' if whole else ''}{rest}"


def _sign(value: Fraction) -> str:
    return MINUS if value < 0 else ""
