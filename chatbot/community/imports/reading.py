"""Reads the balances of a file: finds its columns, reads its numbers, and names by line what is none."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING, Literal, TypeAlias

from chatbot.community.imports import numbers
from chatbot.community.imports.columns import UNITS, Columns, Layout, find_columns
from chatbot.community.imports.numbers import NumberError, NumberForm, NumberScan
from chatbot.community.imports.recognition import open_sheet
from chatbot.community.imports.sheets import Cell, Row, RowSheet, SheetError, text_of
from chatbot.kernel.amounts import MOST
from chatbot.ledger.imports.merging import MOST_MINUTES, Same, merge_rows
from chatbot.ledger.imports.staged_rows import PORTION, BalanceRow, RowFault, StagedRows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST_NAME = 100  # characters

_WHOLE = re.compile(r"[0-9]{1,20}", re.ASCII)
_NOT_IN_NAME = re.compile(r"[\s:\x00-\x1f\x7f]")
_SPAN = re.compile(
    r"(?:([0-9]{1,6})\s*d[a-z]*)?\s*(?:([0-9]{1,7})\s*h[a-z]*)?\s*"
    r"(?:([0-9]{1,8})\s*m(?!o)[a-z]*)?(?:\s*[0-9]{1,2}\s*s[a-z]*)?",
    re.ASCII | re.IGNORECASE,
)  # such as 3d 4h 5m
_CLOCK = re.compile(r"([0-9]{1,7}):([0-5][0-9])(?::[0-5][0-9])?", re.ASCII)

Negative: TypeAlias = Literal["fault", "zero"]
"""What becomes of a balance below 0."""


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How a file is read; None where the file itself says it."""

    columns: Columns = field(default_factory=Columns)
    thousands: str | None = None
    decimal: str | None = None
    same: Same = "fault"
    negative: Negative = "fault"
    encoding: str | None = None
    table: str | None = None  # of several in one file: the sheet or table to read


@dataclass(frozen=True, slots=True)
class BalanceFile:
    """The balances of a file. `notices` say in sentences how it was read, and what was left out of all rows.

    `id`, `name` and `watched` are the columns that were read; None: there is no such column.
    """

    kind: str
    rows: StagedRows
    id: str | None
    name: str | None
    credits: str
    watched: str | None
    notices: tuple[str, ...]


@dataclass(slots=True)
class _Counts:
    """What was taken otherwise than it stands in the file."""

    fractions: int = 0
    below_zero: int = 0
    debt: Decimal = Decimal(0)
    without_id: int = 0
    without_time: int = 0
    rest: dict[int, Decimal] = field(default_factory=dict)  # credits of columns that are left out
    minutes: Decimal = Decimal(0)  # in the unit of the file, if that is not known


class _RowError(ValueError):
    """A row is left out; the message says why, `credits` how many it would have brought."""

    def __init__(self, text: str, amount: int = 0) -> None:
        super().__init__(text)
        self.credits = amount


def read(content: bytes, options: ReadingOptions) -> BalanceFile:
    """Read the balances of a file; it takes a second for 100,000 rows, in a thread if others wait.

    Raises:
        SheetError: the file is of no known kind, lacks a column, or its numbers can be read in two ways.
    """
    sheet = open_sheet(content, options.encoding, options.table)
    first = next(sheet.rows(), None)
    if first is None:
        raise SheetError("The file has no rows.")
    layout = find_columns(sheet, first.cells, options.columns)
    form, notices = _form(sheet, layout, options)
    rows, counts = StagedRows(), _Counts()
    try:
        reader = _RowReader(layout, form, options, counts)
        data = _data(sheet, layout)
        while some := list(islice(data, PORTION)):
            rows.add(*reader.read(some))
        notices = [*sheet.notices, *notices, *_notices(layout, counts)]
        notices += merge_rows(rows, rows.repeated(), options.same, "stands there")
        who = [None if each is None else layout.heading(each) for each in (layout.id, layout.name)]
        watched = None if layout.watched is None or layout.unit is None else layout.heading(layout.watched)
        credits_ = "+".join(map(layout.heading, layout.credits))
        return BalanceFile(sheet.kind, rows, who[0], who[1], credits_, watched, tuple(notices))
    except BaseException:
        rows.close()
        raise


def _data(sheet: RowSheet, layout: Layout) -> Iterator[Row]:
    """Yield the rows below the headings."""
    rows = sheet.rows()
    if sheet.headings is None and layout.has_headings:
        next(rows, None)
    return rows


def _form(sheet: RowSheet, layout: Layout, options: ReadingOptions) -> tuple[NumberForm, list[str]]:
    """Return how the numbers of a file are written, with sentences about it.

    Raises:
        SheetError: it cannot be told.
    """
    scan = NumberScan.of(options.thousands, options.decimal)
    columns = [*layout.credits, *layout.rest, *([] if layout.watched is None else [layout.watched])]
    for row in _data(sheet, layout):
        for each in columns:
            if each < len(row.cells):
                scan.see(row.line, row.cells[each])
    form = scan.form()
    notices = [f"In the numbers {form.in_words()}."] if scan.seen_marks() else []
    if scan.scientific:
        are = "number is" if scan.scientific == 1 else "numbers are"
        notices.append(
            f"{scan.scientific:,} {are} written as 1.2E+6: a spreadsheet may have rounded them; check them."
        )
    return form, notices


@dataclass(slots=True)
class _RowReader:
    layout: Layout
    form: NumberForm
    options: ReadingOptions
    counts: _Counts

    def read(self, rows: Sequence[Row]) -> tuple[list[BalanceRow], list[RowFault]]:
        """Read some rows; a row that is wrong becomes a fault."""
        balances, faults = list[BalanceRow](), list[RowFault]()
        for row in rows:
            try:
                balances.append(self._balance(row))
            except _RowError as error:
                faults.append(RowFault(row.line, f"line {row.line}: {error}", error.credits))
        return balances, faults

    def _balance(self, row: Row) -> BalanceRow:
        layout, cells = self.layout, row.cells
        self._require_whole(cells)
        credits_ = self._credits([cells[each] for each in layout.credits])
        account, name = self._who(cells, credits_)
        for each in layout.rest:
            self.counts.rest[each] = self.counts.rest.get(each, Decimal(0)) + self._rest(cells, each)
        return BalanceRow(row.line, account, name, credits_, self._minutes(cells))

    def _require_whole(self, cells: Sequence[Cell]) -> None:
        """Require that a row has as many cells as there are headings: otherwise one has slipped.

        Raises:
            _RowError: it has too few to read it, or more.
        """
        layout, count = self.layout, len(cells)
        needed = [*layout.credits, *(each for each in (layout.id, layout.name) if each is not None)]
        if max(needed) >= count:
            raise _RowError(f"it has {count} columns, which is too few")
        extra = [text_of(each) for each in cells[len(layout.headings) :]]
        if any(extra):
            raise _RowError(
                f"it has {count} cells and the first line {len(layout.headings)}: a mark between columns may "
                "stand in a number or a name without quotes"
            )

    def _credits(self, cells: Sequence[Cell]) -> int:
        try:
            value = sum((numbers.read(each, self.form) for each in cells), Decimal(0))
        except NumberError as error:
            raise _RowError(str(error)) from None
        if value < 0:
            if self.options.negative == "fault":
                raise _RowError(
                    f"{numbers.shown(value)} is below 0; `--negative zero` takes such a balance as 0"
                )
            self.counts.below_zero += 1
            self.counts.debt -= value
            value = Decimal(0)
        whole = int(value)
        if whole > MOST:
            raise _RowError(f"{whole:,} is more than {MOST:,} credits")
        self.counts.fractions += value != whole
        return whole

    def _who(self, cells: Sequence[Cell], credits_: int) -> tuple[str, str]:
        """Return the id and the name of a row; without an id it goes by its name.

        Raises:
            _RowError: it has neither.
        """
        layout = self.layout
        written_id = "" if layout.id is None else text_of(cells[layout.id])
        name = "" if layout.name is None else text_of(cells[layout.name]).removeprefix("'").removeprefix("@")
        if _WHOLE.fullmatch(written_id):
            return written_id, name if _is_shown(name) else ""
        if layout.name is None:
            raise _RowError(f"{written_id[:40]!r} is no id" if written_id else "the id is missing", credits_)
        if not name or len(name) > LONGEST_NAME or _NOT_IN_NAME.search(name):
            text = text_of(cells[layout.name])
            raise _RowError(f"{text[:40]!r} is no name" if text else "the name is missing", credits_)
        self.counts.without_id += layout.id is not None
        return "", name

    def _rest(self, cells: Sequence[Cell], place: int) -> Decimal:
        try:
            return numbers.read(cells[place], self.form) if place < len(cells) else Decimal(0)
        except NumberError:
            return Decimal(0)

    def _minutes(self, cells: Sequence[Cell]) -> int:
        """Return the whole minutes that somebody watched; a time that cannot be read is counted as none."""
        place = self.layout.watched
        if place is None or place >= len(cells) or not text_of(cells[place]):
            return 0
        minutes = self._span(cells[place])
        if minutes is None or not 0 <= minutes <= MOST_MINUTES:
            self.counts.without_time += 1
            return 0
        return int(minutes)

    def _span(self, cell: Cell) -> Decimal | None:
        text = text_of(cell)
        match = _CLOCK.fullmatch(text)
        if match is not None:
            return Decimal(match[1]) * 60 + Decimal(match[2])
        match = _SPAN.fullmatch(text)
        if match is not None and any(match.groups()):
            days, hours, minutes = (Decimal(each or 0) for each in match.groups())
            return (days * 24 + hours) * 60 + minutes
        try:
            value = numbers.read(cell, self.form)
        except NumberError:
            return None
        if self.layout.unit is None:
            self.counts.minutes += value
            return Decimal(0)
        if self.layout.unit == "seconds":
            return value / 60
        return value * int(UNITS[self.layout.unit])


def _is_shown(name: str) -> bool:
    """Return whether a name beside an id can be shown."""
    return 0 < len(name) <= LONGEST_NAME and name.isprintable()


def _notices(layout: Layout, counts: _Counts) -> Iterator[str]:
    """Yield what was taken otherwise than it stands in the file, each with its sum."""
    if counts.fractions:
        were = "was" if counts.fractions == 1 else "were"
        fractions = "fraction" if counts.fractions == 1 else "fractions"
        yield f"{counts.fractions:,} {fractions} of a credit {were} left out."
    if counts.below_zero:
        count = "counts" if counts.below_zero == 1 else "count"
        yield f"{_rows(counts.below_zero)} below 0 {count} as 0: {numbers.shown(counts.debt)} together."
    if counts.without_id:
        goes = "goes" if counts.without_id == 1 else "go"
        yield f"{_rows(counts.without_id)} without an id {goes} by the name."
    chosen = "+".join(map(layout.heading, layout.credits))
    for place, total in counts.rest.items():
        rest = layout.heading(place)
        yield (
            f"The column {rest!r} is left out, {numbers.shown(total)} together; "
            f"`--credits-column {chosen}+{rest}` adds it."
        )
    if layout.watched is not None and layout.unit is None and counts.minutes:
        watched = layout.heading(layout.watched)
        yield (
            f"The time in {watched!r} is left out, {numbers.shown(counts.minutes)} together: say "
            "`--watched-unit` minutes, hours or seconds."
        )
    if counts.without_time:
        yield f"The watched time of {_rows(counts.without_time)} cannot be read, and is left out."


def _rows(count: int) -> str:
    return f"{count:,} row" if count == 1 else f"{count:,} rows"
