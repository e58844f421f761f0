from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import text

from chatbot.ledger.audit import guards
from chatbot.ledger.store import engines, migrations, schema
from chatbot.ledger.store.store import Store, StoreError

from .conftest import administrate, postgresql
from .samples import doctor

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection
    from sqlalchemy.ext.asyncio import AsyncConnection

pytestmark = pytest.mark.slow

OTHERS = r"\(it has the tables of another program\); name another database"
CATALOGUES = {
    "sqlite": "SELECT type, name, sql FROM sqlite_schema WHERE sql <> ''",
    "postgresql": """
        SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace
        UNION ALL SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
        UNION ALL SELECT table_name, column_name,
            concat_ws(' ', data_type, collation_name, is_nullable, column_default)
        FROM information_schema.columns WHERE table_schema = 'public'
        UNION ALL SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) FROM pg_trigger
        WHERE NOT tgisinternal
    """,
}


@pytest.fixture
def url(new_url: str) -> str:
    """Begin every test here with a database that is really new."""
    return new_url


async def catalogue(connection: AsyncConnection) -> set[tuple[str, ...]]:
    """Read what the database knows of its tables, checks, indices and triggers, and its revision."""
    rows = await connection.execute(text(CATALOGUES[connection.dialect.name]))
    revisions = await connection.execute(text("SELECT 'revision', version_num FROM alembic_version"))
    return {tuple(" ".join(str(part).split()) for part in row) for row in (*rows, *revisions)}


async def migrated(url: str) -> set[tuple[str, ...]]:
    """Run all migrations on an empty database, and read what they make."""
    store = Store(*engines.engines(engines.address(url)))

    async def work(connection: AsyncConnection) -> set[tuple[str, ...]]:
        await connection.run_sync(migrations.migrate)
        return await catalogue(connection)

    found = await store.write(work)
    await store.close()
    return found


async def test_a_new_database_is_what_the_migrations_make(doctored: Store, tmp_path: Path) -> None:
    created = await doctored.write(catalogue)
    if doctored._writer.dialect.name == "sqlite":
        assert created == await migrated(f"sqlite:///{tmp_path / 'migrated.db'}")
        assert sum("STRICT" in row[-1] for row in created) == len(schema.metadata.tables)
    else:
        async with postgresql() as other:
            assert created == await migrated(other)


async def test_the_comparison_notices_a_difference(doctored: Store) -> None:
    created = await doctored.write(catalogue)
    await doctor(doctored, "DROP INDEX ix_member_folded", "ALTER TABLE record DROP COLUMN body")
    changed = await doctored.write(catalogue)
    assert {row[1] for row in created - changed} >= {"ix_member_folded"}
    assert any("record" in row for row in created - changed)


async def test_a_new_database_has_the_triggers_that_guard_transfers(doctored: Store) -> None:
    async with doctored.reading() as connection:
        assert await guards.missing(connection) == []


def test_the_newest_revision_is_the_one_that_start_up_looks_for() -> None:
    scripts = ScriptDirectory(str(migrations.__path__[0]))
    assert scripts.get_heads() == [migrations.NEWEST]


@pytest.mark.postgres
async def test_two_processes_may_start_on_an_empty_database_at_once() -> None:
    async with postgresql() as url:
        stores = await asyncio.gather(*[Store.open(url) for _ in range(3)])
        for store in stores:
            await store.close()


async def test_a_database_of_a_newer_program_is_refused(url: str) -> None:
    store = await Store.open(url)
    await doctor(store, "UPDATE alembic_version SET version_num = '9999'")
    if not url.startswith("sqlite"):  # else an older program may go on beside it
        await doctor(store, "COMMENT ON TABLE alembic_version IS NULL")
    await store.close()
    with pytest.raises(StoreError, match=r"revision 9999 is newer than this program.*update the program"):
        await Store.open(url)


async def test_a_database_from_before_the_baseline_is_refused_and_not_copied(url: str) -> None:
    store = await Store.open(url)
    await doctor(store, "UPDATE alembic_version SET version_num = '0001'")
    await store.close()
    copies: list[str] = []
    with pytest.raises(StoreError, match=r"revision 0001 is from before the first version.*another database"):
        await Store.open(url, before_upgrade=lambda: copies.append("one"))
    assert copies == []


async def test_the_migrations_of_another_program_are_not_taken_for_newer_ones(url: str) -> None:
    store = await Store.open(url)
    await doctor(store, "UPDATE alembic_version SET version_num = 'ae1027a6acf'")
    await store.close()
    for opening in (Store.open, Store.look):
        with pytest.raises(StoreError, match=OTHERS):
            await opening(url)


async def test_the_database_of_another_program_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE bookmark (title)")
    before = file.read_bytes()
    for opening in (Store.open, Store.look):
        with pytest.raises(StoreError, match=OTHERS):
            await opening(f"sqlite:///{file}")
    assert file.read_bytes() == before


@pytest.mark.postgres
async def test_a_server_may_keep_tables_of_others_unless_they_are_named_as_ours() -> None:
    async with postgresql() as url:
        database = url.rpartition("/")[2]
        await administrate("CREATE TABLE bookmark (title text)", database=database)
        await (await Store.open(url)).close()
    async with postgresql() as url:
        database = url.rpartition("/")[2]
        await administrate("CREATE TABLE purse (id bigint)", database=database)
        with pytest.raises(StoreError, match="tables of another program"):
            await Store.open(url)


async def test_a_migration_that_fails_leaves_the_database_empty(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def create_half(connection: Connection) -> None:
        schema.community.create(connection)
        raise OSError("the plug was pulled")

    with monkeypatch.context() as patch:
        patch.setattr(migrations, "_upgrade", create_half)
        with pytest.raises(StoreError, match="the plug was pulled"):
            await Store.open(url)
    await (await Store.open(url)).close()  # which fails if the account were there
