"""The books of an SQLite file, read and checked without any code of the program."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from tests.named_books import show_names

Rows: TypeAlias = frozenset[tuple[Any, ...]]

WAL = "-wal"

CHECKS = {
    "integrity: {0}": "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
    "{0} refers to a row that is not there": 'SELECT "table" FROM pragma_foreign_key_check',
    "community {0} sums to {1}": (
        "SELECT community, sum(balance) FROM account GROUP BY community HAVING sum(balance) <> 0"
    ),
    "{0} is at {1}": "SELECT id, balance FROM account WHERE balance < 0 AND kind <> 'mint'",
    "{0} holds {1} and not its transfers, {2}": """
        SELECT id, sum(held), sum(moved) FROM (
            SELECT id, balance AS held, 0 AS moved FROM account
            UNION ALL SELECT target, 0, credits FROM move
            UNION ALL SELECT source, 0, -credits FROM move
        ) GROUP BY id HAVING sum(held) <> sum(moved)
    """,
    "table {0} is {1} with {2} in its pot": """
        SELECT game_table.id, state, balance
        FROM game_table JOIN account ON account.id = 'pot:' || game_table.id
        WHERE state <> 'open' AND balance <> 0
    """,
    "table {0} is open with {1} in its pot, and net stakes of {2}": """
        SELECT game_table.id, balance, sum(iif(target = account.id, credits, -credits)) AS staked
        FROM game_table JOIN account ON account.id = 'pot:' || game_table.id
        JOIN move ON account.id IN (source, target)
        WHERE state = 'open' GROUP BY game_table.id HAVING balance <> staked
    """,
    "the pot of table {0}, which is {1}, was emptied {2} times": """
        SELECT game_table.id, state, count(DISTINCT posting) AS ends
        FROM game_table LEFT JOIN move ON source = 'pot:' || game_table.id
        WHERE game_table.id NOT IN (SELECT table_id FROM journal WHERE action LIKE '{"Leave"%')
        GROUP BY game_table.id HAVING ends <> (state <> 'open')
    """,
    "table {0} is {1}, with {2} voids": """
        SELECT game_table.id, state, count(posting.id) AS voids
        FROM game_table LEFT JOIN posting ON posting.id = 'void:' || game_table.id
        GROUP BY game_table.id HAVING voids <> (state = 'void')
    """,
    "void table {0} owes {1} a stake of {2}": """
        SELECT game_table.id, iif(target LIKE 'pot:%', source, target) AS payer,
               sum(iif(target LIKE 'pot:%', credits, -credits)) AS owed
        FROM game_table JOIN move ON table_id = game_table.id WHERE state = 'void' AND why <> 'voucher'
        GROUP BY game_table.id, payer HAVING owed <> 0
    """,
    "{1} was paid {2} times by table {0}": """
        SELECT table_id, target, count(*) FROM move WHERE why = 'payday' AND table_id IS NOT NULL
        GROUP BY table_id, target HAVING count(*) > 1
    """,
    "the journal of table {0} has {1} turns up to {2}, in steps of {3}": """
        SELECT game_table.id, turns, last, stepped FROM game_table
        LEFT JOIN (SELECT table_id, count(*) AS turns, min(turn) AS first, max(turn) AS last
                   FROM journal GROUP BY table_id) AS written ON written.table_id = game_table.id
        LEFT JOIN (SELECT table_id, sum(turns) AS stepped FROM step GROUP BY table_id) AS steps
               ON steps.table_id = game_table.id
        WHERE first IS NOT 1 OR turns IS NOT last OR stepped IS NOT turns
    """,
    "of posting {0}, {1} transfers are there, up to {2}": """
        SELECT posting, count(*), max(part) AS last
        FROM move GROUP BY posting HAVING count(*) <> last
    """,
    "line {0} was acted on, but not noted": (
        "SELECT DISTINCT line FROM journal WHERE line <> '' AND action NOT LIKE '{\"Sit\"%'"
        " AND line NOT IN (SELECT id FROM heard)"
    ),
}
"""Each sentence with a query that finds nothing in sound books."""

LEDGER = ("account", "posting", "move", "game_table", "journal", "step", "record")

_VOID = "SELECT id FROM game_table WHERE state = 'void'"
_PROMISED = """
    SELECT 'stake', substr(source, 14), credits
    FROM move WHERE why = 'stake' AND source LIKE 'wallet:local:%'
    UNION ALL
    SELECT 'gift', substr(source, 14) || ' ' || substr(target, 14), credits FROM move WHERE why = 'gift'
    UNION ALL
    SELECT 'answer', json_extract(action, '$.Answer.seat'), json_extract(action, '$.Answer.act')
    FROM journal WHERE action LIKE '{"Answer"%'
"""


@dataclass(frozen=True, slots=True)
class Books:
    """What an SQLite file holds at one moment."""

    breaches: list[str]
    rows: dict[str, Rows]
    promised: Counter[tuple[Any, ...]]
    """Stakes, gifts and answers that are written down: kind, who, and how much or what."""
    crews: dict[str, set[str]]
    """The open tables, and who has staked at each."""
    void: frozenset[str]


def taken_aside(database: Path, folder: Path) -> Path:
    """Copy a database with its log, as a crash has left them, so that looking recovers nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"{database.name}*"):
        old.unlink()
    for each in (database, Path(f"{database}{WAL}")):
        if each.exists():
            shutil.copyfile(each, folder / each.name)
    return folder / database.name


def read(database: Path) -> Books:
    with closing(sqlite3.connect(database)) as connection:
        show_names(connection)
        return Books(
            breaches=breaches(connection),
            rows={table: frozenset(connection.execute(f"SELECT * FROM {table}")) for table in LEDGER},  # noqa: S608
            promised=Counter(connection.execute(_PROMISED)),
            crews=_crews(connection),
            void=frozenset(
                name for (name,) in connection.execute("SELECT id FROM game_table WHERE state = 'void'")
            ),
        )


def breaches(connection: sqlite3.Connection) -> list[str]:
    show_names(connection)
    return [sentence.format(*row) for sentence, query in CHECKS.items() for row in connection.execute(query)]


def _crews(connection: sqlite3.Connection) -> dict[str, set[str]]:
    query = """
        SELECT game_table.id, substr(source, 14) FROM game_table
        LEFT JOIN move ON table_id = game_table.id AND why = 'stake' WHERE state = 'open'
    """
    crews: dict[str, set[str]] = {}
    for table, seat in connection.execute(query):
        crews.setdefault(table, set()).update([seat] if seat else [])
    return crews
