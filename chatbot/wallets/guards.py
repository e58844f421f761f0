"""Lifts the guard that keeps transfers as they are, inside one transaction, and puts it back there."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from sqlalchemy import text

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from sqlalchemy.ext.asyncio import AsyncConnection

_TRIGGERS = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'transfer'"


@asynccontextmanager
async def unguarded(connection: AsyncConnection) -> AsyncIterator[None]:
    """Let transfers be rewritten; whoever else reads meanwhile sees them as they were, under guard."""
    if connection.dialect.name == "postgresql":
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
