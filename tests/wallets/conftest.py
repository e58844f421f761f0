"""Real databases, one a test: SQLite in a temporary folder, and PostgreSQL where a server answers."""

from __future__ import annotations

import uuid
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from chatbot.wallets.audit import breaches
from chatbot.wallets.ledger import Ledger
from chatbot.wallets.store import Store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

SERVER = "postgresql://postgres@127.0.0.1:5432"

BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]


@asynccontextmanager
async def postgresql() -> AsyncIterator[str]:
    """Lend a new database by its URL."""
    name = f"rabble_test_{uuid.uuid4().hex}"
    server = create_async_engine(
        f"{SERVER.replace(':', '+asyncpg:', 1)}/postgres", isolation_level="AUTOCOMMIT"
    )
    try:
        async with server.connect() as connection:
            await connection.execute(text(f"CREATE DATABASE {name}"))
    except OSError as error:
        await server.dispose()
        pytest.skip(f"no PostgreSQL answers at {SERVER}: {error}")
    try:
        yield f"{SERVER}/{name}"
    finally:
        async with server.connect() as connection:
            await connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        await server.dispose()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'rabble.db'}"


@pytest.fixture(params=BOTH)
async def url(request: Any, sqlite_url: str) -> AsyncIterator[str]:
    if request.param == "sqlite":
        yield sqlite_url
        return
    async with postgresql() as where:
        yield where


@pytest.fixture
async def doctored(url: str) -> AsyncIterator[Store]:
    """A store whose books a test may break."""
    store = await Store.open(url)
    yield store
    await store.close()


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """A store whose books must be sound in the end, whatever a test did."""
    store = await Store.open(url)
    yield store
    found = await breaches(store)
    await store.close()
    assert found == []


@pytest.fixture
def ledger(store: Store) -> Ledger:
    return Ledger(store)
