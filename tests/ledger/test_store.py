from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiosqlite
import pytest
from sqlalchemy import insert, text
from sqlalchemy.exc import DBAPIError, OperationalError

from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.store import schema
from chatbot.ledger.store.store import Store, StoreError

from .conftest import SERVER, administrate, postgresql
from .samples import ALICE, AT, HOME, MINT, everything, grant, wallet

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

POSTING = {"id": "x", "community": HOME, "turns": 0, "created_at": AT}


async def pragma(connection: AsyncConnection, name: str) -> object:
    return (await connection.execute(text(f"PRAGMA {name}"))).scalar()


async def test_an_accepted_stake_survives_a_power_cut(sqlite_url: str) -> None:
    """A killed process cannot tell FULL from less; so the setting itself is looked at."""
    store = await Store.open(sqlite_url)

    async def work(connection: AsyncConnection) -> list[object]:
        names = ("synchronous", "journal_mode", "foreign_keys", "busy_timeout", "recursive_triggers")
        return [await pragma(connection, name) for name in names]

    assert await store.write(work) == [2, "wal", 1, 5000, 1]  # 2 is FULL
    await store.close()


async def test_the_reader_cannot_write(store: Store) -> None:
    async with store.reading() as connection:
        with pytest.raises(DBAPIError, match=r"read.?only"):
            await connection.execute(insert(schema.posting), POSTING)


async def test_a_long_look_does_not_hold_up_a_stake_and_sees_one_moment(store: Store, ledger: Ledger) -> None:
    count = text("SELECT count(*) FROM posting")
    async with store.reading() as connection:
        assert (await connection.execute(count)).scalar() == 0
        assert await ledger.post(grant(ALICE, 1))
        assert (await connection.execute(count)).scalar() == 0
    async with store.reading() as connection:
        assert (await connection.execute(count)).scalar() == 1


async def test_writes_happen_one_at_a_time_in_the_order_of_asking(store: Store) -> None:
    seen: list[str] = []

    def work(number: int) -> asyncio.Task[None]:
        async def note(connection: AsyncConnection) -> None:
            seen.append(f"{number} begins")
            await connection.execute(text("SELECT 1"))
            seen.append(f"{number} ends")

        return asyncio.create_task(store.write(note))

    await asyncio.gather(*[work(number) for number in range(5)])
    assert seen == [f"{number} {word}" for number in range(5) for word in ("begins", "ends")]


@pytest.mark.slow
async def test_a_failed_write_leaves_nothing_and_does_not_block_the_next(
    store: Store, ledger: Ledger
) -> None:
    before = await everything(store)

    async def fail(connection: AsyncConnection) -> None:
        await connection.execute(insert(schema.posting), POSTING)
        raise LookupError

    with pytest.raises(LookupError):
        await store.write(fail)
    assert await everything(store) == before
    assert await ledger.post(grant(ALICE, 1))


@pytest.mark.slow
async def test_closing_waits_for_what_is_being_written(url: str) -> None:
    store = await Store.open(url)
    ledger = Ledger(store)
    await ledger.balances([wallet(ALICE), MINT])  # so that it is decided at once
    task = asyncio.create_task(ledger.post(grant(ALICE, 3)))
    await asyncio.sleep(0)
    task.cancel()
    await store.close()
    again = await Store.open(url)
    assert await Ledger(again).balances([wallet(ALICE)]) == {wallet(ALICE): 3}
    await again.close()
    assert task.cancelled()


@pytest.mark.slow
async def test_a_connection_that_is_in_use_while_the_database_is_closed_is_closed_after_it(url: str) -> None:
    store = await Store.open(url)
    async with store.reading() as connection:
        used = await connection.get_raw_connection()
        driver: Any = used.driver_connection
        await store.close()
        assert (await connection.execute(text("SELECT 1"))).scalar() == 1
    assert driver.is_closed() if hasattr(driver, "is_closed") else not driver._running  # asyncpg, aiosqlite


async def test_what_was_written_is_there_after_a_restart(url: str) -> None:
    for number in range(1, 4):
        store = await Store.open(url)
        assert await Ledger(store).post(grant(ALICE, 5))
        assert await Ledger(store).balances([wallet(ALICE)]) == {wallet(ALICE): 5 * number}
        assert await breaches(store) == []
        await store.close()


async def test_the_folder_of_a_relative_path_is_created(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store = await Store.open("sqlite:///data/deeper/rabble.db")
    await store.close()
    assert (tmp_path / "data" / "deeper" / "rabble.db").is_file()


async def test_a_path_may_have_any_letters(tmp_path: Path) -> None:
    path = tmp_path / "50% of ünïcode & spaces.db"
    store = await Store.open(f"sqlite:///{path}")
    await store.close()
    assert path.is_file()


async def test_an_absolute_path_whose_folder_is_missing_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The driver is not asked: it would leave a thread that answers a loop which may have ended.
    monkeypatch.setattr(aiosqlite, "connect", lambda *_, **__: pytest.fail("the driver was asked"))
    missing = tmp_path / "not-mounted" / "rabble.db"
    with pytest.raises(
        StoreError, match=r"^The database sqlite:///.*cannot be opened .*; its folder .*not-mounted is"
    ):
        await Store.open(f"sqlite:///{missing}")
    assert not missing.parent.exists()


async def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "diary.db"
    file.write_text("Dear diary, " * 100)
    with pytest.raises(StoreError, match="not a database"):
        await Store.open(f"sqlite:///{file}")
    assert file.read_text() == "Dear diary, " * 100


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://bot:hunter2@127.0.0.1:1/rabble",
        "postgresql://bot:hunter2@127.0.0.1:1/rabble?password=hunter2",
        "mysql://bot:hunter2@db/rabble",
        "postgresql://bot:hunter2@db:port/rabble",
        "hunter2",
    ],
)
async def test_a_database_that_cannot_be_opened_is_named_without_its_password(url: str) -> None:
    with pytest.raises(StoreError) as error:
        await Store.open(url)
    sentence = str(error.value)
    assert "hunter2" not in sentence
    assert sentence.startswith("The database")
    assert sentence.endswith(".")
    assert "\n" not in sentence


@pytest.mark.postgres
@pytest.mark.usefixtures("url")
async def test_a_database_that_the_server_does_not_have_is_named() -> None:
    with pytest.raises(StoreError, match=r"^The database postgresql://postgres@.*/nowhere .*does not exist"):
        await Store.open(f"{SERVER}/nowhere")


@pytest.mark.postgres
async def test_a_server_that_takes_no_writes_is_told_at_once() -> None:
    async with postgresql() as url:
        await (await Store.open(url)).close()
        name = url.rpartition("/")[2]
        await administrate(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        with pytest.raises(StoreError) as told:
            await Store.open(url)
        assert str(told.value).endswith(
            " (the server takes no writes);"
            " it is a standby, or set to read only: name the one that takes them."
        )
        await (await Store.look(url)).close()  # what only reads goes on


async def test_a_driver_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    monkeypatch.setenv("UV_RUN_RECURSION_DEPTH", "1")
    monkeypatch.setenv("UV", "uv")
    monkeypatch.setattr(sys, "argv", ["rabble"])
    wanted = (
        r"needs the package asyncpg, which is missing; "
        r"it comes with the extra `postgres`: `uv run --extra postgres rabble …`\.$"
    )
    with pytest.raises(StoreError, match=wanted):
        await Store.open(f"{SERVER}/rabble")


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite:///:memory:"])
async def test_a_database_in_memory_is_refused(url: str) -> None:
    """Its two connections would be two databases, and it would survive nothing."""
    with pytest.raises(StoreError, match=r"names no file; right would be sqlite:///data/rabble\.db"):
        await Store.open(url)


@pytest.mark.parametrize("password", ["half@secret", "half@sec/ret", "ha?lf@secret", "%@secret"])
async def test_no_half_of_a_password_is_shown(password: str) -> None:
    """What follows the @ of a password would be read as the name of the server."""
    pytest.importorskip("asyncpg")
    with pytest.raises(StoreError) as told:
        await Store.open(f"postgresql://ann:{password}@127.0.0.1:1/rabble")
    assert str(told.value) == "In the database's URL an @ of a password is written as %40, and a % as %25."
    shown = r"^The database postgresql://ann:\*\*\*@127\.0\.0\.1:1/rabble cannot be opened "
    with pytest.raises(StoreError, match=shown):
        await Store.open("postgresql://ann:half%40secret@127.0.0.1:1/rabble")


@pytest.mark.slow
def test_a_start_imports_no_alembic_and_ends_by_itself(sqlite_url: str) -> None:
    program = (
        "import asyncio, sys\n"
        "from chatbot.ledger.store.store import Store\n"
        "async def main():\n"
        f"    await (await Store.open({sqlite_url!r})).close()\n"
        "    print('alembic' in sys.modules)\n"
        "asyncio.run(main())\n"
    )
    root = Path(__file__).parents[2]
    starts = [
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60, cwd=root
        )
        for _ in range(2)
    ]
    assert [start.stdout.strip() for start in starts] == ["False", "False"]


@pytest.mark.usefixtures("threads")
async def test_what_takes_long_to_read_from_a_file_can_be_interrupted(tmp_path: Path) -> None:
    store = await Store.open(f"sqlite:///{tmp_path / 'rabble.db'}")
    endless = text("WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n) SELECT count(*) FROM n")

    async def read() -> None:
        async with store.reading() as connection:
            await connection.execute(endless)

    reading = asyncio.create_task(read())
    while not (await asyncio.wait([reading], timeout=0.01))[
        0
    ]:  # what has not begun yet cannot be interrupted
        store.interrupt()
    with pytest.raises(OperationalError, match="interrupted"):
        await reading
    async with store.reading() as connection:  # what is read later is read
        assert (await connection.execute(text("SELECT 1"))).scalar() == 1
    await store.close()
