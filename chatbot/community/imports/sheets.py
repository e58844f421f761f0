"""What every reader of a foreign file returns: rows of cells that can be read again from the start."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple, TypeAlias

from chatbot.kernel.game import Failure

MOST_BYTES = 64 * 2**20  # of a file; a million members take less
MOST_COLUMNS = 500  # of a file; a currency or a rank each are some dozens

Cell: TypeAlias = str | int | Decimal
"""Text as it stands in the file, or a number where the format itself says that it is one."""


class SheetError(Failure):
    """A file cannot be read as balances; the message says why."""


class Row(NamedTuple):
    """One row of a file. `line` is where people find it: its line, or its number in a table, from 1."""

    line: int
    cells: Sequence[Cell]


@dataclass(frozen=True, slots=True)
class RowSheet:
    """The table in a file.

    `rows` reads it from the start each time: what a number means is known only when all were seen, and no
    file is kept in memory as rows. `headings` are known from the format; None: the first row may hold them.
    `watched_unit` is the unit of the time that was watched, where the format defines it. `notices` say what
    was left out to make a table of it.
    """

    kind: str
    rows: Callable[[], Iterator[Row]]
    headings: Sequence[str] | None = None
    watched_unit: str | None = None
    notices: tuple[str, ...] = ()


def text_of(cell: Cell) -> str:
    """Return a cell as text, a whole number without its fraction."""
    if (
        isinstance(cell, Decimal)
        and cell.is_finite()
        and abs(cell) < 10**25
        and cell == cell.to_integral_value()
    ):
        return str(int(cell))
    return str(cell).strip()
