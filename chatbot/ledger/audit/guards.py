"""Checks, restores and disables the triggers that keep transfers immutable and register them for audits."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from sqlalchemy import delete, text

from chatbot.ledger.store import schema

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection

    from sqlalchemy.ext.asyncio import AsyncConnection

_TRIGGERS = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'transfer'"
_ENABLED = (
    "SELECT tgname FROM pg_trigger"
    " WHERE tgrelid = 'transfer'::regclass AND NOT tgisinternal AND tgenabled <> 'D'"
)
_REFUSAL = "transfers are never changed; a correction is another transfer"
UNCHECKED_TRIGGER = "transfer_is_unchecked"

# As in the migrations.
_ON_SQLITE = {
    "transfer_refuses_update": (
        "CREATE TRIGGER transfer_refuses_update BEFORE UPDATE ON transfer "
        f"BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
    ),
    "transfer_refuses_delete": (
        "CREATE TRIGGER transfer_refuses_delete BEFORE DELETE ON transfer "
        f"BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
    ),
    UNCHECKED_TRIGGER: (
        "CREATE TRIGGER transfer_is_unchecked AFTER INSERT ON transfer "
        "BEGIN INSERT INTO unchecked (transfer) VALUES (NEW.id); END"
    ),
}
_ON_POSTGRESQL = {
    "transfer_refuses_change": (
        "CREATE TRIGGER transfer_refuses_change BEFORE UPDATE OR DELETE OR TRUNCATE ON transfer "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
    ),
    UNCHECKED_TRIGGER: (
        "CREATE TRIGGER transfer_is_unchecked AFTER INSERT ON transfer "
        "REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_unchecked()"
    ),
}


async def missing(connection: AsyncConnection) -> list[str]:
    """Return the names of triggers that are missing, disabled or changed."""
    if connection.dialect.name == "postgresql":
        enabled = set((await connection.execute(text(_ENABLED))).scalars())
        return [name for name in _ON_POSTGRESQL if name not in enabled]
    existing = {name: statement for name, statement in (await connection.execute(text(_TRIGGERS))).all()}  # noqa: C416
    return [name for name, statement in _ON_SQLITE.items() if existing.get(name) != statement]


async def restore(connection: AsyncConnection, names: Collection[str]) -> None:
    """Create triggers again, and make the next audit check everything that was written without them."""
    postgresql = connection.dialect.name == "postgresql"
    statements = _ON_POSTGRESQL if postgresql else _ON_SQLITE
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
        await connection.execute(text("ALTER TABLE transfer DISABLE TRIGGER transfer_refuses_change"))
        yield
        await connection.execute(text("ALTER TABLE transfer ENABLE TRIGGER transfer_refuses_change"))
        return
    triggers = (await connection.execute(text(_TRIGGERS))).all()
    for name, _ in triggers:
        await connection.exec_driver_sql(f'DROP TRIGGER "{name}"')
    yield
    for _, statement in triggers:
        await connection.exec_driver_sql(statement)
