"""Checks, restores and disables the triggers that keep transfers immutable and register them for audits."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from sqlalchemy import delete, text

from chatbot.ledger.store import schema, triggers

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection

    from sqlalchemy.ext.asyncio import AsyncConnection

_TRIGGERS = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'transfer'"
_ENABLED = (
    "SELECT tgname FROM pg_trigger"
    " WHERE tgrelid = 'transfer'::regclass AND NOT tgisinternal AND tgenabled <> 'D'"
)


async def missing(connection: AsyncConnection) -> list[str]:
    """Return the names of triggers that are missing, disabled or changed."""
    if connection.dialect.name == "postgresql":
        names = set((await connection.execute(text(_ENABLED))).scalars())
        return [name for name in triggers.ON_POSTGRESQL if name not in names]
    statements = {name: statement for name, statement in (await connection.execute(text(_TRIGGERS))).all()}  # noqa: C416
    return [name for name, statement in triggers.ON_SQLITE.items() if statements.get(name) != statement]


async def restore(connection: AsyncConnection, names: Collection[str]) -> None:
    """Create triggers again, and make the next audit check everything that was written without them."""
    postgresql = connection.dialect.name == "postgresql"
    statements = triggers.ON_POSTGRESQL if postgresql else triggers.ON_SQLITE
    for name in names:
        await connection.exec_driver_sql(
            f"DROP TRIGGER IF EXISTS {name}{' ON transfer' if postgresql else ''}"
        )
        await connection.exec_driver_sql(statements[name])
    if names:
        await connection.execute(delete(schema.checkpoint))


@asynccontextmanager
async def triggers_disabled(connection: AsyncConnection) -> AsyncIterator[None]:
    """Disable the triggers within a transaction, so that transfers can be changed.

    Other transactions see neither the changes nor the missing triggers before the commit.
    """
    if connection.dialect.name == "postgresql":
        # Without `finally`: an error rolls the whole transaction back, and with it the missing triggers.
        # PostgreSQL would refuse a statement in a failed transaction anyway.
        await connection.execute(text(f"ALTER TABLE transfer DISABLE TRIGGER {triggers.REFUSING}"))
        yield
        await connection.execute(text(f"ALTER TABLE transfer ENABLE TRIGGER {triggers.REFUSING}"))
        return
    rows = (await connection.execute(text(_TRIGGERS))).all()
    for name, _ in rows:
        await connection.exec_driver_sql(f'DROP TRIGGER "{name}"')
    yield
    for _, statement in rows:
        await connection.exec_driver_sql(statement)
