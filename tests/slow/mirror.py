"""Copies a database of PostgreSQL into a file, so that the same eyes look at what a crash has left there."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from sqlalchemy import create_engine, insert, select, text
from sqlalchemy.ext.asyncio import create_async_engine

from chatbot.ledger.store import schema
from tests.slow.program import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

OTHERS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


async def abandoned(url: str) -> None:
    """Wait until the server has ended what a killed program had asked of it: a commit may still succeed."""
    engine = create_async_engine(_driven(url), isolation_level="AUTOCOMMIT")
    try:
        async with asyncio.timeout(PATIENCE), engine.connect() as connection:
            while (await connection.execute(text(OTHERS))).scalar_one():  # noqa: ASYNC110  (it tells nobody)
                await asyncio.sleep(0.02)
    finally:
        await engine.dispose()


async def mirrored(url: str, folder: Path) -> Path:
    """Copy all rows, as of one moment, into a new file in a folder, and return it."""
    file = _new_file(folder)
    server = create_async_engine(_driven(url), isolation_level="REPEATABLE READ")
    copy = create_engine(f"sqlite:///{file.as_posix()}")
    try:
        async with server.connect() as connection:
            with copy.begin() as target:
                schema.metadata.create_all(target)
                for table in schema.metadata.sorted_tables:
                    rows = [dict(each) for each in (await connection.execute(select(table))).mappings()]
                    if rows:
                        target.execute(insert(table), rows)
    finally:
        copy.dispose()
        await server.dispose()
    return file


def _new_file(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "mirror.db"
    file.unlink(missing_ok=True)
    return file


def _driven(url: str) -> str:
    return url.replace(":", "+asyncpg:", 1)
