"""Reads text in columns, with commas, semicolons, tabs or bars between them, as spreadsheets write it."""

from __future__ import annotations

import codecs
import csv
import io
import re
from functools import partial
from typing import TYPE_CHECKING

from chatbot.community.imports.sheets import MOST_COLUMNS, Row, RowSheet, SheetError

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARKS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_SEPARATOR = re.compile(r"sep=(.)\r?\n?", re.IGNORECASE)  # Excel's own first line, which tells the mark
_ENCODINGS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 4096  # bytes by which text is told from what is none
LONGEST_LINE = 100_000  # characters of the first line: a list of accounts in one line is no table


def read_text(content: bytes, encoding: str | None = None) -> RowSheet:
    """Return the table in a text file.

    Raises:
        SheetError: it is no text, or has no line.
    """
    encoding = encoding or _encoding(content)
    _require_text(content, encoding)
    first, skips = _first_line(content, encoding)
    match = _SEPARATOR.fullmatch(first)
    # Of equally frequent marks, the first.
    delimiter = match[1] if match else max(_MARKS, key=_outside_quotes(first).count)
    kind = f"text with {_MARKS.get(delimiter, repr(delimiter))} between the columns, in {_shown(encoding)}"
    return RowSheet(kind, partial(_rows, content, encoding, delimiter, skips + (match is not None)))


def _rows(content: bytes, encoding: str, delimiter: str, skips: int) -> Iterator[Row]:
    """Yield the rows that are not blank, with the numbers of their lines."""
    with io.TextIOWrapper(io.BytesIO(content), encoding=encoding, newline="") as lines:
        for _ in range(skips):
            lines.readline()
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        try:
            for cells in reader:
                if any(cell.strip() for cell in cells):
                    if len(cells) > MOST_COLUMNS:
                        raise SheetError(f"Line {reader.line_num + skips} has {len(cells):,} columns.")
                    yield Row(reader.line_num + skips, cells)
        except csv.Error as error:
            number = reader.line_num + skips
            raise SheetError(f"Line {number} of the file cannot be read: {error}.") from None


def _encoding(content: bytes) -> str:
    for mark, encoding in _ENCODINGS:
        if content.startswith(mark):
            return encoding
    sample = content[:_SAMPLE]
    # Without a mark, every second byte of the first line of UTF-16 is 0 all the same.
    if len(sample) > 3 and sample[1::2].count(0) * 2 > len(sample[1::2]):
        return "utf-16-le"
    if len(sample) > 3 and sample[::2].count(0) * 2 > len(sample[::2]):
        return "utf-16-be"
    return "utf-8"


def _require_text(content: bytes, encoding: str) -> None:
    """Require that all of a file is text, and say how it can be made so.

    Raises:
        SheetError: it is not.
    """
    try:
        "".encode(encoding)  # which asks for an encoding of text, and not for another codec
        decoder = codecs.getincrementaldecoder(encoding)()
    except LookupError:
        names = "common ones are utf-8, cp949 and cp1252"
        raise SheetError(f"There is no encoding of text {encoding!r}; {names}.") from None
    try:
        for start in range(0, len(content), 2**20):
            if "\0" in decoder.decode(content[start : start + 2**20]):
                raise SheetError("The file is no text: there are zeros in it.")
        decoder.decode(b"", final=True)
    except UnicodeError:
        raise SheetError(
            f"The file is no text in {_shown(encoding)}; save it as CSV in UTF-8, or say what it is in by "
            "`--encoding`, such as `--encoding cp949` (Korean) or `--encoding cp1252` (western)."
        ) from None


def _first_line(content: bytes, encoding: str) -> tuple[str, int]:
    """Return the first line that is not blank, and the number of those before it.

    Raises:
        SheetError: there is none, or it is too long for one of a table.
    """
    with io.TextIOWrapper(io.BytesIO(content), encoding=encoding, newline="") as lines:
        skips = 0
        while line := lines.readline(LONGEST_LINE + 1):
            if len(line) > LONGEST_LINE:
                raise SheetError(f"The first line has over {LONGEST_LINE:,} characters: this is no table.")
            if line.strip():
                return line, skips
            skips += 1
    raise SheetError("The file is empty.")


def _outside_quotes(line: str) -> str:
    return "".join(line.split('"')[::2])


def _shown(encoding: str) -> str:
    return {"utf-8-sig": "UTF-8", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}.get(
        encoding, encoding.upper()
    )
