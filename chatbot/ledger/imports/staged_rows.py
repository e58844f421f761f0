"""The rows of a file that is being imported, in a temporary database: half a million need little memory.

SQLite keeps a database without a name in its cache, writes what does not fit to a temporary file, and removes
that file when it is closed, or when the process ends.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

PORTION = 1000
"""Rows that are decided and written together: a write that takes some hundredths of a second."""

_CACHE = 8_000  # kB that stay in memory
_SCHEMA = (
    "PRAGMA journal_mode = OFF",
    "PRAGMA synchronous = OFF",
    f"PRAGMA cache_size = -{_CACHE}",
    (
        "CREATE TABLE row (line INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL, "
        "credits INTEGER NOT NULL, minutes INTEGER NOT NULL, who TEXT NOT NULL, person TEXT, waits INTEGER) "
        "STRICT"
    ),
    "CREATE TABLE fault (line INTEGER NOT NULL, text TEXT NOT NULL, credits INTEGER NOT NULL) STRICT",
)
_ROWS = "SELECT line, id, name, credits, minutes FROM row"


class BalanceRow(NamedTuple):
    """One balance. `line` is where it stands in the file; without an `id`, the `name` is a login.

    `name` is as it stands in the file, or empty.
    """

    line: int
    id: str
    name: str
    credits: int
    minutes: int = 0

    @property
    def login(self) -> str:
        """The name in the form in which logins are compared."""
        return self.name.casefold()

    @property
    def who(self) -> str:
        """What says whose it is, as it is shown."""
        return self.id or self.login


class RowFault(NamedTuple):
    """Why a row is left out, and how many credits it would have brought, as far as they are known."""

    line: int
    text: str
    credits: int = 0


class PlannedBalance(NamedTuple):
    """What was found out about a row: the person, whether they wait for a name, and the change.

    `person` is the same text for two rows of one person, whether or not there is such a person yet.
    """

    line: int
    person: str
    waits: bool


class StagedRows:
    """The rows of a file, and its faults, in the order of their lines."""

    def __init__(self) -> None:
        # The file is read in a thread of its own; after that, only one thread uses it at a time.
        self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        for statement in _SCHEMA:
            self._database.execute(statement)

    def close(self) -> None:
        """Remove the rows."""
        self._database.close()

    def add(self, rows: Iterable[BalanceRow], faults: Iterable[RowFault]) -> None:
        """Add rows and faults."""
        self._database.executemany(
            "INSERT INTO row (line, id, name, credits, minutes, who) VALUES (?, ?, ?, ?, ?, ?)",
            ((*each, f"#{each.id}" if each.id else f"@{each.login}") for each in rows),
        )
        self._database.executemany("INSERT INTO fault VALUES (?, ?, ?)", faults)

    def __len__(self) -> int:
        return self._number("SELECT count(*) FROM row")

    def __iter__(self) -> Iterator[BalanceRow]:
        for portion in self.portions():
            yield from portion

    def portions(self, after: int = -1) -> Iterator[list[BalanceRow]]:
        """Yield all rows by at most `PORTION`, in the order of their lines, from those after a line on."""
        while True:
            query = f"{_ROWS} WHERE line > ? ORDER BY line LIMIT ?"
            rows = [BalanceRow(*each) for each in self._database.execute(query, (after, PORTION))]
            if not rows:
                return
            yield rows
            after = rows[-1].line

    @property
    def credits(self) -> int:
        """The credits of all rows; their sum may be more than the database can count."""
        return sum(each for (each,) in self._database.execute("SELECT credits FROM row"))

    @property
    def minutes(self) -> int:
        """The minutes of all rows."""
        return self._number("SELECT coalesce(sum(minutes), 0) FROM row")

    # Faults

    def faults(self, count: int | None = None) -> list[RowFault]:
        """List the first faults in the order of their lines; None lists all."""
        query = "SELECT line, text, credits FROM fault ORDER BY line, rowid LIMIT ?"
        return [RowFault(*each) for each in self._database.execute(query, (-1 if count is None else count,))]

    @property
    def fault_count(self) -> int:
        """How many rows, or groups of rows, are left out."""
        return self._number("SELECT count(*) FROM fault")

    @property
    def fault_credits(self) -> int:
        """The credits that are left out, as far as they are known."""
        return sum(each for (each,) in self._database.execute("SELECT credits FROM fault"))

    # Rows of one person

    def repeated(self, column: Literal["who", "person"] = "who") -> Iterator[list[BalanceRow]]:
        """Yield the rows that are equal in a column, in the order of their lines; rows may be changed."""
        self._database.execute(f"CREATE INDEX IF NOT EXISTS row_{column} ON row ({column})")
        query = (
            f"SELECT {column} FROM row WHERE {column} IS NOT NULL "  # noqa: S608  (our own name)
            f"GROUP BY {column} HAVING count(*) > 1 ORDER BY min(line)"
        )
        some = f"{_ROWS} WHERE {column} = ? ORDER BY line"
        for (key,) in self._database.execute(query).fetchall():
            yield [BalanceRow(*each) for each in self._database.execute(some, (key,))]

    def remove(self, rows: Sequence[BalanceRow]) -> None:
        """Remove rows."""
        self._database.executemany("DELETE FROM row WHERE line = ?", ((each.line,) for each in rows))

    def change(self, row: BalanceRow) -> None:
        """Replace the credits and minutes of a row."""
        self._database.execute(
            "UPDATE row SET credits = ?, minutes = ? WHERE line = ?", (row.credits, row.minutes, row.line)
        )

    # What a plan finds out

    def plan(self, planned: Iterable[PlannedBalance]) -> None:
        """Note whose rows they are."""
        self._database.executemany(
            "UPDATE row SET person = ?, waits = ? WHERE line = ?",
            ((each.person, each.waits, each.line) for each in planned),
        )

    def waiting(self, count: int) -> list[BalanceRow]:
        """List the first rows that wait for a name."""
        query = f"{_ROWS} WHERE waits = 1 ORDER BY line LIMIT ?"
        return [BalanceRow(*each) for each in self._database.execute(query, (count,))]

    @property
    def waiting_count(self) -> int:
        """How many rows wait for a name."""
        return self._number("SELECT count(*) FROM row WHERE waits = 1")

    def waits(self, line: int) -> bool:
        """Return whether a row waits for a name."""
        return bool(self._number("SELECT coalesce(max(waits), 0) FROM row WHERE line = ?", line))

    def _number(self, query: str, *values: int) -> int:
        return int(self._database.execute(query, values).fetchone()[0])
