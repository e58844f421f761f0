"""What an accepted posting becomes in the tables. Nothing is decided here but the gate of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from sqlalchemy import bindparam, update
from sqlalchemy import insert as into

from chatbot.wallets import schema
from chatbot.wallets.posting import Closed
from chatbot.wallets.statements import Row, put

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Table
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.wallets.posting import Entry, Opening, Posting

End: TypeAlias = Literal["settled", "void"]


async def insert(connection: AsyncConnection, posting: Posting, entries: Sequence[Entry]) -> None:
    """Insert the posting with these entries, its table, turns and records."""
    await _insert(connection, schema.posting, [_posting(posting)])
    if posting.opening is not None:
        await _insert(connection, schema.game_table, [_table(posting, posting.opening)])
    await _insert(connection, schema.transfer, _transfers(posting, entries))
    await _insert(connection, schema.journal, _turns(posting))
    await put(connection, schema.record, _records(posting))


async def move(connection: AsyncConnection, changes: Mapping[str, int]) -> None:
    """Change balances, none below what the database's own check allows."""
    account = schema.account.c
    moved = [{"name": name, "change": change} for name, change in sorted(changes.items()) if change]
    if moved:
        statement = update(schema.account).where(account.id == bindparam("name"))
        await connection.execute(statement.values(balance=account.balance + bindparam("change")), moved)


async def close(connection: AsyncConnection, posting: Posting, end: End) -> None:
    """Pass the gate that every table passes once.

    Raises:
        Closed: somebody else did.
    """
    table = schema.game_table.c
    gate = update(schema.game_table).where(table.id == posting.at_table, table.state == "open")
    if (await connection.execute(gate.values(state=end, closed_at=posting.at))).rowcount != 1:
        raise Closed(str(posting.at_table))


async def _insert(connection: AsyncConnection, table: Table, values: Sequence[Row]) -> None:
    if values:
        await connection.execute(into(table), list(values))


def _posting(posting: Posting) -> Row:
    return {"id": posting.id, "community": posting.community, "created_at": posting.at}


def _table(posting: Posting, opening: Opening) -> Row:
    return {
        "id": opening.table,
        "room": opening.room,
        "community": posting.community,
        "game": opening.game,
        "version": opening.version,
        "settings": opening.settings,
        "seed": opening.seed,
        "state": "open",
        "opened_at": posting.at,
        "closed_at": None,
    }


def _transfers(posting: Posting, entries: Sequence[Entry]) -> list[Row]:
    return [
        {
            "id": f"{posting.id}:{number}",
            "posting": posting.id,
            "community": posting.community,
            "table_id": posting.at_table,
            "source": each.source,
            "target": each.target,
            "credits": each.credits,
            "why": each.why,
            "actor": posting.actor,
            "created_at": posting.at,
        }
        for number, each in enumerate(entries, start=1)
    ]


def _turns(posting: Posting) -> list[Row]:
    return [
        {
            "table_id": each.table,
            "turn": each.turn,
            "action": each.action,
            "purses": each.purses,
            "line": each.line,
            "at": posting.at,
        }
        for each in posting.turns
    ]


def _records(posting: Posting) -> list[Row]:
    """Order them, as accounts are, so that two processes cannot wait for each other."""
    ordered = sorted(posting.records, key=lambda each: (each.room, each.game, each.seat))
    return [{"room": each.room, "game": each.game, "seat": each.seat, "body": each.body} for each in ordered]
