"""Reads SQLite databases of other bots: PhantomBot's, or any with one table of names and balances.

The file comes from anywhere: only plain tables are read, with nothing of its own that SQLite would run.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING

from chatbot.community.imports.columns import Columns, find_columns
from chatbot.community.imports.sheets import MOST_COLUMNS, Cell, Row, RowSheet, SheetError

if TYPE_CHECKING:
    from collections.abc import Iterator

_MODES = slice(18, 20)  # of the header: 2 is with a log, which a copy in memory has not
_POINTS, _TIME, _IDS = "phantombot_points", "phantombot_time", "phantombot_logintoid"
LONGEST_ROW = 2**20  # bytes of a row, and of each value in it
LONGEST_CELL = 1_000  # characters that are kept: more than a name or a number has
MOST_STEPS = 5_000  # of 100,000 instructions each for one query: some seconds


def read_database(content: bytes, table: str | None) -> RowSheet:
    """Return the table of balances in a database.

    Raises:
        SheetError: it is damaged, or none of its tables, or several, could be it.
    """
    try:
        with closing(_opened(content)) as database:
            tables = _tables(database)
            if table is None and _POINTS in tables:
                return _phantombot(content, database, tables)
            columns = {each: _columns(database, each) for each in tables}
    except sqlite3.Error as error:
        raise SheetError(f"The database is damaged: {error}.") from None
    chosen = _chosen(columns, table)
    names = ", ".join(map(_quoted, columns[chosen]))
    query = f"SELECT {names} FROM {_quoted(chosen)}"  # noqa: S608  (quoted)
    kind = f"a database of SQLite (table {chosen!r})"
    return RowSheet(kind, partial(_rows, content, query), columns[chosen])


def _phantombot(content: bytes, database: sqlite3.Connection, tables: dict[str, None]) -> RowSheet:
    """Return PhantomBot's points, with the ids of those who have one, and the seconds that they watched.

    Each of its tables is one of sections, variables (logins) and values: source/tv/phantombot/datastore in
    https://github.com/PhantomBot/PhantomBot; its time is in seconds.
    """
    _require_stored(database, _POINTS, {"section", "variable", "value"})
    select, joins = ["p.variable", "p.value"], ""
    headings = ["username", "points"]
    for name, heading, alias in ((_IDS, "user_id", "i"), (_TIME, "watchtime", "t")):
        if name in tables:
            _require_stored(database, name, {"variable", "value"})
            select.append(f"max({alias}.value)")
            headings.append(heading)
            joins += f" LEFT JOIN {name} AS {alias} ON {alias}.variable = p.variable"
    query = (
        f"SELECT {', '.join(select)} FROM {_POINTS} AS p{joins} "  # noqa: S608  (our own names)
        "WHERE coalesce(p.section, '') = '' GROUP BY p.rowid ORDER BY p.rowid"
    )
    notices = (
        () if _IDS in tables else ("PhantomBot has no ids in it, so that everybody goes by their name.",)
    )
    return RowSheet("a database of PhantomBot", partial(_rows, content, query), headings, "seconds", notices)


def _require_stored(database: sqlite3.Connection, table: str, names: set[str]) -> None:
    """Require that columns are stored, and not generated: what generates them can be of any size.

    Raises:
        SheetError: one is not.
    """
    missing = names - {each.lower() for each in _columns(database, table)}
    if missing:
        raise SheetError(f"The table {table!r} of the database has no column {min(missing)!r}.")


def _chosen(columns: dict[str, list[str]], table: str | None) -> str:
    if table is not None:
        if table not in columns:
            raise SheetError(f"There is no table {table!r}; there are: {', '.join(columns) or 'none'}.")
        return table
    usable = [each for each, names in columns.items() if _is_usable(names)]
    if len(usable) == 1:
        return usable[0]
    if usable:
        raise SheetError(f"Several tables could be it; say by --table which: {', '.join(usable)}.")
    names = ", ".join(list(columns)[:20]) or "none"
    raise SheetError(f"No table of the database has names and balances; say by --table which: {names}.")


def _is_usable(names: list[str]) -> bool:
    try:
        find_columns(RowSheet("", lambda: iter(()), names), (), Columns())
    except SheetError:
        return False
    return True


def _opened(content: bytes) -> sqlite3.Connection:
    """Open a copy in memory, in which nothing of the file's own is run, and no query takes minutes."""
    database = sqlite3.connect(":memory:", isolation_level=None)
    try:
        header = bytearray(content[:100])
        header[_MODES] = b"\x01\x01"
        database.deserialize(bytes(header) + content[100:])
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_ROW)
        database.execute("PRAGMA trusted_schema = OFF")
        database.execute("PRAGMA query_only = ON")
        steps = iter(range(MOST_STEPS))
        database.set_progress_handler(lambda: next(steps, None) is None, 100_000)
        database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        database.close()
        raise
    return database


def _tables(database: sqlite3.Connection) -> dict[str, None]:
    query = (
        "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    rows = database.execute(query).fetchall()
    # A virtual table would run a module of SQLite on what the file says.
    return dict.fromkeys(
        str(name) for name, text in rows if str(text).lstrip().upper().startswith("CREATE TABLE")
    )


def _columns(database: sqlite3.Connection, table: str) -> list[str]:
    """Return the columns of a table that are stored."""
    query = "SELECT name FROM pragma_table_info(?)"
    return [str(name) for (name,) in database.execute(query, (table,))][:MOST_COLUMNS]


def _rows(content: bytes, query: str) -> Iterator[Row]:
    try:
        with closing(_opened(content)) as database:
            for number, values in enumerate(database.execute(query), 1):
                yield Row(number, [_cell(each) for each in values])
    except (sqlite3.Error, ValueError, TypeError, OverflowError) as error:
        raise SheetError(f"The database cannot be read: {error}.") from None


def _cell(value: object) -> Cell:
    if value is None or isinstance(value, bytes):
        return ""
    if isinstance(value, int):
        return value
    return Decimal(repr(value)) if isinstance(value, float) else str(value)[:LONGEST_CELL]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
