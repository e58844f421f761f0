"""Real databases, one a test: SQLite in a temporary folder, and PostgreSQL where a server answers."""

from __future__ import annotations

import asyncio
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.store import backup, schema
from chatbot.ledger.store.store import Store
from tests.template import store_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

SERVER = "postgresql://postgres@127.0.0.1:5432"

BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]


@asynccontextmanager
async def postgresql(template: str = "template1") -> AsyncIterator[str]:
    """Lend a new database, a copy of a template to which nobody is connected, by its URL."""
    name = f"rabble_test_{uuid.uuid4().hex}"
    await administrate(f"CREATE DATABASE {name} TEMPLATE {template}")
    try:
        yield f"{SERVER}/{name}"
    finally:
        await administrate(f"DROP DATABASE {name} WITH (FORCE)")


async def administrate(*statements: str, database: str = "postgres") -> None:
    """Tell the server itself; skip the test where none answers."""
    where = f"{SERVER.replace(':', '+asyncpg:', 1)}/{database}"
    server = create_async_engine(where, isolation_level="AUTOCOMMIT")
    try:
        async with server.connect() as connection:
            for statement in statements:
                await connection.execute(text(statement))
    except OSError as error:
        pytest.skip(f"no PostgreSQL answers at {SERVER}: {error}")
    finally:
        await server.dispose()


async def emptied(database: str) -> None:
    """Take every row out and number anew; with few rows that is quicker than to truncate all tables."""
    rows = "".join(f"DELETE FROM {table}; " for table in schema.metadata.tables)  # noqa: S608
    await administrate(
        "SET session_replication_role = replica",  # past the triggers
        f"DO $$ BEGIN {rows} END $$",
        "SELECT setval(oid, 1, false) FROM pg_class WHERE relkind = 'S'",
        database=database,
    )


@pytest.fixture(scope="session")
def shared() -> Iterator[str]:
    """Lend one database that is up to date to many tests: each leaves it empty, which is quicker than new."""
    yield from _up_to_date()


@pytest.fixture(scope="session")
def template() -> Iterator[str]:
    """Lend one database that is up to date and is only copied, which is quicker than all migrations."""
    yield from _up_to_date()


def _up_to_date() -> Iterator[str]:
    name = f"rabble_test_{uuid.uuid4().hex}"

    async def make() -> None:
        await administrate(f"CREATE DATABASE {name}")
        await (await Store.open(f"{SERVER}/{name}")).close()

    with ThreadPoolExecutor(1) as aside:  # a test's own loop may be running already
        aside.submit(lambda: asyncio.run(make())).result()
        yield name
        aside.submit(lambda: asyncio.run(administrate(f"DROP DATABASE {name} WITH (FORCE)"))).result()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'rabble.db'}"


@pytest.fixture(params=BOTH)
async def url(request: Any, sqlite_url: str) -> AsyncIterator[str]:
    if request.param == "sqlite":
        yield sqlite_url
        return
    name = request.getfixturevalue("shared")
    yield f"{SERVER}/{name}"
    await emptied(name)


@pytest.fixture(params=BOTH)
async def new_url(request: Any, sqlite_url: str) -> AsyncIterator[str]:
    """A database that nobody has used, without a schema where the server is PostgreSQL."""
    if request.param == "sqlite":
        yield sqlite_url
        return
    async with postgresql() as where:
        yield where


async def opened(url: str) -> Store:
    return await (store_at(Path(url.removeprefix("sqlite:///"))) if "sqlite" in url else Store.open(url))


@pytest.fixture(params=BOTH)
async def doctored(request: Any, sqlite_url: str) -> AsyncIterator[Store]:
    """A store whose books and schema a test may break."""
    if request.param == "sqlite":
        async with _closing(sqlite_url) as store:
            yield store
        return
    async with postgresql(request.getfixturevalue("template")) as where, _closing(where) as store:
        yield store


@asynccontextmanager
async def _closing(url: str) -> AsyncIterator[Store]:
    store = await opened(url)
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """A store whose books must be sound in the end, whatever a test did."""
    store = await opened(url)
    yield store
    found = await breaches(store)
    await store.close()
    assert found == []


@pytest.fixture
def ledger(store: Store) -> Ledger:
    return Ledger(store)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "rabble.db"


@pytest.fixture
def folder(database: Path) -> Path:
    return backup.beside(database)
