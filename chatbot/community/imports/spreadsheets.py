"""Reads spreadsheets (.xlsx), and the one file in an archive (.zip), whose sizes are checked beforehand."""

from __future__ import annotations

import io
import zipfile
import zlib
from contextlib import closing, contextmanager
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING
from xml.parsers.expat import ExpatError

import openpyxl

from chatbot.community.imports.sheets import MOST_BYTES, MOST_COLUMNS, Cell, Row, RowSheet, SheetError
from chatbot.community.imports.xml_limits import require_bounded_xml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from openpyxl.workbook.workbook import Workbook

MOST_UNPACKED = 2 * MOST_BYTES  # of all parts of an archive
MOST_PARTS = 1000  # files in an archive
LAST_ROW = 2**20  # of a sheet, as Excel has it; those that a sheet leaves out are gone through, too
_WORKBOOK = "xl/workbook.xml"
# Streamlabs Chatbot has no headings in its sheet: name, rank, currency and hours.
# https://github.com/crowbartools/Firebot, src/backend/import/third-party/streamlabs-chatbot-importer.ts
_STREAMLABS = ("Points", "Currency")
_STREAMLABS_COLUMNS = ("Username", "Rank", "Points", "Hours")
_FAULTS = (
    zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, TypeError, IndexError, AttributeError,
    NotImplementedError, RuntimeError, OSError, SyntaxError, LookupError, ArithmeticError, ExpatError,
)  # fmt: skip  # of libraries that read damaged archives and XML, whose ParseError is a SyntaxError


def read_archive(content: bytes, table: str | None, encoding: str | None) -> RowSheet:
    """Return the table in a spreadsheet, or in the one file of an archive.

    Raises:
        SheetError: it is damaged, too large when it is unpacked, or has several tables.
    """
    with _as_sheet_error("archive"), zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = [each for each in archive.infolist() if not each.is_dir()]
        _require_small(parts)
        if any(each.filename == _WORKBOOK for each in parts):
            _require_readable(archive, parts)
            return _spreadsheet(content, table)
        inner = archive.read(_only_file(parts))
    if inner.startswith(b"PK\x03\x04") and not _is_spreadsheet(inner):
        raise SheetError("There is an archive in the archive; unpack it, and give the file in it.")
    from chatbot.community.imports.recognition import open_sheet  # noqa: PLC0415  (which asks this one)

    return open_sheet(inner, encoding, table)


@contextmanager
def _as_sheet_error(what: str) -> Iterator[None]:
    """Have an error of a library that reads it say that the file is damaged."""
    try:
        yield
    except SheetError:
        raise
    except _FAULTS as error:
        raise SheetError(f"The {what} is damaged: {str(error)[:100] or type(error).__name__}.") from None


def _only_file(parts: list[zipfile.ZipInfo]) -> zipfile.ZipInfo:
    files = [each for each in parts if not each.filename.startswith("__MACOSX/")]
    if len(files) != 1:
        names = ", ".join(each.filename[:40] for each in files[:5])
        raise SheetError(f"The archive has {len(files)} files ({names}); unpack it, and give one of them.")
    if files[0].file_size > MOST_BYTES:
        raise SheetError(f"Unpacked, the file has more than {MOST_BYTES >> 20} MiB.")
    return files[0]


def _require_small(parts: list[zipfile.ZipInfo]) -> None:
    """Require that an archive is small when it is unpacked; nothing more than it says is unpacked later."""
    if len(parts) > MOST_PARTS or sum(each.file_size for each in parts) > MOST_UNPACKED:
        raise SheetError(f"Unpacked, the file has more than {MOST_UNPACKED >> 20} MiB or {MOST_PARTS} parts.")
    if any(each.flag_bits & 1 for each in parts):
        raise SheetError("The archive is encrypted; save it without a password.")


def _require_readable(archive: zipfile.ZipFile, parts: list[zipfile.ZipInfo]) -> None:
    """Require that all XML of a spreadsheet can be read in bounded memory."""
    for each in parts:
        if each.filename.lower().endswith((".xml", ".rels", ".vml")):
            with archive.open(each) as part:
                require_bounded_xml(part)


def _is_spreadsheet(content: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return _WORKBOOK in archive.namelist()
    except _FAULTS:
        return False


def _spreadsheet(content: bytes, table: str | None) -> RowSheet:
    names = _names(content)
    name = _chosen(names, table)
    if name in _STREAMLABS and _is_streamlabs(next(_rows(content, name), None)):
        kind = f"a spreadsheet of Streamlabs Chatbot (sheet {name!r})"
        return RowSheet(kind, partial(_rows, content, name), _STREAMLABS_COLUMNS)
    return RowSheet(f"a spreadsheet (sheet {name!r})", partial(_rows, content, name))


def _chosen(names: list[str], table: str | None) -> str:
    known = [each for each in names if each in _STREAMLABS]
    if table is None and len(names) > 1 and len(known) != 1:
        raise SheetError(f"The file has several sheets; say by --table which: {', '.join(names)}.")
    if table is not None and table not in names:
        raise SheetError(f"There is no sheet {table!r}; there are: {', '.join(names)}.")
    if not names:
        raise SheetError("The spreadsheet has no sheet.")
    return table or (known[0] if known else names[0])


def _is_streamlabs(first: Row | None) -> bool:
    count = len(_STREAMLABS_COLUMNS)
    return first is not None and len(first.cells) >= count and all(map(_is_number, first.cells[2:count]))


def _is_number(cell: Cell) -> bool:
    return not isinstance(cell, str) or cell.replace(".", "", 1).replace(",", "", 1).isdecimal()


def _names(content: bytes) -> list[str]:
    with closing(_opened(content)) as workbook:
        return [each.title for each in workbook.worksheets]


def _rows(content: bytes, name: str) -> Iterator[Row]:
    """Yield the rows that are not blank, with their numbers in the sheet."""
    with _as_sheet_error("spreadsheet"), closing(_opened(content)) as workbook:
        sheet = workbook[name]
        # What the file says of its own size may be wrong, or absurd.
        sheet.reset_dimensions()
        for number, values in enumerate(sheet.iter_rows(values_only=True), start=1):
            if number > LAST_ROW:
                raise SheetError(f"The sheet has a row beyond {LAST_ROW:,}.")
            _require_narrow(number, len(values))
            cells = [_cell(each) for each in values]
            if any(each != "" for each in cells):
                yield Row(number, cells)


def _require_narrow(number: int, columns: int) -> None:
    if columns > MOST_COLUMNS:
        raise SheetError(f"Row {number} has {columns:,} columns.")


def _opened(content: bytes) -> Workbook:
    with _as_sheet_error("spreadsheet"):
        return openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)


def _cell(value: object) -> Cell:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value).strip()
    if isinstance(value, int):
        return value if abs(value) < 10**30 else str(value)[:60]
    return Decimal(repr(value))
