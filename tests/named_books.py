"""The books with names in place of numbers, for those who read them with sqlite3 and none of our own code."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

_NAMED = """
    CREATE TEMP VIEW IF NOT EXISTS account AS
    SELECT
        CASE
            WHEN kind IN ('person', 'player') THEN 'wallet:' || name || ':' || owner
            WHEN kind = 'pot' THEN 'pot:' || owner
            ELSE kind || ':' || name
        END AS id,
        name AS community,
        CASE WHEN kind IN ('person', 'player') THEN 'wallet' ELSE kind END AS kind,
        balance,
        purse.id AS number
    FROM purse JOIN community ON community.id = purse.community;

    CREATE TEMP VIEW IF NOT EXISTS move AS
    SELECT
        transfer.id AS number, posting || ':' || transfer.number AS id, posting, transfer.number AS part,
        transfer.community, table_id, payer.id AS source, payee.id AS target, credits, why, actor, created_at
    FROM transfer
    LEFT JOIN account AS payer ON payer.number = transfer.source
    LEFT JOIN account AS payee ON payee.number = transfer.target;
"""


def show_names(connection: sqlite3.Connection) -> None:
    """Let a connection see purses as `account`, by names such as `wallet:town:ann`, and transfers so too."""
    connection.executescript(_NAMED)


def numbered(account: str) -> str:
    """Say in SQL what the number of a named purse is."""
    return f"(SELECT number FROM account WHERE id = '{account}')"  # noqa: S608


def shifted(account: str, change: int) -> str:
    """Say in SQL that a named purse holds so much more."""
    return f"UPDATE purse SET balance = balance + {change} WHERE id = {numbered(account)}"  # noqa: S608
