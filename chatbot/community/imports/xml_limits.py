"""Refuses XML that would need gigabytes when it is read: a row keeps its elements in memory until it ends.

Some kilobytes of an archive can hold a row of millions of cells, or one that never ends. So each part is
gone through once beforehand, in pieces, and only counted.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING
from xml.parsers import expat

from chatbot.community.imports.sheets import SheetError

if TYPE_CHECKING:
    from collections.abc import Mapping

RECORDS = frozenset({"row", "si"})  # elements that readers forget at their end: rows, and texts of cells
MOST_RECORDS = 2**21  # of a part; Excel has half as many rows
MOST_IN_RECORD = 10_000  # elements of one record: 500 cells have some thousand
MOST_OUTSIDE = 100_000  # elements outside of records
LONGEST_TAG = 2**20  # bytes without the end of a tag
_PIECE = 2**16  # bytes


def require_bounded_xml(part: IO[bytes]) -> None:
    """Require that a part can be read in bounded memory.

    Raises:
        SheetError: it has too many elements, or defines its own entities.
        ExpatError: it is no XML.
    """
    counter = _Counter()
    parser = expat.ParserCreate()
    parser.buffer_text = False
    parser.StartElementHandler, parser.EndElementHandler = counter.start, counter.end
    parser.StartDoctypeDeclHandler = _refuse_definitions
    fed = 0
    while piece := part.read(_PIECE):
        parser.Parse(piece)
        fed += len(piece)
        if fed - parser.CurrentByteIndex > LONGEST_TAG:
            raise SheetError("The spreadsheet has a tag of megabytes.")


class _Counter:
    """Counts the elements of records, and those outside of them."""

    def __init__(self) -> None:
        self._record = ""  # the name of the record that is open
        self._depth = self._records = self._inside = self._outside = 0

    def start(self, name: str, _: Mapping[str, str]) -> None:
        if self._record:
            self._inside += 1
            self._depth += name == self._record
        elif name.rpartition(":")[2] in RECORDS:
            self._record, self._depth, self._inside = name, 1, 0
            self._records += 1
        else:
            self._outside += 1
        if self._records > MOST_RECORDS or self._inside > MOST_IN_RECORD or self._outside > MOST_OUTSIDE:
            raise SheetError("The spreadsheet has too many cells in a row, or too many rows.")

    def end(self, name: str) -> None:
        if name == self._record:
            self._depth -= 1
            self._record = self._record if self._depth else ""


def _refuse_definitions(*_: object) -> None:
    raise SheetError("The spreadsheet defines its own entities, which no program writes.")
