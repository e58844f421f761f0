"""Reads the numbers of a column: which marks part thousands and fractions is decided by all of them together.

`1.200` is 1200 in one country and 1.2 in the next. A cell alone cannot say which; `12.75` or `1.234.567` in
the same file can. What no cell decides is asked, and never guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from chatbot.community.imports.sheets import Cell, SheetError

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 60  # characters of a number with its unit
MOST_DIGITS = 24  # far beyond the largest amount, and cheap to compute with
MOST_EXPONENT = 20
EXAMPLES = 3  # lines that are named for each way in which a number can be read

_SPACES = "\u00a0\u2007\u2009\u202f"
_PLAIN = str.maketrans({**dict.fromkeys(_SPACES, " "), "\u2019": "'", "\u2212": "-", "\uff0c": ","})
_BODY = re.compile(r"[-+]?[0-9](?:[0-9.,' ]*[0-9])?(?:[eE][-+]?[0-9]{1,3})?-?", re.ASCII)
_INDIAN = r"[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}"
# What stands for a larger number was rounded by whoever wrote it.
_SCALES = frozenset({"k", "m", "b", "t", "mio", "mrd", "tsd", "thousand", "million", "천", "만", "억", "тыс"})
_UNIT = re.compile(r"[^0-9.,'+\-/:%]{0,30}", re.ASCII)


class NumberForm(NamedTuple):
    """The marks between thousands and before a fraction; `thousands` is empty where there are none."""

    thousands: str
    decimal: str

    def in_words(self) -> str:
        """Return what the marks mean, for a report."""
        names = {",": "a comma", ".": "a dot", " ": "a blank", "'": "an apostrophe"}
        parts = [f"{names[self.thousands]} parts thousands"] if self.thousands else []
        return " and ".join([*parts, f"{names[self.decimal]} begins a fraction"])


FORMS = tuple(
    NumberForm(thousands, decimal)
    for thousands in ("", ",", ".", " ", "'")
    for decimal in (".", ",")
    if thousands != decimal
)


def _pattern(form: NumberForm) -> re.Pattern[str]:
    decimal, mark = re.escape(form.decimal), re.escape(form.thousands)
    grouped = rf"[1-9][0-9]{{0,2}}(?:{mark}[0-9]{{3}})+|" if form.thousands else ""
    grouped += f"{_INDIAN}|" if form.thousands == "," else ""
    return re.compile(rf"({grouped}[0-9]+)(?:{decimal}([0-9]+))?", re.ASCII)


_PATTERNS = {form: _pattern(form) for form in FORMS}


class NumberError(ValueError):
    """A cell is no number; the message says why."""


class _Parts(NamedTuple):
    """A number as it is written: its digits with their marks, whether it is below 0, and the power of ten."""

    body: str
    is_negative: bool
    exponent: int


def _parts(text: str) -> _Parts:
    """Separate a number from its sign and its unit.

    Raises:
        NumberError: it is none.
    """
    plain = text.translate(_PLAIN).strip()
    match = _BODY.search(plain) if len(plain) <= LONGEST else None
    if match is None:
        raise NumberError(f"{text[:40]!r} is no number of credits" if plain else "the credits are missing")
    before, after = plain[: match.start()].strip(), plain[match.end() :].strip()
    in_brackets = (before, after) == ("(", ")")
    if not in_brackets:
        _require_unit(text, before.removeprefix("'"), after)
    number, _, exponent = match[0].upper().partition("E")
    if "-" in exponent:
        raise NumberError(f"{text[:40]!r} is no number of credits")
    body = number.strip("+-")
    if sum(map(str.isdigit, body)) > MOST_DIGITS or abs(int(exponent or 0)) > MOST_EXPONENT:
        raise NumberError(f"{text[:40]!r} is too large a number")
    is_negative = in_brackets or number.startswith("-") or number.endswith("-")
    return _Parts(body, is_negative, int(exponent or 0))


def _require_unit(text: str, before: str, after: str) -> None:
    for each in (before, after):
        if each.casefold().strip(" .") in _SCALES:
            raise NumberError(f"{text[:40]!r} is a rounded number: export the whole ones")
        if not _UNIT.fullmatch(each) or any(map(str.isdigit, each)) or "(" in each:
            raise NumberError(f"{text[:40]!r} is no number of credits")


def _value(parts: _Parts, form: NumberForm) -> Decimal | None:
    """Return a number as one form reads it; None if it is not written so."""
    match = _PATTERNS[form].fullmatch(parts.body)
    if match is None:
        return None
    whole = match[1].replace(form.thousands, "") if form.thousands else match[1]
    value = Decimal(f"{whole}.{match[2]}" if match[2] else whole).scaleb(parts.exponent)
    return -value if parts.is_negative else value


@dataclass(slots=True)
class _Class:
    """The cells that the forms read in the same ways: how many, and the first of them."""

    count: int = 0
    examples: list[tuple[int, str, _Parts]] = field(default_factory=list)


@dataclass(slots=True)
class NumberScan:
    """Sees all numbers of some columns, and then says how they are written."""

    forms: tuple[NumberForm, ...] = FORMS
    scientific: int = 0  # numbers such as 1.2E+6
    _classes: dict[tuple[int, ...], _Class] = field(default_factory=dict)

    @classmethod
    def of(cls, thousands: str | None, decimal: str | None) -> NumberScan:
        """Begin a scan in which some marks are known.

        Raises:
            SheetError: there is no such mark, or both are one.
        """
        if thousands is not None and thousands == decimal:
            raise SheetError("--thousands and --decimal cannot be the same mark.")
        forms = tuple(
            form for form in FORMS if decimal in {None, form.decimal} and thousands in {None, form.thousands}
        )
        return cls(forms)

    def see(self, line: int, cell: Cell) -> None:
        """Look at a cell; what is no number is left to whoever reads it."""
        if not isinstance(cell, str) or (cell.isascii() and cell.isdecimal()):
            return
        try:
            parts = _parts(cell)
        except NumberError:
            return
        self.scientific += bool(parts.exponent)
        values = [_value(parts, form) for form in self.forms]
        ways = list(dict.fromkeys(each for each in values if each is not None))
        if not ways:
            return
        known = self._classes.setdefault(
            tuple(-1 if each is None else ways.index(each) for each in values), _Class()
        )
        known.count += 1
        if len(known.examples) < EXAMPLES:
            known.examples.append((line, cell.strip(), parts))

    def form(self) -> NumberForm:
        """Return how the numbers are written.

        Raises:
            SheetError: some can be read in two ways, or are written in several; it names lines.
        """
        agreed = list(range(len(self.forms)))
        for number, ways in enumerate(self._classes):
            left = [each for each in agreed if ways[each] >= 0]
            if not left:
                raise SheetError(self._conflict(list(self._classes)[: number + 1]))
            agreed = left
        unclear = [ways for ways in self._classes if len({ways[each] for each in agreed}) > 1]
        if unclear:
            raise SheetError(self._ambiguity(unclear, [self.forms[each] for each in agreed]))
        return self.forms[agreed[0]]

    def seen_marks(self) -> bool:
        """Return whether any number has a mark in it."""
        return any(
            not parts.body.isdecimal() for each in self._classes.values() for *_, parts in each.examples
        )

    def _conflict(self, classes: list[tuple[int, ...]]) -> str:
        last = classes[-1]
        apart = (each for each in classes if all(min(pair) < 0 for pair in zip(each, last, strict=True)))
        other = next(apart, classes[0])
        return (
            f"The numbers are written in several ways: {self._named([other])}, but {self._named([last])}. "
            "Say by --thousands and --decimal which marks are right, and the other rows are named."
        )

    def _ambiguity(self, unclear: list[tuple[int, ...]], forms: list[NumberForm]) -> str:
        _, text, parts = self._classes[unclear[0]].examples[0]
        values = {form: _value(parts, form) for form in forms}
        as_thousands = next(
            (form for form in forms if form.thousands and form.thousands in parts.body), forms[0]
        )
        as_fraction = next((form for form in forms if values[form] != values[as_thousands]), forms[-1])
        count = sum(self._classes[each].count for each in unclear)
        more = f" (and {count - EXAMPLES:,} more)" if count > EXAMPLES else ""
        return (
            f"Some numbers can be read in two ways: {self._named(unclear)}{more}. Say `--thousands "
            f"{_typed(as_thousands.thousands)}` if {text!r} is {shown(values[as_thousands])}, or "
            f"`--decimal {_typed(as_fraction.decimal)}` if it is {shown(values[as_fraction])}."
        )

    def _named(self, classes: Iterable[tuple[int, ...]]) -> str:
        examples = sorted((line, text) for each in classes for line, text, _ in self._classes[each].examples)[
            :EXAMPLES
        ]
        return ", ".join(f"{text[:30]!r} in line {line}" for line, text in examples)


def _typed(mark: str) -> str:
    """Return a mark as it is typed after an option."""
    return {" ": "space", "'": '"\'"'}.get(mark, mark)


def shown(value: Decimal | None) -> str:
    """Return a number as people write it."""
    return f"{value or Decimal(0):f}"


def read(cell: Cell, form: NumberForm) -> Decimal:
    """Return the number in a cell.

    Raises:
        NumberError: it is none, or not written so.
    """
    if not isinstance(cell, str):
        value = Decimal(cell)
        if not value.is_finite() or abs(value.adjusted()) > MOST_DIGITS:
            raise NumberError(f"{str(cell)[:40]!r} is no number of credits")
        return value
    if cell.isascii() and cell.isdecimal():
        if len(cell) > MOST_DIGITS:
            raise NumberError(f"{cell[:40]!r} is too large a number")
        return Decimal(cell)
    parts = _parts(cell)
    number = _value(parts, form)
    if number is None:
        raise NumberError(f"{cell.strip()[:40]!r} is no number where {form.in_words()}")
    return number
